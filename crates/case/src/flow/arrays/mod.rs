//! Random programs of lanes' ifs and loops that keep arrays in registers, as compilers for a register file make them:
//! elements that data picks are read and written by trees of comparisons (`tree`). Most programs hold one or more
//! mistakes: a tree in which something is not what its place says, or code that does to elements what compilers
//! rarely do. Knows nothing of what anyone makes of such trees.

mod tree;

use super::lanes::{WAVES, Writer};
use super::{FlowProgram, FlowSpec};

use tree::{Column, Tree};

/// The first register of the first array.
const FIRST_REGISTER: u32 = 32;

/// Registers that hold indices from block to block.
const INDICES: [&str; 2] = ["v21", "v22"];

/// Where loads put the elements that they pick: one for each array of a tree.
const PICKED: [&str; 2] = ["v24", "v25"];

/// Elements of one array: registers in a row.
#[derive(Clone, Copy, Debug)]
struct Array {
    register: u32,
    count: u32,
}

impl Array {
    fn elements(self) -> Vec<String> {
        let all = self.register..self.register + self.count;
        all.map(|n| format!("v{n}")).collect()
    }
}

/// The arrays of a program, and what may still be made of them.
#[derive(Debug)]
pub(super) struct Arrays {
    arrays: Vec<Array>,
    /// The index of element 0.
    first: i64,
    /// Trees, before and still to come.
    made: u32,
    left: u32,
    /// Mistakes still to come.
    mistakes: u32,
    /// Blocks also do what is of the whole wave, so that lanes may not part there.
    whole: bool,
    /// Elements are also used without an index.
    direct: bool,
}

impl Writer {
    fn arrays(&mut self, small: bool) -> Arrays {
        let many = if small {
            1
        } else {
            [1, 1, 1, 2, 2, 3][self.rng.below(6) as usize]
        };
        let most = if many > 1 { 7 } else { 11 };
        let count = 6 + self.rng.below(most);
        let alike = self.rng.chance(80);
        let mut register = FIRST_REGISTER;
        let mut arrays = Vec::new();
        for _ in 0..many {
            let count = if alike {
                count
            } else {
                6 + self.rng.below(most)
            };
            arrays.push(Array { register, count });
            register += count;
        }
        let count = i64::from(count);
        let first = match self.rng.below(20) {
            0..=13 => 0,
            14..=16 => i64::from(self.rng.below(30)) - 15,
            17 => i64::from(i32::MIN),
            18 => i64::from(i32::MAX) - count + 1,
            _ => i64::from(i32::MIN) + i64::from(self.rng.below(3)),
        };
        let mistakes = match self.rng.below(10) {
            0..=5 => 0,
            6..=8 => 1,
            _ => 2,
        };
        Arrays {
            arrays,
            first,
            made: 0,
            left: if small { 3 } else { 3 + self.rng.below(4) },
            mistakes,
            whole: self.rng.chance(8),
            direct: self.rng.chance(35),
        }
    }

    /// First values of elements: some of them nothing, which reads as 0.
    fn begin_arrays(&mut self, arrays: &Arrays) {
        for array in &arrays.arrays {
            let style = self.rng.below(12);
            for (k, element) in array.elements().into_iter().enumerate() {
                match style {
                    0 => {}
                    1 => self.put(&format!("v_mov_b32_e32 {element}, 0")),
                    2 => self.put(&format!("v_mov_b32_e32 {element}, {}", k + 7)),
                    3 if k % 3 == 1 => self.put(&format!("v_add_nc_u32_e32 {element}, {k}, v0")),
                    3 => {}
                    4..=7 => self.put(&format!("v_xor_b32_e32 {element}, {}, v1", k + 1)),
                    _ => self.put(&format!("v_mul_lo_u32 {element}, v1, {}", 2 * k + 3)),
                }
            }
        }
    }

    fn array(&mut self, arrays: &Arrays) -> Array {
        let n = self.rng.below(arrays.arrays.len() as u32) as usize;
        arrays.arrays.get(n).copied().unwrap_or(Array {
            register: FIRST_REGISTER,
            count: 6,
        })
    }

