//! Image instructions: which host operation each form becomes, that `spirv-val` accepts the modules, which
//! resources are listed with which recipes, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // a notice

use std::io::Write;
use std::process::{Command, Stdio};

use spirdna_isa::descriptor::DstSel;
use spirdna_isa::image::ImageDim;
use spirdna_isa::launch::Launch;
use spirdna_isa::stage::{ColorClass, PixelRegisters};
use spirdna_isa::{Target, WaveSize, assemble};
use spirdna_translate::bindings::{ImageFact, Mapped, Place, ResourceKind};
use spirdna_translate::error::{Reason, TranslateError};
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, resources, translate_program};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::program::Program;
use spirdna_translate::resources::DescriptorFacts;
use spirv::Op;

/// `DB_SHADER_CONTROL`: LATE_Z, EXEC_ON_HIER_FAIL, KILL_ENABLE.
const LATE: u32 = 1 << 9 | 1 << 6;

/// The T# at 0 and the S# at 32 behind the pointer in s[0:1], v4 to v10 made of the pixel's place; then
/// `text`, then v0 to v3 to a target of 32-bit floats.
fn pixel(text: &str) -> (Program, Launch) {
    pixel_with(text, LATE, 0)
}

/// The same with these `DB_SHADER_CONTROL` and `SPI_SHADER_Z_FORMAT`.
fn pixel_with(text: &str, db_shader_control: u32, z_format: u32) -> (Program, Launch) {
    let registers = PixelRegisters {
        rsrc1: 0x002c_0000,
        rsrc2: 4 << 1,
        input_ena: 0x300,
        input_addr: 0x300,
        input_cntl: Vec::new(),
        baryc_cntl: 0,
        col_format: 9,
        z_format,
        colors: [ColorClass::Float; 8],
        db_shader_control,
        ..PixelRegisters::default()
    };
    let launch = registers.launch(Target::Gfx1030, WaveSize::W32).unwrap();
    let text = format!(
        "s_load_dwordx8 s[8:15], s[0:1], 0x0
        s_load_dwordx4 s[16:19], s[0:1], 0x20
        s_waitcnt lgkmcnt(0)
        v_mov_b32_e32 v4, v0
        v_mov_b32_e32 v5, v1
        v_xor_b32_e32 v6, v0, v1
        v_or_b32_e32 v7, v0, v1
        v_and_b32_e32 v8, v0, v1
        v_not_b32_e32 v9, v0
        v_not_b32_e32 v10, v1
        {text}
        exp mrt0 v0, v1, v2, v3 done vm
        s_endpgm"
    );
    (program(&text), launch)
}

fn program(text: &str) -> Program {
    let code =
        assemble(Target::Gfx1030, WaveSize::W32, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [1, 1, 1]);
    Program::decode_at(Target::Gfx1030, &code, launch.code_address, 0).unwrap()
}

fn host(s: u32) -> HostProfile {
    HostProfile {
        spirv: (1, 5),
        ..HostProfile::portable(s)
    }
}

/// Maps everything that is listed, in the order of the list.
fn mapped(
    program: &Program,
    launch: &Launch,
    fact: ImageFact,
) -> Result<DescriptorFacts, TranslateError> {
    let mut facts = DescriptorFacts::default();
    for (binding, resource) in (20..).zip(resources(program, launch, &facts)?) {
        if resource.kind == ResourceKind::Buffer {
            continue;
        }
        let count = if resource.recipe.is_table() { 7 } else { 1 };
        facts.map.entries.push(Mapped {
            recipe: resource.recipe,
            kind: resource.kind,
            place: Place {
                set: 3,
                binding,
                count,
            },
            fact,
        });
    }
    Ok(facts)
}

fn made(
    program: &Program,
    launch: &Launch,
    fact: ImageFact,
    s: u32,
) -> Result<Translation, TranslateError> {
    let facts = mapped(program, launch, fact)?;
    translate_program(program, launch, &host(s), &Options::default(), &facts)
}

