//! From a parsed statement to parts of an instruction: which encoding it takes, and what each written
//! operand and modifier becomes in it.

use super::arg::{Arg, ArgKind};
use super::error::AsmErrorKind;
use super::lex::{Fail, Number, Parsed};
use super::modifier::Modifier;
use super::special::Simm16;
use crate::encode::{MAX_OPERANDS, Parts};
use crate::encoding::{Encoding, Ext};
use crate::format::BufferFormat;
use crate::image;
use crate::mods::{Dpp, Sdwa, SdwaSel, SdwaUnused};
use crate::operand::{FloatConst, Operand, SReg, Special, Ty};
use crate::row::{Access, Class, OperandSpec, Row, RowFlags, Slot};
use crate::sem::{Image, Sem, Valu};
use crate::target::WaveSize;
use crate::text::{FLOATS, inline_of_literal, spelling_ty};

/// A statement after parsing.
pub(super) struct Statement {
    pub(super) row: &'static Row,
    /// Where the statement ends.
    pub(super) end: usize,
    pub(super) args: Vec<Arg>,
    pub(super) modifiers: Vec<(usize, Modifier)>,
}

/// Parts, and the label that SIMM16 stands for.
pub(super) type Built = (Parts, Option<(usize, String)>);

/// Builds the parts of a statement in one encoding.
pub(super) fn build(s: &Statement, wave: WaveSize, encoding: Encoding, ext: Ext) -> Parsed<Built> {
    let mut b = Builder {
        s,
        wave,
        parts: Parts::new(s.row.opcode, encoding, ext),
        label: None,
    };
    b.defaults();
    for (at, m) in &s.modifiers {
        if !b.modifier(m) {
            return Err((*at, AsmErrorKind::ModifierNotTaken));
        }
    }
    b.finish_dpp()?;
    let dimension = s.modifiers.iter().any(|m| matches!(m.1, Modifier::Dim(_)));
    if encoding == Encoding::Mimg && !dimension && !b.flags().contains(RowFlags::BVH_RAY) {
        return Err((s.end, AsmErrorKind::NoDimension));
    }
    b.operands()?;
    Ok((b.parts, b.label))
}

struct Builder<'a> {
    s: &'a Statement,
    wave: WaveSize,
    parts: Parts,
    label: Option<(usize, String)>,
}

