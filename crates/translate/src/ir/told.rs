//! What a function tells: the addresses of the faults that it records, which tests give it to say what they compare.
//! Its memory is empty.

use super::eval::{self, Env, EvalError};
use super::{FTy, Func, HostOp, Input, MemWidth};

struct Told<F> {
    input: F,
    told: Vec<u64>,
}

impl<F: FnMut(Input, u32) -> u64> Env for Told<F> {
    fn input(&mut self, input: Input, lane: u32) -> u64 {
        (self.input)(input, lane)
    }
    fn contains(&mut self, _: u64, _: u32) -> bool {
        false
    }
    fn load(&mut self, _: u64, _: MemWidth) -> u64 {
        0
    }
    fn store(&mut self, _: u64, _: MemWidth, _: u64) {}
    fn lds_load(&mut self, _: u32, _: MemWidth) -> u64 {
        0
    }
    fn lds_store(&mut self, _: u32, _: MemWidth, _: u64) {}
    fn fault(&mut self, _: u32, address: u64) {
        self.told.push(address);
    }
    fn host(&mut self, _: HostOp, _: FTy, _: &[u64]) -> Option<u64> {
        None
    }
}

/// What a function tells in at most so many blocks; `input` gives each of its inputs, by lane.
pub fn told(
    func: &Func,
    limit: u64,
    input: impl FnMut(Input, u32) -> u64,
) -> Result<Vec<u64>, EvalError> {
    let told = Vec::new();
    let mut env = Told { input, told };
    eval::run(func, &[], &mut env, limit)?;
    Ok(env.told)
}
