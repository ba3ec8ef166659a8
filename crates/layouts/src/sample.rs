//! Samples: what an assembler said of a text. Knows neither values nor positions.

use std::sync::Arc;

/// How the operands of a text are called: facts about the text, not about bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The operands' names in the order of the text; further ones are called `op0`, `op1`, ….
    pub roles: Vec<String>,
    /// Whether the last element of `op_sel:[…]` belongs to the destination.
    pub op_sel_has_dst: bool,
}

/// A text and its words (none where the assembler refused the text).
#[derive(Clone, Debug)]
pub struct Sample {
    /// The text.
    pub text: String,
    /// The words; empty for a refused text.
    pub words: Vec<u32>,
    /// How its operands are called.
    pub form: Arc<Form>,
}

impl Sample {
    /// A sample whose operands are called by their place.
    pub fn new(text: &str, words: &[u32]) -> Sample {
        Sample {
            text: text.to_string(),
            words: words.to_vec(),
            form: Arc::default(),
        }
    }

    /// The same with names.
    pub fn named(text: &str, words: &[u32], roles: &[&str]) -> Sample {
        Sample {
            form: Arc::new(Form {
                roles: roles.iter().map(ToString::to_string).collect(),
                op_sel_has_dst: false,
            }),
            ..Sample::new(text, words)
        }
    }

    /// Bit `bit` of the words; 0 past their end.
    pub(crate) fn bit(&self, bit: u8) -> bool {
        let word = self.words.get(usize::from(bit / 32)).copied().unwrap_or(0);
        word >> (bit % 32) & 1 != 0
    }
}

/// All samples of one opcode in one encoding.
#[derive(Clone, Debug, Default)]
pub struct OpcodeSamples {
    /// Its name.
    pub name: String,
    /// Its number, where the caller knows it: a field like any other.
    pub number: Option<u16>,
    /// Texts with words.
    pub samples: Vec<Sample>,
    /// Texts that the assembler refused: they show that a value is out of reach.
    pub refused: Vec<Sample>,
}