    fn element(&mut self, arrays: &Arrays) -> String {
        let array = self.array(arrays);
        format!("v{}", array.register + self.rng.below(array.count))
    }

    /// A register that holds an index: an element's, one at the sides, or anything.
    fn index(&mut self, arrays: &Arrays, count: u32) -> &'static str {
        let index = self.rng.pick(&INDICES);
        let from = self.rng.pick(&["v1", "v2"]);
        match self.rng.below(20) {
            // As it was.
            0..=2 => {}
            5 => self.put(&format!("v_add_nc_u32_e32 {index}, 1, {index}")),
            6 => self.put(&format!("v_add_nc_u32_e32 {index}, -1, {index}")),
            7 => self.put(&format!("v_mov_b32_e32 {index}, {from}")),
            8 => {
                self.put(&format!("v_and_b32_e32 {index}, 3, {from}"));
                self.put(&format!("v_add_nc_u32_e32 {index}, 0x7ffffffe, {index}"));
            }
            9 => {
                let n = arrays.first + i64::from(self.rng.below(count));
                self.put(&format!("v_mov_b32_e32 {index}, {}", tree::number(n)));
            }
            10 => {
                let other = self.rng.pick(&INDICES);
                self.put(&format!("v_mov_b32_e32 {index}, {other}"));
            }
            _ => {
                let (bit, width) = (self.rng.below(10), if count > 8 { 4 } else { 3 });
                self.put(&format!("v_bfe_u32 {index}, {from}, {bit}, {width}"));
                let by = arrays.first - i64::from(self.rng.below(4) / 3);
                if by != 0 {
                    let by = tree::number(by);
                    self.put(&format!("v_add_nc_u32_e32 {index}, {by}, {index}"));
                }
            }
        }
        index
    }

    /// What a store puts in the place of an element.
    fn new_value(&mut self) -> String {
        match self.rng.below(8) {
            0..=2 => "v1".to_owned(),
            3..=5 => "v2".to_owned(),
            6 => PICKED[0].to_owned(),
            _ => self.rng.below(3).to_string(),
        }
    }

    /// A load or a store at one index, of one array or of two that are as long.
    fn tree(&mut self, arrays: &mut Arrays) {
        let load = match arrays.made {
            0 => false,
            1 => true,
            _ => self.rng.chance(45),
        };
        arrays.made += 1;
        arrays.left = arrays.left.saturating_sub(1);
        let one = self.array(arrays);
        let mut columns = vec![one];
        let mut rest = arrays.arrays.iter();
        let other = rest.find(|a| a.register != one.register && a.count == one.count);
        if let Some(&other) = other
            && self.rng.chance(45)
        {
            columns.push(other);
        }
        let index = self.index(arrays, one.count);
        let same = self.new_value();
        let count = one.count as usize;
        let columns = columns.iter().zip(PICKED).map(|(array, picked)| {
            let elements = array.elements();
            if load {
                Column {
                    to: vec![picked.to_owned(); count],
                    from: elements,
                    new: Vec::new(),
                }
            } else {
                let new = if self.rng.chance(30) {
                    same.clone()
                } else {
                    self.new_value()
                };
                Column {
                    to: elements.clone(),
                    from: elements,
                    new: vec![new; count],
                }
            }
        });
        let columns: Vec<Column> = columns.collect();
        let both = columns.len() > 1;
        let mut tree = Tree::new(index, arrays.first, load, columns);
        let begin = self.units.len();
        // Mistakes stand rather in later trees.
        let mistaken =
            arrays.mistakes > 0 && self.rng.chance(if arrays.made < 3 { 25 } else { 60 });
        if mistaken {
            arrays.mistakes -= 1;
            if self.rng.chance(70) {
                self.mistake(&mut tree, arrays);
                self.put_tree(&tree);
            } else {
                self.put_tree(&tree);
                self.mistake_in_text(begin, arrays);
            }
        } else {
            self.put_tree(&tree);
        }
        if load {
            let to = self.rng.pick(&["v1", "v2"]);
            self.put(&format!("v_xor_b32_e32 {to}, v24, {to}"));
            if both {
                self.put("v_lshl_add_u32 v2, v25, 1, v2");
            }
        }
    }

    /// Something in a tree that is not what its place says.
    fn mistake(&mut self, tree: &mut Tree, arrays: &Arrays) {
        let count = tree.count();
        let (p, q) = (
            self.rng.below(count) as usize,
            self.rng.below(count) as usize,
        );
        let n = self.rng.below(tree.columns.len() as u32) as usize;
        let kind = self.rng.below(if tree.load { 5 } else { 10 });
        let (element, value) = (self.element(arrays), self.new_value());
        if kind == 0 {
            let by = [-1, 1, 2][self.rng.below(3) as usize];
            tree.shift(p, by);
            return;
        }
        let Some(column) = tree.columns.get_mut(n) else {
            return;
        };
        let set = |list: &mut Vec<String>, at: usize, value: &str| {
            if let Some(place) = list.get_mut(at) {
                value.clone_into(place);
            }
        };
        match kind {
            1 | 5 => set(&mut column.from, p, &element),
            2 => column.from.swap(p, q),
            3 => {
                // A place left out: those behind it move up.
                column.from.remove(p);
                column.from.push(element);
            }
            4 => {
                let same = column.from.get(q).cloned().unwrap_or_default();
                set(&mut column.from, p, &same);
            }
            6 => set(&mut column.new, p, &value),
            7 => {
                for at in p..count as usize {
                    set(&mut column.new, at, &value);
                }
            }
            8 => set(&mut column.to, p, &element),
            _ => column.to.swap(p, q),
        }
    }

    /// A line of the text from `begin` on that is another one, twice there, or not at all.
    fn mistake_in_text(&mut self, begin: usize, arrays: &Arrays) {
        let lines = begin..self.units.len();
        let numbers: Vec<usize> = lines
            .filter(|&n| self.units.get(n).is_some_and(|u| u.starts_with("v_")))
            .collect();
        let which = self.rng.below(numbers.len() as u32) as usize;
        let (Some(&at), other) = (numbers.get(which), self.element(arrays)) else {
            return;
        };
        match self.rng.below(6) {
            0 => {
                self.units.remove(at);
            }
            1 => {
                let line = self.units.get(at).cloned().unwrap_or_default();
                self.units.insert(at, line);
            }
            // Not what saves EXEC: lanes that are lost in a loop take no fuel from it, and it may find them again.
            2 if at > begin && numbers.contains(&(at - 1)) => self.units.swap(at - 1, at),
            _ => {
                let Some(unit) = self.units.get_mut(at) else {
                    return;
                };
                let mut words: Vec<String> = unit.split(' ').map(str::to_owned).collect();
                let vectors = |w: &&mut String| {
                    let digits = w.strip_prefix('v').map(|d| d.trim_end_matches(','));
                    digits.is_some_and(|d| d.parse::<u32>().is_ok())
                };
                let many = words.iter_mut().filter(vectors).count() as u32;
                let which = self.rng.below(many) as usize;
                if let Some(word) = words.iter_mut().filter(vectors).nth(which) {
                    let comma = if word.ends_with(',') { "," } else { "" };
                    *word = format!("{other}{comma}");
                }
                *unit = words.join(" ");
            }
        }
    }

    /// Code that moves or changes elements without an index.
    fn plain_change(&mut self, arrays: &Arrays) {
        let (one, other) = (self.array(arrays), self.array(arrays));
        let pairs = one.elements().into_iter().zip(other.elements());
        match self.rng.below(8) {
            0 => {
                // An exchange, or (of one with itself) nothing.
                for (a, b) in pairs {
                    self.put(&format!("v_swap_b32 {a}, {b}"));
                }
            }
            1 => {
                for (a, b) in pairs {
                    self.put(&format!("v_mov_b32_e32 {a}, {b}"));
                }
            }
            2 => {
                let all = one.elements();
                for pair in all.windows(2) {
                    if let [a, b] = pair {
                        self.put(&format!("v_mov_b32_e32 {a}, {b}"));
                    }
                }
            }
            3 => {
                let (a, b) = (self.element(arrays), self.element(arrays));
                self.put(&format!("v_mov_b32_e32 {a}, {b}"));
            }
            4 | 5 => {
                let a = self.element(arrays);
                self.put(&format!("v_xor_b32_e32 v1, {a}, v1"));
            }
            _ => {
                let a = self.element(arrays);
                self.put(&format!("v_xor_b32_e32 {a}, v1, {a}"));
            }
        }
    }

    /// A block of such a program.
    pub(super) fn array_block(&mut self, arrays: &mut Arrays) {
        let number = self.rng.below(64);
        self.put("v_mul_lo_u32 v1, v1, 33");
        self.put(&format!("v_xor_b32_e32 v1, {number}, v1"));
        if arrays.left > 0 && (arrays.made < 2 || self.rng.chance(60)) {
            self.tree(arrays);
        }
        for _ in 0..self.rng.below(2) {
            match self.rng.below(10) {
                0 | 1 => self.put("v_lshl_add_u32 v2, v1, 3, v2"),
                2 => {
                    self.condition();
                    let vcc = self.vcc();
                    self.put(&format!("v_cndmask_b32_e32 v2, v2, v1, {vcc}"));
                }
                3 | 4 => {
                    let offsets = self.offsets;
                    let load = [
                        &*format!("v_and_b32_e32 v3, {offsets:#x}, v1"),
                        "global_load_dword v5, v3, s[2:3]",
                        "s_waitcnt vmcnt(0)",
                        "v_xor_b32_e32 v2, v5, v2",
                    ];
                    // A load that nobody waits for, or from elsewhere, is no program.
                    self.units.push(load.join("\n"));
                }
                5 | 6 if arrays.direct => self.plain_change(arrays),
                7 if arrays.whole => self.put("s_add_u32 s10, s10, 1"),
                8 if arrays.whole => self.put("v_readfirstlane_b32 s11, v1"),
                _ => self.put("v_xor_b32_e32 v1, v2, v1"),
            }
        }
    }
}

