//! Every lowering against the model, on edge values crossed and random ones, in every mode.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use spirdna_isa::WaveSize;
use spirdna_isa::launch::{Denorm, Round};

use super::sim::hosts;
use super::*;
use crate::ir::eval::{self, NoEnv};
use crate::ir::random::Rng;
use crate::ir::{FMode, Module, verify};

const ROUNDS: [Round; 4] = [
    Round::NearestEven,
    Round::PlusInfinity,
    Round::MinusInfinity,
    Round::TowardZero,
];
const DENORMS: [Denorm; 4] = [
    Denorm::FlushInOut,
    Denorm::FlushOut,
    Denorm::FlushIn,
    Denorm::Allow,
];

fn modes() -> Vec<FMode> {
    let mut all = Vec::new();
    for round in ROUNDS {
        for denorm in DENORMS {
            for ieee in [false, true] {
                all.push(FMode {
                    round,
                    denorm,
                    ieee,
                });
            }
        }
    }
    all
}

/// Values at the edges of a format.
fn edges(ty: FTy) -> Vec<u64> {
    let f = Format::of(ty);
    let (one, hidden, inf) = (f.one(), f.hidden(), f.infinity());
    let mut all = vec![
        0,
        1,
        2,
        3,
        hidden / 2,
        hidden - 1,
        hidden,
        hidden + 1,
        2 * hidden - 1,
        2 * hidden,
    ];
    all.extend([
        one - hidden,
        one - 1,
        one,
        one + 1,
        one + hidden - 1,
        one + hidden,
        one + hidden / 2,
    ]);
    all.extend([
        one + (u64::from(f.frac_bits)) * hidden,
        one + u64::from(f.frac_bits + 1) * hidden + 1,
    ]);
    all.extend([
        inf - hidden,
        inf - 1,
        inf,
        inf + 1,
        inf + hidden / 2 - 1,
        inf + hidden / 2,
        inf + hidden - 1,
    ]);
    // 2^31, 2^32 and the numbers around them, where the format has them.
    for e in [15u64, 16, 30, 31, 32] {
        let bits = one + e * hidden;
        if bits < inf {
            all.extend([bits - 1, bits, bits + 1]);
        }
    }
    let negative: Vec<u64> = all.iter().map(|b| b | f.sign()).collect();
    all.extend(negative);
    all
}

/// A value: an edge, random bits, or bits near another value's exponent, so that sums meet.
fn value(rng: &mut Rng, ty: FTy, edges: &[u64], near: Option<u64>) -> u64 {
    let f = Format::of(ty);
    let mask = f.sign() | f.abs_mask();
    match rng.below(4) {
        0 => rng.pick(edges),
        1 => rng.next() & mask,
        2 => {
            let near = near.unwrap_or(f.one());
            let e = (near & f.abs_mask()) >> f.frac_bits;
            let e = (e + rng.below(7) as u64)
                .saturating_sub(3)
                .min(u64::from(f.exp_max()) - 1);
            (rng.next() & (f.sign() | f.frac_mask())) | e << f.frac_bits
        }
        _ => {
            // Few bits set or few clear: ties and carries.
            let frac = [0, f.frac_mask(), f.hidden() / 2, f.hidden() / 2 - 1][rng.below(4)];
            let one = 1 << rng.below(f.frac_bits as usize);
            let e = rng.below(f.exp_max() as usize) as u64;
            (rng.next() & f.sign()) | e << f.frac_bits | (frac ^ one)
        }
    }
}

