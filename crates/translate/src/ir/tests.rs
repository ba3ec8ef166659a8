//! Tests of the builder, the printer and the verifier on small functions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use super::*;
use spirdna_isa::WaveSize;

fn uniform(b: &mut Builder<'_>, n: u32) -> Value {
    b.input(Input::UserData(n))
}

#[test]
fn constants_fold_and_are_made_once() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let (two, three) = (b.const32(2), b.const32(3));
    let five = b.add(two, three);
    assert_eq!(b.as_const(five), Some(Const::I32(5)));
    let again = b.const32(5);
    assert_eq!(five, again);
}

#[test]
fn identities_give_the_existing_value() {
    let mut func = Func::new(WaveSize::W64);
    let mut b = Builder::new(&mut func);
    let (x, y) = (uniform(&mut b, 0), uniform(&mut b, 1));
    let (zero, ones) = (b.const32(0), b.const32(u32::MAX));
    assert_eq!(b.and(x, ones), x);
    assert_eq!(b.and(zero, x), zero);
    assert_eq!(b.or(x, zero), x);
    assert_eq!(b.add(zero, x), x);
    assert_eq!(b.sub(x, x), zero);
    let n = b.not(x);
    assert_eq!(b.not(n), x);
    assert_eq!(b.and(n, x), zero);
    let wide = b.pack(x, y);
    assert_eq!(b.lo(wide), x);
    assert_eq!(b.hi(wide), y);
    let (lo, hi) = (b.lo(wide), b.hi(wide));
    assert_eq!(b.pack(lo, hi), wide);
    assert_eq!(b.add(x, y), b.add(y, x));
    let sum = b.add32(x, 7);
    let more = b.add32(sum, u32::MAX - 6);
    assert_eq!(more, x);
    let lt = b.ult(x, y);
    let ge = b.not(lt);
    assert_eq!(ge, b.ule(y, x));
    let int = b.bool_int(lt);
    assert_eq!(b.ne(int, zero), lt);
}

#[test]
fn ballots_and_lane_bits_cancel() {
    for wave in [WaveSize::W32, WaveSize::W64] {
        let mut func = Func::new(wave);
        let mut b = Builder::new(&mut func);
        let lane = b.input(Input::LaneId);
        let five = b.const32(5);
        let below = b.ult(lane, five);
        let mask = b.ballot(below);
        assert_eq!(b.ty(mask), Ty::uniform(mask_kind(wave)));
        assert_eq!(b.lane_bit(mask), below);
        let s = uniform(&mut b, 0);
        let flag = b.eq(s, five);
        let mask = b.ballot(flag);
        assert_eq!(b.lane_bit(mask), flag);
    }
}

#[test]
fn text_is_stable_and_verifies() {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    let lane = b.input(Input::LaneId);
    let s = b.input(Input::UserData(2));
    let head = b.new_block();
    let end = b.new_block();
    let x = b.param(head, Ty::lane(Kind::I32));
    b.jump(head, vec![s]);
    b.switch_to(head);
    let next = b.add(x, lane);
    let big = b.ult(lane, next);
    let mask = b.ballot(big);
    let none = b.eq32(mask, 0);
    b.branch(
        none,
        Target::new(end, vec![]),
        Target::new(head, vec![next]),
    );
    b.switch_to(end);
    b.ret();
    assert_eq!(verify(&func, WaveSize::W32), Ok(()));
    assert_eq!(
        print::func_text(&func),
        "b0:
  v0: l.i32 = input.lane_id
  v1: u.i32 = input.user_data(2)
  v6: u.i32 = const 0x0
  jump b1(v1)
b1(v2: l.i32):
  v3: l.i32 = add v0, v2
  v4: l.bool = ult v0, v3
  v5: u.i32 = ballot v4
  v7: u.bool = eq v5, v6
  branch v7, b2, b1(v3)
b2:
  return
"
    );
}

