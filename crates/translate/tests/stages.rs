//! What goes from stage to stage and into pixels beside plain interpolation: the primitive's number, the place in a
//! point, barycentrics that the shader computes; what of it is translated, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::launch::Launch;
use spirdna_isa::stage::{PixelRegisters, PrimitiveNumber, VertexRegisters};
use spirdna_isa::{Target, WaveSize, assemble};
use spirdna_translate::options::Options;
use spirdna_translate::pipeline::{Translation, translate};
use spirdna_translate::profile::HostProfile;
use spirdna_translate::resources::DescriptorFacts;

const NUMBER: Option<PrimitiveNumber> = Some(PrimitiveNumber {
    param: 0,
    component: 0,
});

/// Flat shading of an attribute: bit 10 of SPI_PS_INPUT_CNTL.
const FLAT: u32 = 1 << 10;

/// The perspective pairs in the middle of pixels and at the centroid: bits of SPI_PS_INPUT_ADDR.
const CENTER: u32 = 1 << 1;
const CENTROID: u32 = 1 << 2;

fn made(launch: &Launch, text: &str, barycentrics: bool) -> Result<Translation, String> {
    let code = assemble(launch.target, launch.wave, text).unwrap();
    let host = HostProfile {
        fragment_barycentrics: barycentrics,
        ..HostProfile::desktop(1)
    };
    let (options, facts) = (Options::default(), DescriptorFacts::default());
    translate(&code, launch, &host, &options, &facts).map_err(|e| e.to_string())
}

fn vertex(merged: bool, primitive_number: Option<PrimitiveNumber>) -> Launch {
    let registers = VertexRegisters {
        merged,
        primitive_number,
        ..VertexRegisters::default()
    };
    registers.launch(Target::Gfx1030, WaveSize::W32).unwrap()
}

fn pixel(registers: PixelRegisters) -> Launch {
    let registers = PixelRegisters {
        input_ena: registers.input_addr,
        col_format: 9,
        ..registers
    };
    registers.launch(Target::Gfx1030, WaveSize::W32).unwrap()
}

/// A pixel shader that exports v2.
fn with_end(text: &str) -> String {
    format!("{text}\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm")
}

#[track_caller]
fn refused(result: Result<Translation, String>, part: &str) {
    let said = result.map(|made| made.words.len()).unwrap_err();
    assert!(said.contains(part), "{said}");
}

#[test]
fn a_primitives_number_is_handed_over_as_nothing_else() {
    let export = |register: &str| {
        format!("exp pos0 v0, v0, v0, v0 done\nexp param0 {register}, v0, off, off\ns_endpgm")
    };
    let translated = made(&vertex(false, NUMBER), &export("v2"), false).unwrap();
    // The other component is a parameter as ever.
    assert_eq!(translated.reflection.outputs, [0]);
    refused(
        made(&vertex(false, NUMBER), &export("v3"), false),
        "something else",
    );
    refused(
        made(&vertex(false, None), &export("v2"), false),
        "the primitive's number",
    );
    let changed = format!("v_add_nc_u32 v2, 1, v2\n{}", export("v2"));
    refused(
        made(&vertex(false, NUMBER), &changed, false),
        "the primitive's number",
    );
}

#[test]
fn merged_stages_hand_it_through_lds() {
    let through = |stored: &str| {
        format!(
            "v_lshlrev_b32 v10, 2, v0
             ds_write_b32 v10, {stored}
             s_waitcnt lgkmcnt(0)
             s_barrier
             v_mbcnt_lo_u32_b32 v11, -1, 0
             v_lshlrev_b32 v11, 2, v11
             ds_read_b32 v12, v11
             s_waitcnt lgkmcnt(0)
             exp pos0 v5, v5, v5, v5 done
             exp param0 v12, off, off, off
             s_endpgm"
        )
    };
    made(&vertex(true, NUMBER), &through("v2"), false).unwrap();
    refused(
        made(&vertex(true, NUMBER), &through("v5"), false),
        "something else",
    );
    refused(
        made(&vertex(true, None), &through("v2"), false),
        "LDS in a graphics stage",
    );
    let used = through("v2").replace("exp pos0 v5", "exp pos0 v12");
    refused(
        made(&vertex(true, NUMBER), &used, false),
        "the primitive's number",
    );
}

