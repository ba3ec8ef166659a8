//! What a case knows of the descriptors that its shader uses: the V#s in its user SGPRs, and those in
//! regions that a user SGPR points to. All but the base address is promised, and the base's alignment.

use spirdna_isa::descriptor::{BufferDescriptor, vsharp};
use spirdna_translate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

use crate::case::Dispatch;
use crate::memory::{GuestMemory, RegionId};

/// Bytes of a V#.
const BYTES: usize = 16;

/// V#s that are looked for in a region.
const MAX_ENTRIES: usize = 1024;

/// What is promised, and the regions that must therefore not change.
#[derive(Clone, Debug, Default)]
pub struct Promise {
    /// The facts.
    pub facts: DescriptorFacts,
    /// The regions.
    pub regions: Vec<RegionId>,
}

/// The facts of a dispatch over memory as it is before it.
pub fn promise(dispatch: &Dispatch, memory: &GuestMemory) -> Promise {
    let mut buffers = Vec::new();
    let mut regions = Vec::new();
    // A V# in SGPRs begins at a multiple of 4. The SGPRs' values are what they are, V# or not.
    for (i, &words) in dispatch.user_sgprs.as_chunks::<4>().0.iter().enumerate() {
        let place = DescriptorPlace::UserSgprs(4 * i as u32);
        buffers.push((place, fact(words)));
    }
    for &(pointer, region, add) in &dispatch.pointers {
        let bytes = memory.get(region).map(|r| r.bytes.as_slice());
        let bytes = bytes.and_then(|b| b.get(usize::try_from(add).ok()?..));
        let entries = bytes.unwrap_or_default().chunks_exact(BYTES).enumerate();
        let before = buffers.len();
        for (i, entry) in entries.take(MAX_ENTRIES) {
            let (words, _) = entry.as_chunks::<4>();
            let Ok(words) = <[[u8; 4]; 4]>::try_from(words) else {
                continue;
            };
            let words = words.map(u32::from_le_bytes);
            if is_buffer(words) {
                let offset = (i * BYTES) as u32;
                buffers.push((DescriptorPlace::Memory { pointer, offset }, fact(words)));
            }
        }
        if buffers.len() > before {
            regions.push(region);
        }
    }
    buffers.sort_by_key(|&(place, _)| place);
    Promise {
        facts: DescriptorFacts {
            buffers,
            ..DescriptorFacts::default()
        },
        regions,
    }
}

/// As `promise`, and the buffers are bound that the dispatch can reach through their V# alone, as far as a
/// case shows it: linear ones, in memory that neither another V# nor a pointer in user SGPRs leads to.
pub fn promise_bound(dispatch: &Dispatch, memory: &GuestMemory) -> Promise {
    let mut promise = promise(dispatch, memory);
    let mut found = Vec::new();
    for &(place, _) in &promise.facts.buffers {
        if let Some((base, bytes)) = buffer(place, dispatch, memory) {
            found.push((place, base, base + bytes as u64));
        }
    }
    let pointed: Vec<(u64, u64)> = dispatch
        .pointers
        .iter()
        .filter_map(|&(_, region, _)| memory.get(region))
        .map(|region| (region.base(), region.end()))
        .collect();
    let apart = |from: u64, to: u64, other: (u64, u64)| to <= other.0 || other.1 <= from;
    for (i, &(place, from, to)) in found.iter().enumerate() {
        let others = found.iter().enumerate().filter(|(j, _)| *j != i);
        let alone = others.clone().all(|(_, o)| apart(from, to, (o.1, o.2)))
            && pointed.iter().all(|&range| apart(from, to, range));
        if alone && place.may_be_bound() && memory.check(from, (to - from) as usize).is_ok() {
            promise.facts.bound.push(place);
        }
    }
    promise
}

/// Base and bytes of the linear buffer whose V# stands at a place.
pub(super) fn buffer(
    place: DescriptorPlace,
    dispatch: &Dispatch,
    memory: &GuestMemory,
) -> Option<(u64, usize)> {
    let words: [u32; 4] = match place {
        DescriptorPlace::UserSgprs(first) => {
            let words = dispatch.user_sgprs.get(first as usize..)?;
            *words.first_chunk()?
        }
        DescriptorPlace::Memory { pointer, offset } => {
            let &(_, region, add) = dispatch.pointers.iter().find(|p| p.0 == pointer)?;
            let bytes = memory.get(region)?.bytes.as_slice();
            let at = usize::try_from(add).ok()?.checked_add(offset as usize)?;
            let (words, _) = bytes.get(at..at.checked_add(BYTES)?)?.as_chunks::<4>();
            <[[u8; 4]; 4]>::try_from(words)
                .ok()?
                .map(u32::from_le_bytes)
        }
    };
    let d = BufferDescriptor::from_words(words);
    if !is_buffer(words) || d.swizzle_enable || d.add_tid {
        return None;
    }
    let records = d.num_records as usize;
    let raw = vsharp::OOB_SELECT.get(&words) == 3 || d.stride == 0;
    let bytes = if raw {
        records
    } else {
        records.checked_mul(d.stride as usize)?
    };
    (bytes > 0).then_some((d.base, bytes))
}

/// Whether words look like a V# of gfx10: a buffer with a format.
fn is_buffer(words: [u32; 4]) -> bool {
    let d = BufferDescriptor::from_words(words);
    d.ty == 0 && vsharp::RESOURCE_LEVEL.get(&words) == 1 && d.format().is_some()
}

fn fact(words: [u32; 4]) -> BufferFact {
    let mut fact = BufferFact::all_but_base(&BufferDescriptor::from_words(words));
    let [low, ..] = words;
    // The zeros at the base's low end: its alignment, up to 256.
    let zeros = (1u32 << low.trailing_zeros().min(8)) - 1;
    let [known, ..] = &mut fact.known;
    *known |= zeros;
    fact
}
