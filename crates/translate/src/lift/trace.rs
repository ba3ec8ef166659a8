//! Where the words of descriptors come from: a look back over a lifted program, from the values that an
//! instruction takes its descriptor from to user SGPRs, constants and loads. Changes nothing.

use std::cell::OnceCell;

use smallvec::SmallVec;
use spirdna_isa::RowFlags;

use crate::bindings::{Resource, ResourceKind};
use crate::ir::dom::Dominators;
use crate::ir::feeds::Feeds;
use crate::ir::{Const, Def, Func, Input, MemWidth, Op, Pure, Value};
use crate::recipe::{Pointer, Recipe, Word};

/// Loads and sums inside each other that are traced at most; less than recipes may have.
const DEPTH: u32 = 12;

/// Ways into blocks that are looked through for one value at most.
const WAYS: usize = 64;

/// A V# that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferWords {
    /// Its words.
    pub words: [Value; 4],
    /// What the instruction does.
    pub flags: RowFlags,
}

/// The V#s of a program that can be traced, each once.
pub(super) fn buffers(func: &Func, uses: &[BufferWords]) -> Vec<Resource> {
    let mut found: Vec<Resource> = Vec::new();
    if uses.is_empty() {
        return found;
    }
    let mut tracer = Tracer::new(func);
    // What was traced, and which of those found it is.
    let mut done: SmallVec<[([Value; 4], Option<usize>); 8]> = SmallVec::new();
    for BufferWords { words, flags } in uses {
        let write = flags.contains(RowFlags::STORE) || flags.contains(RowFlags::ATOMIC);
        let read = !flags.contains(RowFlags::STORE);
        let number = match done.iter().find(|(known, _)| known == words) {
            Some(&(_, number)) => number,
            None => {
                let traced = tracer.recipe(words);
                // A descriptor of which no word is anybody's but the code's is built by the shader.
                let recipe = traced.map(|t| t.recipe).filter(|r| {
                    let constant = |word: &Word| matches!(word, Word::Const(_));
                    !r.words.iter().all(constant)
                });
                let number = recipe.map(|recipe| {
                    let known = found.iter().position(|r| r.recipe == recipe);
                    known.unwrap_or_else(|| {
                        found.push(Resource {
                            recipe,
                            kind: ResourceKind::Buffer,
                            read: false,
                            write: false,
                            place: None,
                        });
                        found.len() - 1
                    })
                });
                done.push((*words, number));
                number
            }
        };
        if let Some(resource) = number.and_then(|number| found.get_mut(number)) {
            resource.read |= read;
            resource.write |= write;
        }
    }
    found
}

/// A traced descriptor.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    /// Its recipe.
    pub recipe: Recipe,
    /// The index of a table's entry.
    pub index: Option<Value>,
}

/// Traces values of a function.
pub(super) struct Tracer<'a> {
    func: &'a Func,
    /// Made where a parameter is traced.
    feeds: OnceCell<Feeds>,
    /// The index of the recipe at hand.
    index: Option<Value>,
    /// A place that the recipe at hand loads from, how deep it was, and what its address is: the words of a
    /// descriptor mostly lie at one.
    last: Option<(Value, u32, Pointer)>,
}

