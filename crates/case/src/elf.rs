//! AMDGPU code objects (HSA): the kernel descriptor, the metadata note and the code of one kernel.
//! Knows no case file and no instruction but `s_code_end`, which pads code, and those that take addresses of it.
//!
//! Source: the AMDGPU back end's ABI (ELF header, kernel descriptor, code object metadata, initial
//! kernel execution state).

use object::elf;
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{LittleEndian, SectionIndex};
use rmpv::Value;
use spirdna_isa::launch::{InitialVgpr, Launch, Mode, SystemSgpr};
use spirdna_isa::{Target, WaveSize};

type Header = elf::FileHeader64<LittleEndian>;
type Section = elf::SectionHeader64<LittleEndian>;

const LE: LittleEndian = LittleEndian;
const MACHINE_AMDGPU: u16 = 224;
const OSABI_HSA: u8 = 64;
const NOTE_METADATA: u32 = 32;
/// Sections of a file at most.
const MAX_SECTIONS: usize = 4096;
/// Symbols of a file at most.
const MAX_SYMBOLS: usize = 1 << 16;
/// Bytes of all names of sections and symbols together at most. A table can name one long string
/// many times, so that the file's size is no bound.
const MAX_NAMES: usize = 16 << 20;
/// Bytes of an image at most.
const MAX_IMAGE: u64 = 4 << 20;
/// `s_code_end`: what the assembler puts behind a kernel for the instruction prefetcher.
const S_CODE_END: u32 = 0xbf9f_0000;

/// Why a code object cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ElfError {
    /// It is no ELF file, or its tables do not lie inside it.
    #[error("is not a sound ELF file: {0}")]
    Malformed(String),
    /// It is for another machine.
    #[error("is an ELF file of machine {0}, not of AMDGPU (224)")]
    Machine(u16),
    /// It has another ABI than HSA.
    #[error("has the OS/ABI {0}; HSA (64) is supported")]
    Abi(u8),
    /// It is for another GPU.
    #[error(
        "is for the AMDGPU machine {0:#x}; gfx1010 (0x33), gfx1013 (0x42) and gfx1030 (0x36) are supported"
    )]
    Gpu(u32),
    /// A table has more entries, or longer names, than any compiler writes.
    #[error("has too many {0}")]
    TooMany(&'static str),
    /// It has no kernel at all.
    #[error("has no kernel")]
    Empty,
    /// It has no kernel of that name.
    #[error("has no kernel `{wanted}`; there are: {}", listed(have))]
    NoKernel {
        /// The name asked for.
        wanted: String,
        /// The kernels there are.
        have: Vec<String>,
    },
    /// A kernel must be named.
    #[error("has several kernels, and `kernel` must name one: {}", listed(.0))]
    WhichKernel(Vec<String>),
    /// The descriptor or the code of the kernel does not lie in the file.
    #[error("kernel `{kernel}`: {what} does not lie in the file")]
    Outside {
        /// The kernel.
        kernel: String,
        /// What.
        what: &'static str,
    },
    /// The metadata cannot be read.
    #[error("kernel `{kernel}`: the metadata note is unusable: {reason}")]
    Metadata {
        /// The kernel.
        kernel: String,
        /// Why.
        reason: String,
    },
    /// Known, and not supported.
    #[error("kernel `{kernel}`: {what} is not supported")]
    Unsupported {
        /// The kernel.
        kernel: String,
        /// What.
        what: String,
    },
}

/// The first names of a list, for a message.
fn listed(names: &[String]) -> String {
    const LISTED: usize = 16;
    let mut text = names.get(..LISTED).unwrap_or(names).join(", ");
    if names.len() > LISTED {
        text.push_str(", …");
    }
    text
}

