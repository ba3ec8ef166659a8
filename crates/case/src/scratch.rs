//! Scratch that a shader reaches through a V#: the region behind it, the V#, the ring table. Scratch that
//! SCRATCH and FLAT instructions reach is the executors' own.

use spirdna_isa::WaveSize;
use spirdna_isa::descriptor::vsharp;
use spirdna_isa::launch::Launch;

use crate::case::group_count;
use crate::error::{CaseError, Problem};
use crate::format::ScratchVia;
use crate::load::Loader;

/// Bytes of a dispatch's scratch at most.
const MAX_BYTES: u64 = 1 << 28;

/// Scratch of a dispatch in guest memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scratch {
    /// Guest address of the first wave's.
    pub address: u64,
    /// The V#.
    pub vsharp: [u32; 4],
}

/// Places the scratch of dispatch `index`: the waves' one behind the other, of each wave dword 0 of all
/// lanes, then dword 1, as ADD_TID and the swizzle have it.
///
/// # Errors
/// It is too large.
pub(crate) fn place(
    loader: &mut Loader,
    launch: &Launch,
    groups: [u32; 3],
    key: &str,
    index: usize,
) -> Result<Scratch, CaseError> {
    let lanes = u64::from(launch.wave.lanes());
    let bytes = group_count(groups)
        .saturating_mul(launch.waves())
        .saturating_mul(lanes * u64::from(launch.scratch_bytes));
    if bytes > MAX_BYTES {
        let problem = Problem::Range {
            value: bytes,
            least: 0,
            most: MAX_BYTES,
        };
        return Err(loader.error(format!("{key}.scratch"), problem));
    }
    let content = vec![0; bytes as usize];
    let id = loader.place(&format!(".scratch{index}"), None, content, key)?;
    let address = loader.memory.get(id).map_or(0, |r| r.address);
    Ok(Scratch {
        address,
        vsharp: words(launch.wave, address, bytes as u32),
    })
}

/// What the driver of an HSA queue writes: a swizzled buffer without a stride, indexed by the lane,
/// without a check but for an empty one.
fn words(wave: WaveSize, address: u64, bytes: u32) -> [u32; 4] {
    let index_stride = match wave {
        WaveSize::W32 => 2,
        WaveSize::W64 => 3,
    };
    let [x, y, z, w] = vsharp::DST_SEL;
    let fields = [
        (vsharp::BASE_LO, address as u32),
        (vsharp::BASE_HI, (address >> 32) as u32 & 0xffff),
        (vsharp::SWIZZLE_ENABLE, 1),
        (vsharp::NUM_RECORDS, bytes),
        (x, 4),
        (y, 5),
        (z, 6),
        (w, 7),
        (vsharp::FORMAT, 20),
        (vsharp::INDEX_STRIDE, index_stride),
        (vsharp::ADD_TID, 1),
        (vsharp::RESOURCE_LEVEL, 1),
        (vsharp::OOB_SELECT, 2),
    ];
    fields
        .into_iter()
        .fold([0; 4], |words, (field, value)| field.set(words, value))
}

/// The user SGPRs that lead to scratch, before the case's own.
///
/// # Errors
/// As [`place`].
pub(crate) fn user_sgprs(
    loader: &mut Loader,
    launch: &Launch,
    via: ScratchVia,
    groups: [u32; 3],
    key: &str,
    index: usize,
) -> Result<Vec<u32>, CaseError> {
    if via == ScratchVia::FlatScratch || launch.scratch_bytes == 0 {
        return Ok(Vec::new());
    }
    let scratch = place(loader, launch, groups, key, index)?;
    if via == ScratchVia::Vsharp {
        return Ok(scratch.vsharp.to_vec());
    }
    let table = scratch.vsharp.iter().flat_map(|w| w.to_le_bytes());
    let id = loader.place(&format!(".rings{index}"), None, table.collect(), key)?;
    let address = loader.memory.get(id).map_or(0, |r| r.address);
    Ok(vec![address as u32, (address >> 32) as u32])
}
