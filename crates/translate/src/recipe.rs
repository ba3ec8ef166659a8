//! Where a descriptor comes from, as plain data: words of user SGPRs, constants, and loads through pointers
//! that are made of such words. The evaluator reads guest memory through a callback, so a caller that has
//! neither the translator's IR nor the shader at hand can find the descriptors of a draw.
//!
//! A recipe says where the shader would read the words if nobody changed them meanwhile. Knows no IR.

use std::fmt;

/// Loads and sums inside each other at most.
pub const MAX_DEPTH: u32 = 16;

/// A word of a descriptor, or half of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// User SGPR n.
    User(u32),
    /// A constant.
    Const(u32),
    /// A dword of guest memory.
    Load(Box<Pointer>),
    /// A word plus a constant, plus so many for each step of the recipe's index, modulo 2^32.
    Sum {
        /// The word.
        word: Box<Word>,
        /// The constant.
        add: u32,
        /// The step; 0 where the index does not count.
        step: u32,
    },
    /// The bits of a word that a mask has.
    And(Box<Word>, u32),
    /// A word with the bits of a mask set.
    Or(Box<Word>, u32),
}

/// An address: the low 48 bits of (low, high), of which the lowest two do not count, plus an offset, plus so
/// many bytes for each step of the recipe's index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    /// Bits 31:0.
    pub low: Word,
    /// Bits 63:32.
    pub high: Word,
    /// Bytes added.
    pub offset: u64,
    /// Bytes from one entry of a table to the next; 0 where the index does not count.
    pub step: u64,
}

/// Where the words of a descriptor come from, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Recipe {
    /// Its words: four of a V# or an S#, eight of a T#.
    pub words: Vec<Word>,
}

/// Why a recipe gives no descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// There are not so many user SGPRs.
    #[error("the recipe names user SGPR {0}, which is not given")]
    UserSgpr(u32),
    /// Guest memory cannot be read there.
    #[error("no memory at 0x{0:x}")]
    Memory(u64),
    /// Nested beyond [`MAX_DEPTH`].
    #[error("the recipe is nested too deeply")]
    Depth,
}

impl Recipe {
    /// The descriptor's words. `index` is the entry of a table, where the recipe has one
    /// ([`Recipe::is_table`]); `read` gives the dword at a guest address, if there is one.
    ///
    /// # Errors
    /// A user SGPR is not given, or memory cannot be read.
    pub fn evaluate(
        &self,
        user_sgprs: &[u32],
        index: u32,
        read: &mut dyn FnMut(u64) -> Option<u32>,
    ) -> Result<Vec<u32>, RecipeError> {
        let mut given = Given {
            user: user_sgprs,
            index,
            read,
        };
        let words = self.words.iter();
        words.map(|word| given.word(word, MAX_DEPTH)).collect()
    }

    /// Whether it names an entry of a table, by an index that the shader computes.
    pub fn is_table(&self) -> bool {
        self.words.iter().any(Word::is_indexed)
    }
}

/// What a recipe is evaluated with.
struct Given<'a> {
    user: &'a [u32],
    index: u32,
    read: &'a mut dyn FnMut(u64) -> Option<u32>,
}

impl Given<'_> {
    fn word(&mut self, word: &Word, depth: u32) -> Result<u32, RecipeError> {
        let depth = depth.checked_sub(1).ok_or(RecipeError::Depth)?;
        match word {
            Word::User(n) => {
                let value = self.user.get(*n as usize);
                value.copied().ok_or(RecipeError::UserSgpr(*n))
            }
            Word::Const(value) => Ok(*value),
            Word::Load(pointer) => {
                let low = self.word(&pointer.low, depth)?;
                let high = self.word(&pointer.high, depth)?;
                let base = (u64::from(high) << 32 | u64::from(low)) & !3;
                let entry = pointer.step.wrapping_mul(self.index.into());
                let address = base.wrapping_add(pointer.offset).wrapping_add(entry);
                let address = address & 0xffff_ffff_ffff;
                (self.read)(address).ok_or(RecipeError::Memory(address))
            }
            Word::Sum { word, add, step } => {
                let word = self.word(word, depth)?;
                let entry = step.wrapping_mul(self.index);
                Ok(word.wrapping_add(*add).wrapping_add(entry))
            }
            Word::And(word, mask) => Ok(self.word(word, depth)? & mask),
            Word::Or(word, mask) => Ok(self.word(word, depth)? | mask),
        }
    }
}