impl Builder<'_> {
    fn flags(&self) -> RowFlags {
        self.s.row.flags
    }

    fn is_mix(&self) -> bool {
        matches!(self.s.row.sem, Sem::Valu(Valu::FmaMix(_)))
    }

    fn sources(&self) -> usize {
        let source = |s: &&OperandSpec| {
            s.access == Access::Src && matches!(s.slot, Slot::Src0 | Slot::Src1 | Slot::Src2)
        };
        self.s.row.operands.iter().filter(source).count()
    }

    /// Modifiers that are on without being written.
    fn defaults(&mut self) {
        if self.parts.encoding == Encoding::Vop3p && !self.is_mix() {
            self.parts.valu.op_sel_hi = (1 << self.sources()) - 1;
        }
        if self.parts.encoding == Encoding::Mtbuf {
            self.parts.mem.format = BufferFormat::DEFAULT_CODE;
        }
        if self.flags().contains(RowFlags::BVH_RAY) {
            self.parts.image.dmask = 15;
            self.parts.image.unorm = true;
            self.parts.image.r128 = true;
        }
        match self.parts.ext {
            Ext::Sdwa | Ext::Sdwab => {
                self.parts.valu.sdwa = Some(Sdwa {
                    dst: (self.parts.ext == Ext::Sdwa)
                        .then_some((SdwaSel::Dword, SdwaUnused::Preserve)),
                    src0: SdwaSel::Dword,
                    src0_sext: false,
                    src1: SdwaSel::Dword,
                    src1_sext: false,
                });
            }
            Ext::Dpp16 => {
                self.parts.valu.dpp = Some(Dpp::Dpp16 {
                    ctrl: 0xe4,
                    row_mask: 15,
                    bank_mask: 15,
                    bound_ctrl: false,
                    fetch_inactive: false,
                });
            }
            Ext::Dpp8 | Ext::None => {}
        }
    }

    /// Applies a modifier; `false` where the encoding has no place for it.
    fn modifier(&mut self, m: &Modifier) -> bool {
        match self.parts.encoding {
            Encoding::Vop3 => self.vop3_modifier(m),
            Encoding::Vop3p => self.packed_modifier(m),
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc => match self.parts.ext {
                Ext::None => false,
                Ext::Sdwa | Ext::Sdwab => self.sdwa_modifier(m),
                Ext::Dpp16 | Ext::Dpp8 => self.dpp_modifier(m),
            },
            Encoding::Sop2
            | Encoding::Sopk
            | Encoding::Sop1
            | Encoding::Sopc
            | Encoding::Sopp
            | Encoding::Vintrp => false,
            Encoding::Smem
            | Encoding::Ds
            | Encoding::Mubuf
            | Encoding::Mtbuf
            | Encoding::Mimg
            | Encoding::Flat
            | Encoding::Global
            | Encoding::Scratch
            | Encoding::Exp => self.memory_modifier(m),
        }
    }

    fn vop3_modifier(&mut self, m: &Modifier) -> bool {
        let flags = self.flags();
        match m {
            Modifier::Clamp if flags.contains(RowFlags::CLAMP) => self.parts.valu.clamp = true,
            Modifier::Omod(o) if flags.contains(RowFlags::OMOD) => self.parts.valu.omod = *o,
            Modifier::High if flags.contains(RowFlags::INTERP) => self.parts.high = true,
            Modifier::OpSel(list) if flags.contains(RowFlags::OPSEL01) && list.len() == 2 => {
                self.parts.valu.op_sel = bits(list);
            }
            Modifier::OpSel(list) if flags.contains(RowFlags::OPSEL) => {
                let n = self.sources();
                if list.len() != n && list.len() != n + 1 {
                    return false;
                }
                // The last one is the destination's, bit 3 whatever the number of sources.
                let sources = bits(list.get(..n).unwrap_or(&[]));
                let dst = list.get(n).copied().unwrap_or(0);
                self.parts.valu.op_sel = sources | dst << 3;
            }
            _ => return false,
        }
        true
    }

    fn packed_modifier(&mut self, m: &Modifier) -> bool {
        let n = self.sources();
        let mix = self.is_mix();
        let v = &mut self.parts.valu;
        match m {
            Modifier::Clamp if self.s.row.flags.contains(RowFlags::CLAMP) => v.clamp = true,
            Modifier::OpSel(list) if list.len() == n => v.op_sel = bits(list),
            Modifier::OpSelHi(list) if list.len() == n => v.op_sel_hi = bits(list),
            Modifier::NegLo(list) if list.len() == n && !mix => v.neg = bits(list),
            Modifier::NegHi(list) if list.len() == n && !mix => v.neg_hi = bits(list),
            _ => return false,
        }
        true
    }

    fn sdwa_modifier(&mut self, m: &Modifier) -> bool {
        let two = self.sources() > 1;
        let Some(s) = &mut self.parts.valu.sdwa else {
            return false;
        };
        match (m, &mut s.dst) {
            (Modifier::Clamp, Some(_)) => self.parts.valu.clamp = true,
            (Modifier::Omod(o), Some(_)) => self.parts.valu.omod = *o,
            (Modifier::DstSel(sel), Some(dst)) => dst.0 = *sel,
            (Modifier::DstUnused(unused), Some(dst)) => dst.1 = *unused,
            (Modifier::Src0Sel(sel), _) => s.src0 = *sel,
            (Modifier::Src1Sel(sel), _) if two => s.src1 = *sel,
            _ => return false,
        }
        true
    }

    fn dpp_modifier(&mut self, m: &Modifier) -> bool {
        match (&mut self.parts.valu.dpp, m) {
            (Some(Dpp::Dpp16 { ctrl, .. }), Modifier::DppCtrl(c)) => *ctrl = *c,
            (Some(Dpp::Dpp16 { row_mask, .. }), Modifier::RowMask(n)) => *row_mask = *n,
            (Some(Dpp::Dpp16 { bank_mask, .. }), Modifier::BankMask(n)) => *bank_mask = *n,
            (Some(Dpp::Dpp16 { bound_ctrl, .. }), Modifier::BoundCtrl) => *bound_ctrl = true,
            (Some(Dpp::Dpp16 { fetch_inactive, .. }), Modifier::FetchInactive(on)) => {
                *fetch_inactive = *on;
            }
            (Some(Dpp::Dpp8 { fetch_inactive, .. }), Modifier::FetchInactive(on)) => {
                *fetch_inactive = *on;
            }
            (dpp @ None, Modifier::Dpp8(lanes)) if self.parts.ext == Ext::Dpp8 => {
                *dpp = Some(Dpp::Dpp8 {
                    lanes: *lanes,
                    fetch_inactive: false,
                });
            }
            _ => return false,
        }
        true
    }

    /// A DPP instruction says how lanes move.
    fn finish_dpp(&self) -> Parsed<()> {
        let said = match self.parts.ext {
            Ext::Dpp16 => self.s.modifiers.iter().any(|m| m.1.is_dpp()),
            Ext::Dpp8 => self.parts.valu.dpp.is_some(),
            Ext::None | Ext::Sdwa | Ext::Sdwab => true,
        };
        if said {
            Ok(())
        } else {
            Err((self.s.end, AsmErrorKind::TooFewOperands))
        }
    }

    fn memory_modifier(&mut self, m: &Modifier) -> bool {
        let encoding = self.parts.encoding;
        let flags = self.flags();
        let flat = matches!(
            encoding,
            Encoding::Flat | Encoding::Global | Encoding::Scratch
        );
        let buffer = matches!(encoding, Encoding::Mubuf | Encoding::Mtbuf);
        let image = encoding == Encoding::Mimg;
        let ds = encoding == Encoding::Ds;
        let cached = flat || buffer || image;
        let mem = &mut self.parts.mem;
        match m {
            Modifier::Offset(o) if !(image || ds && flags.contains(RowFlags::DS2)) => {
                mem.offset = *o;
            }
            Modifier::Offset0(o) if flags.contains(RowFlags::DS2) => mem.offset = i32::from(*o),
            Modifier::Offset1(o) if flags.contains(RowFlags::DS2) => mem.offset1 = *o,
            Modifier::Glc if cached || encoding == Encoding::Smem => mem.glc = true,
            Modifier::Dlc if cached || encoding == Encoding::Smem => mem.dlc = true,
            Modifier::Slc if cached => mem.slc = true,
            Modifier::Lds if flags.contains(RowFlags::LDS_LOAD) => mem.lds = true,
            Modifier::Gds if ds => mem.gds = true,
            Modifier::Tfe if image || encoding == Encoding::Mubuf => mem.tfe = true,
            Modifier::Offen if buffer => mem.offen = true,
            Modifier::Idxen if buffer => mem.idxen = true,
            Modifier::Format(code) if encoding == Encoding::Mtbuf => mem.format = *code,
            Modifier::Dmask(mask) if image => self.parts.image.dmask = *mask,
            Modifier::Dim(dim) if image => self.parts.image.dim = *dim,
            Modifier::Unorm if image => self.parts.image.unorm = true,
            Modifier::R128 if image => self.parts.image.r128 = true,
            Modifier::A16 if image => self.parts.image.a16 = true,
            Modifier::D16 if image => self.parts.image.d16 = true,
            Modifier::Lwe if image => self.parts.image.lwe = true,
            Modifier::Done if encoding == Encoding::Exp => self.parts.export.done = true,
            Modifier::Compr if encoding == Encoding::Exp => self.parts.export.compr = true,
            Modifier::Vm if encoding == Encoding::Exp => self.parts.export.vm = true,
            _ => return false,
        }
        true
    }

    fn operands(&mut self) -> Parsed<()> {
        let s = self.s;
        let mut args = s.args.iter();
        for (i, spec) in s.row.operands.iter().enumerate().take(MAX_OPERANDS) {
            if !self.written(spec) {
                continue;
            }
            let Some(arg) = args.next() else {
                // S_ENDPGM's operand is 0 where it is left out.
                if spec.slot == Slot::Simm16 && s.row.sem == Sem::Flow(crate::sem::Flow::EndPgm) {
                    self.set(i, Operand::Imm(0));
                    continue;
                }
                return Err((s.end, AsmErrorKind::TooFewOperands));
            };
            let operand = self.operand(spec, arg)?;
            self.set(i, operand);
        }
        match args.next() {
            Some(arg) => Err((arg.at, AsmErrorKind::TooManyOperands)),
            None => Ok(()),
        }
    }

    fn set(&mut self, i: usize, operand: Operand) {
        if let Some(o) = self.parts.operands.get_mut(i) {
            *o = operand;
        }
    }

    /// Whether the text has the operand.
    fn written(&self, spec: &OperandSpec) -> bool {
        if spec.hidden || (spec.access == Access::DstIfGlc && !self.parts.mem.glc) {
            return false;
        }
        match spec.slot {
            Slot::Saddr => self.parts.encoding != Encoding::Flat,
            Slot::Vdata | Slot::Vdst => !self.parts.mem.lds,
            _ => true,
        }
    }

    fn operand(&mut self, spec: &OperandSpec, arg: &Arg) -> Parsed<Operand> {
        let kind = |k: AsmErrorKind| Err((arg.at, k));
        match spec.slot {
            Slot::Src0 | Slot::Src1 | Slot::Src2 | Slot::InterpVsrc => {
                self.source_modifiers(spec, arg)?;
            }
            _ if arg.neg || arg.abs || arg.sext => return kind(AsmErrorKind::OperandModifier),
            _ => {}
        }
        match spec.slot {
            Slot::Simm16 => match &arg.kind {
                ArgKind::Simm16(Simm16::Value(v)) => Ok(Operand::Imm(i32::from(*v))),
                ArgKind::Simm16(Simm16::Label(name)) => {
                    self.label = Some((arg.at, name.clone()));
                    Ok(Operand::Imm(0))
                }
                _ => kind(AsmErrorKind::OperandKind),
            },
            Slot::Literal => {
                // The whole dword is encoded, whatever part of it the row reads.
                let l = match &arg.kind {
                    ArgKind::Number(n @ Number::Int(_)) | ArgKind::Literal(n @ Number::Int(_)) => {
                        literal_bits(*n, Ty::B32)
                    }
                    ArgKind::Number(n) | ArgKind::Literal(n) => literal_bits(*n, spec.ty),
                    _ => return kind(AsmErrorKind::OperandKind),
                };
                match l {
                    Some(l) => Ok(Operand::Literal(l)),
                    None => kind(AsmErrorKind::ConstantRange),
                }
            }
            Slot::AttrChan => attribute(arg),
            Slot::InterpPoint => match &arg.kind {
                ArgKind::Name(n) if n == "p10" => Ok(Operand::Imm(0)),
                ArgKind::Name(n) if n == "p20" => Ok(Operand::Imm(1)),
                ArgKind::Name(n) if n == "p0" => Ok(Operand::Imm(2)),
                ArgKind::Name(n) => match n.strip_prefix("invalid_param_").map(str::parse) {
                    Some(Ok(i)) => Ok(Operand::Imm(i)),
                    _ => kind(AsmErrorKind::OperandKind),
                },
                _ => kind(AsmErrorKind::OperandKind),
            },
            Slot::ProbeImm => match &arg.kind {
                ArgKind::Number(Number::Int(i)) if (0..128).contains(i) => {
                    Ok(Operand::Imm(*i as i32))
                }
                _ => kind(AsmErrorKind::OperandKind),
            },
            Slot::ExpTarget => export_target(arg),
            Slot::SmemOffset => self.smem_offset(arg),
            Slot::ImageAddr => self.image_address(arg),
            _ => self.register_or_constant(spec, arg),
        }
    }

    /// `-`, `|…|` and `sext(…)` of a vector source.
    fn source_modifiers(&mut self, spec: &OperandSpec, arg: &Arg) -> Parsed<()> {
        let refuse = Err((arg.at, AsmErrorKind::OperandModifier));
        let i = match spec.slot {
            Slot::Src0 => 0,
            Slot::Src1 | Slot::InterpVsrc => 1,
            _ => 2,
        };
        let bit = |on: bool| u8::from(on) << i;
        let mix = self.is_mix();
        let v = &mut self.parts.valu;
        match (self.parts.encoding, self.parts.ext) {
            (_, Ext::Sdwa | Ext::Sdwab) => {
                v.neg |= bit(arg.neg);
                v.abs |= bit(arg.abs);
                if let Some(s) = &mut v.sdwa {
                    match i {
                        0 => s.src0_sext = arg.sext,
                        _ => s.src1_sext = arg.sext,
                    }
                }
            }
            _ if arg.sext => return refuse,
            (Encoding::Vop3, _) | (_, Ext::Dpp16) => {
                v.neg |= bit(arg.neg);
                v.abs |= bit(arg.abs);
            }
            // The mix instructions use NEG_HI as ABS.
            (Encoding::Vop3p, _) if mix => {
                v.neg |= bit(arg.neg);
                v.neg_hi |= bit(arg.abs);
            }
            _ if arg.neg || arg.abs => return refuse,
            _ => {}
        }
        Ok(())
    }

    /// Registers that a place takes; 0 where any number will do.
    fn want(&self, spec: &OperandSpec) -> u32 {
        let mask = match self.wave {
            WaveSize::W32 => 1,
            WaveSize::W64 => 2,
        };
        let saddr_off = self.s.args.last().is_some_and(|a| a.kind == ArgKind::Off);
        let mem = self.parts.mem;
        match spec.slot {
            Slot::FlatAddr => match self.parts.encoding {
                Encoding::Flat => 2,
                Encoding::Global if saddr_off => 2,
                _ => 1,
            },
            Slot::Saddr if self.parts.encoding == Encoding::Scratch => 1,
            Slot::BufAddr => 1 + u32::from(mem.offen && mem.idxen),
            Slot::Vdata if self.parts.encoding == Encoding::Mimg => self.image_data(),
            Slot::Vdata => spec.ty.bits().map_or(1, |b| b / 32) + u32::from(mem.tfe),
            _ => match spec.ty {
                Ty::Mask => mask,
                ty => ty.bits().map_or(1, |b| b.div_ceil(32)),
            },
        }
    }

    fn image_data(&self) -> u32 {
        let flags = self.flags();
        if flags.contains(RowFlags::BVH_RAY) {
            return 4;
        }
        let m = self.parts.image;
        let msaa = self.s.row.sem == Sem::Image(Image::MsaaLoad);
        let components = match flags.contains(RowFlags::GATHER) && !msaa {
            true => 4,
            false => m.dmask.count_ones().max(1),
        };
        let words = match m.d16 {
            true => components.div_ceil(2),
            false => components,
        };
        words + u32::from(self.parts.mem.tfe)
    }

    fn register_or_constant(&mut self, spec: &OperandSpec, arg: &Arg) -> Parsed<Operand> {
        let fail = |k: AsmErrorKind| Err((arg.at, k));
        let want = self.want(spec);
        let width = |got: u32| {
            if want == 0 || got == want || got == 0 {
                Ok(())
            } else {
                Err((arg.at, AsmErrorKind::OperandWidth { want, got }))
            }
        };
        match &arg.kind {
            ArgKind::Vgpr(v, n) => {
                if !self.takes_vgpr(spec) {
                    return fail(AsmErrorKind::OperandKind);
                }
                width(*n)?;
                Ok(Operand::V(*v))
            }
            ArgKind::VgprList(list) => {
                let first = list.first().copied().unwrap_or(0);
                let run = (first..=255).zip(list).all(|(a, b)| a == *b);
                if !run || usize::from(255 - first) + 1 < list.len() {
                    return fail(AsmErrorKind::BrokenRun);
                }
                if !self.takes_vgpr(spec) {
                    return fail(AsmErrorKind::OperandKind);
                }
                width(list.len() as u32)?;
                Ok(Operand::V(first))
            }
            ArgKind::Sgpr(r, n) => {
                if !self.takes_sgpr(spec) {
                    return fail(AsmErrorKind::OperandKind);
                }
                width(*n)?;
                let align: u8 = match n {
                    0 | 1 => 1,
                    2 => 2,
                    _ => 4,
                };
                if r.code() % align != 0 {
                    return fail(AsmErrorKind::Misaligned(align));
                }
                Ok(Operand::S(*r))
            }
            ArgKind::Special(s) if self.takes_constant(spec) => Ok(Operand::Special(*s)),
            // A dword of LDS stands where a VGPR stands.
            ArgKind::Special(s @ Special::LdsDirect) if spec.slot == Slot::Src0 => {
                Ok(Operand::Special(*s))
            }
            ArgKind::Number(n) if self.takes_constant(spec) => {
                let ty = self.constant_ty(spec);
                constant(*n, ty).ok_or((arg.at, AsmErrorKind::ConstantRange))
            }
            ArgKind::Literal(n) if self.takes_constant(spec) => {
                // An integer is the whole dword, whatever part of it the type reads.
                let ty = match n {
                    Number::Int(_) => Ty::B32,
                    Number::Float(_) => self.constant_ty(spec),
                };
                match literal_bits(*n, ty) {
                    Some(l) => Ok(Operand::Literal(l)),
                    None => fail(AsmErrorKind::ConstantRange),
                }
            }
            ArgKind::Off if takes_off(spec.slot) => Ok(Operand::Off),
            _ => fail(AsmErrorKind::OperandKind),
        }
    }

    fn takes_vgpr(&self, spec: &OperandSpec) -> bool {
        matches!(spec.class, Class::Vgpr | Class::Any)
    }

    fn takes_sgpr(&self, spec: &OperandSpec) -> bool {
        match spec.slot {
            Slot::Src1 => self.takes_constant(spec),
            _ => matches!(spec.class, Class::Sgpr | Class::Scalar | Class::Any),
        }
    }

    /// VSRC1 of VOP2 and VOPC is a VGPR; only SDWA makes it anything else.
    fn takes_constant(&self, spec: &OperandSpec) -> bool {
        let class = matches!(spec.class, Class::Scalar | Class::Any);
        let narrow = matches!(self.parts.encoding, Encoding::Vop2 | Encoding::Vopc);
        match (spec.slot, self.parts.ext) {
            (Slot::Src0, Ext::Dpp16 | Ext::Dpp8) => false,
            (Slot::Src1, Ext::Sdwa | Ext::Sdwab) => class,
            (Slot::Src1, _) if narrow => false,
            _ => class,
        }
    }

    /// A half source of a mix instruction takes f16 constants.
    fn constant_ty(&self, spec: &OperandSpec) -> Ty {
        let i = match spec.slot {
            Slot::Src0 => 0,
            Slot::Src1 | Slot::InterpVsrc => 1,
            _ => 2,
        };
        if self.is_mix() && self.parts.valu.op_sel_hi >> i & 1 != 0 {
            Ty::F16
        } else {
            spelling_ty(self.s.row, spec)
        }
    }

    fn smem_offset(&mut self, arg: &Arg) -> Parsed<Operand> {
        match &arg.kind {
            ArgKind::Sgpr(SReg::NULL, _) | ArgKind::Off => Ok(Operand::Off),
            ArgKind::Sgpr(r, 1) => Ok(Operand::S(*r)),
            ArgKind::Number(Number::Int(i)) if (-(1 << 20)..1 << 20).contains(i) => {
                self.parts.mem.offset = *i as i32;
                Ok(Operand::Off)
            }
            ArgKind::Number(Number::Int(_)) => Err((arg.at, AsmErrorKind::OutOfRange)),
            _ => Err((arg.at, AsmErrorKind::OperandKind)),
        }
    }

    /// A run of VGPRs, or a list, which asks for NSA words where it is no run.
    fn image_address(&mut self, arg: &Arg) -> Parsed<Operand> {
        let want = image::address_words(self.s.row.sem, self.parts.image).unwrap_or(1);
        let (first, got) = match &arg.kind {
            ArgKind::Vgpr(v, n) => (*v, *n),
            ArgKind::VgprList(list) => (list.first().copied().unwrap_or(0), list.len() as u32),
            _ => return Err((arg.at, AsmErrorKind::OperandKind)),
        };
        if got != want {
            return Err((arg.at, AsmErrorKind::OperandWidth { want, got }));
        }
        if let ArgKind::VgprList(list) = &arg.kind
            && list.len() > 1
        {
            if list.len() > 1 + self.parts.addresses.len() {
                return Err((arg.at, AsmErrorKind::OutOfRange));
            }
            for (to, v) in self.parts.addresses.iter_mut().zip(list.iter().skip(1)) {
                *to = *v;
            }
            self.parts.image.nsa = (list.len() - 1).div_ceil(4) as u8;
        }
        Ok(Operand::V(first))
    }
}

