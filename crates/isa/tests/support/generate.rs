//! Legal instructions from the table: each operand and modifier of each form at its extremes, one at
//! a time over a plain base.

use spirdna_isa::{
    Class, Dpp, Encoding, Ext, FloatConst, Form, Omod, Opcode, Operand, OperandSpec, Parts, Row,
    RowFlags, SReg, Sdwa, SdwaSel, SdwaUnused, Slot, Special, Target, Ty, WaveSize, image,
};

/// Every variation of a form on a target.
pub fn variations(row: &'static Row, form: &Form, target: Target, wave: WaveSize) -> Vec<Parts> {
    let mut all = Vec::new();
    for ext in extensions(row, form.encoding) {
        for (i, base) in bases(row, form.encoding, ext).into_iter().enumerate() {
            let base = plain_operands(row, base, wave);
            all.push(base);
            // Images have many bases, by dimension: the second one (2D) stands for the others.
            if form.encoding == Encoding::Mimg && i != 4 {
                continue;
            }
            vary_operands(row, base, target, wave, &mut all);
            if i == 0 || form.encoding == Encoding::Mimg {
                vary_modifiers(row, base, target, &mut all);
            }
        }
    }
    all
}

fn extensions(row: &Row, encoding: Encoding) -> Vec<Ext> {
    let mut list = vec![Ext::None];
    if matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc) {
        if row.flags.contains(RowFlags::SDWA) {
            list.push(match encoding {
                Encoding::Vopc => Ext::Sdwab,
                _ => Ext::Sdwa,
            });
        }
        if row.flags.contains(RowFlags::DPP) {
            list.push(Ext::Dpp16);
            list.push(Ext::Dpp8);
        }
    }
    list
}

/// Starting points that differ in which operands there are.
fn bases(row: &Row, encoding: Encoding, ext: Ext) -> Vec<Parts> {
    let mut p = Parts::new(row.opcode, encoding, ext);
    let mix = matches!(
        row.sem,
        spirdna_isa::Sem::Valu(spirdna_isa::Valu::FmaMix(_))
    );
    match ext {
        Ext::Sdwa | Ext::Sdwab => {
            p.valu.sdwa = Some(Sdwa {
                dst: (ext == Ext::Sdwa).then_some((SdwaSel::Dword, SdwaUnused::Pad)),
                src0: SdwaSel::Dword,
                src0_sext: false,
                src1: if row.operands.iter().any(|s| s.slot == Slot::Src1) {
                    SdwaSel::Dword
                } else {
                    SdwaSel::Byte0
                },
                src1_sext: false,
            });
        }
        Ext::Dpp16 => p.valu.dpp = Some(dpp16(0xe4)),
        Ext::Dpp8 => {
            p.valu.dpp = Some(Dpp::Dpp8 {
                lanes: [7, 6, 5, 4, 3, 2, 1, 0],
                fetch_inactive: false,
            });
        }
        Ext::None => {}
    }
    if encoding == Encoding::Vop3p && !mix {
        let third = row.operands.iter().any(|s| s.slot == Slot::Src2);
        p.valu.op_sel_hi = if third { 7 } else { 3 };
    }
    if row.flags.contains(RowFlags::GDS_ONLY) {
        p.mem.gds = true;
    }
    if encoding == Encoding::Mtbuf {
        p.mem.format = 22;
    }
    let mut list = vec![p];
    match encoding {
        Encoding::Mimg => image_bases(row, p, &mut list),
        Encoding::Mubuf | Encoding::Mtbuf if !row.operands.is_empty() => {
            for (offen, idxen) in [(true, false), (false, true), (true, true)] {
                let mut q = p;
                q.mem.offen = offen;
                q.mem.idxen = idxen;
                list.push(q);
            }
        }
        _ => {}
    }
    if row.flags.contains(RowFlags::ATOMIC) && encoding != Encoding::Ds {
        for mut q in list.clone() {
            q.mem.glc = true;
            list.push(q);
        }
    }
    if row.flags.contains(RowFlags::LDS_LOAD) {
        let mut q = p;
        q.mem.lds = true;
        list.push(q);
    }
    list
}

