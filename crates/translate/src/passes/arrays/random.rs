//! Random programs on arrays in registers: what they tell stays, whatever the pass makes of them. Knows how a tree is
//! written, not how it is found.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use super::tests::{below, word};
use super::*;
use crate::ir::told::told;
use crate::ir::{Builder, Input, Kind, Target, Terminator, Ty, verify};
use crate::passes::dce;
use spirdna_isa::WaveSize;

const LANE: Ty = Ty::lane(Kind::I32);
const WORD: Ty = Ty::uniform(Kind::I32);

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    fn one_in(&mut self, end: usize) -> bool {
        self.below(end) == 0
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// What comes out of a tree.
enum Part {
    Load,
    Store(usize),
    /// 0 before that place, 1 from it on.
    Number(usize),
}

struct Maker<'f> {
    b: Builder<'f>,
    random: Random,
    seed: Value,
    x: Value,
    first: i32,
    count: usize,
    /// Arrays of elements as they are now.
    arrays: Vec<Vec<Value>>,
    /// Other words of lanes.
    words: Vec<Value>,
    counter: Value,
    index: Value,
    /// Of an index: a bound, and what is 0 below it and 1 from it on.
    levels: Vec<(Value, i32, Value)>,
    end: Block,
    /// How much is made yet.
    left: usize,
}