fn bits(list: &[u8]) -> u8 {
    list.iter().rev().fold(0, |b, &x| b << 1 | x)
}

/// Places that `off` may switch off.
fn takes_off(slot: Slot) -> bool {
    matches!(
        slot,
        Slot::Saddr | Slot::FlatAddr | Slot::BufAddr | Slot::ExpSrc(_)
    )
}

fn attribute(arg: &Arg) -> Parsed<Operand> {
    let bad: Fail = (arg.at, AsmErrorKind::OperandKind);
    let ArgKind::Name(name) = &arg.kind else {
        return Err(bad);
    };
    let Some((attr, chan)) = name.strip_prefix("attr").and_then(|n| n.split_once('.')) else {
        return Err(bad);
    };
    let chan = ["x", "y", "z", "w"].iter().position(|c| *c == chan);
    match (attr.parse::<i32>(), chan) {
        (Ok(attr), Some(chan)) if attr < 64 => Ok(Operand::Imm(attr * 4 + chan as i32)),
        _ => Err(bad),
    }
}

fn export_target(arg: &Arg) -> Parsed<Operand> {
    let bad: Fail = (arg.at, AsmErrorKind::OperandKind);
    let name = match &arg.kind {
        ArgKind::Name(name) => name.as_str(),
        ArgKind::Sgpr(SReg::NULL, _) => return Ok(Operand::Imm(9)),
        _ => return Err(bad),
    };
    let code = match name {
        "mrtz" => Some(8),
        "prim" => Some(20),
        _ => [
            ("mrt", 0, 8),
            ("pos", 12, 5),
            ("param", 32, 32),
            ("invalid_target_", 0, 64),
        ]
        .into_iter()
        .find_map(|(prefix, base, count)| {
            let n: i32 = name.strip_prefix(prefix)?.parse().ok()?;
            (n < count).then_some(base + n)
        }),
    };
    code.map(Operand::Imm).ok_or(bad)
}