fn image_bases(row: &Row, p: Parts, list: &mut Vec<Parts>) {
    list.clear();
    if row.flags.contains(RowFlags::BVH_RAY) {
        for a16 in [false, true] {
            let mut q = p;
            q.image.dmask = 15;
            q.image.unorm = true;
            q.image.r128 = true;
            q.image.a16 = a16;
            list.push(q);
            q.image.nsa = nsa_words(row, &q);
            list.push(q);
        }
        return;
    }
    let sampler = row.operands.iter().any(|s| s.slot == Slot::Ssamp);
    let double = row.name.ends_with("CMPSWAP");
    let mip = row.name.contains("MIP");
    for dim in 0..if sampler || mip { 6 } else { 8 } {
        for a16 in [false, true] {
            let mut q = p;
            q.image.dim = dim;
            q.image.a16 = a16;
            q.image.dmask = if double { 3 } else { 1 };
            list.push(q);
            q.image.nsa = nsa_words(row, &q);
            if q.image.nsa > 0 {
                list.push(q);
            }
        }
    }
}

fn nsa_words(row: &Row, p: &Parts) -> u8 {
    let n = image::address_words(row.sem, p.image).expect("an image row");
    (n - 1).div_ceil(4) as u8
}

fn dpp16(ctrl: u16) -> Dpp {
    Dpp::Dpp16 {
        ctrl,
        row_mask: 15,
        bank_mask: 15,
        bound_ctrl: false,
        fetch_inactive: false,
    }
}

/// Registers that a place takes in this instruction.
fn width(spec: &OperandSpec, p: &Parts, wave: WaveSize) -> u32 {
    match spec.slot {
        Slot::FlatAddr => match p.encoding {
            Encoding::Flat | Encoding::Global => 2,
            _ => 1,
        },
        Slot::BufAddr => 1 + u32::from(p.mem.offen && p.mem.idxen),
        Slot::ImageAddr if p.image.nsa == 0 => {
            image::address_words(p.opcode.row().sem, p.image).expect("an image row")
        }
        Slot::ImageAddr => 1,
        Slot::Vdata if p.encoding == Encoding::Mimg => 6,
        Slot::Saddr if p.encoding == Encoding::Scratch => 1,
        _ => match spec.ty {
            Ty::Mask => wave.lanes() / 32,
            ty => ty.bits().map_or(1, |b| b.div_ceil(32)),
        },
    }
}

/// Whether the encoding fixes the operand.
fn implicit(spec: &OperandSpec, p: &Parts) -> bool {
    match spec.slot {
        Slot::CarryOut | Slot::CarryIn => p.encoding != Encoding::Vop3,
        Slot::CmpDst => p.encoding == Encoding::Vopc && p.ext == Ext::None,
        Slot::BufAddr => !p.mem.offen && !p.mem.idxen,
        Slot::Vdata | Slot::Vdst => p.mem.lds,
        _ => false,
    }
}

fn plain_operands(row: &Row, mut p: Parts, wave: WaveSize) -> Parts {
    for (i, spec) in row.operands.iter().enumerate() {
        let align = width(spec, &p, wave).max(1);
        let n = 4 * (i as u8 + 1);
        p.operands[i] = match spec.slot {
            Slot::CarryOut | Slot::CarryIn | Slot::CmpDst if implicit(spec, &p) => {
                Operand::S(SReg::VCC_LO)
            }
            Slot::BufAddr | Slot::Vdata | Slot::Vdst if implicit(spec, &p) => Operand::Off,
            Slot::Simm16 => Operand::Imm(3),
            Slot::Literal if spec.ty == Ty::F16 => Operand::Literal(0x5678),
            Slot::Literal => Operand::Literal(0x1234_5678),
            Slot::AttrChan | Slot::ProbeImm | Slot::ExpTarget => Operand::Imm(5),
            Slot::InterpPoint => Operand::Imm(1),
            Slot::Saddr | Slot::SmemOffset => Operand::Off,
            Slot::Soffset => Operand::S(SReg::from_code(n)),
            Slot::ExpSrc(k) if p.export.compr && k == 1 => p.operands[1],
            _ => match spec.class {
                Class::Vgpr | Class::Any => Operand::V(n),
                _ => Operand::S(SReg::from_code(n.next_multiple_of(align.min(4) as u8))),
            },
        };
        if spec.access == spirdna_isa::Access::DstIfGlc && !p.mem.glc {
            p.operands[i] = Operand::Off;
        }
    }
    for (i, a) in p.addresses.iter_mut().enumerate() {
        let n = image::address_words(row.sem, p.image).unwrap_or(1) as usize;
        *a = if p.image.nsa > 0 && i + 1 < n {
            (3 * i + 7) as u8
        } else {
            0
        };
    }
    p
}