impl<'a> Tracer<'a> {
    pub fn new(func: &'a Func) -> Tracer<'a> {
        Tracer {
            func,
            feeds: OnceCell::new(),
            index: None,
            last: None,
        }
    }

    fn feeds(&self) -> &Feeds {
        let make = || Feeds::new(self.func, Dominators::new(self.func).order());
        self.feeds.get_or_init(make)
    }

    /// Where the words of a descriptor come from, if all can be traced.
    pub fn recipe(&mut self, words: &[Value]) -> Option<Traced> {
        self.index = None;
        self.last = None;
        let words = words.iter().map(|&value| self.word(value, DEPTH));
        let words = words.collect::<Option<Vec<Word>>>()?;
        Some(Traced {
            recipe: Recipe { words },
            index: self.index,
        })
    }

    /// The values that flow into a parameter through others.
    fn sources(&self, value: Value) -> Option<SmallVec<[Value; 4]>> {
        let mut seen = vec![value];
        let mut sources = SmallVec::new();
        let mut at = 0;
        while let Some(&value) = seen.get(at) {
            at += 1;
            match self.func.def(value) {
                Def::Inst(_) => sources.push(value),
                Def::Param(block, i) => {
                    for &arg in self.feeds().of(block, i as usize) {
                        if !seen.contains(&arg) {
                            seen.push(arg);
                        }
                    }
                }
            }
            if seen.len() > WAYS {
                return None;
            }
        }
        Some(sources)
    }

    fn word(&mut self, value: Value, depth: u32) -> Option<Word> {
        if let Def::Inst(_) = self.func.def(value) {
            return self.made(value, depth);
        }
        let sources = self.sources(value)?;
        let (&first, others) = sources.split_first()?;
        let word = self.made(first, depth)?;
        for &other in others {
            // Two ways brought it: they must bring the same, and no index of their own.
            if self.made(other, depth)? != word || self.index.is_some() {
                return None;
            }
        }
        Some(word)
    }

    /// The word that an instruction makes.
    fn made(&mut self, value: Value, depth: u32) -> Option<Word> {
        let depth = depth.checked_sub(1)?;
        let func = self.func;
        if let Some(Const::I32(bits)) = func.as_const(value) {
            return Some(Word::Const(bits));
        }
        let data = func.def_inst(value)?;
        let constant = |v: Value| match func.as_const(v) {
            Some(Const::I32(bits)) => Some(bits),
            _ => None,
        };
        match (data.op, data.args.as_slice()) {
            (Op::Input(Input::UserData(n)), _) => Some(Word::User(n)),
            (
                Op::Load {
                    width: MemWidth::B32,
                    offset,
                    ..
                },
                &[place, guard],
            ) => {
                if func.as_const(guard) != Some(Const::Bool(true)) {
                    return None;
                }
                let mut pointer = match &self.last {
                    Some((of, at, pointer)) if (*of, *at) == (place, depth) => pointer.clone(),
                    _ => {
                        let data = func.def_inst(place)?;
                        let (Op::Ptr { .. }, &[address]) = (data.op, data.args.as_slice()) else {
                            return None;
                        };
                        let pointer = self.pointer(address, depth)?;
                        self.last = Some((place, depth, pointer.clone()));
                        pointer
                    }
                };
                pointer.offset = pointer.offset.wrapping_add(u64::from(offset));
                Some(Word::Load(Box::new(pointer)))
            }
            (Op::Pure(Pure::And), &[x, y]) => {
                let mask = constant(y)?;
                let word = self.word(x, depth)?;
                Some(Word::And(Box::new(word), mask))
            }
            (Op::Pure(Pure::Or), &[x, y]) => {
                let mask = constant(y)?;
                let word = self.word(x, depth)?;
                Some(Word::Or(Box::new(word), mask))
            }
            (Op::Pure(Pure::Add), &[x, y]) => {
                if let Some(add) = constant(y) {
                    return Some(match self.word(x, depth)? {
                        Word::Sum {
                            word,
                            add: first,
                            step,
                        } => Word::Sum {
                            word,
                            add: first.wrapping_add(add),
                            step,
                        },
                        word => Word::Sum {
                            word: Box::new(word),
                            add,
                            step: 0,
                        },
                    });
                }
                // One of the two is a number of entries.
                let (base, scaled) = match (self.scaled(x), self.scaled(y)) {
                    (None, Some(scaled)) => (x, scaled),
                    (Some(scaled), None) => (y, scaled),
                    _ => return None,
                };
                let step = u32::try_from(self.indexed(scaled)?).ok()?;
                Some(Word::Sum {
                    word: Box::new(self.word(base, depth)?),
                    add: 0,
                    step,
                })
            }
            _ => None,
        }
    }

    /// A number of entries times their size: (number, size), of sizes that descriptors have.
    fn scaled(&self, value: Value) -> Option<(Value, u64)> {
        let data = self.func.def_inst(value)?;
        let constant = |v: Value| self.func.as_const(v).map(|c| c.bits());
        match (data.op, data.args.as_slice()) {
            (Op::Pure(Pure::Shl), &[x, n]) => match constant(n)? & 63 {
                n @ 4..=16 => Some((x, 1 << n)),
                _ => None,
            },
            (Op::Pure(Pure::Mul), &[x, size]) => {
                let size = constant(size)?;
                ((16..=1 << 16).contains(&size) && size.is_multiple_of(4)).then_some((x, size))
            }
            (Op::Pure(Pure::ZExt), &[x]) => self.scaled(x),
            // What is a multiple of four loses nothing.
            (Op::Pure(Pure::And), &[x, mask]) => {
                let all_but_two = [u64::from(!3_u32), !3];
                all_but_two.contains(&constant(mask)?).then_some(())?;
                self.scaled(x)
            }
            _ => None,
        }
    }

    /// Notes the index; gives the size of an entry.
    fn indexed(&mut self, (index, size): (Value, u64)) -> Option<u64> {
        match self.index {
            Some(other) if other != index => None,
            _ => {
                self.index = Some(index);
                Some(size)
            }
        }
    }

    fn pointer(&mut self, address: Value, depth: u32) -> Option<Pointer> {
        let depth = depth.checked_sub(1)?;
        let func = self.func;
        if let Some(Const::I64(bits)) = func.as_const(address) {
            return Some(Pointer {
                low: Word::Const(bits as u32),
                high: Word::Const((bits >> 32) as u32),
                offset: 0,
                step: 0,
            });
        }
        let address = match self.func.def(address) {
            Def::Inst(_) => address,
            Def::Param(..) => match self.sources(address)?.as_slice() {
                &[source] => source,
                _ => return None,
            },
        };
        let data = func.def_inst(address)?;
        match (data.op, data.args.as_slice()) {
            (Op::Pure(Pure::Add), &[x, y]) => {
                if let Some(Const::I64(offset)) = func.as_const(y) {
                    let mut pointer = self.pointer(x, depth)?;
                    pointer.offset = pointer.offset.wrapping_add(offset);
                    return Some(pointer);
                }
                let (base, offset) = if self.offset(y).is_some() {
                    (x, y)
                } else {
                    (y, x)
                };
                let (scaled, add) = self.offset(offset)?;
                let step = self.indexed(scaled)?;
                let mut pointer = self.pointer(base, depth)?;
                if pointer.step != 0 {
                    return None;
                }
                pointer.step = step;
                pointer.offset = pointer.offset.wrapping_add(add);
                Some(pointer)
            }
            // The evaluator drops the low two bits too.
            (Op::Pure(Pure::And), &[x, y]) if func.as_const(y) == Some(Const::I64(!3)) => {
                self.pointer(x, depth)
            }
            (Op::Pure(Pure::Pack), &[low, high]) => {
                let low = match self.word(low, depth)? {
                    Word::And(word, 0xffff_fffc) => *word,
                    Word::Const(bits) => Word::Const(bits & !3),
                    word => word,
                };
                Some(Pointer {
                    low,
                    high: self.word(high, depth)?,
                    offset: 0,
                    step: 0,
                })
            }
            _ => None,
        }
    }

    /// An offset that is a number of entries and a constant.
    fn offset(&self, value: Value) -> Option<((Value, u64), u64)> {
        if let Some(scaled) = self.scaled(value) {
            return Some((scaled, 0));
        }
        let data = self.func.def_inst(value)?;
        match (data.op, data.args.as_slice()) {
            (Op::Pure(Pure::Add), &[x, y]) => {
                let add = self.func.as_const(y)?.bits();
                let (scaled, more) = self.offset(x)?;
                Some((scaled, more.wrapping_add(add)))
            }
            // A sum of 32 bits does not wrap where the entry is one of the table.
            (Op::Pure(Pure::ZExt), &[x]) => self.offset(x),
            (Op::Pure(Pure::And), &[x, mask]) => {
                let all_but_two = [u64::from(!3_u32), !3];
                let mask = self.func.as_const(mask)?.bits();
                let (scaled, add) = self.offset(x)?;
                (all_but_two.contains(&mask) && add.is_multiple_of(4)).then_some((scaled, add))
            }
            _ => None,
        }
    }
}
