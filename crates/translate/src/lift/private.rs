//! Scratch behind the V# that `Launch::scratch_vsharp` names, as the lanes' own: an access through it whose place
//! is a lane's own, whatever that memory's address is, goes to the array of the invocation. That holds for whole
//! programs only: what else they do with the V#'s address is seen by [`keeps_address`]. Knows no format.

use spirdna_isa::{Encoding, Inst, MemData, Operand, SReg};

use super::Lift;
use super::access::{scalar_at, vector_at};
use super::memory::data_bytes;
use super::scratch::MAX_OWN_BYTES;
use super::smem::check_range;
use crate::error::Reason;
use crate::ir::{Func, Input, Op, Pure, Value};
use crate::program::Program;
use spirdna_isa::launch::Launch;

/// A place in the lanes' own scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Private {
    /// Byte: I32.
    pub at: Value,
    /// Lanes that go there.
    pub guard: Value,
    /// It is a multiple of 4 where the guard holds.
    pub aligned: bool,
}

/// Whether accesses through the V# may be the lanes' own: nothing reaches scratch in another way, which would
/// be other bytes here and may be the same ones on hardware.
pub(crate) fn may_own(program: &Program, launch: &Launch) -> bool {
    let blocks = program.blocks().iter();
    launch.scratch_vsharp.is_some()
        && (1..=MAX_OWN_BYTES).contains(&launch.scratch_bytes)
        && !blocks
            .flat_map(|range| program.range(range))
            .any(|inst| matches!(inst.encoding(), Encoding::Flat | Encoding::Scratch))
}

/// Whether a program that was lifted so still needs the address in the V#, and so is to be lifted otherwise.
/// What nobody needs must be gone.
pub(crate) fn keeps_address(func: &Func, launch: &Launch) -> bool {
    let Some(first) = launch.scratch_vsharp else {
        return false;
    };
    let mut insts = func.blocks().flat_map(|block| &func.block(block).insts);
    insts.any(|&inst| match func.inst(inst).op {
        Op::Input(Input::UserData(n)) => n == first || n == first + 1,
        _ => false,
    })
}

impl Lift<'_> {
    /// The place of an access that is the lanes' own: source roles `first` (VGPR), `first + 1` (V#), `first + 2`
    /// (SOFFSET). Lanes that leave their scratch or cross a dword, as swizzled buffers have it, fault.
    pub(super) fn private_place(
        &mut self,
        inst: &Inst,
        first: usize,
        data: MemData,
    ) -> Result<Option<Private>, Reason> {
        let Some(sgpr) = self.launch.scratch_vsharp.filter(|_| self.private) else {
            return Ok(None);
        };
        let mods = inst.mem_mods();
        let (Operand::S(reg), _) = self.src(inst, first + 1)? else {
            return Err(Reason::Operand("descriptor"));
        };
        if mods.idxen || mods.lds || mods.tfe {
            return Ok(None);
        }
        let Some(has_offset) = self.private_base(sgpr, reg)? else {
            return Ok(None);
        };
        let soffset = self.src32(inst, first + 2)?;
        let lanes = self.launch.wave.lanes().trailing_zeros();
        let further = if !has_offset {
            if Some(soffset) != self.scratch_offset {
                return Ok(None);
            }
            self.b.const32(0)
        } else if self.low_zeros(soffset) >= 2 + lanes {
            // So many dwords of each lane.
            self.b.shr_by(soffset, lanes)
        } else {
            return Ok(None);
        };
        let active = self.active();
        let mut offset = self.b.const32(mods.offset as u32);
        if mods.offen {
            let reg = self.vector_src(inst, first)?;
            let vgpr = self.active_vreg(vector_at(reg, 0)?, active);
            offset = self.b.add32(vgpr, mods.offset as u32);
        }
        let (wide, further) = (self.b.zext(offset), self.b.zext(further));
        let at = self.b.add(wide, further);
        let bytes = data_bytes(data)?;
        let first_bytes = bytes.min(4);
        let mut guard = active;
        if first_bytes > 1 && self.low_zeros(at) < 2 {
            let low = self.b.lo(at);
            let byte = self.b.and32(low, 3);
            let last = self.b.const32(4 - first_bytes);
            let whole = self.b.ule(byte, last);
            let crosses = self.b.not(whole);
            let bad = self.b.and(active, crosses);
            self.fault(at, bad);
            guard = self.b.and(active, whole);
        }
        let guard = self.inside_scratch(at, bytes, guard);
        let at = self.b.lo(at);
        Ok(Some(Private {
            at,
            guard,
            aligned: first_bytes == 4,
        }))
    }

    /// Whether four registers are the V# from user SGPR `sgpr` on, and then whether the wave's offset is in
    /// its base.
    fn private_base(&mut self, sgpr: u32, reg: SReg) -> Result<Option<bool>, Reason> {
        check_range(reg, 4)?;
        let mut words = [None; 4];
        for (i, word) in (0..).zip(words.iter_mut()) {
            *word = Some(self.sreg(scalar_at(reg, i)?));
        }
        let [Some(low), Some(high), Some(records), Some(flags)] = words else {
            return Ok(None);
        };
        let is = |value: Value, n: u32| {
            let made = self.b.func().def_inst(value);
            made.is_some_and(|data| data.op == Op::Input(Input::UserData(sgpr + n)))
        };
        if !is(records, 2) || !is(flags, 3) {
            return Ok(None);
        }
        if is(low, 0) && is(high, 1) {
            return Ok(Some(false));
        }
        // S_ADD_U32 of the wave's offset, S_ADDC_U32 of 0.
        let made = |value: Value, op: Pure| {
            let data = self.b.func().def_inst(value)?;
            match data.args.as_slice() {
                &[x, y] if data.op == Op::Pure(op) => Some([x, y]),
                _ => None,
            }
        };
        let either = |[x, y]: [Value; 2], is: &dyn Fn(Value) -> bool| {
            if is(x) {
                Some(y)
            } else if is(y) {
                Some(x)
            } else {
                None
            }
        };
        let offset = made(low, Pure::Add).and_then(|sum| either(sum, &|v| is(v, 0)));
        if offset.is_none() || offset != self.scratch_offset {
            return Ok(None);
        }
        let carry = made(high, Pure::Add).and_then(|sum| either(sum, &|v| is(v, 1)));
        let carry = carry.and_then(|word| {
            let data = self.b.func().def_inst(word)?;
            match data.args.as_slice() {
                &[flag] if data.op == Op::Pure(Pure::BoolInt) => Some(flag),
                _ => None,
            }
        });
        let carried = carry.and_then(|flag| made(flag, Pure::ULt));
        Ok(carried
            .filter(|&[sum, part]| sum == low && (is(part, 0) || Some(part) == offset))
            .map(|_| true))
    }
}
