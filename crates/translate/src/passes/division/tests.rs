//! Divisions spelt out as compilers do are found, and what they are made is right.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::dom::Dominators;
use crate::ir::told::told as told_by;
use crate::ir::{Input, Ty, verify};
use crate::passes::dce;

#[derive(Clone, Copy)]
struct Form {
    divisor: Option<u64>,
    /// Differences as sums with carries.
    carries: bool,
    /// The quotient's high word is chosen once more behind the first division.
    chosen: bool,
    /// Only the dividend's low word is each lane's own.
    lanes: bool,
    /// The dividend's low word is the quotient's high word.
    turned: bool,
    /// What makes it no division.
    broken: Option<Broken>,
}

/// What is not as a division has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// A step that subtracts only what is less.
    Compare(u32),
    /// A step that subtracts also where the shifted divisor has lost its highest bit.
    Guard(u32),
    /// The same of the first division.
    FirstGuard(u32),
    /// The first division is left out where the high word equals the divisor.
    Need,
    /// The first division is done whatever the divisor's high word.
    Long,
    /// The quotient's bit of a step is another one.
    Bit(u32),
}

/// Quotient and remainder, told as faults.
fn expanded(form: Form) -> Func {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let mut data = |n| b.input(Input::UserData(n));
    let (n_low, n_high) = (data(0), data(1));
    let n_low = match form.lanes {
        true => b.input(Input::LocalId(0)),
        false => n_low,
    };
    let (d_low, d_high) = match form.divisor {
        Some(d) => (b.const32(d as u32), b.const32((d >> 32) as u32)),
        None => (b.input(Input::UserData(2)), b.input(Input::UserData(3))),
    };
    let (zero, yes) = (b.const32(0), b.const_bool(true));
    let (first, second) = (b.new_block(), b.new_block());
    let start = b.new_block();
    b.jump(start, vec![]);
    b.switch_to(start);
    let short = b.eq(d_high, zero);
    let is = |fault: Broken| form.broken == Some(fault);
    let fits = if is(Broken::Need) {
        b.ult(d_low, n_high)
    } else {
        b.ule(d_low, n_high)
    };
    let need = if is(Broken::Long) {
        fits
    } else {
        b.and(short, fits)
    };
    let word = Ty::uniform(Kind::I32);
    let (rest, high) = (b.param(second, word), b.param(second, word));
    b.branch(
        need,
        Target::new(first, vec![]),
        Target::new(second, vec![n_high, if form.chosen { n_low } else { zero }]),
    );
    b.switch_to(first);
    let top = b.find_umsb(d_low);
    let (mut n, mut q) = (n_high, zero);
    for k in (0..32).rev() {
        let shifted = b.shl_by(d_low, k);
        let new = b.sub(n, shifted);
        let bit = b.const32(1 << k);
        let with = b.or(q, bit);
        let mut cond = b.ule(shifted, n);
        if k > 0 {
            let most = b.const32(31 - k + u32::from(is(Broken::FirstGuard(k))));
            let guard = b.sle(top, most);
            cond = b.and(guard, cond);
        }
        (n, q) = (b.select(cond, new, n), b.select(cond, with, q));
    }
    b.jump(second, vec![n, q]);
    b.switch_to(second);
    let high = if form.chosen {
        let skipped = b.not(need);
        b.select(skipped, zero, high)
    } else {
        high
    };
    let top = b.find_umsb(d_high);
    let whole = b.pack(d_low, d_high);
    let n_low = if form.turned { high } else { n_low };
    let (mut low, mut left, mut q) = (n_low, rest, zero);
    for k in (0..32).rev() {
        let shifted = b.shl_by(whole, k);
        let (s_low, s_high) = (b.lo(shifted), b.hi(shifted));
        let new_low = b.sub(low, s_low);
        let new_high = match (b.as_const(s_low), b.as_const(s_high)) {
            (Some(l), Some(h)) if form.carries && !l.is_zero() => {
                let minus = b.const32((l.bits() as u32).wrapping_neg());
                let inverted = b.const32(!(h.bits() as u32));
                let carry = b.ult(new_low, minus);
                let carry = b.bool_int(carry);
                let sum = b.add(left, inverted);
                b.add(sum, carry)
            }
            _ => {
                let borrow = b.ult(low, s_low);
                let borrow = b.bool_int(borrow);
                let less = b.sub(left, s_high);
                b.sub(less, borrow)
            }
        };
        let bit = b.const32(1 << if is(Broken::Bit(k)) { k ^ 1 } else { k });
        let with = b.or(q, bit);
        let now = b.pack(low, left);
        let mut cond = b.ule(shifted, now);
        if is(Broken::Compare(k)) {
            cond = b.ult(shifted, now);
        }
        if k > 0 {
            let most = b.const32(31 - k + u32::from(is(Broken::Guard(k))));
            let guard = b.sle(top, most);
            cond = b.and(guard, cond);
        }
        low = b.select(cond, new_low, low);
        left = b.select(cond, new_high, left);
        q = b.select(cond, with, q);
    }
    let quotient = b.pack(q, high);
    let rest = b.pack(low, left);
    b.fault(0, quotient, yes);
    b.fault(0, rest, yes);
    if form.lanes {
        let end = b.new_block();
        let high = {
            let param = b.param(end, word);
            b.jump(end, vec![high]);
            param
        };
        b.switch_to(end);
        let told = b.pack(high, high);
        b.fault(0, told, yes);
    }
    b.ret();
    func
}

