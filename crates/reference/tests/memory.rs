//! Scalar memory, buffers, FLAT, SCRATCH, LDS and GDS on whole programs. Addresses and values are
//! worked out by hand from the manual's formulas; words by an independent assembler.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

mod common;

use common::Test;
use spirdna_isa::descriptor::vsharp;
use spirdna_isa::launch::SystemSgpr;
use spirdna_isa::{Target, WaveSize};
use spirdna_reference::{AddressSpace, CODE_BASE, ExecError, Fault, FaultKind, SHARED_APERTURE};

const BASE: u64 = 0x1_0000_0000;

/// n dwords: 0x100, 0x101, …
fn counting(n: u32) -> Vec<u32> {
    (0..n).map(|i| 0x100 + i).collect()
}

/// A V# at [`BASE`] + `add` with 32_FLOAT and xyzw.
fn vsharp_at(add: u32, stride: u32, records: u32, oob: u32) -> [u32; 4] {
    let w = [add, 1, records, 0x0101_6fac];
    vsharp::OOB_SELECT.set(vsharp::STRIDE.set(w, stride), oob)
}

#[test]
fn scalar_loads_drop_low_bits_of_each_part() {
    let t = Test::wave32(&[
        0xf4000200, 0xfa000007, // s_load_dword s8, s[0:1], 0x7
        0xf4000240, 0x4000000, // s_load_dword s9, s[0:1], s2
        0xf4000280, 0x4000006, // s_load_dword s10, s[0:1], s2 offset:0x6
        0xf4080300, 0xfa000008, // s_load_dwordx4 s[12:15], s[0:1], 0x8
        // The base is read before it is written.
        0xf4040000, 0xfa000010, // s_load_dwordx2 s[0:1], s[0:1], 0x10
    ])
    .sgprs(&[3, 1, 0xb])
    .memory(BASE, &counting(16))
    .run();
    assert_eq!([8, 9, 10].map(|c| t.s(c)), [0x101, 0x102, 0x103]);
    assert_eq!(
        [12, 13, 14, 15].map(|c| t.s(c)),
        [0x102, 0x103, 0x104, 0x105]
    );
    assert_eq!((t.s(0), t.s(1)), (0x104, 0x105));
}

#[test]
fn scalar_loads_that_are_refused() {
    // s_load_dwordx8 s[100:107], s[0:1], 0: past s105
    let mut t = Test::wave32(&[0xf40c_1900, 0xfa00_0000]).sgprs(&[0, 1]);
    assert!(t.try_run().is_err());
    let mut t = Test::wave32(&[
        0xf4000200, 0x41ffff8, // s_load_dword s8, s[0:1], s2 offset:-8
    ])
    .sgprs(&[0, 1, 4])
    .memory(BASE, &counting(4));
    assert!(matches!(t.try_run(), Err(ExecError::Unsupported(_))));
    let mut t = Test::wave32(&[
        0xbf800000, // s_nop 0
        0xf4040200, 0xfa00000c, // s_load_dwordx2 s[8:9], s[0:1], 0xc
    ])
    .sgprs(&[0, 1])
    .memory(BASE, &counting(4));
    let fault = Fault {
        pc: 4,
        lane: None,
        space: AddressSpace::Global,
        address: BASE + 16,
        bytes: 4,
        kind: FaultKind::Load,
    };
    assert_eq!(t.try_run().unwrap_err(), ExecError::Fault(fault));
}

#[test]
fn scalar_buffer_loads_are_bounded() {
    let code = [
        0xf4280200, 0xfa000010, // s_buffer_load_dwordx4 s[8:11], s[0:3], 0x10
    ];
    let loaded = |v: [u32; 4]| {
        let t = Test::wave32(&code)
            .sgprs(&v)
            .memory(BASE, &counting(16))
            .run();
        [8, 9, 10, 11].map(|c| t.s(c))
    };
    // 24 bytes: dwords 4 and 5.
    assert_eq!(loaded(vsharp_at(0, 0, 24, 3)), [0x104, 0x105, 0, 0]);
    // Records of 8 bytes, whatever the bounds rule.
    assert_eq!(loaded(vsharp_at(0, 8, 3, 2)), [0x104, 0x105, 0, 0]);
    assert_eq!(loaded(vsharp_at(2, 8, 4, 0)), [0x104, 0x105, 0x106, 0x107]);
}

