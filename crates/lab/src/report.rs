//! The lab's table, as text, HTML and JSON. Knows rows alone.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::row::{Row, Verdict};

/// All rows of a run, and where it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The device.
    pub device: String,
    /// The subgroup size that was asked for.
    pub subgroup_size: Option<u32>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A geometric mean with the worst, over those rows that have the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// Rows.
    pub count: usize,
    /// The geometric mean.
    pub mean: f64,
    /// The worst: ratio and case.
    pub worst: Vec<(f64, String)>,
}

/// Worst cases that are shown.
const WORST: usize = 5;

impl Report {
    /// Rows of a verdict's word.
    pub fn count(&self, word: &str) -> usize {
        self.rows
            .iter()
            .filter(|r| r.verdict.word() == word)
            .count()
    }

    /// Whether all held.
    pub fn is_good(&self) -> bool {
        !self.rows.iter().any(|r| r.verdict.is_bad())
    }

    /// A ratio over the rows that are equal.
    pub fn ratios(&self, of: impl Fn(&Row) -> Option<f64>) -> Option<Ratios> {
        let mut all: Vec<(f64, String)> = self
            .rows
            .iter()
            .filter(|r| r.verdict == Verdict::Equal)
            .filter_map(|r| Some((of(r).filter(|&x| x > 0.0)?, r.case.clone())))
            .collect();
        if all.is_empty() {
            return None;
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let logs: f64 = all.iter().map(|(x, _)| x.ln()).sum();
        let count = all.len();
        all.truncate(WORST);
        Some(Ratios {
            count,
            mean: (logs / count as f64).exp(),
            worst: all,
        })
    }

    /// Why shaders were refused, with counts, the most frequent first.
    pub fn reasons(&self, word: &str) -> Vec<(String, usize)> {
        let mut reasons: Vec<(String, usize)> = Vec::new();
        for row in self.rows.iter().filter(|r| r.verdict.word() == word) {
            let reason = reason(row.verdict.detail());
            match reasons.iter_mut().find(|(r, _)| *r == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
        reasons.sort_by_key(|r| std::cmp::Reverse(r.1));
        reasons
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let width = self.rows.iter().map(|r| r.name().len()).max().unwrap_or(6);
        let width = width.clamp(6, 48);
        writeln!(
            out,
            "{:width$}  {:7}  {:>4}  {:>6}  {:14}  {:14}  {:>9}  {:>10}  {:>10}  {:>5}  {:>6}  {:>9}  {:>8}  {:>6}  reason of the rule",
            "shader",
            "target",
            "wave",
            "instr",
            "strategy",
            "result",
            "rule",
            "orig us",
            "ours us",
            "ratio",
            "size ×",
            "translate",
            "AMD us",
            "pixels"
        )?;
        for row in &self.rows {
            let number = |x: Option<f64>, digits: usize| {
                x.map_or_else(|| "–".to_owned(), |x| format!("{x:.digits$}"))
            };
            let count = |x: Option<u64>| x.map_or_else(|| "–".to_owned(), |x| x.to_string());
            writeln!(
                out,
                "{:width$}  {:7}  {:>4}  {:>6}  {:14}  {:14}  {:>9}  {:>10}  {:>10}  {:>5}  {:>6}  {:>9}  {:>8}  {:>6}  {}",
                row.name(),
                row.target,
                row.wave,
                row.instructions,
                row.strategy,
                row.verdict.word(),
                row.rule,
                number(row.original_run_us, 1),
                number(row.run_us, 1),
                number(row.time_ratio(), 2),
                number(row.size_ratio(), 1),
                count(row.translate_us),
                count(row.compile_us),
                count(row.pixels),
                row.why,
            )?;
        }
        for row in self.rows.iter().filter(|r| r.verdict != Verdict::Equal) {
            writeln!(
                out,
                "{} {}: {}",
                row.verdict.word(),
                row.case,
                row.verdict.detail()
            )?;
        }
        out.push_str(&self.summary());
        Ok(())
    }

    /// The lines below the table.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        let _ = self.write_summary(&mut out);
        out
    }

    fn write_summary(&self, out: &mut String) -> std::fmt::Result {
        let words = [
            "equal",
            "DIFFERS",
            "refused",
            "source refused",
            "skipped",
            "FAILED",
        ];
        let counts: Vec<String> = words
            .iter()
            .map(|word| (word, self.count(word)))
            .filter(|(_, n)| *n > 0)
            .map(|(word, n)| format!("{n} {word}"))
            .collect();
        writeln!(out, "{} on {}", counts.join(", "), self.device)?;
        for word in ["refused", "source refused", "skipped"] {
            for (reason, count) in self.reasons(word) {
                writeln!(out, "  {count:5} {word}: {reason}")?;
            }
        }
        let ratios: [(&str, &dyn Fn(&Row) -> Option<f64>); 4] = [
            ("run time, translation / original", &Row::time_ratio),
            ("run time without descriptor facts / original", &|r| {
                Some(r.no_facts_run_us? / r.original_run_us?)
            }),
            ("SPIR-V size, translation / original", &Row::size_ratio),
            ("translate time / AMD compile time", &|r| {
                Some(r.translate_us? as f64 / r.compile_us? as f64)
            }),
        ];
        for (name, of) in ratios {
            if let Some(ratios) = self.ratios(of) {
                let worst: Vec<String> = ratios
                    .worst
                    .iter()
                    .map(|(x, case)| format!("{case} {x:.2}"))
                    .collect();
                writeln!(
                    out,
                    "{name}: geometric mean {:.2} of {}; worst {}",
                    ratios.mean,
                    ratios.count,
                    worst.join(", ")
                )?;
            }
        }
        Ok(())
    }

    /// The rows as JSON.
    pub fn json(&self) -> String {
        // Plain data: there is nothing in it that JSON does not have.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The table as one HTML page.
    pub fn html(&self) -> String {
        let mut out = String::new();
        let _ = self.write_html(&mut out);
        out
    }

    fn write_html(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Spirdna lab</title>\
             <style>body{{font:14px sans-serif;margin:2em}}table{{border-collapse:collapse}}\
             td,th{{padding:2px 8px;text-align:right;border-bottom:1px solid #ddd}}\
             td:first-child,td:nth-child(2),td:nth-child(9),td:last-child{{text-align:left}}\
             th{{position:sticky;top:0;background:#fff}}.DIFFERS,.FAILED{{background:#fcc}}\
             .refused,.skipped,.source{{background:#ffd}}pre{{background:#f4f4f4;padding:1em}}</style>\
             <h1>Round trips on {}</h1><pre>{}</pre><table>",
            escape(&self.device),
            escape(&self.summary())
        )?;
        let heads = [
            "shader",
            "point",
            "target",
            "wave",
            "instructions",
            "strategy",
            "result",
            "rule",
            "reason of the rule",
            "worst ulp",
            "original on",
            "original µs",
            "translation µs",
            "ratio",
            "no facts µs",
            "SPIR-V words",
            "size ×",
            "translate µs",
            "AMD compile µs",
            "pixels that differ",
            "detail",
        ];
        write!(out, "<tr>")?;
        for head in heads {
            write!(out, "<th>{head}</th>")?;
        }
        writeln!(out, "</tr>")?;
        for row in &self.rows {
            let number = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.2}"));
            let count = |x: Option<u64>| x.map_or_else(String::new, |x| x.to_string());
            let cells = [
                row.name(),
                row.point.clone(),
                row.target.clone(),
                row.wave.to_string(),
                row.instructions.to_string(),
                row.strategy.clone(),
                row.verdict.word().to_owned(),
                row.rule.clone(),
                row.why.clone(),
                row.worst_ulp.to_string(),
                row.original_on.clone(),
                number(row.original_run_us),
                number(row.run_us),
                number(row.time_ratio()),
                number(row.no_facts_run_us),
                count(row.words.map(|w| w as u64)),
                number(row.size_ratio()),
                count(row.translate_us),
                count(row.compile_us),
                count(row.pixels),
                row.verdict.detail().to_owned(),
            ];
            write!(out, "<tr class=\"{}\">", row.verdict.word())?;
            for cell in cells {
                write!(out, "<td>{}</td>", escape(&cell))?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</table></html>")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A refusal's reason without its place and numbers, so that like ones count together: what stands behind
/// the last `: ` of its first site, digits of addresses left out.
fn reason(text: &str) -> String {
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    let words: Vec<&str> = first
        .split_whitespace()
        .filter(|w| {
            !w.trim_matches(|c: char| !c.is_alphanumeric())
                .starts_with("0x")
        })
        .collect();
    let mut text = words.join(" ");
    if text.chars().count() > 160 {
        text = text.chars().take(160).collect::<String>() + "…";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_no_place() {
        assert_eq!(
            reason("pc 0x10: `s_getpc_b64 s[0:1]`: no lowering"),
            "pc `s_getpc_b64 s[0:1]`: no lowering"
        );
    }
}
