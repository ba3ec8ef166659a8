//! Reads the code words out of RADV's "Assembly" text: each instruction line ends in `; ` and its words
//! in hex; other lines are labels. Knows nothing of the instruction set.

use anyhow::{Context, Result, ensure};

/// The code words in order.
pub fn code_words(text: &str) -> Result<Vec<u32>> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        let Some((_, hex)) = line.rsplit_once(';') else {
            ensure!(
                line.is_empty() || line.ends_with(':'),
                "line {}: neither a label nor an instruction with its words: {line:?}",
                number + 1
            );
            continue;
        };
        let before = words.len();
        for word in hex.split_whitespace() {
            ensure!(word.len() == 8, "line {}: word {word:?}", number + 1);
            words.push(
                u32::from_str_radix(word, 16)
                    .with_context(|| format!("line {}: word {word:?}", number + 1))?,
            );
        }
        ensure!(words.len() > before, "line {}: no words", number + 1);
    }
    ensure!(!words.is_empty(), "no code words in the listing");
    Ok(words)
}
