//! Arrays picked from by trees are found, and hold what the trees gave.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::told::told;
use crate::ir::{Builder, Kind, Target};
use crate::ir::{Input, Ty, verify};
use crate::passes::dce;

const LANE: Ty = Ty::lane(Kind::I32);

pub(super) fn below(b: &mut Builder<'_>, index: Value, bound: i32, turned: bool) -> Value {
    let bound = b.const32(bound as u32);
    if turned {
        b.sle(bound, index)
    } else {
        b.slt(index, bound)
    }
}

/// The element that the index picks, numbered from `first` on.
fn pick(b: &mut Builder<'_>, index: Value, first: i32, elements: &[Value]) -> Value {
    if let &[x, y] = elements {
        let cond = below(b, index, first + 1, false);
        return b.select(cond, x, y);
    }
    if let &[only] = elements {
        return only;
    }
    let half = elements.len() / 2;
    let middle = first + half as i32;
    let turned = half.is_multiple_of(2);
    let cond = below(b, index, middle, turned);
    let (low, high, join) = (b.new_block(), b.new_block(), b.new_block());
    let result = b.param(join, LANE);
    let (low_way, high_way) = (Target::new(low, vec![]), Target::new(high, vec![]));
    if turned {
        b.branch(cond, high_way, low_way);
    } else {
        b.branch(cond, low_way, high_way);
    }
    b.switch_to(low);
    let x = pick(b, index, first, &elements[..half]);
    b.jump(join, vec![x]);
    b.switch_to(high);
    let x = pick(b, index, middle, &elements[half..]);
    b.jump(join, vec![x]);
    b.switch_to(join);
    result
}

/// The elements with the one of `new` in the place of the one that the index picks.
fn put(
    b: &mut Builder<'_>,
    index: Value,
    first: i32,
    elements: &[Value],
    new: &[Value],
) -> Vec<Value> {
    if let (&[x, y], &[new_x, new_y]) = (elements, new) {
        let cond = below(b, index, first + 1, false);
        return vec![b.select(cond, new_x, x), b.select(cond, y, new_y)];
    }
    if elements.len() == 1 {
        return new.to_vec();
    }
    let half = elements.len() / 2;
    let middle = first + half as i32;
    let cond = below(b, index, middle, false);
    let (low, high, join) = (b.new_block(), b.new_block(), b.new_block());
    let results: Vec<Value> = elements.iter().map(|_| b.param(join, LANE)).collect();
    b.branch(cond, Target::new(low, vec![]), Target::new(high, vec![]));
    b.switch_to(low);
    let mut all = put(b, index, first, &elements[..half], &new[..half]);
    all.extend(&elements[half..]);
    b.jump(join, all);
    b.switch_to(high);
    let mut all = elements[..half].to_vec();
    all.extend(put(b, index, middle, &elements[half..], &new[half..]));
    b.jump(join, all);
    b.switch_to(join);
    results
}

/// What is put together in a program.
#[derive(Clone, Copy, Debug)]
struct Form {
    elements: usize,
    first: i32,
    /// Elements begin as something else than 0.
    begins: bool,
    /// An element is used, and another set, without an index.
    direct: bool,
    /// The elements of before a store are asked too.
    old: bool,
    /// What is stored in that place is another value.
    odd: Option<usize>,
}

/// A loop that stores an element, loads one, and tells it.
fn program(form: Form) -> Func {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let x = b.input(Input::LocalId(0));
    let seed = b.input(Input::UserData(0));
    let (zero, one, yes) = (b.const32(0), b.const32(1), b.const_bool(true));
    let (start, head, body, end) = (b.new_block(), b.new_block(), b.new_block(), b.new_block());
    b.jump(start, vec![]);
    b.switch_to(start);
    let mut begin = vec![zero; form.elements];
    if form.begins {
        for (n, element) in begin.iter_mut().enumerate().skip(1) {
            let n = b.const32(n as u32 * 77);
            *element = b.xor(x, n);
        }
    }
    let counter = b.param(head, Ty::uniform(Kind::I32));
    let elements: Vec<Value> = begin.iter().map(|_| b.param(head, LANE)).collect();
    let mut args = vec![zero];
    args.extend(begin);
    b.jump(head, args);
    b.switch_to(head);
    let trips = b.const32(6);
    let goes = b.ult(counter, trips);
    b.branch(goes, Target::new(body, vec![]), Target::new(end, vec![]));
    b.switch_to(body);
    // Any index, also ones outside.
    let index = |b: &mut Builder<'_>, factor: u32| {
        let factor = b.const32(factor);
        let at = b.mul(counter, factor);
        let at = b.add(at, seed);
        let fifteen = b.const32(15);
        let at = b.and(at, fifteen);
        let minus = b.const32((form.first - 2) as u32);
        b.add(at, minus)
    };
    let to = index(&mut b, 5);
    let new = b.mul(x, counter);
    let new = b.add(new, seed);
    let mut all_new = vec![new; form.elements];
    if let Some(odd) = form.odd {
        all_new[odd] = x;
    }
    let mut after = put(&mut b, to, form.first, &elements, &all_new);
    let from = index(&mut b, 3);
    let old = form.old.then(|| pick(&mut b, from, form.first, &elements));
    let got = pick(&mut b, from, form.first, &after);
    if form.direct {
        let sum = b.add(after[1], got);
        after[0] = sum;
    }
    let told = b.pack(got, old.unwrap_or(zero));
    b.fault(0, told, yes);
    let next = b.add(counter, one);
    let mut args = vec![next];
    args.extend(after);
    b.jump(head, args);
    b.switch_to(end);
    for pair in elements.chunks(2) {
        let told = b.pack(pair[0], *pair.last().unwrap());
        b.fault(0, told, yes);
    }
    b.ret();
    let apart = vec![true; func.block_count()];
    func.set_apart(apart);
    func
}

