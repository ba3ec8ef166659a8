//! Every pass keeps what random functions show, and does what it says on small ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;

use super::*;
use crate::ir::dom::Dominators;
use crate::ir::random::{flow, masks, shown};
use crate::ir::*;

const WAVES: [WaveSize; 2] = [WaveSize::W32, WaveSize::W64];

/// Runs a pass that asks for dominators.
fn on(func: &mut Func, run: fn(&mut Func, &Dominators) -> usize) -> usize {
    let doms = Dominators::new(func);
    run(func, &doms)
}

/// Runs a pass on random functions; gives how much it did in all.
fn keeps(pass: impl Fn(&mut Func) -> usize, seeds: std::ops::Range<u64>) -> usize {
    keeps_of(flow, pass, seeds)
}

fn keeps_of(
    make: fn(u64, WaveSize) -> Func,
    pass: impl Fn(&mut Func) -> usize,
    seeds: std::ops::Range<u64>,
) -> usize {
    keeps_and(make, pass, seeds, true)
}

/// `settles`: a second run does nothing.
fn keeps_and(
    make: fn(u64, WaveSize) -> Func,
    pass: impl Fn(&mut Func) -> usize,
    seeds: std::ops::Range<u64>,
    settles: bool,
) -> usize {
    let mut done = 0;
    for seed in seeds {
        for wave in WAVES {
            let before = make(seed, wave);
            let mut after = before.clone();
            done += pass(&mut after);
            let text = || {
                format!(
                    "seed {seed}\n{}\n---\n{}",
                    print::func_text(&before),
                    print::func_text(&after)
                )
            };
            verify(&after, wave).unwrap_or_else(|e| panic!("{e}\n{}", text()));
            let (a, b) = (shown(&before, seed), shown(&after, seed));
            assert!(a == b, "{}", text());
            let again = if settles { pass(&mut after.clone()) } else { 0 };
            assert_eq!(again, 0, "a second run does nothing\n{}", text());
        }
    }
    done
}

#[test]
fn dce_keeps_the_meaning() {
    assert!(keeps(dce::run, 0..60) > 500);
}

#[test]
fn cse_keeps_the_meaning() {
    assert!(keeps(|f| on(f, cse::run), 0..60) > 20);
}

#[test]
fn edge_facts_keep_the_meaning() {
    assert!(keeps(|f| on(f, edge_facts::run), 0..200) > 100);
}

/// Behind a false `~x != 0`, `~x` is 0 and `x` is all ones: in the block and in what the way hands over.
#[test]
fn edge_facts_see_through_a_complement() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (then, els, end) = (b.new_block(), b.new_block(), b.new_block());
    let param = b.param(end, Ty::uniform(Kind::I32));
    let x = b.input(Input::WaveInGroup);
    let not = b.not(x);
    let zero = b.const32(0);
    let cond = b.ne(not, zero);
    b.branch(cond, Target::new(then, vec![]), Target::new(els, vec![]));
    b.switch_to(then);
    b.jump(end, vec![not]);
    b.switch_to(els);
    let sum = b.add(x, not);
    b.branch(cond, Target::new(end, vec![x]), Target::new(end, vec![sum]));
    b.switch_to(end);
    let more = b.add(param, not);
    b.lds_store(zero, more, cond, MemWidth::B32);
    b.ret();
    let added = func.def(sum);
    on(&mut func, edge_facts::run);
    let c = |v: Value| func.as_const(v);
    let Def::Inst(added) = added else { panic!() };
    let args = &func.inst(added).args;
    assert_eq!(
        (c(args[0]), c(args[1])),
        (Some(Const::I32(!0)), Some(Const::I32(0)))
    );
    let Some(Terminator::Branch { cond, then, .. }) = &func.block(els).term else {
        panic!()
    };
    assert_eq!(c(*cond), Some(Const::Bool(false)));
    assert_eq!(c(then.args[0]), Some(Const::I32(!0)));
    assert!(func.successors(func.entry()).contains(&els));
}

#[test]
fn simplify_params_keeps_the_meaning() {
    assert!(keeps(|f| on(f, simplify_params::run), 0..60) > 60);
}

#[test]
fn cancel_ballots_keeps_the_meaning() {
    assert!(keeps(|f| on(f, cancel_ballots::run), 0..60) > 5);
    assert!(keeps_of(masks, |f| on(f, cancel_ballots::run), 0..200) > 300);
}