#[test]
fn constants_behind_the_code() {
    let t = Test::wave32(&[
        0xbe801f00, // s_getpc_b64 s[0:1]
        0xf4040200, 0xfa00000c, // s_load_dwordx2 s[8:9], s[0:1], 0xc
    ]);
    let mut t = t;
    t.code.extend([0xcafe, 0xbeef]);
    let t = t.run();
    assert_eq!(
        (t.s(0), t.s(1)),
        (CODE_BASE as u32 + 4, (CODE_BASE >> 32) as u32)
    );
    assert_eq!((t.s(8), t.s(9)), (0xcafe, 0xbeef));
}

#[test]
fn scalar_stores_and_atomics_of_gfx10_1() {
    let mut t = Test::wave32(&[
        0xf4440080, 0xfa000004, // s_store_dwordx2 s[2:3], s[0:1], 0x4
        0xf6090100, 0xfa000000, // s_atomic_add s4, s[0:1], 0x0 glc
        0xf6050180, 0xfa00000c, // s_atomic_cmpswap s[6:7], s[0:1], 0xc glc
        0xf4a80200, 0x0, // s_get_waveid_in_workgroup s8
    ])
    .sgprs(&[0, 1, 0xaa, 0xbb, 5, 0, 9, 0x103])
    .memory(BASE, &counting(4));
    t.launch.target = Target::Gfx1010;
    let t = t.run();
    assert_eq!(t.dwords(BASE), [0x105, 0xaa, 0xbb, 9]);
    assert_eq!([4, 6, 7, 8].map(|c| t.s(c)), [0x100, 0x103, 0x103, 0]);
}

/// What lane 0 loads as a dword with `index` and `offset` through a V#.
fn loaded(v: [u32; 4], index: u32, offset: u32) -> u32 {
    let code = [
        0xe0303004, 0x4000200, // buffer_load_dword v2, v[0:1], s[0:3], s4 idxen offen offset:4
    ];
    let mut sgprs = v.to_vec();
    sgprs.push(8);
    let t = Test::wave32(&code)
        .sgprs(&sgprs)
        .vgpr(0, |_| index)
        .vgpr(1, |_| offset)
        .exec(1)
        .memory(BASE, &counting(256))
        .run();
    t.v(2)[0]
}

#[test]
fn bounds_rules() {
    // Address: 8 (SOFFSET) + index * 16 + offset + 4.
    let dword = |index: u32, offset: u32| 0x100 + (8 + index * 16 + offset + 4) / 4;
    let cases = [
        // (rule, stride, records, index, offset, in range)
        (0, 16, 4, 3, 8, true),
        (0, 16, 4, 4, 8, false),
        (0, 16, 4, 3, 12, false),
        (1, 16, 4, 3, 12, true),
        (1, 16, 4, 4, 0, false),
        (2, 16, 1, 7, 12, true),
        (2, 16, 0, 0, 0, false),
        (3, 16, 16, 9, 8, true),
        (3, 16, 16, 0, 12, false),
    ];
    for (rule, stride, records, index, offset, inside) in cases {
        let got = loaded(vsharp_at(0, stride, records, rule), index, offset);
        let expect = if inside { dword(index, offset) } else { 0 };
        assert_eq!(
            got, expect,
            "rule {rule} records {records} {index} {offset}"
        );
    }
    // VGPR and instruction offset add modulo 2^32: 0xfffffffc + 4 is 0, 0xfffffff8 + 4 is far outside.
    assert_eq!(loaded(vsharp_at(0, 0, 1024, 3), 0, 0xffff_fffc), 0x102);
    assert_eq!(loaded(vsharp_at(0, 0, 1024, 3), 0, 0xffff_fff8), 0);
    // The structured rule with stride 0.
    assert_eq!(loaded(vsharp_at(0, 0, 1, 0), 0, 0), 0x103);
}

