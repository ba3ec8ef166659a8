//! What nobody looks at is false, and what somebody looks at stays.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::print;
use crate::ir::told::told;
use crate::ir::{Input, Target, Ty, verify};
use crate::passes::dce;

/// Bools of lanes: what no lane has on the way, what the way hands over as the parameter, and two others.
struct Bools {
    none: Value,
    param: Value,
    others: [Value; 2],
}

/// A branch on "no lane has it" over a block, and behind it what is made of the parameter; what comes of it is told.
/// Gives how many arguments become false.
fn changed(behind: impl Fn(&mut Builder<'_>, &Bools) -> Value) -> usize {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let x = b.input(Input::LocalId(0));
    let mut is = |bit: u32| {
        let bit = b.const32(bit);
        let masked = b.and(x, bit);
        let zero = b.const32(0);
        b.eq(masked, zero)
    };
    let bits = vec![is(1), is(2), is(4), is(8)];
    let start = b.new_block();
    // Nobody knows what these are.
    let mut bool_ = || b.param(start, Ty::lane(Kind::Bool));
    let (none, given, others) = (bool_(), bool_(), [bool_(), bool_()]);
    b.jump(start, bits);
    b.switch_to(start);
    let mask = b.ballot(none);
    let zero = b.const_mask(0);
    let cond = b.eq(mask, zero);
    let (some, join) = (b.new_block(), b.new_block());
    let param = b.param(join, Ty::lane(Kind::Bool));
    let over = Target::new(join, vec![given]);
    b.branch(cond, over, Target::new(some, vec![]));
    b.switch_to(some);
    let never = b.const_bool(false);
    b.jump(join, vec![never]);
    b.switch_to(join);
    let bools = Bools {
        none,
        param,
        others,
    };
    let told = behind(&mut b, &bools);
    let (at, yes) = (b.pack(x, x), told);
    b.fault(0, at, yes);
    b.ret();
    verify(&func, WaveSize::W32).expect("it verifies");
    let doms = Dominators::new(&func);
    let changed = run(&mut func, &doms);
    verify(&func, WaveSize::W32).expect("it verifies");
    changed
}

#[test]
fn what_is_looked_at_under_the_mask_is_false_without_it() {
    assert_eq!(changed(|b, x| b.and(x.param, x.none)), 1);
    assert_eq!(
        changed(|b, x| {
            let [other, _] = x.others;
            let both = b.and(x.none, other);
            b.select(both, x.param, other)
        }),
        1
    );
}

#[test]
fn what_is_looked_at_otherwise_stays() {
    assert_eq!(changed(|_, x| x.param), 0);
    assert_eq!(changed(|b, x| b.or(x.param, x.none)), 0);
    assert_eq!(changed(|b, x| b.and(x.param, x.others[0])), 0);
}

/// Each of the two looks is under the mask where the other one's result says so, which is made of the parameter too.
#[test]
fn what_is_made_of_it_says_nothing_of_it() {
    assert_eq!(
        changed(|b, x| {
            let not = b.not(x.none);
            let (d, e) = (b.or(not, x.others[0]), b.or(not, x.others[1]));
            let (p, q) = (b.and(x.param, d), b.and(x.param, e));
            // The builder would see that these are the same again.
            let mut and = |y: Value| {
                let block = b.block();
                let args = [x.param, y].into_iter().collect();
                let ty = Ty::lane(Kind::Bool);
                b.func_mut()
                    .append_value(block, Op::Pure(Pure::And), args, ty)
            };
            let (one, two) = (and(p), and(q));
            b.or(one, two)
        }),
        0
    );
}

/// What it tells with the words of a number.
fn shown(func: &Func, seed: u64) -> Vec<u64> {
    told(func, 100, |input, lane| {
        let lane = match input {
            Input::LocalId(_) => u64::from(lane) + 1,
            _ => 0,
        };
        let mixed = (seed << 6 | lane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29) >> 7 & 0xffff_ffff
    })
    .expect("it runs")
}

/// Whether random logic behind a branch was changed; what it tells stays.
fn logic(seed: u64) -> bool {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (x, chosen) = (b.input(Input::LocalId(0)), b.input(Input::UserData(0)));
    let start = b.new_block();
    b.jump(start, vec![]);
    b.switch_to(start);
    let mut is = |of: Value, bit: u32| {
        let bit = b.const32(bit);
        let masked = b.and(of, bit);
        let zero = b.const32(0);
        b.eq(masked, zero)
    };
    let (own, all) = (is(x, 1), is(chosen, 1));
    let (given, given_too) = (is(x, 2), is(x, 4));
    let others = [is(x, 8), is(x, 16), is(x, 32)];
    let none = b.and(own, all);
    let mask = b.ballot(none);
    let zero = b.const_mask(0);
    let cond = b.eq(mask, zero);
    let (some, join) = (b.new_block(), b.new_block());
    let params = [0, 1].map(|_| b.param(join, Ty::lane(Kind::Bool)));
    let over = Target::new(join, vec![given, given_too]);
    b.branch(cond, over, Target::new(some, vec![]));
    b.switch_to(some);
    b.jump(join, vec![others[0], others[1]]);
    b.switch_to(join);
    let mut bools = vec![none, params[0], params[1], b.not(none)];
    bools.extend(others);
    // Looks that each say when the other is one, with a few things otherwise.
    let from = bools.len();
    let model = [
        (1, 3, from - 3),
        (1, 3, from - 2),
        (0, 1, from),
        (0, 1, from + 1),
        (0, 1, from + 2),
        (0, 1, from + 3),
        (1, from + 4, from + 5),
    ];
    let strays = random(6);
    let ops = 7 + random(5);
    for at in 0..ops {
        let mut op = random(4);
        let mut any = || random(bools.len());
        let (mut x, mut y, z) = (any(), any(), any());
        if let Some(&model) = model.get(at)
            && random(8) >= strays
        {
            (op, x, y) = model;
        }
        let (x, y, z) = (bools[x], bools[y], bools[z]);
        bools.push(match op {
            0 => b.and(x, y),
            1 => b.or(x, y),
            2 => b.not(x),
            _ => b.select(x, y, z),
        });
    }
    let told = *bools.last().unwrap();
    let word = b.bool_int(told);
    let mask = b.ballot(told);
    let (at, yes) = (b.pack(word, mask), b.const_bool(true));
    b.fault(0, at, yes);
    b.ret();
    // As passes before leave it.
    dce::run(&mut func);
    verify(&func, WaveSize::W32).expect("it verifies");
    let before = func.clone();
    let doms = Dominators::new(&func);
    let changed = run(&mut func, &doms);
    verify(&func, WaveSize::W32).expect("it verifies");
    if changed > 0 {
        for inputs in 0..24 {
            let (was, is) = (shown(&before, inputs), shown(&func, inputs));
            assert!(was == is, "seed {seed}\n{}", print::func_text(&before));
        }
    }
    changed > 0
}

#[test]
fn random_logic_keeps_what_it_tells() {
    let changed = (0..2000).filter(|&seed| logic(seed)).count();
    assert!(changed > 100, "{changed}");
}
