//! Cross-lane sources of VALU instructions: which lane each lane reads, and what happens where that lane
//! does not exist or is switched off.
//!
//! DPP16: a source outside the row, or switched off without `fetch_inactive`, gives 0 with
//! `bound_ctrl` and leaves the result unwritten without it. DPP8: a source that is switched off gives 0.

use spirdna_isa::Dpp;

use super::super::Lift;
use crate::ir::{Input, Value};

/// Which lane each lane reads.
#[derive(Clone, Copy)]
enum Source {
    /// Of each lane's choice (per-lane I32, inside the wave).
    Lane(Value),
    /// Of the pixel's quad: two bits for each lane.
    Quad(u8),
}

/// Where a DPP instruction reads.
#[derive(Clone, Copy)]
pub(super) struct DppLanes {
    /// Source lane.
    source: Source,
    /// Lanes whose source reads as 0.
    zero: Value,
    /// Lanes that the instruction may write, beyond EXEC.
    pub(super) written: Value,
}

impl Lift<'_> {
    /// What a DPP control means for this wave.
    pub(super) fn dpp_lanes(&mut self, dpp: Dpp) -> DppLanes {
        if self.one_lane() {
            return self.quad_lanes(dpp);
        }
        let lane = self.b.input(Input::LaneId);
        match dpp {
            Dpp::Dpp8 {
                lanes,
                fetch_inactive,
            } => {
                let table = lanes
                    .iter()
                    .rev()
                    .fold(0u32, |t, &l| t << 3 | u32::from(l & 7));
                let at = self.b.and32(lane, 7);
                let three = self.b.const32(3);
                let at = self.b.mul(at, three);
                let table = self.b.const32(table);
                let pick = self.b.shr_u(table, at);
                let pick = self.b.and32(pick, 7);
                let base = self.b.and32(lane, !7);
                let source = self.b.or(base, pick);
                let off = if fetch_inactive {
                    self.b.const_bool(false)
                } else {
                    self.switched_off(source)
                };
                let written = self.b.const_bool(true);
                DppLanes {
                    source: Source::Lane(source),
                    zero: off,
                    written,
                }
            }
            Dpp::Dpp16 {
                ctrl,
                row_mask,
                bank_mask,
                bound_ctrl,
                fetch_inactive,
            } => {
                let (source, inside) = self.dpp16_source(lane, ctrl);
                let off = if fetch_inactive {
                    self.b.const_bool(false)
                } else {
                    self.switched_off(source)
                };
                let outside = self.b.not(inside);
                let missing = self.b.or(outside, off);
                let mut written = self.dpp16_masks(lane, row_mask, bank_mask);
                let mut zero = missing;
                if !bound_ctrl {
                    let present = self.b.not(missing);
                    written = self.b.and(written, present);
                    zero = self.b.const_bool(false);
                }
                DppLanes {
                    source: Source::Lane(source),
                    zero,
                    written,
                }
            }
        }
    }

    /// The same where a lane knows its quad alone. What is no permutation of the quad has been refused.
    fn quad_lanes(&mut self, dpp: Dpp) -> DppLanes {
        let (perm, bound_ctrl, fetch_inactive) = match dpp {
            Dpp::Dpp16 {
                ctrl,
                bound_ctrl,
                fetch_inactive,
                ..
            } => (ctrl as u8, bound_ctrl, fetch_inactive),
            Dpp::Dpp8 { fetch_inactive, .. } => (0b11_10_01_00, true, fetch_inactive),
        };
        let off = if fetch_inactive {
            self.b.const_bool(false)
        } else {
            let active = self.active();
            let bit = self.b.bool_int(active);
            let bit = self.b.quad(bit, perm, true);
            self.b.eq32(bit, 0)
        };
        let source = Source::Quad(perm);
        if bound_ctrl {
            let written = self.b.const_bool(true);
            return DppLanes {
                source,
                zero: off,
                written,
            };
        }
        DppLanes {
            source,
            zero: self.b.const_bool(false),
            written: self.b.not(off),
        }
    }

    /// What each lane reads of a register.
    pub(super) fn dpp_fetch(&mut self, dpp: &DppLanes, x: Value) -> Value {
        let x = match dpp.source {
            Source::Lane(lane) => self.b.shuffle(x, lane),
            Source::Quad(perm) => self.b.quad(x, perm, false),
        };
        let nothing = self.b.const32(0);
        self.b.select(dpp.zero, nothing, x)
    }

    /// Whether lane `source` (of each lane's choice) is switched off.
    fn switched_off(&mut self, source: Value) -> Value {
        let active = self.active();
        let bit = self.b.bool_int(active);
        let bit = self.b.shuffle(bit, source);
        self.b.eq32(bit, 0)
    }

    fn dpp16_masks(&mut self, lane: Value, row_mask: u8, bank_mask: u8) -> Value {
        let row = self.b.field_u(lane, 4, 2);
        let rows = self.b.const32(u32::from(row_mask));
        let row = self.b.shr_u(rows, row);
        let bank = self.b.field_u(lane, 2, 2);
        let banks = self.b.const32(u32::from(bank_mask));
        let bank = self.b.shr_u(banks, bank);
        let both = self.b.and(row, bank);
        let both = self.b.and32(both, 1);
        let all = row_mask & 15 == 15 && bank_mask & 15 == 15;
        if all {
            self.b.const_bool(true)
        } else {
            self.b.eq32(both, 1)
        }
    }

    /// Source lane and whether it lies inside the row.
    fn dpp16_source(&mut self, lane: Value, ctrl: u16) -> (Value, Value) {
        let yes = self.b.const_bool(true);
        let n = u32::from(ctrl & 15);
        let row = self.b.and32(lane, !15);
        let at = self.b.and32(lane, 15);
        match ctrl {
            0..=0xff => {
                let pick = self.b.and32(lane, 3);
                let pick = self.b.shl_by(pick, 1);
                let table = self.b.const32(u32::from(ctrl));
                let pick = self.b.shr_u(table, pick);
                let pick = self.b.and32(pick, 3);
                let quad = self.b.and32(lane, !3);
                (self.b.or(quad, pick), yes)
            }
            // row_shl: lane i reads lane i + n.
            0x101..=0x10f => {
                let from = self.b.add32(at, n);
                let end = self.b.const32(16);
                let inside = self.b.ult(from, end);
                let from = self.b.and32(from, 15);
                (self.b.or(row, from), inside)
            }
            // row_shr and row_ror: lane i reads lane i - n.
            0x111..=0x11f | 0x121..=0x12f => {
                let from = self.b.add32(at, 16 - n);
                let inside = if ctrl < 0x120 {
                    let n = self.b.const32(n);
                    self.b.ule(n, at)
                } else {
                    yes
                };
                let from = self.b.and32(from, 15);
                (self.b.or(row, from), inside)
            }
            // row_mirror, row_half_mirror.
            0x140 | 0x141 => {
                let flip = self.b.const32(if ctrl == 0x140 { 15 } else { 7 });
                (self.b.xor(lane, flip), yes)
            }
            // row_share.
            0x150..=0x15f => {
                let n = self.b.const32(n);
                (self.b.or(row, n), yes)
            }
            // row_xmask.
            0x160..=0x16f => {
                let n = self.b.const32(n);
                (self.b.xor(lane, n), yes)
            }
            // Controls that the ISA does not define do not decode.
            _ => (lane, yes),
        }
    }
}