/// Random flow whose values are masked as lift masks registers: selects and stores under a few conditions.
fn masked(seed: u64, wave: WaveSize) -> Func {
    let mut func = flow(seed, wave);
    let mut rng = random::Rng::new(seed ^ 0x5151);
    let entry = func.entry();
    let live = Builder::at(&mut func, entry).input(Input::LaneLive);
    let zero = Builder::at(&mut func, entry).const32(0);
    for block in func.blocks().filter(|&b| b != entry) {
        let params = func.block(block).params.clone();
        let mut conditions = vec![live];
        conditions.extend(params.iter().find(|&&v| func.ty(v) == Ty::lane(Kind::Bool)));
        let mut others = vec![zero];
        others.extend(params.iter().filter(|&&v| func.kind(v) == Kind::I32));
        let old = std::mem::take(&mut func.block_mut(block).insts);
        let mut new = Vec::new();
        let mut now: std::collections::HashMap<Value, Value> = Default::default();
        for inst in old {
            let data = func.inst_mut(inst);
            // Lanes and bit fields stay in range.
            let ranged = matches!(
                data.op,
                Op::Shuffle | Op::ReadLane | Op::Pure(Pure::BitsU | Pure::BitsS)
            );
            for arg in data.args.iter_mut().filter(|_| !ranged) {
                *arg = now.get(arg).copied().unwrap_or(*arg);
            }
            if matches!(data.op, Op::LdsStore { .. }) && rng.below(4) > 0 {
                data.args[2] = rng.pick(&conditions);
            }
            new.push(inst);
            let Some(result) = data.result else { continue };
            if func.ty(result) == Ty::lane(Kind::Bool) && rng.below(2) == 0 {
                let both = [result, rng.pick(&conditions)];
                let ty = Some(Ty::lane(Kind::Bool));
                let op = rng.pick(&[Op::Pure(Pure::And), Op::Pure(Pure::Or)]);
                let both = func.new_inst(op, Args::from_slice(&both), ty);
                new.push(both);
                conditions.extend(func.inst(both).result);
            }
            if func.ty(result) == Ty::lane(Kind::I32) && rng.below(2) == 0 {
                let mut args = [rng.pick(&conditions), result, rng.pick(&others)];
                if rng.below(3) == 0 {
                    args.swap(1, 2);
                }
                let ty = Some(Ty::lane(Kind::I32));
                let op = Op::Pure(Pure::Select);
                let select = func.new_inst(op, Args::from_slice(&args), ty);
                new.push(select);
                now.extend(func.inst(select).result.map(|v| (result, v)));
            }
        }
        let data = func.block_mut(block);
        data.insts = new;
        if let Some(term) = &mut data.term {
            term.map_values(|v| now.get(&v).copied().unwrap_or(v));
        }
    }
    func
}

#[test]
fn unmask_keeps_the_meaning() {
    // What one run takes away may show the next one more.
    assert!(keeps_and(masked, |func| on(func, unmask::run), 0..200, false) > 200);
}

#[test]
fn bounds_keep_the_meaning() {
    let run = |func: &mut Func| {
        let limits = bounds::Limits::unknown(func.wave().lanes());
        let doms = Dominators::new(func);
        bounds::run(func, &doms, &limits)
    };
    assert!(keeps(run, 0..100) > 5);
}

#[test]
fn what_is_in_range_by_its_making_is_not_compared() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let offset = b.shl_by(lane, 2);
    let offset = b.add32(offset, 4);
    let last = b.const32(128);
    let inside = b.ule(offset, last);
    let live = b.input(Input::LaneLive);
    let guard = b.and(inside, live);
    b.lds_store(offset, lane, guard, MemWidth::B32);
    let last = b.const32(127);
    let inside = b.ule(offset, last);
    b.lds_store(offset, lane, inside, MemWidth::B32);
    b.ret();
    let doms = Dominators::new(&func);
    assert_eq!(
        bounds::run(&mut func, &doms, &bounds::Limits::unknown(32)),
        2
    );
    let stores: Vec<Value> = func
        .block(func.entry())
        .insts
        .iter()
        .filter(|&&i| matches!(func.inst(i).op, Op::LdsStore { .. }))
        .map(|&i| func.inst(i).args[2])
        .collect();
    assert_eq!(stores, [live, inside], "31 * 4 + 4 is the greatest offset");
}