fn vary_operands(row: &Row, base: Parts, target: Target, wave: WaveSize, all: &mut Vec<Parts>) {
    for (i, spec) in row.operands.iter().enumerate() {
        if spec.hidden || implicit(spec, &base) || base.operands[i] == Operand::Off && glc_off(spec)
        {
            continue;
        }
        for value in extremes(row, spec, &base, target, wave) {
            let mut p = base;
            p.operands[i] = value;
            // A pair of SCRATCH addresses has one at most.
            if spec.slot == Slot::Saddr && p.encoding == Encoding::Scratch {
                for (j, s) in row.operands.iter().enumerate() {
                    if s.slot == Slot::FlatAddr {
                        p.operands[j] = Operand::Off;
                    }
                }
            }
            all.push(p);
        }
    }
}

fn glc_off(spec: &OperandSpec) -> bool {
    spec.access == spirdna_isa::Access::DstIfGlc
}

fn extremes(
    row: &Row,
    spec: &OperandSpec,
    p: &Parts,
    target: Target,
    wave: WaveSize,
) -> Vec<Operand> {
    let n = width(spec, p, wave);
    let s = |code: u8| Operand::S(SReg::from_code(code));
    let mut list = Vec::new();
    match spec.slot {
        Slot::Simm16 => {
            let signed = |v: i32| match spec.ty {
                Ty::I16 => i32::from(v as i16),
                _ => v,
            };
            let values = [0, 1, 2, 63, 64, 65, 0xff, 0x7fff, 0x8000, 0xffff];
            return values.map(|v| Operand::Imm(signed(v))).to_vec();
        }
        Slot::Literal => {
            return [0, 1, 0xffff, 0x8000_0000, u32::MAX]
                .map(Operand::Literal)
                .to_vec();
        }
        Slot::AttrChan => return [0, 1, 2, 3, 4, 255].map(Operand::Imm).to_vec(),
        Slot::InterpPoint => return [0, 1, 2].map(Operand::Imm).to_vec(),
        Slot::ProbeImm => return [0, 1, 64, 65, 127].map(Operand::Imm).to_vec(),
        Slot::ExpTarget => return (0..64).map(Operand::Imm).collect(),
        Slot::ExpSrc(_) => return vec![Operand::Off, Operand::V(0), Operand::V(255)],
        Slot::SmemOffset => return vec![s(0), s(105), s(106), s(107), s(108), s(124), s(126)],
        Slot::Saddr if p.encoding == Encoding::Scratch => {
            let mut v = vec![s(0), s(105), s(106), s(124)];
            if target == Target::Gfx1030 {
                v.push(Operand::Off);
            }
            return v;
        }
        Slot::Saddr => return vec![],
        _ => {}
    }
    if matches!(spec.class, Class::Vgpr | Class::Any) {
        list.push(Operand::V(0));
        list.push(Operand::V((256 - n) as u8));
    }
    let scalar = match (spec.slot, p.encoding, p.ext) {
        (Slot::Src0, _, Ext::Dpp16 | Ext::Dpp8) => false,
        (Slot::Src1, Encoding::Vop2 | Encoding::Vopc, Ext::None | Ext::Dpp16 | Ext::Dpp8) => false,
        _ => matches!(spec.class, Class::Sgpr | Class::Scalar | Class::Any),
    };
    if !scalar {
        return list;
    }
    let align = match n {
        1 => 1,
        2 => 2,
        _ => 4,
    };
    let top = (106 - n as u8) / align * align;
    list.extend([s(0), s(top), s(108)]);
    // Neither EXEC nor M0 holds what scalar memory moves or a carry.
    let data = matches!(spec.slot, Slot::Sdata | Slot::CarryIn);
    let quad = matches!(spec.slot, Slot::Srsrc | Slot::Ssamp | Slot::Sbase);
    if n <= 2 && !quad {
        list.push(s(106));
        if !data {
            list.push(s(126));
        }
    }
    if n == 1 && !data && !quad {
        list.extend([s(107), s(124), s(127)]);
    }
    if matches!(spec.class, Class::Scalar | Class::Any) {
        list.extend([0, 1, 64, -1, -16].map(Operand::Int));
        list.extend(
            [
                FloatConst::Half,
                FloatConst::MinusOne,
                FloatConst::MinusFour,
                FloatConst::InvTwoPi,
            ]
            .map(Operand::Float),
        );
        list.extend([Special::Scc, Special::Vccz, Special::SharedBase].map(Operand::Special));
        let has_literal = row.operands.iter().any(|s| s.slot == Slot::Literal);
        if p.ext == Ext::None && spec.slot != Slot::Soffset && !has_literal {
            let literals: &[u32] = match spec.ty.bits() {
                Some(16) => &[0x41, 0x1234, 0xffef],
                _ => &[0x41, 0x1234_5678, 0xffff_ffef],
            };
            list.extend(literals.iter().map(|l| Operand::Literal(*l)));
        }
    }
    list
}

