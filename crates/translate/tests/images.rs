//! Image instructions: which host operation each form becomes, that `spirv-val` accepts the modules, which
//! resources are listed with which recipes, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![allow(clippy::print_stdout)] // a notice

use std::io::Write;
use std::process::{Command, Stdio};

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

/// `DB_SHADER_CONTROL`: LATE_Z, EXEC_ON_HIER_FAIL.
const LATE: u32 = 1 << 9;

/// The T# at 0 and the S# at 32 behind the pointer in s[0:1], v4 to v10 made of the pixel's place; then
/// `text`, then v0 to v3 to a target of 32-bit floats.
fn pixel(text: &str) -> (Program, Launch) {
    let registers = PixelRegisters {
        rsrc1: 0x002c_0000,
        rsrc2: 4 << 1,
        input_ena: 0x300,
        input_addr: 0x300,
        input_cntl: Vec::new(),
        baryc_cntl: 0,
        col_format: 9,
        z_format: 0,
        colors: [ColorClass::Float; 8],
        db_shader_control: LATE,
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
        println!("skipped: spirv-val is not installed");
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
