//! What the solver says of samples with a planted flaw. The words come from the encodings as the
//! documents print them, written here bit by bit, and from no table.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_layouts::{
    Finding, Kind, OpcodeLayout, OpcodeSamples, Sample, Sign, ValueTable, solve_encoding,
    solve_opcode,
};

/// SMEM with an immediate offset: SBASE 5:0, SDATA 12:6, OP 25:18, OFFSET 52:32, SOFFSET 63:57.
fn s_load(op: u32, sdata: u32, sbase: u32, offset: i32) -> Sample {
    let n = 1 << op;
    let dst = match n {
        1 => format!("s{sdata}"),
        _ => format!("s[{sdata}:{}]", sdata + n - 1),
    };
    let name = if n == 1 {
        "s_load_dword".to_string()
    } else {
        format!("s_load_dwordx{n}")
    };
    let text = format!("{name} {dst}, s[{sbase}:{}], {offset}", sbase + 1);
    let low = 0xf400_0000 | op << 18 | sdata << 6 | sbase >> 1;
    let high = 125 << 25 | (offset as u32 & 0x1f_ffff);
    Sample::named(&text, &[low, high], &["sdata", "sbase", "offset"])
}

fn loads(op: u32, sdata: &[u32], offsets: &[i32]) -> OpcodeSamples {
    let bases = [0, 2, 4, 8, 16, 32, 64];
    let mut samples: Vec<Sample> = sdata.iter().map(|&d| s_load(op, d, 4, 8)).collect();
    samples.extend(bases.iter().map(|&b| s_load(op, 4, b, 8)));
    samples.extend(offsets.iter().map(|&o| s_load(op, 4, 4, o)));
    OpcodeSamples {
        name: format!("S_LOAD_{op}"),
        number: Some(op as u16),
        samples,
        // Pairs are even.
        refused: vec![Sample::named(
            "s_load_dwordx2 s[4:5], s[1:2], 8",
            &[],
            &["sdata", "sbase", "offset"],
        )],
    }
}

/// Every extreme of a 21-bit signed offset.
fn wide_offsets() -> Vec<i32> {
    let mut offsets = vec![0, -1, 0xf_ffff, -0x10_0000];
    offsets.extend((0..20).flat_map(|k| [1 << k, -(1 << k)]));
    offsets
}

const ALL_SDATA: [u32; 9] = [0, 1, 2, 4, 8, 16, 32, 64, 105];

fn bits(layout: &OpcodeLayout, operand: &str) -> Vec<(u8, u8)> {
    let field = layout.field(operand).expect("solved");
    field.places.iter().map(|(&k, p)| (k, p.bit)).collect()
}

fn run(value: std::ops::RangeInclusive<u8>, lo: u8) -> Vec<(u8, u8)> {
    value
        .clone()
        .map(|k| (k, lo + (k - value.start())))
        .collect()
}

#[test]
fn well_sampled_load() {
    let values = ValueTable::rdna();
    let layout = solve_opcode(&values, &loads(0, &ALL_SDATA, &wide_offsets()));
    assert_eq!(layout.findings, []);
    assert_eq!(bits(&layout, "sdata"), run(0..=6, 6));
    // A pair: the even bits of the register alone.
    assert_eq!(bits(&layout, "sbase"), run(1..=6, 0));
    assert_eq!(bits(&layout, "offset"), run(0..=20, 32));
    assert_eq!(layout.field("offset").unwrap().sign, Sign::Signed);
    assert_eq!(layout.field("sdata").unwrap().kind, Kind::Scalar);
}

