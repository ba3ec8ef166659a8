//! Programs with control flow: branches, loops with parameters, divergent exits by masks, barriers, and
//! random graphs, reducible or not.

use spirdna_isa::WaveSize;
use spirdna_translate::ir::{Block, Builder, Input, Kind, MemWidth, Target, Terminator, Ty, Value};

use super::programs::{IN, OUT, Program, Setup, finish, launch, noise, place, put, put_all};

/// Every program of this file for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    let mut all = vec![
        diamond(wave),
        divergent_loop(wave),
        reduction(wave),
        cases(wave),
    ];
    let names = ["graph0", "graph1", "graph2", "graph3"];
    for (seed, name) in (0..).zip(names) {
        let mut program = graph(wave, name, seed);
        program.turn = Some(seed + 2 * (wave.lanes() / 64));
        all.push(program);
    }
    all
}

/// A branch on the wave's number: parameters of both shapes, a uniform argument for a per-lane one.
fn diamond(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 4 * w;
    let mut expected = Vec::new();
    for t in 0..n {
        let (v, lane) = (t / w, t % w);
        let (a, b) = if v & 1 == 1 {
            (lane * 3, v + 10)
        } else {
            (77, v + 20)
        };
        expected.extend([a + t, b]);
    }
    let setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()])],
        expected: vec![expected],
    };
    finish("diamond", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let v = b.input(Input::WaveInGroup);
        let lane = b.input(Input::LaneId);
        let [odd, even, join] = [(); 3].map(|()| b.new_block());
        let x = b.param(join, Ty::lane(Kind::I32));
        let y = b.param(join, Ty::uniform(Kind::I32));
        let bit = b.and32(v, 1);
        let cond = b.eq32(bit, 1);
        b.branch(cond, Target::new(odd, vec![]), Target::new(even, vec![]));
        b.switch_to(odd);
        let three = b.const32(3);
        let product = b.mul(lane, three);
        let ten = b.add32(v, 10);
        b.jump(join, vec![product, ten]);
        b.switch_to(even);
        let constant = b.const32(77);
        let twenty = b.add32(v, 20);
        b.jump(join, vec![constant, twenty]);
        b.switch_to(join);
        let sum = b.add(x, t);
        put_all(b, t, &[sum, y]);
        b.ret();
    })
}

/// Each lane runs a Collatz sequence to its end; the loop goes on while a lane is active. A value
/// swapped with another each turn holds the copies of an edge to happen at once.
fn divergent_loop(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 2 * w;
    let mut expected = Vec::new();
    for first in [0, w] {
        let lengths: Vec<u32> = (first..first + w)
            .map(|t| {
                let (mut x, mut count) = (t + 1, 0);
                while x != 1 {
                    x = if x & 1 == 1 { 3 * x + 1 } else { x / 2 };
                    count += 1;
                }
                count
            })
            .collect();
        let turns = *lengths.iter().max().unwrap();
        for (lane, &length) in lengths.iter().enumerate() {
            let lane = lane as u32;
            let (p, q) = if turns.is_multiple_of(2) {
                (lane, 1000 + lane)
            } else {
                (1000 + lane, lane)
            };
            expected.extend([length, turns, p, q]);
        }
    }
    let setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()])],
        expected: vec![expected],
    };
    finish("divergent_loop", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let lane = b.input(Input::LaneId);
        let [head, turn, end] = [(); 3].map(|()| b.new_block());
        let mask_kind = b.func().mask_kind();
        let exec = b.param(head, Ty::uniform(mask_kind));
        let turns = b.param(head, Ty::uniform(Kind::I32));
        let [x, count, p, q] = [(); 4].map(|()| b.param(head, Ty::lane(Kind::I32)));
        let start = b.add32(t, 1);
        let (zero, all) = (b.const32(0), b.const_mask(u64::MAX));
        let other = b.add32(lane, 1000);
        b.jump(head, vec![all, zero, start, zero, lane, other]);

        b.switch_to(head);
        let active = b.lane_bit(exec);
        let one = b.const32(1);
        let more = b.ne(x, one);
        let active = b.and(active, more);
        let exec = b.ballot(active);
        let none = b.const_mask(0);
        let any = b.ne(exec, none);
        b.branch(any, Target::new(turn, vec![]), Target::new(end, vec![]));

        b.switch_to(turn);
        let three = b.const32(3);
        let up = b.mul(x, three);
        let up = b.add32(up, 1);
        let down = b.shr_by(x, 1);
        let bit = b.and32(x, 1);
        let odd = b.eq32(bit, 1);
        let next = b.select(odd, up, down);
        let mine = b.lane_bit(exec);
        let next = b.select(mine, next, x);
        let longer = b.add32(count, 1);
        let longer = b.select(mine, longer, count);
        let later = b.add32(turns, 1);
        b.jump(head, vec![exec, later, next, longer, q, p]);

        b.switch_to(end);
        put_all(b, t, &[count, turns, p, q]);
        b.ret();
    })
}