#[test]
fn swizzled_addresses() {
    // Stride 16, 8 records a block: index 9, offset 8 + 4 is element 3 of record 1 of block 1:
    // ((9 / 8) * 16 + 12) * 8 + 1 * 4 = 228, plus SOFFSET 8.
    let mut v = vsharp_at(0, 16, 64, 1);
    v = vsharp::SWIZZLE_ENABLE.set(v, 1);
    assert_eq!(loaded(v, 9, 8), 0x100 + (228 + 8) / 4);
    // 32 records a block: (0 * 16 + 12) * 32 + 9 * 4 = 420.
    let w = vsharp::INDEX_STRIDE.set(v, 2);
    assert_eq!(loaded(w, 9, 8), 0x100 + (420 + 8) / 4);
    // The raw rule counts the swizzled address.
    let w = vsharp::OOB_SELECT.set(v, 3);
    assert_eq!(
        loaded(vsharp::NUM_RECORDS.set(w, 229), 9, 8),
        0x100 + (228 + 8) / 4
    );
    assert_eq!(loaded(vsharp::NUM_RECORDS.set(w, 228), 9, 8), 0);
}

#[test]
fn a_swizzled_wide_access_is_swizzled_dword_by_dword() {
    let mut v = vsharp_at(0, 8, 64, 1);
    v = vsharp::SWIZZLE_ENABLE.set(v, 1);
    let t = Test::wave32(&[
        0xe0742000, 0x80000002, // buffer_store_dwordx2 v[0:1], v2, s[0:3], 0 idxen
    ])
    .sgprs(&v)
    .vgpr(0, |_| 0xa)
    .vgpr(1, |_| 0xb)
    .vgpr(2, |_| 3)
    .exec(1)
    .memory(BASE, &[0; 32])
    .run();
    // Elements of 4 bytes: 0 * 8 + 3 * 4 and 4 * 8 + 3 * 4.
    let d = t.dwords(BASE);
    assert_eq!((d[3], d[11]), (0xa, 0xb));
    assert_eq!(d.iter().filter(|&&x| x != 0).count(), 2);
}

#[test]
fn a_swizzled_access_across_elements_faults() {
    let run = |offset: u32| {
        let v = vsharp::SWIZZLE_ENABLE.set(vsharp_at(0, 8, 64, 1), 1);
        Test::wave32(&[
            0xe0281000, 0x80000100, // buffer_load_ushort v1, v0, s[0:3], 0 offen
        ])
        .sgprs(&v)
        .vgpr(0, |_| offset)
        .exec(1)
        .memory(BASE, &[0; 32])
        .try_run()
    };
    assert!(run(2).is_ok());
    assert!(matches!(
        run(3),
        Err(ExecError::Fault(Fault {
            kind: FaultKind::Misaligned,
            ..
        }))
    ));
}

#[test]
fn the_lane_id_is_added_to_the_index() {
    let v = vsharp::ADD_TID.set(vsharp_at(0, 8, 40, 1), 1);
    let t = Test::wave32(&[
        0xe0302000, 0x80000100, // buffer_load_dword v1, v0, s[0:3], 0 idxen
    ])
    .sgprs(&v)
    .vgpr(0, |l| l)
    .memory(BASE, &counting(256))
    .run();
    let got = t.v(1);
    // Index 2 * lane, 8 bytes each, in range below 40.
    for (lane, g) in (0..).zip(got) {
        assert_eq!(g, if lane < 20 { 0x100 + 4 * lane } else { 0 });
    }
}

#[test]
fn out_of_range_format_loads_keep_constant_ones() {
    // dst_sel: 1, x, 0, w
    let mut v = vsharp_at(0, 0, 4, 3);
    for (field, select) in vsharp::DST_SEL.into_iter().zip([1, 4, 0, 7]) {
        v = field.set(v, select);
    }
    let t = Test::wave32(&[
        0xe00c1000, 0x80000400, // buffer_load_format_xyzw v[4:7], v0, s[0:3], 0 offen
        0xe2081000, 0x80000800, // buffer_load_format_d16_xyz v[8:9], v0, s[0:3], 0 offen
    ])
    .sgprs(&v)
    .vgpr(0, |l| l * 4)
    .vgpr(9, |_| 0x1234_5678)
    .exec(3)
    .memory(BASE, &[0x4100_0000, 0x4100_0000])
    .run();
    let one = 0x3f80_0000;
    let lane = |l: usize| [4, 5, 6, 7, 8, 9].map(|r| t.v(r)[l]);
    assert_eq!(lane(0), [one, 0x4100_0000, 0, 0, 0x4800_3c00, 0x1234_0000]);
    assert_eq!(lane(1), [one, 0, 0, 0, 0x3c00, 0x1234_0000]);
}

