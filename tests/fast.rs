//! `Fidelity::Fast` on a device, row by row of the float ALU: its results lie within the tolerance that the
//! Vulkan environment states for the host's operation of what the reference gives exactly. Operands are
//! normal numbers of moderate size; a NaN result may have any payload, a zero either sign.
//!
//! | rows | tolerance |
//! |---|---|
//! | rcp, rsq, sqrt | 3 units in the last place |
//! | exp | 3 + 2 abs(x) units |
//! | log | 3 units or 2^-21 (f16: 2^-7), whichever is more |
//! | sin, cos | 2^-11 (f16: 2^-7) |
//! | multiply-add, the product of a light | 2 units of the larger of product and addend |
//! | others that hosts have | none: the exact bits |
//!
//! And `Nans::Any`, which is exact in all but what a NaN looks like.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod skips;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use spirdna::isa::launch::Launch;
use spirdna::isa::{
    CmpTy, FBinary, FTernary, FUnary, FloatTy, Opcode, Sem, Target, Valu, WaveSize, assemble,
};
use spirdna::{DescriptorFacts, Fidelity, FloatHost, HostProfile, Nans, Options, translate};
use spirdna_case::exec::{Executor, ReferenceExecutor, VulkanExecutor, VulkanOptions};
use spirdna_case::profile::profile_from_measurement;
use spirdna_case::{Case, RegionId};
use spirdna_vulkan::{Device, DeviceChoice};

/// Of a wave64: on lavapipe that is a loop over the slots, which compiles faster than their copies.
const LANES: usize = 64;
/// Bytes that a row leaves: two dwords a lane.
const ROW: usize = 8 * LANES;

/// A row under test.
struct Row {
    name: &'static str,
    text: String,
    /// How it may differ.
    tolerance: Tolerance,
    /// The result is 0 or 1.
    integer: bool,
}

#[derive(Clone, Copy)]
enum Tolerance {
    Exact,
    Ulps(f64),
    Exp,
    Log,
    Turn,
    Sum,
}

fn tolerance(valu: Valu) -> Tolerance {
    match valu {
        Valu::FUnary(op, _) => match op {
            FUnary::Rcp | FUnary::RcpIflag | FUnary::Rsq | FUnary::Sqrt => Tolerance::Ulps(3.0),
            FUnary::Exp => Tolerance::Exp,
            FUnary::Log => Tolerance::Log,
            FUnary::Sin | FUnary::Cos => Tolerance::Turn,
            _ => Tolerance::Exact,
        },
        Valu::FTernary(FTernary::Fma | FTernary::FmaLegacy | FTernary::Mullit, _) => Tolerance::Sum,
        _ => Tolerance::Exact,
    }
}

/// Whether hosts have no such operation: it is exact in either fidelity, and proven as such.
fn exact_anyway(valu: Valu) -> bool {
    match valu {
        Valu::FUnary(op, _) => matches!(op, FUnary::FrexpMant | FUnary::FrexpExp),
        Valu::FBinary(op, _) => matches!(op, FBinary::Ldexp),
        Valu::FTernary(op, _) => matches!(
            op,
            FTernary::DivFmas
                | FTernary::DivFixup
                | FTernary::CubeId
                | FTernary::CubeSc
                | FTernary::CubeTc
                | FTernary::CubeMa
        ),
        _ => false,
    }
}

/// The rows of a type whose text is operation, result and sources.
fn rows(of: FloatTy) -> Vec<Row> {
    let mut found = Vec::new();
    for &opcode in Opcode::ALL {
        let Sem::Valu(valu) = opcode.row().sem else {
            continue;
        };
        let (ty, sources) = match valu {
            Valu::FUnary(_, ty) => (ty, 1),
            Valu::FBinary(_, ty) => (ty, 2),
            Valu::FTernary(_, ty) => (ty, 3),
            Valu::Cmp {
                ty: CmpTy::Float(ty),
                exec: false,
                ..
            } => (ty, 2),
            _ => continue,
        };
        if ty != of || exact_anyway(valu) {
            continue;
        }
        let reg = |n: usize| match ty {
            FloatTy::F64 => format!("v[{n}:{}]", n + 1),
            FloatTy::F16 | FloatTy::F32 => format!("v{n}"),
        };
        let compare = matches!(valu, Valu::Cmp { .. });
        let name = opcode.row().name;
        let mut text = name.to_lowercase();
        let dst = if compare { "vcc".to_owned() } else { reg(10) };
        write!(text, " {dst}").unwrap();
        for i in 0..sources {
            write!(text, ", {}", reg(2 * i)).unwrap();
        }
        if compare {
            text.push_str("\nv_cndmask_b32_e64 v10, 0, 1, vcc");
        }
        // Tied destinations and literals are other forms of the same operations.
        if assemble(Target::Gfx1030, WaveSize::W64, &text).is_err() {
            continue;
        }
        found.push(Row {
            name,
            text,
            tolerance: tolerance(valu),
            integer: compare,
        });
    }
    found
}