fn args(rng: &mut Rng, op: FOp, ty: FTy) -> Vec<u64> {
    match op {
        FOp::FromInt { .. } => vec![rng.edge() & 0xffff_ffff],
        FOp::FromFloat(from) => vec![value(rng, from, &edges(from), None)],
        FOp::Ldexp => {
            let n = [rng.below(600) as u32, rng.edge() as u32][rng.below(2)];
            let n = if rng.below(2) == 0 {
                n
            } else {
                n.wrapping_neg()
            };
            vec![value(rng, ty, &edges(ty), None), u64::from(n)]
        }
        FOp::Class => vec![value(rng, ty, &edges(ty), None), rng.next() & 0xffff_ffff],
        _ => {
            let edges = edges(ty);
            let mut all: Vec<u64> = Vec::new();
            for _ in 0..arg_kinds(op, ty).len() {
                let near = all.last().copied();
                all.push(value(rng, ty, &edges, near));
            }
            let factors = matches!(
                op,
                FOp::Mul | FOp::MulLegacy | FOp::Fma | FOp::FmaLegacy | FOp::Mad
            );
            if factors && rng.below(3) == 0 {
                // A product at an end of the format: around the least normal number (fractions near
                // all ones or zero meet it exactly), the least subnormal, the largest number.
                let f = Format::of(ty);
                let frac = |rng: &mut Rng| match rng.below(4) {
                    0 => rng.below(4) as u64,
                    1 => f.frac_mask() - rng.below(4) as u64,
                    2 => 0,
                    _ => rng.next() & f.frac_mask(),
                };
                let bias = i64::from(f.bias());
                let least = [
                    -2,
                    -1,
                    0,
                    1,
                    -i64::from(f.frac_bits),
                    1 - i64::from(f.frac_bits),
                ];
                let ends = [
                    least[rng.below(6)],
                    i64::from(f.exp_max()) - rng.below(3) as i64,
                ];
                let (want, ex) = (
                    rng.pick(&ends),
                    1 + rng.below(f.exp_max() as usize - 1) as i64,
                );
                let ey = want + bias - ex;
                if (1..i64::from(f.exp_max())).contains(&ey) {
                    for (place, e) in [(0, ex), (1, ey)] {
                        all[place] =
                            (rng.next() & f.sign()) | (e as u64) << f.frac_bits | frac(rng);
                    }
                }
                if all.len() == 3 && rng.below(2) == 0 {
                    all[2] &= f.sign();
                }
                return all;
            }
            if let ([x, y, _], FOp::Fma | FOp::FmaLegacy | FOp::Mad) = (all.as_slice(), op)
                && rng.below(2) == 0
            {
                // An addend that cancels the product, nearly.
                let mode = FMode {
                    round: rng.pick(&ROUNDS),
                    denorm: Denorm::Allow,
                    ieee: false,
                };
                let p = model::run(FOp::Mul, ty, mode, &[*x, *y]).unwrap();
                let step = rng.below(3) as u64;
                all[2] = (p ^ Format::of(ty).sign()).wrapping_add(step)
                    & (Format::of(ty).sign() | Format::of(ty).abs_mask());
            }
            all
        }
    }
}

/// Whether an operation gives no float.
fn integer(op: FOp) -> bool {
    matches!(
        op,
        FOp::Lt
            | FOp::Le
            | FOp::Eq
            | FOp::Unordered
            | FOp::Class
            | FOp::FrexpExp
            | FOp::ToInt { .. }
    )
}

/// Whether the lowering of an operation is the model, on `count` tuples.
fn check(target: Target<'_>, env: &mut dyn eval::Env, op: FOp, ty: FTy, mode: FMode, count: usize) {
    let kinds = arg_kinds(op, ty);
    let (helper, _) = target
        .helper(op, ty, mode, &kinds, WaveSize::W32)
        .expect("there is a lowering");
    let helpers = [helper];
    let seed = format!("{op:?}{ty:?}{mode:?}").bytes().fold(11u64, |h, c| {
        h.wrapping_mul(0x100_0000_01b3).wrapping_add(u64::from(c))
    });
    let mut rng = Rng::new(seed);
    for _ in 0..count {
        let a = args(&mut rng, op, ty);
        let got = eval::call(&helpers, HelperId(0), env, &a).expect("the helper can be evaluated");
        let want = model::run(op, ty, mode, &a).expect("the model knows it");
        let f = Format::of(ty);
        let nan = |bits: u64| bits & f.abs_mask() > f.infinity();
        let both_nan = target.nans == Nans::Any && nan(got) && nan(want);
        assert!(
            got == want || both_nan && !integer(op),
            "{op:?} {ty:?} {mode:?} of {a:x?}: {got:x}, the model says {want:x}"
        );
    }
}

