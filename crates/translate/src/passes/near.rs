//! Places behind a base that is the wave's are found from the base's window, which is looked up once; a lane
//! that leaves the window looks its own one up.
//!
//! Before: any function; the dominators are its own. After: where two places or more, or one in a loop, have
//! addresses that are a uniform base plus a 32-bit offset of each lane or a constant, they are made by way of the base's
//! window, which stands behind the base. May not touch: addresses, guards, accesses, blocks, ways. The
//! meaning of a place stays that of its address. Worth it where places are looked up (`MemoryModel::Windows`),
//! and where a branch that no lane takes costs little.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::dom::{Dominators, innermost_loops};
use crate::ir::{Args, Block, Const, Def, Func, Inst, Kind, Op, Pure, Ty, Value};

/// A place behind a base.
struct Behind {
    inst: Inst,
    address: Value,
    base: Value,
    offset: Offset,
}

enum Offset {
    Value(Value),
    Constant(u32),
}

/// Runs the pass; gives the number of places changed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    if func.is_one_lane() {
        return 0;
    }
    let mut found: Vec<(Block, Behind)> = Vec::new();
    for &block in doms.order() {
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        let insts = func.block(block).insts[head..].iter();
        found.extend(insts.filter_map(|&inst| Some((block, behind(func, inst)?))));
    }
    if found.is_empty() {
        return 0;
    }
    // Where values are made.
    let mut home = vec![func.entry(); func.value_count()];
    for &block in doms.order().iter().skip(1) {
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.inst(i).result);
        for value in data.params.iter().copied().chain(results) {
            home[value.index()] = block;
        }
    }
    let headers = innermost_loops(func, doms);
    let header = |block: Block| headers.as_ref().and_then(|all| all[block.index()]);
    // How often each base's window would serve.
    let mut uses: FxHashMap<Value, u32> = FxHashMap::default();
    for (block, Behind { base, .. }) in &found {
        let loops = header(*block).is_some() && header(*block) != header(home[base.index()]);
        *uses.entry(*base).or_default() += 1 + u32::from(loops);
    }
    let mut windows: FxHashMap<Value, Value> = FxHashMap::default();
    // Blocks that get one.
    let mut touched = vec![false; func.block_count()];
    // Windows to be put behind bases, and at the heads of blocks whose parameters are bases.
    let mut after: FxHashMap<Inst, Inst> = FxHashMap::default();
    let mut first: FxHashMap<Block, SmallVec<[Inst; 2]>> = FxHashMap::default();
    let mut changed = 0;
    for (_, place) in found {
        let base = place.base;
        if uses.get(&base).is_none_or(|&n| n < 2) {
            continue;
        }
        let window = *windows.entry(base).or_insert_with(|| {
            let ty = Some(Ty::uniform(Kind::I64));
            let made = func.new_inst(Op::Window, Args::from_slice(&[base]), ty);
            match func.def(base) {
                Def::Inst(maker) => {
                    after.insert(maker, made);
                }
                Def::Param(block, _) => first.entry(block).or_default().push(made),
            }
            touched[home[base.index()].index()] = true;
            // An instruction of a type has a result.
            func.inst(made).result.unwrap_or(base)
        });
        let offset = match place.offset {
            Offset::Value(value) => value,
            Offset::Constant(x) => func.head_value(Op::Const32(x), Ty::uniform(Kind::I32)),
        };
        let args = [place.address, window, base, offset];
        func.inst_mut(place.inst).args = Args::from_slice(&args);
        changed += 1;
    }
    if windows.is_empty() {
        return 0;
    }
    for block in func.blocks().filter(|block| touched[block.index()]) {
        let old = std::mem::take(&mut func.block_mut(block).insts);
        let head = if block == func.entry() {
            func.head_len()
        } else {
            0
        };
        let mut new = Vec::with_capacity(old.len() + windows.len().min(old.len()));
        for (i, inst) in old.iter().copied().enumerate() {
            if i == head {
                new.extend(first.remove(&block).into_iter().flatten());
            }
            new.push(inst);
            new.extend(after.get(&inst));
        }
        new.extend(first.remove(&block).into_iter().flatten());
        func.block_mut(block).insts = new;
    }
    changed
}

/// A place of one address, which is a uniform base, or one and an offset.
fn behind(func: &Func, inst: Inst) -> Option<Behind> {
    let data = func.inst(inst);
    let &[address] = data.args.as_slice() else {
        return None;
    };
    if !matches!(data.op, Op::Ptr { .. }) || func.as_const(address).is_some() {
        return None;
    }
    let of = |base, offset| Behind {
        inst,
        address,
        base,
        offset,
    };
    if let Some(sum) = func.def_inst(address)
        && let (Op::Pure(Pure::Add), &[x, y]) = (sum.op, sum.args.as_slice())
    {
        let parts = |base: Value, offset: Value| {
            if func.is_lane(base) || func.as_const(base).is_some() {
                return None;
            }
            if let Some(Const::I64(x)) = func.as_const(offset) {
                return u32::try_from(x).ok().map(|x| of(base, Offset::Constant(x)));
            }
            let wide = func.def_inst(offset)?;
            let narrow = *wide.args.first()?;
            (wide.op == Op::Pure(Pure::ZExt)).then(|| of(base, Offset::Value(narrow)))
        };
        if let Some(found) = parts(x, y).or_else(|| parts(y, x)) {
            return Some(found);
        }
    }
    (!func.is_lane(address)).then(|| of(address, Offset::Constant(0)))
}

#[cfg(test)]
mod tests {
    use spirdna_isa::WaveSize;

    use super::*;
    use crate::ir::{Builder, Input, MemWidth, verify};

    /// Three descriptors of a table and the buffers behind two of them: the table's window is opened once, that
    /// of a buffer with two places too, and a single place is looked up as before.
    #[test]
    fn places_share_the_window_of_their_base() {
        let mut func = Func::new(WaveSize::W32);
        let mut b = Builder::new(&mut func);
        let (lo, hi) = (b.input(Input::UserData(0)), b.input(Input::UserData(1)));
        let (lane, yes) = (b.input(Input::LaneId), b.const_bool(true));
        let table = b.pack(lo, hi);
        let mut places = Vec::new();
        let mut load = |b: &mut Builder<'_>, at| {
            let ptr = b.ptr(at, 4);
            places.push(ptr);
            b.load(ptr, yes, MemWidth::B32, 0, true, true)
        };
        let first = load(&mut b, table);
        let sixteen = b.const64(16);
        let next = b.add(table, sixteen);
        let second = load(&mut b, next);
        for (base, count) in [(first, 2), (second, 1)] {
            let base = b.pack(base, hi);
            for i in 0..count {
                let offset = b.add32(lane, 4 * i);
                let offset = b.zext(offset);
                let at = b.add(base, offset);
                let x = load(&mut b, at);
                b.lds_store(lane, x, yes, MemWidth::B32);
            }
        }
        b.ret();
        let doms = Dominators::new(&func);
        assert_eq!(run(&mut func, &doms), 4);
        assert!(verify(&func, WaveSize::W32).is_ok());
        let args: Vec<usize> = places
            .iter()
            .filter_map(|&place| Some(func.def_inst(place)?.args.len()))
            .collect();
        assert_eq!(args, [4, 4, 4, 4, 1]);
        let insts = func.blocks().flat_map(|b| func.block(b).insts.clone());
        let windows = insts.filter(|&i| func.inst(i).op == Op::Window).count();
        assert_eq!(windows, 2);
        assert_eq!(run(&mut func, &doms), 0);
    }
}