#[test]
fn formats_that_are_refused() {
    let code = [
        0xe0001000, 0x80000400, // buffer_load_format_x v4, v0, s[0:3], 0 offen
    ];
    let run = |v: [u32; 4], offset: u32| {
        Test::wave32(&code)
            .sgprs(&v)
            .vgpr(0, |_| offset)
            .exec(1)
            .memory(BASE, &[0; 8])
            .try_run()
    };
    let good = vsharp_at(0, 0, 16, 3);
    assert!(run(good, 4).is_ok());
    // A reserved format, but only where it is used.
    let reserved = vsharp::FORMAT.set(good, 78);
    assert!(matches!(run(reserved, 4), Err(ExecError::Unsupported(_))));
    assert!(run(reserved, 16).is_ok());
    // Off its alignment.
    assert!(matches!(
        run(good, 2),
        Err(ExecError::Fault(Fault {
            kind: FaultKind::Misaligned,
            lane: Some(0),
            ..
        }))
    ));
    // An image's descriptor.
    assert!(run(vsharp::TYPE.set(good, 2), 0).is_err());
    // A null descriptor reads 0.
    let mut t = Test::wave32(&code).sgprs(&[0; 4]).vgpr(0, |_| 0).exec(1);
    t.try_run().unwrap();
    assert_eq!(t.v(4)[0], 0);
}

#[test]
fn atomics_run_in_lane_order_and_return_the_old_value() {
    let t = Test::wave32(&[
        0xe0c84000, 0x80000000, // buffer_atomic_add v0, off, s[0:3], 0 glc
        0xe0e00004, 0x80000100, // buffer_atomic_umax v1, off, s[0:3], 0 offset:4
        0xe1444008,
        0x80000400, // buffer_atomic_cmpswap_x2 v[4:7], off, s[0:3], 0 offset:8 glc
        0xe0e84010, 0x80000200, // buffer_atomic_or v2, off, s[0:3], 0 offset:16 glc
    ])
    .sgprs(&vsharp_at(0, 0, 16, 3))
    .vgpr(0, |l| l)
    .vgpr(1, |l| 0x200 - l)
    .vgpr(2, |_| 1)
    .vgpr(4, |l| 7 + l)
    .vgpr(5, |_| 8)
    .vgpr(6, |_| 0x102)
    .vgpr(7, |_| 0x103)
    .exec(0x1e)
    .memory(BASE, &counting(5))
    .run();
    assert_eq!(t.dwords(BASE), [0x10a, 0x1ff, 8, 8, 0x104]);
    let v = t.v(0);
    assert_eq!(v[1..5], [0x100, 0x101, 0x103, 0x106]);
    assert_eq!(v[0], 0, "a lane that is off keeps its register");
    // Only the first lane's comparison held.
    let (lo, hi) = (t.v(4), t.v(5));
    assert_eq!((lo[1], hi[1]), (0x102, 0x103));
    assert_eq!((lo[2], hi[2]), (8, 8));
    // Out of range nothing is written and 0 returns.
    assert_eq!(t.v(2)[1], 0);
}

#[test]
fn misaligned_atomics_fault() {
    let mut t = Test::wave32(&[
        0xdcc88000, 0x100, // global_atomic_add v0, v1, s[0:1]
    ])
    .sgprs(&[0, 1])
    .vgpr(0, |_| 2)
    .vgpr(1, |_| 1)
    .exec(4)
    .memory(BASE, &[0; 4]);
    let fault = Fault {
        pc: 0,
        lane: Some(2),
        space: AddressSpace::Global,
        address: BASE + 2,
        bytes: 4,
        kind: FaultKind::Misaligned,
    };
    assert_eq!(t.try_run().unwrap_err(), ExecError::Fault(fault));
}

