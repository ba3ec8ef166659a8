//! Translations as bytes, for a cache on disk. Owns the layout; knows nothing of how a translation is
//! made, and judges no SPIR-V.
//!
//! Bytes are read as what they may be: cut off, changed, of another translator. They give an error then,
//! and never ask for more memory than they are long.
//!
//! Layout, little-endian: magic, format (u32), translator (u128), length of the rest (u64), its XXH3-128
//! (u128); the rest is the words and the reflection, lists with their length before them.

use spirdna_isa::image::ImageDim;
use xxhash_rust::xxh3::xxh3_128;

use crate::bindings::{Place, Resource, ResourceKind};
use crate::options::{Fidelity, Nans};
use crate::pipeline::Translation;
use crate::recipe::Recipe;
use crate::reflect::{
    BufferBinding, BufferUse, LaneFidelity, LaunchLayout, PushLayout, Reflection,
};
use crate::resources::DescriptorPlace;

const MAGIC: [u8; 4] = *b"SPDT";
/// One more where the layout changes.
const FORMAT: u32 = 5;
const HEAD: usize = 4 + 4 + 16 + 8 + 16;

/// The translator of this build: a hash of its sources. Two builds of the same sources have the same.
pub const TRANSLATOR: u128 = match u128::from_str_radix(env!("SPIRDNA_TRANSLATOR"), 16) {
    Ok(hash) => hash,
    Err(_) => 0,
};

/// Why bytes are no stored translation of this translator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// They do not begin as one.
    #[error("not a stored translation")]
    Magic,
    /// Their layout is another version's.
    #[error("stored in format {found}, not {FORMAT}")]
    Format {
        /// Its number.
        found: u32,
    },
    /// Another translator made them, whose words may be others: translate again.
    #[error("stored by translator {found:032x}, not {TRANSLATOR:032x}")]
    OtherTranslator {
        /// Its sources' hash.
        found: u128,
    },
    /// There are fewer or more bytes than they say.
    #[error("{found} bytes where {expected} are due")]
    Length {
        /// Bytes that they say.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// They were changed.
    #[error("the checksum does not fit")]
    Checksum,
    /// The checksum fits, and yet they do not read as a translation.
    #[error("malformed: {0}")]
    Malformed(&'static str),
}

impl Translation {
    /// The translation as bytes that [`Translation::from_bytes`] reads back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer(Vec::with_capacity(HEAD + self.words.len() * 4 + 512));
        w.0.resize(HEAD, 0);
        w.words(&self.words);
        reflection(&mut w, &self.reflection);
        let mut bytes = w.0;
        let (head, rest) = bytes.split_at_mut(HEAD);
        let mut begin = Vec::with_capacity(HEAD);
        begin.extend(MAGIC);
        begin.extend(FORMAT.to_le_bytes());
        begin.extend(TRANSLATOR.to_le_bytes());
        begin.extend((rest.len() as u64).to_le_bytes());
        begin.extend(xxh3_128(rest).to_le_bytes());
        head.copy_from_slice(&begin);
        bytes
    }

    /// The translation that bytes hold.
    ///
    /// # Errors
    /// They are none, were changed, or come from another translator.
    pub fn from_bytes(bytes: &[u8]) -> Result<Translation, StoredError> {
        let mut head = Reader(bytes);
        if head.take(4).map_err(|_| StoredError::Magic)? != MAGIC {
            return Err(StoredError::Magic);
        }
        let short = |_| StoredError::Length {
            expected: HEAD as u64,
            found: bytes.len() as u64,
        };
        let found = head.u32().map_err(short)?;
        if found != FORMAT {
            return Err(StoredError::Format { found });
        }
        let found = head.u128().map_err(short)?;
        if found != TRANSLATOR {
            return Err(StoredError::OtherTranslator { found });
        }
        let expected = head.u64().map_err(short)?;
        let checksum = head.u128().map_err(short)?;
        let found = head.0.len() as u64;
        if found != expected {
            return Err(StoredError::Length { expected, found });
        }
        if xxh3_128(head.0) != checksum {
            return Err(StoredError::Checksum);
        }
        let mut r = head;
        let words = r.list(4, Reader::u32)?;
        let reflection = read_reflection(&mut r)?;
        if !r.0.is_empty() {
            return Err(StoredError::Malformed("bytes behind the end"));
        }
        Ok(Translation { words, reflection })
    }
}

