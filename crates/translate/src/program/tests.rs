//! Which blocks a program has, and where its indirect branches may go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use spirdna_isa::{Target, WaveSize, assemble};

use super::{End, Program};
use crate::error::Reason;

fn words(text: &str) -> Vec<u32> {
    assemble(Target::Gfx1030, WaveSize::W32, text).unwrap()
}

fn program(text: &str) -> Program {
    Program::decode(Target::Gfx1030, &words(text)).unwrap()
}

/// The targets of the indirect branches, by pc of the block that ends so.
fn targets(program: &Program) -> Vec<(u32, Vec<u32>)> {
    let blocks = program.blocks().iter();
    blocks
        .filter_map(|block| match &block.exit {
            End::Indirect(to) => {
                let pcs = to.iter().map(|&b| program.block(b).pc).collect();
                Some((block.pc, pcs))
            }
            _ => None,
        })
        .collect()
}

fn refused(text: &str) -> Vec<Reason> {
    let error = Program::decode(Target::Gfx1030, &words(text))
        .err()
        .unwrap();
    error.into_iter().map(|site| site.reason).collect()
}

/// Words behind the code: `.long` lines.
fn table(words: impl IntoIterator<Item = u32>) -> String {
    let lines = words.into_iter().map(|w| format!(".long {w:#x}\n"));
    lines.collect()
}

#[test]
fn a_function_returns_to_each_of_its_callers() {
    let p = program(
        "s_call_b64 s[4:5], f\n\
         s_getpc_b64 s[2:3]\n\
         s_add_u32 s2, s2, 20\n\
         s_addc_u32 s3, s3, 0\n\
         s_swappc_b64 s[4:5], s[2:3]\n\
         s_endpgm\n\
         s_nop 0\n\
         f:\n\
         s_nop 1\n\
         s_setpc_b64 s[4:5]\n",
    );
    // The call is at 0, the other one at 16; the function at 28.
    assert_eq!(targets(&p), [(4, vec![28]), (28, vec![4, 20])]);
}

/// Counters have more values than are told apart; the return address is still one.
#[test]
fn a_function_with_a_loop_called_in_a_loop() {
    let p = program(
        "s_call_b64 s[4:5], f\n\
         s_mov_b32 s9, 0\n\
         again:\n\
         s_call_b64 s[4:5], f\n\
         s_add_i32 s9, s9, 1\n\
         s_cmp_lg_u32 s9, s0\n\
         s_cbranch_scc1 again\n\
         s_endpgm\n\
         f:\n\
         s_mov_b32 s6, 0\n\
         inner:\n\
         s_add_i32 s6, s6, 1\n\
         s_cmp_lg_u32 s6, s1\n\
         s_cbranch_scc1 inner\n\
         s_setpc_b64 s[4:5]\n",
    );
    assert_eq!(targets(&p), [(44, vec![4, 12])]);
}

#[test]
fn what_is_saved_in_lanes_is_a_return_address_again() {
    let p = program(
        "s_call_b64 s[30:31], f\n\
         s_endpgm\n\
         f:\n\
         v_writelane_b32 v40, s30, 0\n\
         v_writelane_b32 v40, s31, 1\n\
         s_call_b64 s[30:31], g\n\
         v_readlane_b32 s30, v40, 0\n\
         v_readlane_b32 s31, v40, 1\n\
         s_setpc_b64 s[30:31]\n\
         g:\n\
         v_mov_b32_e32 v1, 0\n\
         s_setpc_b64 s[30:31]\n",
    );
    let to: Vec<_> = targets(&p).into_iter().map(|(_, to)| to).collect();
    assert_eq!(to, [vec![4], vec![28]]);
}

/// `n` cases of `s_nop i; s_endpgm`, 8 bytes each.
fn cases(n: u32) -> String {
    (0..n).map(|i| format!("s_nop {i}\ns_endpgm\n")).collect()
}

#[test]
fn a_table_of_addresses() {
    let base = spirdna_isa::launch::CODE_BASE;
    let entries = [44u32, 28, 36].map(|pc| base + u64::from(pc));
    let entries = entries.iter().flat_map(|a| [*a as u32, (a >> 32) as u32]);
    // The cases are at 28, 36 and 44, the table at 52; what follows it is no address.
    let p = program(&format!(
        "s_getpc_b64 s[2:3]\n\
         s_add_u32 s2, s2, 48\n\
         s_addc_u32 s3, s3, 0\n\
         s_lshl_b32 s0, s0, 3\n\
         s_load_dwordx2 s[4:5], s[2:3], s0\n\
         s_setpc_b64 s[4:5]\n{}{}{}",
        cases(3),
        table(entries),
        table([28, 0, 28, 0x7f00])
    ));
    assert_eq!(targets(&p), [(0, vec![28, 36, 44])]);
}