impl Maker<'_> {
    fn new_index(&mut self) -> Value {
        if self.random.one_in(3) {
            return self.index;
        }
        let b = &mut self.b;
        let factor = b.const32(self.random.below(7) as u32);
        let plus = b.const32(self.random.below(16) as u32);
        let at = b.mul(self.counter, factor);
        let at = b.add(at, self.seed);
        let at = b.add(at, plus);
        let mask = b.const32([7, 15, 31][self.random.below(3)]);
        let at = b.and(at, mask);
        let minus = b.const32((self.first - 2) as u32);
        self.index = b.add(at, minus);
        self.index
    }

    fn word(&mut self) -> Value {
        match self.random.below(4) {
            0 => self.x,
            1 => {
                let array = self.random.below(self.arrays.len());
                let array = self.arrays[array].clone();
                self.random.of(&array)
            }
            2 => {
                let n = self.b.const32(self.random.below(3) as u32);
                if self.random.one_in(2) {
                    n
                } else {
                    self.b.xor(self.x, n)
                }
            }
            _ => {
                let words = self.words.clone();
                self.random.of(&words)
            }
        }
    }

    /// A tree over values by place: each leaf gives so many.
    fn tree(&mut self, index: Value, first: i32, leaves: &[Vec<Value>]) -> Vec<Value> {
        if let [only] = leaves {
            return only.clone();
        }
        if leaves.len() <= 2 + self.random.below(2) && !self.random.one_in(4) {
            let mut all = leaves[0].clone();
            for (k, leaf) in leaves.iter().enumerate().skip(1) {
                let turned = self.random.one_in(2);
                let cond = below(&mut self.b, index, first + k as i32, turned);
                for (value, &other) in all.iter_mut().zip(leaf) {
                    *value = match turned {
                        true => self.b.select(cond, other, *value),
                        false => self.b.select(cond, *value, other),
                    };
                }
            }
            return all;
        }
        let half = 1 + self.random.below(leaves.len() - 1);
        let middle = first + half as i32;
        let turned = self.random.one_in(2);
        let mut cond = below(&mut self.b, index, middle, turned);
        let levels = self.levels.iter();
        let mut levels = levels.filter(|l| l.0 == index && l.1 == middle);
        if let Some(&(_, _, number)) = levels.next() {
            let is = self.b.const32(u32::from(turned));
            cond = match self.random.below(3) {
                0 => cond,
                1 => self.b.eq(number, is),
                _ => {
                    let also = self.b.eq(number, is);
                    self.b.and(cond, also)
                }
            };
        }
        let b = &mut self.b;
        let (low, high, join) = (b.new_block(), b.new_block(), b.new_block());
        // What both have need not be handed over.
        let same: Vec<bool> = (0..leaves[0].len())
            .map(|n| leaves.iter().all(|leaf| leaf[n] == leaves[0][n]))
            .collect();
        let keep: Vec<bool> = same.iter().map(|&s| s && !self.random.one_in(4)).collect();
        let params: Vec<Value> = keep
            .iter()
            .zip(&leaves[0])
            .map(|(&keep, &value)| {
                if keep {
                    value
                } else {
                    self.b.param(join, LANE)
                }
            })
            .collect();
        let b = &mut self.b;
        let (low_way, high_way) = (Target::new(low, vec![]), Target::new(high, vec![]));
        match turned {
            true => b.branch(cond, high_way, low_way),
            false => b.branch(cond, low_way, high_way),
        }
        for (block, first, leaves) in [
            (low, first, &leaves[..half]),
            (high, middle, &leaves[half..]),
        ] {
            self.b.switch_to(block);
            if self.random.one_in(6) {
                // A way that is never gone.
                let mut ok = below(&mut self.b, index, middle, false);
                if block == high {
                    ok = self.b.not(ok);
                }
                let next = self.b.new_block();
                let end = self.end;
                self.b
                    .branch(ok, Target::new(next, vec![]), Target::new(end, vec![]));
                self.b.switch_to(next);
            }
            let values = self.tree(index, first, leaves);
            let args = keep.iter().zip(values);
            let args = args.filter(|(keep, _)| !**keep).map(|(_, v)| v).collect();
            self.b.jump(join, args);
        }
        self.b.switch_to(join);
        params
    }

    fn tell(&mut self) {
        let (low, high) = (self.word(), self.word());
        let at = self.b.pack(low, high);
        let yes = self.b.const_bool(true);
        self.b.fault(0, at, yes);
    }

    /// Loads and stores by one index, in one tree.
    fn access(&mut self) {
        let index = self.new_index();
        let count = self.count;
        let mut leaves: Vec<Vec<Value>> = vec![Vec::new(); count];
        let mut parts = Vec::new();
        for array in 0..self.arrays.len() {
            let elements = self.arrays[array].clone();
            if self.random.one_in(2) {
                parts.push(Part::Load);
                for (leaf, &element) in leaves.iter_mut().zip(&elements) {
                    leaf.push(element);
                }
            }
            if self.random.one_in(2) {
                let new = self.word();
                parts.push(Part::Store(array));
                for (k, leaf) in leaves.iter_mut().enumerate() {
                    let all = elements.iter().enumerate();
                    leaf.extend(all.map(|(n, &old)| if n == k { new } else { old }));
                }
            }
        }
        if self.random.one_in(5) {
            let place = 1 + self.random.below(count - 1);
            parts.push(Part::Number(place));
            let numbers = [0, 1].map(|n| self.b.const32(n));
            for (k, leaf) in leaves.iter_mut().enumerate() {
                leaf.push(numbers[usize::from(k >= place)]);
            }
        }
        if parts.is_empty() {
            return;
        }
        let mut out = self.tree(index, self.first, &leaves).into_iter();
        for part in parts {
            match part {
                Part::Load => self.words.extend(out.next()),
                Part::Number(place) => {
                    let middle = self.first + place as i32;
                    self.levels.extend(out.next().map(|n| (index, middle, n)));
                }
                Part::Store(array) => {
                    let new = out.by_ref().take(count).collect();
                    let old = std::mem::replace(&mut self.arrays[array], new);
                    if self.random.one_in(6) {
                        // An old one is asked later.
                        self.words.push(self.random.of(&old));
                    }
                }
            }
        }
        if self.random.one_in(2) {
            self.tell();
        }
    }

    /// Something with elements that needs no index.
    fn direct(&mut self) {
        let array = self.random.below(self.arrays.len());
        match self.random.below(16) {
            0..=12 => {
                let place = self.random.below(self.count);
                self.arrays[array][place] = self.word();
            }
            13 => {
                let (p, q) = (self.random.below(self.count), self.random.below(self.count));
                self.arrays[array].swap(p, q);
            }
            14 => {
                let other = self.random.below(self.arrays.len());
                self.arrays[array] = self.arrays[other].clone();
            }
            _ => {
                let zero = self.b.const32(0);
                self.arrays[array] = vec![zero; self.count];
            }
        }
    }

    /// Everything that lives on, as arguments, and what becomes of it as parameters of a block.
    fn live(&self) -> Vec<Value> {
        self.arrays.concat()
    }

    fn take(&mut self, values: &[Value]) {
        for (array, values) in self.arrays.iter_mut().zip(values.chunks(self.count)) {
            *array = values.to_vec();
        }
    }

    /// A branch that the index does not decide.
    fn choice(&mut self) {
        let bit = self.b.const32(1 << self.random.below(4));
        let masked = self.b.and(self.counter, bit);
        let seed = self.b.and(self.seed, bit);
        let cond = self.b.eq(masked, seed);
        let b = &mut self.b;
        let (one, join) = (b.new_block(), b.new_block());
        let other = if self.random.one_in(2) {
            self.b.new_block()
        } else {
            join
        };
        let before = self.live();
        let (index, words, levels) = (self.index, self.words.clone(), self.levels.clone());
        let direct = other == join;
        let params: Vec<Value> = before.iter().map(|_| self.b.param(join, LANE)).collect();
        let args = if direct { before.clone() } else { vec![] };
        self.b
            .branch(cond, Target::new(one, vec![]), Target::new(other, args));
        self.b.switch_to(one);
        self.body();
        let args = self.live();
        self.b.jump(join, args);
        self.take(&before);
        (self.index, self.words, self.levels) = (index, words.clone(), levels.clone());
        if !direct {
            self.b.switch_to(other);
            self.body();
            let args = self.live();
            self.b.jump(join, args);
            (self.index, self.words, self.levels) = (index, words, levels);
        }
        self.b.switch_to(join);
        self.take(&params);
    }

    fn loop_(&mut self) {
        let zero = self.b.const32(0);
        let (head, inner) = (self.b.new_block(), self.b.new_block());
        let end = self.b.new_block();
        let mut args = vec![zero];
        args.extend(self.live());
        self.b.jump(head, args);
        let counter = self.b.param(head, WORD);
        let params: Vec<Value> = self
            .live()
            .iter()
            .map(|_| self.b.param(head, LANE))
            .collect();
        self.take(&params);
        self.b.switch_to(head);
        let (index, words, outer) = (self.index, self.words.clone(), self.counter);
        let levels = self.levels.clone();
        self.counter = counter;
        let trips = self.b.const32(1 + self.random.below(4) as u32);
        let goes = self.b.ult(counter, trips);
        self.b
            .branch(goes, Target::new(inner, vec![]), Target::new(end, vec![]));
        self.b.switch_to(inner);
        self.body();
        let one = self.b.const32(1);
        let next = self.b.add(counter, one);
        let mut args = vec![next];
        args.extend(self.live());
        self.b.jump(head, args);
        self.b.switch_to(end);
        self.take(&params);
        (self.index, self.words, self.counter) = (index, words, outer);
        self.levels = levels;
    }

    fn body(&mut self) {
        for _ in 0..1 + self.random.below(4) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            match self.random.below(12) {
                0..=6 => self.access(),
                7 => self.direct(),
                8 => self.choice(),
                9 => self.loop_(),
                _ => self.tell(),
            }
        }
    }
}