#[test]
fn pixels_have_the_primitives_number_of_the_host() {
    let launch = |cntl| {
        pixel(PixelRegisters {
            input_addr: CENTER,
            input_cntl: vec![cntl],
            primitive_number: NUMBER,
            ..PixelRegisters::default()
        })
    };
    let flat = with_end("v_interp_mov_f32 v2, p0, attr0.x");
    let translated = made(&launch(FLAT), &flat, false).unwrap().reflection;
    assert!(translated.inputs.is_empty(), "{:?}", translated.inputs);
    assert!(translated.capabilities.iter().any(|c| c == "Geometry"));
    // Another component is an attribute.
    let other = with_end("v_interp_mov_f32 v2, p0, attr0.y");
    let translated = made(&launch(FLAT), &other, false).unwrap().reflection;
    assert_eq!(translated.inputs, [0]);
    let smooth = with_end("v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x");
    refused(
        made(&launch(0), &smooth, false),
        "the primitive's number interpolated",
    );
}

#[test]
fn the_place_in_a_point_is_that_of_the_pixels_middle() {
    let launch = |addr, control| {
        pixel(PixelRegisters {
            input_addr: addr,
            input_cntl: vec![1 << 17],
            interp_control: control,
            ..PixelRegisters::default()
        })
    };
    let usual = 1 << 1 | 2 << 2 | 3 << 5 | 1 << 11;
    let text = with_end("v_interp_p1_f32 v2, v0, attr0.y\nv_interp_p2_f32 v2, v1, attr0.y");
    let translated = made(&launch(CENTER, usual), &text, false)
        .unwrap()
        .reflection;
    assert!(translated.inputs.is_empty(), "{:?}", translated.inputs);
    refused(
        made(&launch(CENTROID, usual), &text, false),
        "the pixel's middle",
    );
    refused(
        made(&launch(CENTER, usual | 1 << 14), &text, false),
        "from the bottom",
    );
    let part = with_end("v_interp_mov_f32 v2, p10, attr0.x");
    refused(
        made(&launch(CENTER, usual), &part, false),
        "parts of point sprite",
    );
    // Switched off, it is a parameter.
    let off = made(&launch(CENTER, usual & !2), &text, false).unwrap();
    assert_eq!(off.reflection.inputs, [0]);
}

#[test]
fn computed_barycentrics_need_a_host_that_has_them() {
    let launch = pixel(PixelRegisters {
        input_addr: CENTER,
        input_cntl: vec![0],
        ..PixelRegisters::default()
    });
    let interp = "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x";
    let moved = with_end(&format!("v_add_f32 v0, 0.5, v0\n{interp}"));
    let of_vertex = with_end("v_interp_mov_f32 v2, p20, attr0.x");
    let swapped = with_end("v_interp_p1_f32 v2, v1, attr0.x\nv_interp_p2_f32 v2, v0, attr0.x");
    for text in [&moved, &of_vertex, &swapped] {
        refused(made(&launch, text, false), "which this host does not have");
        let translated = made(&launch, text, true).unwrap().reflection;
        assert_eq!(translated.inputs, [0]);
        let needs = translated.capabilities;
        assert!(
            needs.iter().any(|c| c == "FragmentBarycentricKHR"),
            "{needs:?}"
        );
    }
    // Those of the wave itself are the host's interpolation, here as there.
    let own = made(&launch, &with_end(interp), true).unwrap().reflection;
    assert!(
        !own.capabilities
            .iter()
            .any(|c| c == "FragmentBarycentricKHR")
    );
    let apart = with_end("v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.y");
    refused(made(&launch, &apart, true), "do not belong together");
}