/// A constant as LLVM encodes it: inline where a value of the type's bits is, else a literal.
fn constant(n: Number, ty: Ty) -> Option<Operand> {
    let float16 = matches!(ty, Ty::B16 | Ty::U16 | Ty::I16);
    match n {
        Number::Int(i) if (-16..=64).contains(&i) => Some(Operand::Int(i as i8)),
        Number::Int(i) if ty.bits() == Some(64) => {
            // The whole 64 bits of an inline constant, or what 32 bits stand for.
            let whole = FLOATS.iter().find(|f| i == i128::from(f.0.bits().2));
            let negative = i - (1i128 << 64);
            if let Some(f) = whole {
                return Some(Operand::Float(f.0));
            }
            if (-16..0).contains(&negative) {
                return Some(Operand::Int(negative as i8));
            }
            let l = literal_bits(n, ty)?;
            Some(match inline_of_literal(l, ty) {
                Some(op @ Operand::Float(_)) => op,
                _ => Operand::Literal(l),
            })
        }
        Number::Int(_) => {
            let l = literal_bits(n, ty)?;
            Some(match inline_of_literal(l, ty) {
                Some(Operand::Float(_)) if float16 => Operand::Literal(l),
                Some(op) => op,
                None => Operand::Literal(l),
            })
        }
        Number::Float(v) => {
            if let Some(f) = inline_float(v, ty) {
                return Some(Operand::Float(f));
            }
            let l = literal_bits(n, ty)?;
            // 0.0 is the integer 0.
            Some(if l == 0 {
                Operand::Int(0)
            } else {
                Operand::Literal(l)
            })
        }
    }
}