/// A group of user SGPRs that a kernel asks for, in the ABI's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserSgpr {
    /// V# of scratch, 4 SGPRs.
    PrivateSegmentBuffer,
    /// Address of the dispatch packet, 2.
    DispatchPtr,
    /// Address of the queue, 2.
    QueuePtr,
    /// Address of the kernel arguments, 2.
    KernargPtr,
    /// Dispatch id, 2.
    DispatchId,
    /// Flat scratch base and size, 2.
    FlatScratchInit,
    /// Scratch bytes of a lane, 1.
    PrivateSegmentSize,
}

impl UserSgpr {
    /// All, with their bit in the code properties, in the order in which they fill SGPRs.
    const ORDER: [(u16, UserSgpr); 7] = [
        (0, UserSgpr::PrivateSegmentBuffer),
        (1, UserSgpr::DispatchPtr),
        (2, UserSgpr::QueuePtr),
        (3, UserSgpr::KernargPtr),
        (4, UserSgpr::DispatchId),
        (5, UserSgpr::FlatScratchInit),
        (6, UserSgpr::PrivateSegmentSize),
    ];

    /// SGPRs that it fills.
    pub const fn count(self) -> u32 {
        match self {
            UserSgpr::PrivateSegmentBuffer => 4,
            UserSgpr::PrivateSegmentSize => 1,
            _ => 2,
        }
    }
}

/// What an argument is (`.value_kind`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// Bytes.
    ByValue,
    /// A global pointer.
    GlobalBuffer,
    /// An LDS offset of memory that the launch sizes.
    DynamicLds,
    /// Filled by the runtime: the kind without `hidden_`.
    Hidden(String),
    /// Anything else.
    Other(String),
}

/// A kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Byte offset in the kernarg segment.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: ArgKind,
    /// Its name in the source, where the metadata keeps it.
    pub name: String,
    /// The name of its type in the source, likewise.
    pub type_name: String,
}

/// One kernel of a code object.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The target that the file is for.
    pub target: Target,
    /// Its wave size.
    pub wave: WaveSize,
    /// Its words, without the padding behind them.
    pub code: Vec<u32>,
    /// What it may reach from its own address, where it takes one: functions and constants.
    pub image: Option<Image>,
    /// Static LDS in bytes.
    pub lds_bytes: u32,
    /// Scratch bytes of a lane.
    pub scratch_bytes: u32,
    /// Bytes of the kernarg segment.
    pub kernarg_bytes: u64,
    /// MODE at entry.
    pub mode: Mode,
    /// VGPRs that a wave gets.
    pub vgpr_count: u16,
    /// User SGPRs, in order.
    pub user_sgprs: Vec<UserSgpr>,
    /// System SGPRs, in order.
    pub system_sgprs: Vec<SystemSgpr>,
    /// Local ids in v0 on: 1 to 3.
    pub local_ids: u8,
    /// Arguments, hidden ones included, in the metadata's order.
    pub args: Vec<Arg>,
    /// The workgroup size that it was compiled for.
    pub required_local: Option<[u32; 3]>,
}

impl Kernel {
    /// The words that are run, from which the launch's entry counts.
    pub fn words(&self) -> &[u32] {
        self.image.as_ref().map_or(&self.code, |image| &image.words)
    }

    /// What a wave of the kernel holds at entry, for workgroups of a size: its own LDS alone, whole
    /// workgroups.
    pub fn launch(&self, local: [u32; 3]) -> Launch {
        let mut launch = Launch::compute(self.target, self.wave, local);
        launch.lds_bytes = self.lds_bytes;
        launch.scratch_bytes = self.scratch_bytes;
        // The first of the groups, where a kernel asks for it.
        let vsharp = self.user_sgprs.first() == Some(&UserSgpr::PrivateSegmentBuffer);
        launch.scratch_vsharp = (vsharp && self.scratch_bytes > 0).then_some(0);
        launch.user_sgprs = self.user_sgprs.iter().map(|g| g.count()).sum();
        launch.system_sgprs.clone_from(&self.system_sgprs);
        launch.vgprs = (0..self.local_ids)
            .map(|i| (i, InitialVgpr::LocalId(i)))
            .collect();
        launch.mode = self.mode;
        launch.vgpr_count = self.vgpr_count;
        launch.entry = self.image.as_ref().map_or(0, |image| image.entry);
        launch
    }
}

