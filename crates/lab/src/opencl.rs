//! OpenCL C kernels: through clang to a code object of each target, and through the same clang to the
//! host's CPU, where one thread a work item runs the same source: what that leaves is what the translation
//! must leave. Knows the arguments of a kernel from its metadata.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use spirdna_case::elf::{Arg, ArgKind, CodeObject, Kernel};
use spirdna_isa::Target;
use spirdna_vulkan::child::run_in_child;

use crate::data::{self, Content};
use crate::directive::{DataSpec, Directives, Element, Rule};
use crate::error::LabError;
use crate::interface::Type;
use crate::prepare::{Plan, ended, variants};
use crate::prepared::{Compared, Ended, Sheet, write};
use crate::tool::tool;

/// How long the host may run a kernel.
const HOST_LIMIT: Duration = Duration::from_secs(60);

/// Threads of a workgroup where nothing is said.
const LOCAL: [u32; 3] = [64, 1, 1];

/// LDS of an argument begins at a multiple of this.
const LDS_ALIGN: u32 = 16;

/// An argument with its value.
struct Value {
    name: String,
    /// Its type in the host's C.
    host: String,
    kind: Kind,
}

enum Kind {
    /// A region of memory, in a file.
    Memory { content: Content, file: String },
    /// Workgroup memory of so many bytes.
    Local(u32),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Prepares a kernel for every target and wave size. What is wrong with it stands in a sheet.
///
/// # Errors
/// A tool is missing, or a file cannot be written.
pub fn prepare(name: &str, path: &Path, plan: &Plan<'_>) -> Result<Vec<Sheet>, LabError> {
    let failed = |point: &str, end: Ended| {
        let mut sheet = Sheet::new(name, point, "opencl", "", 0);
        sheet.ended = Some(end);
        vec![sheet]
    };
    let text = std::fs::read_to_string(path).map_err(LabError::file(path))?;
    let directives = match Directives::read(&text) {
        Ok(directives) => directives,
        Err(error) => return Ok(failed("", ended(error)?)),
    };
    let point = directives.point.clone();
    if let Some(reason) = &directives.skip {
        return Ok(failed(&point, Ended::Skip(reason.clone())));
    }
    match all(name, path, &directives, plan) {
        Ok(sheets) => Ok(sheets),
        Err(error) => Ok(failed(&point, ended(error)?)),
    }
}

fn all(
    name: &str,
    path: &Path,
    directives: &Directives,
    plan: &Plan<'_>,
) -> Result<Vec<Sheet>, LabError> {
    let stem = name.replace(['/', '\\'], ".");
    let mut sheets = Vec::new();
    let mut values: Option<Vec<Value>> = None;
    for (target, wave) in variants(plan, name, directives, &Target::ALL) {
        let mut sheet = Sheet::new(name, &directives.point, "opencl", target.name(), wave);
        let object = plan.folder.join(format!("{}.co", sheet.stem()));
        let start = Instant::now();
        tool(
            Command::new("clang-19")
                .args(arguments(&plan.header))
                .args([
                    "-target",
                    "amdgcn-amd-amdhsa",
                    &format!("-mcpu={}", target.name()),
                    if wave == 64 {
                        "-mwavefrontsize64"
                    } else {
                        "-mno-wavefrontsize64"
                    },
                    "-nogpulib",
                    "-O3",
                    "-o",
                ])
                .arg(&object)
                .arg(path),
        )?;
        sheet.compile_us = Some(start.elapsed().as_micros() as u64);
        let bytes = std::fs::read(&object).map_err(LabError::file(&object))?;
        let kernel = kernel(&bytes, directives)?;
        let local = directives.local.or(kernel.required_local).unwrap_or(LOCAL);
        if values.is_none() {
            let made = arguments_of(&stem, &kernel, directives, local, plan.folder)?;
            host(&stem, path, &kernel, directives, local, &made, plan)?;
            values = Some(made);
        }
        let values = values.as_deref().unwrap_or_default();
        let case = format!("{}.case.toml", sheet.stem());
        let object = object.file_name().map(|n| n.to_string_lossy().into_owned());
        let object = object.unwrap_or_default();
        let text = text(directives, &kernel, local, values, &object);
        write(&plan.folder.join(&case), text.as_bytes())?;
        sheet.case = Some(case);
        // Instructions are not counted by the compiler; most are 1 or 2 words.
        sheet.instructions = count(target, &kernel.code);
        sheet.rule = directives.compare.unwrap_or(Rule::Bits).to_string();
        sheet.regions = values.iter().filter_map(|v| compared(&stem, v)).collect();
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// Instructions up to the end of the code.
fn count(target: Target, words: &[u32]) -> u64 {
    spirdna_isa::Decoder::new(target, words)
        .filter(Result::is_ok)
        .count() as u64
}

fn compared(stem: &str, value: &Value) -> Option<Compared> {
    let Kind::Memory { content, .. } = &value.kind else {
        return None;
    };
    Some(Compared {
        region: value.name.clone(),
        places: content.places.clone(),
        expected: Some(expected_file(stem, &value.name)),
    })
}

fn expected_file(stem: &str, region: &str) -> String {
    format!("{stem}.{region}.expected.bin")
}

/// What both compilations share.
fn arguments(header: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = [
        "-x",
        "cl",
        "-cl-std=CL2.0",
        "-cl-kernel-arg-info",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-Wno-everything",
        "-ffp-contract=off",
        "-include",
    ]
    .map(PathBuf::from)
    .to_vec();
    all.push(header.to_owned());
    all
}

fn kernel(bytes: &[u8], directives: &Directives) -> Result<Kernel, LabError> {
    let wrong = |e: spirdna_case::elf::ElfError| LabError::Unsupported(e.to_string());
    let object = CodeObject::parse(bytes).map_err(wrong)?;
    let kernels = object.kernels();
    let wanted = match (&directives.kernel, kernels.as_slice()) {
        (Some(wanted), _) => wanted.clone(),
        (None, [only]) => only.clone(),
        (None, _) => {
            let text = format!("`kernel` must name one of {}", kernels.join(", "));
            return Err(LabError::Directive(text));
        }
    };
    object.kernel(&wanted).map_err(wrong)
}

/// The explicit arguments.
fn explicit(kernel: &Kernel) -> impl Iterator<Item = &Arg> {
    let hidden = |a: &&Arg| !matches!(a.kind, ArgKind::Hidden(_));
    kernel.args.iter().filter(hidden)
}

/// Fills the arguments, and writes the files of those that are memory.
fn arguments_of(
    stem: &str,
    kernel: &Kernel,
    directives: &Directives,
    local: [u32; 3],
    folder: &Path,
) -> Result<Vec<Value>, LabError> {
    let threads = |(g, l): (u32, u32)| g as usize * l as usize;
    let groups = directives.grid();
    let invocations: usize = groups.into_iter().zip(local).map(threads).product();
    let count = directives.count.map_or(invocations, |n| n as usize);
    let mut values = Vec::new();
    for arg in explicit(kernel) {
        let declared = arg.type_name.trim_end_matches('*').trim();
        let (element, width) = element(declared);
        let name = arg.name.clone();
        let value = match arg.kind {
            ArgKind::GlobalBuffer => {
                let spec = directives.data_of(&name, "");
                let element = element.or(spec.ty).unwrap_or(Element::U32);
                let scalar = Type::Scalar(element);
                let ty = Type::Array {
                    of: Box::new(Type::Array {
                        of: Box::new(scalar),
                        stride: element.bytes(),
                        count: Some(width),
                    }),
                    stride: element.bytes() * width,
                    count: None,
                };
                let rule = directives.compare.unwrap_or(Rule::Bits);
                let content = data::fill(stem, &name, &ty, directives, count, rule)?;
                let file = format!("{stem}.{name}.bin");
                write(&folder.join(&file), &content.bytes)?;
                Value {
                    name,
                    host: "void *".to_owned(),
                    kind: Kind::Memory { content, file },
                }
            }
            ArgKind::DynamicLds => {
                let bytes = directives.lds.get(&name).copied().ok_or_else(|| {
                    LabError::Directive(format!("say `lds.{name}`: its bytes of local memory"))
                })?;
                Value {
                    name,
                    host: "void *".to_owned(),
                    kind: Kind::Local(bytes),
                }
            }
            ArgKind::ByValue => {
                let size = arg.size as usize;
                let element = element.ok_or_else(|| {
                    let text = format!("the argument {name} of type {declared} by value");
                    LabError::Unsupported(text)
                })?;
                let mut said = directives.clone();
                if let Some(number) = directives.arg.get(&name) {
                    let spec = DataSpec {
                        values: Some(vec![number.clone()]),
                        ..DataSpec::default()
                    };
                    said.data.insert(name.clone(), spec);
                }
                let ty = Type::Array {
                    of: Box::new(Type::Scalar(element)),
                    stride: element.bytes(),
                    count: Some(size / element.bytes()),
                };
                let mut content = data::fill(stem, &name, &ty, &said, 1, Rule::Bits)?;
                content.bytes.truncate(size);
                Value {
                    name,
                    host: host_type(element, width),
                    kind: Kind::Bytes(content.bytes),
                }
            }
            ArgKind::Hidden(_) => continue,
            ArgKind::Other(ref kind) => {
                return Err(LabError::Unsupported(format!(
                    "the argument {name}: {kind}"
                )));
            }
        };
        values.push(value);
    }
    Ok(values)
}

/// The scalar of an OpenCL type and how many a vector of it takes in memory (three take four).
fn element(name: &str) -> (Option<Element>, usize) {
    let name = name.rsplit(' ').next().unwrap_or(name);
    let name = name.strip_prefix("atomic_").unwrap_or(name);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (scalar, width) = name.split_at(name.len() - digits);
    let element = match scalar {
        "char" => Element::I8,
        "uchar" => Element::U8,
        "short" => Element::I16,
        "ushort" => Element::U16,
        "int" => Element::I32,
        "uint" => Element::U32,
        "long" => Element::I64,
        "ulong" | "size_t" => Element::U64,
        "half" => Element::F16,
        "float" => Element::F32,
        "double" => Element::F64,
        _ => return (None, 1),
    };
    let width = width.parse().unwrap_or(1);
    (Some(element), if width == 3 { 4 } else { width })
}

/// A type of the host's C.
fn host_type(element: Element, width: usize) -> String {
    let scalar = match element {
        Element::I8 => "signed char",
        Element::U8 => "unsigned char",
        Element::I16 => "short",
        Element::U16 => "unsigned short",
        Element::I32 => "int",
        Element::U32 => "unsigned int",
        Element::I64 => "long",
        Element::U64 => "unsigned long",
        Element::F16 => "_Float16",
        Element::F32 => "float",
        Element::F64 => "double",
    };
    match width {
        1 => scalar.to_owned(),
        width => format!("lab_vector({scalar}, {width})"),
    }
}

/// Compiles the kernel and a runner for the host, runs it, and keeps what it leaves.
fn host(
    stem: &str,
    path: &Path,
    kernel: &Kernel,
    directives: &Directives,
    local: [u32; 3],
    values: &[Value],
    plan: &Plan<'_>,
) -> Result<(), LabError> {
    let folder = plan.folder;
    let (object, runner) = (
        folder.join(format!("{stem}.host.o")),
        folder.join(format!("{stem}.host.c")),
    );
    let program = folder.join(format!("{stem}.host"));
    tool(
        Command::new("clang-19")
            .args(arguments(&plan.header))
            .args([
                "-target",
                "x86_64-unknown-linux-gnu",
                "-O2",
                "-Xclang",
                "-ffloat16-excess-precision=none",
                "-Xclang",
                "-cl-ext=+all",
                "-c",
                "-o",
            ])
            .arg(&object)
            .arg(path),
    )?;
    let text = runner_text(stem, kernel, directives.grid(), local, values);
    write(&runner, text.as_bytes())?;
    tool(
        Command::new("clang-19")
            .args(["-O1", "-w", "-o"])
            .arg(&program)
            .arg(&runner)
            .arg(&object)
            .args(["-lm", "-lpthread"]),
    )?;
    let mut command =
        Command::new(std::path::absolute(&program).map_err(LabError::file(&program))?);
    command.current_dir(folder);
    let output = run_in_child(command, HOST_LIMIT)
        .map_err(|e| LabError::Unsupported(format!("the kernel on the host: {e}")))?;
    for file in [&object, &runner, &program] {
        // They are made again by the next run; what is left over does no harm.
        let _ = std::fs::remove_file(file);
    }
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(LabError::Unsupported(format!(
        "the kernel on the host: {} {said}",
        output.status
    )))
}

/// The host's program: one thread a work item of a workgroup, one workgroup after the other.
fn runner_text(
    stem: &str,
    kernel: &Kernel,
    groups: [u32; 3],
    local: [u32; 3],
    values: &[Value],
) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_runner(&mut out, stem, kernel, groups, local, values);
    out
}

fn write_runner(
    out: &mut String,
    stem: &str,
    kernel: &Kernel,
    groups: [u32; 3],
    local: [u32; 3],
    values: &[Value],
) -> std::fmt::Result {
    let [gx, gy, gz] = groups;
    let [lx, ly, lz] = local;
    writeln!(
        out,
        "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #define lab_vector(T, N) T __attribute__((ext_vector_type(N)))\n\
         enum {{ LX = {lx}, LY = {ly}, LZ = {lz}, N = LX * LY * LZ, GX = {gx}, GY = {gy}, GZ = {gz} }};\n\
         static pthread_barrier_t meet;\n\
         static __thread size_t ids[4][3];\n\
         size_t lab_host_id(unsigned what, unsigned axis) {{ return axis < 3 ? ids[what][axis] : what > 1; }}\n\
         void lab_host_barrier(void) {{ pthread_barrier_wait(&meet); }}"
    )?;
    for (i, value) in values.iter().enumerate() {
        match &value.kind {
            Kind::Memory { content, .. } => {
                let bytes = content.bytes.len();
                writeln!(
                    out,
                    "static char a{i}[{bytes}] __attribute__((aligned(128)));"
                )?;
            }
            Kind::Local(bytes) => {
                writeln!(
                    out,
                    "static char a{i}[{bytes}] __attribute__((aligned(128)));"
                )?;
            }
            Kind::Bytes(bytes) => {
                let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
                writeln!(
                    out,
                    "static const unsigned char b{i}[] = {{{}}};",
                    list.join(",")
                )?;
                writeln!(out, "typedef {} t{i}; static t{i} a{i};", value.host)?;
            }
        }
    }
    let types: Vec<String> = (0..)
        .zip(values)
        .map(|(i, v): (usize, _)| match v.kind {
            Kind::Bytes(_) => format!("t{i}"),
            _ => "void *".to_owned(),
        })
        .collect();
    let names: Vec<String> = (0..values.len()).map(|i| format!("a{i}")).collect();
    let types = if types.is_empty() {
        "void".to_owned()
    } else {
        types.join(", ")
    };
    writeln!(
        out,
        "void {kernel}({types});\n\
         static void *item(void *of) {{\n\
         size_t t = (size_t)of, l[3] = {{t % LX, t / LX % LY, t / LX / LY}};\n\
         size_t s[3] = {{LX, LY, LZ}}, g[3] = {{GX, GY, GZ}};\n\
         for (size_t w = 0; w < (size_t)GX * GY * GZ; ++w) {{\n\
         size_t id[3] = {{w % GX, w / GX % GY, w / GX / GY}};\n\
         for (int i = 0; i < 3; ++i) {{ ids[0][i] = l[i]; ids[1][i] = id[i]; ids[2][i] = s[i]; ids[3][i] = s[i] * g[i]; }}\n\
         {kernel}({names});\n\
         pthread_barrier_wait(&meet);\n\
         }}\n\
         return 0;\n\
         }}\n\
         static int take(const char *name, void *to, size_t bytes) {{\n\
         FILE *f = fopen(name, \"rb\"); if (!f || fread(to, 1, bytes, f) != bytes) return 1; fclose(f); return 0;\n\
         }}\n\
         static int give(const char *name, void *from, size_t bytes) {{\n\
         FILE *f = fopen(name, \"wb\"); if (!f || fwrite(from, 1, bytes, f) != bytes) return 1; return fclose(f);\n\
         }}\n\
         int main(void) {{\n\
         pthread_t threads[N]; pthread_attr_t attributes;\n\
         pthread_attr_init(&attributes); pthread_attr_setstacksize(&attributes, 1 << 20);\n\
         pthread_barrier_init(&meet, 0, N);",
        kernel = kernel.name,
        names = names.join(", ")
    )?;
    for (i, value) in values.iter().enumerate() {
        match &value.kind {
            Kind::Memory { file, .. } => {
                writeln!(out, "if (take(\"{file}\", a{i}, sizeof a{i})) return 2;")?;
            }
            Kind::Bytes(_) => writeln!(out, "memcpy(&a{i}, b{i}, sizeof b{i});")?,
            Kind::Local(_) => {}
        }
    }
    writeln!(
        out,
        "for (size_t t = 0; t < N; ++t) if (pthread_create(&threads[t], &attributes, item, (void *)t)) return 3;\n\
         for (size_t t = 0; t < N; ++t) pthread_join(threads[t], 0);"
    )?;
    for (i, value) in values.iter().enumerate() {
        if let Kind::Memory { .. } = value.kind {
            let file = expected_file(stem, &value.name);
            writeln!(out, "if (give(\"{file}\", a{i}, sizeof a{i})) return 4;")?;
        }
    }
    writeln!(out, "return 0;\n}}")
}

fn text(
    directives: &Directives,
    kernel: &Kernel,
    local: [u32; 3],
    values: &[Value],
    object: &str,
) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_case(&mut out, directives, kernel, local, values, object);
    out
}

fn write_case(
    out: &mut String,
    directives: &Directives,
    kernel: &Kernel,
    local: [u32; 3],
    values: &[Value],
    object: &str,
) -> std::fmt::Result {
    writeln!(
        out,
        "# {}\n# Written by the lab.\n[shader]",
        directives.point
    )?;
    writeln!(
        out,
        "stage = \"compute\"\nelf = \"{object}\"\nkernel = \"{}\"",
        kernel.name
    )?;
    writeln!(
        out,
        "\n[launch]\ngroups = {:?}\nlocal = {local:?}",
        directives.grid()
    )?;
    let begin = kernel.lds_bytes.next_multiple_of(LDS_ALIGN);
    let mut end = begin;
    let mut list = Vec::new();
    for value in values {
        list.push(match &value.kind {
            Kind::Memory { .. } => format!("{{ memory = \"{}\" }}", value.name),
            Kind::Local(bytes) => {
                let at = end;
                end += bytes.next_multiple_of(LDS_ALIGN);
                at.to_string()
            }
            Kind::Bytes(bytes) => {
                let (words, _) = bytes.as_chunks::<4>();
                match bytes.as_slice() {
                    [byte] => byte.to_string(),
                    [low, high] => u16::from_le_bytes([*low, *high]).to_string(),
                    bytes if bytes.len() == 8 => {
                        let mut word = [0; 8];
                        word.copy_from_slice(bytes);
                        format!("{{ u64 = \"{:#x}\" }}", u64::from_le_bytes(word))
                    }
                    _ => {
                        let words: Vec<u32> =
                            words.iter().map(|w| u32::from_le_bytes(*w)).collect();
                        format!("{{ u32 = {words:?} }}")
                    }
                }
            }
        });
    }
    if end > begin {
        writeln!(out, "lds = {}", end - kernel.lds_bytes)?;
    }
    writeln!(out, "kernarg = [{}]", list.join(", "))?;
    for value in values {
        if let Kind::Memory { file, .. } = &value.kind {
            writeln!(
                out,
                "\n[[memory]]\nname = \"{}\"\nfile = \"{file}\"",
                value.name
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_arguments() {
        assert_eq!(element("uint"), (Some(Element::U32), 1));
        assert_eq!(element("volatile float3"), (Some(Element::F32), 4));
        assert_eq!(element("uchar16"), (Some(Element::U8), 16));
        assert_eq!(element("struct node"), (None, 1));
    }
}
