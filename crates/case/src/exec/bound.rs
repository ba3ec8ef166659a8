//! What a translated module binds: its buffers from the case's memory and launch, and back. Knows the
//! layouts of the translator's reflection, and no place where modules run.

use spirdna_translate::reflect::{BufferUse, FAULT_SLOTS, LOCKS, LOOP_BUDGET_FAULT, Reflection};

use super::addressed::{Addressed, Patch};
use super::facts::buffer;
use super::lent::{Lent, lend};
use super::pool::Pool;
use super::{GuestFault, Outcome, RunError};
use crate::case::{Dispatch, group_count};
use crate::memory::GuestMemory;

/// Bytes of buffers that grow with the grid (LDS slices, scratch) at most.
const MAX_GROWN: u64 = 1 << 30;

/// Buffers of a module, in the order of its reflection.
pub(crate) struct Bound {
    pub(crate) data: Vec<Vec<u8>>,
    laid: Laid,
    /// Base and bytes of the bound buffers, in the order of the reflection.
    places: Vec<(u64, usize)>,
}

/// Memory as the module's model wants it.
enum Laid {
    Pool(Pool),
    Addressed(Addressed),
}

/// Whether a module has a model with addresses, and which of its buffers says where they are.
pub(super) fn addressed(reflection: &Reflection) -> Option<usize> {
    let uses = [BufferUse::Ranges, BufferUse::Pages];
    let mut buffers = reflection.buffers.iter();
    buffers.position(|b| uses.contains(&b.usage))
}

impl Bound {
    /// Fills the buffers for one dispatch over memory; `most`: bytes of a buffer at most.
    pub(crate) fn new(
        reflection: &Reflection,
        dispatch: &Dispatch,
        memory: &GuestMemory,
        most: u32,
    ) -> Result<Bound, RunError> {
        let (memory, lent) = lend(memory, reflection, dispatch)?;
        let table = addressed(reflection).and_then(|i| reflection.buffers.get(i));
        let mut laid = match table.map(|b| b.usage) {
            None => Laid::Pool(pool(&memory, reflection)?),
            Some(BufferUse::Pages) => {
                Laid::Addressed(Addressed::pages(&memory, reflection.max_windows)?)
            }
            Some(_) => Laid::Addressed(Addressed::ranges(pool(&memory, reflection)?, &memory)),
        };
        let mut data = Vec::new();
        let mut places = Vec::new();
        for binding in &reflection.buffers {
            let bytes = match binding.usage {
                BufferUse::Memory => match &mut laid {
                    Laid::Pool(pool) => std::mem::take(&mut pool.bytes),
                    Laid::Addressed(_) => Vec::new(),
                },
                BufferUse::Windows => match &laid {
                    Laid::Pool(pool) => pool.table(),
                    Laid::Addressed(_) => Vec::new(),
                },
                BufferUse::Ranges | BufferUse::Pages => match &mut laid {
                    Laid::Pool(_) => Vec::new(),
                    Laid::Addressed(laid) => std::mem::take(&mut laid.table),
                },
                BufferUse::Locks => vec![0; 4 * LOCKS as usize],
                BufferUse::Bound(place) => {
                    let Some((base, bytes)) = buffer(place, dispatch, &memory) else {
                        let text = "a bound buffer whose V# the case does not have";
                        return Err(RunError::Internal(text.to_owned()));
                    };
                    let mut content = vec![0; bytes];
                    memory
                        .read(base, &mut content)
                        .map_err(|e| RunError::Unsupported(e.to_string()))?;
                    places.push((base, bytes));
                    content
                }
                BufferUse::Faults => vec![0; 16 * (1 + FAULT_SLOTS as usize)],
                BufferUse::Launch => launch_buffer(reflection, dispatch, lent),
                BufferUse::Lds => {
                    let groups = group_count(dispatch.groups);
                    let bytes = groups.max(1).saturating_mul(binding.min_bytes);
                    if bytes > MAX_GROWN {
                        let text = format!("{bytes} bytes of {:?} on the device", binding.usage);
                        return Err(RunError::Unsupported(text));
                    }
                    vec![0; bytes as usize]
                }
            };
            let least = usize::try_from(binding.min_bytes).unwrap_or(usize::MAX);
            let mut bytes = bytes;
            if bytes.len() < least {
                if binding.min_bytes > MAX_GROWN {
                    return Err(RunError::Internal(format!(
                        "the module wants {least} bytes of {:?}",
                        binding.usage
                    )));
                }
                // Behind the windows all bits are set.
                let fill = match binding.usage {
                    BufferUse::Windows => 0xff,
                    _ => 0,
                };
                bytes.resize(least, fill);
            }
            if bytes.len() as u64 > u64::from(most) {
                return Err(RunError::Unsupported(format!(
                    "{} bytes of {:?}, and a buffer of the device has {most} at most",
                    bytes.len(),
                    binding.usage
                )));
            }
            data.push(bytes);
        }
        Ok(Bound { data, laid, places })
    }

