//! Buffer addresses against a model of the hardware's rules, for random V#s of every bounds rule, swizzle
//! and lane id, with nothing, a part and all of the V# known at translate time.

use spirdna_isa::WaveSize;
use spirdna_isa::descriptor::{BufferDescriptor, OobSelect};

use super::world::World;
use crate::resources::{BufferFact, DescriptorFacts, DescriptorPlace};

const BASE: u64 = 0x1_0000_0400;
const REGION: u64 = 0x1_0000_0000;
const BYTES: u64 = 0x1_0000;
const OUT: u64 = 0x2_0000_0000;
const RAW: u32 = 0x3101_6fac;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }
}

/// Byte of guest memory.
fn byte(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

fn memory() -> Vec<u8> {
    (REGION..REGION + BYTES).map(byte).collect()
}

/// A lane's access.
struct Lane {
    index: u64,
    offset: u64,
}

/// Bytes from `at` bytes on: `None` out of range.
fn address(d: &BufferDescriptor, soffset: u32, lane: &Lane, at: u64) -> Option<u64> {
    let (records, stride) = (u64::from(d.num_records), u64::from(d.stride));
    let offset = lane.offset + at;
    let relative = if d.swizzle_enable {
        let n = u64::from(d.index_stride);
        let block = lane.index / n * stride * n + offset / 4 * 4 * n;
        block + lane.index % n * 4 + offset % 4
    } else {
        lane.index * stride + offset
    };
    let inside = match d.oob_select {
        OobSelect::Structured => lane.index < records && (stride == 0 || offset < stride),
        OobSelect::Index => lane.index < records,
        OobSelect::NumRecordsZero => records > 0,
        OobSelect::Raw if d.swizzle_enable => relative < records,
        OobSelect::Raw => offset < records,
    };
    inside.then(|| (d.base + u64::from(soffset) + relative) & 0xffff_ffff_ffff)
}

/// The word at an address, the fault where there is no memory.
fn load(address: Option<u64>, bytes: u64) -> Result<u32, u64> {
    let Some(at) = address else { return Ok(0) };
    if at < REGION || at + bytes > REGION + BYTES {
        return Err(at);
    }
    Ok((0..bytes)
        .rev()
        .fold(0, |w, i| w << 8 | u32::from(byte(at + i))))
}

fn descriptor(r: &mut Random, aligned: bool) -> [u32; 4] {
    let stride = r.pick(&[0, 4, 8, 12, 16, 20, 64]);
    let records = r.pick(&[0, 1, 3, 20, 64, 100, 256, 0x1000, u32::MAX]);
    let swizzle = u32::from(r.below(3) == 0) << 31;
    let base = BASE as u32 + if aligned { 4 * r.below(4) } else { r.below(8) };
    let index_stride = r.below(4) << 21;
    let add_tid = u32::from(r.below(3) == 0) << 23;
    let rule = r.below(4) << 28;
    let cache_swizzle = r.below(2) << 30;
    [
        base,
        (BASE >> 32) as u32 | stride << 16 | swizzle | cache_swizzle,
        records,
        0x0101_6fac | index_stride | add_tid | rule,
    ]
}

/// Facts of the V# in s[0:3]: nothing, all but the base, everything, or random bits.
fn facts(r: &mut Random, words: [u32; 4]) -> DescriptorFacts {
    let known = match r.below(4) {
        0 => return DescriptorFacts::default(),
        1 => BufferFact::all_but_base(&BufferDescriptor::from_words(words)).known,
        2 => [u32::MAX; 4],
        _ => [
            r.next(),
            r.next() | 0xc000_0000,
            r.next(),
            r.next() | 0xf << 20,
        ],
    };
    let value = std::array::from_fn(|i| words[i] & known[i]);
    DescriptorFacts {
        buffers: vec![(DescriptorPlace::UserSgprs(0), BufferFact { known, value })],
        ..DescriptorFacts::default()
    }
}

#[test]
fn loads_follow_the_bounds_and_swizzle_rules() {
    let mut r = Random(1);
    let memory = memory();
    for _ in 0..500 {
        let (offen, idxen) = (r.below(2) == 1, r.below(2) == 1);
        let (dwords, narrow) = r.pick(&[
            (1, ""),
            (2, ""),
            (3, ""),
            (4, ""),
            (1, "ubyte"),
            (1, "ushort"),
        ]);
        let words = descriptor(&mut r, false);
        let d = BufferDescriptor::from_words(words);
        let imm: u32 = r.pick(&[0, 4, 8, 60, 256, 4095]);
        // An item that crosses an element of a swizzled buffer is refused at run time.
        let imm = if d.swizzle_enable { imm & !3 } else { imm };
        let soffset = r.pick(&[0, 4, 256, 3]);
        let mnemonic = match (narrow, dwords) {
            ("", 1) => "dword".to_owned(),
            ("", n) => format!("dwordx{n}"),
            (narrow, _) => narrow.to_owned(),
        };
        let address_regs = match (idxen, offen) {
            (true, true) => "v[20:21]",
            (true, false) => "v20",
            (false, true) => "v21",
            (false, false) => "off",
        };
        let flags = [(idxen, " idxen"), (offen, " offen")];
        let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
        let data = if dwords == 1 {
            "v8".to_owned()
        } else {
            format!("v[8:{}]", 7 + dwords)
        };
        let asm = format!(
            "buffer_load_{mnemonic} {data}, {address_regs}, s[0:3], s8{flags} offset:{imm}\n\
             s_waitcnt vmcnt(0)\n\
             v_lshlrev_b32_e32 v1, 4, v0\n\
             buffer_store_dwordx4 v[8:11], v1, s[4:7], 0 offen\n\
             s_endpgm"
        );
        let mut user = words.to_vec();
        user.extend([OUT as u32, (OUT >> 32) as u32, 512, RAW, soffset]);
        let index: Vec<u32> = (0..32)
            .map(|_| r.pick(&[0, 1, 2, 7, 8, 19, 20, 63, 64, 99, 300]))
            .collect();
        let offset: Vec<u32> = (0..32)
            .map(|_| {
                let o = r.pick(&[
                    0,
                    1,
                    4,
                    8,
                    12,
                    16,
                    19,
                    60,
                    64,
                    96,
                    252,
                    255,
                    0x3000,
                    0xffff_fffc,
                    0xffff_ff08,
                    0xffff_f005,
                ]);
                if d.swizzle_enable { o & !3 } else { o }
            })
            .collect();
        let mut world = World::new(WaveSize::W32, &asm, &user)
            .region(REGION, memory.clone())
            .words(OUT, &[0xdead_beef; 128]);
        world.per_lane(20, &index);
        world.per_lane(21, &offset);
        world.facts = facts(&mut r, words);
        world.run();
        let found = world.dwords(1);
        let mut faults = 0;
        for lane in 0..32 {
            let at = Lane {
                index: if idxen { u64::from(index[lane]) } else { 0 }
                    + if d.add_tid { lane as u64 } else { 0 },
                // The VGPR and the instruction's offset add modulo 2^32.
                offset: u64::from(if offen { offset[lane] } else { 0 }.wrapping_add(imm)),
            };
            let bytes = match narrow {
                "ubyte" => 1,
                "ushort" => 2,
                _ => 4,
            };
            let places: Vec<_> = (0..dwords)
                .map(|i| address(&d, soffset, &at, 4 * i))
                .collect();
            let loaded: Vec<_> = places.iter().map(|&p| load(p, bytes)).collect();
            if loaded.iter().any(Result::is_err) {
                faults += 1;
                continue;
            }
            for (i, value) in loaded.into_iter().enumerate() {
                let value = value.unwrap();
                assert_eq!(
                    found[4 * lane + i],
                    value,
                    "lane {lane} dword {i} of {asm}\n{d:#x?} index {} offset {} facts {:x?}",
                    at.index,
                    at.offset,
                    world.facts
                );
            }
        }
        assert_eq!(
            faults > 0,
            !world.faults.is_empty(),
            "{asm}\n{d:#x?} {:x?}",
            world.faults
        );
    }
}

#[test]
fn stores_and_atomics_drop_what_is_out_of_range() {
    let mut r = Random(2);
    let memory = memory();
    for round in 0..300 {
        let words = descriptor(&mut r, true);
        let d = BufferDescriptor::from_words(words);
        let atomic = round % 3 == 0;
        let dwords = if atomic { 1 } else { r.pick(&[1, 2, 4]) };
        let data = if dwords == 1 {
            "v8".to_owned()
        } else {
            format!("v[8:{}]", 7 + dwords)
        };
        let suffix = if dwords == 1 {
            String::new()
        } else {
            format!("x{dwords}")
        };
        let operation = if atomic {
            "atomic_swap".to_owned()
        } else {
            format!("store_dword{suffix}")
        };
        let asm = format!(
            "v_mov_b32_e32 v8, v0\nv_add_nc_u32_e32 v9, 32, v0\n\
             v_add_nc_u32_e32 v10, 64, v0\nv_add_nc_u32_e32 v11, 0x60, v0\n\
             buffer_{operation} {data}, v[20:21], s[0:3], 0 idxen offen\n\
             s_endpgm"
        );
        // Places of their own for all lanes, so that no order shows.
        let index: Vec<u32> = (0..32).map(|i| i * 3).collect();
        let offset: Vec<u32> = (0..32).map(|i| i % 2 * 16).collect();
        let mut world = World::new(WaveSize::W32, &asm, &words).region(REGION, memory.clone());
        world.per_lane(20, &index);
        world.per_lane(21, &offset);
        world.facts = facts(&mut r, words);
        let mut places = Vec::new();
        for lane in 0..32 {
            let at = Lane {
                index: u64::from(index[lane]) + if d.add_tid { lane as u64 } else { 0 },
                offset: u64::from(offset[lane]),
            };
            for i in 0..dwords {
                places.push((lane as u32 + 32 * i as u32, address(&d, 0, &at, 4 * i)));
            }
        }
        let mut sorted: Vec<u64> = places.iter().filter_map(|p| p.1).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[1] - w[0] < 4)
            || sorted.iter().any(|&a| load(Some(a), 4).is_err())
        {
            continue;
        }
        let mut expected = memory.clone();
        for (value, place) in places {
            if let Some(at) = place {
                let at = (at - REGION) as usize;
                expected[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        world.run();
        assert!(
            world.faults.is_empty(),
            "{asm}\n{d:#x?} {:x?}",
            world.faults
        );
        assert!(
            world.memory[0].bytes == expected,
            "{asm}\n{d:#x?} {:x?}",
            world.facts
        );
    }
}

/// A format and a destination select that only run time knows, in a buffer that may be swizzled.
#[test]
fn typed_loads_place_elements() {
    let mut r = Random(3);
    let memory = memory();
    for _ in 0..150 {
        let mut words = descriptor(&mut r, true);
        // 32_UINT, 32_32_UINT, 32_32_32_32_UINT, 16_16_UINT, 8_UINT.
        let (format, widths): (u32, &[u64]) = r.pick(&[
            (20, &[4]),
            (62, &[4, 4]),
            (75, &[4, 4, 4, 4]),
            (27, &[2, 2]),
            (5, &[1]),
        ]);
        let select = [
            r.pick(&[0, 1, 4]),
            r.pick(&[1, 4, 5]),
            r.pick(&[4, 5, 6, 7]),
            r.pick(&[0, 7, 6]),
        ];
        let select: [u32; 4] = select;
        words[3] = words[3] & !0x7_ffff | format << 12;
        words[3] |= select[0] | select[1] << 3 | select[2] << 6 | select[3] << 9;
        let d = BufferDescriptor::from_words(words);
        let asm = "buffer_load_format_xyzw v[8:11], v[20:21], s[0:3], 0 idxen offen\n\
             s_waitcnt vmcnt(0)\n\
             v_lshlrev_b32_e32 v1, 4, v0\n\
             buffer_store_dwordx4 v[8:11], v1, s[4:7], 0 offen\n\
             s_endpgm";
        let mut user = words.to_vec();
        user.extend([OUT as u32, (OUT >> 32) as u32, 512, RAW]);
        let index: Vec<u32> = (0..32)
            .map(|_| r.pick(&[0, 1, 2, 7, 8, 19, 20, 63, 64, 99]))
            .collect();
        let offset: Vec<u32> = (0..32).map(|_| r.pick(&[0, 4, 8, 16, 64])).collect();
        let mut world = World::new(WaveSize::W32, asm, &user)
            .region(REGION, memory.clone())
            .words(OUT, &[0xdead_beef; 128]);
        world.per_lane(20, &index);
        world.per_lane(21, &offset);
        world.facts = facts(&mut r, words);
        world.run();
        assert!(world.faults.is_empty(), "{d:#x?} {:x?}", world.faults);
        let found = world.dwords(1);
        for lane in 0..32 {
            let at = Lane {
                index: u64::from(index[lane]) + if d.add_tid { lane as u64 } else { 0 },
                offset: u64::from(offset[lane]),
            };
            let inside = address(&d, 0, &at, 0).is_some();
            // Dwords of an element follow the swizzle; only the first byte is checked.
            let open = BufferDescriptor {
                oob_select: OobSelect::NumRecordsZero,
                ..d
            };
            let mut component = Vec::new();
            let mut first = 0;
            for &width in widths {
                let place = address(&open, 0, &at, first).filter(|_| inside);
                component.push(load(place, width).unwrap());
                first += width;
            }
            for (i, s) in select.into_iter().enumerate() {
                let want = match s {
                    0 => 0,
                    1 => 1,
                    s => component.get(s as usize - 4).copied().unwrap_or(0),
                };
                assert_eq!(
                    found[4 * lane + i],
                    want,
                    "lane {lane} {i} {d:#x?} {:x?}",
                    world.facts
                );
            }
        }
    }
}
