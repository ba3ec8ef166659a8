//! `V_TRIG_PREOP_F64`: 53 bits of 2/pi for a range reduction by hand.

use super::super::Lift;
use super::Vop;
use crate::error::Reason;
use crate::ir::{FOp, FTy, Kind, Value};

/// The first bits of 2/pi, from the most significant on. Hardware holds 1201: the last word's rest is 0.
const TWO_OVER_PI: [u32; 38] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
    0xfc7b_0000,
];

impl Lift<'_> {
    /// Segment `select` (5 bits) of those that matter for the magnitude of source 0, at its place; 2^128
    /// times that for huge ones.
    pub(super) fn v_trig_preop(&mut self, v: &Vop<'_>) -> Result<(), Reason> {
        let (x, select) = (self.vsrc64(v, 0)?, self.vsrc32(v, 1)?);
        let top = self.b.hi(x);
        let exponent = self.b.field_u(top, 20, 11);
        // First bit of the segment.
        let far = self.b.const32(1077);
        let skip = self.b.umax(exponent, far);
        let skip = self.b.sub(skip, far);
        let (select, width) = (self.b.and32(select, 31), self.b.const32(53));
        let first = self.b.mul(select, width);
        let first = self.b.add(first, skip);
        let segment = self.helper("two_over_pi", &[Kind::I32], |b, params| {
            let &[first] = params else {
                return b.const64(0);
            };
            let (word, at) = (b.shr_by(first, 5), b.and32(first, 31));
            let table: Vec<Value> = TWO_OVER_PI.iter().map(|&w| b.const32(w)).collect();
            let zero = b.const32(0);
            // Three words hold 53 bits wherever they begin.
            let words: [Value; 3] =
                std::array::from_fn(|i| super::super::pick(b, word, &table[i..], zero));
            let upper = b.pack(words[1], words[0]);
            let upper = b.shl(upper, at);
            let below = b.zext(words[2]);
            let (count, one) = (b.const32(31), b.const32(1));
            let rest = b.sub(count, at);
            let below = b.shr_u(below, rest);
            let below = b.shr_u(below, one);
            let wide = b.or(upper, below);
            b.shr_by(wide, 11)
        });
        let segment = self.b.call(segment, Kind::I64, &[first]);
        // As a number: an integer of 53 bits at most, then its place, rounded where that is subnormal.
        let high = self.b.hi(segment);
        let low = self.b.lo(segment);
        let top = self.b.find_umsb(segment);
        let most = self.b.const32(52);
        let up = self.b.sub(most, top);
        let frac = self.b.shl(segment, up);
        let (frac_lo, frac_hi) = (self.b.lo(frac), self.b.hi(frac));
        let frac_hi = self.b.field_u(frac_hi, 0, 20);
        let bias = self.b.const32(1023);
        let field = self.b.add(top, bias);
        let field = self.b.shl_by(field, 20);
        let hi = self.b.or(field, frac_hi);
        let number = self.b.pack(frac_lo, hi);
        let any = self.b.or(high, low);
        let none = self.is_zero(any);
        let zero = self.b.const64(0);
        let number = self.b.select(none, zero, number);
        let huge = self.b.const32(1968);
        let huge = self.b.ule(huge, exponent);
        let (more, less) = (self.b.const32(128 - 53), self.b.const32((-53i32) as u32));
        let place = self.b.select(huge, more, less);
        let place = self.b.sub(place, first);
        let mode = self.fmode(FTy::F64);
        let x = self.float(FOp::Ldexp, FTy::F64, mode, &[number, place]);
        self.set_vfloat(v, x, FTy::F64)
    }
}
