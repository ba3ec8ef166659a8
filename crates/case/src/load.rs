//! Reads a case file and what it names, checks it, and resolves it to a [`Case`]. Knows no executor.
//!
//! Bounds, so that a case never asks for unbounded memory or time: [`MAX_MEMORY`] bytes of regions and
//! code, [`MAX_CASE_BYTES`] of text, [`MAX_REGIONS`] regions, [`MAX_EXPECTS`] expectations, 2^20
//! workgroups, 1024 threads and 64 KiB of LDS a workgroup.

use std::path::{Path, PathBuf};

use crate::case::{Case, Expect, FaultKind, Original};
use crate::code::{MAX_CODE_BYTES, read_file, spirv_words};
use crate::error::{CaseError, Problem};
use crate::format::{
    CaseFile, CompareSpec, ElementType, ExpectSpec, FaultKindSpec, Int64, MemorySpec, OriginalSpec,
    RandomSpec,
};
use crate::memory::{ADDRESS_MASK, GuestMemory, PlaceError, Region, RegionId};
use crate::{launch, random};

/// Bytes of a case file at most.
pub const MAX_CASE_BYTES: u64 = 32 << 20;

/// Bytes of all regions and of all code of a case at most.
pub const MAX_MEMORY: u64 = 1 << 30;

/// Regions of a case at most.
pub const MAX_REGIONS: u64 = 4096;

/// Expectations of a case at most.
pub const MAX_EXPECTS: u64 = 1 << 16;

/// What undefined memory holds, unless that is what is expected there.
const UNDEFINED: u8 = 0xcd;

/// Where regions without an address go: the first address, and the step between them. They are far
/// apart, so that no 32-bit address arithmetic holds by luck, and aligned to 256.
const PLACE_FIRST: u64 = 0x1000_8765_4300;
const PLACE_STEP: u64 = 0x0001_8001_0000;

impl Case {
    /// Reads and resolves a case file.
    ///
    /// # Errors
    /// The file, or one that it names, cannot be used; the error names file and key.
    pub fn load(path: &Path) -> Result<Case, CaseError> {
        let bytes = read_file(path, MAX_CASE_BYTES)?;
        if bytes.is_empty() {
            return Err(Problem::Empty.at(path, ""));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| Problem::NotText.at(path, ""))?;
        Case::parse(path, text)
    }

    /// Resolves the text of a case file; files that it names lie beside `path`.
    ///
    /// # Errors
    /// As [`Case::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Case, CaseError> {
        let file: CaseFile = toml::from_str(text)
            .map_err(|e| Problem::Toml(e.to_string().trim_end().to_owned()).at(path, ""))?;
        let mut loader = Loader::new(path);
        let counts = [
            ("memory", file.memory.len() as u64, MAX_REGIONS),
            ("expect", file.expect.len() as u64, MAX_EXPECTS),
        ];
        for (key, value, limit) in counts {
            if value > limit {
                return Err(loader.error(key, Problem::Limit { value, limit }));
            }
        }
        let undefined = loader.regions(&file.memory)?;
        let dispatches = launch::dispatches(&mut loader, &file)?;
        let mut expects = Vec::new();
        for (i, spec) in file.expect.iter().enumerate() {
            expects.push(loader.expect(spec, &format!("expect[{i}]"))?);
        }
        let original = match &file.original {
            Some(spec) => Some(loader.original(spec)?),
            None => None,
        };
        let mut memory = loader.memory;
        for id in undefined {
            fill_undefined(&mut memory, id, &expects);
        }
        let name = path.file_name().map_or_else(String::new, |n| {
            let name = n.to_string_lossy();
            let name = name.strip_suffix(".toml").unwrap_or(&name);
            name.strip_suffix(".case").unwrap_or(name).to_owned()
        });
        Ok(Case {
            path: path.to_owned(),
            name,
            dispatches,
            memory,
            expects,
            undefined_reads: file.undefined_reads,
            expect_fault: file.expect_fault.map(|f| match f.kind {
                FaultKindSpec::Unmapped => FaultKind::Unmapped,
            }),
            original,
        })
    }
}

/// Fills a region of undefined content: with what no expectation has in its place.
fn fill_undefined(memory: &mut GuestMemory, id: RegionId, expects: &[Expect]) {
    let Some(bytes) = memory.bytes_mut(id) else {
        return;
    };
    bytes.fill(UNDEFINED);
    for expect in expects.iter().filter(|e| e.region == id) {
        let place = bytes.get_mut(expect.offset..).unwrap_or_default();
        for (byte, &expected) in place.iter_mut().zip(&expect.bytes) {
            if expected == UNDEFINED {
                *byte = !UNDEFINED;
            }
        }
    }
}

/// What is read so far.
pub(crate) struct Loader {
    file: PathBuf,
    pub(crate) memory: GuestMemory,
    /// Bytes of all regions and of all code.
    bytes: u64,
}

/// The one list of values among the keys of a table, as bytes.
struct Values {
    bytes: Vec<u8>,
    element: ElementType,
}