/// The inputs of a seed.
pub(super) fn word(seed: u64, input: Input, lane: u32) -> u64 {
    let word = match input {
        Input::LocalId(0) => seed * 0x1234_5677 + u64::from(lane) * 0x9e37_79b1,
        _ => seed * 7,
    };
    word & 0xffff_ffff
}

/// What it tells.
fn shown(func: &Func, seed: u64) -> Vec<u64> {
    let told = told(func, 10_000, |input, lane| word(seed, input, lane)).expect("it runs");
    assert!(told.len() > 64);
    told
}

/// Whether trees became accesses; what the program tells stays.
fn keeps(form: Form) -> bool {
    let before = program(form);
    verify(&before, WaveSize::W32).expect("it verifies");
    let mut after = before.clone();
    let mut bytes = 0;
    let found = run_on(&mut after, &mut bytes, &mut |func| {
        dce::run(func);
    });
    dce::run(&mut after);
    let text = || crate::ir::print::func_text(&after);
    verify(&after, WaveSize::W32).unwrap_or_else(|e| panic!("{form:?}: {e}\n{}", text()));
    for seed in 0..12 {
        assert!(
            shown(&before, seed) == shown(&after, seed),
            "{form:?}, seed {seed}\n{}\n{}",
            crate::ir::print::func_text(&before),
            text()
        );
    }
    assert_eq!(found > 0, bytes == 4 * form.elements as u32);
    found > 0
}

const PLAIN: Form = Form {
    elements: 8,
    first: 0,
    begins: false,
    direct: false,
    old: false,
    odd: None,
};

#[test]
fn arrays_are_found() {
    for (elements, first) in [(6, 0), (8, 0), (8, 3), (8, -5), (13, 0), (32, 1)] {
        for (begins, direct) in [(false, false), (true, false), (false, true), (true, true)] {
            let form = Form {
                elements,
                first,
                begins,
                direct,
                ..PLAIN
            };
            assert!(keeps(form), "{form:?}");
        }
    }
}

#[test]
fn elements_that_are_asked_after_a_store_are_kept() {
    for direct in [false, true] {
        keeps(Form {
            old: true,
            direct,
            ..PLAIN
        });
    }
}

#[test]
fn what_one_place_gets_no_other_place_does() {
    for odd in [0, 3, 7] {
        for direct in [false, true] {
            keeps(Form {
                odd: Some(odd),
                direct,
                ..PLAIN
            });
        }
    }
}

#[test]
fn few_elements_stay() {
    let form = Form {
        elements: 4,
        ..PLAIN
    };
    assert!(!keeps(form));
}

#[test]
fn programs_with_scratch_stay() {
    let mut func = program(PLAIN);
    let mut bytes = 4;
    assert_eq!(run_on(&mut func, &mut bytes, &mut |_| {}), 0);
    assert_eq!(bytes, 4);
}

/// Where a tree's way on comes round to what stands before it, what that is then is no element.
#[test]
fn what_the_next_trip_has_is_no_element() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (index, other) = (b.input(Input::LocalId(0)), b.input(Input::LocalId(1)));
    let yes = b.const_bool(true);
    let (loop_, head, end) = (b.new_block(), b.new_block(), b.new_block());
    let start = b.new_block();
    b.jump(start, vec![]);
    b.switch_to(start);
    let zero = b.const32(0);
    b.jump(loop_, vec![zero, index]);
    let counter = b.param(loop_, Ty::uniform(Kind::I32));
    let before = b.param(loop_, LANE);
    b.switch_to(loop_);
    let trips = b.const32(3);
    let goes = b.ult(counter, trips);
    b.branch(goes, Target::new(head, vec![]), Target::new(end, vec![]));
    b.switch_to(head);
    let mut next = b.new_block();
    let first = below(&mut b, index, 1, false);
    b.branch(first, Target::new(next, vec![]), Target::new(next, vec![]));
    b.switch_to(next);
    let told = b.select(first, other, before);
    for bound in 2..8 {
        next = b.new_block();
        let cond = below(&mut b, index, bound, false);
        b.branch(cond, Target::new(next, vec![]), Target::new(next, vec![]));
        b.switch_to(next);
    }
    let at = b.pack(told, told);
    b.fault(0, at, yes);
    let one = b.const32(1);
    let counter = b.add(counter, one);
    b.jump(loop_, vec![counter, zero]);
    b.switch_to(end);
    b.ret();
    func.set_apart(vec![true; func.block_count()]);
    verify(&func, WaveSize::W32).expect("it verifies");
    let trees = Search::new(&func).trees();
    let columns = trees.iter().flat_map(|tree| &tree.columns);
    let elements: Vec<Value> = columns
        .flat_map(|column| column.elements.iter().flatten().copied())
        .collect();
    assert_eq!(elements, [before]);
}
