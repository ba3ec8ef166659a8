//! Small graphs with the trees that a person would write for them.

use super::interpret::check_paths;
use super::statics::{check_dominance, check_tidy};
use crate::graph::{BlockId, Graph, Terminator};
use crate::structurize::{PartReport, Structured, dot, structurize, text};

/// Reads `b1 b2, j3, r, s1 2 3`: one terminator per block, from block 0 on.
pub(super) fn graph(text: &str) -> Graph {
    let ts = text.split(',').map(|t| {
        let t = t.trim();
        let to = |s: &str| BlockId(s.parse().unwrap());
        let targets: Vec<BlockId> = t[1..].split_whitespace().map(to).collect();
        match &t[..1] {
            "r" => Terminator::Return,
            "j" => Terminator::Jump(targets[0]),
            "b" => Terminator::Branch(targets[0], targets[1]),
            _ => Terminator::Switch(targets),
        }
    });
    Graph::new(BlockId(0), ts.collect()).unwrap()
}

fn checked(g: &Graph) -> Structured {
    let tree = structurize(g).unwrap();
    check_paths(g, &tree, 0..50);
    check_dominance(g, &tree);
    check_tidy(&tree);
    tree
}

/// The tree as one line, nodes apart by `;`, inner sequences in braces.
fn line(g: &Graph) -> String {
    let tree = checked(g);
    let mut out = String::new();
    let mut depth = 0;
    for line in text(&tree).lines() {
        let at = line.len() - line.trim_start().len();
        out.push_str(&" }".repeat(depth - (at / 2).min(depth)));
        if at / 2 > depth {
            out.push_str(" {");
        }
        depth = at / 2;
        out.push(' ');
        out.push_str(line.trim());
    }
    out.push_str(&" }".repeat(depth));
    out.trim().to_owned()
}

#[track_caller]
fn expect(input: &str, tree: &str) {
    let want = tree.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(line(&graph(input)), want, "of {input}");
}

#[test]
fn straight_code_and_selections() {
    expect("r", "0 return");
    expect("j1, r", "0 edge 0.0 1 return");
    expect(
        "b1 2, j3, j3, r",
        "0 if 0 { edge 0.0 1 edge 1.0 } else { edge 0.1 2 edge 2.0 } 3 return",
    );
    expect(
        "b1 2, j2, r",
        "0 if 0 { edge 0.0 1 edge 1.0 } else { edge 0.1 } 2 return",
    );
    expect(
        "b1 2, r, r",
        "0 if 0 { edge 0.0 1 return } else { edge 0.1 2 return }",
    );
}

#[test]
fn both_targets_equal_are_two_edges() {
    expect("b1 1, r", "0 if 0 { edge 0.0 } else { edge 0.1 } 1 return");
    expect("b0 0", "loop L0 { 0 if 0 { edge 0.0 } else { edge 0.1 } }");
}

#[test]
fn unreachable_blocks_are_absent() {
    expect("j2, j2, r, b1 3", "0 edge 0.0 2 return");
}

#[test]
fn self_loops() {
    expect("j0", "loop L0 { 0 edge 0.0 }");
    expect(
        "j1, b1 2, r",
        "0 edge 0.0 loop L0 { 1 if 1 { edge 1.0 } else { edge 1.1 exit L0 } } 2 return",
    );
}

#[test]
fn a_while_loop_is_followed_by_its_tail() {
    expect(
        "j1, b2 3, j1, r",
        "0 edge 0.0 loop L0 { 1 if 1 { edge 1.0 2 edge 2.0 } else { edge 1.1 exit L0 } } 3 return",
    );
}

#[test]
fn a_break_inside_an_if_inside_a_loop_leaves_the_tail_outside() {
    expect(
        "j1, b2 3, b4 3, j1, r",
        "0 edge 0.0 loop L0 {
           1 if 1 { edge 1.0 2 if 2 { edge 2.0 exit L0 } else { edge 2.1 } } else { edge 1.1 }
           3 edge 3.0
         } 4 return",
    );
}