/// Bits of a normal number from 2^-4 to 2^4, either sign.
fn number(ty: FloatTy, random: &mut u64) -> u64 {
    *random = random
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let r = *random >> 8;
    let (frac, bias, top) = match ty {
        FloatTy::F16 => (10, 15, 15),
        FloatTy::F32 => (23, 127, 31),
        FloatTy::F64 => (52, 1023, 63),
    };
    let fraction = r.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - frac);
    (r >> 40 & 1) << top | (bias - 4 + (r >> 20) % 8) << frac | fraction
}

fn value(ty: FloatTy, bits: u64) -> f64 {
    match ty {
        FloatTy::F16 => {
            let (exp, frac) = (bits >> 10 & 31, (bits & 1023) as f64);
            let magnitude = match exp {
                0 => frac * 2f64.powi(-24),
                31 if frac == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1024.0 + frac) * 2f64.powi(exp as i32 - 25),
            };
            if bits >> 15 & 1 == 1 {
                -magnitude
            } else {
                magnitude
            }
        }
        FloatTy::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatTy::F64 => f64::from_bits(bits),
    }
}

/// A unit in the last place of a number of this size.
fn ulp(ty: FloatTy, x: f64) -> f64 {
    let (frac, least) = match ty {
        FloatTy::F16 => (10, -14),
        FloatTy::F32 => (23, -126),
        FloatTy::F64 => (52, -1022),
    };
    let exp = if x == 0.0 {
        least
    } else {
        (x.abs().log2().floor() as i32).max(least)
    };
    2f64.powi(exp - frac)
}

/// How far a result may lie from the exact one.
fn bound(ty: FloatTy, tolerance: Tolerance, sources: [f64; 3], exact: f64) -> f64 {
    let half = ty == FloatTy::F16;
    match tolerance {
        Tolerance::Exact => 0.0,
        Tolerance::Ulps(n) => n * ulp(ty, exact),
        Tolerance::Exp => (3.0 + 2.0 * sources[0].abs()) * ulp(ty, exact),
        Tolerance::Log => (3.0 * ulp(ty, exact)).max(2f64.powi(if half { -7 } else { -21 })),
        Tolerance::Turn => 2f64.powi(if half { -7 } else { -11 }),
        Tolerance::Sum => {
            let [x, y, z] = sources;
            2.0 * ulp(ty, (x * y).abs().max(z.abs()))
        }
    }
}

fn opened() -> Option<Device> {
    let options = spirdna_vulkan::Options {
        timeout: Duration::from_secs(300),
        ..spirdna_vulkan::Options::default()
    };
    match Device::open(DeviceChoice::Default, options) {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(!skips::required(), "{e}");
            skips::skipped("fast floats", &e.to_string());
            None
        }
    }
}

fn device() -> Option<VulkanExecutor> {
    let options = VulkanOptions {
        translate: Options {
            fidelity: Fidelity::Fast,
            ..Options::default()
        },
        ..VulkanOptions::default()
    };
    Some(VulkanExecutor::new(opened()?, options))
}

