//! Functions as text, for people and for tests that compare it: one instruction a line, the same text
//! for the same function always. Not read back.

use std::fmt::{self, Write};

use super::func::{Block, Func, InstData, Target, Terminator, Value};
use super::module::Module;
use super::op::Op;
use super::types::{Kind, Shape, Ty};

/// The text of a function.
pub fn func_text(func: &Func) -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = write_func(&mut out, func);
    out
}

/// The text of a module: its facts, its helpers, its program.
pub fn module_text(module: &Module) -> String {
    let mut out = String::new();
    let _ = write_module(&mut out, module);
    out
}

fn write_module(out: &mut String, module: &Module) -> fmt::Result {
    let [x, y, z] = module.local;
    writeln!(
        out,
        "module wave{} local({x}, {y}, {z}) lds({}) scratch({})",
        module.wave.lanes(),
        module.lds_bytes,
        module.scratch_bytes
    )?;
    for (i, helper) in module.helpers.iter().enumerate() {
        write!(out, "\nhelper h{i} {} -> {}", helper.name, helper.result)?;
        if let Some(fallback) = helper.fallback {
            write!(
                out,
                " where {}, else h{}",
                fallback.stands, fallback.helper.0
            )?;
        }
        writeln!(out)?;
        write_func(out, &helper.func)?;
    }
    writeln!(out, "\nprogram")?;
    write_func(out, &module.func)
}

fn write_func(out: &mut String, func: &Func) -> fmt::Result {
    for block in func.blocks() {
        write_block(out, func, block)?;
    }
    Ok(())
}

fn write_block(out: &mut String, func: &Func, block: Block) -> fmt::Result {
    let data = func.block(block);
    write!(out, "{block}")?;
    if !data.params.is_empty() {
        out.push('(');
        for (i, &param) in data.params.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            write!(out, "{param}: {}", func.ty(param))?;
        }
        out.push(')');
    }
    out.push_str(":\n");
    for &inst in &data.insts {
        out.push_str("  ");
        write_inst(out, func, func.inst(inst))?;
        out.push('\n');
    }
    out.push_str("  ");
    match &data.term {
        None => out.push_str("(open)"),
        Some(Terminator::Jump(target)) => {
            out.push_str("jump ");
            write_target(out, target)?;
        }
        Some(Terminator::Barrier(target)) => {
            out.push_str("barrier ");
            write_target(out, target)?;
        }
        Some(Terminator::Branch { cond, then, els }) => {
            write!(out, "branch {cond}, ")?;
            write_target(out, then)?;
            out.push_str(", ");
            write_target(out, els)?;
        }
        Some(Terminator::Switch { value, targets }) => {
            write!(out, "switch {value}")?;
            for target in targets {
                out.push_str(", ");
                write_target(out, target)?;
            }
        }
        Some(Terminator::Return) => out.push_str("return"),
    }
    out.push('\n');
    Ok(())
}

fn write_inst(out: &mut String, func: &Func, data: &InstData) -> fmt::Result {
    if let Some(result) = data.result {
        write!(out, "{result}: {} = ", func.ty(result))?;
    }
    write!(out, "{}", data.op)?;
    write_args(out, &data.args, " ")
}

fn write_target(out: &mut String, target: &Target) -> fmt::Result {
    write!(out, "{}", target.block)?;
    if !target.args.is_empty() {
        write_args(out, &target.args, "(")?;
        out.push(')');
    }
    Ok(())
}

