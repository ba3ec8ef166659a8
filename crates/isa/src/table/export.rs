//! Rows of the table: VINTRP and EXP. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! export_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // VINTRP
            V_INTERP_P1_F32 [Vintrp 0x00 ALL, Vop3 0x200 ALL] (vdst(F32), interp_vsrc(F32), attr_chan())
                interp(Interp::P1F32), ABS_NEG_SRC1 | OMOD | CLAMP | RD_M0;
            V_INTERP_P2_F32 [Vintrp 0x01 ALL, Vop3 0x201 ALL] (vdst(F32), interp_vsrc(F32), attr_chan(), tied_vdst(F32))
                interp(Interp::P2F32), ABS_NEG_SRC1 | OMOD | CLAMP | RD_M0;
            V_INTERP_MOV_F32 [Vintrp 0x02 ALL, Vop3 0x202 ALL] (vdst(F32), interp_point(), attr_chan())
                interp(Interp::MovF32), OMOD | CLAMP | RD_M0;

            // EXP
            EXP [Exp 0x00 ALL] (exp_target(), exp_src(0), exp_src(1), exp_src(2), exp_src(3))
                Sem::Export, EXPORT;
        } }
    };
}
pub(super) use export_rows;