fn exact(op: FOp, types: &[FTy], count: usize) {
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Payload,
    };
    for &ty in types {
        for mode in modes() {
            check(target, &mut NoEnv, op, ty, mode, count);
        }
    }
}

const ALL: [FTy; 3] = [FTy::F16, FTy::F32, FTy::F64];

// source: V_ADD_F16 V_ADD_F32 V_ADD_F64 V_PK_ADD_F16
#[test]
fn add() {
    exact(FOp::Add, &ALL, 150);
}

// source: V_MUL_F16 V_MUL_F32 V_MUL_F64 V_MUL_LEGACY_F32 V_PK_MUL_F16
#[test]
fn mul() {
    exact(FOp::Mul, &ALL, 150);
    exact(FOp::MulLegacy, &[FTy::F16, FTy::F32], 40);
}

// source: V_FMA_F16 V_FMA_F32 V_FMA_F64 V_PK_FMA_F16 V_FMA_LEGACY_F32 V_MAD_F32
#[test]
fn fma() {
    exact(FOp::Fma, &ALL, 200);
    exact(FOp::FmaLegacy, &[FTy::F16, FTy::F32], 60);
    exact(FOp::Mad, &[FTy::F16, FTy::F32], 40);
}

// source: V_MIN_F* V_MAX_F* V_MED3_F* V_PK_MIN_F16 V_PK_MAX_F16
#[test]
fn min_max_med() {
    for op in [FOp::Min, FOp::Max, FOp::Med3] {
        exact(op, &ALL, 60);
    }
}

// source: V_CMP_LT_F* V_CMP_LE_F* V_CMP_EQ_F* V_CMP_U_F* V_CMP_CLASS_*
#[test]
fn compares_and_classes() {
    for op in [FOp::Lt, FOp::Le, FOp::Eq, FOp::Unordered, FOp::Class] {
        exact(op, &ALL, 40);
    }
}

// source: V_TRUNC_* V_CEIL_* V_FLOOR_* V_RNDNE_* V_FRACT_*
#[test]
fn integral_values() {
    for op in [FOp::Trunc, FOp::Ceil, FOp::Floor, FOp::Rndne, FOp::Fract] {
        exact(op, &ALL, 60);
    }
}

// source: V_FREXP_* V_LDEXP_*
#[test]
fn parts_and_scaling() {
    for op in [
        FOp::FrexpMant,
        FOp::FrexpExp,
        FOp::Ldexp,
        FOp::Clamp { dx10: true },
        FOp::Clamp { dx10: false },
    ] {
        exact(op, &ALL, 40);
    }
    for by in [1, 2, -1] {
        exact(FOp::Omod(by), &ALL, 30);
    }
}

// source: V_RCP_F* V_RSQ_* V_SQRT_*
#[test]
fn reciprocals_and_roots() {
    for op in [FOp::Rcp, FOp::Rsq, FOp::Sqrt] {
        exact(op, &ALL, 60);
    }
}

/// The approximation behind the f64 one is cut to a place of which one may be too much, never more.
#[test]
fn reciprocal_roots_of_f64_at_the_ends() {
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Payload,
    };
    let mode = FMode {
        round: Round::NearestEven,
        denorm: Denorm::Allow,
        ieee: false,
    };
    let (helper, _) = target
        .helper(FOp::Rsq, FTy::F64, mode, &[Kind::I64], WaveSize::W32)
        .unwrap();
    let helpers = [helper];
    let mut rng = Rng::new(7);
    for i in 0..6000u64 {
        let x = match i % 4 {
            // Near 1, 2 and 4, where significands and exponents turn over.
            0 => 0x3ff0_0000_0000_0000 + rng.next() % 64,
            1 => 0x4000_0000_0000_0000 - 32 + rng.next() % 64,
            2 => 0x4010_0000_0000_0000 - 1 - rng.next() % 64,
            _ => 0x3ff0_0000_0000_0000 + rng.next() % (1 << 53),
        };
        let got = eval::call(&helpers, HelperId(0), &mut NoEnv, &[x]).unwrap();
        let want = model::run(FOp::Rsq, FTy::F64, mode, &[x]).unwrap();
        assert_eq!(got, want, "{x:x}");
    }
}

