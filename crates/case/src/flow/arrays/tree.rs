//! The text of a tree: comparisons of an index with constants, EXEC narrowed to halves, and selects at the leaves.
//! Writes whatever registers it is given; knows nothing of arrays and mistakes.

use super::super::lanes::Writer;

/// Elements of a leaf at most.
const LEAF: u32 = 4;

/// Masks that trees save EXEC in, from the root down, and those of leaves.
const SAVED: u32 = 40;
const LEAVES: u32 = 52;

/// What a tree does with the elements of one array, by place.
#[derive(Debug)]
pub(super) struct Column {
    /// Where the place's result goes: the one register of a load, or the element.
    pub(super) to: Vec<String>,
    pub(super) from: Vec<String>,
    /// What a store puts there instead.
    pub(super) new: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Tree {
    index: String,
    /// By place: the index is below this place's begin (the first has none).
    bounds: Vec<i64>,
    pub(super) load: bool,
    pub(super) columns: Vec<Column>,
}

impl Tree {
    pub(super) fn new(index: &str, first: i64, load: bool, columns: Vec<Column>) -> Tree {
        let count = columns.first().map_or(0, |column| column.from.len());
        Tree {
            index: index.to_owned(),
            bounds: (0..count).map(|k| first + k as i64).collect(),
            load,
            columns,
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.bounds.len() as u32
    }

    /// Moves the bound of a place.
    pub(super) fn shift(&mut self, place: usize, by: i64) {
        if let Some(bound) = self.bounds.get_mut(place) {
            *bound += by;
        }
    }

    fn bound(&self, place: u32) -> i64 {
        self.bounds.get(place as usize).copied().unwrap_or(0)
    }
}

fn at(list: &[String], place: u32) -> &str {
    list.get(place as usize).map_or("0", String::as_str)
}

/// A number as an operand: in the instruction where it fits, or behind it.
pub(super) fn number(n: i64) -> String {
    match n {
        -16..=64 => n.to_string(),
        _ => format!("{:#x}", n as u32),
    }
}

impl Writer {
    fn tree_mask(&self, first: u32, which: u32) -> String {
        let first = first + 2 * which;
        match self.bits() {
            "b64" => format!("s[{first}:{}]", first + 1),
            _ => format!("s{first}"),
        }
    }

    pub(super) fn put_tree(&mut self, tree: &Tree) {
        if !tree.load && self.rng.chance(8) {
            self.chain(tree);
        } else {
            self.branches(tree, 0, tree.count(), 0);
        }
    }

    /// A comparison that says whether the index is below a bound.
    fn below(&mut self, mask: &str, tree: &Tree, place: u32) {
        let (index, bound) = (&tree.index, tree.bound(place));
        let (c, less) = (number(bound), number(bound - 1));
        let line = match self.rng.below(10) {
            0 => format!("v_cmp_lt_i32_e64 {mask}, {index}, {c}"),
            1 => format!("v_cmp_ge_i32_e64 {mask}, {less}, {index}"),
            2 => format!("v_cmp_le_i32_e64 {mask}, {index}, {less}"),
            _ => format!("v_cmp_gt_i32_e64 {mask}, {c}, {index}"),
        };
        self.put(&line);
    }

    /// Every element asks whether it is the one.
    fn chain(&mut self, tree: &Tree) {
        let mask = self.tree_mask(LEAVES, 0);
        for place in 0..tree.count() {
            let (index, n) = (&tree.index, number(tree.bound(place)));
            self.put(&format!("v_cmp_eq_i32_e64 {mask}, {n}, {index}"));
            for c in &tree.columns {
                let (to, from, new) = (at(&c.to, place), at(&c.from, place), at(&c.new, place));
                self.put(&format!("v_cndmask_b32_e64 {to}, {from}, {new}, {mask}"));
            }
        }
    }

    /// The places from `low` to before `high`.
    fn branches(&mut self, tree: &Tree, low: u32, high: u32, level: u32) {
        let count = high - low;
        if count <= LEAF && (count == 1 || level >= 4 || self.rng.chance(75)) {
            return if tree.load {
                self.load_leaf(tree, low, count);
            } else {
                self.store_leaf(tree, low, count);
            };
        }
        let middle = low + count / 2;
        let (bits, exec, vcc) = (self.bits(), self.exec(), self.vcc());
        let saved = self.tree_mask(SAVED, level);
        let (index, bound) = (&tree.index, tree.bound(middle));
        let turned = self.rng.chance(15);
        let (op, c) = match (turned, self.rng.chance(15)) {
            (false, false) => ("gt", number(bound)),
            (false, true) => ("ge", number(bound - 1)),
            (true, false) => ("le", number(bound)),
            (true, true) => ("lt", number(bound - 1)),
        };
        if self.rng.chance(50) {
            self.put(&format!("s_mov_{bits} {saved}, {exec}"));
            self.put(&format!("v_cmpx_{op}_i32_e32 {c}, {index}"));
        } else {
            self.put(&format!("v_cmp_{op}_i32_e32 {vcc}, {c}, {index}"));
            self.put(&format!("s_and_saveexec_{bits} {saved}, {vcc}"));
        }
        let halves = [(low, middle), (middle, high)];
        let halves = if turned {
            [halves[1], halves[0]]
        } else {
            halves
        };
        for (n, (low, high)) in halves.into_iter().enumerate() {
            if n == 1 {
                self.put(&format!("s_andn2_{bits} {exec}, {saved}, {exec}"));
            }
            // Short ones are not always skipped.
            let often = if high - low > LEAF { 97 } else { 70 };
            let skipped = self.rng.chance(often);
            let end = self.label();
            if skipped {
                self.put(&format!("s_cbranch_execz {end}"));
            }
            self.branches(tree, low, high, level + 1);
            if skipped {
                self.put(&format!("{end}:"));
            }
        }
        self.put(&format!("s_mov_{bits} {exec}, {saved}"));
    }