#[test]
fn narrow_samples_are_named() {
    // What once passed for a layout: a six-bit destination and an eight-bit offset.
    let values = ValueTable::rdna();
    let narrow = loads(
        1,
        &[0, 2, 4, 8, 16, 32],
        &[0, 1, 2, 4, 8, 16, 32, 64, 128, 255],
    );
    let alone = solve_opcode(&values, &narrow);
    assert_eq!(bits(&alone, "sdata"), run(1..=5, 7));
    assert_eq!(bits(&alone, "offset"), run(0..=7, 32));
    let found: Vec<_> = alone
        .findings
        .iter()
        .filter_map(|f| match f {
            Finding::TooNarrow {
                operand, seen, add, ..
            } => Some((operand.as_str(), *seen, add.first().map(String::as_str))),
            _ => None,
        })
        .collect();
    assert_eq!(
        found,
        [("offset", 8, Some("256")), ("sdata", 6, Some("s64"))]
    );
    assert!(!alone.findings.iter().any(Finding::is_error));

    // Beside its neighbours both show, and the neighbours' own layout is untouched.
    let wide = loads(0, &ALL_SDATA, &wide_offsets());
    let layout = solve_encoding(&values, "SMEM", &[wide, narrow]);
    let of = |name: &str| {
        let field = layout.field(name).expect("solved");
        (*field.places.keys().next_back().unwrap(), field.opcodes)
    };
    assert_eq!(of("sdata"), (6, 2));
    assert_eq!(of("offset"), (20, 2));
    let texts: Vec<String> = layout.findings.iter().map(ToString::to_string).collect();
    let warned = |operand: &str| {
        texts.iter().any(|t| {
            t.starts_with("warning: S_LOAD_1") && t.contains(operand) && t.contains("narrow")
        })
    };
    assert!(warned("sdata") && warned("offset"), "{texts:?}");
    assert!(!texts.iter().any(|t| t.contains("S_LOAD_0")), "{texts:?}");
}

#[test]
fn neighbours_show_a_narrow_field_that_something_else_ends() {
    // The bit behind the narrow field is used by another operand, so the opcode alone looks complete.
    let values = ValueTable::rdna();
    let sample = |name: &str, a: u32, b: u32| {
        let text = format!("{name} v{a} x:{b}");
        Sample::named(&text, &[a | b << 4], &["a"])
    };
    let opcode = |name: &str, top: u32, b: &[u32]| OpcodeSamples {
        name: name.into(),
        samples: (0..top)
            .map(|k| sample(name, 1 << k, 0))
            .chain([sample(name, 0, 0)])
            .chain(b.iter().map(|&b| sample(name, 0, b)))
            .collect(),
        ..OpcodeSamples::default()
    };
    let full = opcode("full", 8, &[]);
    let narrow = opcode("narrow", 4, &[1]);
    let layout = solve_encoding(&values, "E", &[full, narrow]);
    assert!(
        layout.findings.iter().any(|f| matches!(
            f,
            Finding::TooNarrow { opcode, operand, seen: 4, neighbours: Some(8), .. }
                if opcode == "narrow" && operand == "a"
        )),
        "{:?}",
        layout.findings
    );
}

/// SOP1: SSRC0 7:0, OP 15:8, SDST 22:16, then the literal.
fn s_mov(dst: &str, dst_code: u32, src: &str, src_code: u32, literal: Option<u32>) -> Sample {
    let mut words = vec![0xbe80_0300 | dst_code << 16 | src_code];
    words.extend(literal);
    Sample::new(&format!("s_mov_b32 {dst}, {src}"), &words)
}

fn moves() -> OpcodeSamples {
    let mut samples = Vec::new();
    for k in [0, 1, 2, 4, 8, 16, 32, 64, 105] {
        samples.push(s_mov(&format!("s{k}"), k, "s3", 3, None));
        samples.push(s_mov("s3", 3, &format!("s{k}"), k, None));
    }
    for (n, code) in [(0, 128), (1, 129), (64, 192), (-1, 193), (-16, 208)] {
        samples.push(s_mov("s3", 3, &n.to_string(), code, None));
    }
    for (text, code) in [
        ("exec_lo", 126),
        ("vcc_hi", 107),
        ("-4.0", 247),
        ("src_scc", 253),
    ] {
        samples.push(s_mov("s3", 3, text, code, None));
    }
    for k in 0..32 {
        let literal = 1u32 << k | 0x101;
        samples.push(s_mov("s3", 3, &format!("{literal:#x}"), 255, Some(literal)));
    }
    for literal in [0xff00_0000u32, 0xfe00_00fe, 0x1234_0000] {
        samples.push(s_mov("s3", 3, &format!("{literal:#x}"), 255, Some(literal)));
    }
    OpcodeSamples {
        name: "S_MOV_B32".into(),
        samples,
        ..OpcodeSamples::default()
    }
}