/// Operations of a module with their operands.
fn operations(words: &[u32]) -> Vec<(Op, Vec<u32>)> {
    let mut found = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        found.push((
            Op::from_u32(first & 0xffff).unwrap(),
            words[at + 1..at + length].to_vec(),
        ));
        at += length;
    }
    found
}

fn count(words: &[u32], op: Op) -> usize {
    operations(words).iter().filter(|(o, _)| *o == op).count()
}

/// Whether `spirv-val` is there; then that it accepts the module.
fn validate(words: &[u32], what: &str) -> bool {
    let child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.2", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return false };
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let _ = child.stdin.take().unwrap().write_all(&bytes);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{what}: {text}");
    true
}

const D2: &str = "dim:SQ_RSRC_IMG_2D";

#[test]
fn samples_become_what_vulkan_has() {
    let all = "v[0:3]";
    let (t, s) = ("s[8:15]", "s[16:19]");
    let forms = [
        (
            format!("image_sample {all}, v[4:5], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample_l {all}, v[4:6], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_sample_b {all}, v[4:6], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample_lz {all}, v[4:5], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_sample_d {all}, v[4:9], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_sample_cl {all}, v[4:6], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample_c v0, v[4:6], {t}, {s} dmask:0x1 {D2}"),
            Op::ImageSampleDrefImplicitLod,
        ),
        (
            format!("image_sample_c_lz v0, v[4:6], {t}, {s} dmask:0x1 {D2}"),
            Op::ImageSampleDrefExplicitLod,
        ),
        (
            format!(
                "v_mov_b32_e32 v4, 0x3f02\nimage_sample_o {all}, v[4:6], {t}, {s} dmask:0xf {D2}"
            ),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_gather4_lz {all}, v[4:5], {t}, {s} dmask:0x2 {D2}"),
            Op::ImageGather,
        ),
        (
            format!("image_gather4_c_lz {all}, v[4:6], {t}, {s} dmask:0x1 {D2}"),
            Op::ImageDrefGather,
        ),
        (
            format!("image_gather4_lz_o {all}, v[4:6], {t}, {s} dmask:0x1 {D2}"),
            Op::ImageGather,
        ),
        (
            format!("image_sample_lz {all}, v4, {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_1D"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_sample {all}, v[4:6], {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_3D"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample {all}, v[4:6], {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_CUBE"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample_d {all}, v[4:10], {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_CUBE"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_sample {all}, v[4:5], {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_1D_ARRAY"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample {all}, v[4:6], {t}, {s} dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample {all}, [v4, v9], {t}, {s} dmask:0xf {D2}"),
            Op::ImageSampleImplicitLod,
        ),
        (
            format!("image_sample_l {all}, v[4:5], {t}, {s} dmask:0xf {D2} a16"),
            Op::ImageSampleExplicitLod,
        ),
        (
            format!("image_get_lod v[0:1], v[4:5], {t}, {s} dmask:0x3 {D2}"),
            Op::ImageQueryLod,
        ),
    ];
    let mut validated = true;
    for (text, op) in forms {
        let (program, launch) = pixel(&text);
        let module = made(&program, &launch, ImageFact::default(), 1)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        // One for all components.
        assert_eq!(count(&module.words, op), 1, "{text}");
        validated &= validate(&module.words, &text);
        let kinds: Vec<ResourceKind> = module.reflection.resources.iter().map(|r| r.kind).collect();
        assert!(
            matches!(
                kinds[..],
                [ResourceKind::Sampled { .. }, ResourceKind::Sampler { .. }]
            ),
            "{kinds:?}"
        );
        assert!(
            module
                .reflection
                .resources
                .iter()
                .all(|r| r.place.is_some() && r.read)
        );
    }
    if !validated {
        let _ = writeln!(std::io::stderr(), "skipped: spirv-val is not installed");
    }
}

#[test]
fn an_offset_is_signed_and_its_axes_lie_in_bytes() {
    // -1 in x, 2 in y; more bits than six do not count.
    let text = format!(
        "v_mov_b32_e32 v4, 0xc2ff
        image_sample_lz_o v[0:3], v[4:6], s[8:15], s[16:19] dmask:0xf {D2}"
    );
    let (program, launch) = pixel(&text);
    let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
    let all = operations(&module.words);
    let value = |id: u32| {
        let (_, operands) = all
            .iter()
            .find(|(op, operands)| *op == Op::Constant && operands[1] == id)
            .unwrap();
        operands[2] as i32
    };
    let (_, sample) = all
        .iter()
        .find(|(op, _)| *op == Op::ImageSampleExplicitLod)
        .unwrap();
    // Type, result, image, coordinates, mask, level, offset.
    assert_eq!(sample[4], 2 | 8);
    let (_, offset) = all
        .iter()
        .find(|(op, operands)| *op == Op::ConstantComposite && operands[1] == sample[6])
        .unwrap();
    assert_eq!([value(offset[2]), value(offset[3])], [-1, 2]);
}

#[test]
fn texels_are_looked_for_inside_the_image() {
    let texts = [
        (
            format!("image_load v[0:3], v[4:5], s[8:15] dmask:0xf unorm {D2}"),
            Op::ImageFetch,
            1,
        ),
        (
            format!("image_load_mip v[0:3], v[4:6], s[8:15] dmask:0xf unorm {D2}"),
            Op::ImageFetch,
            1,
        ),
        (
            "image_load v[0:3], v[4:6], s[8:15] dmask:0xf unorm dim:SQ_RSRC_IMG_2D_MSAA".to_owned(),
            Op::ImageFetch,
            1,
        ),
        (
            format!("image_store v[0:3], v[4:5], s[8:15] dmask:0xf unorm {D2}"),
            Op::ImageWrite,
            1,
        ),
        (
            format!("image_get_resinfo v[0:3], v4, s[8:15] dmask:0xf {D2}"),
            Op::ImageQuerySizeLod,
            1,
        ),
        (
            format!("image_atomic_add v0, v[4:5], s[8:15] dmask:0x1 unorm glc {D2}"),
            Op::ImageTexelPointer,
            1,
        ),
        (
            format!("image_atomic_cmpswap v[0:1], v[4:5], s[8:15] dmask:0x3 unorm glc {D2}"),
            Op::AtomicCompareExchange,
            1,
        ),
    ];
    for (text, op, times) in texts {
        let (program, launch) = pixel(&text);
        let fact = ImageFact {
            class: if text.contains("atomic") {
                ColorClass::Uint
            } else {
                ColorClass::Float
            },
            format: if text.contains("atomic") { 20 } else { 0 },
            ..ImageFact::default()
        };
        let module = made(&program, &launch, fact, 1).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(count(&module.words, op), times, "{text}");
        if op != Op::ImageQuerySizeLod {
            let sizes = count(&module.words, Op::ImageQuerySize)
                + count(&module.words, Op::ImageQuerySizeLod);
            assert_eq!(sizes, 1, "{text}");
        }
        validate(&module.words, &text);
    }
}

#[test]
fn operands_are_not_forgotten() {
    let (all, t, s) = ("v[0:3]", "s[8:15]", "s[16:19]");
    // Bias, gradients, least level, an offset: the bits of the host's operands.
    for (name, addresses, mask) in [
        ("image_sample_b", "v[4:6]", 1),
        ("image_sample_d", "v[4:9]", 4),
        ("image_sample_cl", "v[4:6]", 0x80),
        ("image_sample_b_cl", "v[4:7]", 0x81),
    ] {
        let text = format!("{name} {all}, {addresses}, {t}, {s} dmask:0xf {D2}");
        let (program, launch) = pixel(&text);
        let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
        let found = operations(&module.words);
        let sample = found
            .iter()
            .find(|(op, _)| matches!(op, Op::ImageSampleImplicitLod | Op::ImageSampleExplicitLod));
        // Type, result, image, coordinates, mask.
        assert_eq!(sample.unwrap().1[4], mask, "{text}");
    }
}

#[test]
fn every_coordinate_is_looked_for() {
    let module = |name: &str, dim: &str, last: u32, dmask: u32| {
        let text = format!(
            "{name} v[0:3], v[4:{last}], s[8:15] dmask:{dmask} unorm dim:SQ_RSRC_IMG_{dim}"
        );
        let text = text
            .replace("v[4:4]", "v4")
            .replace("[0:3]", if dmask == 1 { "0" } else { "[0:3]" });
        let (program, launch) = pixel(&text);
        made(&program, &launch, ImageFact::default(), 1)
            .unwrap()
            .words
    };
    // Coordinates, a level, a sample, a layer, beyond the one of a line; v4 to the last are the addresses.
    for (dim, name, last, more) in [
        ("2D", "image_load", 5, 1),
        ("2D", "image_load_mip", 6, 2),
        ("2D_MSAA", "image_load", 6, 2),
        ("3D", "image_load", 6, 2),
        ("1D_ARRAY", "image_load", 5, 1),
        ("2D", "image_store", 5, 1),
        ("2D_ARRAY", "image_store", 6, 2),
    ] {
        let of_a_line = name.replace("_mip", "");
        let line = count(&module(&of_a_line, "1D", 4, 15), Op::ULessThan);
        let all = count(&module(name, dim, last, 15), Op::ULessThan);
        assert_eq!(all - line, more, "{name} {dim}");
    }
    // Each component is chosen, or nothing is stored.
    let selects = |dmask| count(&module("image_load", "2D", 5, dmask), Op::Select);
    assert_eq!(selects(15) - selects(1), 3);
    let branches = |name| count(&module(name, "2D", 5, 15), Op::SelectionMerge);
    assert_eq!(branches("image_store") - branches("image_load"), 1);
}

#[test]
fn a_storage_images_selects_are_the_codes() {
    let text = format!(
        "image_load v[0:3], v[4:5], s[8:15] dmask:0xf unorm {D2}
        s_waitcnt vmcnt(0)
        image_store v[0:3], v[4:5], s[8:15] dmask:0xf unorm {D2}"
    );
    let (program, launch) = pixel(&text);
    let fact = ImageFact {
        dst_sel: [
            DstSel::Component(2),
            DstSel::Component(0),
            DstSel::Zero,
            DstSel::One,
        ],
        ..ImageFact::default()
    };
    let module = made(&program, &launch, fact, 1).unwrap();
    let all = operations(&module.words);
    let (_, read) = all.iter().find(|(op, _)| *op == Op::ImageRead).unwrap();
    let taken: Vec<u32> = all
        .iter()
        .filter(|(op, operands)| *op == Op::CompositeExtract && operands[2] == read[1])
        .map(|(_, operands)| operands[3])
        .collect();
    assert_eq!(taken, [2, 0]);
}

#[test]
fn cubes_are_counted_in_faces() {
    let size = |dim: &str| {
        let text = format!("image_get_resinfo v[0:3], v4, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_{dim}");
        let (program, launch) = pixel(&text);
        let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
        count(&module.words, Op::IMul)
    };
    assert_eq!([size("CUBE"), size("2D_ARRAY")], [1, 0]);
}

#[test]
fn halves_of_texels_share_registers() {
    // A load of three: y in the upper half of v0, z alone in v1. Then they are stored as they stand.
    let text = format!(
        "image_load v[0:1], v[4:5], s[8:15] dmask:0x7 unorm {D2} d16
        s_waitcnt vmcnt(0)
        v_mov_b32_e32 v2, v0
        v_mov_b32_e32 v3, v1
        image_store v[2:3], v[6:7], s[8:15] dmask:0x7 unorm {D2} d16"
    );
    let (program, launch) = pixel(&text);
    let float = ImageFact::default();
    let module = made(&program, &launch, float, 1).unwrap();
    validate(&module.words, &text);
    assert_eq!(count(&module.words, Op::ImageRead), 1);
    assert_eq!(count(&module.words, Op::ImageWrite), 1);
    let integers = ImageFact {
        class: ColorClass::Uint,
        ..float
    };
    match made(&program, &launch, integers, 1) {
        Err(TranslateError::Unsupported(sites)) => {
            assert_eq!(sites.len(), 2, "{sites:?}");
            let reason = &sites[0].reason;
            assert!(matches!(reason, Reason::Unsettled(_)), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn offsets_join_coordinates_that_count_texels() {
    // Vulkan has no offsets there; they may be computed then.
    let text = format!("image_sample_lz_o v[0:3], v[4:6], s[8:15], s[16:19] dmask:0xf unorm {D2}");
    let (program, launch) = pixel(&text);
    let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
    validate(&module.words, &text);
    let all = operations(&module.words);
    let sample = all
        .iter()
        .find(|(op, _)| *op == Op::ImageSampleExplicitLod)
        .unwrap();
    // Type, result, image, coordinates, mask: nothing but a level.
    assert_eq!(sample.1[4], 2);
    // What makes a value, through changes of its type.
    let made_by = |mut id: u32| loop {
        let (op, operands) = all
            .iter()
            .find(|(op, operands)| {
                let value = [Op::CompositeConstruct, Op::FAdd, Op::Bitcast];
                value.contains(op) && operands[1] == id
            })
            .unwrap();
        if *op != Op::Bitcast {
            break (*op, operands.clone());
        }
        id = operands[2];
    };
    let (op, parts) = made_by(sample.1[3]);
    assert_eq!(op, Op::CompositeConstruct);
    for axis in [parts[2], parts[3]] {
        assert_eq!(made_by(axis).0, Op::FAdd);
    }
}

#[test]
fn atomics_that_the_host_has_not_are_loops_of_exchanges() {
    let fact = |class, format| ImageFact {
        class,
        format,
        ..ImageFact::default()
    };
    let (uint, sint) = (fact(ColorClass::Uint, 20), fact(ColorClass::Sint, 21));
    for (name, data, dmask) in [
        ("inc", "v0", 1),
        ("dec", "v0", 1),
        ("fmin", "v0", 1),
        ("fmax", "v0", 1),
        ("fcmpswap", "v[0:1]", 3),
    ] {
        let text =
            format!("image_atomic_{name} {data}, v[4:5], s[8:15] dmask:{dmask} unorm glc {D2}");
        let (program, launch) = pixel(&text);
        for fact in [uint, sint] {
            let module = made(&program, &launch, fact, 1).unwrap_or_else(|e| panic!("{text}: {e}"));
            validate(&module.words, &text);
            assert_eq!(count(&module.words, Op::AtomicCompareExchange), 1, "{text}");
            assert_eq!(count(&module.words, Op::LoopMerge), 1, "{text}");
        }
    }
}

#[test]
fn depth_is_tested_when_the_state_says_it() {
    const EARLY: u32 = 1 << 12 | 1 << 4;
    const NOOP: u32 = 1 << 10;
    const KILL: u32 = 1 << 6;
    let modes = |text: &str, control: u32, z_format: u32| {
        let (program, launch) = pixel_with(text, control, z_format);
        let made = made(&program, &launch, ImageFact::default(), 1);
        made.map(|module| {
            validate(&module.words, text);
            let modes = operations(&module.words);
            let modes = modes.iter().filter(|(op, _)| *op == Op::ExecutionMode);
            modes.map(|(_, operands)| operands[1]).collect::<Vec<_>>()
        })
    };
    let reason = |text: &str, control: u32, z_format: u32| match modes(text, control, z_format) {
        Err(TranslateError::Unsupported(sites)) => sites[0].reason.clone(),
        other => panic!("{text} with 0x{control:x}: {other:?}"),
    };
    let early = spirv::ExecutionMode::EarlyFragmentTests as u32;
    let store = format!("image_store v[0:3], v[4:5], s[8:15] dmask:0xf unorm {D2}");
    let kill = "v_cmp_gt_f32_e32 vcc_lo, v4, v5\ns_and_b32 exec_lo, exec_lo, vcc_lo";
    let depth = "exp mrtz v4, off, off, off";
    let mask = "exp mrtz off, off, v6, off";
    // Early where it is asked for, whether or not it could be seen.
    assert!(modes("", EARLY, 0).unwrap().contains(&early));
    assert!(modes(&store, EARLY | NOOP, 0).unwrap().contains(&early));
    assert!(modes(kill, EARLY | KILL, 0).unwrap().contains(&early));
    for (text, control, z_format) in [
        ("", 1 << 4, 0),
        (&*store, LATE, 0),
        (kill, LATE, 0),
        (depth, 1, 1),
        (mask, 1 << 8, 9),
    ] {
        assert!(!modes(text, control, z_format).unwrap().contains(&early));
    }
    // Which pixels store is open.
    let unsettled = |reason: Reason| matches!(reason, Reason::Unsettled(_));
    for control in [0, 1 << 4, EARLY, 2 << 4 | 1 << 9] {
        assert!(unsettled(reason(&store, control, 0)), "0x{control:x}");
    }
    // What an export behind the test does, too.
    assert!(unsettled(reason(depth, EARLY | 1, 1)));
    assert!(unsettled(reason(mask, EARLY | 1 << 8, 9)));
    // Contradictions, in both directions where both can be told.
    for (text, control, z_format) in [
        (kill, 1 << 9, 0),
        (depth, LATE, 1),
        ("", LATE | 1, 1),
        (mask, LATE, 9),
        ("", LATE | 1 << 8, 9),
        ("", LATE | 1 << 1, 0),
    ] {
        let reason = reason(text, control, z_format);
        assert!(matches!(reason, Reason::Export(_)), "{text}: {reason}");
    }
    for control in [1 << 7, 3 << 13, 1 << 16] {
        let reason = reason("", LATE | control, 0);
        assert!(matches!(reason, Reason::NoCounterpart(_)), "{reason}");
    }
}

#[test]
fn waves_of_several_lanes_use_images_too() {
    let text = format!(
        "s_load_dwordx8 s[8:15], s[0:1], 0x0
        s_load_dwordx8 s[16:23], s[0:1], 0x20
        v_mov_b32_e32 v1, v0
        s_waitcnt lgkmcnt(0)
        image_load v[2:5], v[0:1], s[8:15] dmask:0xf unorm {D2}
        s_waitcnt vmcnt(0)
        image_store v[2:5], v[0:1], s[16:23] dmask:0xf unorm {D2}
        v_mov_b32_e32 v6, 1
        s_endpgm"
    );
    let program = program(&text);
    let mut launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [32, 1, 1]);
    launch.user_sgprs = 2;
    for (s, times) in [(1, 32), (4, 1), (8, 4), (32, 1)] {
        let module = made(&program, &launch, ImageFact::default(), s);
        let module = module.unwrap_or_else(|e| panic!("S = {s}: {e}"));
        validate(&module.words, &format!("S = {s}"));
        let stores = count(&module.words, Op::ImageWrite);
        // As many as slots where these stand side by side.
        assert!(stores == times || stores < 32, "S = {s}: {stores}");
        let [read, written] = &module.reflection.resources[..] else {
            panic!("{:?}", module.reflection.resources)
        };
        let dim = ImageDim::D2;
        assert_eq!(
            (read.kind, read.read, read.write),
            (ResourceKind::Sampled { dim }, true, false)
        );
        assert_eq!(
            (written.kind, written.read, written.write),
            (ResourceKind::Storage { dim }, false, true)
        );
        assert_eq!(
            read.recipe.to_string(),
            "8 words from [user[1]:user[0] + 0x0]"
        );
        assert_eq!(
            written.recipe.to_string(),
            "8 words from [user[1]:user[0] + 0x20]"
        );
    }
}

#[test]
fn entries_of_tables_are_arrays_of_descriptors() {
    let text = format!(
        "v_readfirstlane_b32 s2, v4
        s_lshl_b32 s2, s2, 5
        s_load_dwordx8 s[8:15], s[0:1], s2
        s_waitcnt lgkmcnt(0)
        image_sample_lz v[0:3], v[5:6], s[8:15], s[16:19] dmask:0xf {D2}"
    );
    let (program, launch) = pixel(&text);
    let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
    validate(&module.words, &text);
    let recipe = &module.reflection.resources[0].recipe;
    assert!(recipe.is_table(), "{recipe}");
    let words = recipe.evaluate(&[0x1000, 0], 3, &mut |address| Some(address as u32));
    assert_eq!(words.unwrap()[..2], [0x1060, 0x1064]);
    let capabilities = &module.reflection.capabilities;
    let has = |name: &str| capabilities.iter().any(|c| c == name);
    assert!(
        has("SampledImageArrayNonUniformIndexing"),
        "{capabilities:?}"
    );
}

#[test]
fn what_has_no_counterpart_is_refused() {
    let reason = |text: &str| {
        let (program, launch) = pixel(text);
        match made(&program, &launch, ImageFact::default(), 1) {
            Err(TranslateError::Unsupported(sites)) => sites[0].reason.clone(),
            other => panic!("{text}: {other:?}"),
        }
    };
    let sample = |data: &str, more: &str| {
        format!("image_sample_lz {data}, v[4:5], s[8:15], s[16:19] dmask:0xf {D2} {more}")
    };
    assert_eq!(reason(&sample("v[0:4]", "tfe")), Reason::Modifier("tfe"));
    assert_eq!(reason(&sample("v[0:3]", "lwe")), Reason::Modifier("lwe"));
    let computed = format!("image_sample_lz_o v[0:3], v[4:6], s[8:15], s[16:19] dmask:0xf {D2}");
    assert!(matches!(reason(&computed), Reason::Image(_)));
    // A descriptor that the shader makes itself.
    let built = format!(
        "v_readfirstlane_b32 s8, v4
        image_sample_lz v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf {D2}"
    );
    assert!(matches!(reason(&built), Reason::Descriptor(_)));
    // Nobody has bound it.
    let (program, launch) = pixel(&format!(
        "image_sample_lz v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf {D2}"
    ));
    let facts = DescriptorFacts::default();
    let options = Options::default();
    match translate_program(&program, &launch, &host(1), &options, &facts) {
        Err(TranslateError::Unsupported(sites)) => {
            assert_eq!(sites[0].reason, Reason::Descriptor("nobody has bound it"));
        }
        other => panic!("{other:?}"),
    }
    // Derivatives in a compute shader.
    let text = format!(
        "s_load_dwordx8 s[8:15], s[0:1], 0x0
        s_load_dwordx4 s[16:19], s[0:1], 0x20
        image_sample v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf {D2}
        s_endpgm"
    );
    let mut launch = Launch::compute(Target::Gfx1030, WaveSize::W32, [32, 1, 1]);
    launch.user_sgprs = 2;
    let refused = resources(&self::program(&text), &launch, &DescriptorFacts::default());
    let Err(TranslateError::Unsupported(sites)) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(
        sites[0].reason,
        Reason::Image("derivatives outside a pixel shader")
    );
}

#[test]
fn quads_ask_their_neighbours_and_go_together() {
    // A derivative as drivers make it, of a value in v4.
    let derivative = "v_mov_b32_dpp v6, v4 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf
        v_sub_f32_dpp v0, v4, v6 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf";
    let (program, launch) = pixel(derivative);
    let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
    // Two halves beside each other at least, and two of the row below.
    let (x, y) = (
        count(&module.words, Op::DPdxFine),
        count(&module.words, Op::DPdyFine),
    );
    assert!(x >= 2 && y >= 4, "{x} {y}");
    validate(&module.words, derivative);
    assert_eq!(count(&module.words, Op::GroupNonUniformQuadSwap), 0);

    // A lane whose v5 is the smaller is switched off. The sample behind it takes derivatives: the quad stays.
    let discard = |sample: &str| {
        format!(
            "v_cmp_gt_f32_e32 vcc_lo, v4, v5
            s_and_b32 exec_lo, exec_lo, vcc_lo
            s_cbranch_execz end
            {sample} v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf {D2}
            end:"
        )
    };
    let derivatives = |sample: &str| {
        let (program, launch) = pixel(&discard(sample));
        let module = made(&program, &launch, ImageFact::default(), 1).unwrap();
        validate(&module.words, sample);
        (
            count(&module.words, Op::DPdxFine),
            count(&module.words, Op::DPdyFine),
        )
    };
    assert_eq!(derivatives("image_sample"), (1, 1));
    assert_eq!(derivatives("image_sample_lz"), (0, 0));
}