/// A sum over the workgroup in LDS with a barrier a step.
fn reduction(wave: WaveSize) -> Program {
    let n = 256u32;
    let data = noise(20, n as usize);
    let sum = data.iter().fold(0u32, |sum, &x| sum.wrapping_add(x));
    let mut setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; n as usize]), (IN, data)],
        expected: vec![vec![sum; n as usize]],
    };
    setup.launch.lds_bytes = 4 * n;
    finish("reduction", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let [head, step, store, next, end] = [(); 5].map(|()| b.new_block());
        let from = place(b, IN, t, 1);
        let x = b.load(from, yes, MemWidth::B32, 0, true, true);
        let at = b.shl_by(t, 2);
        b.lds_store(at, x, yes, MemWidth::B32);
        let width = b.param(head, Ty::uniform(Kind::I32));
        let half = b.const32(n / 2);
        b.barrier(head, vec![half]);

        b.switch_to(head);
        let zero = b.const32(0);
        let more = b.ne(width, zero);
        b.branch(more, Target::new(step, vec![]), Target::new(end, vec![]));

        b.switch_to(step);
        let active = b.ult(t, width);
        let other = b.add(t, width);
        let other = b.shl_by(other, 2);
        let theirs = b.lds_load(other, active, MemWidth::B32);
        let mine = b.lds_load(at, active, MemWidth::B32);
        let sum = b.add(theirs, mine);
        b.jump(store, vec![]);

        b.switch_to(store);
        b.lds_store(at, sum, active, MemWidth::B32);
        b.barrier(next, vec![]);

        b.switch_to(next);
        let width = b.shr_by(width, 1);
        b.jump(head, vec![width]);

        b.switch_to(end);
        let zero = b.const32(0);
        let sum = b.lds_load(zero, yes, MemWidth::B32);
        put(b, t, sum);
        b.ret();
    })
}

/// A switch on the wave's number.
fn cases(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let n = 5 * w;
    let expected = (0..n)
        .map(|t| [100, 201, 302, 302, 302][(t / w) as usize] + t % w)
        .collect();
    let setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; n as usize])],
        expected: vec![expected],
    };
    finish("cases", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let lane = b.input(Input::LaneId);
        let v = b.input(Input::WaveInGroup);
        let blocks = [(); 3].map(|()| b.new_block());
        let join = b.new_block();
        let x = b.param(join, Ty::lane(Kind::I32));
        let targets = blocks
            .iter()
            .map(|&block| Target::new(block, vec![]))
            .collect();
        b.terminate(Terminator::Switch { value: v, targets });
        for (i, block) in (0..).zip(blocks) {
            b.switch_to(block);
            let x = b.add32(lane, 100 * (i + 1) + i);
            b.jump(join, vec![x]);
        }
        b.switch_to(join);
        put(b, t, x);
        b.ret();
    })
}

