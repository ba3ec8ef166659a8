//! What an HSA runtime lays out for a kernel: the kernarg segment with its hidden arguments, the
//! dispatch packet, and the user SGPRs that point to them. Knows no executor.
//!
//! Source: the AMDGPU back end's ABI (code object metadata, kernel dispatch packet, initial kernel
//! execution state).

use crate::elf::{Arg, ArgKind, Kernel, UserSgpr};
use crate::error::{CaseError, Problem};
use crate::format::KernargSpec;
use crate::load::Loader;
use crate::scratch::Scratch;

/// Bytes of a kernarg segment at most.
const MAX_KERNARG: u64 = 1 << 20;

/// A kernarg segment is padded to a multiple of this: the widest scalar load.
const KERNARG_PAD: u64 = 64;

/// What the runtime knows of the dispatch.
pub(crate) struct Grid {
    /// Threads in the grid.
    pub(crate) threads: [u32; 3],
    /// Threads in a workgroup.
    pub(crate) local: [u32; 3],
    /// LDS bytes behind the kernel's own.
    pub(crate) dynamic_lds: u32,
    /// The kernel's own.
    pub(crate) static_lds: u32,
}

/// The user SGPRs of a kernel; places the regions that they point to.
pub(crate) fn user_sgprs(
    loader: &mut Loader,
    kernel: &Kernel,
    arguments: &[KernargSpec],
    grid: &Grid,
    scratch: Option<Scratch>,
    key: &str,
    index: usize,
) -> Result<Vec<u32>, CaseError> {
    let segment = segment(loader, kernel, arguments, grid, &format!("{key}.kernarg"))?;
    loader.budget(segment.len() as u64, &format!("{key}.kernarg"))?;
    let kernarg_name = format!(".kernarg{index}");
    let id = loader.place(&kernarg_name, None, segment, key)?;
    let kernarg = loader.memory.get(id).map_or(0, |r| r.address);
    let mut out = Vec::new();
    for &group in &kernel.user_sgprs {
        let unsupported = |what| loader.error(key, Problem::Unsupported(what));
        match group {
            // Without scratch neither is used.
            UserSgpr::PrivateSegmentBuffer => {
                out.extend(scratch.map_or([0; 4], |scratch| scratch.vsharp));
            }
            UserSgpr::FlatScratchInit => {
                out.extend(halves(scratch.map_or(0, |scratch| scratch.address)));
            }
            UserSgpr::PrivateSegmentSize => out.push(kernel.scratch_bytes),
            UserSgpr::QueuePtr => return Err(unsupported("a kernel that reads its queue")),
            UserSgpr::DispatchId => out.extend(halves(index as u64)),
            UserSgpr::KernargPtr => out.extend(halves(kernarg)),
            UserSgpr::DispatchPtr => {
                let packet = packet(kernel, grid, kernarg);
                let id = loader.place(&format!(".packet{index}"), None, packet, key)?;
                out.extend(halves(loader.memory.get(id).map_or(0, |r| r.address)));
            }
        }
    }
    Ok(out)
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// `hsa_kernel_dispatch_packet_t`, 64 bytes.
fn packet(kernel: &Kernel, grid: &Grid, kernarg: u64) -> Vec<u8> {
    const TYPE_KERNEL_DISPATCH: u16 = 2;
    const DIMENSIONS: u16 = 3;
    let [x, y, z] = grid.local.map(|n| n as u16); // at most 1024
    let mut out = Vec::with_capacity(64);
    for half in [TYPE_KERNEL_DISPATCH, DIMENSIONS, x, y, z, 0] {
        out.extend(half.to_le_bytes());
    }
    for word in grid.threads {
        out.extend(word.to_le_bytes());
    }
    out.extend(kernel.scratch_bytes.to_le_bytes());
    out.extend((grid.static_lds + grid.dynamic_lds).to_le_bytes());
    out.extend(0u64.to_le_bytes()); // kernel object: no kernel reads its own descriptor
    out.extend(kernarg.to_le_bytes());
    out.extend([0; 16]); // reserved, completion signal
    out
}

fn segment(
    loader: &Loader,
    kernel: &Kernel,
    arguments: &[KernargSpec],
    grid: &Grid,
    key: &str,
) -> Result<Vec<u8>, CaseError> {
    if kernel.kernarg_bytes > MAX_KERNARG {
        let problem = Problem::Limit {
            value: kernel.kernarg_bytes,
            limit: MAX_KERNARG,
        };
        return Err(loader.error(key, problem));
    }
    // Kernels load more than their arguments where that is one wide load: a runtime's segment is
    // part of a larger allocation.
    let bytes = kernel.kernarg_bytes.next_multiple_of(KERNARG_PAD);
    let mut segment = vec![0; bytes as usize];
    let explicit = |arg: &&Arg| !matches!(arg.kind, ArgKind::Hidden(_));
    let want = kernel.args.iter().filter(explicit).count();
    if want != arguments.len() {
        let have = arguments.len();
        return Err(loader.error(key, Problem::ArgumentCount { have, want }));
    }
    let mut given = arguments.iter().enumerate();
    for arg in &kernel.args {
        let bytes = match &arg.kind {
            ArgKind::Hidden(kind) => hidden(loader, kind, grid, key)?,
            ArgKind::Other(kind) => {
                let problem = Problem::Unknown {
                    value: kind.clone(),
                    known: "by_value, global_buffer and dynamic_shared_pointer".to_owned(),
                };
                return Err(loader.error(key, problem));
            }
            ArgKind::ByValue | ArgKind::GlobalBuffer | ArgKind::DynamicLds => {
                let Some((i, value)) = given.next() else {
                    continue; // the counts agree
                };
                explicit_bytes(loader, value, arg.size, &format!("{key}[{i}]"))?
            }
        };
        // The metadata reader has checked that arguments lie in the segment.
        let place = segment.get_mut(arg.offset as usize..).unwrap_or_default();
        for (to, from) in place.iter_mut().zip(bytes).take(arg.size as usize) {
            *to = from;
        }
    }
    Ok(segment)
}

fn explicit_bytes(
    loader: &Loader,
    value: &KernargSpec,
    size: u64,
    key: &str,
) -> Result<Vec<u8>, CaseError> {
    let unfit = || loader.error(key, Problem::ArgumentSize { bytes: size });
    let bytes = match value {
        KernargSpec::Int(v) => {
            let fits = match size {
                1 | 2 | 4 => {
                    let bits = 8 * size as u32;
                    (-(1i64 << (bits - 1))..1i64 << bits).contains(v)
                }
                8 => true,
                _ => false,
            };
            if !fits {
                return Err(unfit());
            }
            v.to_le_bytes().into_iter().take(size as usize).collect()
        }
        KernargSpec::Float(v) => match size {
            4 => (*v as f32).to_le_bytes().to_vec(),
            8 => v.to_le_bytes().to_vec(),
            _ => return Err(unfit()),
        },
        KernargSpec::F16(v) => half(*v).to_le_bytes().to_vec(),
        KernargSpec::U64(v) => v.to_le_bytes().to_vec(),
        KernargSpec::U32(list) => list.iter().flat_map(|v| v.to_le_bytes()).collect(),
        KernargSpec::F32(list) => list.iter().flat_map(|v| v.to_le_bytes()).collect(),
        KernargSpec::Memory { memory, add } => {
            let (_, region) = loader.region(memory, key)?;
            region.address.wrapping_add(*add).to_le_bytes().to_vec()
        }
    };
    if bytes.len() as u64 != size {
        return Err(unfit());
    }
    Ok(bytes)
}

/// The bytes of a hidden argument.
fn hidden(loader: &Loader, kind: &str, grid: &Grid, key: &str) -> Result<Vec<u8>, CaseError> {
    let axis = |name: &str| {
        let rest = kind.strip_prefix(name)?;
        let i = ["_x", "_y", "_z"].iter().position(|&a| a == rest)?;
        Some((*grid.threads.get(i)?, *grid.local.get(i)?))
    };
    if let Some((threads, local)) = axis("block_count") {
        // Full workgroups alone: a partial one is told by the remainder.
        return Ok((threads / local).to_le_bytes().to_vec());
    }
    if let Some((_, local)) = axis("group_size") {
        return Ok((local as u16).to_le_bytes().to_vec());
    }
    if let Some((threads, local)) = axis("remainder") {
        return Ok(((threads % local) as u16).to_le_bytes().to_vec());
    }
    if axis("global_offset").is_some() {
        return Ok(0u64.to_le_bytes().to_vec());
    }
    match kind {
        "grid_dims" => Ok(3u16.to_le_bytes().to_vec()),
        "dynamic_lds_size" => Ok(grid.dynamic_lds.to_le_bytes().to_vec()),
        "none" => Ok(Vec::new()),
        // Services of a runtime that is not there: a null pointer, as a runtime without them passes.
        "printf_buffer" | "hostcall_buffer" | "heap_v1" | "default_queue" | "completion_action"
        | "multigrid_sync_arg" | "queue_ptr" => Ok(0u64.to_le_bytes().to_vec()),
        _ => {
            let problem = Problem::Unknown {
                value: format!("hidden_{kind}"),
                known: "the hidden arguments of code objects up to version 5".to_owned(),
            };
            Err(loader.error(key, problem))
        }
    }
}

/// A double rounded once to a half (to nearest even), its bits.
fn half(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48 & 0x8000) as u16;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    let mantissa = bits & ((1 << 52) - 1);
    if exponent == 1024 {
        let quiet = if mantissa == 0 { 0 } else { 0x200 };
        return sign | 0x7c00 | quiet | (mantissa >> 42) as u16;
    }
    if exponent < -25 {
        return sign;
    }
    // The significand with its leading one, and the bits of it that a half drops.
    let significand = mantissa | 1 << 52;
    let drop = if exponent < -14 {
        42 + (-14 - exponent)
    } else {
        42
    } as u32;
    let kept = significand >> drop;
    let rest = significand & ((1 << drop) - 1);
    let tie = 1u64 << (drop - 1);
    let up = rest > tie || (rest == tie && kept & 1 == 1);
    let rounded = kept + u64::from(up);
    // A normal half carries its leading one into the exponent; a carry out of the mantissa does too.
    let biased = if exponent < -14 {
        0
    } else {
        (exponent + 14) as u64
    };
    let magnitude = (biased << 10) + rounded;
    sign | magnitude.min(0x7c00) as u16
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves_round_once_to_nearest_even() {
        let rows = [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.5, 0xc100),
            (65504.0, 0x7bff),
            (65519.999, 0x7bff),
            (65520.0, 0x7c00),
            (1e300, 0x7c00),
            (f64::INFINITY, 0x7c00),
            (2f64.powi(-14), 0x0400),
            (2f64.powi(-24), 0x0001),
            (2f64.powi(-25), 0x0000),
            (2f64.powi(-25) * 1.0001, 0x0001),
            (2f64.powi(-26), 0x0000),
            (3.0 * 2f64.powi(-25), 0x0002),
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (2f64.powi(-14) - 2f64.powi(-26), 0x0400),
        ];
        for (value, bits) in rows {
            assert_eq!(half(value), bits, "{value}");
        }
        assert_eq!(half(f64::NAN) & 0x7e00, 0x7e00);
    }
}