#[test]
fn a_table_of_offsets_as_long_as_its_index() {
    // The cases are at 44, 52 and 60, the table at 68; the word behind it would be one more.
    let p = program(&format!(
        "s_getpc_b64 s[2:3]\n\
         s_add_u32 s4, s2, 64\n\
         s_addc_u32 s5, s3, 0\n\
         s_min_u32 s0, s0, 2\n\
         s_lshl_b32 s0, s0, 2\n\
         s_load_dword s6, s[4:5], s0\n\
         s_waitcnt lgkmcnt(0)\n\
         s_add_u32 s2, s2, s6\n\
         s_addc_u32 s3, s3, 0\n\
         s_setpc_b64 s[2:3]\n{}{}",
        cases(3),
        table([40, 56, 48, 8])
    ));
    assert_eq!(targets(&p), [(0, vec![44, 52, 60])]);
}

/// Rows that are not looked at may be targets too.
#[test]
fn a_table_that_is_too_long_is_refused() {
    let of = |last: u32, rows: usize| {
        let text = format!(
            "s_getpc_b64 s[2:3]\n\
             s_add_u32 s4, s2, 56\n\
             s_addc_u32 s5, s3, 0\n\
             s_min_u32 s0, s0, {last:#x}\n\
             s_lshl_b32 s0, s0, 2\n\
             s_load_dword s6, s[4:5], s0\n\
             s_waitcnt lgkmcnt(0)\n\
             s_add_u32 s2, s2, s6\n\
             s_addc_u32 s3, s3, 0\n\
             s_setpc_b64 s[2:3]\n{}{}",
            cases(1),
            table(std::iter::repeat_n(44, rows))
        );
        let code = words(&text);
        Program::decode(Target::Gfx1030, &code)
    };
    assert!(of(0x1000 - 1, 6000).is_ok());
    let sites = of(5000, 6000).err().unwrap();
    assert_eq!(sites[0].reason, Reason::IndirectBranch);
}

#[test]
fn a_table_of_what_is_subtracted_with_a_wide_index() {
    // The cases are at 4, 12 and 20; the address counts from 36, the table is at 76.
    let p = program(&format!(
        "s_branch start\n{}\
         start:\n\
         s_mov_b32 s1, 0\n\
         s_getpc_b64 s[2:3]\n\
         s_lshl_b64 s[0:1], s[0:1], 2\n\
         s_add_u32 s0, s0, s2\n\
         s_addc_u32 s1, s1, s3\n\
         s_load_dword s6, s[0:1], 0x28\n\
         s_waitcnt lgkmcnt(0)\n\
         s_sub_u32 s2, s2, s6\n\
         s_subb_u32 s3, s3, 0\n\
         s_setpc_b64 s[2:3]\n\
         s_nop 7\n{}",
        cases(3),
        table([32, 16, 24, 0xffff_ffff])
    ));
    assert_eq!(targets(&p), [(28, vec![4, 12, 20])]);
}

#[test]
fn either_of_two_functions() {
    let p = program(
        "s_getpc_b64 s[2:3]\n\
         s_add_u32 s4, s2, 28\n\
         s_add_u32 s6, s2, 36\n\
         s_cmp_eq_u32 s0, 7\n\
         s_cselect_b32 s2, s4, s6\n\
         s_swappc_b64 s[8:9], s[2:3]\n\
         s_nop 5\n\
         s_endpgm\n\
         s_nop 6\n\
         s_setpc_b64 s[8:9]\n\
         s_nop 7\n\
         s_setpc_b64 s[8:9]\n",
    );
    assert_eq!(
        targets(&p),
        [(0, vec![32, 40]), (32, vec![24]), (40, vec![24])]
    );
}

#[test]
fn nobody_knows_a_user_register() {
    assert_eq!(refused("s_setpc_b64 s[0:1]\n"), [Reason::IndirectBranch]);
    // A table outside of the code.
    assert_eq!(
        refused("s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_setpc_b64 s[4:5]\n"),
        [Reason::IndirectBranch]
    );
}
