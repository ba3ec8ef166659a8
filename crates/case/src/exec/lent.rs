//! Memories that a caller lends a dispatch at guest addresses: scratch, GDS, and the code. Knows how the translator
//! wants them (`LaunchLayout` in its reflection) and no Vulkan.

use spirdna_isa::launch::GDS_BYTES;
use spirdna_translate::reflect::Reflection;

use super::RunError;
use crate::case::{Dispatch, group_count};
use crate::memory::{GuestMemory, Region};

/// Bytes of lent memory at most.
const MAX_BYTES: u64 = 1 << 30;

/// Where free places are looked for: high addresses, which cases and heaps leave alone.
const PLACES: [u64; 4] = [
    0x6000_0000_0000,
    0x5000_0000_0000,
    0x4000_0000_0000,
    0x3000_0000_0000,
];

/// Guest addresses of what is lent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lent {
    /// Scratch.
    pub scratch: Option<u64>,
    /// GDS.
    pub gds: Option<u64>,
}

/// Whether a module wants anything.
pub fn wanted(reflection: &Reflection) -> bool {
    let layout = &reflection.launch_layout;
    layout.scratch.is_some() || layout.gds.is_some() || reflection.code_address.is_some()
}

/// Windows that lent memory takes at most.
pub const WINDOWS: u32 = 3;

/// The memory of a dispatch with what its module wants behind it, scratch and GDS all zero, and where they
/// lie.
///
/// # Errors
/// It is too much, or there is no room.
pub fn lend(
    memory: &GuestMemory,
    reflection: &Reflection,
    dispatch: &Dispatch,
) -> Result<(GuestMemory, Lent), RunError> {
    let (mut memory, mut lent) = (memory.clone(), Lent::default());
    if reflection.launch_layout.scratch.is_some() {
        let launch = &dispatch.launch;
        let groups = group_count(dispatch.groups);
        let lane = u64::from(launch.scratch_bytes).next_multiple_of(16);
        let waves = groups.saturating_mul(launch.waves());
        let bytes = waves.saturating_mul(lane.saturating_mul(u64::from(launch.wave.lanes())));
        lent.scratch = Some(place(&mut memory, "scratch", bytes)?);
    }
    if reflection.launch_layout.gds.is_some() {
        lent.gds = Some(place(&mut memory, "GDS", u64::from(GDS_BYTES))?);
    }
    if let Some(address) = reflection.code_address {
        let region = Region {
            name: "(code)".to_owned(),
            address,
            bytes: dispatch.code.iter().flat_map(|w| w.to_le_bytes()).collect(),
        };
        let added = memory.add(region);
        added.map_err(|e| RunError::Unsupported(format!("the code in memory: {e}")))?;
    }
    Ok((memory, lent))
}

fn place(memory: &mut GuestMemory, name: &str, bytes: u64) -> Result<u64, RunError> {
    let refused = |what: &str| RunError::Unsupported(format!("{bytes} bytes of {name}: {what}"));
    if bytes > MAX_BYTES {
        return Err(refused("too much for the harness"));
    }
    // A region between, so that no access runs from one into the other.
    let free = PLACES
        .into_iter()
        .find(|&at| memory.is_free(at - 0x1000, bytes + 0x2000));
    let address = free.ok_or_else(|| refused("no room"))?;
    let region = Region {
        // No case can name it.
        name: format!("({name})"),
        address,
        bytes: vec![0; bytes as usize],
    };
    match memory.add(region) {
        Ok(_) => Ok(address),
        Err(e) => Err(RunError::Internal(e.to_string())),
    }
}