#[test]
fn global_addresses() {
    let t = Test::wave32(&[
        0xdc308ffc, 0x4000000, // global_load_dword v4, v0, s[0:1] offset:-4
        0xdc348008, 0x67d0002, // global_load_dwordx2 v[6:7], v[2:3], off offset:8
        0xdc248001, 0x8000000, // global_load_sbyte v8, v0, s[0:1] offset:1
        0xdc948000, 0x9000000, // global_load_short_d16_hi v9, v0, s[0:1]
        0xdc648003, 0x500, // global_store_byte_d16_hi v0, v5, s[0:1] offset:3
    ])
    .sgprs(&[0, 1])
    .vgpr(0, |l| 4 + 4 * l)
    .vgpr(2, |l| 4 * l)
    .vgpr(3, |_| 0xffff_0001)
    .vgpr(5, |_| 0x00ee_0000)
    .vgpr(9, |_| 0x1111_2222)
    .memory(BASE, &(0..40).map(|i| 0x8081_8000 + i).collect::<Vec<_>>())
    .run();
    let lane = |r: u8| t.v(r)[5];
    assert_eq!(lane(4), 0x8081_8005);
    // Bits 63:48 of an address do not count.
    assert_eq!((lane(6), lane(7)), (0x8081_8007, 0x8081_8008));
    assert_eq!(lane(8), 0xffff_ff80);
    assert_eq!(lane(9), 0x8006_2222);
    assert_eq!(t.dwords(BASE)[6], 0xee81_8006);
}

#[test]
fn scratch_is_the_lanes_own() {
    let mut t = Test::wave32(&[
        0xdc704004, 0x7d0100, // scratch_store_dword v0, v1, off offset:4
        0xdc704000, 0x100, // scratch_store_dword off, v1, s0
        0xdc344000, 0x2010000, // scratch_load_dwordx2 v[2:3], off, s1
    ])
    .sgprs(&[8, 4])
    .vgpr(0, |_| 0)
    .vgpr(1, |l| 100 + l);
    t.launch.scratch_bytes = 12;
    let t = t.run();
    assert_eq!((t.v(2)[7], t.v(3)[7]), (107, 107));
    let mut t = Test::wave32(&[
        0xdc344000, 0x2000000, // scratch_load_dwordx2 v[2:3], off, s0
    ])
    .sgprs(&[8]);
    t.launch.scratch_bytes = 12;
    assert!(matches!(
        t.try_run(),
        Err(ExecError::Fault(Fault {
            space: AddressSpace::Scratch,
            address: 8,
            ..
        }))
    ));
}

#[test]
fn flat_apertures() {
    let t = Test::wave32(&[
        0xd8340000, 0x200, // ds_write_b32 v0, v2
        0xdc300000, 0x37d0000, // flat_load_dword v3, v[0:1]
        0xdc680002, 0x7d0400, // flat_store_short v[0:1], v4 offset:2
        0xdc300000, 0x57d0000, // flat_load_dword v5, v[0:1]
    ])
    .vgpr(0, |l| 4 * l)
    .vgpr(1, |_| SHARED_APERTURE)
    .vgpr(2, |l| 0x1_0000 + l)
    .vgpr(4, |_| 7)
    .lds(64)
    .run();
    assert_eq!(t.v(5)[15], 0x7_000f);
    assert_eq!(t.v(3)[15], 0x1_000f);
    // Out of the LDS: 0.
    assert_eq!(t.v(3)[16], 0);
}

#[test]
fn lds_pairs() {
    let t = Test::wave32(&[
        0xd8380301, 0x20100, // ds_write2_b32 v0, v1, v2 offset0:1 offset1:3
        0xd93c0100, 0x40200, // ds_write2st64_b64 v0, v[2:3], v[4:5] offset0:0 offset1:1
        0xd8dc0103, 0x6000000, // ds_read2_b32 v[6:7], v0 offset0:3 offset1:1
        0xd9e00001, 0x8000000, // ds_read2st64_b64 v[8:11], v0 offset0:1 offset1:0
        0xd9d80000, 0xc00000e, // ds_read_b64 v[12:13], v14
    ])
    .vgpr(0, |_| 16)
    .vgpr(1, |l| 10 + l)
    .vgpr(2, |l| 20 + l)
    .vgpr(3, |_| 3)
    .vgpr(4, |_| 4)
    .vgpr(5, |_| 5)
    .vgpr(14, |l| if l == 0 { 1020 } else { 1017 })
    .exec(3)
    .lds(1024)
    .run();
    let lane = |l: usize, regs: &[u8]| -> Vec<u32> { regs.iter().map(|&r| t.v(r)[l]).collect() };
    // The first dwords at 20 and 28, then the pair at 16 overwrites 20; the highest lane wins.
    assert_eq!(lane(0, &[6, 7]), [21, 3]);
    assert_eq!(lane(0, &[8, 9, 10, 11]), [4, 5, 21, 3]);
    // 8 bytes at 1020 or 1017 do not fit into 1024.
    assert_eq!(lane(0, &[12, 13]), [0, 0]);
    assert_eq!(lane(1, &[12, 13]), [0, 0]);
}

