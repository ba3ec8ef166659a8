//! Texts of single operands: registers, constants and numbers at their extremes and in between. Knows
//! names and alignment, no bit position.

use spirdna_isa::Ty;

/// Registers that a type takes; a mask is one (wave32 texts), what the instruction sizes itself too.
pub(super) fn dwords(ty: Ty) -> u32 {
    ty.bits().map_or(1, |b| b.div_ceil(32))
}

/// A range of a register file.
fn range(file: &str, first: u32, n: u32) -> String {
    if n == 1 {
        format!("{file}{first}")
    } else {
        format!("{file}[{first}:{}]", first + n - 1)
    }
}

/// An SGPR or SGPR range.
pub(super) fn sgpr(first: u32, n: u32) -> String {
    range("s", first, n)
}

/// A VGPR or VGPR range.
pub(super) fn vgpr(first: u32, n: u32) -> String {
    range("v", first, n)
}

/// Scalar registers: zero, the powers of two, the last, and everything with a name; also unaligned
/// ranges, which the assembler refuses.
pub(super) fn scalar_registers(n: u32) -> Vec<String> {
    let align = match n {
        1 => 1,
        2 => 2,
        _ => 4,
    };
    let last = |count: u32| (count - n.min(count)) / align * align;
    let mut texts: Vec<String> = [0, 1, 2, 4, 8, 16, 32, 64]
        .into_iter()
        .filter(|first| first + n <= 106)
        .map(|first| sgpr(first, n))
        .collect();
    texts.push(sgpr(last(106), n));
    texts.push(range("ttmp", 0, n));
    texts.push(range("ttmp", last(16), n));
    let named: &[&str] = match n {
        1 => &["vcc_lo", "vcc_hi", "m0", "null", "exec_lo", "exec_hi"],
        2 => &["vcc", "exec", "null"],
        _ => &["null"],
    };
    texts.extend(named.iter().map(ToString::to_string));
    texts
}

/// VGPRs: zero, the powers of two, the last.
pub(super) fn vgprs(n: u32) -> Vec<String> {
    [0, 1, 2, 4, 8, 16, 32, 64, 128, 256 - n]
        .into_iter()
        .map(|first| vgpr(first, n))
        .collect()
}

/// Inline constants, special sources and literals of a source.
pub(super) fn constants(ty: Ty) -> Vec<String> {
    let mut texts: Vec<String> = [0, 1, 2, 4, 8, 16, 32, 63, 64, -1, -2, -3, -4, -8, -15, -16]
        .iter()
        .map(ToString::to_string)
        .collect();
    // A float constant in a 16-bit integer operand is a literal of the assembler's making.
    let floats = !matches!(
        ty,
        Ty::B16 | Ty::U16 | Ty::I16 | Ty::PkB16 | Ty::PkU16 | Ty::PkI16
    );
    if floats {
        let floats = [
            "0.5",
            "-0.5",
            "1.0",
            "-1.0",
            "2.0",
            "-2.0",
            "4.0",
            "-4.0",
            "0.15915494309189532",
        ];
        texts.extend(floats.iter().map(ToString::to_string));
    }
    let special = [
        "src_shared_base",
        "src_shared_limit",
        "src_private_base",
        "src_private_limit",
        "src_pops_exiting_wave_id",
        "src_vccz",
        "src_execz",
        "src_scc",
    ];
    texts.extend(special.iter().map(ToString::to_string));
    texts.extend(literals());
    texts
}

/// Literals that no inline constant replaces, whatever the type: each bit is set in one.
pub(super) fn literals() -> Vec<String> {
    let low = [0x81, 0x82, 0x84, 0x88, 0x90, 0xa0, 0xc0];
    let high = (8..32).map(|k| 1u32 << k | 2);
    let mut values: Vec<u32> = low.into_iter().chain(high).collect();
    values.extend([0xff00, 0x1234_5678, 0xffff_ff00, 0x7654_3210]);
    values.iter().map(|v| format!("{v:#x}")).collect()
}

/// Dwords that are always literals: zero and the powers of two too.
pub(super) fn dword_values() -> Vec<String> {
    let powers = (0..32).map(|k| 1u32 << k);
    powers
        .chain([0, 0xffff, u32::MAX, 0x1234_5678])
        .map(|v| format!("{v:#x}"))
        .collect()
}

/// Numbers: zero, the powers of two up to 2^`top`, one less than each, and their opposites.
pub(super) fn numbers(top: u32) -> Vec<String> {
    let mut values = vec![0i64];
    for k in 0..=top {
        let power = 1i64 << k;
        values.extend([power, power - 1, -power]);
    }
    values.sort_unstable();
    values.dedup();
    values.iter().map(ToString::to_string).collect()
}
