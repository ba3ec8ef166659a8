//! What nobody looks at is false, and what somebody looks at stays.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::{Input, Target, Ty, verify};

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
