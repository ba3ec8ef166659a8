//! The `spirdna` process: hands its arguments and streams to the library. Device runs go to a child
//! process of the same program.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let program = std::env::current_exe().ok();
    let mut out = std::io::stdout().lock();
    let mut err = std::io::stderr().lock();
    let exit = spirdna_cli::main_with(std::env::args_os(), program, &mut out, &mut err);
    let flushed = out.flush().is_ok();
    ExitCode::from(if flushed { exit.code() } else { 2 })
}