/// What a loader puts into memory of a file: its code and constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The words.
    pub words: Vec<u32>,
    /// Byte offset of the kernel.
    pub entry: u32,
}

/// Reads the kernel of a name, or the only one.
///
/// # Errors
/// The file or the kernel is unusable.
pub fn kernel(data: &[u8], wanted: Option<&str>) -> Result<Kernel, ElfError> {
    let file = CodeObject::parse(data)?;
    let have = file.kernels();
    let name = match (wanted, have.as_slice()) {
        (Some(name), _) if have.iter().any(|k| k == name) => name.to_owned(),
        (None, [only]) => only.clone(),
        (None, [_, _, ..]) => return Err(ElfError::WhichKernel(have)),
        (_, []) => return Err(ElfError::Empty),
        (Some(wanted), _) => {
            let wanted = wanted.to_owned();
            return Err(ElfError::NoKernel { wanted, have });
        }
    };
    file.kernel(&name)
}

struct Symbol<'a> {
    name: &'a str,
    value: u64,
    size: u64,
    section: SectionIndex,
}

/// A code object whose tables lie in the file.
pub struct CodeObject<'a> {
    target: Target,
    sections: &'a [Section],
    symbols: Vec<Symbol<'a>>,
    data: &'a [u8],
    /// The metadata note, or why there is none.
    metadata: Result<Value, String>,
}

fn malformed(e: object::read::Error) -> ElfError {
    ElfError::Malformed(e.to_string())
}