impl Word {
    /// Whether the recipe's index counts in it.
    fn is_indexed(&self) -> bool {
        match self {
            Word::User(_) | Word::Const(_) => false,
            Word::Load(p) => p.step != 0 || p.low.is_indexed() || p.high.is_indexed(),
            Word::Sum { word, step, .. } => *step != 0 || word.is_indexed(),
            Word::And(word, _) | Word::Or(word, _) => word.is_indexed(),
        }
    }

    /// The words that follow each other here as numbers that no two different words share: for keys and
    /// stored translations. `Recipe::from_numbers` reads them back.
    fn numbers(&self, to: &mut Vec<u32>) {
        match self {
            Word::User(n) => to.extend([0, *n]),
            Word::Const(value) => to.extend([1, *value]),
            Word::Load(pointer) => {
                to.push(2);
                pointer.low.numbers(to);
                pointer.high.numbers(to);
                for x in [pointer.offset, pointer.step] {
                    to.extend([x as u32, (x >> 32) as u32]);
                }
            }
            Word::Sum { word, add, step } => {
                to.extend([3, *add, *step]);
                word.numbers(to);
            }
            Word::And(word, mask) => {
                to.extend([4, *mask]);
                word.numbers(to);
            }
            Word::Or(word, mask) => {
                to.extend([5, *mask]);
                word.numbers(to);
            }
        }
    }

    fn read(from: &mut std::slice::Iter<'_, u32>, depth: u32) -> Option<Word> {
        let depth = depth.checked_sub(1)?;
        let mut next = || from.next().copied();
        Some(match next()? {
            0 => Word::User(next()?),
            1 => Word::Const(next()?),
            2 => {
                let low = Word::read(from, depth)?;
                let high = Word::read(from, depth)?;
                let mut wide = || {
                    let (lo, hi) = (*from.next()?, *from.next()?);
                    Some(u64::from(hi) << 32 | u64::from(lo))
                };
                let (offset, step) = (wide()?, wide()?);
                Word::Load(Box::new(Pointer {
                    low,
                    high,
                    offset,
                    step,
                }))
            }
            3 => {
                let (add, step) = (next()?, next()?);
                Word::Sum {
                    word: Box::new(Word::read(from, depth)?),
                    add,
                    step,
                }
            }
            4 => {
                let mask = next()?;
                Word::And(Box::new(Word::read(from, depth)?), mask)
            }
            5 => {
                let mask = next()?;
                Word::Or(Box::new(Word::read(from, depth)?), mask)
            }
            _ => return None,
        })
    }
}

impl Recipe {
    /// The recipe as numbers, to be stored; equal recipes have equal ones, and no others.
    pub fn to_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![self.words.len() as u32];
        for word in &self.words {
            word.numbers(&mut numbers);
        }
        numbers
    }

    /// The recipe that numbers say; `None` where they are no recipe's.
    pub fn from_numbers(numbers: &[u32]) -> Option<Recipe> {
        let mut from = numbers.iter();
        let count = *from.next()? as usize;
        if count > numbers.len() {
            return None;
        }
        let words = (0..count).map(|_| Word::read(&mut from, MAX_DEPTH));
        let words = words.collect::<Option<Vec<Word>>>()?;
        from.next().is_none().then_some(Recipe { words })
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::User(n) => write!(f, "user[{n}]"),
            Word::Const(value) => write!(f, "0x{value:x}"),
            Word::Load(p) if p.step == 0 => write!(f, "[{}:{} + 0x{:x}]", p.high, p.low, p.offset),
            Word::Load(p) => write!(
                f,
                "[{}:{} + 0x{:x} + {} * index]",
                p.high, p.low, p.offset, p.step
            ),
            Word::Sum { word, add, step: 0 } => write!(f, "({word} + 0x{add:x})"),
            Word::Sum { word, add, step } => write!(f, "({word} + 0x{add:x} + {step} * index)"),
            Word::And(word, mask) => write!(f, "({word} & 0x{mask:x})"),
            Word::Or(word, mask) => write!(f, "({word} | 0x{mask:x})"),
        }
    }
}