#[test]
fn what_is_a_multiple_of_four_by_its_making_is_not_taken_apart() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let two = b.const32(2);
    let words = b.shl(lane, two);
    let at = b.add32(words, 0x404);
    let odd = b.add32(words, 0x402);
    let three = b.const32(3);
    let stores = |b: &mut Builder<'_>, at: Value| {
        let low = b.pure(Pure::And, &[at, three]);
        let zero = b.const32(0);
        let unaligned = b.ne(low, zero);
        let aligned = b.eq(low, zero);
        b.lds_store(at, lane, aligned, MemWidth::B32);
        b.lds_store(at, lane, unaligned, MemWidth::B8);
    };
    stores(&mut b, at);
    stores(&mut b, odd);
    b.ret();
    let doms = Dominators::new(&func);
    bounds::run(&mut func, &doms, &bounds::Limits::unknown(32));
    let left: Vec<MemWidth> = func
        .block(func.entry())
        .insts
        .iter()
        .filter_map(|&i| match func.inst(i).op {
            Op::LdsStore { width } => Some(width),
            _ => None,
        })
        .collect();
    assert_eq!(left, [MemWidth::B32, MemWidth::B32, MemWidth::B8]);
}

#[test]
fn what_nobody_writes_is_read_only() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let yes = b.const_bool(true);
    for (buffer, writes) in [(0, false), (1, true)] {
        let place = b.ptr_bound(buffer, lane);
        b.load(place, yes, MemWidth::B32, 0, true, false);
        if writes {
            let place = b.ptr_bound(buffer, lane);
            b.store(place, lane, yes, MemWidth::B32, 4, true);
        }
    }
    let address = b.zext(lane);
    let place = b.ptr(address, 4);
    b.load(place, yes, MemWidth::B32, 0, true, false);
    b.ret();
    assert_eq!(read_only::run(&mut func, 2), 1);
    let marked: Vec<bool> = func
        .block(func.entry())
        .insts
        .iter()
        .filter_map(|&i| match func.inst(i).op {
            Op::Load { read_only, .. } => Some(read_only),
            _ => None,
        })
        .collect();
    assert_eq!(marked, [true, false, false]);
}

#[test]
fn a_known_branch_is_a_jump_and_what_it_leaves_out_is_empty() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (taken, left) = (b.new_block(), b.new_block());
    let no = b.const_bool(false);
    b.branch(no, Target::new(left, vec![]), Target::new(taken, vec![]));
    for block in [taken, left] {
        b.switch_to(block);
        let (lane, yes) = (b.input(Input::LaneId), b.const_bool(true));
        b.lds_store(lane, lane, yes, MemWidth::B8);
        b.ret();
    }
    let mut doms = Dominators::new(&func);
    assert!(doms.reachable(left));
    assert_eq!(fold_flow::run(&mut func, &mut doms), 1);
    assert!(doms.are_of(&func) && !doms.reachable(left));
    let entry = func.block(func.entry());
    assert_eq!(
        entry.term,
        Some(Terminator::Jump(Target::new(taken, vec![])))
    );
    assert!(func.block(left).insts.is_empty());
    assert_eq!(func.block(taken).insts.len(), 1);
    assert_eq!(fold_flow::run(&mut func, &mut doms), 0);
}

/// Random flow in which some jumps are barriers, cut at them.
#[test]
fn phases_keep_the_meaning() {
    let mut barriers = 0;
    for seed in 0..120 {
        for wave in WAVES {
            let mut before = flow(seed, wave);
            for block in before.blocks() {
                let data = before.block_mut(block);
                if let Some(Terminator::Jump(target)) = &data.term
                    && (u64::from(block.0) + seed).is_multiple_of(2)
                {
                    data.term = Some(Terminator::Barrier(target.clone()));
                    barriers += 1;
                }
            }
            let shows = shown(&before, seed);
            // The cut program enters more blocks, so an endless one stops elsewhere.
            if shows.1 == Some(eval::EvalError::Limit) {
                continue;
            }
            let mut after = before.clone();
            phases::run(&mut after);
            let text =
                |after: &Func| print::func_text(&before) + "---\n" + &print::func_text(after);
            verify(&after, wave).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", text(&after)));
            let alike = shows == shown(&after, seed);
            assert!(alike, "seed {seed}\n{}", text(&after));
            assert!(!phases::run(&mut after), "a second run does nothing");
            on(&mut after, simplify_params::run);
            dce::run(&mut after);
            verify(&after, wave).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", text(&after)));
            assert!(
                shown(&before, seed) == shown(&after, seed),
                "{}",
                text(&after)
            );
        }
    }
    assert!(barriers > 100, "{barriers}");
}

