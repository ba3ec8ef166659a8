//! The conversions of a format as text: what proofs of formats depend on.

use spirdna_isa::WaveSize;
use spirdna_isa::format::BufferFormat;

use super::{load_d16, load_f32, number_index, packed_info, packed_place, store_d16, store_f32};
use crate::ir::{Builder, Func, Kind, Ty, Value, print};

/// The IR of a format's conversions, in straight code and as they are decoded at run time: changes with
/// them, and with nothing else but the builder's folding.
pub fn conversions_text(format: BufferFormat) -> String {
    let mut func = Func::new(WaveSize::W32);
    let entry = func.entry();
    let bits = func.add_param(entry, Ty::uniform(Kind::I32));
    let code = func.add_param(entry, Ty::uniform(Kind::I32));
    let number = func.add_param(entry, Ty::uniform(Kind::I32));
    let mut b = Builder::new(&mut func);
    let known = b.const32(format.code().into());
    let both = |b: &mut Builder<'_>, code: Value| {
        packed_info(b, code);
        for c in 0..4 {
            let c = b.const32(c);
            packed_place(b, code, c);
        }
    };
    both(&mut b, known);
    both(&mut b, code);
    let mut widths: Vec<u8> = format.layout().widths().to_vec();
    widths.dedup();
    let fixed = b.const32(number_index(format.number()));
    for convert in [load_f32, load_d16, store_f32, store_d16] {
        for &width in &widths {
            let width = b.const32(width.into());
            convert(&mut b, bits, width, fixed);
        }
        convert(&mut b, bits, code, number);
    }
    b.ret();
    // The code itself: formats may share conversions.
    format!("{format}\n{}", print::func_text(&func))
}