/// The inline float that a written value is once rounded to the type's width.
fn inline_float(v: f64, ty: Ty) -> Option<FloatConst> {
    let same = |f: FloatConst| {
        let (half, single, double) = f.bits();
        match ty {
            Ty::F16 | Ty::PkF16 | Ty::B16 | Ty::U16 | Ty::I16 => half_bits(v) == Some(half),
            _ if ty.bits() == Some(64) => v.to_bits() == double,
            _ => (v as f32).to_bits() == single,
        }
    };
    FLOATS.iter().map(|f| f.0).find(|&f| same(f))
}

/// The literal dword of a number at a type; `None` where it does not fit.
fn literal_bits(n: Number, ty: Ty) -> Option<u32> {
    match n {
        Number::Int(i) => {
            let bits = match ty.bits() {
                Some(16) => 16,
                _ => 32,
            };
            let low = -(1i128 << (bits - 1));
            let high = (1i128 << bits) - 1;
            // A negative literal of 64 bits would not be extended back to itself.
            let low = match ty {
                Ty::B64 | Ty::U64 | Ty::F64 => 0,
                _ => low,
            };
            ((low..=high).contains(&i)).then_some(match bits {
                16 => i as u32 & 0xffff,
                _ => i as u32,
            })
        }
        Number::Float(v) => match ty {
            Ty::F64 => {
                let bits = v.to_bits();
                (bits as u32 == 0).then_some((bits >> 32) as u32)
            }
            Ty::F16 | Ty::PkF16 | Ty::B16 | Ty::U16 | Ty::I16 => half_bits(v).map(u32::from),
            _ if ty.bits() == Some(64) => None,
            _ => {
                let single = v as f32;
                (single.is_finite() || !v.is_finite()).then_some(single.to_bits())
            }
        },
    }
}

