//! RADV's listing of a graphics shader as code words, with the constants that it keeps behind the code. Each
//! instruction line ends in `; ` and its words in hex; other lines are labels; the constants follow a line
//! of their own, as `[offset] words`.

use anyhow::{Context, Result, ensure};

/// What RADV puts behind code, so that fetching ahead meets no unmapped page: at least 48 dwords of
/// `s_code_end`, up to a multiple of 16. Constants follow.
const CODE_END: u32 = 0xbf9f_0000;

/// The words of the code, and of the constants at the place that the code expects them.
pub fn code_words(text: &str) -> Result<Vec<u32>> {
    let (code, constants) = match text.split_once("/* constant data */") {
        Some((code, constants)) => (code, Some(constants)),
        None => (text, None),
    };
    let mut words = Vec::new();
    for line in code.lines() {
        let line = line.trim_end();
        let Some((_, hex)) = line.rsplit_once(';') else {
            ensure!(
                line.is_empty() || line.ends_with(':'),
                "neither a label nor an instruction with its words: {line:?}"
            );
            continue;
        };
        words.extend(hex_words(hex).with_context(|| format!("{line:?}"))?);
    }
    ensure!(!words.is_empty(), "no code words in the listing");
    let Some(constants) = constants else {
        return Ok(words);
    };
    let padded = (words.len() + 48).next_multiple_of(16);
    words.resize(padded, CODE_END);
    for line in constants.lines().filter(|l| !l.trim().is_empty()) {
        let (_, hex) = line
            .split_once(']')
            .with_context(|| format!("no constants: {line:?}"))?;
        words.extend(hex_words(hex).with_context(|| format!("{line:?}"))?);
    }
    Ok(words)
}

fn hex_words(text: &str) -> Result<Vec<u32>> {
    let words: Vec<u32> = text
        .split_whitespace()
        .map(|word| {
            ensure!(word.len() == 8, "word {word:?}");
            Ok(u32::from_str_radix(word, 16)?)
        })
        .collect::<Result<_>>()?;
    ensure!(!words.is_empty(), "no words");
    Ok(words)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

    use super::*;

    #[test]
    fn constants_lie_behind_the_padding() {
        let text =
            "BB0:\n\ts_endpgm    ; bf810000\n\n/* constant data */\n[000000] 00000001 00000002\n";
        let words = code_words(text).unwrap();
        assert_eq!(words.len(), 64 + 2);
        assert_eq!(
            (words[0], words[1], words[64], words[65]),
            (0xbf81_0000, CODE_END, 1, 2)
        );
        assert!(code_words("nothing here").is_err());
    }
}
