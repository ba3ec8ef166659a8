//! Resolves the shader and the launch of each dispatch: code, registers, kernel arguments. Knows no
//! executor.

use spirdna_isa::descriptor::vsharp;
use spirdna_isa::launch::{Denorm, InitialVgpr, Launch, Mode, Round, SystemSgpr};
use spirdna_isa::{Target, WaveSize};

use crate::case::Dispatch;
use crate::code::{self, MAX_CODE_BYTES, read_file};
use crate::elf::{self, Kernel};
use crate::error::{CaseError, Problem};
use crate::format::{
    CaseFile, DenormSpec, InitSpec, LaunchSpec, ModeSpec, RoundSpec, ScratchVia, SgprSpec,
    ShaderSpec, SystemSgprSpec, VgprSpec, VsharpSpec,
};
use crate::kernarg;
use crate::load::Loader;
use crate::memory::RegionId;
use crate::scratch;

/// Threads of a workgroup at most.
const MAX_LOCAL: u64 = 1024;
/// LDS bytes of a workgroup at most.
const MAX_LDS: u64 = 64 << 10;
/// SGPRs that a wave can start with: s0 to s105.
const MAX_SGPRS: u64 = 106;
/// Dispatches of a case at most.
const MAX_DISPATCHES: u64 = 4096;
/// Workgroups of a grid at most: the reference runs one after the other.
const MAX_GROUPS: u64 = 1 << 20;

/// The code of a shader.
enum Code {
    /// Words, with what the case says of them.
    Raw {
        words: Vec<u32>,
        target: Target,
        wave: WaveSize,
    },
    /// A kernel of a code object.
    Kernel(Box<Kernel>),
}

/// All dispatches of a case, in order.
pub(crate) fn dispatches(loader: &mut Loader, file: &CaseFile) -> Result<Vec<Dispatch>, CaseError> {
    let mut list = Vec::new();
    if let (Some(shader), Some(launch)) = (&file.shader, &file.launch) {
        list.push(("".to_owned(), shader, launch));
    } else if file.dispatch.is_empty() {
        let key = if file.shader.is_none() {
            "shader"
        } else {
            "launch"
        };
        return Err(loader.error(key, Problem::Missing));
    }
    for (i, spec) in file.dispatch.iter().enumerate() {
        let key = format!("dispatch[{i}].");
        let missing = |name: &str| loader.error(format!("{key}{name}"), Problem::Missing);
        let shader = spec.shader.as_ref().or(file.shader.as_ref());
        let launch = spec.launch.as_ref().or(file.launch.as_ref());
        let shader = shader.ok_or_else(|| missing("shader"))?;
        let launch = launch.ok_or_else(|| missing("launch"))?;
        list.push((key, shader, launch));
    }
    at_most(loader, "dispatch", list.len() as u64, MAX_DISPATCHES)?;
    let mut out = Vec::new();
    for (i, (key, shader, launch)) in list.into_iter().enumerate() {
        let code = read_code(loader, shader, &format!("{key}shader"))?;
        let key = format!("{key}launch");
        out.push(match code {
            Code::Raw {
                words,
                target,
                wave,
            } => raw_dispatch(loader, words, target, wave, launch, &key, i)?,
            Code::Kernel(kernel) => kernel_dispatch(loader, *kernel, launch, &key, i)?,
        });
    }
    Ok(out)
}

fn at_most(loader: &Loader, key: &str, value: u64, limit: u64) -> Result<(), CaseError> {
    if value > limit {
        return Err(loader.error(key, Problem::Limit { value, limit }));
    }
    Ok(())
}