fn reflection(w: &mut Writer, reflection: &Reflection) {
    let Reflection {
        entry,
        local_size,
        subgroup_size,
        lanes_per_invocation,
        lanes,
        fidelity,
        nans,
        buffers,
        push:
            PushLayout {
                bytes,
                user_data,
                group_base,
            },
        launch_layout,
        max_windows,
        capabilities,
        extensions,
        workgroup_bytes,
        guest_instructions,
        spirv_words,
        strategies,
        code_address,
        inputs,
        outputs,
        resources,
    } = reflection;
    w.text(entry);
    for &size in local_size {
        w.u32(size);
    }
    w.optional(*subgroup_size);
    w.u32(*lanes_per_invocation);
    w.u32(lanes_number(*lanes));
    w.u32(floats_number(*fidelity, *nans));
    w.u32(buffers.len() as u32);
    for &BufferBinding {
        usage,
        set,
        binding,
        min_bytes,
    } in buffers
    {
        w.u32(use_number(usage));
        w.u32(set);
        w.u32(binding);
        w.0.extend(min_bytes.to_le_bytes());
    }
    w.u32(*bytes);
    w.u32(*user_data);
    w.u32((*group_base).into());
    let LaunchLayout {
        user_data,
        scratch,
        gds,
        vgprs,
        dwords,
    } = launch_layout;
    for &place in [user_data, scratch, gds] {
        w.optional(place);
    }
    w.u32(vgprs.len() as u32);
    for &(index, dword) in vgprs {
        w.u32(index);
        w.u32(dword);
    }
    w.u32(*dwords);
    w.u32(*max_windows);
    w.texts(capabilities);
    w.texts(extensions);
    w.u32(*workgroup_bytes);
    w.u32(*guest_instructions);
    w.u32(*spirv_words);
    w.texts(strategies);
    w.u32(code_address.is_some().into());
    w.0.extend(code_address.unwrap_or(0).to_le_bytes());
    w.words(inputs);
    w.words(outputs);
    w.u32(resources.len() as u32);
    for Resource {
        recipe,
        kind,
        read,
        write,
        place,
    } in resources
    {
        w.words(&recipe.to_numbers());
        w.u32(kind_number(*kind));
        w.u32(u32::from(*read) | u32::from(*write) << 1);
        w.u32(place.is_some().into());
        let Place {
            set,
            binding,
            count,
        } = place.unwrap_or(NOWHERE);
        for number in [set, binding, count] {
            w.u32(number);
        }
    }
}

const NOWHERE: Place = Place {
    set: 0,
    binding: 0,
    count: 0,
};

fn kind_number(kind: ResourceKind) -> u32 {
    match kind {
        ResourceKind::Buffer => 0,
        ResourceKind::Sampled { dim } => 0x10 | u32::from(dim.number()),
        ResourceKind::Storage { dim } => 0x20 | u32::from(dim.number()),
        ResourceKind::Sampler {
            compare,
            unnormalized,
        } => 0x30 | u32::from(compare) | u32::from(unnormalized) << 1,
    }
}

fn kind_of(number: u32) -> Result<ResourceKind, StoredError> {
    let dim = ImageDim::from_number(number as u8);
    match number {
        0 => Ok(ResourceKind::Buffer),
        0x10..0x18 => Ok(ResourceKind::Sampled { dim }),
        0x20..0x28 => Ok(ResourceKind::Storage { dim }),
        0x30..0x34 => Ok(ResourceKind::Sampler {
            compare: number & 1 != 0,
            unnormalized: number & 2 != 0,
        }),
        _ => Err(StoredError::Malformed("the use of a descriptor")),
    }
}

