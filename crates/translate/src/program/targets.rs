//! Where indirect branches go, as far as the code itself says. Knows no IR.

use std::collections::BTreeMap;

use spirdna_isa::{Flow, Inst, Operand, SReg, Sem};

use super::known::{Known, State};
use super::{GuestBlock, Program};

/// Visits of a place after which nothing is claimed at its begin of what still changes.
const MAX_VISITS: u32 = 64;

/// Calls that a place is told apart by.
const MAX_DEPTH: usize = 8;

/// Places at most; where there are more, calls are not told apart.
const MAX_PLACES: usize = 1 << 12;

/// Where the calls that led here return to, the last one's last.
type Calls = Vec<u32>;

/// What is known at the begin of a block that certain calls led to.
#[derive(Default)]
struct Begin {
    state: Option<State>,
    visits: u32,
}

/// The pcs that the indirect branch at each pc may go to; `None` where they are not known. Branches that no
/// way reaches are left out.
pub(super) fn find(program: &Program, code: &[u32], base: u64) -> BTreeMap<u32, Option<Vec<u32>>> {
    match follow(program, code, base, MAX_DEPTH) {
        Some(found) => found,
        None => follow(program, code, base, 0).unwrap_or_default(),
    }
}

/// `None` where there are too many places.
fn follow(
    program: &Program,
    code: &[u32],
    base: u64,
    depth: usize,
) -> Option<BTreeMap<u32, Option<Vec<u32>>>> {
    let mut known = Known::new(code, base);
    let mut begins: BTreeMap<(GuestBlock, Calls), Begin> = BTreeMap::new();
    let mut found: BTreeMap<(u32, Calls), Option<Vec<u32>>> = BTreeMap::new();
    let first = (GuestBlock(0), Calls::new());
    begins.insert(
        first.clone(),
        Begin {
            state: Some(State::any()),
            visits: 0,
        },
    );
    let mut work = vec![first];
    while let Some((block, calls)) = work.pop() {
        let begin = begins.get(&(block, calls.clone()));
        let Some(mut state) = begin.and_then(|b| b.state.clone()) else {
            continue;
        };
        let mut after = calls.clone();
        let mut there = None;
        for inst in program.insts(block) {
            if let Some(target) = target(inst) {
                let next = target.offset(1).unwrap_or(SReg::NULL);
                let (lo, hi) = (state.sreg(target), state.sreg(next));
                let targets = known.targets(&lo, &hi);
                there.clone_from(&targets);
                found.insert((inst.pc(), calls.clone()), targets);
            }
            if matches!(inst.sem(), Sem::Flow(Flow::SwapPc | Flow::Call)) && depth > 0 {
                after.push(inst.next_pc());
                if after.len() > depth {
                    after.remove(0);
                }
            }
            known.step(&mut state, inst);
        }
        let exit = &program.block(block).exit;
        for next in exit.successors() {
            let pc = program.block(next).pc;
            // Where these calls lead, of all that the branch has.
            if there.as_ref().is_some_and(|there| !there.contains(&pc)) {
                continue;
            }
            let mut calls = after.clone();
            if there.is_some() && calls.last() == Some(&pc) {
                calls.pop();
            }
            let key = (next, calls);
            let begin = begins.entry(key.clone()).or_default();
            let joined = match &begin.state {
                None => state.clone(),
                Some(before) if begin.visits > MAX_VISITS => before.widen(&before.join(&state)),
                Some(before) => before.join(&state),
            };
            if begin.state.as_ref() == Some(&joined) {
                continue;
            }
            begin.visits += 1;
            begin.state = Some(joined);
            work.push(key);
        }
        if begins.len() > MAX_PLACES && depth > 0 {
            return None;
        }
    }
    let mut all: BTreeMap<u32, Option<Vec<u32>>> = BTreeMap::new();
    for ((pc, _), targets) in found {
        let known = all.entry(pc).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), targets) {
            (Some(known), Some(targets)) => known.extend(targets),
            _ => *known = None,
        }
    }
    Some(all)
}

/// The register pair with the target of an indirect branch.
fn target(inst: &Inst) -> Option<SReg> {
    match (inst.sem(), inst.src(0)) {
        (Sem::Flow(Flow::SetPc | Flow::SwapPc), Some((Operand::S(reg), _))) => Some(reg),
        _ => None,
    }
}
