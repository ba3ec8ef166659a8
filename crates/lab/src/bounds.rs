//! How far two right executions of a module may lie apart: a first-order error analysis over its operations.
//! Each operation adds what Vulkan's precision table lets two devices differ by (and what a compiler changes
//! that fuses, contracts, or makes a product with a reciprocal of a division); products add their operands'
//! errors, sums keep the greater. A sum may cancel: among n results one loses some log2(n) bits, so that the
//! bound of a result with a sum on its way is n times as wide. Knows SPIR-V and no data.

use std::collections::HashMap;

use rspirv::dr::{self, Instruction, Operand};
use spirv::{Op, StorageClass};

/// What a loop's values go through: trips that are followed.
const TRIPS: usize = 64;

/// Units in the last place at most: what is farther apart is not compared in any useful way.
const MOST: f64 = 65_536.0;

/// The least that cancellation is given.
const CANCELLATION: u64 = 16;

/// The same of halves, which have 1,024 to a binade: with 256 of them a result is as good as one with two bits
/// of its fraction. What strays farther states its own bound.
pub const MOST_OF_HALVES: u64 = 255;

/// A bound, and what it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Units in the last place.
    pub ulp: u64,
    /// Its reason, in words.
    pub why: String,
}

impl Bound {
    /// The units of halves.
    pub fn of_halves(&self) -> u64 {
        self.ulp.min(MOST_OF_HALVES)
    }
}

/// Kinds of operations that a reason counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sum,
    Product,
    Division,
    Function,
}

/// The error of a value, and the operations that it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Error {
    ulp: f64,
    counts: [u32; 4],
}

impl Error {
    fn max(self, other: Error) -> Error {
        if other.ulp > self.ulp { other } else { self }
    }

    /// Both, one behind the other.
    fn and(self, other: Error) -> Error {
        let mut sum = self;
        sum.ulp += other.ulp;
        for (to, from) in sum.counts.iter_mut().zip(other.counts) {
            *to = to.saturating_add(from);
        }
        sum
    }

    fn scaled(self, factor: f64) -> Error {
        Error {
            ulp: self.ulp * factor,
            ..self
        }
    }

    fn with(mut self, kind: Kind, count: u32, ulp: f64) -> Error {
        self.ulp = (self.ulp + ulp).min(MOST);
        if let Some(n) = self.counts.get_mut(kind as usize) {
            *n = n.saturating_add(count);
        }
        self
    }
}

/// The errors of all values and variables.
struct Analysis<'a> {
    module: &'a dr::Module,
    /// By id: of a value, or of what lies behind a variable.
    errors: HashMap<u32, Error>,
    /// A pointer's variable.
    roots: HashMap<u32, u32>,
    /// Values that a function returns.
    returns: HashMap<u32, Error>,
    changed: bool,
}

/// The bounds of what a module leaves in its buffers, by their variables, where there are `results` of each;
/// a buffer that no result of an operation goes to that may be computed in two ways has none.
pub fn derive(module: &dr::Module, results: u64) -> HashMap<u32, Bound> {
    let mut analysis = Analysis {
        module,
        errors: HashMap::new(),
        roots: HashMap::new(),
        returns: HashMap::new(),
        changed: false,
    };
    analysis.point();
    for _ in 0..TRIPS {
        analysis.changed = false;
        analysis.pass();
        if !analysis.changed {
            break;
        }
    }
    let loops = analysis.changed;
    let errors = analysis.results().into_iter();
    errors
        .filter(|(_, error)| error.ulp > 0.0)
        .map(|(buffer, error)| (buffer, bound(error, results, loops)))
        .collect()
}

fn bound(worst: Error, results: u64, loops: bool) -> Bound {
    let [sums, products, divisions, functions] = worst.counts;
    let factor = if sums > 0 {
        results.max(CANCELLATION)
    } else {
        1
    };
    let names = [
        (sums, "sum"),
        (products, "product"),
        (divisions, "division"),
        (functions, "function"),
    ];
    let parts: Vec<String> = names
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, name)| format!("{n} {name}{}", if *n == 1 { "" } else { "s" }))
        .collect();
    let ulp = worst.ulp.ceil() as u64;
    let mut why = format!("{ulp} ulp of {}", parts.join(", "));
    if loops {
        why.push_str(&format!(" over {TRIPS} trips"));
    }
    if factor > 1 {
        why.push_str(&format!(", times {factor} for cancellation"));
    }
    Bound {
        ulp: ulp.saturating_mul(factor),
        why,
    }
}

fn id(instruction: &Instruction, index: usize) -> u32 {
    match instruction.operands.get(index) {
        Some(Operand::IdRef(id)) => *id,
        _ => 0,
    }
}