#[test]
fn all_in_a_row_keep_the_meaning() {
    for seed in 1000..1040 {
        for wave in WAVES {
            let before = flow(seed, wave);
            let mut after = before.clone();
            for _ in 0..2 {
                on(&mut after, simplify_params::run);
                on(&mut after, cse::run);
                on(&mut after, edge_facts::run);
                on(&mut after, cancel_ballots::run);
                dce::run(&mut after);
            }
            assert!(shown(&before, seed) == shown(&after, seed), "seed {seed}");
        }
    }
}

/// A loop in which lanes leave one by one: EXEC is carried as a mask, in wave64 as two halves.
fn divergent_loop(wave: WaveSize) -> Func {
    let mut func = Func::new(wave);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let live = b.input(Input::LaneLive);
    let exec = b.ballot(live);
    let (head, end) = (b.new_block(), b.new_block());
    let wide = wave == WaveSize::W64;
    let halves: Vec<Value> = if wide {
        vec![b.lo(exec), b.hi(exec)]
    } else {
        vec![exec]
    };
    let params: Vec<Value> = halves
        .iter()
        .map(|_| b.param(head, Ty::uniform(Kind::I32)))
        .collect();
    let n = b.param(head, Ty::uniform(Kind::I32));
    let sum = b.param(head, Ty::lane(Kind::I32));
    let zero = b.const32(0);
    let mut args = halves;
    args.extend([zero, lane]);
    b.jump(head, args);
    b.switch_to(head);
    let exec = if wide {
        b.pack(params[0], params[1])
    } else {
        params[0]
    };
    let active = b.lane_bit(exec);
    let more = b.add(sum, lane);
    let sum = b.select(active, more, sum);
    let t = b.const_bool(true);
    b.lds_store(lane, sum, t, MemWidth::B32);
    let next = b.add32(n, 1);
    let stays = b.ult(next, lane);
    let vcc = b.ballot(stays);
    let (next_args, any) = if wide {
        // As scalar code on the halves does it.
        let (lo, hi) = (b.lo(vcc), b.hi(vcc));
        let (lo, hi) = (b.and(params[0], lo), b.and(hi, params[1]));
        let any = b.or(lo, hi);
        (vec![lo, hi, next, sum], any)
    } else {
        let exec = b.and(exec, vcc);
        (vec![exec, next, sum], exec)
    };
    let zero = b.const32(0);
    let none = b.eq(any, zero);
    b.branch(none, Target::new(end, vec![]), Target::new(head, next_args));
    b.switch_to(end);
    b.ret();
    func
}

#[test]
fn a_divergent_loop_carries_booleans() {
    for wave in WAVES {
        let before = divergent_loop(wave);
        let mut after = before.clone();
        // The lane bit, and in wave32 the question whether EXEC is zero, which scalar code asks of halves.
        let done = if wave == WaveSize::W32 { 2 } else { 1 };
        assert_eq!(on(&mut after, cancel_ballots::run), done);
        on(&mut after, cse::run);
        dce::run(&mut after);
        let text = print::func_text(&after);
        assert!(!text.contains("lane_bit"), "{text}");
        assert!(text.contains("l.bool"), "{text}");
        assert_eq!(shown(&before, 3), shown(&after, 3));
    }
}

#[test]
fn nested_loops_lose_what_they_carry_unchanged() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let x = b.input(Input::UserData(0));
    let [outer, inner, latch, end] = [(); 4].map(|()| b.new_block());
    let p: Vec<Value> = [outer, inner, latch]
        .map(|k| b.param(k, Ty::uniform(Kind::I32)))
        .to_vec();
    b.jump(outer, vec![x]);
    b.switch_to(outer);
    b.jump(inner, vec![p[0]]);
    b.switch_to(inner);
    let again = b.eq32(p[1], 1);
    b.branch(
        again,
        Target::new(inner, vec![p[1]]),
        Target::new(latch, vec![p[1]]),
    );
    b.switch_to(latch);
    let more = b.eq32(p[2], 2);
    b.branch(
        more,
        Target::new(outer, vec![p[2]]),
        Target::new(end, vec![]),
    );
    b.switch_to(end);
    b.ret();
    assert_eq!(on(&mut func, simplify_params::run), 3);
    verify(&func, WaveSize::W32).unwrap();
}