fn read_code(loader: &mut Loader, spec: &ShaderSpec, key: &str) -> Result<Code, CaseError> {
    let have = [&spec.code, &spec.asm, &spec.elf];
    let have = have.iter().filter(|form| form.is_some()).count();
    if have != 1 {
        let of = "code, asm and elf";
        return Err(loader.error(key, Problem::OneOf { of, have }));
    }
    let target = match &spec.target {
        None => None,
        Some(name) => Some(Target::from_name(name).ok_or_else(|| {
            let problem = Problem::Unknown {
                value: name.clone(),
                known: Target::ALL.map(Target::name).join(", "),
            };
            loader.error(format!("{key}.target"), problem)
        })?),
    };
    let wave = match spec.wave {
        None => None,
        Some(lanes) => Some(WaveSize::from_lanes(lanes).ok_or_else(|| {
            let problem = Problem::Unknown {
                value: lanes.to_string(),
                known: "32, 64".to_owned(),
            };
            loader.error(format!("{key}.wave"), problem)
        })?),
    };
    if let Some(name) = &spec.elf {
        let path = loader.beside(name);
        let data = read_file(&path, MAX_CODE_BYTES)?;
        loader.budget(data.len() as u64, &format!("{key}.elf"))?;
        if data.is_empty() {
            return Err(Problem::Empty.at(path, ""));
        }
        let kernel = elf::kernel(&data, spec.kernel.as_deref())
            .map_err(|e| Problem::Elf(e).at(&path, ""))?;
        let disagrees = |name: &str, have: String, want: String| {
            loader.error(format!("{key}.{name}"), Problem::Disagrees { have, want })
        };
        if let Some(target) = target.filter(|&t| t != kernel.target) {
            let (have, want) = (kernel.target.name(), target.name());
            return Err(disagrees("target", have.to_owned(), want.to_owned()));
        }
        if let Some(wave) = wave.filter(|&w| w != kernel.wave) {
            let text = |w: WaveSize| format!("waves of {}", w.lanes());
            return Err(disagrees("wave", text(kernel.wave), text(wave)));
        }
        return Ok(Code::Kernel(Box::new(kernel)));
    }
    if spec.kernel.is_some() {
        let problem = Problem::Conflict {
            other: "code or asm",
        };
        return Err(loader.error(format!("{key}.kernel"), problem));
    }
    let missing = |name: &str| loader.error(format!("{key}.{name}"), Problem::Missing);
    let target = target.ok_or_else(|| missing("target"))?;
    let wave = wave.ok_or_else(|| missing("wave"))?;
    let (code, asm) = (spec.code.as_deref(), spec.asm.as_deref());
    let words = read_words(loader, target, wave, code, asm, key)?;
    Ok(Code::Raw {
        words,
        target,
        wave,
    })
}

/// The words of a code file, or of assembly.
pub(crate) fn read_words(
    loader: &mut Loader,
    target: Target,
    wave: WaveSize,
    code: Option<&str>,
    asm: Option<&str>,
    key: &str,
) -> Result<Vec<u32>, CaseError> {
    match (code, asm) {
        (Some(name), _) => {
            let path = loader.beside(name);
            let bytes = read_file(&path, MAX_CODE_BYTES)?;
            loader.budget(bytes.len() as u64, &format!("{key}.code"))?;
            code::words(&bytes).map_err(|p| p.at(&path, ""))
        }
        (None, text) => {
            let text = text.unwrap_or_default();
            loader.budget(text.len() as u64, &format!("{key}.asm"))?;
            let words = code::assemble(target, wave, text)
                .map_err(|p| loader.error(format!("{key}.asm"), p))?;
            if words.is_empty() {
                return Err(loader.error(format!("{key}.asm"), Problem::Empty));
            }
            Ok(words)
        }
    }
}

/// User SGPRs, and those of them that hold the low half of a region's address.
#[allow(clippy::type_complexity, reason = "the two lists of a dispatch")]
pub(crate) fn user_sgprs(
    loader: &Loader,
    specs: &[SgprSpec],
    key: &str,
) -> Result<(Vec<u32>, Vec<(u32, RegionId, u64)>), CaseError> {
    let (mut user, mut pointers) = (Vec::new(), Vec::new());
    extend_sgprs(loader, specs, key, &mut user, &mut pointers)?;
    Ok((user, pointers))
}

fn extend_sgprs(
    loader: &Loader,
    specs: &[SgprSpec],
    key: &str,
    user: &mut Vec<u32>,
    pointers: &mut Vec<(u32, RegionId, u64)>,
) -> Result<(), CaseError> {
    for (i, sgpr) in specs.iter().enumerate() {
        if let SgprSpec::Lo { memory, add } = sgpr {
            let (id, _) = loader.region(memory, &format!("{key}.sgprs[{i}]"))?;
            pointers.push((user.len() as u32, id, *add));
        }
        sgpr_words(loader, sgpr, &format!("{key}.sgprs[{i}]"), user)?;
    }
    Ok(())
}

