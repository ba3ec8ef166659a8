//! Which keys are proven, and the batches for them. Owns the selection; the generators make the batches.

use std::ops::Range;

use spirdna_isa::{Opcode, Target, WaveSize};

use crate::alu::Alu;
use crate::batch::{Batch, Depth, Generator, Key};
use crate::lowering::{Refused, hash};
use crate::memory::Memory;

/// Every generator. A form belongs to the first that covers it.
pub static GENERATORS: [&dyn Generator; 2] = [&Alu, &Memory];

/// The generator of a key.
pub fn generator(key: &Key) -> Option<&'static dyn Generator> {
    let form = key.opcode.row().forms.iter();
    let mut form = form.filter(|f| f.encoding == key.encoding && f.targets == key.targets);
    let form = form.next()?;
    GENERATORS.into_iter().find(|g| g.covers(key.opcode, form))
}

/// A part of all that can be proven.
#[derive(Clone, Debug)]
pub struct Selection {
    /// How much is tried of each key.
    pub depth: Depth,
    /// One key in `of`, beginning with key number `n`: turns that several runs take.
    pub turn: (usize, usize),
    /// A second division of the same kind, for processes that share a run.
    pub shard: (usize, usize),
    /// A third one, of the keys of slow generators alone.
    pub slow: (usize, usize),
    /// Opcodes whose name contains one of these (case ignored); all where empty.
    pub filter: Vec<String>,
    /// Instances in a batch at most; there are smaller limits too.
    pub items: usize,
    /// Batches whose name contains one of these; all where empty. What a batch is made of does not change.
    pub batches: Vec<String>,
    /// Of each batch only these claims, by number.
    pub claims: Option<Range<usize>>,
    /// Wave sizes.
    pub waves: Vec<WaveSize>,
}

impl Selection {
    /// Everything at a depth.
    pub fn all(depth: Depth) -> Selection {
        Selection {
            depth,
            turn: (0, 1),
            shard: (0, 1),
            slow: (0, 1),
            filter: Vec::new(),
            items: usize::MAX,
            batches: Vec::new(),
            claims: None,
            waves: vec![WaveSize::W32, WaveSize::W64],
        }
    }

    /// The keys of this selection that are a generator's, each with its number among all forms.
    pub fn keys(&self, generator: &dyn Generator) -> Vec<(usize, Key)> {
        let mut keys = Vec::new();
        let forms = Opcode::ALL
            .iter()
            .flat_map(|&o| o.row().forms.iter().map(move |f| (o, f)));
        let mine = |(n, of): (usize, usize), i: usize| i % of.max(1) == n;
        for (i, (opcode, form)) in forms.enumerate() {
            let name = opcode.name().to_ascii_lowercase();
            let named = |part: &String| name.contains(&part.to_ascii_lowercase());
            if generator.covers(opcode, form)
                && (self.filter.is_empty() || self.filter.iter().any(named))
                && mine(self.turn, i)
                && mine(self.shard, i / self.turn.1.max(1))
                && (!generator.is_slow() || mine(self.slow, i))
            {
                let waves = self.waves.iter();
                keys.extend(waves.map(|&wave| (i, Key::of(opcode, form, wave))));
            }
        }
        keys
    }
}

/// What is known of a key before anything runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlan {
    /// The key.
    pub key: Key,
    /// Instances that run.
    pub instances: usize,
    /// Instances that are refused.
    pub refused: usize,
    /// The hash of the canonical instance, or why it has none.
    pub hash: Result<u64, String>,
}

/// All batches of a selection.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The batches.
    pub batches: Vec<Batch>,
    /// The keys.
    pub keys: Vec<KeyPlan>,
    /// The refused instances.
    pub refused: Vec<Refused>,
}

impl Plan {
    /// Makes the plan of a selection: the same selection gives the same plan.
    pub fn new(selection: &Selection) -> Plan {
        let mut plan = Plan::default();
        for generator in GENERATORS {
            let planned = generator.plan(selection);
            for (key, instances) in planned.instances {
                let refused = planned.refused.iter().filter(|r| r.key == key).count();
                plan.keys.push(KeyPlan {
                    key,
                    instances: instances - refused.min(instances),
                    refused,
                    hash: key_hash(generator, &key, key.target()),
                });
            }
            plan.batches.extend(planned.batches);
            plan.refused.extend(planned.refused);
        }
        if !selection.batches.is_empty() {
            let named = |b: &Batch| selection.batches.iter().any(|part| b.name.contains(part));
            plan.batches.retain(named);
        }
        if let Some(claims) = &selection.claims {
            let batches = std::mem::take(&mut plan.batches);
            plan.batches = batches
                .iter()
                .filter_map(|b| b.part(claims.clone()))
                .collect();
        }
        plan
    }
}

/// The hash of a key on one of its targets.
///
/// # Errors
/// Why it has none.
pub fn key_hash(generator: &dyn Generator, key: &Key, target: Target) -> Result<u64, String> {
    match generator.canonical(key, target) {
        Some(canonical) => hash(key, &canonical),
        None => Err("no program is generated for it".to_owned()),
    }
}