/// entry -> (body | end), body ends in a barrier; the branch is on `cond`.
fn guarded_barrier(cond: impl Fn(&mut Builder<'_>) -> Value) -> Func {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (body, end) = (b.new_block(), b.new_block());
    let cond = cond(&mut b);
    b.branch(cond, Target::new(body, vec![]), Target::new(end, vec![]));
    b.switch_to(body);
    b.barrier(end, vec![]);
    b.switch_to(end);
    b.ret();
    func
}

#[test]
fn barriers_need_flow_uniform_for_the_workgroup() {
    let by_user_data = guarded_barrier(|b| {
        let x = b.input(Input::UserData(0));
        b.eq32(x, 1)
    });
    assert!(uniform::run(&by_user_data, 4, &Dominators::new(&by_user_data)).is_ok());
    let by_ids = guarded_barrier(|b| {
        let (x, y) = (b.input(Input::LocalId(0)), b.const32(40));
        let below = b.ult(x, y);
        let mask = b.ballot(below);
        b.eq32(mask, 0)
    });
    let refused = uniform::run(&by_ids, 4, &Dominators::new(&by_ids)).unwrap_err();
    assert_eq!((refused.block, refused.branch), (Block(1), Block(0)));
    assert!(uniform::run(&by_ids, 1, &Dominators::new(&by_ids)).is_ok());
    let by_wave = guarded_barrier(|b| {
        let x = b.input(Input::WaveInGroup);
        b.eq32(x, 1)
    });
    assert!(uniform::run(&by_wave, 2, &Dominators::new(&by_wave)).is_err());
}

#[test]
fn a_counter_is_uniform_unless_waves_leave_the_loop_apart() {
    // A loop of n rounds with a barrier in it; n is given.
    let build = |bound: fn(&mut Builder<'_>) -> Value| {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let (head, next, end) = (b.new_block(), b.new_block(), b.new_block());
        let i = b.param(head, Ty::uniform(Kind::I32));
        let n = bound(&mut b);
        let zero = b.const32(0);
        b.jump(head, vec![zero]);
        b.switch_to(head);
        b.barrier(next, vec![]);
        b.switch_to(next);
        let more = b.add32(i, 1);
        let go = b.ult(more, n);
        b.branch(go, Target::new(head, vec![more]), Target::new(end, vec![]));
        b.switch_to(end);
        b.ret();
        (func, i)
    };
    let (func, i) = build(|b| b.input(Input::UserData(3)));
    let doms = Dominators::new(&func);
    assert!(uniform::run(&func, 4, &doms).is_ok());
    assert!(uniform::WorkgroupUniform::new(&func, 4, &doms).value(i));
    let (func, _) = build(|b| b.input(Input::WaveInGroup));
    assert_eq!(
        uniform::run(&func, 4, &Dominators::new(&func))
            .unwrap_err()
            .block,
        Block(1)
    );
}

#[test]
fn what_lds_holds_is_uniform_while_nobody_writes_it() {
    // A store before the first barrier, a load and a branch on it behind that; another store in the branch,
    // before the next barrier (`early`) or behind it.
    let build = |early: bool, own: bool| {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let [look, taken, after, end] = [0; 4].map(|_| b.new_block());
        let (lane, yes, zero) = (b.input(Input::LocalId(0)), b.const_bool(true), b.const32(0));
        b.lds_store(zero, lane, yes, MemWidth::B32);
        b.barrier(look, vec![]);
        b.switch_to(look);
        let at = if own { lane } else { zero };
        let word = b.lds_load(at, yes, MemWidth::B32);
        let word = b.read_lane(word, zero);
        let go = b.eq32(word, 1);
        b.branch(go, Target::new(taken, vec![]), Target::new(end, vec![]));
        b.switch_to(taken);
        if early {
            b.lds_store(zero, lane, yes, MemWidth::B32);
        }
        b.barrier(after, vec![]);
        b.switch_to(after);
        b.lds_store(zero, lane, yes, MemWidth::B32);
        b.ret();
        b.switch_to(end);
        b.ret();
        func
    };
    let uniform = |early, own| {
        let func = build(early, own);
        uniform::run(&func, 4, &Dominators::new(&func)).is_ok()
    };
    assert!(uniform(false, false));
    assert!(
        !uniform(true, false),
        "a wave may write before another reads"
    );
    assert!(!uniform(false, true), "each wave reads elsewhere");
}