impl Analysis<'_> {
    /// Finds the variables of pointers; a parameter's is its argument's.
    fn point(&mut self) {
        let functions = || self.module.functions.iter();
        let mut roots: HashMap<u32, u32> = HashMap::new();
        let parameters: HashMap<u32, Vec<u32>> = functions()
            .filter_map(|f| {
                let name = f.def.as_ref()?.result_id?;
                Some((
                    name,
                    f.parameters.iter().filter_map(|p| p.result_id).collect(),
                ))
            })
            .collect();
        for i in functions().flat_map(dr::Function::all_inst_iter) {
            match i.class.opcode {
                Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::CopyObject => {
                    roots.insert(i.result_id.unwrap_or(0), id(i, 0));
                }
                Op::FunctionCall => {
                    let callee = parameters.get(&id(i, 0));
                    for (index, &parameter) in callee.into_iter().flatten().enumerate() {
                        // Where several calls differ, all of their variables become one.
                        let argument = id(i, index + 1);
                        match roots.get(&parameter).copied() {
                            Some(other) if other != argument => {
                                roots.entry(argument).or_insert(other);
                            }
                            _ => {
                                roots.insert(parameter, argument);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        self.roots = roots;
    }

    fn root(&self, mut pointer: u32) -> u32 {
        // A chain is no longer than there are pointers.
        for _ in 0..self.roots.len() {
            match self.roots.get(&pointer) {
                Some(&next) if next != pointer && next != 0 => pointer = next,
                _ => break,
            }
        }
        pointer
    }

    fn of(&self, value: u32) -> Error {
        self.errors.get(&value).copied().unwrap_or_default()
    }

    fn set(&mut self, value: u32, error: Error) {
        let old = self.of(value);
        if error.ulp > old.ulp {
            self.errors.insert(value, error);
            self.changed = true;
        }
    }

    /// All instructions once.
    fn pass(&mut self) {
        for function in &self.module.functions {
            let name = function.def.as_ref().and_then(|d| d.result_id).unwrap_or(0);
            for i in function.all_inst_iter() {
                let result = i.result_id.unwrap_or(0);
                match i.class.opcode {
                    Op::Store => {
                        let error = self.of(id(i, 1));
                        let root = self.root(id(i, 0));
                        self.set(root, error);
                    }
                    Op::Load => {
                        let error = self.of(self.root(id(i, 0)));
                        self.set(result, error);
                    }
                    Op::ReturnValue => {
                        let error = self.of(id(i, 0));
                        let old = self.returns.get(&name).copied().unwrap_or_default();
                        self.returns.insert(name, old.max(error));
                    }
                    Op::FunctionCall => {
                        let callee = id(i, 0);
                        let returned = self.returns.get(&callee).copied();
                        self.set(result, returned.unwrap_or_default());
                        self.pass_arguments(i, callee);
                    }
                    _ if i.result_type.is_some() => {
                        let error = self.operation(i);
                        self.set(result, error);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Values that are passed by themselves.
    fn pass_arguments(&mut self, call: &Instruction, callee: u32) {
        let functions = &self.module.functions;
        let called = functions
            .iter()
            .find(|f| f.def.as_ref().and_then(|d| d.result_id) == Some(callee));
        let parameters = called.map_or(&[][..], |f| &f.parameters);
        for (index, parameter) in parameters.iter().enumerate() {
            let error = self.of(id(call, index + 1));
            self.set(parameter.result_id.unwrap_or(0), error);
        }
    }

    /// The greatest error of a value that each buffer gets.
    fn results(&self) -> Vec<(u32, Error)> {
        let buffers = self.module.types_global_values.iter().filter(|g| {
            let class = g.operands.first();
            g.class.opcode == Op::Variable
                && matches!(
                    class,
                    Some(Operand::StorageClass(
                        StorageClass::StorageBuffer | StorageClass::Uniform
                    ))
                )
        });
        // What goes through an address may be any buffer's.
        let mut addressed = Error::default();
        let stores = self
            .module
            .functions
            .iter()
            .flat_map(dr::Function::all_inst_iter)
            .filter(|i| i.class.opcode == Op::Store);
        for store in stores {
            let root = self.root(id(store, 0));
            let known = self.module.types_global_values.iter();
            let local = self
                .module
                .functions
                .iter()
                .flat_map(dr::Function::all_inst_iter);
            let mut variables = known
                .chain(local)
                .filter(|v| v.class.opcode == Op::Variable);
            if !variables.any(|v| v.result_id == Some(root)) {
                addressed = addressed.max(self.of(root));
            }
        }
        buffers
            .filter_map(|b| b.result_id)
            .map(|b| (b, self.of(b).max(addressed)))
            .collect()
    }

    /// Whether the operation must be rounded as it stands.
    fn no_contraction(&self, i: &Instruction) -> bool {
        self.module.annotations.iter().any(|a| {
            a.class.opcode == Op::Decorate
                && Some(id(a, 0)) == i.result_id
                && a.operands.get(1) == Some(&Operand::Decoration(spirv::Decoration::NoContraction))
        })
    }

    fn operation(&self, i: &Instruction) -> Error {
        let ids = i.operands.iter().filter_map(|o| match o {
            Operand::IdRef(id) => Some(*id),
            _ => None,
        });
        let greatest = ids.map(|v| self.of(v)).fold(Error::default(), Error::max);
        let (a, b) = (self.of(id(i, 0)), self.of(id(i, 1)));
        // Correctly rounded on every device, unless it is joined with another.
        let own = if self.no_contraction(i) { 0.0 } else { 1.0 };
        match i.class.opcode {
            Op::FAdd | Op::FSub => greatest.with(Kind::Sum, 1, own),
            Op::FMul | Op::VectorTimesScalar | Op::MatrixTimesScalar | Op::OuterProduct => {
                a.and(b).with(Kind::Product, 1, own)
            }
            Op::Dot | Op::VectorTimesMatrix | Op::MatrixTimesVector | Op::MatrixTimesMatrix => {
                a.and(b).with(Kind::Product, 4, 1.0).with(Kind::Sum, 3, 4.0)
            }
            // 2.5 units each.
            Op::FDiv => a.and(b).with(Kind::Division, 1, 5.0),
            Op::FRem | Op::FMod => a
                .and(b)
                .with(Kind::Division, 1, 5.0)
                .with(Kind::Product, 1, 1.0)
                .with(Kind::Sum, 1, 1.0),
            // In any order.
            Op::GroupNonUniformFAdd => greatest.with(Kind::Sum, 64, 64.0),
            Op::GroupNonUniformFMul => greatest.scaled(64.0).with(Kind::Product, 64, 64.0),
            // Two that were near round apart.
            Op::FConvert if greatest.ulp > 0.0 => greatest.with(Kind::Sum, 0, 1.0),
            Op::ExtInst => self.extended(i, greatest),
            _ => greatest,
        }
    }

    /// GLSL.std.450, by its numbers. Errors are those of Vulkan's table, once for each side; an absolute one
    /// counts as if the result were near 1.
    fn extended(&self, i: &Instruction, greatest: Error) -> Error {
        let Some(Operand::LiteralExtInstInteger(number)) = i.operands.get(1) else {
            return greatest;
        };
        let (a, b, c) = (self.of(id(i, 2)), self.of(id(i, 3)), self.of(id(i, 4)));
        let function = |error: Error, ulp: f64| error.with(Kind::Function, 1, ulp);
        // 3 + 2 |x| units, and a relative error of x grows by |x|: the greatest x is some 127.
        let exponential = |error: Error| function(error.scaled(128.0), 2.0 * (3.0 + 2.0 * 127.0));
        // 3 units, 2^-21 near 1.
        let logarithm = |error: Error| function(error, 64.0);
        // 2^-11.
        let circular = |error: Error, times: f64| function(error, times * 2.0 * 8192.0);
        match number {
            // Fract; Radians, Degrees.
            10 => greatest.with(Kind::Sum, 1, 1.0),
            11 | 12 => greatest.with(Kind::Product, 1, 2.0),
            // Sin, Cos; Tan, the quotient.
            13 | 14 => circular(greatest, 1.0),
            15 => circular(greatest, 2.0).with(Kind::Division, 1, 5.0),
            // Asin, Acos, Atan, Atan2: 4096 units.
            16..=18 | 25 => function(greatest, 2.0 * 4096.0),
            // Sinh, Cosh, Tanh; Asinh, Acosh, Atanh.
            19..=21 => exponential(greatest).with(Kind::Sum, 1, 1.0),
            22..=24 => logarithm(greatest).with(Kind::Sum, 1, 8.0),
            // Pow; Exp, Exp2; Log, Log2.
            26 => exponential(logarithm(a).and(b)),
            27 | 29 => exponential(greatest),
            28 | 30 => logarithm(greatest),
            // Sqrt, the reciprocal of InverseSqrt (2 units).
            31 => function(greatest.scaled(0.5), 5.0 + 4.0),
            32 => function(greatest.scaled(0.5), 4.0),
            // Determinant, MatrixInverse.
            33 => greatest
                .scaled(4.0)
                .with(Kind::Product, 12, 12.0)
                .with(Kind::Sum, 8, 8.0),
            34 => greatest
                .scaled(8.0)
                .with(Kind::Product, 24, 24.0)
                .with(Kind::Sum, 16, 16.0)
                .with(Kind::Division, 1, 5.0),
            // FMix: x (1 - a) + y a.
            46 => a
                .max(b)
                .and(c)
                .with(Kind::Product, 2, 2.0)
                .with(Kind::Sum, 2, 2.0),
            // SmoothStep: t t (3 - 2 t) of a quotient t.
            49 => greatest
                .with(Kind::Sum, 2, 2.0)
                .with(Kind::Division, 1, 5.0)
                .scaled(3.0)
                .with(Kind::Product, 3, 3.0),
            // Fma.
            50 => a
                .and(b)
                .max(c)
                .with(Kind::Product, 1, 1.0)
                .with(Kind::Sum, 1, 1.0),
            // Length, Distance, Normalize: the root of a dot product, and a quotient.
            66 => function(greatest.with(Kind::Product, 4, 4.0), 9.0),
            67 => function(
                greatest.with(Kind::Sum, 1, 1.0).with(Kind::Product, 4, 4.0),
                9.0,
            ),
            69 => function(greatest.scaled(2.0).with(Kind::Product, 4, 4.0), 4.0 + 5.0),
            // Cross.
            68 => a.and(b).with(Kind::Product, 2, 1.0).with(Kind::Sum, 1, 1.0),
            // Reflect: i - 2 dot(n, i) n; Refract, with a root.
            71 => a
                .and(b.scaled(2.0))
                .with(Kind::Product, 6, 6.0)
                .with(Kind::Sum, 4, 4.0),
            72 => function(
                a.and(b.scaled(2.0))
                    .and(c)
                    .with(Kind::Product, 10, 10.0)
                    .with(Kind::Sum, 8, 8.0),
                9.0,
            ),
            _ => greatest,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)] // a test may stop

    use std::process::Command;

    use super::*;

    /// The bound of a shader that computes `r[i]` of `a[i]`, over 256 results.
    fn bound(expression: &str) -> Option<Bound> {
        let folder = std::env::temp_dir().join(format!(
            "spirdna-bounds-{}-{:x}",
            std::process::id(),
            crate::prepare::hash(expression)
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, module) = (folder.join("a.comp"), folder.join("a.spv"));
        let text = format!(
            "#version 450\nlayout(local_size_x = 64) in;\n\
             layout(binding = 0) buffer A {{ float a[256]; }};\n\
             layout(binding = 1) buffer R {{ float r[256]; }};\n\
             float twice(float x) {{ return 2.0 * x; }}\n\
             void main() {{ uint i = gl_GlobalInvocationID.x; float x = a[i]; {expression} }}\n"
        );
        std::fs::write(&source, text).unwrap();
        let made = Command::new("glslangValidator")
            .args(["-V", "--target-env", "vulkan1.3", "-o"])
            .args([&module, &source])
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let bytes = std::fs::read(&module).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let (words, _) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let mut bounds = derive(&crate::interface::load(&words).unwrap(), 256);
        // What is read alone has none.
        assert!(bounds.len() <= 1);
        bounds.drain().next().map(|(_, bound)| bound)
    }

    #[test]
    fn bounds_follow_the_operations() {
        if Command::new("glslangValidator").arg("-v").output().is_err() {
            let mut err = std::io::stderr();
            let _ = std::io::Write::write_fmt(
                &mut err,
                format_args!("SKIPPED: glslangValidator is not installed\n"),
            );
            return;
        }
        let ulp = |expression: &str| bound(expression).map(|b| b.ulp);
        // Exact operations, and ones that a compiler may not join.
        assert_eq!(ulp("r[i] = max(abs(x), floor(x));"), None);
        assert_eq!(ulp("precise float y = x * x; r[i] = y;"), None);
        // By hand: one unit a product; those of both factors.
        assert_eq!(ulp("r[i] = x * x;"), Some(1));
        assert_eq!(ulp("float y = x * x; r[i] = y * y;"), Some(3));
        assert_eq!(ulp("r[i] = twice(x * x);"), Some(2));
        assert_eq!(ulp("r[i] = 1.0 / x;"), Some(5));
        // Two units, of which one is a sum's, over 256 results.
        let sum = bound("r[i] = x * x + x;").unwrap();
        assert_eq!(sum.ulp, 2 * 256);
        assert_eq!(
            sum.why,
            "2 ulp of 1 sum, 1 product, times 256 for cancellation"
        );
        // Of halves never a quarter of a binade; less where it is less.
        assert_eq!(sum.of_halves(), 255);
        assert_eq!(bound("r[i] = x * x;").unwrap().of_halves(), 1);
        // A loop's sum grows by a unit a trip.
        let long = bound("float s = 0.0; for (int k = 0; k < 9; ++k) s += x; r[i] = s;").unwrap();
        assert!(
            long.ulp >= 9 * 256 && long.why.contains("trips"),
            "{long:?}"
        );
        // Integers have no error.
        assert_eq!(ulp("r[i] = float(i * 3u);"), None);
    }
}
