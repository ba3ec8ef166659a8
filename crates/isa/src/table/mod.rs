//! The table: one row a meaning, declared once, in a file a family. Everything that the crate knows
//! of an opcode is derived from here; number arrays that the decoder reads are built at compile time
//! and refuse a number that two rows claim.
//!
//! A row reads `NAME [Encoding number targets, …] (operands) meaning, flags;`. Operands stand in the
//! order of the text, destinations first; a source that is also the destination (the addend of
//! V_FMAC, SDST of S_ADDK) is listed again as a `tied_…` source in the place that the meaning gives
//! it. The family files hold nothing but rows; `short` explains the names in them.

mod short;

mod buffer;
mod ds;
mod export;
mod flat;
mod mimg;
mod smem;
mod sop;
mod vop1;
mod vop2;
mod vop3;
mod vop3p;
mod vopc;

use std::fmt;

use buffer::buffer_rows;
use ds::ds_rows;
use export::export_rows;
use flat::flat_rows;
use mimg::mimg_rows;
use smem::smem_rows;
use sop::sop_rows;
use vop1::vop1_rows;
use vop2::vop2_rows;
use vop3::vop3_rows;
use vop3p::vop3p_rows;
use vopc::vopc_rows;

use short::*;

use crate::encoding::Encoding;
use crate::operand::Ty::*;
use crate::row::{Access, Form, OperandSpec, Row, RowFlags};
use crate::sem::*;
use crate::target::Target;

macro_rules! table {
    ([] {$(
        $name:ident [$($enc:ident $num:literal $targets:ident),*] ($($operand:expr),*)
        $sem:expr, $flags:expr;
    )*}) => {
        /// A row of the table, named as the manual names it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[allow(missing_docs, non_camel_case_types)]
        pub enum Opcode { $($name),* }

        impl Opcode {
            /// Every opcode, in table order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name),*];
        }

        static ROWS: [Row; Opcode::ALL.len()] = [$(Row {
            opcode: Opcode::$name,
            name: stringify!($name),
            forms: &[$(Form { encoding: Encoding::$enc, number: $num, targets: $targets }),*],
            operands: &[$($operand),*],
            sem: $sem,
            flags: RowFlags::from_bits_retain($flags),
        }),*];
    };
}

sop_rows! { [smem_rows vop1_rows vop2_rows vopc_rows vop3_rows vop3p_rows ds_rows flat_rows buffer_rows
mimg_rows export_rows table] {} }

impl Opcode {
    /// The row.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The manual's spelling, `V_ADD_F32`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Its operands by role.
    #[inline]
    pub(crate) const fn roles(self) -> &'static Roles {
        &ROLES[self as usize]
    }
}

/// The destinations and the sources of a row by number.
#[derive(Clone, Copy)]
pub(crate) struct Roles {
    pub dsts: [Option<OperandSpec>; 4],
    pub dst_count: u8,
    pub srcs: [Option<OperandSpec>; 8],
    /// The instruction's bits say which of the destinations it has.
    pub varies: bool,
}

static ROLES: [Roles; Opcode::ALL.len()] = {
    let mut all = [Roles {
        dsts: [None; 4],
        dst_count: 0,
        srcs: [None; 8],
        varies: false,
    }; Opcode::ALL.len()];
    let mut r = 0;
    while r < ROWS.len() {
        let (mut dsts, mut srcs) = (0, 0);
        all[r].varies = ROWS[r].flags.contains(RowFlags::LDS_LOAD);
        let mut i = 0;
        while i < ROWS[r].operands.len() {
            let spec = ROWS[r].operands[i];
            match spec.access {
                Access::Src => {
                    all[r].srcs[srcs] = Some(spec);
                    srcs += 1;
                }
                Access::Dst => {
                    all[r].dsts[dsts] = Some(spec);
                    dsts += 1;
                    all[r].dst_count = dsts as u8;
                }
                Access::DstIfGlc => all[r].varies = true,
            }
            i += 1;
        }
        r += 1;
    }
    all
};

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Slots of all encodings, one after the other.
const SLOTS: usize = {
    let mut n = 0;
    let mut i = 0;
    while i < Encoding::ALL.len() {
        n += Encoding::ALL[i].slots() as usize;
        i += 1;
    }
    n
};

/// Where each encoding's slots begin.
const FIRST_SLOT: [u16; Encoding::ALL.len()] = {
    let mut first = [0; Encoding::ALL.len()];
    let mut i = 1;
    while i < first.len() {
        first[i] = first[i - 1] + Encoding::ALL[i - 1].slots();
        i += 1;
    }
    first
};

/// An unclaimed slot.
const FREE: u16 = u16::MAX;

/// Opcode of each slot for each target. Building it fails to compile where two rows claim a number, or
/// a row claims one past the encoding's room.
static SLOT_OF: [[u16; SLOTS]; Target::ALL.len()] = {
    let mut slots = [[FREE; SLOTS]; Target::ALL.len()];
    let mut r = 0;
    while r < ROWS.len() {
        let mut f = 0;
        while f < ROWS[r].forms.len() {
            let form = ROWS[r].forms[f];
            assert!(
                form.number < form.encoding.slots(),
                "opcode number out of range"
            );
            let slot = (FIRST_SLOT[form.encoding as usize] + form.number) as usize;
            let mut t = 0;
            while t < Target::ALL.len() {
                if form.targets.contains(Target::ALL[t].set()) {
                    assert!(slots[t][slot] == FREE, "two rows claim one opcode number");
                    slots[t][slot] = ROWS[r].opcode as u16;
                }
                t += 1;
            }
            f += 1;
        }
        r += 1;
    }
    slots
};

/// The opcode of a number in an encoding on a target.
pub fn opcode_at(target: Target, encoding: Encoding, number: u16) -> Option<Opcode> {
    if number >= encoding.slots() {
        return None;
    }
    let slot = FIRST_SLOT[encoding as usize] + number;
    let op = SLOT_OF[target as usize][usize::from(slot)];
    Opcode::ALL.get(usize::from(op)).copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_two_rows_share_a_number() {
        // The compile-time check does not name the rows; this one does.
        let mut claimed = HashMap::new();
        for &op in Opcode::ALL {
            for form in op.row().forms {
                for t in Target::ALL {
                    if form.targets.contains(t.set())
                        && let Some(other) = claimed.insert((t, form.encoding, form.number), op)
                    {
                        panic!(
                            "{other:?} and {op:?} are both {:?} {:#x}",
                            form.encoding, form.number
                        );
                    }
                }
            }
        }
        assert!(claimed.len() > 4000);
    }
}