/// Collects the bytes of those keys that are there.
macro_rules! value_lists {
    ($spec:expr) => {{
        let spec = $spec;
        let u64s = spec
            .u64
            .as_ref()
            .map(|l| l.iter().map(|v| v.0).collect::<Vec<u64>>());
        let lists = [
            (spec.u8.clone(), ElementType::U8),
            (list_bytes(&spec.u16, |v| v.to_le_bytes()), ElementType::U16),
            (list_bytes(&spec.u32, |v| v.to_le_bytes()), ElementType::U32),
            (list_bytes(&u64s, |v| v.to_le_bytes()), ElementType::U64),
            (list_bytes(&spec.i32, |v| v.to_le_bytes()), ElementType::I32),
            (list_bytes(&spec.f32, |v| v.to_le_bytes()), ElementType::F32),
            (list_bytes(&spec.f64, |v| v.to_le_bytes()), ElementType::F64),
        ];
        lists
            .into_iter()
            .filter_map(|(bytes, element)| bytes.map(|bytes| Values { bytes, element }))
            .collect::<Vec<Values>>()
    }};
}

fn list_bytes<T: Copy, const N: usize>(
    list: &Option<Vec<T>>,
    bytes: fn(T) -> [u8; N],
) -> Option<Vec<u8>> {
    list.as_ref()
        .map(|list| list.iter().flat_map(|&v| bytes(v)).collect())
}

impl Loader {
    /// Nothing read yet, for the file at `path`.
    pub(crate) fn new(path: &Path) -> Loader {
        Loader {
            file: path.to_owned(),
            memory: GuestMemory::new(),
            bytes: 0,
        }
    }

    pub(crate) fn error(&self, key: impl Into<String>, problem: Problem) -> CaseError {
        problem.at(&self.file, key)
    }