fn resource(r: &mut Reader<'_>) -> Result<Resource, StoredError> {
    let numbers = r.list(4, Reader::u32)?;
    let recipe = Recipe::from_numbers(&numbers).ok_or(StoredError::Malformed("a recipe"))?;
    let kind = kind_of(r.u32()?)?;
    let access = r.u32()?;
    let place = match (r.u32()?, [r.u32()?, r.u32()?, r.u32()?]) {
        (0, [0, 0, 0]) => None,
        (1, [set, binding, count]) => Some(Place {
            set,
            binding,
            count,
        }),
        _ => return Err(StoredError::Malformed("the place of a resource")),
    };
    if access > 3 {
        return Err(StoredError::Malformed("the access of a resource"));
    }
    Ok(Resource {
        recipe,
        kind,
        read: access & 1 != 0,
        write: access & 2 != 0,
        place,
    })
}

/// In the order of [`reflection`].
fn read_reflection(r: &mut Reader<'_>) -> Result<Reflection, StoredError> {
    let entry = r.text()?;
    let local_size = [r.u32()?, r.u32()?, r.u32()?];
    let subgroup_size = r.optional()?;
    let lanes_per_invocation = r.u32()?;
    let lanes = lanes_of(r.u32()?)?;
    let (fidelity, nans) = floats_of(r.u32()?)?;
    Ok(Reflection {
        entry,
        local_size,
        subgroup_size,
        lanes_per_invocation,
        lanes,
        fidelity,
        nans,
        buffers: r.list(20, |r| {
            Ok(BufferBinding {
                usage: use_of(r.u32()?)?,
                set: r.u32()?,
                binding: r.u32()?,
                min_bytes: r.u64()?,
            })
        })?,
        push: PushLayout {
            bytes: r.u32()?,
            user_data: r.u32()?,
            group_base: match r.u32()? {
                0 => false,
                1 => true,
                _ => return Err(StoredError::Malformed("whether it takes a group base")),
            },
        },
        launch_layout: LaunchLayout {
            user_data: r.optional()?,
            scratch: r.optional()?,
            gds: r.optional()?,
            vgprs: r.list(8, |r| Ok((r.u32()?, r.u32()?)))?,
            dwords: r.u32()?,
        },
        max_windows: r.u32()?,
        capabilities: r.list(4, Reader::text)?,
        extensions: r.list(4, Reader::text)?,
        workgroup_bytes: r.u32()?,
        guest_instructions: r.u32()?,
        spirv_words: r.u32()?,
        strategies: r.list(4, Reader::text)?,
        code_address: match (r.u32()?, r.u64()?) {
            (0, _) => None,
            (_, address) => Some(address),
        },
        inputs: r.list(4, Reader::u32)?,
        outputs: r.list(4, Reader::u32)?,
        resources: r.list(28, resource)?,
    })
}

const fn lanes_number(lanes: LaneFidelity) -> u32 {
    match lanes {
        LaneFidelity::WaveExact => 0,
        LaneFidelity::LaneWise => 1,
    }
}

fn lanes_of(number: u32) -> Result<LaneFidelity, StoredError> {
    match number {
        0 => Ok(LaneFidelity::WaveExact),
        1 => Ok(LaneFidelity::LaneWise),
        _ => Err(StoredError::Malformed("a mapping of lanes")),
    }
}

const fn floats_number(fidelity: Fidelity, nans: Nans) -> u32 {
    match (fidelity, nans) {
        (Fidelity::Exact, Nans::Payload) => 0,
        (Fidelity::Exact, Nans::Any) => 1,
        (Fidelity::Fast, Nans::Payload) => 2,
        (Fidelity::Fast, Nans::Any) => 3,
    }
}