/// The program of a spec.
pub(super) fn program(spec: FlowSpec) -> FlowProgram {
    let mut w = Writer::new(spec, 5);
    // Where one wave may look too: a program is made smaller by leaving the others out.
    w.offsets = 4 * spec.wave - 4;
    w.begin();
    w.put("v_and_b32_e32 v21, 7, v0");
    w.put("v_bfe_u32 v22, v1, 3, 3");
    let (bits, exec) = (w.bits(), w.exec());
    let arrays = w.arrays(spec.small);
    let elsewhere = w.rng.chance(20);
    if !elsewhere {
        w.begin_arrays(&arrays);
    }
    let head = std::mem::take(&mut w.units);
    if elsewhere {
        // Some lanes have nothing there.
        let (mask, end) = (w.mask(3, 0), w.label());
        w.condition();
        let vcc = w.vcc();
        w.put(&format!("s_and_saveexec_{bits} {mask}, {vcc}"));
        w.put(&format!("s_cbranch_execz {end}"));
        w.begin_arrays(&arrays);
        w.put(&format!("{end}:"));
        w.put(&format!("s_mov_{bits} {exec}, {mask}"));
    }
    let all: Vec<String> = arrays.arrays.iter().flat_map(|a| a.elements()).collect();
    w.arrays = Some(arrays);
    if w.rng.chance(25) {
        w.block();
    }
    let depth = if spec.small { 1 } else { 1 + w.rng.below(2) };
    w.repetition(depth);
    if w.rng.chance(25) {
        w.block();
    }
    let body = std::mem::take(&mut w.units);
    w.end();
    w.put("v_mov_b32_e32 v7, 0");
    // All of them, a few, or what trees have picked alone.
    let share = [100, 100, 25, 0][w.rng.below(4) as usize];
    for element in all {
        if w.rng.chance(share) {
            w.put("v_mul_lo_u32 v7, v7, 33");
            w.put(&format!("v_xor_b32_e32 v7, {element}, v7"));
        }
    }
    w.tell("v7", "v_add_nc_u32_e32 v11, s10, v20");
    FlowProgram {
        wave: spec.wave,
        waves: WAVES,
        lds: 0,
        input: true,
        undefined: true,
        head,
        body,
        tail: w.units,
    }
}