fn write_args(out: &mut String, args: &[Value], before: &str) -> fmt::Result {
    for (i, arg) in args.iter().enumerate() {
        out.push_str(if i == 0 { before } else { ", " });
        write!(out, "{arg}")?;
    }
    Ok(())
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            Shape::Uniform => 'u',
            Shape::Lane => 'l',
        };
        let kind = match self.kind {
            Kind::Bool => "bool",
            Kind::I32 => "i32",
            Kind::I64 => "i64",
            Kind::Ptr => "ptr",
        };
        write!(f, "{shape}.{kind}")
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = |on: bool, text: &'static str| if on { text } else { "" };
        match self {
            Op::ConstBool(x) => write!(f, "const {x}"),
            Op::Const32(x) => write!(f, "const 0x{x:x}"),
            Op::Const64(x) => write!(f, "const 0x{x:x}"),
            Op::Input(input) => write!(f, "input.{}", snake(input)),
            Op::Pure(op) => f.write_str(&snake(op)),
            Op::Float(op, ty, mode) => write!(
                f,
                "{}.{}[{:?} {:?}{}]",
                snake(op),
                snake(ty),
                mode.round,
                mode.denorm,
                flag(mode.ieee, " ieee")
            ),
            Op::Host(op, ty) => write!(f, "host.{}.{}", snake(op), snake(ty)),
            Op::Call(helper) => write!(f, "call h{}", helper.0),
            Op::Ballot => f.write_str("ballot"),
            Op::LaneBit => f.write_str("lane_bit"),
            Op::ReadLane => f.write_str("read_lane"),
            Op::Shuffle => f.write_str("shuffle"),
            Op::Table(number) => write!(f, "table[{number}]"),
            Op::Window => f.write_str("window"),
            Op::Ptr { bytes, own } => {
                write!(f, "ptr[{bytes}{}]", flag(*own, " own"))
            }
            Op::PtrBytes => f.write_str("ptr_bytes"),
            Op::PtrBound { buffer } => write!(f, "ptr_bound[{buffer}]"),
            Op::PtrOk => f.write_str("ptr_ok"),
            Op::Load {
                width,
                offset,
                aligned,
                read_only,
            } => write!(
                f,
                "load.{}[+{offset}{}{}]",
                snake(width),
                flag(*aligned, " aligned"),
                flag(*read_only, " read_only")
            ),
            Op::Store {
                width,
                offset,
                aligned,
            } => {
                write!(
                    f,
                    "store.{}[+{offset}{}]",
                    snake(width),
                    flag(*aligned, " aligned")
                )
            }
            Op::Atomic {
                op,
                width,
                offset,
                shape,
            } => {
                write!(
                    f,
                    "atomic.{}.{}[+{offset} {}]",
                    snake(op),
                    snake(width),
                    snake(shape)
                )
            }
            Op::LdsLoad { width } => write!(f, "lds_load.{}", snake(width)),
            Op::LdsStore { width } => write!(f, "lds_store.{}", snake(width)),
            Op::ScratchLoad {
                width,
                offset,
                aligned,
            } => write!(
                f,
                "scratch_load.{}[+{offset}{}]",
                snake(width),
                flag(*aligned, " aligned")
            ),
            Op::ScratchStore {
                width,
                offset,
                aligned,
            } => write!(
                f,
                "scratch_store.{}[+{offset}{}]",
                snake(width),
                flag(*aligned, " aligned")
            ),
            Op::LdsAtomic { op, width, shape } => {
                write!(
                    f,
                    "lds_atomic.{}.{}[{}]",
                    snake(op),
                    snake(width),
                    snake(shape)
                )
            }
            Op::Fault { pc } => write!(f, "fault[pc 0x{pc:x}]"),
            Op::WaveSync => f.write_str("wave_sync"),
            Op::AnyWave => f.write_str("any_wave"),
            Op::InterpFirst { attribute } => {
                write!(f, "interp_first[{}.{}]", attribute / 4, attribute % 4)
            }
            Op::Quad { perm, narrow } => {
                write!(f, "quad[0x{perm:02x}{}]", flag(*narrow, " narrow"))
            }
            Op::Image(access) => {
                write!(f, "image.{}[{}", snake(&access.op), snake(&access.dim))?;
                for (name, number) in [("image", access.image), ("sampler", access.sampler)] {
                    if let Some(number) = number {
                        write!(f, " {name} {number}")?;
                    }
                }
                f.write_str("]")
            }
            Op::Output { to, component } => write!(f, "output.{}[{component}]", snake(to)),
            Op::Valid => f.write_str("valid"),
        }
    }
}

/// The name of an enum's variant in snake case: `MulHiU` is `mul_hi_u`.
fn snake(value: &impl fmt::Debug) -> String {
    let text = format!("{value:?}");
    let mut out = String::with_capacity(text.len() + 4);
    let mut last_lower = false;
    for c in text.chars() {
        if c.is_ascii_uppercase() && last_lower {
            out.push('_');
        }
        last_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    out
}