/// A case that stores what each row makes of each lane's three sources.
fn case(rows: &[Row], sources: &[[u64; 3]]) -> Case {
    let register = |r: usize| -> Vec<u32> {
        let half = |bits: u64| {
            if r.is_multiple_of(2) {
                bits
            } else {
                bits >> 32
            }
        };
        sources.iter().map(|s| half(s[r / 2]) as u32).collect()
    };
    let mut asm = "v_mbcnt_lo_u32_b32 v20, -1, 0\nv_mbcnt_hi_u32_b32 v20, -1, v20\nv_lshlrev_b32_e32 v20, 3, v20\n".to_owned();
    for row in rows {
        writeln!(
            asm,
            "v_mov_b32_e32 v10, 0\nv_mov_b32_e32 v11, 0\n{}\nglobal_store_dwordx2 v20, v[10:11], s[0:1]\n\
            s_add_u32 s0, s0, {ROW:#x}\ns_addc_u32 s1, s1, 0",
            row.text
        )
        .unwrap();
    }
    asm.push_str("s_endpgm\n");
    let vgprs: Vec<String> = (0..6)
        .map(|r| format!("{{ reg = {r}, u32 = {:?} }}", register(r)))
        .collect();
    let toml = format!(
        "[shader]\ntarget = \"gfx1030\"\nstage = \"compute\"\nwave = 64\nasm = \"\"\"\n{asm}\"\"\"\n\
        [launch]\ngroups = [1, 1, 1]\nlocal = [64, 1, 1]\nsgprs = [{{ lo = \"out\" }}, {{ hi = \"out\" }}]\n\
        vgprs = [{}]\ninit = {{ vcc = \"0x0\" }}\n[[memory]]\nname = \"out\"\nsize = {}\nfill = 0\n",
        vgprs.join(", "),
        ROW * rows.len()
    );
    Case::parse(Path::new("fast.case.toml"), &toml).unwrap()
}