fn vary_modifiers(row: &Row, base: Parts, target: Target, all: &mut Vec<Parts>) {
    let f = row.flags;
    let mut push = |change: &dyn Fn(&mut Parts)| {
        let mut p = base;
        change(&mut p);
        all.push(p);
    };
    match base.encoding {
        Encoding::Vop3 => {
            let carry = row.operands.iter().any(|s| s.slot == Slot::CarryOut);
            for i in 0..3u8 {
                let abs = [RowFlags::ABS0, RowFlags::ABS1, RowFlags::ABS2][usize::from(i)];
                let neg = [RowFlags::NEG0, RowFlags::NEG1, RowFlags::NEG2][usize::from(i)];
                if f.contains(abs) && !carry {
                    push(&|p| p.valu.abs = 1 << i);
                }
                if f.contains(neg) {
                    push(&|p| p.valu.neg = 1 << i);
                }
                if f.contains(abs | neg) && !carry {
                    push(&|p| {
                        p.valu.abs = 1 << i;
                        p.valu.neg = 1 << i;
                    });
                }
            }
            if f.contains(RowFlags::CLAMP) {
                push(&|p| p.valu.clamp = true);
            }
            if f.contains(RowFlags::OMOD) {
                for o in [Omod::Mul2, Omod::Mul4, Omod::Div2] {
                    push(&|p| p.valu.omod = o);
                }
            }
            if f.contains(RowFlags::OPSEL01) {
                push(&|p| p.valu.op_sel = 1);
                push(&|p| p.valu.op_sel = 2);
            }
            if f.contains(RowFlags::OPSEL) {
                let has = |slot| row.operands.iter().any(|s| s.slot == slot && !s.hidden);
                let mask = has(Slot::CmpDst) || row.operands.iter().any(|s| s.slot == Slot::Exec);
                for (i, there) in [has(Slot::Src0), has(Slot::Src1), has(Slot::Src2), !mask]
                    .into_iter()
                    .enumerate()
                {
                    if there {
                        push(&|p| p.valu.op_sel = 1 << i);
                    }
                }
            }
            if f.contains(RowFlags::INTERP) {
                push(&|p| p.high = true);
            }
        }
        Encoding::Vop3p => {
            let n = row
                .operands
                .iter()
                .filter(|s| matches!(s.slot, Slot::Src0 | Slot::Src1 | Slot::Src2) && !s.hidden)
                .count();
            for i in 0..n as u8 {
                push(&|p| p.valu.neg = 1 << i);
                push(&|p| p.valu.neg_hi = 1 << i);
                push(&|p| p.valu.op_sel = 1 << i);
                push(&|p| p.valu.op_sel_hi ^= 1 << i);
            }
            push(&|p| p.valu.clamp = true);
        }
        Encoding::Smem => {
            let specs = row.operands;
            if specs.iter().any(|s| s.slot == Slot::SmemOffset) {
                for o in [1, 4, 0xf_ffff, -1, -0x10_0000] {
                    push(&|p| p.mem.offset = o);
                }
                let i = specs
                    .iter()
                    .position(|s| s.slot == Slot::SmemOffset)
                    .unwrap_or(0);
                push(&|p| {
                    p.operands[i] = Operand::S(SReg::from_code(7));
                    p.mem.offset = -0x10_0000;
                });
                if specs.iter().any(|s| s.slot == Slot::Sdata) {
                    push(&|p| p.mem.glc = true);
                    push(&|p| p.mem.dlc = true);
                }
            }
        }
        Encoding::Ds => {
            if f.contains(RowFlags::DS2) {
                push(&|p| p.mem.offset = 255);
                push(&|p| p.mem.offset1 = 255);
            } else if row.opcode != Opcode::DS_NOP {
                for o in [1, 255, 256, 0xffff, 0x80e4, 0x041f, 0x001c, 0x401f, 0x5555] {
                    push(&|p| p.mem.offset = o);
                }
            }
            let lanes = matches!(row.opcode, Opcode::DS_PERMUTE_B32 | Opcode::DS_BPERMUTE_B32);
            if !row.operands.is_empty() && !lanes {
                push(&|p| p.mem.gds = true);
            }
        }
        Encoding::Flat | Encoding::Global | Encoding::Scratch => {
            let offsets: &[i32] = match base.encoding {
                Encoding::Flat => &[1, 2047],
                _ => &[1, 2047, -1, -2048],
            };
            for &o in offsets {
                push(&|p| p.mem.offset = o);
            }
            push(&|p| p.mem.slc = true);
            push(&|p| p.mem.dlc = true);
            if !f.contains(RowFlags::ATOMIC) {
                push(&|p| p.mem.glc = true);
            }
            if base.encoding == Encoding::Global {
                global_saddr(row, base, all);
            }
        }
        Encoding::Mubuf | Encoding::Mtbuf if !row.operands.is_empty() => {
            for o in [1, 4095] {
                push(&|p| p.mem.offset = o);
            }
            push(&|p| p.mem.slc = true);
            if !f.contains(RowFlags::ATOMIC) {
                push(&|p| p.mem.glc = true);
                push(&|p| p.mem.dlc = true);
                if base.encoding == Encoding::Mubuf && !base.mem.lds {
                    push(&|p| p.mem.tfe = true);
                }
            }
            if base.encoding == Encoding::Mtbuf {
                for code in 0..128 {
                    push(&|p| p.mem.format = code);
                }
            }
        }
        Encoding::Mimg if !f.contains(RowFlags::BVH_RAY) => {
            push(&|p| p.image.unorm = true);
            push(&|p| p.image.r128 = true);
            push(&|p| p.image.lwe = true);
            push(&|p| p.mem.slc = true);
            push(&|p| p.mem.dlc = true);
            push(&|p| p.mem.tfe = true);
            if !f.contains(RowFlags::ATOMIC) {
                push(&|p| p.mem.glc = true);
                for mask in [2, 3, 5, 7, 10, 14, 15] {
                    push(&|p| p.image.dmask = mask);
                    if takes_d16(row) {
                        push(&|p| {
                            p.image.dmask = mask;
                            p.image.d16 = true;
                        });
                    }
                }
            }
        }
        Encoding::Exp => {
            push(&|p| p.export.done = true);
            push(&|p| p.export.vm = true);
            push(&|p| {
                p.export.compr = true;
                p.operands[2] = p.operands[1];
                p.operands[4] = p.operands[3];
            });
        }
        _ => {}
    }
    ext_modifiers(row, base, all);
    let _ = target;
}

