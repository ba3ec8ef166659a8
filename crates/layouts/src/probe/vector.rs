//! Modifiers of the vector ALU as texts. Knows no bit position.

use spirdna_isa::{Encoding, Row, RowFlags, Slot};

use super::{Extension, Probe, Section, Text, role};

/// Adds every modifier that the section has; what the row does not take is refused.
pub(super) fn modifiers(row: &Row, section: Section, base: &Text, probes: &mut Vec<Probe>) {
    let sources: Vec<String> = row
        .operands
        .iter()
        .filter(|s| !s.hidden && matches!(s.slot, Slot::Src0 | Slot::Src1 | Slot::Src2))
        .map(|s| role(s.slot))
        .collect();
    match section.extension {
        Extension::None => {}
        Extension::Sdwa => {
            signs(&sources, base, probes, &["-", "|", "-|", "sext("]);
            for modifier in ["clamp", "mul:2", "mul:4", "div:2"] {
                // Before the selects.
                let mut text = base.clone();
                text.modifiers.insert(0, modifier.to_string());
                probes.push(Probe::one(text));
            }
            let parts = ["dst_sel", "src0_sel", "src1_sel"];
            for part in parts.iter().filter(|p| has(base, p)) {
                for select in [
                    "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD",
                ] {
                    add(base, probes, &[&format!("{part}:{select}")]);
                }
            }
            if has(base, "dst_unused") {
                for unused in ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"] {
                    add(base, probes, &[&format!("dst_unused:{unused}")]);
                }
            }
            return;
        }
        Extension::Dpp16 => {
            dpp16(base, probes);
            signs(&sources, base, probes, &["-", "|", "-|"]);
            return;
        }
        Extension::Dpp8 => {
            for lane in 0..8 {
                for select in [1, 2, 4, 7] {
                    let mut lanes = [0; 8];
                    if let Some(l) = lanes.get_mut(lane) {
                        *l = select;
                    }
                    add(base, probes, &[&format!("dpp8:{}", list(&lanes))]);
                }
            }
            add(base, probes, &["fi:1", "dpp8:[7,7,7,7,7,7,7,7]"]);
            return;
        }
    }
    match section.encoding {
        Encoding::Vop3 => vop3(row, &sources, base, probes),
        Encoding::Vop3p => vop3p(&sources, base, probes),
        _ => {}
    }
}

fn has(base: &Text, modifier: &str) -> bool {
    let prefix = format!("{modifier}:");
    base.modifiers.iter().any(|m| m.starts_with(&prefix))
}

fn add(base: &Text, probes: &mut Vec<Probe>, modifiers: &[&str]) {
    for modifier in modifiers {
        probes.push(Probe::one(base.modifier(modifier)));
    }
}

fn list(elements: &[u32]) -> String {
    let elements: Vec<String> = elements.iter().map(ToString::to_string).collect();
    format!("[{}]", elements.join(","))
}

/// `-v1`, `|v1|`, `-|v1|`, `sext(v1)` of each source.
fn signs(sources: &[String], base: &Text, probes: &mut Vec<Probe>, openings: &[&str]) {
    for source in sources {
        let at = base.form.roles.iter().position(|r| r == source);
        let Some(register) = at.and_then(|i| base.operands.get(i)) else {
            continue;
        };
        for opening in openings {
            let close = match *opening {
                "-" => "",
                "sext(" => ")",
                _ => "|",
            };
            let text = format!("{opening}{register}{close}");
            probes.push(Probe::one(base.operand(source, &text)));
        }
    }
}

/// Each list of `n` bits with one bit set, and the two with all alike.
fn one_hot(n: usize) -> Vec<String> {
    let mut lists: Vec<String> = (0..n)
        .map(|hot| {
            let bits: Vec<u32> = (0..n).map(|i| u32::from(i == hot)).collect();
            list(&bits)
        })
        .collect();
    lists.push(list(&vec![0; n]));
    lists.push(list(&vec![1; n]));
    lists
}

fn vop3(row: &Row, sources: &[String], base: &Text, probes: &mut Vec<Probe>) {
    signs(sources, base, probes, &["-", "|", "-|"]);
    add(base, probes, &["clamp", "mul:2", "mul:4", "div:2", "high"]);
    let dst = usize::from(!row.flags.contains(RowFlags::OPSEL01));
    for bits in one_hot(sources.len().min(3 - usize::from(dst == 0)) + dst) {
        // Rows of interpolation and the like refuse it.
        add(base, probes, &[&format!("op_sel:{bits}")]);
    }
    // V_PERMLANE16 has three sources and two bits.
    if dst == 0 {
        for bits in one_hot(2) {
            add(base, probes, &[&format!("op_sel:{bits}")]);
        }
    }
}

fn vop3p(sources: &[String], base: &Text, probes: &mut Vec<Probe>) {
    signs(sources, base, probes, &["-", "|", "-|"]);
    add(base, probes, &["clamp"]);
    for name in ["op_sel", "op_sel_hi", "neg_lo", "neg_hi"] {
        for bits in one_hot(sources.len()) {
            add(base, probes, &[&format!("{name}:{bits}")]);
        }
    }
}

fn dpp16(base: &Text, probes: &mut Vec<Probe>) {
    let mut controls: Vec<String> = Vec::new();
    for lane in 0..4 {
        for select in [1, 2, 3] {
            let mut lanes = [0; 4];
            if let Some(l) = lanes.get_mut(lane) {
                *l = select;
            }
            controls.push(format!("quad_perm:{}", list(&lanes)));
        }
    }
    controls.push("quad_perm:[0,0,0,0]".into());
    for name in ["row_shl", "row_shr", "row_ror"] {
        controls.extend([1, 2, 4, 8, 15].map(|n| format!("{name}:{n}")));
    }
    for name in ["row_share", "row_xmask"] {
        controls.extend([0, 1, 2, 4, 8, 15].map(|n| format!("{name}:{n}")));
    }
    controls.extend(["row_mirror", "row_half_mirror"].map(String::from));
    for control in &controls {
        add(base, probes, &[control]);
    }
    for name in ["row_mask", "bank_mask"] {
        // llvm-mc cuts larger masks to four bits without a word.
        for mask in [0, 1, 2, 4, 8, 15] {
            add(base, probes, &[&format!("{name}:{mask:#x}")]);
        }
    }
    add(base, probes, &["bound_ctrl:1", "fi:1"]);
}