/// Workgroups and threads of the grid.
fn grid(
    loader: &Loader,
    spec: &LaunchSpec,
    key: &str,
) -> Result<([u32; 3], [u32; 3], bool), CaseError> {
    for &n in &spec.local {
        if n == 0 || u64::from(n) > MAX_LOCAL {
            let problem = Problem::Range {
                value: n.into(),
                least: 1,
                most: MAX_LOCAL,
            };
            return Err(loader.error(format!("{key}.local"), problem));
        }
    }
    let threads: u64 = spec.local.iter().map(|&n| u64::from(n)).product();
    at_most(loader, &format!("{key}.local"), threads, MAX_LOCAL)?;
    let [lx, ly, lz] = spec.local;
    match (spec.groups, spec.threads) {
        (Some(groups), None) => {
            let mut threads = [0; 3];
            for ((t, &g), l) in threads.iter_mut().zip(&groups).zip(spec.local) {
                let product = u64::from(g) * u64::from(l);
                at_most(loader, &format!("{key}.groups"), product, u32::MAX.into())?;
                *t = product as u32;
            }
            let count = crate::case::group_count(groups);
            at_most(loader, &format!("{key}.groups"), count, MAX_GROUPS)?;
            Ok((groups, threads, false))
        }
        (None, Some(threads)) => {
            let [tx, ty, tz] = threads;
            let groups = [tx.div_ceil(lx), ty.div_ceil(ly), tz.div_ceil(lz)];
            let count = crate::case::group_count(groups);
            at_most(loader, &format!("{key}.threads"), count, MAX_GROUPS)?;
            let partial = tx % lx != 0 || ty % ly != 0 || tz % lz != 0;
            Ok((groups, threads, partial))
        }
        (groups, threads) => {
            let problem = Problem::OneOf {
                of: "groups and threads",
                have: usize::from(groups.is_some()) + usize::from(threads.is_some()),
            };
            Err(loader.error(key, problem))
        }
    }
}

fn raw_dispatch(
    loader: &mut Loader,
    words: Vec<u32>,
    target: Target,
    wave: WaveSize,
    spec: &LaunchSpec,
    key: &str,
    index: usize,
) -> Result<Dispatch, CaseError> {
    if spec.kernarg.is_some() {
        let problem = Problem::Conflict {
            other: "code or asm",
        };
        return Err(loader.error(format!("{key}.kernarg"), problem));
    }
    let (groups, threads, partial) = grid(loader, spec, key)?;
    let lds = u64::from(spec.lds);
    at_most(loader, &format!("{key}.lds"), lds, MAX_LDS)?;
    let mut launch = Launch::compute(target, wave, spec.local);
    launch.scratch_bytes = spec.scratch.bytes;
    let via = spec.scratch.via;
    let mut user = scratch::user_sgprs(loader, &launch, via, groups, key, index)?;
    let mut pointers = Vec::new();
    extend_sgprs(loader, &spec.sgprs, key, &mut user, &mut pointers)?;
    let system: Vec<SystemSgpr> = spec.system_sgprs.iter().copied().map(system_sgpr).collect();
    let count = (user.len() + system.len()) as u64;
    at_most(loader, &format!("{key}.sgprs"), count, MAX_SGPRS)?;
    launch.partial_groups = partial;
    launch.lds_bytes = spec.lds;
    launch.scratch_vsharp = (via == ScratchVia::Vsharp && launch.scratch_bytes > 0).then_some(0);
    launch.user_sgprs = user.len() as u32;
    launch.system_sgprs = system;
    if let Some(vgprs) = &spec.vgprs {
        launch.vgprs = initial_vgprs(loader, vgprs, wave, &format!("{key}.vgprs"))?;
    }
    if let Some(count) = spec.vgpr_count {
        let first = launch.vgprs.iter().map(|(reg, _)| u16::from(*reg) + 1);
        let (least, most) = (u64::from(first.max().unwrap_or(1)), 256);
        if !(least..=most).contains(&u64::from(count)) {
            let problem = Problem::Range {
                value: count.into(),
                least,
                most,
            };
            return Err(loader.error(format!("{key}.vgpr_count"), problem));
        }
        launch.vgpr_count = count;
    }
    launch.mode = mode(spec.mode.unwrap_or_default());
    init(&mut launch, spec.init);
    Ok(Dispatch {
        code: words,
        launch,
        user_sgprs: user,
        pointers,
        groups,
        threads,
        scratch_via: spec.scratch.via,
    })
}