#[test]
fn sources_and_literals() {
    let layout = solve_opcode(&ValueTable::rdna(), &moves());
    assert_eq!(layout.findings, []);
    assert_eq!(bits(&layout, "op0"), run(0..=6, 16));
    assert_eq!(bits(&layout, "op1"), run(0..=7, 0));
    assert_eq!(bits(&layout, "literal"), run(0..=31, 32));
    assert_eq!(layout.field("op1").unwrap().kind, Kind::ScalarSource);
}

#[test]
fn a_missing_negative_constant_is_no_field() {
    let values = ValueTable::rdna().without_negative_integers();
    let layout = solve_opcode(&values, &moves());
    let finding = layout
        .findings
        .iter()
        .find_map(|f| match f {
            Finding::NoField {
                operand,
                nearest,
                against,
                ..
            } if operand == "op1" => Some((nearest, against, f.to_string())),
            _ => None,
        })
        .expect("no field explains op1");
    assert_eq!(*finding.0, Some((0, 8)));
    let against: Vec<_> = finding
        .1
        .iter()
        .map(|(text, _, holds)| (text.as_str(), *holds))
        .collect();
    assert_eq!(
        against,
        [
            ("s_mov_b32 s3, -1", Some(193)),
            ("s_mov_b32 s3, -16", Some(208))
        ]
    );
    assert!(finding.2.contains("a probe or the value table is wrong"));
    // The destination is not drawn into it.
    assert_eq!(bits(&layout, "op0"), run(0..=6, 16));
}

#[test]
fn a_missing_alias_is_named_with_what_the_field_holds() {
    let values = ValueTable::rdna().without_name("exec_lo");
    let layout = solve_opcode(&values, &moves());
    assert_eq!(bits(&layout, "op1"), run(0..=7, 0));
    assert_eq!(
        layout.findings,
        [Finding::Unread {
            opcode: "S_MOV_B32".into(),
            operand: "op1".into(),
            samples: vec![("s_mov_b32 s3, exec_lo".into(), "exec_lo".into(), Some(126))],
        }]
    );
}

