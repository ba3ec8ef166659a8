//! Which branches lanes part at, and what is left of masks then. That both ways give the same bits is shown on the
//! machine, by seeds and random programs (`tests/machine.rs`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::{Builder, Input, MemWidth, Target, Ty, print, verify};
use crate::ir::{Kind, Op};
use crate::passes::{dce, simplify_params};

/// What a body does beside its sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Sum,
    /// Counts trips in a scalar that is used behind the loop.
    Counts,
    /// Stores where EXEC says.
    StoresUnderExec,
    /// Stores in all lanes.
    StoresAnyhow,
    /// The wave's lanes see each other's stores.
    Syncs,
    /// A ballot is a number.
    Ballots,
    /// A lane's value for all.
    Reads,
}

/// `while (v < 10) v += 3` by lanes, under EXEC, and a store of v behind it.
fn a_loop(does: Body) -> Func {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let (first, head, body, out) = (b.new_block(), b.new_block(), b.new_block(), b.new_block());
    let v = b.param(head, Ty::lane(Kind::I32));
    let exec = b.param(head, Ty::lane(Kind::Bool));
    let trips = b.param(head, Ty::uniform(Kind::I32));
    let (yes, zero) = (b.const_bool(true), b.const32(0));
    b.jump(first, vec![]);
    b.switch_to(first);
    b.jump(head, vec![lane, yes, zero]);
    b.switch_to(head);
    let ten = b.const32(10);
    let low = b.ult(v, ten);
    let stays = b.and(exec, low);
    let any = b.ballot(stays);
    let none = b.eq(any, zero);
    b.branch(none, Target::new(out, vec![]), Target::new(body, vec![]));
    b.switch_to(body);
    let mut more = b.add32(v, 3);
    match does {
        Body::Sum | Body::Counts => {}
        Body::StoresUnderExec => b.lds_store(lane, v, stays, MemWidth::B32),
        Body::StoresAnyhow => b.lds_store(lane, v, yes, MemWidth::B32),
        Body::Syncs => b.wave_sync(),
        Body::Ballots => {
            let odd = b.and32(v, 1);
            let odd = b.eq32(odd, 1);
            let odd = b.ballot(odd);
            more = b.add(more, odd);
        }
        Body::Reads => {
            let read = b.read_lane(v, zero);
            more = b.add(more, read);
        }
    }
    let next = b.select(stays, more, v);
    let trip = b.add32(trips, 1);
    b.jump(head, vec![next, stays, trip]);
    b.switch_to(out);
    let result = if does == Body::Counts {
        b.add(v, trips)
    } else {
        v
    };
    b.lds_store(lane, result, yes, MemWidth::B32);
    b.ret();
    dce::run(&mut func);
    verify(&func, WaveSize::W32).unwrap();
    func
}

/// The branches that are found, and those that lanes part at.
fn both(func: &mut Func) -> (usize, usize) {
    let doms = Dominators::new(func);
    let found = find(func, &doms);
    (found, settled(func))
}

fn settled(func: &mut Func) -> usize {
    let count = settle(func, &Dominators::new(func));
    let doms = Dominators::new(func);
    for _ in 0..6 {
        if refold(func, &doms) + simplify_params::run(func, &doms) == 0 {
            break;
        }
    }
    dce::run(func);
    verify(func, WaveSize::W32).unwrap_or_else(|e| panic!("{e}\n{}", print::func_text(func)));
    count
}

#[test]
fn a_loop_that_lanes_leave_one_by_one_needs_no_mask() {
    let mut func = a_loop(Body::Sum);
    assert_eq!(both(&mut func), (1, 1));
    let text = print::func_text(&func);
    for gone in ["ballot", "select", "and "] {
        assert!(!text.contains(gone), "{text}");
    }
    assert!(func.has_apart());
}

#[test]
fn what_the_wave_counts_keeps_lanes_together() {
    assert_eq!(both(&mut a_loop(Body::Counts)), (0, 0));
}

#[test]
fn nothing_may_happen_for_a_lane_that_has_left() {
    assert_eq!(both(&mut a_loop(Body::StoresUnderExec)), (1, 1));
    assert_eq!(both(&mut a_loop(Body::StoresAnyhow)), (0, 0));
}

#[test]
fn what_needs_other_lanes_keeps_them_together() {
    let mut func = a_loop(Body::Ballots);
    assert_eq!(both(&mut func), (1, 0));
    assert!(!func.has_apart() && func.partings().is_empty());
    assert_eq!(both(&mut a_loop(Body::Syncs)), (0, 0));
    assert_eq!(both(&mut a_loop(Body::Reads)), (0, 0));
    // A `WaveSync` that comes later.
    let mut func = a_loop(Body::StoresUnderExec);
    let doms = Dominators::new(&func);
    assert_eq!(find(&mut func, &doms), 1);
    let sync = func.new_inst(Op::WaveSync, crate::ir::Args::new(), None);
    let body = *func.successors(func.partings()[0]).get(1).unwrap();
    func.block_mut(body).insts.insert(0, sync);
    assert_eq!(settled(&mut func), 0);
}

/// An if whose value is chosen by p in both, behind it.
#[test]
fn the_store_of_a_lane_without_an_argument_of_its_own_keeps_its_guard() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let (first, then, out) = (b.new_block(), b.new_block(), b.new_block());
    let yes = b.const_bool(true);
    b.jump(first, vec![]);
    b.switch_to(first);
    let p = b.eq32(lane, 7);
    let any = b.ballot(p);
    let none = b.eq32(any, 0);
    b.branch(none, Target::new(out, vec![]), Target::new(then, vec![]));
    b.switch_to(then);
    let (at, what) = (b.const32(4), b.const32(9));
    // Without p every lane's store would be one of the wave.
    b.lds_store(at, what, p, MemWidth::B32);
    b.lds_store(lane, what, p, MemWidth::B32);
    b.jump(out, vec![]);
    b.switch_to(out);
    b.lds_store(lane, lane, yes, MemWidth::B32);
    b.ret();
    assert_eq!(both(&mut func), (1, 1));
    let guards: Vec<bool> = func
        .block(then)
        .insts
        .iter()
        .map(|&i| func.is_lane(func.inst(i).args[2]))
        .collect();
    assert_eq!(guards, [true, false]);
}
