//! A cursor over one statement: white space, punctuation, names, numbers, with columns for errors.
//! Knows no instruction.

use super::error::AsmErrorKind;

/// An error with the byte offset in the line at which it was seen.
pub(super) type Fail = (usize, AsmErrorKind);

/// What a parser returns.
pub(super) type Parsed<T> = Result<T, Fail>;

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    line: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over bytes `at..end` of a line; columns count in the whole line.
    pub(super) fn new(line: &'a str, at: usize, end: usize) -> Cursor<'a> {
        Cursor { line, at, end }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn reset(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn rest(&self) -> &'a str {
        self.line.get(self.at..self.end).unwrap_or("")
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        if self.peek() == Some(c) {
            self.at += c.len_utf8();
            true
        } else {
            false
        }
    }

    pub(super) fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) {
            Ok(())
        } else {
            Err((self.at, AsmErrorKind::Expected(c)))
        }
    }

    /// A name: letters, digits, `_`, `.` and `$`, not beginning with a digit.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.skip_space();
        let rest = self.rest();
        let first = rest.chars().next()?;
        if !(first.is_ascii_alphabetic() || matches!(first, '_' | '.' | '$')) {
            return None;
        }
        let len = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')))
            .unwrap_or(rest.len());
        self.at += len;
        rest.get(..len)
    }

    /// A number without sign: decimal, `0x…`, `0b…`, or a float.
    pub(super) fn number(&mut self) -> Parsed<Number> {
        self.skip_space();
        let start = self.at;
        let rest = self.rest();
        let bad = (start, AsmErrorKind::BadNumber);
        let radix = match rest.get(..2) {
            Some("0x" | "0X") => Some(16),
            Some("0b" | "0B") => Some(2),
            _ => None,
        };
        if let Some(radix) = radix {
            let digits = rest.get(2..).unwrap_or("");
            let len = digits
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(digits.len());
            self.at += 2 + len;
            let text = digits.get(..len).unwrap_or("");
            return match u64::from_str_radix(text, radix) {
                Ok(v) => Ok(Number::Int(i128::from(v))),
                Err(_) => Err(bad),
            };
        }
        let mut len = 0;
        let mut float = false;
        let mut after_e = false;
        for c in rest.chars() {
            match c {
                '0'..='9' => {}
                '.' => float = true,
                'e' | 'E' if len > 0 => {
                    float = true;
                    after_e = true;
                    len += 1;
                    continue;
                }
                '+' | '-' if after_e => {}
                _ => break,
            }
            after_e = false;
            len += c.len_utf8();
        }
        let text = rest.get(..len).unwrap_or("");
        let junk = rest.get(len..).and_then(|r| r.chars().next());
        if junk.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(bad);
        }
        self.at += len;
        if float {
            match text.parse::<f64>() {
                // Too large a number is no infinity.
                Ok(v) if v.is_finite() => Ok(Number::Float(v)),
                _ => Err(bad),
            }
        } else {
            match text.parse::<u64>() {
                Ok(v) => Ok(Number::Int(i128::from(v))),
                Err(_) => Err(bad),
            }
        }
    }

    /// An integer with an optional sign.
    pub(super) fn integer(&mut self) -> Parsed<i128> {
        let start = self.at;
        let negative = self.eat('-');
        match self.number()? {
            Number::Int(v) if negative => Ok(-v),
            Number::Int(v) => Ok(v),
            Number::Float(_) => Err((start, AsmErrorKind::BadNumber)),
        }
    }

    /// An integer in a range.
    pub(super) fn integer_in(&mut self, lo: i128, hi: i128) -> Parsed<i128> {
        self.skip_space();
        let start = self.at;
        let v = self.integer()?;
        if (lo..=hi).contains(&v) {
            Ok(v)
        } else {
            Err((start, AsmErrorKind::OutOfRange))
        }
    }

    /// `[a,b,…]`, each 0 to `max`.
    pub(super) fn list(&mut self, max: i128) -> Parsed<Vec<u8>> {
        self.expect('[')?;
        let mut items = Vec::new();
        loop {
            items.push(self.integer_in(0, max)? as u8);
            if self.eat(']') {
                return Ok(items);
            }
            self.expect(',')?;
        }
    }
}
