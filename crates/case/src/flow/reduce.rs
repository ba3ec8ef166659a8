//! Makes a random program smaller while it still shows what it is kept for. Knows no device: the caller
//! says whether a smaller program is still of interest.

use super::FlowProgram;

/// Leaves out whatever `still` allows, and makes branches unconditional, until nothing more can go.
/// `still` may answer no to everything once it has no time left. Programs that it is asked about may have
/// no meaning at all, or never end.
pub fn reduce(program: &FlowProgram, still: &mut dyn FnMut(&FlowProgram) -> bool) -> FlowProgram {
    let mut best = program.clone();
    if best.waves > 1 {
        let one = FlowProgram {
            waves: 1,
            ..best.clone()
        };
        if still(&one) {
            best = one;
        }
    }
    loop {
        let before = best.body.clone();
        best = leave_out(best, still);
        best = straighten(best, still);
        if best.body == before {
            break;
        }
    }
    // A label that nobody names is no code.
    let text = best.asm();
    best.body.retain(|unit| {
        unit.strip_suffix(':')
            .is_none_or(|label| text.lines().any(|l| names(l, label)))
    });
    best
}

fn is_label(unit: &str) -> bool {
    unit.ends_with(':')
}

/// Whether a line branches to a label.
fn names(line: &str, label: &str) -> bool {
    line.split_whitespace().nth(1) == Some(label)
}

/// Leaves out runs of units, long ones first.
fn leave_out(mut best: FlowProgram, still: &mut dyn FnMut(&FlowProgram) -> bool) -> FlowProgram {
    let mut length = best.body.len() / 2;
    while length > 0 {
        let mut from = 0;
        while from < best.body.len() {
            let to = (from + length).min(best.body.len());
            let mut trial = best.clone();
            let mut number = 0;
            trial.body.retain(|unit| {
                let inside = (from..to).contains(&number);
                number += 1;
                !inside || is_label(unit)
            });
            if trial.body.len() < best.body.len() && still(&trial) {
                best = trial;
            } else {
                from = to;
            }
        }
        length /= 2;
    }
    best
}

/// Makes conditional branches unconditional, one after the other.
fn straighten(mut best: FlowProgram, still: &mut dyn FnMut(&FlowProgram) -> bool) -> FlowProgram {
    for number in 0..best.body.len() {
        let Some(unit) = best.body.get(number) else {
            break;
        };
        let mut words = unit.split_whitespace();
        let (Some(op), Some(to), None) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        if op.starts_with("s_cbranch_") {
            let mut trial = best.clone();
            if let Some(unit) = trial.body.get_mut(number) {
                *unit = format!("s_branch {to}");
            }
            if still(&trial) {
                best = trial;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::{FlowSpec, flow_program};
    use super::reduce;

    #[test]
    fn what_is_not_needed_goes() {
        let program = flow_program(FlowSpec::of(13198));
        let mut asked = 0;
        let least = reduce(&program, &mut |p| {
            asked += 1;
            let body = p.body.join("\n");
            body.contains("ds_add_u32")
                && body.contains("s_barrier")
                && body.contains("s_branch l5")
        });
        let units: Vec<&str> = least.body.iter().map(String::as_str).collect();
        assert_eq!(units.len(), 4, "{units:#?}");
        assert_eq!(units.iter().filter(|u| **u == "l5:").count(), 1);
        assert_eq!(least.waves, 1);
        assert!(asked < 2000, "{asked}");
        assert_eq!(least.head, program.head);
    }

    #[test]
    fn a_program_that_may_not_change_stays() {
        let program = flow_program(FlowSpec::of(3));
        let same = reduce(&program, &mut |_| false);
        let code = |p: &super::FlowProgram| -> Vec<String> {
            let lines = p.asm();
            lines
                .lines()
                .filter(|l| !l.ends_with(':'))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(code(&same), code(&program));
    }
}