const EDGES: [u64; 14] = [
    0,
    1,
    2,
    3,
    10,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_0000_0001,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_0000_0000,
    u64::MAX,
];

fn told(func: &Func, n: u64, d: u64) -> Vec<u64> {
    let words = [n as u32, (n >> 32) as u32, d as u32, (d >> 32) as u32];
    told_by(func, 100, |input, _| match input {
        Input::UserData(n) => u64::from(words[n as usize]),
        _ => 0,
    })
    .expect("it runs")
}

/// Pairs of edges and of anything.
fn pairs() -> Vec<(u64, u64)> {
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let bits = state ^ state >> 29;
        bits >> (state >> 58)
    };
    let mut pairs: Vec<(u64, u64)> = EDGES
        .iter()
        .flat_map(|&n| EDGES.iter().map(move |&d| (n, d)))
        .collect();
    pairs.extend((0..200).map(|_| (random(), random())));
    pairs
}

/// The pass finds it, and before and after are n / d and n % d.
fn found(form: Form) {
    let before = expanded(form);
    verify(&before, WaveSize::W32).expect("it verifies");
    let mut after = before.clone();
    assert_eq!(run(&mut after), 1);
    dce::run(&mut after);
    verify(&after, WaveSize::W32).expect("it verifies");
    let selects = after
        .blocks()
        .flat_map(|b| after.block(b).insts.clone())
        .filter(|&i| after.inst(i).op == Op::Pure(Pure::Select));
    assert_eq!(
        selects.count(),
        0,
        "{}",
        crate::ir::print::func_text(&after)
    );
    for (n, d) in pairs() {
        let d = form.divisor.unwrap_or(d);
        let right = match d {
            0 => vec![u64::MAX, n],
            d => vec![n / d, n % d],
        };
        assert_eq!(told(&before, n, d), right, "{n:#x} / {d:#x} before");
        assert_eq!(told(&after, n, d), right, "{n:#x} / {d:#x} after");
    }
}

const PLAIN: Form = Form {
    divisor: None,
    carries: false,
    chosen: false,
    lanes: false,
    turned: false,
    broken: None,
};

#[test]
fn divisions_by_values_are_found() {
    found(PLAIN);
    found(Form {
        chosen: true,
        ..PLAIN
    });
}

#[test]
fn divisions_by_constants_are_found() {
    for d in [3, 10, 1000, 0x7fff_ffff, 0xffff_ffff] {
        for (carries, chosen) in [(false, false), (true, false), (true, true)] {
            found(Form {
                divisor: Some(d),
                carries,
                chosen,
                ..PLAIN
            });
        }
    }
}

#[test]
fn what_is_no_division_stays() {
    for (divisor, broken) in [
        (None, Broken::Compare(1)),
        (None, Broken::Compare(7)),
        (None, Broken::Compare(31)),
        (Some(10), Broken::Compare(3)),
        (None, Broken::Guard(1)),
        (None, Broken::Guard(31)),
        (None, Broken::FirstGuard(1)),
        (None, Broken::FirstGuard(31)),
        (None, Broken::Need),
        (Some(10), Broken::Need),
        (None, Broken::Long),
    ] {
        let form = Form {
            divisor,
            broken: Some(broken),
            ..PLAIN
        };
        let before = expanded(form);
        let mut after = before.clone();
        assert_eq!(run(&mut after), 0, "{broken:?}");
        let doms = Dominators::new(&after);
        assert!(doms.are_of(&before));
    }
}

/// The remainder is one; what says another quotient stays as it is.
#[test]
fn what_is_no_quotient_stays() {
    for broken in [Broken::Bit(0), Broken::Bit(4), Broken::Bit(31)] {
        let before = expanded(Form {
            broken: Some(broken),
            ..PLAIN
        });
        let mut after = before.clone();
        assert_eq!(run(&mut after), 1, "{broken:?}");
        for (n, d) in pairs() {
            let (was, is) = (told(&before, n, d), told(&after, n, d));
            assert_eq!(was, is, "{broken:?}: {n:#x} / {d:#x}");
        }
    }
}

/// The quotient's high word is uniform where only the dividend's low word is not.
#[test]
fn what_is_uniform_stays_so() {
    for divisor in [None, Some(10)] {
        let before = expanded(Form {
            divisor,
            lanes: true,
            ..PLAIN
        });
        verify(&before, WaveSize::W32).expect("it verifies");
        let mut after = before.clone();
        assert_eq!(run(&mut after), 1);
        dce::run(&mut after);
        verify(&after, WaveSize::W32).expect("it verifies");
        for (n, d) in pairs() {
            assert_eq!(told(&before, n, d), told(&after, n, d), "{n:#x} / {d:#x}");
        }
    }
}

/// What a division is of stays, also where it is a word of its quotient.
#[test]
fn a_dividend_of_its_own_quotient() {
    let before = expanded(Form {
        turned: true,
        ..PLAIN
    });
    verify(&before, WaveSize::W32).expect("it verifies");
    let mut after = before.clone();
    run(&mut after);
    dce::run(&mut after);
    verify(&after, WaveSize::W32).expect("it verifies");
    for (n, d) in pairs() {
        assert_eq!(told(&before, n, d), told(&after, n, d), "{n:#x} / {d:#x}");
    }
}