/// A function with one broken rule, and the rule's error.
fn broken(build: impl FnOnce(&mut Builder<'_>)) -> VerifyError {
    let mut func = Func::new(WaveSize::W32);
    let mut b = Builder::new(&mut func);
    build(&mut b);
    verify(&func, WaveSize::W32).expect_err("the function is broken")
}

#[test]
fn verifier_names_each_broken_rule() {
    let open = broken(|_| {});
    assert_eq!(open, VerifyError::Open(Block(0)));

    let kinds = broken(|b| {
        let (x, y) = (b.input(Input::LaneId), b.input(Input::LaneLive));
        b.add(x, y);
        b.ret();
    });
    assert!(matches!(
        kinds,
        VerifyError::Type {
            error: typing::TypeError::Kind { index: 1, .. },
            ..
        }
    ));

    let shape = broken(|b| {
        let x = b.input(Input::LaneId);
        let y = b.add32(x, 1);
        b.read_lane(x, y);
        let z = b.mul(y, x);
        b.read_lane(z, y);
        b.ret();
    });
    assert!(matches!(
        shape,
        VerifyError::Type {
            error: typing::TypeError::NotUniform { index: 1 },
            ..
        }
    ));

    let divergent = broken(|b| {
        let x = b.input(Input::LaneLive);
        let end = b.new_block();
        b.branch(x, Target::new(end, vec![]), Target::new(end, vec![]));
        b.switch_to(end);
        b.ret();
    });
    assert!(matches!(divergent, VerifyError::Decider { .. }));

    let arity = broken(|b| {
        let end = b.new_block();
        b.param(end, Ty::uniform(Kind::I32));
        b.jump(end, vec![]);
        b.switch_to(end);
        b.ret();
    });
    assert!(matches!(
        arity,
        VerifyError::TargetArity {
            expected: 1,
            found: 0,
            ..
        }
    ));

    let lane_to_uniform = broken(|b| {
        let end = b.new_block();
        b.param(end, Ty::uniform(Kind::I32));
        let x = b.input(Input::LaneId);
        b.jump(end, vec![x]);
        b.switch_to(end);
        b.ret();
    });
    assert!(matches!(lane_to_uniform, VerifyError::TargetType { .. }));

    let entry = broken(|b| b.jump(Block(0), vec![]));
    assert_eq!(entry, VerifyError::Entry(Block(0)));

    let unknown = broken(|b| b.jump(Block(9), vec![]));
    assert!(matches!(
        unknown,
        VerifyError::UnknownBlock { to: Block(9), .. }
    ));

    let undominated = broken(|b| {
        let (s, left, right) = (b.input(Input::UserData(0)), b.new_block(), b.new_block());
        let cond = b.eq32(s, 3);
        b.branch(cond, Target::new(left, vec![]), Target::new(right, vec![]));
        b.switch_to(left);
        let x = b.add32(s, 1);
        b.jump(right, vec![]);
        b.switch_to(right);
        b.mul(x, s);
        b.ret();
    });
    assert!(matches!(
        undominated,
        VerifyError::Dominance {
            block: Block(2),
            ..
        }
    ));

    let atomic = broken(|b| {
        let (x, t) = (b.input(Input::LaneId), b.const_bool(true));
        b.lds_atomic(AtomicOp::Add, MemWidth::B32, Shape::Uniform, x, t, &[x]);
        b.ret();
    });
    assert!(matches!(
        atomic,
        VerifyError::Type {
            error: typing::TypeError::NotUniform { .. },
            ..
        }
    ));
}

/// `fold` and `eval` state the pure operations independently; the builder's identities are held to both.
mod meaning {
    use super::random::{PURE, Rng, shown, straight};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fold_is_eval() {
        let mut rng = Rng::new(1);
        for op in PURE {
            for round in 0..3000 {
                let kind = [Kind::I32, Kind::I64, Kind::Bool][round % 3];
                let constant = |kind, rng: &mut Rng| match kind {
                    Kind::Bool => Const::Bool(rng.below(2) == 1),
                    Kind::I64 => Const::I64(rng.edge()),
                    Kind::I32 | Kind::Ptr => Const::I32(rng.edge() as u32),
                };
                let args: Vec<Const> = match op {
                    Pure::Select => vec![Kind::Bool, kind, kind],
                    Pure::BitsU | Pure::BitsS => vec![Kind::I32; 3],
                    Pure::Shl | Pure::ShrU | Pure::ShrS => vec![kind, Kind::I32],
                    Pure::Not
                    | Pure::BitReverse
                    | Pure::BitCount
                    | Pure::FindLsb
                    | Pure::FindUMsb
                    | Pure::ZExt
                    | Pure::SExt
                    | Pure::Lo
                    | Pure::Hi
                    | Pure::BoolInt => vec![kind],
                    _ => vec![kind, kind],
                }
                .into_iter()
                .map(|k| constant(k, &mut rng))
                .collect();
                let types: Vec<Ty> = args.iter().map(|c| Ty::uniform(c.kind())).collect();
                let typed = typing::infer(&Op::Pure(op), &types, WaveSize::W32).is_ok();
                let folded = fold::fold(op, &args);
                if !typed {
                    assert_eq!(folded, None, "{op:?} {args:?}");
                    continue;
                }
                let mut func = Func::new(WaveSize::W32);
                let mut b = Builder::new(&mut func);
                let args: Args = args.iter().map(|&c| b.constant(c)).collect();
                let ty = typing::infer(&Op::Pure(op), &types, WaveSize::W32).unwrap();
                let inst = func.append_inst(Block(0), Op::Pure(op), args, ty);
                let result = func.inst(inst).result.unwrap();
                func.block_mut(Block(0)).term = Some(Terminator::Return);
                let values = eval::run(&func, &[], &mut eval::NoEnv, 1);
                let computed = values.ok().and_then(|v| v.get(result, 0));
                assert_eq!(
                    folded.map(Const::bits),
                    computed,
                    "{}",
                    print::func_text(&func)
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn builder_keeps_the_meaning(seed in any::<u64>(), wide in any::<bool>()) {
            let wave = if wide { WaveSize::W64 } else { WaveSize::W32 };
            // The same random choices need the same pool: the smart function is rebuilt from the raw one.
            let raw = straight(seed, wave, 60, true);
            let mut smart = Func::new(wave);
            let mut b = Builder::new(&mut smart);
            let mut map = std::collections::HashMap::new();
            for &inst in &raw.block(Block(0)).insts {
                let data = raw.inst(inst);
                let args: Vec<Value> = data.args.iter().map(|v| map[v]).collect();
                if let Some(result) = data.result {
                    map.insert(result, b.rebuild(data.op, &args, None).unwrap());
                } else {
                    b.rebuild(data.op, &args, None);
                }
            }
            b.ret();
            prop_assert_eq!(shown(&raw, seed), shown(&smart, seed));
        }
    }
}