// source: V_CVT_F16_F32 V_CVT_F32_F16 V_CVT_F32_F64 V_CVT_F64_F32 V_CVT_F*_I* V_CVT_F*_U32 V_CVT_F16_U16 V_CVT_U32_F*
// source: V_CVT_I32_F*
#[test]
fn conversions() {
    for signed in [false, true] {
        exact(FOp::FromInt { signed }, &ALL, 50);
        exact(FOp::ToInt { signed }, &ALL, 50);
    }
    for from in ALL {
        let to: Vec<FTy> = ALL.into_iter().filter(|&ty| ty != from).collect();
        exact(FOp::FromFloat(from), &to, 80);
    }
}

#[test]
fn every_half_widens_and_comes_back() {
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Payload,
    };
    let mode = FMode {
        round: Round::NearestEven,
        denorm: Denorm::Allow,
        ieee: false,
    };
    let kinds = [Kind::I32];
    let wide = target
        .helper(
            FOp::FromFloat(FTy::F16),
            FTy::F32,
            mode,
            &kinds,
            WaveSize::W32,
        )
        .unwrap()
        .0;
    let back = target
        .helper(
            FOp::FromFloat(FTy::F32),
            FTy::F16,
            mode,
            &kinds,
            WaveSize::W32,
        )
        .unwrap()
        .0;
    let helpers = [wide, back];
    for half in 0..0x1_0000u64 {
        let wide = eval::call(&helpers, HelperId(0), &mut NoEnv, &[half]).unwrap();
        assert_eq!(
            wide,
            model::run(FOp::FromFloat(FTy::F16), FTy::F32, mode, &[half]).unwrap()
        );
        let back = eval::call(&helpers, HelperId(1), &mut NoEnv, &[wide]).unwrap();
        let quiet = if half & 0x7fff > 0x7c00 {
            half | 0x200
        } else {
            half
        };
        assert_eq!(back, quiet);
    }
}

/// The least normal number less half of what lies between it and the next one below, as if that were a
/// number too: the point from which a sum rounds to it. A little more and less, of either sign.
#[test]
fn fused_sums_at_the_least_number() {
    for (profile, host) in hosts() {
        let target = Target {
            profile: &profile,
            fidelity: Fidelity::Exact,
            nans: Nans::Payload,
        };
        for (ty, exponents) in [(FTy::F16, [2, 2]), (FTy::F32, [52, 51])] {
            let f = Format::of(ty);
            for mode in modes() {
                let kinds = arg_kinds(FOp::Fma, ty);
                let (helper, _) = target
                    .helper(FOp::Fma, ty, mode, &kinds, WaveSize::W32)
                    .unwrap();
                let helpers = [helper];
                for (step, flip) in [-1i64, 0, 1, 2]
                    .into_iter()
                    .flat_map(|s| [(s, 0), (s, f.sign())])
                {
                    let [x, y] = exponents.map(|e: u64| e << f.frac_bits);
                    let a = [
                        (x as i64 + step) as u64,
                        y | f.sign() ^ flip,
                        f.hidden() | flip,
                    ];
                    let env = &mut host.clone();
                    let got = eval::call(&helpers, HelperId(0), env, &a).unwrap();
                    let want = model::run(FOp::Fma, ty, mode, &a).unwrap();
                    assert_eq!(
                        got, want,
                        "{ty:?} {mode:?} of {a:x?}: {got:x}, not {want:x}"
                    );
                }
            }
        }
    }
}

/// On a host that promises nothing, by integers: any NaN where the model has one, else its bits.
#[test]
fn any_nan_changes_nothing_else() {
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Any,
    };
    for op in [
        FOp::Add,
        FOp::Mul,
        FOp::Fma,
        FOp::Floor,
        FOp::Fract,
        FOp::Rcp,
    ] {
        for mode in modes() {
            for ty in ALL {
                check(target, &mut NoEnv, op, ty, mode, 30);
            }
        }
    }
}