fn program(seed: u64) -> Func {
    let mut random = Random(seed);
    random.below(1);
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let x = b.input(Input::LocalId(0));
    // A lane's own, if the same in all lanes here: branches go by the first one.
    let seed = match random.one_in(2) {
        true => b.input(Input::UserData(0)),
        false => b.input(Input::LocalId(1)),
    };
    let zero = b.const32(0);
    let (start, end) = (b.new_block(), b.new_block());
    b.jump(start, vec![]);
    b.switch_to(start);
    let count = 6 + random.below(4);
    let first = random.below(6) as i32 - 3;
    let arrays = (0..1 + random.below(2)).map(|_| {
        let zeros = random.one_in(2);
        (0..count)
            .map(|n| {
                let n = b.const32(n as u32 * 77 + 1);
                if zeros { zero } else { b.xor(x, n) }
            })
            .collect()
    });
    let arrays: Vec<Vec<Value>> = arrays.collect();
    let left = 4 + random.below(10);
    let more = random.below(1 << 30) as u64;
    let mut maker = Maker {
        b,
        random,
        seed,
        x,
        first,
        count,
        arrays,
        words: vec![x],
        counter: seed,
        index: seed,
        levels: Vec::new(),
        end,
        left,
    };
    maker.index = {
        maker.index = zero;
        let mask = maker.b.const32(15);
        maker.b.and(seed, mask)
    };
    maker.loop_();
    while maker.left > 0 {
        maker.body();
    }
    for _ in 0..6 {
        maker.tell();
    }
    maker.b.jump(end, vec![]);
    maker.b.switch_to(end);
    maker.b.ret();
    dce::run(&mut func);
    shorten(&mut func, &mut Random(more));
    let apart = vec![true; func.block_count()];
    func.set_apart(apart);
    func
}

