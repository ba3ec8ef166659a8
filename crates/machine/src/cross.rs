//! What a subgroup does together: ballots, lane reads, reductions.

use spirv::GroupOperation;

use crate::code::{Bin, Code, Src, Together};
use crate::error::{FindingKind, RunError};
use crate::exec::Invocation;
use crate::scalar;
use crate::world::World;

/// What takes part in an operation.
struct Taking {
    /// Lane numbers of those that take part, ascending.
    lanes: Vec<u32>,
    /// Their values: `n` cells each.
    values: Vec<Vec<u64>>,
    /// Their second operands.
    second: Vec<u64>,
}

impl Taking {
    fn of_lane(&self, lane: u32) -> Option<&Vec<u64>> {
        let at = self.lanes.iter().position(|&l| l == lane)?;
        self.values.get(at)
    }
}

/// Executes the operation at which `who` (indexes into the subgroup, ascending lanes) all stand.
pub(crate) fn together(
    world: &mut World<'_>,
    subgroup: &mut [Invocation],
    who: &[usize],
) -> Result<(), RunError> {
    let invalid = RunError::Invalid("a subgroup operation without a subgroup");
    let first = who.first().and_then(|&i| subgroup.get(i));
    let first = first.ok_or(invalid.clone())?;
    let (line, _) = first.at(world.module)?;
    let Code::Together {
        op,
        dst,
        a,
        b,
        n,
        bits,
    } = line.code
    else {
        return Err(invalid);
    };
    // Ballots and their users take vectors of four words.
    let width = match op {
        Together::InverseBallot
        | Together::BitExtract
        | Together::BitCount(_)
        | Together::FindLsb
        | Together::FindMsb => 4,
        Together::All | Together::Any | Together::Ballot => 1,
        _ => n,
    };
    let mut taking = Taking {
        lanes: Vec::new(),
        values: Vec::new(),
        second: Vec::new(),
    };
    for &i in who {
        let Some(invocation) = subgroup.get(i) else {
            continue;
        };
        let (_, base) = invocation.at(world.module)?;
        let cells = (0..width).map(|c| invocation.operand(world, base, a.plus(c)));
        taking.values.push(cells.collect());
        taking.lanes.push(invocation.lane);
        let second = if b == Src::NONE {
            0
        } else {
            invocation.operand(world, base, b)
        };
        taking.second.push(second);
    }
    let same = matches!(op, Together::Broadcast | Together::QuadBroadcast);
    if same && taking.second.windows(2).any(|w| w[0] != w[1]) {
        let text = "invocations name different ids".to_owned();
        world.find(FindingKind::Lane, line, first.number, text)?;
    }
    let mut answers = Vec::new();
    let mut missing = None;
    for (index, &lane) in taking.lanes.iter().enumerate() {
        let second = taking.second.get(index).copied().unwrap_or_default();
        let answer = answer(op, &taking, index, lane, second, bits);
        if answer.is_none() {
            missing = Some(lane);
        }
        answers.push(answer.unwrap_or_else(|| vec![0; n as usize]));
    }
    if let Some(lane) = missing {
        let text = format!("{op:?} in lane {lane}");
        world.find(FindingKind::Lane, line, lane, text)?;
    }
    for (&i, values) in who.iter().zip(answers) {
        if let Some(invocation) = subgroup.get_mut(i) {
            invocation.answer(dst, &values);
        }
    }
    Ok(())
}

/// What one lane gets; `None` where it reads a lane that does not take part.
fn answer(
    op: Together,
    taking: &Taking,
    index: usize,
    lane: u32,
    second: u64,
    bits: u8,
) -> Option<Vec<u64>> {
    let own = taking.values.get(index)?;
    let word = |i: u32| own.get(i as usize).copied().unwrap_or_default();
    let bit = |lane: u32| word(lane / 32) >> (lane % 32) & 1;
    let mut conds = taking.values.iter().map(|v| v.first() != Some(&0));
    let first = u64::from(u32::try_from(second).ok()?);
    let other = |lane: u64| taking.of_lane(u32::try_from(lane).ok()?).cloned();
    Some(match op {
        Together::Elect => vec![u64::from(index == 0)],
        Together::All => vec![u64::from(conds.all(|c| c))],
        Together::Any => vec![u64::from(conds.any(|c| c))],
        Together::AllEqual => {
            vec![u64::from(taking.values.windows(2).all(|w| w[0] == w[1]))]
        }
        Together::Broadcast | Together::Shuffle => other(first)?,
        Together::BroadcastFirst => taking.values.first()?.clone(),
        Together::Ballot => {
            let mut words = [0u64; 4];
            for (&lane, value) in taking.lanes.iter().zip(&taking.values) {
                if value.first() != Some(&0)
                    && let Some(word) = words.get_mut((lane / 32) as usize)
                {
                    *word |= 1 << (lane % 32);
                }
            }
            words.to_vec()
        }
        Together::InverseBallot => vec![bit(lane)],
        Together::BitExtract => vec![bit(first as u32 & 127)],
        Together::BitCount(group) => {
            let upto = match group {
                GroupOperation::InclusiveScan => lane + 1,
                GroupOperation::ExclusiveScan => lane,
                _ => 128,
            };
            vec![(0..upto.min(128)).map(bit).sum()]
        }
        Together::FindLsb => vec![u64::from((0..128).find(|&l| bit(l) != 0)?)],
        Together::FindMsb => vec![u64::from((0..128).rev().find(|&l| bit(l) != 0)?)],
        Together::ShuffleXor => other(u64::from(lane) ^ first)?,
        Together::ShuffleUp => other(u64::from(lane).checked_sub(first)?)?,
        Together::ShuffleDown => other(u64::from(lane) + first)?,
        Together::QuadBroadcast => other(u64::from(lane & !3) + first)?,
        Together::QuadSwap => other(u64::from(lane) ^ (first + 1))?,
        Together::Reduce(op, group, cluster) => {
            let from = |l: u32| match group {
                GroupOperation::InclusiveScan => l <= lane,
                GroupOperation::ExclusiveScan => l < lane,
                GroupOperation::ClusteredReduce => l / cluster.max(1) == lane / cluster.max(1),
                _ => true,
            };
            let cells = own.len();
            let mut sum = vec![identity(op, bits); cells];
            let mut alone = true;
            for (&l, values) in taking.lanes.iter().zip(&taking.values) {
                if from(l) {
                    alone = false;
                    for (total, &value) in sum.iter_mut().zip(values) {
                        *total = scalar::bin(op, *total, value, bits)?;
                    }
                }
            }
            // SPIR-V's identity of a float sum is +0.
            if alone && matches!(op, Bin::FAdd) {
                sum.fill(0);
            }
            sum
        }
    })
}

/// What changes nothing.
fn identity(op: Bin, bits: u8) -> u64 {
    let ones = if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    match op {
        Bin::IMul => 1,
        Bin::FMul => scalar::round(1.0, bits),
        // -0, so that a sum of -0 alone stays it.
        Bin::FAdd => scalar::round(-0.0, bits),
        Bin::And | Bin::UMin => ones,
        Bin::SMin => ones >> 1,
        Bin::SMax => ones ^ (ones >> 1),
        Bin::FMin => scalar::round(f64::INFINITY, bits),
        Bin::FMax => scalar::round(f64::NEG_INFINITY, bits),
        _ => 0,
    }
}