fn floats_of(number: u32) -> Result<(Fidelity, Nans), StoredError> {
    match number {
        0 => Ok((Fidelity::Exact, Nans::Payload)),
        1 => Ok((Fidelity::Exact, Nans::Any)),
        2 => Ok((Fidelity::Fast, Nans::Payload)),
        3 => Ok((Fidelity::Fast, Nans::Any)),
        _ => Err(StoredError::Malformed("what floats are")),
    }
}

/// Of a bound buffer's descriptor: in memory, in user SGPRs.
const BOUND_MEMORY: u32 = 1 << 31;
const BOUND_SGPRS: u32 = 1 << 30;

const fn use_number(usage: BufferUse) -> u32 {
    match usage {
        BufferUse::Memory => 0,
        BufferUse::Windows => 1,
        BufferUse::Faults => 2,
        BufferUse::Launch => 3,
        BufferUse::Lds => 4,
        BufferUse::Ranges => 5,
        BufferUse::Pages => 6,
        BufferUse::Locks => 7,
        // A pointer is a user SGPR below 128, an offset below 2^24 (`DescriptorPlace::may_be_bound`).
        BufferUse::Bound(DescriptorPlace::UserSgprs(first)) => BOUND_SGPRS | first,
        BufferUse::Bound(DescriptorPlace::Memory { pointer, offset }) => {
            BOUND_MEMORY | pointer << 24 | offset
        }
    }
}