/// The words in order; those that follow each other in one place as a range.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut rest = self.words.as_slice();
        while let Some(word) = rest.first() {
            let run = 1 + rest
                .windows(2)
                .take_while(|pair| follows(&pair[0], &pair[1]))
                .count();
            let more = if first { "" } else { ", " };
            first = false;
            if run == 1 {
                write!(f, "{more}{word}")?;
            } else {
                write!(f, "{more}{run} words from {word}")?;
            }
            rest = rest.get(run..).unwrap_or_default();
        }
        Ok(())
    }
}

/// Whether a word lies right behind another.
fn follows(word: &Word, next: &Word) -> bool {
    match (word, next) {
        (Word::User(a), Word::User(b)) => a.checked_add(1) == Some(*b),
        (Word::Load(a), Word::Load(b)) => {
            (&a.low, &a.high, a.step) == (&b.low, &b.high, b.step)
                && a.offset.checked_add(4) == Some(b.offset)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    fn load(low: Word, high: Word, offset: u64, step: u64) -> Word {
        Word::Load(Box::new(Pointer {
            low,
            high,
            offset,
            step,
        }))
    }

    /// Four words from 0x20 behind the pointer that lies at 8 in a table whose address is in user SGPR 1.
    fn chain() -> Recipe {
        let table = |offset| load(Word::User(1), Word::Const(0xffff_8000), offset, 0);
        Recipe {
            words: (0..4)
                .map(|i| load(table(8), table(12), 0x20 + 4 * i, 0))
                .collect(),
        }
    }

    #[test]
    fn chains_are_followed() {
        let recipe = chain();
        let mut read = |address: u64| match address {
            0x8000_0000_1008 => Some(0x5002),
            0x8000_0000_100c => Some(7),
            a if (0x7_0000_5020..0x7_0000_5030).contains(&a) => Some(a as u32),
            _ => None,
        };
        assert_eq!(
            recipe.evaluate(&[9, 0x1001], 3, &mut read),
            Ok(vec![0x5020, 0x5024, 0x5028, 0x502c])
        );
        assert_eq!(
            recipe.evaluate(&[9], 0, &mut read),
            Err(RecipeError::UserSgpr(1))
        );
        assert_eq!(
            recipe.evaluate(&[9, 0], 0, &mut read),
            Err(RecipeError::Memory(0x8000_0000_0008))
        );
        let text = recipe.to_string();
        assert!(text.starts_with("4 words from [["), "{text}");
        assert!(!recipe.is_table());
    }

    #[test]
    fn an_index_counts_by_the_step() {
        let recipe = Recipe {
            words: vec![
                load(Word::User(0), Word::Const(0), 0x10, 32),
                Word::Or(
                    Box::new(Word::And(
                        Box::new(Word::Sum {
                            word: Box::new(Word::User(0)),
                            add: 3,
                            step: 0x100,
                        }),
                        0xff0f,
                    )),
                    0x8000_0000,
                ),
            ],
        };
        assert!(recipe.is_table());
        let words = recipe.evaluate(&[0x1000], 2, &mut |address| Some(address as u32));
        assert_eq!(words, Ok(vec![0x1050, 0x8000_1203]));
    }

    #[test]
    fn numbers_are_read_back_and_others_are_none() {
        let mut recipe = chain();
        recipe.words.push(Word::Sum {
            word: Box::new(Word::And(Box::new(Word::User(7)), 0xffff)),
            add: 1,
            step: 32,
        });
        let numbers = recipe.to_numbers();
        assert_eq!(Recipe::from_numbers(&numbers), Some(recipe));
        assert_eq!(Recipe::from_numbers(&numbers[..numbers.len() - 1]), None);
        assert_eq!(Recipe::from_numbers(&[numbers, vec![0]].concat()), None);
        assert_eq!(Recipe::from_numbers(&[u32::MAX]), None);
        assert_eq!(Recipe::from_numbers(&[1, 6, 0]), None);
    }

    #[test]
    fn a_recipe_nested_too_deeply_is_an_error() {
        let mut word = Word::User(0);
        for _ in 0..=MAX_DEPTH {
            word = load(word, Word::Const(0), 0, 0);
        }
        let recipe = Recipe { words: vec![word] };
        assert_eq!(
            recipe.evaluate(&[0], 0, &mut |_| Some(0)),
            Err(RecipeError::Depth)
        );
        assert_eq!(Recipe::from_numbers(&recipe.to_numbers()), None);
    }
}