#[test]
fn a_continue_inside_a_loop() {
    // Block 2 goes on to the next turn past block 4, which only the other way meets.
    expect(
        "b1 7, b2 3, b1 4, j4, b5 1, b1 6, j1, r",
        "0 if 0 { edge 0.0 loop L0 {
           1 if 1 { edge 1.0 2 if 2 { edge 2.0 continue L0 } else { edge 2.1 } } else { edge 1.1 3 edge 3.0 }
           4 if 4 { edge 4.0 5 if 5 { edge 5.0 } else { edge 5.1 6 edge 6.0 } } else { edge 4.1 }
         } } else { edge 0.1 7 return }",
    );
}

#[test]
fn two_exits_to_one_tail() {
    expect(
        "j1, b2 4, b3 4, j1, r",
        "0 edge 0.0 loop L0 {
           1 if 1 { edge 1.0 2 if 2 { edge 2.0 3 edge 3.0 } else { edge 2.1 exit L0 } }
           else { edge 1.1 exit L0 }
         } 4 return",
    );
}

#[test]
fn two_exits_to_two_tails_that_meet() {
    // Block 1 dominates all that leaves, so both its tail and the meeting follow the loop.
    expect(
        "j1, b2 5, b3 6, j4, j1, j6, r",
        "0 edge 0.0 scope L0 { loop L1 {
           1 if 1 { edge 1.0 2 if 2 { edge 2.0 3 edge 3.0 4 edge 4.0 } else { edge 2.1 exit L0 } }
           else { edge 1.1 exit L1 }
         } 5 edge 5.0 } 6 return",
    );
}

#[test]
fn a_tail_that_needs_what_another_exit_skips_stays_inside() {
    // Block 5 uses what block 2 defines; block 1 leaves without it, and both meet in block 6.
    expect(
        "j1, b6 2, b3 5, j1, r, j6, r",
        "0 edge 0.0 loop L0 {
           1 if 1 { edge 1.0 exit L0 } else { edge 1.1
             2 if 2 { edge 2.0 3 edge 3.0 } else { edge 2.1 5 edge 5.0 exit L0 } }
         } 6 return",
    );
}

#[test]
fn multi_level_break() {
    expect(
        "j1, b2 6, j3, b4 5, b3 6, j1, r",
        "0 edge 0.0 loop L0 {
           1 if 1 { edge 1.0 2 edge 2.0
             loop L1 { 3 if 3 { edge 3.0 4 if 4 { edge 4.0 } else { edge 4.1 exit L0 } }
                       else { edge 3.1 exit L1 } }
             5 edge 5.0 }
           else { edge 1.1 exit L0 }
         } 6 return",
    );
}

#[test]
fn an_early_return_in_nested_loops_stays_where_it_is() {
    expect(
        "j1, j2, b3 4, b2 5, b1 6, r, r",
        "0 edge 0.0 loop L1 { 1 edge 1.0
           loop L0 { 2 if 2 { edge 2.0 3 if 3 { edge 3.0 } else { edge 3.1 5 return } }
                     else { edge 2.1 exit L0 } }
           4 if 4 { edge 4.0 } else { edge 4.1 exit L1 }
         } 6 return",
    );
}

#[test]
fn the_larger_of_two_returning_tails_follows_the_loop() {
    let tails = |small: &str, large: &str| {
        format!(
            "0 edge 0.0 loop L0 {{ 1 if 1 {{ edge 1.0 {small} }} else {{ edge 1.1 2 if 2 {{ edge 2.0 }} else {{ edge 2.1 exit L0 }} }} }} {large}"
        )
    };
    expect(
        "j1, b4 2, b1 3, j5, r, r",
        &tails("4 return", "3 edge 3.0 5 return"),
    );
}

#[test]
fn switches_fall_through() {
    expect(
        "s1 2 3 3, j2, j3, r",
        "scope L0 { 0 switch 0 arm 0 { edge 0.0 1 edge 1.0 } arm 1 { edge 0.1 }
           arm 2 { edge 0.2 exit L0 } arm 3 { edge 0.3 exit L0 } 2 edge 2.0 } 3 return",
    );
}

#[test]
fn short_circuits_share_code() {
    expect(
        "b1 3, b2 3, j4, j4, r",
        "scope L0 { 0 if 0 { edge 0.0 1 if 1 { edge 1.0 2 edge 2.0 exit L0 } else { edge 1.1 } }
           else { edge 0.1 } 3 edge 3.0 } 4 return",
    );
}