    fn select(&mut self, to: &str, without: &str, with: &str, mask: &str) {
        self.put(&format!(
            "v_cndmask_b32_e64 {to}, {without}, {with}, {mask}"
        ));
    }

    fn load_leaf(&mut self, tree: &Tree, low: u32, count: u32) {
        let mask = self.tree_mask(LEAVES, 0);
        let at = |n: usize, k: u32| {
            let column = tree.columns.get(n);
            column.map_or("0", |c| at(&c.from, low + k)).to_owned()
        };
        let columns: Vec<(usize, String)> = tree
            .columns
            .iter()
            .enumerate()
            .map(|(n, c)| (n, c.to.first().cloned().unwrap_or_default()))
            .collect();
        match count {
            1 => {
                for (n, to) in columns {
                    self.put(&format!("v_mov_b32_e32 {to}, {}", at(n, 0)));
                }
            }
            2 | 3 => {
                // From the last on.
                self.below(&mask, tree, low + count - 1);
                for (n, to) in &columns {
                    self.select(to, &at(*n, count - 1), &at(*n, count - 2), &mask);
                }
                if count == 3 {
                    self.below(&mask, tree, low + 1);
                    for (n, to) in &columns {
                        self.select(to, to, &at(*n, 0), &mask);
                    }
                }
            }
            _ => {
                self.below(&mask, tree, low + 1);
                for (n, to) in &columns {
                    self.select(to, &at(*n, 1), &at(*n, 0), &mask);
                }
                self.below(&mask, tree, low + 3);
                for (n, _) in &columns {
                    self.select(&format!("v{}", 26 + n), &at(*n, 3), &at(*n, 2), &mask);
                }
                self.below(&mask, tree, low + 2);
                for (n, to) in &columns {
                    self.select(to, &format!("v{}", 26 + n), to, &mask);
                }
            }
        }
    }

    fn store_leaf(&mut self, tree: &Tree, low: u32, count: u32) {
        let bits = self.bits();
        let [a, b, c] = [0, 1, 2].map(|n| self.tree_mask(LEAVES, n));
        match count {
            1 => {}
            2 => self.below(&a, tree, low + 1),
            3 => {
                self.below(&a, tree, low + 2);
                self.below(&b, tree, low + 1);
            }
            _ => {
                self.below(&a, tree, low + 3);
                self.below(&b, tree, low + 2);
                self.below(&c, tree, low + 1);
            }
        }
        // Below the third, or the second of three.
        let (third, first) = (self.tree_mask(LEAVES, 3), self.tree_mask(LEAVES, 4));
        if count > 2 {
            self.put(&format!("s_or_{bits} {third}, {b}, {a}"));
        }
        if count > 3 {
            self.put(&format!("s_and_{bits} {first}, {b}, {c}"));
        }
        for column in &tree.columns {
            let to = |k| at(&column.to, low + k);
            let from = |k| at(&column.from, low + k);
            let new = |k| at(&column.new, low + k);
            match count {
                1 => self.put(&format!("v_mov_b32_e32 {}, {}", to(0), new(0))),
                2 => {
                    self.select(to(1), new(1), from(1), &a);
                    self.select(to(0), from(0), new(0), &a);
                }
                3 => {
                    self.select("v28", from(1), new(1), &a);
                    self.select(to(2), new(2), from(2), &third);
                    self.select(to(1), "v28", from(1), &b);
                    self.select(to(0), from(0), new(0), &b);
                }
                _ => {
                    self.select("v28", new(1), from(1), &c);
                    self.select("v29", from(2), new(2), &a);
                    self.select(to(3), new(3), from(3), &third);
                    self.select(to(2), "v29", from(2), &b);
                    self.select(to(1), from(1), "v28", &b);
                    self.select(to(0), from(0), new(0), &first);
                }
            }
        }
    }
}