fn kernel_dispatch(
    loader: &mut Loader,
    kernel: Kernel,
    spec: &LaunchSpec,
    key: &str,
    index: usize,
) -> Result<Dispatch, CaseError> {
    let given = [
        ("sgprs", !spec.sgprs.is_empty()),
        ("system_sgprs", !spec.system_sgprs.is_empty()),
        ("vgprs", spec.vgprs.is_some()),
        ("vgpr_count", spec.vgpr_count.is_some()),
        ("mode", spec.mode.is_some()),
        ("scratch", spec.scratch.bytes != 0),
        ("init.entry", spec.init.entry.is_some()),
    ];
    if let Some((name, _)) = given.iter().find(|(_, there)| *there) {
        let problem = Problem::Conflict { other: "elf" };
        return Err(loader.error(format!("{key}.{name}"), problem));
    }
    let (groups, threads, partial) = grid(loader, spec, key)?;
    if let Some(required) = kernel.required_local.filter(|&l| l != spec.local) {
        let problem = Problem::Disagrees {
            have: format!("the workgroup size {required:?}"),
            want: format!("{:?}", spec.local),
        };
        return Err(loader.error(format!("{key}.local"), problem));
    }
    let lds = u64::from(kernel.lds_bytes) + u64::from(spec.lds);
    at_most(loader, &format!("{key}.lds"), lds, MAX_LDS)?;
    let mut launch = kernel.launch(spec.local);
    launch.partial_groups = partial;
    launch.lds_bytes = lds as u32;
    init(&mut launch, spec.init);
    let grid = kernarg::Grid {
        threads,
        local: spec.local,
        dynamic_lds: spec.lds,
        static_lds: kernel.lds_bytes,
    };
    let arguments = spec.kernarg.as_deref().unwrap_or_default();
    let scratch = if kernel.scratch_bytes == 0 {
        None
    } else {
        Some(scratch::place(loader, &launch, groups, key, index)?)
    };
    let user = kernarg::user_sgprs(loader, &kernel, arguments, &grid, scratch, key, index)?;
    launch.user_sgprs = user.len() as u32;
    let code = match kernel.image {
        Some(image) => {
            launch.entry = image.entry;
            image.words
        }
        None => kernel.code,
    };
    Ok(Dispatch {
        code,
        launch,
        user_sgprs: user,
        pointers: Vec::new(),
        groups,
        threads,
        scratch_via: ScratchVia::Vsharp,
    })
}

fn init(launch: &mut Launch, spec: InitSpec) {
    launch.exec = spec.exec.map(u64::from);
    launch.vcc = spec.vcc.map(u64::from);
    launch.m0 = spec.m0;
    if let Some(address) = spec.code {
        launch.code_address = u64::from(address) & !3;
    }
    if let Some(entry) = spec.entry {
        launch.entry = entry & !3;
    }
}

fn sgpr_words(
    loader: &Loader,
    spec: &SgprSpec,
    key: &str,
    out: &mut Vec<u32>,
) -> Result<(), CaseError> {
    let address = |name: &str, add: u64| {
        let (_, region) = loader.region(name, key)?;
        Ok(region.address.wrapping_add(add))
    };
    match spec {
        SgprSpec::Value(value) => out.push(*value),
        SgprSpec::Lo { memory, add } => out.push(address(memory, *add)? as u32),
        SgprSpec::Hi { memory, add } => out.push((address(memory, *add)? >> 32) as u32),
        SgprSpec::Vsharp(spec) => {
            out.extend(vsharp_words(loader, spec, &format!("{key}.vsharp"))?);
        }
    }
    Ok(())
}

