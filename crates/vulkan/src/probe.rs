//! The first dispatches on a device: they must change memory, and they measure the subgroup size.
//! Judges plain words; the dispatches themselves are ordinary jobs.

use crate::error::ProbeFault;

/// Invocations in a workgroup of the probe shaders: the number that every device takes, and a
/// multiple of every subgroup size.
pub(crate) const LOCAL: u32 = 128;

/// Workgroups that are dispatched.
pub(crate) const GROUPS: u32 = 3;

/// Words that the subgroup probe keeps for an invocation.
const WORDS: usize = 8;

/// Words of `shaders/probe_memory.comp`.
pub(crate) fn memory_shader() -> Vec<u32> {
    words(include_bytes!("../shaders/probe_memory.spv"))
}

/// Words of `shaders/probe_subgroup.comp`.
pub(crate) fn subgroup_shader() -> Vec<u32> {
    words(include_bytes!("../shaders/probe_subgroup.spv"))
}

/// What memory holds before the memory probe.
pub(crate) fn memory_before() -> Vec<u8> {
    bytes((0..GROUPS * LOCAL).map(pattern))
}

/// What memory holds before the subgroup probe.
pub(crate) fn subgroup_before() -> Vec<u8> {
    bytes((0..GROUPS * LOCAL).flat_map(|i| [pattern(i); WORDS]))
}

/// A word that is neither 0 nor -1 nor another invocation's.
fn pattern(invocation: u32) -> u32 {
    invocation.wrapping_mul(0x9e37_79b9) ^ 0xdead_beef
}

/// What both shaders make of the word at an invocation's place.
fn changed(invocation: u32) -> u32 {
    pattern(invocation).wrapping_mul(3).wrapping_add(invocation)
}

/// Judges memory after the memory probe.
pub(crate) fn judge_memory(after: &[u8]) -> Result<(), ProbeFault> {
    let mut found = words(after).into_iter();
    for invocation in 0..GROUPS * LOCAL {
        expect(invocation, changed(invocation), found.next())?;
    }
    Ok(())
}

/// Judges memory after the subgroup probe and gives the subgroup size.
pub(crate) fn judge_subgroup(after: &[u8]) -> Result<u32, ProbeFault> {
    let all = words(after);
    let mut size = None;
    // Which invocation holds a lane of a subgroup, for one workgroup.
    let mut holder = vec![None; LOCAL as usize];
    let mut lowest = Vec::new();
    for (invocation, seen) in (0..).zip(all.chunks_exact(WORDS)) {
        let &[
            reported,
            counted,
            subgroup,
            lane,
            first,
            check,
            subgroups,
            local,
        ] = seen
        else {
            continue;
        };
        expect(invocation, changed(invocation), Some(check))?;
        expect(invocation, invocation % LOCAL, Some(local))?;
        if local == 0 {
            holder.fill(None);
        }
        let fault = ProbeFault::SubgroupSize { reported, counted };
        let agreed = *size.get_or_insert(reported);
        if reported != agreed || counted != reported || !reported.is_power_of_two() {
            return Err(fault);
        }
        if u64::from(reported) * u64::from(subgroups) != u64::from(LOCAL) {
            return Err(fault);
        }
        let place = if lane < reported && subgroup < subgroups {
            holder.get_mut((subgroup * reported + lane) as usize)
        } else {
            None
        };
        match place {
            Some(place @ None) => *place = Some(local),
            _ => {
                return Err(ProbeFault::Lanes {
                    invocation,
                    subgroup,
                    lane,
                });
            }
        }
        lowest.push((invocation, subgroup * reported, first));
        if local == LOCAL - 1 {
            for (invocation, place, from) in lowest.drain(..) {
                if holder.get(place as usize) != Some(&Some(from)) {
                    return Err(ProbeFault::Broadcast { invocation, from });
                }
            }
        }
    }
    // Fewer words than the dispatch writes would be seen here at the latest.
    match size {
        Some(size) if all.len() == (GROUPS * LOCAL) as usize * WORDS => Ok(size),
        _ => Err(ProbeFault::SubgroupSize {
            reported: 0,
            counted: 0,
        }),
    }
}

fn expect(invocation: u32, expected: u32, found: Option<u32>) -> Result<(), ProbeFault> {
    match found {
        Some(found) if found == expected => Ok(()),
        found => Err(ProbeFault::Memory {
            invocation,
            expected,
            found: found.unwrap_or_default(),
        }),
    }
}

fn bytes(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    /// What a right device with subgroups of `size` leaves behind.
    fn right(size: u32) -> Vec<u32> {
        (0..GROUPS * LOCAL)
            .flat_map(|i| {
                let local = i % LOCAL;
                let subgroup = local / size;
                [
                    size,
                    size,
                    subgroup,
                    local % size,
                    subgroup * size,
                    changed(i),
                    LOCAL / size,
                    local,
                ]
            })
            .collect()
    }

    fn judge(words: Vec<u32>) -> Result<u32, ProbeFault> {
        judge_subgroup(&bytes(words.into_iter()))
    }

    #[test]
    fn every_size_is_measured() {
        for size in [1, 4, 8, 16, 32, 64, 128] {
            assert_eq!(judge(right(size)), Ok(size));
        }
    }

    #[test]
    fn a_device_that_does_nothing_is_seen() {
        assert!(matches!(
            judge_memory(&memory_before()),
            Err(ProbeFault::Memory { invocation: 0, .. })
        ));
        assert!(matches!(
            judge_subgroup(&subgroup_before()),
            Err(ProbeFault::Memory { invocation: 0, .. })
        ));
        assert!(judge_subgroup(&[]).is_err());
    }

    #[test]
    fn one_wrong_word_is_seen() {
        let at = |invocation: usize, word: usize| invocation * WORDS + word;
        for (word, is_right) in [
            (0, "reported"),
            (1, "counted"),
            (2, "subgroup"),
            (3, "lane"),
            (4, "first"),
            (5, "check"),
            (6, "subgroups"),
            (7, "local"),
        ] {
            let mut words = right(16);
            *words.get_mut(at(200, word)).unwrap() ^= 1;
            assert!(judge(words).is_err(), "{is_right}");
        }
    }

    #[test]
    fn a_ballot_that_counts_less_than_is_reported_is_a_lie() {
        let mut words = right(32);
        for counted in words.iter_mut().skip(1).step_by(WORDS) {
            *counted = 16;
        }
        assert_eq!(
            judge(words),
            Err(ProbeFault::SubgroupSize {
                reported: 32,
                counted: 16
            })
        );
    }
}