/// A random graph of blocks that each change two uniform numbers and two per-lane ones and then go one
/// of two ways, until a number of steps is done.
fn graph(wave: WaveSize, name: &'static str, seed: u32) -> Program {
    const BLOCKS: usize = 9;
    const STEPS: u32 = 40;
    let w = wave.lanes();
    let n = 4 * w;
    let choice = noise(100 + seed, 4 * BLOCKS);
    // Ways lead forward more often than back, so that graphs have some shape.
    let way = |block: usize, index: usize| {
        let r = choice[4 * block + index] as usize;
        if r & 0x300 == 0 {
            r % BLOCKS
        } else {
            (block + 1 + r % 3) % BLOCKS
        }
    };
    let ways: Vec<[usize; 2]> = (0..BLOCKS).map(|i| [way(i, 0), way(i, 1)]).collect();
    let bit: Vec<u32> = (0..BLOCKS).map(|i| choice[4 * i + 2] % 7).collect();
    let key: Vec<u32> = (0..BLOCKS).map(|i| choice[4 * i + 3]).collect();

    let mut expected = Vec::new();
    for first in (0..n).step_by(w as usize) {
        let mut lanes: Vec<(u32, u32)> = (first..first + w).map(|t| (t, t * 7)).collect();
        let (mut acc, mut steps, mut at) = (first / w, 0u32, 0usize);
        loop {
            acc = acc.wrapping_mul(5).wrapping_add(key[at]);
            let sum: u32 = lanes.iter().map(|(x, _)| x & 1).sum();
            for (x, y) in &mut lanes {
                (*x, *y) = (*y ^ acc, x.wrapping_add(key[at]));
            }
            acc ^= sum;
            steps += 1;
            if steps == STEPS {
                break;
            }
            at = ways[at][usize::from(acc >> bit[at] & 1 == 0)];
        }
        for (x, y) in lanes {
            expected.extend([x, y, acc, at as u32]);
        }
    }
    let setup = Setup {
        launch: launch(wave, [n, 1, 1]),
        threads: [n, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()])],
        expected: vec![expected],
    };
    finish(name, setup, |b| {
        let t = b.input(Input::LocalId(0));
        let blocks: Vec<Block> = (0..BLOCKS).map(|_| b.new_block()).collect();
        let end = b.new_block();
        let mut params: Vec<[Value; 4]> = Vec::new();
        for &block in &blocks {
            params.push([
                b.param(block, Ty::uniform(Kind::I32)),
                b.param(block, Ty::uniform(Kind::I32)),
                b.param(block, Ty::lane(Kind::I32)),
                b.param(block, Ty::lane(Kind::I32)),
            ]);
        }
        let last = [
            b.param(end, Ty::lane(Kind::I32)),
            b.param(end, Ty::lane(Kind::I32)),
            b.param(end, Ty::uniform(Kind::I32)),
            b.param(end, Ty::uniform(Kind::I32)),
        ];
        let v = b.input(Input::WaveInGroup);
        let zero = b.const32(0);
        let seven = b.const32(7);
        let y = b.mul(t, seven);
        b.jump(blocks[0], vec![v, zero, t, y]);
        for i in 0..BLOCKS {
            b.switch_to(blocks[i]);
            block(
                b,
                params[i],
                key[i],
                bit[i],
                STEPS,
                i,
                ways[i].map(|to| blocks[to]),
                end,
            );
        }
        b.switch_to(end);
        put_all(b, t, &last);
        b.ret();
    })
}

#[allow(clippy::too_many_arguments, reason = "one block of a random graph")]
fn block(
    b: &mut Builder<'_>,
    [acc, steps, x, y]: [Value; 4],
    key: u32,
    bit: u32,
    limit: u32,
    number: usize,
    ways: [Block; 2],
    end: Block,
) {
    let five = b.const32(5);
    let acc = b.mul(acc, five);
    let acc = b.add32(acc, key);
    let odd = b.and32(x, 1);
    let odd = b.eq32(odd, 1);
    let odd = b.ballot(odd);
    let sum = b.bit_count(odd);
    let (x, y) = (b.xor(y, acc), b.add32(x, key));
    let acc = b.xor(acc, sum);
    let steps = b.add32(steps, 1);
    let done = b.eq32(steps, limit);
    let next = b.new_block();
    let number = b.const32(number as u32);
    b.branch(
        done,
        Target::new(end, vec![x, y, acc, number]),
        Target::new(next, vec![]),
    );
    b.switch_to(next);
    let moved = b.shr_by(acc, bit);
    let moved = b.and32(moved, 1);
    let first = b.eq32(moved, 1);
    let args = vec![acc, steps, x, y];
    b.branch(
        first,
        Target::new(ways[0], args.clone()),
        Target::new(ways[1], args),
    );
}