/// Rows whose data LLVM can pack (its disassembler refuses D16 on the others).
fn takes_d16(row: &Row) -> bool {
    let n = row.name;
    let raw = n.contains("PCK") || n.contains("GET_");
    !raw
}

/// GLOBAL with a scalar address: the vector one is 32 bits wide then.
fn global_saddr(row: &Row, base: Parts, all: &mut Vec<Parts>) {
    let Some(i) = row.operands.iter().position(|s| s.slot == Slot::Saddr) else {
        return;
    };
    for code in [0, 104, 106, 108, 126] {
        let mut p = base;
        p.operands[i] = Operand::S(SReg::from_code(code));
        all.push(p);
    }
    if let Some(a) = row.operands.iter().position(|s| s.slot == Slot::FlatAddr) {
        let mut p = base;
        p.operands[i] = Operand::S(SReg::from_code(2));
        p.operands[a] = Operand::V(255);
        all.push(p);
    }
}

fn ext_modifiers(row: &Row, base: Parts, all: &mut Vec<Parts>) {
    let f = row.flags;
    let two = row
        .operands
        .iter()
        .any(|s| s.slot == Slot::Src1 && !s.hidden);
    let mut push = |change: &dyn Fn(&mut Parts)| {
        let mut p = base;
        change(&mut p);
        all.push(p);
    };
    let sels = [
        SdwaSel::Byte0,
        SdwaSel::Byte1,
        SdwaSel::Byte2,
        SdwaSel::Byte3,
        SdwaSel::Word0,
        SdwaSel::Word1,
    ];
    match base.ext {
        Ext::None => {}
        Ext::Sdwa | Ext::Sdwab => {
            let Some(s) = base.valu.sdwa else { return };
            for sel in sels {
                push(&|p| p.valu.sdwa = Some(Sdwa { src0: sel, ..s }));
                if two {
                    push(&|p| p.valu.sdwa = Some(Sdwa { src1: sel, ..s }));
                }
                if let Some((_, unused)) = s.dst {
                    push(&|p| {
                        p.valu.sdwa = Some(Sdwa {
                            dst: Some((sel, unused)),
                            ..s
                        });
                    });
                }
            }
            if let Some((sel, _)) = s.dst {
                for unused in [SdwaUnused::Sext, SdwaUnused::Preserve] {
                    push(&|p| {
                        p.valu.sdwa = Some(Sdwa {
                            dst: Some((sel, unused)),
                            ..s
                        });
                    });
                }
                push(&|p| p.valu.clamp = true);
            }
            for (i, slot) in [(0, Slot::Src0), (1, Slot::Src1)] {
                let Some(spec) = row.operands.iter().find(|s| s.slot == slot) else {
                    continue;
                };
                if matches!(spec.ty, Ty::F16 | Ty::F32) {
                    push(&|p| p.valu.neg = 1 << i);
                    push(&|p| p.valu.abs = 1 << i);
                } else if row.opcode != Opcode::V_CNDMASK_B32 {
                    push(&|p| {
                        p.valu.sdwa = Some(match i {
                            0 => Sdwa {
                                src0_sext: true,
                                ..s
                            },
                            _ => Sdwa {
                                src1_sext: true,
                                ..s
                            },
                        });
                    });
                }
            }
        }
        Ext::Dpp16 => {
            for ctrl in [
                0, 0x1b, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x140, 0x141, 0x150,
                0x15f, 0x160, 0x16f,
            ] {
                push(&|p| p.valu.dpp = Some(dpp16(ctrl)));
            }
            for (row_mask, bank_mask, bound_ctrl, fetch_inactive) in [
                (0, 15, false, false),
                (15, 0, false, false),
                (15, 15, true, false),
                (15, 15, false, true),
                (5, 10, true, true),
            ] {
                push(&|p| {
                    p.valu.dpp = Some(Dpp::Dpp16 {
                        ctrl: 0xe4,
                        row_mask,
                        bank_mask,
                        bound_ctrl,
                        fetch_inactive,
                    });
                });
            }
            for i in 0..2u8 {
                if f.contains([RowFlags::ABS0, RowFlags::ABS1][usize::from(i)]) {
                    push(&|p| p.valu.abs = 1 << i);
                    push(&|p| p.valu.neg = 1 << i);
                }
            }
        }
        Ext::Dpp8 => {
            for fetch_inactive in [false, true] {
                push(&|p| {
                    p.valu.dpp = Some(Dpp::Dpp8 {
                        lanes: [0, 1, 2, 3, 4, 5, 6, 7],
                        fetch_inactive,
                    });
                });
            }
        }
    }
}