/// Ways through blocks in which nothing is done lead there at once.
fn shorten(func: &mut Func, random: &mut Random) {
    for block in func.blocks().skip(1) {
        let data = func.block(block);
        let Some(Terminator::Jump(to)) = data.term.clone() else {
            continue;
        };
        let params = data.params.clone();
        let mut used = false;
        for other in func.blocks().filter(|&b| b != block) {
            let mut look = |v: Value| used |= params.contains(&v);
            for &inst in &func.block(other).insts {
                func.inst(inst).args.iter().copied().for_each(&mut look);
            }
            if let Some(term) = &func.block(other).term {
                term.for_each_value(look);
            }
        }
        if used || !data.insts.is_empty() || to.block == block || random.one_in(3) {
            continue;
        }
        for from in func.blocks() {
            let Some(term) = &mut func.block_mut(from).term else {
                continue;
            };
            for target in term.targets_mut() {
                if target.block == block {
                    let args = to.args.iter().map(|arg| {
                        let own = params.iter().position(|p| p == arg);
                        own.map_or(*arg, |at| target.args[at])
                    });
                    *target = Target::new(to.block, args.collect());
                }
            }
        }
        func.block_mut(block).term = Some(Terminator::Return);
    }
}

/// What it tells, if it ends.
fn shown(func: &Func, seed: u64) -> Option<Vec<u64>> {
    told(func, 5000, |input, lane| word(seed, input, lane)).ok()
}

/// Whether trees became accesses; what the program tells stays.
fn keeps(seed: u64) -> bool {
    let mut before = program(seed);
    dce::run(&mut before);
    verify(&before, WaveSize::W32).unwrap_or_else(|e| panic!("{seed}: {e}"));
    let mut after = before.clone();
    let mut bytes = 0;
    let found = run_on(&mut after, &mut bytes, &mut |func| {
        dce::run(func);
    });
    if found == 0 {
        return false;
    }
    dce::run(&mut after);
    let text = crate::ir::print::func_text;
    verify(&after, WaveSize::W32).unwrap_or_else(|e| panic!("{seed}: {e}\n{}", text(&after)));
    for inputs in 0..10 {
        let Some(was) = shown(&before, inputs) else {
            continue;
        };
        let is = shown(&after, inputs).unwrap();
        assert!(
            was == is,
            "{seed}, {inputs}\n{}\n{}",
            text(&before),
            text(&after)
        );
    }
    true
}

#[test]
fn random_programs_keep_what_they_tell() {
    let changed = (0..1000).filter(|&seed| keeps(seed)).count();
    assert!(changed > 200, "{changed}");
}