#[test]
fn the_pass_replaces_every_operation_and_refuses_the_rest() {
    use spirdna_isa::Target as Isa;
    use spirdna_isa::launch::Launch;
    let launch = Launch::compute(Isa::Gfx1030, WaveSize::W32, [32, 1, 1]);
    let mode = FMode {
        round: Round::NearestEven,
        denorm: Denorm::FlushInOut,
        ieee: false,
    };
    let mut module = Module::new(&launch);
    let mut b = Builder::new(&mut module.func);
    let (x, y) = (
        b.input(crate::ir::Input::LocalId(0)),
        b.input(crate::ir::Input::UserData(0)),
    );
    let sum = b.float(FOp::Add, FTy::F32, mode, &[x, y]);
    let more = b.float(FOp::Add, FTy::F32, mode, &[sum, y]);
    let root = b.float(FOp::Clamp { dx10: true }, FTy::F32, mode, &[more]);
    let t = b.const_bool(true);
    b.lds_store(x, root, t, crate::ir::MemWidth::B32);
    b.ret();
    let profile = HostProfile::portable(8);
    run(&mut module, &profile, Fidelity::Exact, Nans::Payload).unwrap();
    verify::verify_module(&module).unwrap();
    let text = crate::ir::print::module_text(&module);
    assert_eq!(module.helpers.len(), 1, "{text}");
    assert!(
        !text.contains("add.f32") && !text.contains("clamp"),
        "{text}"
    );

    let mut module = Module::new(&launch);
    let mut b = Builder::new(&mut module.func);
    let x = b.const64(1);
    b.float(FOp::Exp2, FTy::F64, mode, &[x]);
    b.ret();
    let refused = run(&mut module, &profile, Fidelity::Exact, Nans::Payload).unwrap_err();
    assert_eq!(
        refused.iter().map(|r| r.op).collect::<Vec<_>>(),
        [FOp::Exp2]
    );
}

#[test]
fn host_operations_give_the_same_bits() {
    let mut by_host = 0;
    let nans = [Nans::Payload, Nans::Any];
    for ((profile, host), nans) in hosts()
        .into_iter()
        .flat_map(|h| nans.map(|n| (h.clone(), n)))
    {
        let target = Target {
            profile: &profile,
            fidelity: Fidelity::Exact,
            nans,
        };
        for (op, ty) in [
            (FOp::Add, FTy::F32),
            (FOp::Mul, FTy::F32),
            (FOp::MulLegacy, FTy::F32),
            (FOp::Fma, FTy::F32),
            (FOp::Mad, FTy::F32),
            (FOp::FromFloat(FTy::F16), FTy::F32),
            (FOp::Add, FTy::F16),
            (FOp::Mul, FTy::F16),
            (FOp::Fma, FTy::F16),
            (FOp::Add, FTy::F64),
            (FOp::Mul, FTy::F64),
            (FOp::Fma, FTy::F64),
        ] {
            for mode in modes() {
                let kinds = arg_kinds(op, ty);
                let (helper, _) = target
                    .helper(op, ty, mode, &kinds, WaveSize::W32)
                    .expect("a lowering");
                let func = &helper.func;
                let hosted = func
                    .block(func.entry())
                    .insts
                    .iter()
                    .any(|&i| matches!(func.inst(i).op, Op::Host(..)));
                if hosted {
                    by_host += 1;
                    check(target, &mut host.clone(), op, ty, mode, 400);
                }
            }
        }
    }
    // For each host at least add and mul in the two usual denormal modes, with IEEE and without.
    assert!(by_host > 120, "{by_host}");
}

/// The functions of an operation's plan.
fn planned(
    target: Target<'_>,
    op: FOp,
    ty: FTy,
    mode: FMode,
    known: Mask,
) -> Option<(Vec<Helper>, HelperId)> {
    let kinds = arg_kinds(op, ty);
    let needs = &mut Needs::default();
    let mut plan = target.plan(op, ty, mode, &kinds, known, WaveSize::W32, needs)?;
    let mut helpers = Vec::new();
    let id = plan.place(&mut helpers)?;
    Some((helpers, id))
}