#[test]
fn a_two_entry_loop_is_dispatched() {
    let g = "b1 2, b2 3, b1 3, r";
    expect(
        g,
        "0 if 0 { edge 0.0 state s0 = 0 } else { edge 0.1 state s0 = 1 }
         loop L0 { dispatch s0
           arm 0 { 1 if 1 { edge 1.0 state s0 = 1 } else { edge 1.1 exit L0 } }
           arm 1 { 2 if 2 { edge 2.0 state s0 = 0 } else { edge 2.1 exit L0 } }
         } 3 return",
    );
    let report = structurize(&graph(g)).unwrap().report;
    assert_eq!(
        report,
        [
            PartReport::Regions { blocks: 2 },
            PartReport::Dispatch {
                blocks: 2,
                entries: vec![BlockId(1), BlockId(2)]
            }
        ]
    );
}

#[test]
fn an_irreducible_loop_in_a_reducible_one() {
    expect(
        "j1, b2 3, b3 5, b2 4, j1, r",
        "0 edge 0.0 loop L1 { 1 if 1 { edge 1.0 state s0 = 0 } else { edge 1.1 state s0 = 1 }
           loop L0 { dispatch s0
             arm 0 { 2 if 2 { edge 2.0 state s0 = 1 } else { edge 2.1 5 return } }
             arm 1 { 3 if 3 { edge 3.0 state s0 = 0 } else { edge 3.1 exit L0 } }
           } 4 edge 4.0 }",
    );
}

#[test]
fn a_reducible_loop_in_an_irreducible_one() {
    expect(
        "b1 2, j2, b3 4, b3 2, j1, r",
        "0 if 0 { edge 0.0 state s0 = 0 } else { edge 0.1 state s0 = 1 }
         loop L1 { dispatch s0
           arm 0 { 1 edge 1.0 state s0 = 1 }
           arm 1 { 2 if 2 { edge 2.0 loop L0 { 3 if 3 { edge 3.0 } else { edge 3.1 state s0 = 1 exit L0 } } }
                   else { edge 2.1 4 edge 4.0 state s0 = 0 } }
         }",
    );
}

#[test]
fn only_what_is_entered_from_outside_is_an_entry() {
    // Block 3 has two predecessors in the cycle and none outside: it needs no dispatch.
    let report = structurize(&graph("b1 2, b3 2, b3 1, b1 4, r"))
        .unwrap()
        .report;
    let PartReport::Dispatch { blocks, entries } = &report[1] else {
        panic!("{report:?}")
    };
    assert_eq!(
        (*blocks, entries.as_slice()),
        (3, &[BlockId(1), BlockId(2)][..])
    );
}

#[test]
fn irreducible_loops_nest() {
    // 1 and 2 enter the outer cycle; inside it 3 and 4 are both entered from 1 and lead to each other.
    let g = graph("b1 2, b3 4, j1, b4 5, b3 5, b2 6, r");
    let tree = checked(&g);
    assert_eq!(tree.state_vars, 2);
    let PartReport::Dispatch { blocks: outer, .. } = tree.report[1] else {
        panic!("{:?}", tree.report)
    };
    let PartReport::Dispatch { blocks: inner, .. } = tree.report[2] else {
        panic!("{:?}", tree.report)
    };
    assert_eq!((outer, inner), (5, 2));
}

#[test]
fn dot_names_blocks_by_the_closure_and_draws_every_edge() {
    let g = graph("j1, b2 3, j1, r, j0");
    let drawn = dot(&g, &structurize(&g).unwrap(), |b| {
        format!("s_nop \"{}\"\nend", b.0)
    });
    for part in [
        "b2 [label=\"s_nop \\\"2\\\"\\lend\"];",
        "label=\"loop L0\"",
        "b0 -> b1;",
        "b1 -> b2 [label=\"T\"];",
        "b1 -> b3 [label=\"F\"];",
        "b2 -> b1;",
    ] {
        assert!(drawn.contains(part), "{part} in {drawn}");
    }
    assert!(!drawn.contains("b4"), "block 4 is unreachable");
    assert_eq!(drawn.matches('{').count(), drawn.matches('}').count());
}
