//! Columns of bits over the samples of an opcode. Knows no text.

use crate::sample::Sample;

/// Bits of the longest instruction: five words.
pub(crate) const WORD_BITS: u8 = 160;

/// A bit for each sample.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Column(Vec<u64>);

impl Column {
    /// A column of `len` bits.
    pub fn new(len: usize, bit: impl Fn(usize) -> bool) -> Column {
        let mut blocks = vec![0; len.div_ceil(64)];
        for (n, block) in blocks.iter_mut().enumerate() {
            for i in 0..64.min(len - n * 64) {
                *block |= u64::from(bit(n * 64 + i)) << i;
            }
        }
        Column(blocks)
    }

    /// Where two columns differ, among the samples of `mask`.
    fn differences<'a>(
        &'a self,
        other: &'a Column,
        mask: &'a Column,
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        let blocks = self.0.iter().zip(&other.0).zip(&mask.0);
        blocks
            .map(|((a, b), m)| (a ^ b) & m)
            .enumerate()
            .filter(|d| d.1 != 0)
    }

    /// Whether two columns agree in the samples of `mask`.
    pub fn agrees(&self, other: &Column, mask: &Column) -> bool {
        self.differences(other, mask).next().is_none()
    }

    /// Whether two columns disagree in every sample of `mask`.
    pub fn opposes(&self, other: &Column, mask: &Column) -> bool {
        let blocks = self.0.iter().zip(&other.0).zip(&mask.0);
        blocks.fold(true, |all, ((a, b), m)| all && (a ^ b) & m == *m)
    }

    /// The samples of `mask` in which two columns differ.
    pub fn differing(&self, other: &Column, mask: &Column) -> Column {
        let blocks = self.0.iter().zip(&other.0).zip(&mask.0);
        Column(blocks.map(|((a, b), m)| (a ^ b) & m).collect())
    }

    /// The union.
    pub fn or(&mut self, other: &Column) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// How many bits are set.
    pub fn count(&self) -> usize {
        self.0.iter().map(|b| b.count_ones() as usize).sum()
    }

    /// Whether the column is the same in all samples of `mask`.
    pub fn is_constant(&self, mask: &Column) -> bool {
        let (mut some_set, mut some_clear) = (false, false);
        for (a, m) in self.0.iter().zip(&mask.0) {
            some_set |= a & m != 0;
            some_clear |= !a & m != 0;
        }
        !(some_set && some_clear)
    }

    /// The samples whose bit is set.
    pub fn samples(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(n, block)| {
            (0..64)
                .filter(move |i| block >> i & 1 != 0)
                .map(move |i| n * 64 + i)
        })
    }
}

/// The columns of the words of a set of samples.
pub(crate) struct Words {
    columns: Vec<Column>,
    all: Column,
}

impl Words {
    pub fn new(samples: &[Sample]) -> Words {
        let len = samples.len();
        let bit = |b: u8| Column::new(len, |i| samples.get(i).is_some_and(|sample| sample.bit(b)));
        Words {
            columns: (0..WORD_BITS).map(bit).collect(),
            all: Column::new(len, |_| true),
        }
    }

    /// The mask of all samples.
    pub fn all(&self) -> &Column {
        &self.all
    }

    pub fn column(&self, bit: u8) -> Option<&Column> {
        self.columns.get(usize::from(bit))
    }

    pub fn iter(&self) -> impl Iterator<Item = (u8, &Column)> {
        (0..WORD_BITS).zip(&self.columns)
    }
}
