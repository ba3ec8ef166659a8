//! Which lane DPP reads source 0 from. Knows no registers.
//!
//! Measured rules for a source that is disabled by EXEC or lies outside the row: DPP8 gives 0 unless
//! FI reads the disabled lane; DPP16 reads a disabled lane of the row with FI, else gives 0 with
//! bound_ctrl, else leaves the result alone; outside the row FI changes nothing.

use spirdna_isa::Dpp;

use crate::error::ExecError;
use crate::state::Wave;

/// Where a lane's source 0 comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fetch {
    /// Another lane, or the same.
    Lane(usize),
    /// Nowhere: it counts as 0.
    Zero,
    /// The lane gets no result.
    Skip,
}

/// The source of `lane`.
pub(super) fn fetch(dpp: &Dpp, lane: usize, wave: &Wave) -> Result<Fetch, ExecError> {
    match *dpp {
        Dpp::Dpp8 {
            ref lanes,
            fetch_inactive,
        } => {
            let from = lane & !7 | usize::from(lanes[lane & 7] & 7);
            Ok(if fetch_inactive || wave.active(from) {
                Fetch::Lane(from)
            } else {
                Fetch::Zero
            })
        }
        Dpp::Dpp16 {
            ctrl,
            row_mask,
            bank_mask,
            bound_ctrl,
            fetch_inactive,
        } => {
            let (row, bank) = ((lane / 16) & 3, (lane / 4) & 3);
            if row_mask >> row & 1 == 0 || bank_mask >> bank & 1 == 0 {
                return Ok(Fetch::Skip);
            }
            let from = row_lane(ctrl, lane & 15)
                .ok_or_else(|| wave.refuse(format!("reserved dpp_ctrl {ctrl:#x}")))?;
            let missing = if bound_ctrl { Fetch::Zero } else { Fetch::Skip };
            Ok(match from {
                None => missing,
                Some(from) => {
                    let from = lane & !15 | from;
                    if fetch_inactive || wave.active(from) {
                        Fetch::Lane(from)
                    } else {
                        missing
                    }
                }
            })
        }
    }
}

/// The source of lane `i` of a row of 16: `None` for a reserved control, `Some(None)` outside the row.
fn row_lane(ctrl: u16, i: usize) -> Option<Option<usize>> {
    let n = usize::from(ctrl & 15);
    Some(match ctrl {
        0x000..=0x0ff => Some(i & !3 | usize::from(ctrl >> (2 * (i & 3)) & 3)),
        0x101..=0x10f => Some(i + n).filter(|&l| l < 16),
        0x111..=0x11f => i.checked_sub(n),
        0x121..=0x12f => Some((i + 16 - n) & 15),
        0x140 => Some(15 - i),
        0x141 => Some(i & 8 | (7 - (i & 7))),
        0x150..=0x15f => Some(n),
        0x160..=0x16f => Some(i ^ n),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::row_lane;

    #[test]
    fn controls() {
        // From the manual's text: shl reads higher lanes, shr lower ones, ror wraps.
        assert_eq!(row_lane(0b00_01_10_11, 4), Some(Some(7)));
        assert_eq!(row_lane(0x101, 0), Some(Some(1)));
        assert_eq!(row_lane(0x101, 15), Some(None));
        assert_eq!(row_lane(0x111, 1), Some(Some(0)));
        assert_eq!(row_lane(0x111, 0), Some(None));
        assert_eq!(row_lane(0x121, 0), Some(Some(15)));
        assert_eq!(row_lane(0x12f, 0), Some(Some(1)));
        assert_eq!(row_lane(0x140, 3), Some(Some(12)));
        assert_eq!(row_lane(0x141, 9), Some(Some(14)));
        assert_eq!(row_lane(0x153, 9), Some(Some(3)));
        assert_eq!(row_lane(0x161, 9), Some(Some(8)));
        for reserved in [0x100, 0x110, 0x120, 0x130, 0x142, 0x143, 0x170, 0x1ff] {
            assert_eq!(row_lane(reserved, 0), None);
        }
    }
}