impl<'a> CodeObject<'a> {
    /// Reads the tables.
    ///
    /// # Errors
    /// It is no ELF file of a supported GPU, or a table does not lie in it.
    pub fn parse(data: &'a [u8]) -> Result<CodeObject<'a>, ElfError> {
        let header = Header::parse(data).map_err(malformed)?;
        header.endian().map_err(malformed)?;
        if header.is_big_endian() {
            return Err(ElfError::Malformed("it is big-endian".to_owned()));
        }
        let machine = header.e_machine(LE);
        if machine.0 != MACHINE_AMDGPU {
            return Err(ElfError::Machine(machine.0));
        }
        let abi = header.e_ident().os_abi;
        if abi.0 != OSABI_HSA {
            return Err(ElfError::Abi(abi.0));
        }
        let target = match header.e_flags(LE).0 & 0xff {
            0x33 => Target::Gfx1010,
            0x42 => Target::Gfx1013,
            0x36 => Target::Gfx1030,
            other => return Err(ElfError::Gpu(other)),
        };
        let table = header.sections(LE, data).map_err(malformed)?;
        if table.len() > MAX_SECTIONS {
            return Err(ElfError::TooMany("sections"));
        }
        let mut names = 0;
        let mut named = |name: &[u8]| {
            names += name.len();
            let few = names <= MAX_NAMES;
            few.then_some(()).ok_or(ElfError::TooMany("names"))
        };
        let mut relocated = false;
        for section in table.iter() {
            // Every section must lie in the file, used or not: a table that lies once is not trusted.
            let bytes = section.data(LE, data).map_err(malformed)?;
            named(table.section_name(LE, section).map_err(malformed)?)?;
            let ty = section.sh_type(LE);
            relocated |= (ty == elf::SHT_REL || ty == elf::SHT_RELA) && !bytes.is_empty();
        }
        let mut raw = table
            .symbols(LE, data, elf::SHT_SYMTAB)
            .map_err(malformed)?;
        if raw.is_empty() {
            raw = table
                .symbols(LE, data, elf::SHT_DYNSYM)
                .map_err(malformed)?;
        }
        if raw.len() > MAX_SYMBOLS {
            return Err(ElfError::TooMany("symbols"));
        }
        let mut symbols = Vec::new();
        for (index, symbol) in raw.enumerate() {
            let name = raw.symbol_name(LE, symbol).map_err(malformed)?;
            named(name)?;
            let section = raw.symbol_section(LE, symbol, index).map_err(malformed)?;
            if let (Ok(name), Some(section)) = (std::str::from_utf8(name), section) {
                symbols.push(Symbol {
                    name,
                    value: symbol.st_value(LE),
                    size: symbol.st_size(LE),
                    section,
                });
            }
        }
        let sections = table.iter().as_slice();
        let object = CodeObject {
            target,
            sections,
            symbols,
            data,
            metadata: metadata(sections, data)?,
        };
        if relocated {
            return Err(ElfError::Unsupported {
                kernel: object.kernels().join(", "),
                what: "a file with relocations (link it first)".to_owned(),
            });
        }
        Ok(object)
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> Vec<String> {
        self.symbols
            .iter()
            .filter_map(|s| s.name.strip_suffix(".kd"))
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn symbol(&self, name: &str) -> Option<&Symbol<'a>> {
        self.symbols.iter().find(|s| s.name == name)
    }

    /// Bytes of a section from an address on, and the address.
    fn from(&self, section: SectionIndex, address: u64) -> Option<&'a [u8]> {
        let section = self.sections.get(section.0)?;
        let offset = address.checked_sub(section.sh_addr(LE))?;
        let bytes = section.data(LE, self.data).ok()?;
        bytes.get(usize::try_from(offset).ok()?..)
    }

    /// The read-only sections at their places, around an address of the code; `None` where they are too far
    /// apart, or the address is in none.
    fn image(&self, address: u64) -> Option<Image> {
        let loaded = |s: &&Section| {
            let flags = s.sh_flags(LE).0;
            s.sh_type(LE) == elf::SHT_PROGBITS
                && flags & elf::SHF_ALLOC.0 != 0
                && flags & elf::SHF_WRITE.0 == 0
        };
        let sections = || self.sections.iter().filter(loaded);
        let base = sections().map(|s| s.sh_addr(LE)).min()? & !3;
        let end = |s: &Section| s.sh_addr(LE).checked_add(s.sh_size(LE));
        let end = sections().filter_map(end).max()?;
        let bytes = end.checked_sub(base).filter(|&n| n <= MAX_IMAGE)?;
        let mut image = vec![0; (bytes as usize).next_multiple_of(4)];
        for section in sections() {
            let from = section.data(LE, self.data).ok()?;
            let at = (section.sh_addr(LE) - base) as usize;
            image.get_mut(at..at + from.len())?.copy_from_slice(from);
        }
        let entry = address.checked_sub(base)?;
        Some(Image {
            words: crate::code::little_endian(&image)?,
            entry: u32::try_from(entry).ok()?,
        })
    }

    /// Reads a kernel.
    ///
    /// # Errors
    /// There is none of that name, or it is unusable.
    pub fn kernel(&self, name: &str) -> Result<Kernel, ElfError> {
        let outside = |what| ElfError::Outside {
            kernel: name.to_owned(),
            what,
        };
        let unsupported = |what: &str| ElfError::Unsupported {
            kernel: name.to_owned(),
            what: what.to_owned(),
        };
        let descriptor_symbol = self
            .symbol(&format!("{name}.kd"))
            .ok_or_else(|| outside("the descriptor"))?;
        let kd: &[u8; 64] = self
            .from(descriptor_symbol.section, descriptor_symbol.value)
            .and_then(|bytes| bytes.first_chunk())
            .ok_or_else(|| outside("the descriptor"))?;
        let dword = |at: usize| read_u32(kd, at);
        let entry_offset = u64::from(dword(16)) | u64::from(dword(20)) << 32;
        let entry = descriptor_symbol.value.wrapping_add(entry_offset);
        let function = self.symbol(name).ok_or_else(|| outside("the code"))?;
        if function.value != entry {
            return Err(outside("the entry that the descriptor names"));
        }
        let bytes = self
            .from(function.section, entry)
            .ok_or_else(|| outside("the code"))?;
        let bytes = match function.size {
            0 => bytes,
            size => usize::try_from(size)
                .ok()
                .and_then(|size| bytes.get(..size))
                .ok_or_else(|| outside("the code"))?,
        };
        let mut code = crate::code::little_endian(bytes)
            .ok_or_else(|| outside("the last word of the code"))?;
        while code.last() == Some(&S_CODE_END) {
            code.pop();
        }
        if code.is_empty() {
            return Err(outside("the code"));
        }
        let image = if code.iter().any(|&word| takes_address(word)) {
            self.image(entry)
        } else {
            None
        };

        let (rsrc1, rsrc2, rsrc3) = (dword(48), dword(52), dword(44));
        let properties = (dword(56) & 0xffff) as u16;
        if dword(56) >> 16 != 0 {
            return Err(unsupported("kernarg preload"));
        }
        if properties & 1 << 11 != 0 {
            return Err(unsupported("a dynamic stack"));
        }
        let known = 0x7f | 1 << 10;
        if properties & !known != 0 {
            return Err(unsupported(&format!(
                "the code property bits {properties:#x}"
            )));
        }
        if rsrc3 & 0xf != 0 {
            return Err(unsupported("shared VGPRs"));
        }
        let user_sgprs: Vec<UserSgpr> = UserSgpr::ORDER
            .iter()
            .filter(|(bit, _)| properties & 1 << bit != 0)
            .map(|&(_, group)| group)
            .collect();
        let declared = rsrc2 >> 1 & 0x1f;
        if declared != user_sgprs.iter().map(|g| g.count()).sum::<u32>() {
            return Err(unsupported(&format!(
                "a descriptor with {declared} user SGPRs and the properties {properties:#x}"
            )));
        }
        let mut system_sgprs = Vec::new();
        for axis in 0..3u8 {
            if rsrc2 & 1 << (7 + axis) != 0 {
                system_sgprs.push(SystemSgpr::GroupId(axis));
            }
        }
        if rsrc2 & 1 << 10 != 0 {
            system_sgprs.push(SystemSgpr::TgSize);
        }
        if rsrc2 & 1 != 0 {
            system_sgprs.push(SystemSgpr::ScratchOffset);
        }
        let local_ids = match rsrc2 >> 11 & 3 {
            3 => return Err(unsupported("TIDIG_COMP_CNT 3")),
            n => n as u8 + 1,
        };
        let unusable = |reason: &str| ElfError::Metadata {
            kernel: name.to_owned(),
            reason: reason.to_owned(),
        };
        let value = self.metadata.as_ref().map_err(|e| unusable(e))?;
        let meta = Metadata::read(value, name).map_err(unusable)?;
        let wave = if properties & 1 << 10 != 0 {
            WaveSize::W32
        } else {
            WaveSize::W64
        };
        Ok(Kernel {
            name: name.to_owned(),
            target: self.target,
            wave,
            code,
            image,
            lds_bytes: dword(0),
            scratch_bytes: dword(4),
            kernarg_bytes: meta.kernarg_bytes,
            mode: Mode::from_rsrc1(rsrc1, 26),
            vgpr_count: vgprs(rsrc1, wave),
            user_sgprs,
            system_sgprs,
            local_ids,
            args: meta.args,
            required_local: meta.required_local,
        })
    }
}

/// Whether a word may be S_GETPC_B64 or S_CALL_B64: only then the kernel reaches beyond itself.
const fn takes_address(word: u32) -> bool {
    word & 0xff80_ff00 == 0xbe80_1f00 || word >> 23 == 0xb000_0000 >> 23 | 0x16
}

/// The metadata note.
fn metadata(sections: &[Section], data: &[u8]) -> Result<Result<Value, String>, ElfError> {
    let mut left = data.len();
    for section in sections {
        // Sections that share bytes would make a small file long to read.
        if section.sh_type(LE) == elf::SHT_NOTE {
            let bytes = section.data(LE, data).map_err(malformed)?.len();
            left = left
                .checked_sub(bytes)
                .ok_or(ElfError::TooMany("bytes of notes"))?;
        }
        let Some(mut notes) = section.notes(LE, data).map_err(malformed)? else {
            continue;
        };
        while let Some(note) = notes.next().map_err(malformed)? {
            if note.name() == b"AMDGPU" && note.n_type(LE).0 == NOTE_METADATA {
                let value = rmpv::decode::read_value(&mut note.desc());
                return Ok(value.map_err(|e| e.to_string()));
            }
        }
    }
    Ok(Err("there is none".to_owned()))
}

fn read_u32(bytes: &[u8; 64], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|b| b.first_chunk())
        .map_or(0, |&b| u32::from_le_bytes(b))
}

