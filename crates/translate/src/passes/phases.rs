//! Cuts a program at its barriers, so that the waves of a workgroup meet however differently they run.
//!
//! Before: any function. After: no block ends in a barrier; the program is one loop in which all waves
//! meet once a trip (`AnyWave`, in flow that is uniform for the workgroup), and in which each wave goes
//! on from where it stopped, to its next barrier or its end; the loop is left when no wave is left.
//! A wave that has ended keeps meeting the others, so it does not count at their barriers, as on
//! hardware. May not touch: instructions other than their arguments.
//!
//! What a wave computed before a barrier and needs after it is handed through parameters of the block
//! where the waves meet. So a value may have several makers, and blocks where ways meet get parameters
//! for it; `simplify_params` removes those that are not needed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::dom::Dominators;
use crate::ir::{Args, Block, Builder, Func, Kind, Op, Shape, Target, Terminator, Ty, Value};

/// Runs the pass; whether there was a barrier.
pub fn run(f: &mut Func) -> bool {
    let barriers = |f: &Func| -> Vec<Block> {
        f.blocks()
            .filter(|&b| matches!(f.block(b).term, Some(Terminator::Barrier(_))))
            .collect()
    };
    if barriers(f).is_empty() {
        return false;
    }
    // The entry keeps its instructions, which dominate everything; what it went on to begins the
    // first trip.
    let entry = f.entry();
    let start = f.new_block();
    f.block_mut(start).term = f.block_mut(entry).term.take();
    let sites = barriers(f);
    let mut resume = vec![start];
    for &site in &sites {
        let block = f.new_block();
        if let Some(Terminator::Barrier(target)) = f.block_mut(site).term.take() {
            f.block_mut(block).term = Some(Terminator::Jump(target));
        }
        resume.push(block);
    }
    let live = live_in(f, sites.iter().copied().zip(resume.iter().copied().skip(1)));
    let mut crossing: Vec<Value> = resume
        .iter()
        .flat_map(|b| live.get(b).into_iter().flatten().copied())
        .collect();
    crossing.sort_unstable();
    crossing.dedup();

    let meet = f.new_block();
    let place = f.add_param(meet, Ty::uniform(Kind::I32));
    let carried: FxHashMap<Value, Value> = crossing
        .iter()
        .map(|&v| (v, f.add_param(meet, f.ty(v))))
        .collect();
    let ended = resume.len() as u32;
    // The first arguments: nobody reads them.
    let mut first = Vec::new();
    for &value in &crossing {
        first.push(nothing(f, f.ty(value)));
    }
    let number = |f: &mut Func, n: u32| f.head_value(Op::Const32(n), Ty::uniform(Kind::I32));

    let mut args = vec![number(f, 0)];
    args.extend(first);
    f.block_mut(entry).term = Some(Terminator::Jump(Target::new(meet, args)));
    // Arguments for what is carried are filled in at the end, where they are known.
    let mut stops = Vec::new();
    for (i, &site) in (1..).zip(&sites) {
        let args = vec![number(f, i)];
        f.block_mut(site).term = Some(Terminator::Jump(Target::new(meet, args)));
        stops.push((site, resume.get(i as usize).copied()));
    }
    for block in f.blocks() {
        if matches!(f.block(block).term, Some(Terminator::Return)) {
            let args = vec![number(f, ended)];
            f.block_mut(block).term = Some(Terminator::Jump(Target::new(meet, args)));
            stops.push((block, None));
        }
    }
    let mut b = Builder::new(f);
    let (go_on, done) = (b.new_block(), b.new_block());
    b.switch_to(meet);
    let at_end = b.eq32(place, ended);
    let left = b.not(at_end);
    let any = b.any_wave(left);
    b.branch(
        any,
        Target::new(go_on, Vec::new()),
        Target::new(done, Vec::new()),
    );
    b.switch_to(done);
    b.ret();
    // A wave that has ended meets again at once.
    let idle = b.new_block();
    b.switch_to(idle);
    b.jump(meet, vec![place]);
    stops.push((idle, None));
    let targets = resume.iter().copied().chain([idle]);
    let targets = targets
        .map(|block| Target::new(block, Vec::new()))
        .collect();
    f.block_mut(go_on).term = Some(Terminator::Switch {
        value: place,
        targets,
    });
    Repair::new(f, &live, &carried, meet).run(f, &crossing, &stops);
    true
}

/// Something of a type, made in the entry block.
fn nothing(f: &mut Func, ty: Ty) -> Value {
    let head = |f: &mut Func, op, kind| f.head_value(op, Ty::uniform(kind));
    match ty.kind {
        Kind::Bool => head(f, Op::ConstBool(false), Kind::Bool),
        Kind::I32 => head(f, Op::Const32(0), Kind::I32),
        Kind::I64 => head(f, Op::Const64(0), Kind::I64),
        Kind::Ptr => {
            let zero = head(f, Op::Const64(0), Kind::I64);
            let entry = f.entry();
            let ty = Ty {
                kind: Kind::Ptr,
                shape: Shape::Uniform,
            };
            let inst = f.append_inst(
                entry,
                Op::Ptr {
                    bytes: 4,
                    own: false,
                },
                Args::from_slice(&[zero]),
                Some(ty),
            );
            f.inst(inst).result.unwrap_or(zero)
        }
    }
}