fn vsharp_words(loader: &Loader, spec: &VsharpSpec, key: &str) -> Result<[u32; 4], CaseError> {
    let (_, region) = loader.region(&spec.memory, &format!("{key}.memory"))?;
    let range = |name: &str, value: u64, least: u64, most: u64| {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let problem = Problem::Range { value, least, most };
        Err(loader.error(format!("{key}.{name}"), problem))
    };
    let length = region.bytes.len() as u64;
    range("offset", spec.offset, 0, length)?;
    range("stride", spec.stride.into(), 0, 0x3fff)?;
    let rest = length - spec.offset;
    let records = match spec.num_records {
        Some(records) => records,
        None if spec.stride == 0 => rest as u32,
        None => (rest / u64::from(spec.stride)) as u32,
    };
    let oob = spec
        .oob_select
        .unwrap_or(if spec.stride == 0 { 3 } else { 0 });
    range("oob_select", oob.into(), 0, 3)?;
    let index_stride = spec.index_stride.unwrap_or(8);
    let index_code = match index_stride {
        8 => 0,
        16 => 1,
        32 => 2,
        64 => 3,
        _ => {
            let problem = Problem::Unknown {
                value: index_stride.to_string(),
                known: "8, 16, 32, 64".to_owned(),
            };
            return Err(loader.error(format!("{key}.index_stride"), problem));
        }
    };
    let base = region.address.wrapping_add(spec.offset);
    let mut words = [0; 4];
    let fields = [
        (vsharp::BASE_LO, base as u32),
        (vsharp::BASE_HI, (base >> 32) as u32),
        (vsharp::STRIDE, spec.stride),
        (vsharp::SWIZZLE_ENABLE, spec.swizzle.into()),
        (vsharp::NUM_RECORDS, records),
        (vsharp::FORMAT, spec.format.0.into()),
        (vsharp::INDEX_STRIDE, index_code),
        (vsharp::ADD_TID, spec.add_tid.into()),
        (vsharp::RESOURCE_LEVEL, 1),
        (vsharp::OOB_SELECT, oob),
    ];
    for (field, value) in fields {
        words = field.set(words, value);
    }
    for (field, code) in vsharp::DST_SEL.into_iter().zip(spec.dst_sel.0) {
        words = field.set(words, code.into());
    }
    Ok(words)
}

fn system_sgpr(spec: SystemSgprSpec) -> SystemSgpr {
    match spec {
        SystemSgprSpec::GroupIdX => SystemSgpr::GroupId(0),
        SystemSgprSpec::GroupIdY => SystemSgpr::GroupId(1),
        SystemSgprSpec::GroupIdZ => SystemSgpr::GroupId(2),
        SystemSgprSpec::TgSize => SystemSgpr::TgSize,
        SystemSgprSpec::ScratchOffset => SystemSgpr::ScratchOffset,
    }
}

fn initial_vgprs(
    loader: &Loader,
    specs: &[VgprSpec],
    wave: WaveSize,
    key: &str,
) -> Result<Vec<(u8, InitialVgpr)>, CaseError> {
    let mut out: Vec<(u8, InitialVgpr)> = Vec::new();
    let mut next = 0u8;
    for (i, spec) in specs.iter().enumerate() {
        let key = format!("{key}[{i}]");
        let (reg, content) = match spec {
            VgprSpec::LocalId(axis) => {
                let reg = next;
                next = next.saturating_add(1);
                (reg, InitialVgpr::LocalId(*axis))
            }
            VgprSpec::PerLane { reg, values } => {
                let lanes = u64::from(wave.lanes());
                if values.len() as u64 != lanes {
                    let problem = Problem::Range {
                        value: values.len() as u64,
                        least: lanes,
                        most: lanes,
                    };
                    return Err(loader.error(format!("{key}.u32"), problem));
                }
                (*reg, InitialVgpr::PerLane(values.clone()))
            }
        };
        if out.iter().any(|&(r, _)| r == reg) {
            return Err(loader.error(key, Problem::Duplicate(format!("v{reg}"))));
        }
        out.push((reg, content));
    }
    Ok(out)
}

fn mode(spec: ModeSpec) -> Mode {
    let default = Mode::default();
    let round = |r: Option<RoundSpec>, absent| match r {
        None => absent,
        Some(RoundSpec::Rne) => Round::NearestEven,
        Some(RoundSpec::Pinf) => Round::PlusInfinity,
        Some(RoundSpec::Ninf) => Round::MinusInfinity,
        Some(RoundSpec::Rtz) => Round::TowardZero,
    };
    let denorm = |d: Option<DenormSpec>, absent| match d {
        None => absent,
        Some(DenormSpec::Flush) => Denorm::FlushInOut,
        Some(DenormSpec::FlushIn) => Denorm::FlushIn,
        Some(DenormSpec::FlushOut) => Denorm::FlushOut,
        Some(DenormSpec::Allow) => Denorm::Allow,
    };
    Mode {
        round32: round(spec.round32, default.round32),
        round16_64: round(spec.round16_64, default.round16_64),
        denorm32: denorm(spec.denorm32, default.denorm32),
        denorm16_64: denorm(spec.denorm16_64, default.denorm16_64),
        ieee: spec.ieee.unwrap_or(default.ieee),
        dx10_clamp: spec.dx10_clamp.unwrap_or(default.dx10_clamp),
        fp16_ovfl: spec.fp16_ovfl.unwrap_or(default.fp16_ovfl),
    }
}