/// Short ways beside long ones, and what is left out where operands are never subnormal, on every host.
#[test]
fn short_ways_give_the_same_bits() {
    let (mut quick, mut known_ones, mut stood) = (0, 0, 0);
    for ((profile, host), nans) in hosts()
        .into_iter()
        .flat_map(|h| [Nans::Payload, Nans::Any].map(|n| (h.clone(), n)))
    {
        let target = Target {
            profile: &profile,
            fidelity: Fidelity::Exact,
            nans,
        };
        let signed = [true, false];
        let singles = [
            FOp::Mad,
            FOp::MulLegacy,
            FOp::FmaLegacy,
            FOp::Rcp,
            FOp::Rsq,
            FOp::Sqrt,
            FOp::Min,
            FOp::Med3,
            FOp::Clamp { dx10: true },
        ];
        let singles = singles
            .into_iter()
            .chain(signed.map(|signed| FOp::ToInt { signed }));
        let every = [
            FOp::Add,
            FOp::Mul,
            FOp::Fma,
            FOp::Trunc,
            FOp::Ceil,
            FOp::Floor,
            FOp::Rndne,
            FOp::Fract,
            FOp::Lt,
            FOp::Le,
            FOp::Eq,
        ];
        let every = every.into_iter().flat_map(|op| ALL.map(|ty| (op, ty)));
        let all = singles.map(|op| (op, FTy::F32)).chain(every);
        for (op, ty) in all {
            let f = Format::of(ty);
            for (mode, known) in modes().into_iter().flat_map(|m| [0, 1, 7].map(|k| (m, k))) {
                let args_known = known & ((1 << arg_kinds(op, ty).len()) - 1);
                let useful = ty == FTy::F32 && mode.denorm.flushes_in();
                if known != 0 && !useful {
                    continue;
                }
                let Some((helpers, id)) = planned(target, op, ty, mode, args_known) else {
                    continue;
                };
                let Some(helper) = helpers.get(id.0 as usize) else {
                    panic!("no function")
                };
                quick += usize::from(helper.fallback.is_some());
                known_ones += usize::from(known != 0);
                let mut rng = Rng::new(u64::from(known) + 77);
                let env = &mut host.clone();
                for _ in 0..40 {
                    let mut a = args(&mut rng, op, ty);
                    for (i, x) in a.iter_mut().enumerate() {
                        let magnitude = *x & f.abs_mask();
                        if args_known >> i & 1 != 0 && magnitude < f.hidden() {
                            *x &= f.sign();
                        }
                    }
                    let got = eval::call(&helpers, id, env, &a).unwrap();
                    let want = model::run(op, ty, mode, &a).unwrap();
                    let nan = |bits: u64| bits & f.abs_mask() > f.infinity();
                    let both_nan = nans == Nans::Any && nan(got) && nan(want) && !integer(op);
                    assert!(
                        got == want || both_nan,
                        "{op:?} {ty:?} {mode:?} {known} of {a:x?}: {got:x}, the model says {want:x}"
                    );
                    stood += usize::from(helper.fallback.is_some());
                }
            }
        }
    }
    assert!(quick > 500, "{quick}");
    assert!(known_ones > 500, "{known_ones}");
    assert!(stood > 10_000, "{stood}");
}

