//! Construction of instructions: smart constructors that compute the result's type, fold constants,
//! apply cheap identities and number values within the block. A constructor may return an existing
//! value, also a uniform one where the plain result would be per-lane (the same value in every lane).
//!
//! It never fails: arguments that an operation does not take make an instruction that the verifier
//! names. What needs the whole function is a pass's work, not done here.

use super::args::{Args, FREE};
use super::fold::{Const, fold};
use super::func::{Block, Def, Func, Target, Terminator, Value};
use super::image::{ImageAccess, ImageOp};
use super::numbering;
use super::op::{AtomicOp, FMode, FOp, FTy, HelperId, HostOp, Input, MemWidth, Op, Output, Pure};
use super::types::{Kind, Shape, Ty};
use super::typing;

/// Appends instructions to a block of a function.
#[derive(Debug)]
pub struct Builder<'f> {
    pub(super) func: &'f mut Func,
    block: Block,
}

macro_rules! pure_methods {
    ($($(#[$m:meta])* $name:ident($($arg:ident),*) = $op:ident;)*) => {
        $(
            $(#[$m])*
            pub fn $name(&mut self, $($arg: Value),*) -> Value {
                pure_methods!(self, $op, $($arg),*)
            }
        )*
    };
    ($self:ident, $op:ident, $x:ident) => {
        $self.unary(Pure::$op, $x)
    };
    ($self:ident, $op:ident, $x:ident, $y:ident) => {
        $self.binary(Pure::$op, $x, $y)
    };
    ($self:ident, $op:ident, $x:ident, $y:ident, $z:ident) => {
        $self.ternary(Pure::$op, $x, $y, $z)
    };
}

impl<'f> Builder<'f> {
    /// A builder that appends to the entry block.
    pub fn new(func: &'f mut Func) -> Builder<'f> {
        let block = func.entry();
        Builder::at(func, block)
    }

    /// A builder that appends to `block`.
    pub fn at(func: &'f mut Func, block: Block) -> Builder<'f> {
        func.forget_numbered();
        Builder { func, block }
    }

    /// The function.
    pub fn func(&self) -> &Func {
        self.func
    }

    /// The function, to change it. Instructions taken out of the current block must not be numbered
    /// any more: `switch_to` forgets them.
    pub fn func_mut(&mut self) -> &mut Func {
        self.func
    }

    /// The block that instructions are appended to.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Appends to `block` from now on.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
        self.func.forget_numbered();
    }

    /// Adds an empty block (and stays where it is).
    pub fn new_block(&mut self) -> Block {
        self.func.new_block()
    }

    /// Adds a parameter to a block.
    pub fn param(&mut self, block: Block, ty: Ty) -> Value {
        self.func.add_param(block, ty)
    }

    /// Type of a value.
    pub fn ty(&self, value: Value) -> Ty {
        self.func.ty(value)
    }

    /// The constant that a value is.
    pub fn as_const(&self, value: Value) -> Option<Const> {
        self.func.as_const(value)
    }

    // ---- Ends of blocks --------------------------------------------------------------------------

    /// Ends the current block.
    pub fn terminate(&mut self, term: Terminator) {
        self.func.block_mut(self.block).term = Some(term);
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.terminate(Terminator::Jump(Target { block, args }));
    }

    /// Ends the current block with a branch; `cond` is uniform.
    pub fn branch(&mut self, cond: Value, then: Target, els: Target) {
        self.terminate(Terminator::Branch { cond, then, els });
    }

    /// Ends the current block, and with it the wave.
    pub fn ret(&mut self) {
        self.terminate(Terminator::Return);
    }

    /// Ends the current block with a workgroup barrier.
    pub fn barrier(&mut self, block: Block, args: Vec<Value>) {
        self.terminate(Terminator::Barrier(Target { block, args }));
    }

    // ---- Constants and inputs --------------------------------------------------------------------

    /// A Bool.
    pub fn const_bool(&mut self, x: bool) -> Value {
        self.func
            .head_value(Op::ConstBool(x), Ty::uniform(Kind::Bool))
    }

    /// An I32.
    pub fn const32(&mut self, x: u32) -> Value {
        self.func.head_value(Op::Const32(x), Ty::uniform(Kind::I32))
    }

    /// An I64.
    pub fn const64(&mut self, x: u64) -> Value {
        self.func.head_value(Op::Const64(x), Ty::uniform(Kind::I64))
    }

    /// A constant of any kind.
    pub fn constant(&mut self, x: Const) -> Value {
        match x {
            Const::Bool(x) => self.const_bool(x),
            Const::I32(x) => self.const32(x),
            Const::I64(x) => self.const64(x),
        }
    }

    /// All bits zero (false), of a kind. There is no zero place: a Ptr gives an I32.
    pub fn zero(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Bool => self.const_bool(false),
            Kind::I32 | Kind::Ptr => self.const32(0),
            Kind::I64 => self.const64(0),
        }
    }

    /// All bits one (true), of a kind. A Ptr gives an I32.
    pub fn ones(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Bool => self.const_bool(true),
            Kind::I32 | Kind::Ptr => self.const32(u32::MAX),
            Kind::I64 => self.const64(u64::MAX),
        }
    }

    /// A lane mask (I32 in wave32, of the low half; I64 in wave64).
    pub fn const_mask(&mut self, x: u64) -> Value {
        match self.func.mask_kind() {
            Kind::I64 => self.const64(x),
            Kind::Bool | Kind::I32 | Kind::Ptr => self.const32(x as u32),
        }
    }

    /// What the wave finds at entry.
    pub fn input(&mut self, input: Input) -> Value {
        self.func
            .head_value(Op::Input(input), typing::input_ty(input))
    }

    // ---- Pure operations -------------------------------------------------------------------------

    pure_methods! {
        /// `Pure::Not`.
        not(x) = Not;
        /// `Pure::BitReverse`.
        bit_reverse(x) = BitReverse;
        /// `Pure::BitCount`.
        bit_count(x) = BitCount;
        /// `Pure::FindLsb`.
        find_lsb(x) = FindLsb;
        /// `Pure::FindUMsb`.
        find_umsb(x) = FindUMsb;
        /// `Pure::Add`.
        add(x, y) = Add;
        /// `Pure::Sub`.
        sub(x, y) = Sub;
        /// `Pure::Mul`.
        mul(x, y) = Mul;
        /// `Pure::MulHiU`.
        mul_hi_u(x, y) = MulHiU;
        /// `Pure::MulHiS`.
        mul_hi_s(x, y) = MulHiS;
        /// `Pure::UDiv`.
        udiv(x, y) = UDiv;
        /// `Pure::URem`.
        urem(x, y) = URem;
        /// `Pure::And`.
        and(x, y) = And;
        /// `Pure::Or`.
        or(x, y) = Or;
        /// `Pure::Xor`.
        xor(x, y) = Xor;
        /// `Pure::Shl`.
        shl(x, n) = Shl;
        /// `Pure::ShrU`.
        shr_u(x, n) = ShrU;
        /// `Pure::ShrS`.
        shr_s(x, n) = ShrS;
        /// `Pure::UMin`.
        umin(x, y) = UMin;
        /// `Pure::UMax`.
        umax(x, y) = UMax;
        /// `Pure::SMin`.
        smin(x, y) = SMin;
        /// `Pure::SMax`.
        smax(x, y) = SMax;
        /// `Pure::Eq`.
        eq(x, y) = Eq;
        /// `Pure::Ne`.
        ne(x, y) = Ne;
        /// `Pure::ULt`.
        ult(x, y) = ULt;
        /// `Pure::ULe`.
        ule(x, y) = ULe;
        /// `Pure::SLt`.
        slt(x, y) = SLt;
        /// `Pure::SLe`.
        sle(x, y) = SLe;
        /// `Pure::Select`.
        select(cond, x, y) = Select;
        /// `Pure::BitsU`.
        bits_u(x, at, n) = BitsU;
        /// `Pure::BitsS`.
        bits_s(x, at, n) = BitsS;
        /// `Pure::ZExt`.
        zext(x) = ZExt;
        /// `Pure::SExt`.
        sext(x) = SExt;
        /// `Pure::Lo`.
        lo(x) = Lo;
        /// `Pure::Hi`.
        hi(x) = Hi;
        /// `Pure::Pack`.
        pack(lo, hi) = Pack;
        /// `Pure::BoolInt`.
        bool_int(x) = BoolInt;
    }

    /// x & c, of an I32.
    pub fn and32(&mut self, x: Value, c: u32) -> Value {
        let c = self.const32(c);
        self.and(x, c)
    }

    /// x + c, of an I32.
    pub fn add32(&mut self, x: Value, c: u32) -> Value {
        let c = self.const32(c);
        self.add(x, c)
    }

    /// x << n.
    pub fn shl_by(&mut self, x: Value, n: u32) -> Value {
        let n = self.const32(n);
        self.shl(x, n)
    }

    /// Logical x >> n.
    pub fn shr_by(&mut self, x: Value, n: u32) -> Value {
        let n = self.const32(n);
        self.shr_u(x, n)
    }

    /// Arithmetic x >> n.
    pub fn sar_by(&mut self, x: Value, n: u32) -> Value {
        let n = self.const32(n);
        self.shr_s(x, n)
    }

    /// x == c, of an I32.
    pub fn eq32(&mut self, x: Value, c: u32) -> Value {
        let c = self.const32(c);
        self.eq(x, c)
    }

    /// `n` bits of an I32 from bit `at`, zero-extended (`at + n <= 32`).
    pub fn field_u(&mut self, x: Value, at: u32, n: u32) -> Value {
        let (at, n) = (self.const32(at), self.const32(n));
        self.bits_u(x, at, n)
    }

    /// `n` bits of an I32 from bit `at`, sign-extended (`at + n <= 32`).
    pub fn field_s(&mut self, x: Value, at: u32, n: u32) -> Value {
        let (at, n) = (self.const32(at), self.const32(n));
        self.bits_s(x, at, n)
    }

    /// A pure operation.
    pub fn pure(&mut self, op: Pure, args: &[Value]) -> Value {
        match *args {
            [x] => self.unary(op, x),
            [x, y] => self.binary(op, x, y),
            [x, y, z] => self.ternary(op, x, y, z),
            // No pure operation takes more.
            _ => self.value(Op::Pure(op), args, Kind::I32),
        }
    }

    fn unary(&mut self, op: Pure, x: Value) -> Value {
        if let Some(c) = self.func.as_const(x)
            && let Some(result) = fold(op, &[c])
        {
            return self.constant(result);
        }
        match self.simplify_unary(op, x) {
            Some(result) => result,
            None => self.pure_value(op, 1, [x, FREE, FREE, FREE]),
        }
    }

    pub(super) fn binary(&mut self, op: Pure, x: Value, y: Value) -> Value {
        let (cx, cy) = (self.func.is_constant(x), self.func.is_constant(y));
        // Constants go right, otherwise the older value goes left, so that equal ones meet.
        let swap = op.commutes() && (cx, x) > (cy, y);
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let simpler = if cx || cy || x == y {
            self.simplify_binary(op, x, y)
        } else {
            match op {
                Pure::And | Pure::Or | Pure::Xor => self.simplify_opposites(op, x, y),
                Pure::Pack => self.simplify_pack(x, y, None),
                _ => None,
            }
        };
        match simpler {
            Some(result) => result,
            None => self.pure_value(op, 2, [x, y, FREE, FREE]),
        }
    }

    fn ternary(&mut self, op: Pure, x: Value, y: Value, z: Value) -> Value {
        let simpler = match op {
            Pure::Select => self.simplify_select(x, y, z),
            _ => self.simplify_ternary(op, x, y, z),
        };
        match simpler {
            Some(result) => result,
            None => self.pure_value(op, 3, [x, y, z, FREE]),
        }
    }

    /// `value` of a pure operation on `len` values: most values are such.
    fn pure_value(&mut self, op: Pure, len: u8, few: [Value; 4]) -> Value {
        let key = numbering::pure_key(op, few);
        if let Some(known) = self.func.numbered_pure(key, op, few) {
            return known;
        }
        let [x, y, z, _] = few;
        let first = self.func.ty(x);
        let (mut second, mut shape) = (first, first.shape);
        if len > 1 {
            second = self.func.ty(y);
            shape = shape.with(second.shape);
        }
        if len > 2 {
            shape = shape.with(self.func.ty(z).shape);
        }
        let kind = typing::pure_result(op, first.kind, second.kind);
        let ty = Ty { kind, shape };
        let args = Args::Few(len, few);
        self.func.append_value(self.block, Op::Pure(op), args, ty)
    }

    // ---- Floats and helpers ----------------------------------------------------------------------

    /// A guest float operation.
    pub fn float(&mut self, op: FOp, ty: FTy, mode: FMode, args: &[Value]) -> Value {
        self.value(Op::Float(op, ty, mode), args, Kind::I32)
    }

    /// A host float operation.
    pub fn host(&mut self, op: HostOp, ty: FTy, args: &[Value]) -> Value {
        self.value(Op::Host(op, ty), args, Kind::I32)
    }

    /// A call of a helper of the module whose result is of kind `result`.
    pub fn call(&mut self, helper: HelperId, result: Kind, args: &[Value]) -> Value {
        self.value(Op::Call(helper), args, result)
    }

    // ---- Lanes -----------------------------------------------------------------------------------

    /// `Op::Ballot`: the mask of a Bool.
    pub fn ballot(&mut self, x: Value) -> Value {
        match self.func.as_const(x) {
            Some(Const::Bool(true)) => return self.const_mask(u64::MAX),
            Some(Const::Bool(false)) => return self.const_mask(0),
            _ => {}
        }
        if let Some(data) = self.func.def_inst(x)
            && data.op == Op::LaneBit
        {
            return data.args[0];
        }
        // In a function of one lane the mask stays known as one that compares made.
        if !self.func.is_lane(x) && !self.func.is_one_lane() {
            let (all, none) = (self.const_mask(u64::MAX), self.const_mask(0));
            return self.select(x, all, none);
        }
        let ty = Ty::uniform(self.func.mask_kind());
        self.typed(Op::Ballot, &[x], ty)
    }

    /// `Op::LaneBit`: each lane's bit of a uniform mask.
    pub fn lane_bit(&mut self, mask: Value) -> Value {
        if let Some(c) = self.func.as_const(mask) {
            if c.is_zero() {
                return self.const_bool(false);
            }
            if c.is_ones() {
                return self.const_bool(true);
            }
        }
        if let Some(data) = self.func.def_inst(mask) {
            match (data.op, data.args.as_slice()) {
                (Op::Ballot, &[x]) => return x,
                (Op::Pure(Pure::Select), &[cond, a, b]) => {
                    if let (Some(a), Some(b)) = (self.func.as_const(a), self.func.as_const(b)) {
                        if a.is_ones() && b.is_zero() {
                            return cond;
                        }
                        if a.is_zero() && b.is_ones() {
                            return self.not(cond);
                        }
                    }
                }
                _ => {}
            }
        }
        self.typed(Op::LaneBit, &[mask], Ty::lane(Kind::Bool))
    }

    /// `Op::Table`: word `index` of constant words; 0 where it is just behind them.
    pub fn table(&mut self, number: u32, index: Value) -> Value {
        if let Some(Const::I32(index)) = self.as_const(index)
            && let Some(table) = self.func.tables().get(number as usize)
        {
            let word = table.get(index as usize).copied().unwrap_or(0);
            return self.const32(word);
        }
        self.value(Op::Table(number), &[index], Kind::I32)
    }

    /// `Op::ReadLane`: what lane `lane` (uniform) holds.
    pub fn read_lane(&mut self, x: Value, lane: Value) -> Value {
        if !self.func.is_lane(x) {
            return x;
        }
        if let Some(Op::Input(Input::LaneId)) = self.func.def_inst(x).map(|d| d.op) {
            return lane;
        }
        self.typed(Op::ReadLane, &[x, lane], Ty::uniform(Kind::I32))
    }

    /// `Op::Shuffle`: what lane `lane` (of each lane's choice) holds.
    pub fn shuffle(&mut self, x: Value, lane: Value) -> Value {
        if !self.func.is_lane(x) {
            return x;
        }
        if !self.func.is_lane(lane) {
            return self.read_lane(x, lane);
        }
        match (
            self.func.def_inst(x).map(|d| d.op),
            self.func.def_inst(lane).map(|d| d.op),
        ) {
            (Some(Op::Input(Input::LaneId)), _) => lane,
            (_, Some(Op::Input(Input::LaneId))) => x,
            _ => self.typed(Op::Shuffle, &[x, lane], Ty::lane(Kind::I32)),
        }
    }

    // ---- Memory ----------------------------------------------------------------------------------

    /// `Op::Ptr`: the place of `bytes` bytes at a guest address (I64).
    pub fn ptr(&mut self, address: Value, bytes: u32) -> Value {
        let op = Op::Ptr { bytes, own: false };
        let ty = self.ty_of(Kind::Ptr, address, address);
        self.typed(op, &[address], ty)
    }

    /// The same of bytes that no other lane reaches.
    pub fn own_ptr(&mut self, address: Value, bytes: u32) -> Value {
        let op = Op::Ptr { bytes, own: true };
        self.value(op, &[address], Kind::Ptr)
    }

    /// `Op::PtrBytes`: the place of as many bytes as an I32 says.
    pub fn ptr_bytes(&mut self, address: Value, bytes: Value) -> Value {
        if let Some(Const::I32(bytes)) = self.func.as_const(bytes) {
            return self.ptr(address, bytes);
        }
        self.value(Op::PtrBytes, &[address, bytes], Kind::Ptr)
    }

    /// `Op::PtrBound`: a byte of a bound buffer.
    pub fn ptr_bound(&mut self, buffer: u32, offset: Value) -> Value {
        let ty = self.ty_of(Kind::Ptr, offset, offset);
        self.typed(Op::PtrBound { buffer }, &[offset], ty)
    }

    /// `Op::PtrOk`: whether a place is inside guest memory.
    pub fn ptr_ok(&mut self, ptr: Value) -> Value {
        let ty = self.ty_of(Kind::Bool, ptr, ptr);
        self.typed(Op::PtrOk, &[ptr], ty)
    }

    /// `Op::Load`.
    pub fn load(
        &mut self,
        ptr: Value,
        guard: Value,
        width: MemWidth,
        offset: u32,
        aligned: bool,
        read_only: bool,
    ) -> Value {
        if self.is_false(guard) {
            return self.zero(typing::mem_kind(width));
        }
        let op = Op::Load {
            width,
            offset,
            aligned,
            read_only,
        };
        let ty = self.ty_of(typing::mem_kind(width), ptr, guard);
        self.typed(op, &[ptr, guard], ty)
    }

    /// `Op::Store`.
    pub fn store(
        &mut self,
        ptr: Value,
        value: Value,
        guard: Value,
        width: MemWidth,
        offset: u32,
        aligned: bool,
    ) {
        if !self.is_false(guard) {
            self.effect(
                Op::Store {
                    width,
                    offset,
                    aligned,
                },
                &[ptr, value, guard],
            );
        }
    }

    /// `Op::Atomic`: the old value. `shape`: done by each lane, or once by the wave.
    #[allow(
        clippy::too_many_arguments,
        reason = "the operation's fields and arguments"
    )]
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        width: MemWidth,
        offset: u32,
        shape: Shape,
        ptr: Value,
        guard: Value,
        data: &[Value],
    ) -> Value {
        if self.is_false(guard) {
            return self.zero(typing::mem_kind(width));
        }
        let shape = self.done_by(shape);
        let mut args = Args::from_slice(&[ptr, guard]);
        args.extend_from_slice(data);
        self.value(
            Op::Atomic {
                op,
                width,
                offset,
                shape,
            },
            &args,
            typing::mem_kind(width),
        )
    }

    /// `Op::LdsLoad`.
    pub fn lds_load(&mut self, address: Value, guard: Value, width: MemWidth) -> Value {
        if self.is_false(guard) {
            return self.const32(0);
        }
        let ty = self.ty_of(Kind::I32, address, guard);
        self.typed(Op::LdsLoad { width }, &[address, guard], ty)
    }

    /// `Op::LdsStore`.
    pub fn lds_store(&mut self, address: Value, value: Value, guard: Value, width: MemWidth) {
        if !self.is_false(guard) {
            self.effect(Op::LdsStore { width }, &[address, value, guard]);
        }
    }

    /// `Op::ScratchLoad`.
    pub fn scratch_load(
        &mut self,
        at: Value,
        guard: Value,
        width: MemWidth,
        offset: u32,
        aligned: bool,
    ) -> Value {
        if self.is_false(guard) {
            return self.const32(0);
        }
        let op = Op::ScratchLoad {
            width,
            offset,
            aligned,
        };
        self.value(op, &[at, guard], Kind::I32)
    }

    /// `Op::ScratchStore`.
    pub fn scratch_store(
        &mut self,
        at: Value,
        value: Value,
        guard: Value,
        width: MemWidth,
        offset: u32,
        aligned: bool,
    ) {
        if !self.is_false(guard) {
            let op = Op::ScratchStore {
                width,
                offset,
                aligned,
            };
            self.effect(op, &[at, value, guard]);
        }
    }

    /// `Op::LdsAtomic`: the old value.
    pub fn lds_atomic(
        &mut self,
        op: AtomicOp,
        width: MemWidth,
        shape: Shape,
        address: Value,
        guard: Value,
        data: &[Value],
    ) -> Value {
        if self.is_false(guard) {
            return self.zero(typing::mem_kind(width));
        }
        let shape = self.done_by(shape);
        let mut args = Args::from_slice(&[address, guard]);
        args.extend_from_slice(data);
        self.value(
            Op::LdsAtomic { op, width, shape },
            &args,
            typing::mem_kind(width),
        )
    }

    /// `Op::Fault`.
    pub fn fault(&mut self, pc: u32, address: Value, guard: Value) {
        if !self.is_false(guard) {
            self.effect(Op::Fault { pc }, &[address, guard]);
        }
    }

    /// `Op::WaveSync`.
    pub fn wave_sync(&mut self) {
        self.effect(Op::WaveSync, &[]);
    }

    /// `Op::AnyWave`.
    pub fn any_wave(&mut self, x: Value) -> Value {
        self.value(Op::AnyWave, &[x], Kind::Bool)
    }

    /// Makes `op` again on these arguments, with all that the constructors do: how passes rebuild an
    /// instruction. `result` is the kind of a call's result. `None` where it yields nothing.
    pub fn rebuild(&mut self, op: Op, args: &[Value], result: Option<Kind>) -> Option<Value> {
        match (op, args) {
            (Op::ConstBool(x), _) => Some(self.const_bool(x)),
            (Op::Const32(x), _) => Some(self.const32(x)),
            (Op::Const64(x), _) => Some(self.const64(x)),
            (Op::Input(input), _) => Some(self.input(input)),
            (Op::Pure(pure), _) => Some(self.pure(pure, args)),
            (Op::Call(helper), _) => Some(self.call(helper, result.unwrap_or(Kind::I32), args)),
            (Op::Ballot, &[x]) => Some(self.ballot(x)),
            (Op::LaneBit, &[x]) => Some(self.lane_bit(x)),
            (Op::ReadLane, &[x, y]) => Some(self.read_lane(x, y)),
            (Op::Table(number), &[index]) => Some(self.table(number, index)),
            (Op::Shuffle, &[x, y]) => Some(self.shuffle(x, y)),
            (
                Op::Load {
                    width,
                    offset,
                    aligned,
                    read_only,
                },
                &[ptr, guard],
            ) => Some(self.load(ptr, guard, width, offset, aligned, read_only)),
            (
                Op::Store {
                    width,
                    offset,
                    aligned,
                },
                &[ptr, value, guard],
            ) => {
                self.store(ptr, value, guard, width, offset, aligned);
                None
            }
            (Op::Fault { pc }, &[address, guard]) => {
                self.fault(pc, address, guard);
                None
            }
            (Op::LdsLoad { width }, &[address, guard]) => {
                Some(self.lds_load(address, guard, width))
            }
            (Op::LdsStore { width }, &[address, value, guard]) => {
                self.lds_store(address, value, guard, width);
                None
            }
            (
                Op::ScratchLoad {
                    width,
                    offset,
                    aligned,
                },
                &[at, guard],
            ) => Some(self.scratch_load(at, guard, width, offset, aligned)),
            (
                Op::ScratchStore {
                    width,
                    offset,
                    aligned,
                },
                &[at, value, guard],
            ) => {
                self.scratch_store(at, value, guard, width, offset, aligned);
                None
            }
            (
                Op::Atomic {
                    op,
                    width,
                    offset,
                    shape,
                },
                &[ptr, guard, ref data @ ..],
            ) => Some(self.atomic(op, width, offset, shape, ptr, guard, data)),
            (Op::LdsAtomic { op, width, shape }, &[address, guard, ref data @ ..]) => {
                Some(self.lds_atomic(op, width, shape, address, guard, data))
            }
            (Op::Output { to, component }, &[value, guard]) => {
                self.output(to, component, value, guard);
                None
            }
            (Op::Image(access), _) => self.image(access, args),
            (Op::Quad { perm, narrow }, &[x]) => Some(self.quad(x, perm, narrow)),
            (
                Op::Store { .. }
                | Op::Fault { .. }
                | Op::LdsStore { .. }
                | Op::ScratchStore { .. }
                | Op::WaveSync
                | Op::Output { .. }
                | Op::Valid,
                _,
            ) => {
                self.effect(op, args);
                None
            }
            _ => Some(self.value(op, args, result.unwrap_or(Kind::I32))),
        }
    }

    /// `Op::Image`; `None` for what gives nothing.
    pub fn image(&mut self, mut access: ImageAccess, args: &[Value]) -> Option<Value> {
        if let ImageOp::Atomic { shape, .. } = &mut access.op {
            *shape = self.done_by(*shape);
        }
        let op = Op::Image(access);
        if access.op == ImageOp::Store {
            self.effect(op, args);
            return None;
        }
        Some(self.value(op, args, Kind::I32))
    }

    /// `Op::Quad`.
    pub fn quad(&mut self, x: Value, perm: u8, narrow: bool) -> Value {
        // Every lane holds a constant.
        if self.as_const(x).is_some() || perm == 0b11_10_01_00 {
            return x;
        }
        let op = Op::Quad { perm, narrow };
        self.value(op, &[x], Kind::I32)
    }

    /// `Op::InterpFirst`.
    pub fn interp_first(&mut self, attribute: u8, i: Value) -> Value {
        let op = Op::InterpFirst { attribute };
        self.value(op, &[i], Kind::I32)
    }

    /// `Op::Output`.
    pub fn output(&mut self, to: Output, component: u8, value: Value, guard: Value) {
        if !self.is_false(guard) {
            let op = Op::Output { to, component };
            self.effect(op, &[value, guard]);
        }
    }

    /// `Op::Valid`.
    pub fn valid(&mut self, x: Value) {
        self.effect(Op::Valid, &[x]);
    }

    /// Who does an atomic: in a function of one lane there is but one.
    fn done_by(&self, shape: Shape) -> Shape {
        if self.func.is_one_lane() {
            Shape::Uniform
        } else {
            shape
        }
    }

    fn is_false(&self, guard: Value) -> bool {
        self.func.as_const(guard) == Some(Const::Bool(false))
    }

    fn effect(&mut self, op: Op, args: &[Value]) {
        self.func
            .append_inst(self.block, op, Args::from_slice(args), None);
    }

    /// The value of `op`, an earlier one of the block where there is one. `kind` is a call's result,
    /// or a stand-in where the arguments do not fit (which the verifier reports).
    fn value(&mut self, op: Op, args: &[Value], kind: Kind) -> Value {
        let ty = type_of(self.func, &op, args, kind);
        self.typed(op, args, ty)
    }

    /// As `value`, of an operation that gives that type.
    fn typed(&mut self, op: Op, args: &[Value], ty: Ty) -> Value {
        if op.is_pure() {
            let key = numbering::key(&op, args);
            if let Some(known) = self.func.numbered(key, op, args) {
                return known;
            }
        }
        let args = Args::from_slice(args);
        self.func.append_value(self.block, op, args, ty)
    }

    /// The type of what comes of two values.
    fn ty_of(&self, kind: Kind, x: Value, y: Value) -> Ty {
        let shape = self.func.ty(x).shape.with(self.func.ty(y).shape);
        Ty { kind, shape }
    }

    /// Whether a value is a parameter of the current block.
    pub fn is_own_param(&self, value: Value) -> bool {
        matches!(self.func.def(value), Def::Param(block, _) if block == self.block)
    }
}

/// The type of what an operation gives; `kind` as for `Builder::value`.
fn type_of(func: &Func, op: &Op, args: &[Value], kind: Kind) -> Ty {
    let mut few = [Ty::uniform(Kind::I32); 4];
    let many: Vec<Ty>;
    let types = match few.get_mut(..args.len()) {
        Some(few) => {
            for (ty, &arg) in few.iter_mut().zip(args) {
                *ty = func.ty(arg);
            }
            &*few
        }
        None => {
            many = args.iter().map(|&v| func.ty(v)).collect();
            &many
        }
    };
    match typing::infer(op, types, func.wave()) {
        Ok(Some(ty)) => ty,
        Ok(None) | Err(_) => Ty {
            kind,
            shape: typing::join(types),
        },
    }
}