    /// All buffers: those of the bindings in the order of the reflection, those that only addresses
    /// reach, and the addresses to write.
    pub(super) fn parts(&mut self) -> (&mut [Vec<u8>], &mut [Vec<u8>], &[Patch]) {
        let data = &mut self.data;
        match &mut self.laid {
            Laid::Pool(_) => (data, &mut [], &[]),
            Laid::Addressed(laid) => (data, &mut laid.buffers, &laid.patches),
        }
    }

    /// Takes memory and faults back.
    pub(crate) fn finish(mut self, reflection: &Reflection, outcome: &mut Outcome) {
        let mut bound = Vec::new();
        for (binding, bytes) in reflection.buffers.iter().zip(self.data) {
            match binding.usage {
                BufferUse::Bound(_) => bound.push(bytes),
                BufferUse::Memory => {
                    if let Laid::Pool(pool) = &mut self.laid {
                        pool.bytes = bytes;
                        pool.write_back(&mut outcome.memory);
                    }
                }
                BufferUse::Faults => faults(&bytes, outcome),
                _ => {}
            }
        }
        if let Laid::Addressed(laid) = &self.laid {
            laid.write_back(&mut outcome.memory);
            outcome.missed_pages.extend(laid.missed());
        }
        // What is reached through a binding alone is newer there.
        for ((base, bytes), content) in self.places.into_iter().zip(bound) {
            let content = content.get(..bytes).unwrap_or_default();
            // The region was read before.
            let _ = outcome.memory.write(base, content);
        }
    }
}

fn pool(memory: &GuestMemory, reflection: &Reflection) -> Result<Pool, RunError> {
    let pool = Pool::new(memory).map_err(|e| RunError::Unsupported(e.to_string()))?;
    if pool.windows.len() > reflection.max_windows as usize {
        let text = format!(
            "{} windows, and the module looks up {}",
            pool.windows.len(),
            reflection.max_windows
        );
        return Err(RunError::Unsupported(text));
    }
    Ok(pool)
}

/// The push constants: group base, threads in the grid, user SGPRs where they fit.
pub(super) fn push_block(reflection: &Reflection, dispatch: &Dispatch) -> Vec<u8> {
    let mut words = vec![0; 3];
    words.extend(dispatch.threads);
    let user = reflection.push.user_data as usize;
    words.extend(dispatch.user_sgprs.iter().take(user));
    let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    bytes.resize(reflection.push.bytes as usize, 0);
    bytes
}

/// The launch buffer: user SGPRs, addresses and initial VGPRs at the layout's places.
fn launch_buffer(reflection: &Reflection, dispatch: &Dispatch, lent: Lent) -> Vec<u8> {
    use spirdna_isa::launch::InitialVgpr;
    let layout = &reflection.launch_layout;
    let mut words = vec![0u32; layout.dwords as usize];
    let mut put = |at: u32, values: &[u32]| {
        let place = words.get_mut(at as usize..).unwrap_or_default();
        for (to, &from) in place.iter_mut().zip(values) {
            *to = from;
        }
    };
    if let Some(at) = layout.user_data {
        put(at, &dispatch.user_sgprs);
    }
    for (at, address) in [(layout.scratch, lent.scratch), (layout.gds, lent.gds)] {
        if let (Some(at), Some(address)) = (at, address) {
            put(at, &[address as u32, (address >> 32) as u32]);
        }
    }
    for &(index, at) in &layout.vgprs {
        if let Some((_, InitialVgpr::PerLane(values))) = dispatch.launch.vgprs.get(index as usize) {
            put(at, values);
        }
    }
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Reads the fault buffer.
fn faults(bytes: &[u8], outcome: &mut Outcome) {
    let words: Vec<u32> = crate::code::little_endian(bytes).unwrap_or_default();
    // The count stands in the first of the entries of four dwords.
    let (Some(&count), Some(records)) = (words.first(), words.get(4..)) else {
        return;
    };
    outcome.fault_count += u64::from(count);
    let (records, _) = records.as_chunks::<4>();
    let kept = records.iter().take(count.min(FAULT_SLOTS) as usize);
    for &[pc, low, high, _] in kept {
        let address = u64::from(low) | u64::from(high) << 32;
        let text = if address == LOOP_BUDGET_FAULT {
            format!("pc {pc:#x}: the loop budget is used up")
        } else {
            format!("pc {pc:#x}: no memory at {address:#x}, or not aligned as the access must be")
        };
        outcome.faults.push(GuestFault {
            pc,
            lane: None,
            address,
            text,
        });
    }
}
