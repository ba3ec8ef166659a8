//! A fault on purpose: the device is given another word wherever the code has a certain one. It shows that
//! the lab sees a wrong translation, and that the search finds where it begins.

use spirdna_case::Case;
use spirdna_case::exec::{Executor, Outcome, RunError};

/// A word and what stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The word that is looked for.
    pub word: u32,
    /// What the device is given.
    pub instead: u32,
}

impl Fault {
    /// Reads `WORD=WORD`, in hexadecimal.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(text: &str) -> Result<Fault, String> {
        let word = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).ok();
        text.split_once('=')
            .and_then(|(a, b)| {
                Some(Fault {
                    word: word(a)?,
                    instead: word(b)?,
                })
            })
            .ok_or_else(|| "needs WORD=WORD in hexadecimal".to_owned())
    }

    /// The case as the device gets it.
    #[must_use]
    pub fn applied(self, case: &Case) -> Case {
        let mut case = case.clone();
        for dispatch in &mut case.dispatches {
            for word in &mut dispatch.code {
                if *word == self.word {
                    *word = self.instead;
                }
            }
        }
        case
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}={:08x}", self.word, self.instead)
    }
}

/// A device with a fault.
pub struct Faulty<'a> {
    /// The device.
    pub device: &'a mut dyn Executor,
    /// Its fault; `None`: it has none.
    pub fault: Option<Fault>,
}

impl Executor for Faulty<'_> {
    fn name(&self) -> String {
        self.device.name()
    }

    fn run(&mut self, case: &Case) -> Result<Outcome, RunError> {
        match self.fault {
            Some(fault) => self.device.run(&fault.applied(case)),
            None => self.device.run(case),
        }
    }
}