#[test]
fn lds_negative_bases_wrap_at_32_bits() {
    let t = Test::wave32(&[
        0xd8340008, 0x100, // ds_write_b32 v0, v1 offset:8
        0xd8d80000, 0x2000003, // ds_read_b32 v2, v3
    ])
    .vgpr(0, |_| 0xffff_fffc)
    .vgpr(1, |_| 77)
    .vgpr(3, |_| 4)
    .exec(1)
    .lds(16)
    .run();
    assert_eq!(t.v(2)[0], 77);
}

#[test]
fn lane_exchange_in_wave64_stays_in_halves() {
    let t = Test::new(
        WaveSize::W64,
        &[
            0xdacc0000, 0x3000201, // ds_bpermute_b32 v3, v1, v2
            0xdac80000, 0x4000201, // ds_permute_b32 v4, v1, v2
            0xd8d4401f, 0x5000002, // ds_swizzle_b32 v5, v2 offset:swizzle(SWAP,16)
        ],
    )
    // Lane l names lane l + 1.
    .vgpr(1, |l| 4 * (l + 1))
    .vgpr(2, |l| 100 + l)
    .exec(!(1 << 40))
    .run();
    let (b, p, s) = (t.v(3), t.v(4), t.v(5));
    assert_eq!((b[0], b[31], b[32], b[63]), (101, 100, 133, 132));
    assert_eq!((b[39], b[40]), (0, 0));
    assert_eq!((p[1], p[0], p[33], p[32]), (100, 131, 132, 163));
    assert_eq!(p[41], 0);
    assert_eq!((s[0], s[16], s[32], s[63]), (116, 100, 148, 147));
}

#[test]
fn swizzle_fft_orders() {
    let t = Test::wave32(&[
        0xd8d4e000, 0x1000000, // ds_swizzle_b32 v1, v0 offset:0xe000
        0xd8d4e010, 0x2000000, // ds_swizzle_b32 v2, v0 offset:0xe010
        0xd8d4e01f, 0x3000000, // ds_swizzle_b32 v3, v0 offset:0xe01f
    ])
    .vgpr(0, |l| l)
    .run();
    // Mask 0: the whole lane number reversed.
    assert_eq!(t.v(1)[..6], [0, 16, 8, 24, 4, 20]);
    // Mask 16: the top bit stays, the others are reversed, with bit 0 of the reversal shifted out.
    assert_eq!(t.v(2)[..4], [0, 8, 4, 12]);
    assert_eq!(t.v(2)[16..19], [16, 24, 20]);
    // All kept.
    assert_eq!(t.v(3), (0..32).collect::<Vec<_>>());
}

#[test]
fn lds_direct_has_a_type() {
    for (kind, expect) in [
        (0, 0x9a),
        (1, 0x789a),
        (2, 0x1234_789a),
        (4, 0xffff_ff9a),
        (5, 0x789a),
    ] {
        let t = Test::wave32(&[
            0xd8340000, 0x100,      // ds_write_b32 v0, v1
            0x7e0402fe, // v_mov_b32 v2, src_lds_direct
        ])
        .vgpr(0, |_| 8)
        .vgpr(1, |_| 0x1234_789a)
        .m0(kind << 16 | 8)
        .lds(16)
        .run();
        assert_eq!(t.v(2)[3], expect, "{kind}");
    }
}

#[test]
fn gds_has_a_window_and_lasts_over_workgroups() {
    let mut t = Test::wave32(&[
        0xd8fa0004, 0x1000000, // ds_append v1 offset:4 gds
        0xbefc03ff, 0x100004, // s_mov_b32 m0, 0x100004
        0xd8fa0004, 0x2000000, // ds_append v2 offset:4 gds
    ])
    .m0(0x0010_0008)
    .exec(7);
    t.launch.system_sgprs = vec![SystemSgpr::GroupId(0)];
    t.grid = spirdna_reference::Grid::groups([2, 1, 1]);
    let t = t.run();
    let lane = |g: u32, r: u8| t.waves[&([g, 0, 0], 0)].vgpr(r, 2);
    assert_eq!((lane(0, 1), lane(1, 1)), (0, 3));
    // Four bytes of window hold no dword at 4.
    assert_eq!((lane(0, 2), lane(1, 2)), (0, 0));
}
