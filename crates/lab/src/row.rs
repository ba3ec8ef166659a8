//! A row of the lab's table: one shader on one target at one wave size. Plain data, as it is printed and
//! passed from process to process.

use serde::{Deserialize, Serialize};

/// What became of a prepared case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", content = "detail", rename_all = "snake_case")]
pub enum Verdict {
    /// The translation does what the source does.
    Equal,
    /// It does not.
    Differs(String),
    /// The translator refuses the shader.
    Refused(String),
    /// The source's own compiler refuses it.
    SourceRefused(String),
    /// It is not run here, for this reason.
    Skipped(String),
    /// The lab could not run it: a device lost, a case that cannot be read.
    Failed(String),
}

impl Verdict {
    /// A word for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Differs(_) => "DIFFERS",
            Verdict::Refused(_) => "refused",
            Verdict::SourceRefused(_) => "source refused",
            Verdict::Skipped(_) => "skipped",
            Verdict::Failed(_) => "FAILED",
        }
    }

    /// What else there is to say.
    pub fn detail(&self) -> &str {
        match self {
            Verdict::Equal => "",
            Verdict::Differs(text)
            | Verdict::Refused(text)
            | Verdict::SourceRefused(text)
            | Verdict::Skipped(text)
            | Verdict::Failed(text) => text,
        }
    }

    /// Whether the lab as a whole fails with it.
    pub const fn is_bad(&self) -> bool {
        matches!(self, Verdict::Differs(_) | Verdict::Failed(_))
    }
}

/// A row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The shader.
    pub shader: String,
    /// What it is for.
    pub point: String,
    /// `glsl`, `opencl` or `graphics`.
    pub language: String,
    /// The target.
    pub target: String,
    /// Lanes of a wave.
    pub wave: u32,
    /// The sheet's file stem: what names the case.
    pub case: String,
    /// Of a graphics pair: how its vertex stage was made (`nongg`: VS stage, `nonggc`: NGG, `ngg`: NGG with
    /// culling).
    #[serde(default)]
    pub stage: Option<String>,
    /// Of a graphics pair: texels of all targets with other bits than the original's.
    #[serde(default)]
    pub pixels: Option<u64>,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How floats are compared.
    pub rule: String,
    /// What a rule that nobody stated comes from.
    #[serde(default)]
    pub why: String,
    /// The worst distance that passed, in units in the last place.
    pub worst_ulp: u64,
    /// Where the translation ran.
    pub place: String,
    /// Where the original ran: the device, `machine` at S = W, or the host's CPU.
    pub original_on: String,
    /// Instructions of the machine code.
    pub instructions: u64,
    /// Lanes an invocation carries and the subgroup size.
    pub strategy: String,
    /// Words of the source module.
    pub original_words: Option<usize>,
    /// Words of the translation.
    pub words: Option<usize>,
    /// What the AMD compiler took, in microseconds.
    pub compile_us: Option<u64>,
    /// What the translation took, decode to words, in microseconds.
    pub translate_us: Option<u64>,
    /// Run time of the original on the device, in microseconds, compilation left out.
    pub original_run_us: Option<f64>,
    /// Run time of the translation, likewise.
    pub run_us: Option<f64>,
    /// Run time of the translation when nothing is promised of descriptors.
    pub no_facts_run_us: Option<f64>,
}

impl Row {
    /// The shader, and the form of a pair.
    pub fn name(&self) -> String {
        match &self.stage {
            Some(stage) => format!("{} {stage}", self.shader),
            None => self.shader.clone(),
        }
    }

    /// Size of the translation over the source's.
    pub fn size_ratio(&self) -> Option<f64> {
        Some(self.words? as f64 / self.original_words? as f64)
    }

    /// Run time of the translation over the original's.
    pub fn time_ratio(&self) -> Option<f64> {
        let ratio = self.run_us? / self.original_run_us?;
        ratio.is_finite().then_some(ratio)
    }
}