/// The f16 nearest to a value, ties to even; `None` where it overflows.
fn half_bits(v: f64) -> Option<u16> {
    let sign = if v.is_sign_negative() { 0x8000 } else { 0 };
    let a = v.abs();
    if a >= 65520.0 {
        return None;
    }
    // Below 2^-14 the unit is 2^-24; above, 11 bits.
    let exponent = ((a.to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = 2f64.powi(exponent - 10);
    let steps = a / unit;
    let floor = steps.floor();
    let up = match steps - floor {
        r if r > 0.5 => true,
        r if r < 0.5 => false,
        _ => floor % 2.0 == 1.0,
    };
    let steps = floor as u16 + u16::from(up);
    // A full mantissa carries into the exponent by itself.
    let biased = if exponent == -14 && steps < 0x400 {
        steps
    } else {
        (((exponent + 14) as u16) << 10) + steps
    };
    Some(sign | biased)
}

#[cfg(test)]
mod tests {
    use super::half_bits;

    #[test]
    fn halves() {
        for (v, bits) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (0.1, 0x2e66),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (5.960464477539063e-8, 1),
            (6.097555160522461e-5, 0x03ff),
            (6.103515625e-5, 0x0400),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (1.9999, 0x4000),
        ] {
            assert_eq!(half_bits(v), Some(bits), "{v}");
        }
        assert_eq!(half_bits(65520.0), None);
    }
}
