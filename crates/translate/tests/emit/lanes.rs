//! Programs of what lanes tell each other, and of what a wave finds at entry.

use spirdna_isa::WaveSize;
use spirdna_isa::launch::InitialVgpr;
use spirdna_translate::ir::{Builder, Input, MemWidth, Value};

use super::programs::{IN, OUT, Program, Setup, finish, launch, noise, place, put_all, put_if};

/// Every program of this file for a wave size.
pub fn programs(wave: WaveSize) -> Vec<Program> {
    vec![
        lanes(wave),
        shuffles(wave),
        local_ids(wave),
        partial_groups(wave),
        launch_data(wave),
    ]
}

/// Stores a mask's words (the high one is 0 in wave32) as one uniform value each.
fn mask_words(b: &mut Builder<'_>, wave: WaveSize, mask: Value) -> [Value; 2] {
    match wave {
        WaveSize::W32 => [mask, b.const32(0)],
        WaveSize::W64 => [b.lo(mask), b.hi(mask)],
    }
}

/// Ballots, lane bits and lane reads.
fn lanes(wave: WaveSize) -> Program {
    let w = wave.lanes() as usize;
    let threads = 2 * w;
    let data = noise(4, threads);
    let (select, key) = (13u32, 0x9abc_def0u32);
    let mut expected = Vec::new();
    for waves in data.chunks(w) {
        let odd: u64 = waves
            .iter()
            .enumerate()
            .map(|(i, x)| u64::from(x & 1) << i)
            .sum();
        let low: u64 = waves
            .iter()
            .enumerate()
            .map(|(i, x)| u64::from(*x < key) << i)
            .sum();
        let both = odd & !low;
        let first = both.trailing_zeros() % w as u32;
        for (lane, x) in waves.iter().enumerate() {
            expected.extend([
                both as u32,
                (both >> 32) as u32,
                u32::from(both >> lane & 1 == 1),
                waves[first as usize],
                waves[select as usize].wrapping_add(*x),
                waves[w - 1],
                low.count_ones().wrapping_mul(*x),
                u32::from(odd ^ 0x0f0f_1234_5678_9abc & (u64::MAX >> (64 - w)) != 0),
            ]);
        }
    }
    let setup = Setup {
        launch: launch(wave, [threads as u32, 1, 1]),
        threads: [threads as u32, 1, 1],
        user: vec![select, key],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, data)],
        expected: vec![expected],
    };
    finish("lanes", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let yes = b.const_bool(true);
        let at = place(b, IN, t, 1);
        let x = b.load(at, yes, MemWidth::B32, 0, true, true);
        let bit = b.and32(x, 1);
        let odd = b.eq32(bit, 1);
        let odd = b.ballot(odd);
        let key = b.input(Input::UserData(1));
        let low = b.ult(x, key);
        let low = b.ballot(low);
        let not_low = b.not(low);
        let both = b.and(odd, not_low);
        let [both_low, both_high] = mask_words(b, wave, both);
        let mine = b.lane_bit(both);
        let mine = b.bool_int(mine);
        let first = b.find_lsb(both);
        let first = b.and32(first, wave.lanes() - 1);
        let of_first = b.read_lane(x, first);
        let select = b.input(Input::UserData(0));
        let selected = b.read_lane(x, select);
        let sum = b.add(selected, x);
        let last = b.const32(wave.lanes() - 1);
        let last = b.read_lane(x, last);
        let count = b.bit_count(low);
        let product = b.mul(count, x);
        let pattern = b.const_mask(0x0f0f_1234_5678_9abc);
        let differ = b.xor(odd, pattern);
        let none = b.const_mask(0);
        let any = b.ne(differ, none);
        let any = b.bool_int(any);
        put_all(
            b,
            t,
            &[both_low, both_high, mine, of_first, sum, last, product, any],
        );
        b.ret();
    })
}

/// Shuffles: by a run-time pattern, by fixed ones.
fn shuffles(wave: WaveSize) -> Program {
    let w = wave.lanes() as usize;
    let threads = 2 * w;
    let (data, pattern) = (noise(5, threads), noise(6, threads));
    let mut expected = Vec::new();
    for first in [0, w] {
        for lane in 0..w {
            let x = |i: usize| data[first + i % w];
            expected.extend([
                x(pattern[first + lane] as usize % w),
                x(lane ^ 1),
                x(w - 1 - lane),
                x(lane & !15 | (lane + 3) & 15).wrapping_add(x(lane ^ 16)),
            ]);
        }
    }
    let input = data.iter().chain(&pattern).copied().collect();
    let setup = Setup {
        launch: launch(wave, [threads as u32, 1, 1]),
        threads: [threads as u32, 1, 1],
        user: vec![],
        memory: vec![(OUT, vec![0; expected.len()]), (IN, input)],
        expected: vec![expected],
    };
    finish("shuffles", setup, |b| {
        let t = b.input(Input::LocalId(0));
        let lane = b.input(Input::LaneId);
        let yes = b.const_bool(true);
        let at = place(b, IN, t, 1);
        let x = b.load(at, yes, MemWidth::B32, 0, true, true);
        let other = b.add32(t, threads as u32);
        let at = place(b, IN, other, 1);
        let pattern = b.load(at, yes, MemWidth::B32, 0, true, true);
        let pattern = b.and32(pattern, w as u32 - 1);
        let first = b.shuffle(x, pattern);
        let one = b.const32(1);
        let neighbour = b.xor(lane, one);
        let second = b.shuffle(x, neighbour);
        let last = b.const32(w as u32 - 1);
        let mirrored = b.sub(last, lane);
        let third = b.shuffle(x, mirrored);
        let moved = b.add32(lane, 3);
        let moved = b.and32(moved, 15);
        let row = b.and32(lane, !15);
        let rotated = b.or(row, moved);
        let rotated = b.shuffle(x, rotated);
        let sixteen = b.const32(16);
        let crossed = b.xor(lane, sixteen);
        let crossed = b.shuffle(x, crossed);
        let fourth = b.add(rotated, crossed);
        put_all(b, t, &[first, second, third, fourth]);
        b.ret();
    })
}