fn use_of(number: u32) -> Result<BufferUse, StoredError> {
    match number {
        0 => Ok(BufferUse::Memory),
        1 => Ok(BufferUse::Windows),
        2 => Ok(BufferUse::Faults),
        3 => Ok(BufferUse::Launch),
        4 => Ok(BufferUse::Lds),
        5 => Ok(BufferUse::Ranges),
        6 => Ok(BufferUse::Pages),
        7 => Ok(BufferUse::Locks),
        _ if number & BOUND_MEMORY != 0 => Ok(BufferUse::Bound(DescriptorPlace::Memory {
            pointer: (number & !BOUND_MEMORY) >> 24,
            offset: number & 0x00ff_ffff,
        })),
        _ if number & BOUND_SGPRS != 0 => Ok(BufferUse::Bound(DescriptorPlace::UserSgprs(
            number & !BOUND_SGPRS,
        ))),
        _ => Err(StoredError::Malformed("the use of a buffer")),
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn u32(&mut self, x: u32) {
        self.0.extend(x.to_le_bytes());
    }

    fn optional(&mut self, x: Option<u32>) {
        self.u32(x.is_some().into());
        self.u32(x.unwrap_or(0));
    }

    fn words(&mut self, words: &[u32]) {
        self.u32(words.len() as u32);
        for &word in words {
            self.u32(word);
        }
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.0.extend(text.as_bytes());
    }

    fn texts(&mut self, texts: &[String]) {
        self.u32(texts.len() as u32);
        for text in texts {
            self.text(text);
        }
    }
}

/// The bytes that are left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], StoredError> {
        let (taken, left) = self
            .0
            .split_at_checked(n)
            .ok_or(StoredError::Malformed("cut off"))?;
        self.0 = left;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StoredError> {
        self.take(N)?
            .try_into()
            .map_err(|_| StoredError::Malformed("cut off"))
    }

    fn u32(&mut self) -> Result<u32, StoredError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, StoredError> {
        self.array().map(u64::from_le_bytes)
    }

    fn u128(&mut self) -> Result<u128, StoredError> {
        self.array().map(u128::from_le_bytes)
    }

    fn optional(&mut self) -> Result<Option<u32>, StoredError> {
        match (self.u32()?, self.u32()?) {
            (0, 0) => Ok(None),
            (1, x) => Ok(Some(x)),
            _ => Err(StoredError::Malformed("a value that may be absent")),
        }
    }

    /// A list of items of at least `least` bytes each.
    fn list<T>(
        &mut self,
        least: usize,
        mut item: impl FnMut(&mut Reader<'a>) -> Result<T, StoredError>,
    ) -> Result<Vec<T>, StoredError> {
        let count = self.u32()? as usize;
        if count > self.0.len() / least {
            return Err(StoredError::Malformed("a list longer than the bytes"));
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn text(&mut self) -> Result<String, StoredError> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| StoredError::Malformed("a text"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::*;
    use crate::recipe::Word;

    /// Bytes with a fitting checksum around a rest that somebody made up.
    fn sealed(rest: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(TRANSLATOR.to_le_bytes());
        bytes.extend((rest.len() as u64).to_le_bytes());
        bytes.extend(xxh3_128(rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    #[test]
    fn a_fitting_checksum_does_not_make_bytes_a_translation() {
        let malformed = |rest: &[u8]| match Translation::from_bytes(&sealed(rest)) {
            Err(StoredError::Malformed(what)) => what,
            other => unexpected(&format!("{other:?}")),
        };
        // Four billion words in a list, of which none is there: refused before memory is asked for.
        assert_eq!(malformed(&[0xff; 4]), "a list longer than the bytes");
        assert_eq!(malformed(&[]), "cut off");
        // No word; an entry name that is no UTF-8.
        assert_eq!(malformed(&[0, 0, 0, 0, 1, 0, 0, 0, 0xff]), "a text");
    }

    #[test]
    fn made_up_numbers_are_malformed_and_more_bytes_too() {
        let reflection = Reflection {
            entry: "main".to_owned(),
            local_size: [1, 2, 3],
            subgroup_size: None,
            lanes_per_invocation: 4,
            lanes: LaneFidelity::LaneWise,
            fidelity: Fidelity::Fast,
            nans: Nans::Any,
            buffers: Vec::new(),
            push: PushLayout {
                bytes: 24,
                user_data: 0,
                group_base: false,
            },
            launch_layout: LaunchLayout::default(),
            max_windows: 16,
            capabilities: vec!["Shader".to_owned()],
            extensions: Vec::new(),
            workgroup_bytes: 0,
            guest_instructions: 1,
            spirv_words: 1,
            strategies: Vec::new(),
            code_address: Some(0x1234_5678_9abc),
            inputs: vec![1],
            outputs: Vec::new(),
            resources: vec![Resource {
                recipe: Recipe {
                    words: vec![Word::User(3)],
                },
                kind: ResourceKind::Sampled { dim: ImageDim::D3 },
                read: true,
                write: false,
                place: Some(Place {
                    set: 1,
                    binding: 2,
                    count: 3,
                }),
            }],
        };
        let words = vec![7];
        let made = Translation { words, reflection };
        let bytes = made.to_bytes();
        assert_eq!(Translation::from_bytes(&bytes), Ok(made));
        let rest = &bytes[HEAD..];
        let mut more = rest.to_vec();
        more.push(0);
        let error = Translation::from_bytes(&sealed(&more));
        assert_eq!(error, Err(StoredError::Malformed("bytes behind the end")));
        // Words: 8 bytes; the entry's name: 8; sizes: 12; an absent subgroup size: 8; lanes: 4; then these.
        let mut lanes = rest.to_vec();
        lanes[40] = 2;
        let error = Translation::from_bytes(&sealed(&lanes));
        assert_eq!(error, Err(StoredError::Malformed("a mapping of lanes")));
        let mut absent = rest.to_vec();
        absent[32] = 5;
        let error = Translation::from_bytes(&sealed(&absent));
        let what = "a value that may be absent";
        assert_eq!(error, Err(StoredError::Malformed(what)));
    }

    /// Ends a test that did not get what it must.
    #[allow(clippy::panic, reason = "a failed test")]
    fn unexpected(what: &str) -> ! {
        panic!("{what}")
    }

    #[test]
    fn the_translator_has_a_name() {
        assert_ne!(TRANSLATOR, 0);
    }
}