/// Values that each block needs from before it, but for those that the entry block makes. `also`: ways
/// from barriers to what follows them, which no terminator has now.
fn live_in(f: &Func, also: impl Iterator<Item = (Block, Block)>) -> FxHashMap<Block, Vec<Value>> {
    let entry = f.entry();
    let mut made = vec![entry; f.value_count()];
    let mut preds: Vec<Vec<Block>> = vec![Vec::new(); f.block_count()];
    for block in f.blocks() {
        let data = f.block(block);
        let results = data.insts.iter().filter_map(|&i| f.inst(i).result);
        for value in data.params.iter().copied().chain(results) {
            made[value.index()] = block;
        }
        for next in f.successors(block) {
            preds[next.index()].push(block);
        }
    }
    for (from, to) in also {
        preds[to.index()].push(from);
    }
    let mut live: FxHashMap<Block, Vec<Value>> = FxHashMap::default();
    let mut seen: FxHashSet<(Block, Value)> = FxHashSet::default();
    let mut work: Vec<(Block, Value)> = Vec::new();
    for block in f.blocks() {
        let data = f.block(block);
        for &inst in &data.insts {
            work.extend(f.inst(inst).args.iter().map(|&v| (block, v)));
        }
        if let Some(term) = &data.term {
            term.for_each_value(|v| work.push((block, v)));
        }
    }
    while let Some((block, value)) = work.pop() {
        let home = made[value.index()];
        if home == block || home == entry || !seen.insert((block, value)) {
            continue;
        }
        live.entry(block).or_default().push(value);
        work.extend(preds[block.index()].iter().map(|&p| (p, value)));
    }
    live
}

/// Gives every use of a carried value the maker that reaches it.
struct Repair<'a> {
    live: &'a FxHashMap<Block, Vec<Value>>,
    carried: &'a FxHashMap<Value, Value>,
    meet: Block,
    preds: Vec<Vec<Block>>,
    /// Parameters that stand for carried values where ways meet.
    joined: FxHashMap<(Block, Value), Value>,
    /// Blocks that make carried values.
    made: FxHashMap<Value, Block>,
}

impl<'a> Repair<'a> {
    fn new(
        f: &Func,
        live: &'a FxHashMap<Block, Vec<Value>>,
        carried: &'a FxHashMap<Value, Value>,
        meet: Block,
    ) -> Repair<'a> {
        let doms = Dominators::new(f);
        let mut preds: Vec<Vec<Block>> = vec![Vec::new(); f.block_count()];
        let mut made = FxHashMap::default();
        for &block in doms.order() {
            for next in f.successors(block) {
                preds[next.index()].push(block);
            }
        }
        for block in f.blocks() {
            let data = f.block(block);
            let results = data.insts.iter().filter_map(|&i| f.inst(i).result);
            for value in data.params.iter().copied().chain(results) {
                if carried.contains_key(&value) {
                    made.insert(value, block);
                }
            }
        }
        Repair {
            live,
            carried,
            meet,
            preds,
            joined: FxHashMap::default(),
            made,
        }
    }

    fn run(mut self, f: &mut Func, crossing: &[Value], stops: &[(Block, Option<Block>)]) {
        // Where ways meet, what lives there becomes a parameter.
        let mut joins = Vec::new();
        for block in f.blocks() {
            if block == self.meet || self.preds[block.index()].len() < 2 {
                continue;
            }
            let mut values: Vec<Value> = self.live.get(&block).cloned().unwrap_or_default();
            values.retain(|v| self.carried.contains_key(v));
            values.sort_unstable();
            for &value in &values {
                let param = f.add_param(block, f.ty(value));
                self.joined.insert((block, value), param);
            }
            if !values.is_empty() {
                joins.push((block, values));
            }
        }
        for block in f.blocks() {
            self.block(f, block);
        }
        for (block, values) in joins {
            for from in f.blocks() {
                let term = f.block(from).term.as_ref();
                let goes = term.is_some_and(|t| t.targets().iter().any(|t| t.block == block));
                if !goes {
                    continue;
                }
                let args: Vec<Value> = values.iter().map(|&v| self.at_end(from, v)).collect();
                if let Some(term) = &mut f.block_mut(from).term {
                    for target in term.targets_mut() {
                        if target.block == block {
                            target.args.extend_from_slice(&args);
                        }
                    }
                }
            }
        }
        for &(stop, resume) in stops {
            let live = resume.and_then(|block| self.live.get(&block));
            let args: Vec<Value> = crossing
                .iter()
                .map(|v| {
                    if live.is_some_and(|live| live.contains(v)) {
                        self.at_end(stop, *v)
                    } else {
                        self.carried.get(v).copied().unwrap_or(*v)
                    }
                })
                .collect();
            if let Some(Terminator::Jump(target)) = &mut f.block_mut(stop).term {
                target.args.extend(args);
            }
        }
    }

    /// Rewrites the uses in a block; the arguments for new parameters are not there yet.
    fn block(&self, f: &mut Func, block: Block) {
        let replace = |v: Value| {
            if !self.carried.contains_key(&v) || self.made.get(&v) == Some(&block) {
                v
            } else {
                self.at_begin(block, v)
            }
        };
        for inst in f.block(block).insts.clone() {
            for arg in &mut f.inst_mut(inst).args {
                *arg = replace(*arg);
            }
        }
        if let Some(term) = &mut f.block_mut(block).term {
            term.map_values(replace);
        }
    }

    fn at_end(&self, block: Block, value: Value) -> Value {
        if self.made.get(&value) == Some(&block) {
            value
        } else {
            self.at_begin(block, value)
        }
    }

    /// What stands for a value where a block begins: walks up to where ways meet or it is made.
    fn at_begin(&self, mut block: Block, value: Value) -> Value {
        loop {
            if let Some(&param) = self.joined.get(&(block, value)) {
                return param;
            }
            let carried = self.carried.get(&value).copied().unwrap_or(value);
            if block == self.meet {
                return carried;
            }
            match self.preds[block.index()].as_slice() {
                [pred] if self.made.get(&value) == Some(pred) => return value,
                [pred] => block = *pred,
                // No way leads here, or the value does not live here.
                _ => return carried,
            }
        }
    }
}