/// Ids of threads in a three-dimensional workgroup, over a grid of several.
fn local_ids(wave: WaveSize) -> Program {
    let local = [5u32, 3, 4];
    let groups = [2u32, 1, 3];
    let per_group = local.iter().product::<u32>();
    let mut expected = Vec::new();
    for gz in 0..groups[2] {
        for gx in 0..groups[0] {
            for z in 0..local[2] {
                for y in 0..local[1] {
                    for x in 0..local[0] {
                        expected.extend([
                            x | y << 8 | z << 16,
                            gx | gz << 16,
                            (x + 5 * y + 15 * z) / wave.lanes(),
                        ]);
                    }
                }
            }
        }
    }
    let setup = Setup {
        launch: launch(wave, local),
        threads: [0, 1, 2].map(|i| local[i] * groups[i]),
        user: vec![],
        memory: vec![(OUT, vec![0xeeee_eeee; expected.len()])],
        expected: vec![expected],
    };
    finish("local_ids", setup, |b| {
        let [x, y, z] = [0, 1, 2].map(|i| b.input(Input::LocalId(i)));
        let live = b.input(Input::LaneLive);
        let (gx, gz) = (b.input(Input::GroupId(0)), b.input(Input::GroupId(2)));
        let five = b.const32(5);
        let fifteen = b.const32(15);
        let (row, plane) = (b.mul(y, five), b.mul(z, fifteen));
        let inside = b.add(x, row);
        let inside = b.add(inside, plane);
        let two = b.const32(2);
        let group = b.mul(gz, two);
        let group = b.add(group, gx);
        let size = b.const32(per_group);
        let first = b.mul(group, size);
        let index = b.add(first, inside);
        let (y, z) = (b.shl_by(y, 8), b.shl_by(z, 16));
        let id = b.or(x, y);
        let id = b.or(id, z);
        let gz = b.shl_by(gz, 16);
        let groups = b.or(gx, gz);
        let wave = b.input(Input::WaveInGroup);
        let three = b.const32(3);
        let index = b.mul(index, three);
        let place = place(b, OUT, index, 3);
        for (i, value) in [id, groups, wave].into_iter().enumerate() {
            b.store(place, value, live, MemWidth::B32, 4 * i as u32, true);
        }
        b.ret();
    })
}

/// A grid that does not fill its last workgroup, along two axes.
fn partial_groups(wave: WaveSize) -> Program {
    let (local, threads) = ([16u32, 5, 1], [37u32, 7, 1]);
    let mut setup = Setup {
        launch: launch(wave, local),
        threads,
        user: vec![],
        memory: vec![(OUT, vec![0; 48 * 10])],
        expected: vec![
            (0..480)
                .map(|i| u32::from(i % 48 < 37 && i / 48 < 7))
                .collect(),
        ],
    };
    setup.launch.partial_groups = true;
    finish("partial_groups", setup, |b| {
        let live = b.input(Input::LaneLive);
        let [x, y] = [0, 1].map(|axis| {
            let (id, group) = (b.input(Input::LocalId(axis)), b.input(Input::GroupId(axis)));
            let size = b.const32(local[usize::from(axis)]);
            let first = b.mul(group, size);
            b.add(first, id)
        });
        let width = b.const32(48);
        let row = b.mul(y, width);
        let index = b.add(row, x);
        let one = b.const32(1);
        put_if(b, index, one, live);
        b.ret();
    })
}

/// User SGPRs, more than the push constants hold, and initial VGPR data.
fn launch_data(wave: WaveSize) -> Program {
    let w = wave.lanes();
    let user = noise(7, 70);
    let given = noise(8, w as usize);
    let expected = (0..w)
        .flat_map(|i| [given[i as usize], user[0], user[69], user[40]])
        .collect();
    let mut setup = Setup {
        launch: launch(wave, [w, 1, 1]),
        threads: [w, 1, 1],
        user,
        memory: vec![(OUT, vec![0; 4 * w as usize])],
        expected: vec![expected],
    };
    setup.launch.vgprs = vec![
        (0, InitialVgpr::LocalId(0)),
        (7, InitialVgpr::PerLane(given)),
    ];
    finish("launch_data", setup, |b| {
        let t = b.input(Input::LaneId);
        let given = b.input(Input::LaunchVgpr(1));
        let [u0, u69, u40] = [0, 69, 40].map(|n| b.input(Input::UserData(n)));
        put_all(b, t, &[given, u0, u69, u40]);
        b.ret();
    })
}