    /// The path of a file that the case names.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.file
            .parent()
            .unwrap_or_else(|| Path::new(""))
            .join(name)
    }

    /// The region of a name.
    pub(crate) fn region(&self, name: &str, key: &str) -> Result<(RegionId, &Region), CaseError> {
        let found = self.memory.find(name);
        found
            .and_then(|id| Some((id, self.memory.get(id)?)))
            .ok_or_else(|| self.error(key, Problem::NoRegion(name.to_owned())))
    }

    /// Adds a region; without an address it is placed.
    pub(crate) fn place(
        &mut self,
        name: &str,
        address: Option<u64>,
        bytes: Vec<u8>,
        key: &str,
    ) -> Result<RegionId, CaseError> {
        if self.memory.find(name).is_some() {
            let problem = Problem::Duplicate(name.to_owned());
            return Err(self.error(format!("{key}.name"), problem));
        }
        let address = address.unwrap_or_else(|| self.free(bytes.len() as u64));
        if !address.is_multiple_of(4) {
            return Err(self.error(format!("{key}.address"), Problem::Unaligned(address)));
        }
        let region = Region {
            name: name.to_owned(),
            address,
            bytes,
        };
        self.memory.add(region).map_err(|e| {
            let problem = match e {
                PlaceError::Wraps => Problem::Wraps,
                PlaceError::Overlap(id) => Problem::Overlap {
                    other: self
                        .memory
                        .get(id)
                        .map_or_else(String::new, |r| r.name.clone()),
                },
            };
            problem.at(&self.file, format!("{key}.address"))
        })
    }

    /// An address with room for `bytes`.
    fn free(&self, bytes: u64) -> u64 {
        let mut address = PLACE_FIRST + PLACE_STEP * self.memory.regions().len() as u64;
        // The space is far larger than all regions together: the search ends.
        while !self.memory.is_free(address, bytes.max(1)) {
            address = (address + PLACE_STEP) & ADDRESS_MASK & !0xff;
        }
        address
    }

    /// Counts the bytes of a region or of code.
    pub(crate) fn budget(&mut self, bytes: u64, key: &str) -> Result<(), CaseError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_MEMORY {
            let problem = Problem::Limit {
                value: self.bytes,
                limit: MAX_MEMORY,
            };
            return Err(self.error(key, problem));
        }
        Ok(())
    }

    /// All `[[memory]]` tables; gives the regions whose content is undefined.
    pub(crate) fn regions(&mut self, specs: &[MemorySpec]) -> Result<Vec<RegionId>, CaseError> {
        let mut undefined = Vec::new();
        let fixed = specs.iter().filter(|s| s.address.is_some());
        let floating = specs.iter().filter(|s| s.address.is_none());
        for spec in fixed.chain(floating) {
            let key = format!("memory.{}", spec.name);
            let (bytes, defined) = self.content(spec, &key)?;
            let id = self.place(&spec.name, spec.address.map(|a| a.0), bytes, &key)?;
            if !defined {
                undefined.push(id);
            }
        }
        Ok(undefined)
    }

    /// The bytes of a region, and whether the case defines them.
    fn content(&mut self, spec: &MemorySpec, key: &str) -> Result<(Vec<u8>, bool), CaseError> {
        let mut lists = value_lists!(spec);
        let forms = [
            spec.file.is_some(),
            spec.random.is_some(),
            spec.size.is_some(),
        ];
        let have = lists.len() + forms.iter().filter(|&&f| f).count();
        if have != 1 {
            let of = "u8, u16, u32, u64, i32, f32, f64, file, random and size";
            return Err(self.error(key, Problem::OneOf { of, have }));
        }
        if spec.fill.is_some() && spec.size.is_none() {
            let problem = Problem::Conflict {
                other: "a list, a file or random",
            };
            return Err(self.error(format!("{key}.fill"), problem));
        }
        if let Some(values) = lists.pop() {
            self.budget(values.bytes.len() as u64, key)?;
            return Ok((values.bytes, true));
        }
        if let Some(name) = &spec.file {
            let bytes = read_file(&self.beside(name), MAX_MEMORY)?;
            self.budget(bytes.len() as u64, &format!("{key}.file"))?;
            return Ok((bytes, true));
        }
        if let Some(random) = &spec.random {
            return Ok((self.random(random, &format!("{key}.random"))?, true));
        }
        let size = spec.size.unwrap_or_default();
        self.budget(size, &format!("{key}.size"))?;
        let fill = spec.fill.unwrap_or_default().to_le_bytes();
        let mut bytes = fill.repeat((size as usize).div_ceil(fill.len()));
        bytes.truncate(size as usize);
        Ok((bytes, spec.fill.is_some()))
    }

    fn random(&mut self, spec: &RandomSpec, key: &str) -> Result<Vec<u8>, CaseError> {
        let bytes = spec.count.saturating_mul(spec.ty.bytes() as u64);
        self.budget(bytes, &format!("{key}.count"))?;
        random::bytes(spec).map_err(|e| self.error(key, Problem::Random(e)))
    }

    fn expect(&self, spec: &ExpectSpec, key: &str) -> Result<Expect, CaseError> {
        let (region, place) = self.region(&spec.memory, &format!("{key}.memory"))?;
        let length = place.bytes.len() as u64;
        let mut lists = value_lists!(spec);
        if let Some(name) = &spec.file {
            lists.push(Values {
                bytes: read_file(&self.beside(name), MAX_MEMORY)?,
                element: ElementType::U8,
            });
        }
        let have = lists.len();
        let values = match (lists.pop(), have) {
            (Some(values), 1) => values,
            _ => {
                let of = "u8, u16, u32, u64, i32, f32, f64 and file";
                return Err(self.error(key, Problem::OneOf { of, have }));
            }
        };
        let end = spec.offset.saturating_add(values.bytes.len() as u64);
        if end > length {
            let problem = Problem::Outside {
                offset: spec.offset,
                end,
                bytes: length,
            };
            return Err(self.error(key, problem));
        }
        self.comparison(spec.compare, values.element, key)?;
        Ok(Expect {
            region,
            offset: spec.offset as usize,
            bytes: values.bytes,
            element: values.element,
            compare: spec.compare,
        })
    }

    fn comparison(
        &self,
        compare: CompareSpec,
        element: ElementType,
        key: &str,
    ) -> Result<(), CaseError> {
        let (compare, needs, fits) = match compare {
            CompareSpec::Bits | CompareSpec::Multiset => return Ok(()),
            CompareSpec::Ulp(_) => ("ulp", "f32 or f64", element.is_float()),
            CompareSpec::Absolute(_) => ("absolute", "f32 or f64", element.is_float()),
            CompareSpec::NanClass => ("nan-class", "2, 4 or 8 bytes", element.bytes() > 1),
        };
        if fits {
            Ok(())
        } else {
            Err(self.error(
                format!("{key}.compare"),
                Problem::Compare { compare, needs },
            ))
        }
    }

    fn original(&self, spec: &OriginalSpec) -> Result<Original, CaseError> {
        let path = self.beside(&spec.spirv);
        let bytes = read_file(&path, MAX_CODE_BYTES)?;
        let words = spirv_words(&bytes).map_err(|p| p.at(&path, ""))?;
        let mut bindings = Vec::new();
        for (i, binding) in spec.bindings.iter().enumerate() {
            let key = format!("original.bindings[{i}].memory");
            let (id, _) = self.region(&binding.memory, &key)?;
            bindings.push((id, binding.clone()));
        }
        let mut addresses = Vec::new();
        for (i, address) in spec.addresses.iter().enumerate() {
            let key = format!("original.addresses[{i}]");
            let (id, region) = self.region(&address.memory, &format!("{key}.memory"))?;
            let (to, _) = self.region(&address.to, &format!("{key}.to"))?;
            let (bytes, end) = (region.bytes.len() as u64, address.offset.saturating_add(8));
            if end > bytes {
                let offset = address.offset;
                return Err(self.error(key, Problem::Outside { offset, end, bytes }));
            }
            addresses.push((id, address.offset, to));
        }
        Ok(Original {
            path,
            words,
            entry: spec.entry.clone(),
            push: spec.push.clone(),
            bindings,
            addresses,
            compare: spec.compare,
            subgroup_dependent: spec.subgroup_dependent,
        })
    }
}

impl From<Int64> for u64 {
    fn from(value: Int64) -> u64 {
        value.0
    }
}
