//! Sets of guest registers, and which ones an instruction may write. Knows no IR.

use spirdna_isa::{Inst, Operand, RowFlags, Ty};

/// A set of registers: scalar ones by code (EXEC is 126 and 127), vector ones, SCC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RegSet {
    scalar: u128,
    vector: [u128; 2],
    scc: bool,
}

impl RegSet {
    /// SCC alone.
    pub const SCC: RegSet = RegSet {
        scalar: 0,
        vector: [0; 2],
        scc: true,
    };
    /// EXEC alone.
    pub const EXEC: RegSet = RegSet {
        scalar: 3 << 126,
        vector: [0; 2],
        scc: false,
    };
    const SCALARS: RegSet = RegSet {
        scalar: u128::MAX,
        vector: [0; 2],
        scc: false,
    };
    const VECTORS: RegSet = RegSet {
        scalar: 0,
        vector: [u128::MAX; 2],
        scc: false,
    };

    /// `n` scalar registers from a code on.
    pub const fn scalars(code: u8, n: u32) -> RegSet {
        RegSet {
            scalar: if n >= 128 { u128::MAX } else { (1 << n) - 1 } << (code & 127),
            vector: [0; 2],
            scc: false,
        }
    }

    /// `n` vector registers from one on.
    pub fn vectors(first: u8, n: u32) -> RegSet {
        let mut set = RegSet::default();
        set.add_vectors(first, n);
        set
    }

    /// Adds `n` vector registers from one on.
    fn add_vectors(&mut self, first: u8, n: u32) {
        for reg in u32::from(first)..(u32::from(first) + n).min(256) {
            self.vector[(reg / 128) as usize] |= 1 << (reg % 128);
        }
    }

    /// Adds those of another.
    pub fn add(&mut self, other: &RegSet) {
        self.scalar |= other.scalar;
        self.vector[0] |= other.vector[0];
        self.vector[1] |= other.vector[1];
        self.scc |= other.scc;
    }

    /// Adds those that an instruction may write. `mask`: scalar registers of a mask.
    pub fn add_writes(&mut self, inst: &Inst, mask: u32) {
        let flags = inst.flags();
        let indexed = flags.contains(RowFlags::INDEXED);
        self.scc |= flags.contains(RowFlags::WR_SCC);
        if flags.contains(RowFlags::WR_EXEC) {
            self.add(&RegSet::EXEC);
        }
        for (operand, ty) in (0..inst.dst_count()).filter_map(|i| inst.dst(i)) {
            let dwords = ty.bits().map_or(mask, |bits| bits.div_ceil(32));
            match (operand, ty) {
                (Operand::S(_), _) if indexed => self.add(&RegSet::SCALARS),
                (Operand::V(_), _) if indexed => self.add(&RegSet::VECTORS),
                (Operand::S(reg), _) => self.scalar |= RegSet::scalars(reg.code(), dwords).scalar,
                (Operand::V(_), Ty::Data | Ty::ImageAddr) => self.add(&RegSet::VECTORS),
                // The status of TFE lies behind the data.
                (Operand::V(reg), _) => self.add_vectors(reg, dwords + u32::from(inst.has_tfe())),
                _ => {}
            }
        }
    }

    /// The scalar registers, by code.
    pub fn scalar_codes(&self) -> impl Iterator<Item = u8> + use<> {
        let scalar = self.scalar;
        (0..128u8).filter(move |n| scalar >> n & 1 != 0)
    }

    /// Whether a scalar register is in it.
    pub const fn has_scalar(&self, code: u8) -> bool {
        self.scalar >> (code & 127) & 1 != 0
    }

    /// Whether SCC is in it.
    pub const fn has_scc(&self) -> bool {
        self.scc
    }

    /// Whether a vector register is in it.
    pub const fn has_vector(&self, reg: u8) -> bool {
        self.vector[(reg >> 7) as usize] >> (reg & 127) & 1 != 0
    }
}

/// Scalar registers that a mask has, where the wave size is not known: in wave32 one.
pub const ANY_MASK: u32 = 2;

/// The registers that an instruction may write. `mask`: scalar registers of a mask.
pub fn writes(inst: &Inst, mask: u32) -> RegSet {
    let mut set = RegSet::default();
    set.add_writes(inst, mask);
    set
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;
    use spirdna_isa::{Target, WaveSize, assemble, decode};

    fn vectors(text: &str) -> Vec<u8> {
        let words = assemble(Target::Gfx1030, WaveSize::W32, text).unwrap();
        let set = writes(&decode(Target::Gfx1030, &words, 0).unwrap(), 1);
        (0..=255).filter(|&v| set.has_vector(v)).collect()
    }

    fn scalars(text: &str, wave: WaveSize) -> Vec<u8> {
        let words = assemble(Target::Gfx1030, wave, text).unwrap();
        let inst = decode(Target::Gfx1030, &words, 0).unwrap();
        writes(&inst, wave.lanes() / 32).scalar_codes().collect()
    }

    #[test]
    fn a_mask_of_a_small_wave_is_one_register() {
        let (w32, w64) = (WaveSize::W32, WaveSize::W64);
        assert_eq!(scalars("v_cmp_lt_u32_e64 s6, v1, v2", w32), [6]);
        assert_eq!(scalars("v_cmp_lt_u32_e64 s[6:7], v1, v2", w64), [6, 7]);
        assert_eq!(scalars("v_add_co_u32 v0, s6, v1, v2", w32), [6]);
    }

    #[test]
    fn an_index_reaches_the_registers_of_its_kind() {
        assert!(scalars("v_movreld_b32_e32 v1, v2", WaveSize::W32).is_empty());
        assert_eq!(vectors("v_movreld_b32_e32 v1, v2").len(), 256);
        assert!(vectors("s_movreld_b32 s1, s2").is_empty());
        assert_eq!(scalars("s_movreld_b32 s1, s2", WaveSize::W32).len(), 128);
    }

    #[test]
    fn loads_write_their_status_and_nothing_where_lds_gets_the_data() {
        assert_eq!(
            vectors("buffer_load_dwordx2 v[4:5], off, s[0:3], 0"),
            [4, 5]
        );
        let with_status = "buffer_load_dwordx2 v[4:6], off, s[0:3], 0 tfe";
        assert_eq!(vectors(with_status), [4, 5, 6]);
        assert!(vectors("buffer_load_dword v1, s[0:3], 0 offen lds").is_empty());
    }
}