/// VGPRs from `COMPUTE_PGM_RSRC1`: granules of 8 in wave32, 4 in wave64.
fn vgprs(rsrc1: u32, wave: WaveSize) -> u16 {
    let granule = match wave {
        WaveSize::W32 => 8,
        WaveSize::W64 => 4,
    };
    (((rsrc1 & 63) as u16 + 1) * granule).min(256)
}

struct Metadata {
    kernarg_bytes: u64,
    args: Vec<Arg>,
    required_local: Option<[u32; 3]>,
}

fn key<'v>(map: &'v Value, name: &str) -> Option<&'v Value> {
    map.as_map()?
        .iter()
        .find(|(k, _)| k.as_str() == Some(name))
        .map(|(_, v)| v)
}

impl Metadata {
    fn read(root: &Value, name: &str) -> Result<Metadata, &'static str> {
        let kernel = key(root, "amdhsa.kernels")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .find(|k| key(k, ".name").and_then(Value::as_str) == Some(name))
            .ok_or("it does not have the kernel")?;
        let number = |map: &Value, name| key(map, name).and_then(Value::as_u64);
        let kernarg_bytes =
            number(kernel, ".kernarg_segment_size").ok_or("it lacks .kernarg_segment_size")?;
        let mut args = Vec::new();
        let list = key(kernel, ".args").and_then(Value::as_array);
        for arg in list.into_iter().flatten() {
            let offset = number(arg, ".offset").ok_or("an argument lacks .offset")?;
            let size = number(arg, ".size").ok_or("an argument lacks .size")?;
            if offset
                .checked_add(size)
                .is_none_or(|end| end > kernarg_bytes)
            {
                return Err("an argument leaves the kernarg segment");
            }
            let kind = key(arg, ".value_kind")
                .and_then(Value::as_str)
                .ok_or("an argument lacks .value_kind")?;
            let kind = match kind {
                "by_value" => ArgKind::ByValue,
                "global_buffer" => ArgKind::GlobalBuffer,
                "dynamic_shared_pointer" => ArgKind::DynamicLds,
                other => match other.strip_prefix("hidden_") {
                    Some(hidden) => ArgKind::Hidden(hidden.to_owned()),
                    None => ArgKind::Other(other.to_owned()),
                },
            };
            let text = |name| key(arg, name).and_then(Value::as_str).unwrap_or_default();
            args.push(Arg {
                offset,
                size,
                kind,
                name: text(".name").to_owned(),
                type_name: text(".type_name").to_owned(),
            });
        }
        let required_local = match key(kernel, ".reqd_workgroup_size").map(Value::as_array) {
            None => None,
            Some(Some(list)) => {
                let sizes: Vec<u32> = list
                    .iter()
                    .filter_map(|v| v.as_u64().and_then(|n| u32::try_from(n).ok()))
                    .collect();
                let sizes = <[u32; 3]>::try_from(sizes);
                Some(sizes.map_err(|_| "an unusable .reqd_workgroup_size")?)
            }
            Some(None) => return Err("an unusable .reqd_workgroup_size"),
        };
        Ok(Metadata {
            kernarg_bytes,
            args,
            required_local,
        })
    }
}