/// The usual numbers do not need the long way: it is taken out, and nothing is missed.
#[test]
fn ordinary_numbers_take_the_short_way() {
    let mode = FMode {
        round: Round::NearestEven,
        denorm: Denorm::FlushInOut,
        ieee: false,
    };
    for (profile, host) in hosts() {
        if profile.folds_zeros {
            continue;
        }
        let target = Target {
            profile: &profile,
            fidelity: Fidelity::Exact,
            nans: Nans::Payload,
        };
        for op in [
            FOp::Add,
            FOp::Mul,
            FOp::Fma,
            FOp::Mad,
            FOp::Rcp,
            FOp::Rsq,
            FOp::Sqrt,
            FOp::Floor,
            FOp::ToInt { signed: true },
        ] {
            let (mut helpers, id) = planned(target, op, FTy::F32, mode, 0).unwrap();
            assert_eq!(helpers.len(), 2, "{op:?}");
            let kinds = arg_kinds(op, FTy::F32);
            // A long way that gives what is never right.
            let mut func = Func::new(WaveSize::W32);
            let entry = func.entry();
            for &kind in &kinds {
                func.add_param(entry, Ty::uniform(kind));
            }
            let mut b = Builder::new(&mut func);
            let result = b.const32(0x7f81_2345);
            b.ret();
            helpers[0].func = func;
            helpers[0].result = result;
            let mut rng = Rng::new(3);
            let mut short = 0;
            let env = &mut host.clone();
            for _ in 0..2000 {
                // 2^-8 to 2^8; roots of positive ones.
                let positive = matches!(op, FOp::Rsq | FOp::Sqrt);
                let a: Vec<u64> = kinds
                    .iter()
                    .map(|_| {
                        let e = 119 + rng.below(16) as u64;
                        let sign = if positive { 0 } else { rng.next() & 1 << 31 };
                        sign | e << 23 | rng.next() & 0x7f_ffff
                    })
                    .collect();
                let got = eval::call(&helpers, id, env, &a).unwrap();
                let want = model::run(op, FTy::F32, mode, &a).unwrap();
                short += usize::from(got == want);
                assert!(
                    got == want || got == 0x7f81_2345,
                    "{op:?} of {a:x?}: {got:x}"
                );
            }
            // A host's root that is four units off is not put right in one step.
            let least = if op == FOp::Sqrt { 600 } else { 1000 };
            let text = crate::ir::print::func_text(&helpers[id.0 as usize].func);
            assert!(short > least, "{op:?}: {short}\n{text}");
        }
    }
}

#[test]
fn nothing_is_relied_on_that_is_not_promised() {
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Exact,
        nans: Nans::Payload,
    };
    for mode in modes() {
        let kinds = arg_kinds(FOp::Add, FTy::F32);
        let (helper, needs) = target
            .helper(FOp::Add, FTy::F32, mode, &kinds, WaveSize::W32)
            .unwrap();
        assert_eq!(needs, Needs::default());
        let func = &helper.func;
        let insts = &func.block(func.entry()).insts;
        assert!(
            !insts
                .iter()
                .any(|&i| matches!(func.inst(i).op, Op::Host(..)))
        );
    }
}

#[test]
fn fast_lowers_everything_that_hosts_have() {
    let mode = FMode {
        round: Round::NearestEven,
        denorm: Denorm::FlushInOut,
        ieee: false,
    };
    for (profile, _) in hosts() {
        let target = Target {
            profile: &profile,
            fidelity: Fidelity::Fast,
            nans: Nans::Payload,
        };
        for op in [
            FOp::Add,
            FOp::Fma,
            FOp::Mad,
            FOp::MulLegacy,
            FOp::FmaLegacy,
            FOp::Med3,
            FOp::Fract,
            FOp::Rcp,
            FOp::Rsq,
            FOp::Sqrt,
            FOp::Exp2,
            FOp::Log2,
            FOp::Sin,
            FOp::Cos,
            FOp::Ldexp,
            FOp::Class,
            FOp::ToInt { signed: true },
        ] {
            for ty in [FTy::F16, FTy::F32] {
                let kinds = arg_kinds(op, ty);
                assert!(
                    target.helper(op, ty, mode, &kinds, WaveSize::W32).is_some(),
                    "{op:?} {ty:?}"
                );
            }
        }
    }
    // Without 16-bit floats, through f32.
    let profile = HostProfile::portable(1);
    let target = Target {
        profile: &profile,
        fidelity: Fidelity::Fast,
        nans: Nans::Payload,
    };
    let kinds = arg_kinds(FOp::Sqrt, FTy::F16);
    let (helper, _) = target
        .helper(FOp::Sqrt, FTy::F16, mode, &kinds, WaveSize::W32)
        .unwrap();
    assert!(crate::ir::print::func_text(&helper.func).contains("host.fsqrt.f32"));
}