fn check(ty: FloatTy, least: usize) {
    let Some(mut device) = device() else { return };
    let rows = rows(ty);
    assert!(rows.len() >= least, "{} rows", rows.len());
    let mut random = 5u64;
    // Three sources of each lane, and the six registers that hold them.
    let sources: Vec<[u64; 3]> = (0..LANES)
        .map(|_| std::array::from_fn(|_| number(ty, &mut random)))
        .collect();
    let case = case(&rows, &sources);
    let exact = ReferenceExecutor::default().run(&case).unwrap();
    let fast = device.run(&case).unwrap();
    assert!(exact.faults.is_empty() && fast.faults.is_empty());
    let (exact, fast) = (
        &exact.memory.get(RegionId(0)).unwrap().bytes,
        &fast.memory.get(RegionId(0)).unwrap().bytes,
    );
    let (mut wrong, mut loose) = (Vec::new(), 0);
    for (i, row) in rows.iter().enumerate() {
        for (lane, bits) in sources.iter().enumerate() {
            let at = ROW * i + 8 * lane;
            let get = |b: &[u8]| u64::from_le_bytes(b[at..at + 8].try_into().unwrap());
            let (want, got) = (get(exact), get(fast));
            if want == got {
                continue;
            }
            let sources = bits.map(|x| value(ty, x));
            let (w, g) = (value(ty, want), value(ty, got));
            let both_nan = !row.integer && w.is_nan() && g.is_nan();
            let off = (w - g).abs();
            let within = !row.integer && off <= bound(ty, row.tolerance, sources, w);
            let zeros = !row.integer && w == 0.0 && g == 0.0;
            if both_nan || zeros || within && off > 0.0 {
                loose += 1;
            } else {
                wrong.push(format!(
                    "{}: {got:x} ({g}) for {want:x} ({w}) of {sources:?}",
                    row.name
                ));
            }
        }
    }
    eprintln!(
        "{} rows, {loose} results differ within their tolerance",
        rows.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Operands of the test below: zeros, denormals, numbers, infinities, NaNs of both kinds and signs.
fn special(ty: FloatTy, random: &mut u64) -> u64 {
    let (frac, exp) = match ty {
        FloatTy::F16 => (10, 5),
        FloatTy::F32 => (23, 8),
        FloatTy::F64 => (52, 11),
    };
    let any = number(ty, random);
    let (sign, infinity) = (1 << (frac + exp), ((1 << exp) - 1) << frac);
    let payload = any & ((1 << (frac - 1)) - 1) | 1;
    let bits = match *random >> 40 & 7 {
        0 => 0,
        1 => payload,
        2 => infinity,
        3 => infinity | 1 << (frac - 1) | payload,
        4 => infinity | payload,
        5 => 1 << frac | payload,
        _ => any & !sign,
    };
    bits | (*random >> 50 & 1) * sign
}

/// `Nans::Any` on a device with its measured profile: a NaN wherever the reference has one, its bits
/// wherever it has none.
fn any_nan(ty: FloatTy, least: usize) {
    let Some(mut device) = opened() else { return };
    let floats = device.measure_floats().unwrap();
    let size = device.measured_subgroup_size();
    let profile = profile_from_measurement(device.info(), size, &floats);
    let translate = Options {
        nans: Nans::Any,
        ..Options::default()
    };
    let mut device = VulkanExecutor::new(
        device,
        VulkanOptions {
            profile: Some(profile),
            translate,
            ..VulkanOptions::default()
        },
    );
    let mut rows = rows(ty);
    rows.retain(|row| {
        let name = row.name;
        let arithmetic = ["_ADD_", "_SUB_", "_MUL_", "_FMA_", "_MAX_", "_MED3_"];
        arithmetic.iter().any(|part| name.contains(part)) && !name.contains("LEGACY")
    });
    assert!(rows.len() >= least, "{} rows", rows.len());
    let mut random = 9u64;
    let sources: Vec<[u64; 3]> = (0..LANES)
        .map(|_| std::array::from_fn(|_| special(ty, &mut random)))
        .collect();
    let case = case(&rows, &sources);
    let exact = ReferenceExecutor::default().run(&case).unwrap();
    let any = device.run(&case).unwrap();
    let (exact, any) = (
        &exact.memory.get(RegionId(0)).unwrap().bytes,
        &any.memory.get(RegionId(0)).unwrap().bytes,
    );
    let mut nans = 0;
    for (i, row) in rows.iter().enumerate() {
        for (lane, bits) in sources.iter().enumerate() {
            let at = ROW * i + 8 * lane;
            let get = |b: &[u8]| u64::from_le_bytes(b[at..at + 8].try_into().unwrap());
            let (want, got) = (get(exact), get(any));
            let both = value(ty, want).is_nan() && value(ty, got).is_nan();
            nans += usize::from(both);
            assert!(
                want == got || both,
                "{}: {got:x} for {want:x} of {bits:x?}",
                row.name
            );
        }
    }
    assert!(nans > rows.len() * 10, "{nans} NaNs");
}

/// What the caller asked of NaNs is told, and costs less.
#[test]
fn any_nan_is_told_and_shorter() {
    let text = "v_mul_f32 v1, v0, v0\nv_add_f32 v2, v1, v0\nv_fma_f32 v3, v2, v1, v0\n\
        global_store_dword v0, v3, s[0:1]\ns_endpgm";
    let code = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
    let launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [32, 1, 1]);
    let launch = Launch {
        user_sgprs: 2,
        ..launch
    };
    let promises = FloatHost {
        rte: true,
        signed_zero_inf_nan: true,
        ..FloatHost::UNKNOWN
    };
    let profile = HostProfile {
        float64: true,
        f32: promises,
        f64: promises,
        ..HostProfile::portable(32)
    };
    let made = [Nans::Payload, Nans::Any].map(|nans| {
        let options = Options {
            nans,
            ..Options::default()
        };
        let facts = DescriptorFacts::default();
        let made = translate(&code, &launch, &profile, &options, &facts).unwrap();
        assert_eq!(made.reflection.nans, nans);
        made.words.len()
    });
    assert!(made[1] + 50 < made[0], "{made:?} words");
    let options = Options {
        fidelity: Fidelity::Fast,
        ..Options::default()
    };
    let made = translate(
        &code,
        &launch,
        &profile,
        &options,
        &DescriptorFacts::default(),
    )
    .unwrap();
    assert_eq!(
        (made.reflection.fidelity, made.reflection.nans),
        (Fidelity::Fast, Nans::Any)
    );
}

#[test]
fn halves_of_any_nan() {
    any_nan(FloatTy::F16, 5);
}

#[test]
fn singles_of_any_nan() {
    any_nan(FloatTy::F32, 5);
}

#[test]
fn doubles_of_any_nan() {
    any_nan(FloatTy::F64, 4);
}

#[test]
fn halves() {
    check(FloatTy::F16, 30);
}

#[test]
fn singles() {
    check(FloatTy::F32, 40);
}

#[test]
fn doubles() {
    check(FloatTy::F64, 25);
}
