//! Places behind a base that is the wave's are found from the base's window, which is looked up once; a lane
//! that leaves the window looks its own one up.
//!
//! Before: any function; the dominators are its own. After: where two places or more, or one in a loop, have
//! addresses that are a uniform base plus a 32-bit offset of each lane or a constant, they are made by way of the base's
//! window, which stands behind the base. May not touch: addresses, guards, accesses, blocks, ways. The
//! meaning of a place stays that of its address. Worth it where places are looked up (`MemoryModel::Windows`),
//! and where a branch that no lane takes costs little.

use crate::ir::dom::{Dominators, innermost_loops};
use crate::ir::{Args, Block, Const, Def, Func, Inst, Kind, Op, Pure, Ty, Value};

/// A place behind a base.
#[derive(Debug)]
struct Behind {
    inst: Inst,
    address: Value,
    base: Value,
    offset: Offset,
}

#[derive(Clone, Copy, Debug)]
enum Offset {
    Value(Value),
    Constant(u32),
}

/// A base of places.
#[derive(Debug)]
struct Base {
    value: Value,
    /// How often its window would serve.
    uses: u32,
    window: Option<Inst>,
}

/// Room for the pass.
#[derive(Debug, Default)]
pub struct Room {
    /// By value: the block that makes it.
    home: Vec<Block>,
    /// With the block that each stands in.
    found: Vec<(Block, Behind)>,
    bases: Vec<Base>,
    /// By value: its number among the bases, from 1 on.
    number: Vec<u32>,
    /// Blocks that get windows.
    blocks: Vec<Block>,
}

impl Room {
    fn base(&self, value: Value) -> Option<usize> {
        let number = self.number.get(value.index()).copied().unwrap_or(0);
        (number as usize).checked_sub(1)
    }

    /// The window behind a value, if it is a base that gets one.
    fn window(&self, value: Value) -> Option<Inst> {
        self.bases[self.base(value)?].window
    }
}

/// Runs the pass; gives the number of places changed.
pub fn run(func: &mut Func, doms: &Dominators) -> usize {
    run_in(&mut Room::default(), func, doms)
}

/// As [`run`].
pub fn run_in(room: &mut Room, func: &mut Func, doms: &Dominators) -> usize {
    if func.is_one_lane() {
        return 0;
    }
    find(room, func, doms);
    if room.found.is_empty() {
        return 0;
    }
    count(room, func, doms);
    let mut changed = 0;
    room.blocks.clear();
    for at in 0..room.found.len() {
        let (_, Behind { base, .. }) = room.found[at];
        let Some(number) = room.base(base) else {
            continue;
        };
        if room.bases[number].uses < 2 {
            continue;
        }
        let window = *room.bases[number].window.get_or_insert_with(|| {
            room.blocks.push(room.home[base.index()]);
            let ty = Some(Ty::uniform(Kind::I64));
            func.new_inst(Op::Window, Args::from_slice(&[base]), ty)
        });
        // An instruction of a type has a result.
        let window = func.inst(window).result.unwrap_or(base);
        let (_, place) = &room.found[at];
        let offset = match place.offset {
            Offset::Value(value) => value,
            Offset::Constant(x) => func.head_value(Op::Const32(x), Ty::uniform(Kind::I32)),
        };
        let args = [place.address, window, base, offset];
        func.inst_mut(place.inst).args = Args::from_slice(&args);
        changed += 1;
    }
    room.blocks.sort_unstable();
    room.blocks.dedup();
    for &block in &room.blocks {
        put(room, func, block);
    }
    changed
}

/// Finds the places, and where values are made.
fn find(room: &mut Room, func: &Func, doms: &Dominators) {
    room.found.clear();
    room.home.clear();
    room.home.resize(func.value_count(), func.entry());
    for &block in doms.order() {
        let data = func.block(block);
        for param in &data.params {
            room.home[param.index()] = block;
        }
        let head = func.head_of(block);
        for &inst in &data.insts[head..] {
            if let Some(result) = func.inst(inst).result {
                room.home[result.index()] = block;
            }
            if let Some(behind) = behind(func, inst) {
                room.found.push((block, behind));
            }
        }
    }
}

/// Counts how often each base's window would serve.
fn count(room: &mut Room, func: &Func, doms: &Dominators) {
    let headers = innermost_loops(func, doms);
    let header = |block: Block| headers.as_ref().and_then(|all| all[block.index()]);
    room.bases.clear();
    room.number.clear();
    room.number.resize(func.value_count(), 0);
    for &(block, Behind { base, .. }) in &room.found {
        let number = &mut room.number[base.index()];
        if *number == 0 {
            room.bases.push(Base {
                value: base,
                uses: 0,
                window: None,
            });
            *number = room.bases.len() as u32;
        }
        let home = room.home[base.index()];
        let loops = header(block).is_some() && header(block) != header(home);
        room.bases[*number as usize - 1].uses += 1 + u32::from(loops);
    }
}

/// Puts windows behind the bases that a block makes, and at its head where they are its parameters.
fn put(room: &Room, func: &mut Func, block: Block) {
    let old = std::mem::take(&mut func.block_mut(block).insts);
    let head = func.head_of(block);
    let mut new = Vec::with_capacity(old.len() + room.bases.len().min(old.len()));
    let of_params = || {
        let of_param =
            |base: &&Base| matches!(func.def(base.value), Def::Param(at, _) if at == block);
        room.bases
            .iter()
            .filter(of_param)
            .filter_map(|base| base.window)
    };
    for (i, inst) in old.iter().copied().enumerate() {
        if i == head {
            new.extend(of_params());
        }
        new.push(inst);
        new.extend(func.inst(inst).result.and_then(|value| room.window(value)));
    }
    if old.len() <= head {
        new.extend(of_params());
    }
    func.block_mut(block).insts = new;
}

/// A place of one address, which is a uniform base, or one and an offset.
#[inline]
fn behind(func: &Func, inst: Inst) -> Option<Behind> {
    let data = func.inst(inst);
    if !matches!(data.op, Op::Ptr { .. }) {
        return None;
    }
    let &[address] = data.args.as_slice() else {
        return None;
    };
    if func.as_const(address).is_some() {
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