#[test]
fn a_wrong_probe_is_singled_out() {
    let mut opcode = moves();
    let wrong = opcode
        .samples
        .iter_mut()
        .find(|s| s.text.ends_with("s3, 64"));
    // 64 is 192; this one says 191.
    wrong.unwrap().words[0] ^= 192 ^ 191;
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    let against: Vec<_> = layout
        .findings
        .iter()
        .filter_map(|f| match f {
            Finding::NoField { against, .. } => Some(against.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(
        against,
        [[("s_mov_b32 s3, 64".to_string(), 192, Some(191))]]
    );
}

#[test]
fn opcodes_of_one_encoding_that_disagree() {
    let opcode = |name: &str, at: u32| {
        let mut all: Vec<Sample> = (0..8)
            .map(|k| Sample::named(&format!("{name} v{}", 1 << k), &[1 << k << at], &["vdst"]))
            .collect();
        all.push(Sample::named(&format!("{name} v0"), &[0], &["vdst"]));
        OpcodeSamples {
            name: name.into(),
            samples: all,
            ..OpcodeSamples::default()
        }
    };
    let opcodes = [opcode("a", 17), opcode("b", 17), opcode("c", 9)];
    let layout = solve_encoding(&ValueTable::rdna(), "VOPX", &opcodes);
    assert_eq!(
        layout.findings,
        [Finding::Disagree {
            encoding: "VOPX".into(),
            operand: "vdst".into(),
            layouts: vec![
                ("bits 9..16".into(), vec!["c".into()]),
                ("bits 17..24".into(), vec!["a".into(), "b".into()]),
            ],
        }]
    );
    // Two that agree say nothing.
    let layout = solve_encoding(&ValueTable::rdna(), "VOPX", &opcodes[..2]);
    assert_eq!(layout.findings, []);
}

#[test]
fn operands_that_move_together_are_several() {
    let samples = (0..8)
        .map(|k| 1u32 << k)
        .chain([0])
        .map(|v| Sample::new(&format!("x v{v}, v{v}"), &[v | v << 16]))
        .collect();
    let opcode = OpcodeSamples {
        name: "X".into(),
        samples,
        ..OpcodeSamples::default()
    };
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    assert_eq!(layout.fields, []);
    let several = |operand: &str, twin: &str| Finding::Several {
        opcode: "X".into(),
        operand: operand.into(),
        candidates: vec!["from bit 0".into(), "from bit 16".into()],
        add: vec![format!("texts in which {operand} differs from {twin}")],
    };
    assert_eq!(
        layout.findings,
        [several("op0", "op1"), several("op1", "op0")]
    );

    // One more text tells them apart.
    let mut opcode = opcode;
    opcode.samples.push(Sample::new("x v255, v0", &[255]));
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    assert_eq!(bits(&layout, "op0"), run(0..=7, 0));
    assert_eq!(bits(&layout, "op1"), run(0..=7, 16));
}

#[test]
fn a_number_and_a_constant_are_two_readings() {
    let samples = (0..7)
        .map(|k| 1u32 << k)
        .chain([0])
        .map(|v| Sample::new(&format!("x {v}"), &[128 + v]))
        .collect();
    let opcode = OpcodeSamples {
        name: "X".into(),
        samples,
        ..OpcodeSamples::default()
    };
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    let [Finding::Several { add, .. }] = layout.findings.as_slice() else {
        panic!("{:?}", layout.findings);
    };
    assert!(add.contains(&"65".to_string()));
}

#[test]
fn bits_that_move_for_no_reason() {
    let mut opcode = moves();
    // The clue that a modifier went unread: a bit of its own.
    opcode.samples[4].words[0] |= 1 << 30;
    opcode.samples[9].words[0] |= 1 << 30;
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    let [Finding::Unexplained { bits, .. }] = layout.findings.as_slice() else {
        panic!("{:?}", layout.findings);
    };
    assert_eq!(bits, &[30]);
}

#[test]
fn an_operand_that_never_changes_and_a_gap() {
    let sample = |a: u32| Sample::new(&format!("x v{a}, v7"), &[a | 7 << 16]);
    let opcode = OpcodeSamples {
        name: "X".into(),
        samples: [0, 1, 2, 4, 16, 32, 64, 128].map(sample).to_vec(),
        ..OpcodeSamples::default()
    };
    let layout = solve_opcode(&ValueTable::rdna(), &opcode);
    let extremes = |operand: &str, add: &str| Finding::Extremes {
        opcode: "X".into(),
        operand: operand.into(),
        add: vec![add.into()],
    };
    assert_eq!(
        layout.findings,
        [extremes("op1", "any other value"), extremes("op0", "v8")]
    );
}

#[test]
fn refused_texts_end_a_field() {
    let sample = |n: i64, words: &[u32]| Sample::named(&format!("x offset:{n}"), words, &[]);
    let accepted = |n: i64| sample(n, &[n as u32]);
    let mut opcode = OpcodeSamples {
        name: "X".into(),
        samples: [0, 1, 2, 4, 8, 15].map(accepted).to_vec(),
        ..OpcodeSamples::default()
    };
    let open = solve_opcode(&ValueTable::rdna(), &opcode);
    assert!(matches!(
        open.findings.as_slice(),
        [Finding::TooNarrow {
            seen: 4,
            next: 4,
            ..
        }]
    ));
    opcode.refused.push(sample(16, &[]));
    let ended = solve_opcode(&ValueTable::rdna(), &opcode);
    assert_eq!(ended.findings, []);
}

#[test]
fn an_opcode_number_in_two_pieces() {
    // MTBUF: the low three bits at 16, the fourth at 53.
    let opcodes: Vec<OpcodeSamples> = (0..16u32)
        .map(|n| OpcodeSamples {
            name: format!("T{n}"),
            number: Some(n as u16),
            samples: [0, 1]
                .map(|v| Sample::new(&format!("t v{v}"), &[(n & 7) << 16, v | (n >> 3) << 21]))
                .to_vec(),
            ..OpcodeSamples::default()
        })
        .collect();
    let layout = solve_encoding(&ValueTable::rdna(), "MTBUF", &opcodes);
    let op = layout.field("op").expect("solved");
    let places: Vec<_> = op.places.iter().map(|(&k, p)| (k, p.bit)).collect();
    assert_eq!(places, [(0, 16), (1, 17), (2, 18), (3, 53)]);
}
