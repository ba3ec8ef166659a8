//! rocSPARSE kernels on matrices of small whole numbers: every sum is exact in whatever order it is
//! made, so the models are plain loops. They know no machine code.

use super::{LibrarySeed, Region};
use crate::seeds::noise;

/// The seeds of vectors and of matrices.
pub fn all() -> Vec<LibrarySeed> {
    let mut all = vectors();
    all.extend(conversions());
    all.extend(products());
    all
}

fn bits32(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn bits64(values: &[f64]) -> Vec<u32> {
    values
        .iter()
        .flat_map(|v| {
            let bits = v.to_bits();
            [bits as u32, (bits >> 32) as u32]
        })
        .collect()
}

/// Whole numbers from -8 to 7.
fn small(seed: u64, count: usize) -> Vec<f32> {
    noise(seed, count)
        .iter()
        .map(|v| (v >> 28) as f32 - 8.0)
        .collect()
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&v| f64::from(v)).collect()
}

/// `count` different indices below `range`, plus `base`, in no order.
fn indices(seed: u64, count: usize, range: u32, base: u32) -> Vec<u32> {
    let mut all: Vec<(u32, u32)> = noise(seed, range as usize)
        .into_iter()
        .zip(base..)
        .collect();
    all.sort_unstable();
    all.into_iter().take(count).map(|(_, i)| i).collect()
}

fn memory(name: &str) -> String {
    format!("{{ memory = \"{name}\" }}")
}

fn at<T: Copy + Default>(values: &[T], index: u32, base: u32) -> T {
    values
        .get((index - base) as usize)
        .copied()
        .unwrap_or_default()
}

/// Kernels on a sparse and a dense vector.
fn vectors() -> Vec<LibrarySeed> {
    const COUNT: usize = 300;
    const RANGE: u32 = 500;
    let (x, y) = (small(51, COUNT), small(52, RANGE as usize));
    let (xd, yd) = (wide(&x), wide(&y));
    let zero = indices(53, COUNT, RANGE, 0);
    let one = indices(54, COUNT, RANGE, 1);
    let count = COUNT.to_string();
    let sparse = |name, about, symbol, arguments: Vec<String>, regions| LibrarySeed {
        name,
        about,
        library: "sparse",
        symbol,
        groups: 1,
        local: 512,
        arguments,
        regions,
    };

    let mut axpyi = y.clone();
    for (&i, &v) in one.iter().zip(&x) {
        if let Some(y) = axpyi.get_mut(i as usize - 1) {
            *y += 3.0 * v;
        }
    }
    let gathered: Vec<f32> = zero.iter().map(|&i| at(&y, i, 0)).collect();
    let gathered_wide: Vec<f64> = one.iter().map(|&i| at(&yd, i, 1)).collect();
    let mut zeroed = yd.clone();
    let mut scattered = yd.clone();
    for (&i, &v) in one.iter().zip(&xd) {
        if let Some(y) = zeroed.get_mut(i as usize - 1) {
            *y = 0.0;
        }
        if let Some(y) = scattered.get_mut(i as usize - 1) {
            *y = v;
        }
    }
    let (mut turned_x, mut turned_y) = (x.clone(), y.clone());
    for (&i, x) in zero.iter().zip(&mut turned_x) {
        if let Some(y) = turned_y.get_mut(i as usize) {
            (*x, *y) = (0.5 * *x + 2.0 * *y, 0.5 * *y - 2.0 * *x);
        }
    }
    let scaled: Vec<f32> = y.iter().map(|v| v * -2.5).collect();
    let scaled_wide: Vec<f64> = yd.iter().map(|v| v * 0.75).collect();
    vec![
        LibrarySeed {
            groups: 2,
            local: 256,
            ..sparse(
                "rocsparse_axpyi",
                "y[index] += 3 x, indices from 1.",
                "_ZL12axpyi_kernelILj256EiffEvT0_T2_PKT1_PKS0_PS2_21rocsparse_index_base_",
                vec![
                    count.clone(),
                    "3.0".into(),
                    memory("x"),
                    memory("index"),
                    memory("y"),
                    "1".into(),
                ],
                vec![
                    Region::input("x", bits32(&x)),
                    Region::input("index", one.clone()),
                    Region::changed("y", bits32(&y), bits32(&axpyi)),
                ],
            )
        },
        LibrarySeed {
            groups: 2,
            local: 256,
            ..sparse(
                "rocsparse_axpby_scale",
                "y *= -2.5.",
                "_ZL18axpby_scale_kernelILj256EiffEvT0_T2_PT1_",
                vec![RANGE.to_string(), "-2.5".into(), memory("y")],
                vec![Region::changed("y", bits32(&y), bits32(&scaled))],
            )
        },
        LibrarySeed {
            local: 1024,
            ..sparse(
                "rocsparse_coomv_scale",
                "y *= 0.75, double.",
                "_ZL11coomv_scaleILj1024EiddEvT0_T2_PT1_",
                vec![RANGE.to_string(), "0.75".into(), memory("y")],
                vec![Region::changed("y", bits64(&yd), bits64(&scaled_wide))],
            )
        },
        sparse(
            "rocsparse_gthr",
            "x = y[index].",
            "_ZL11gthr_kernelILj512EifEvT0_PKT1_PS1_PKS0_21rocsparse_index_base_",
            vec![
                count.clone(),
                memory("y"),
                memory("x"),
                memory("index"),
                "0".into(),
            ],
            vec![
                Region::input("y", bits32(&y)),
                Region::input("index", zero.clone()),
                Region::filled("x", bits32(&gathered)),
            ],
        ),
        sparse(
            "rocsparse_gthrz",
            "x = y[index], then y[index] = 0; double, indices from 1.",
            "_ZL12gthrz_kernelILj512EdEviPT0_S1_PKi21rocsparse_index_base_",
            vec![
                count.clone(),
                memory("y"),
                memory("x"),
                memory("index"),
                "1".into(),
            ],
            vec![
                Region::changed("y", bits64(&yd), bits64(&zeroed)),
                Region::input("index", one.clone()),
                Region::filled("x", bits64(&gathered_wide)),
            ],
        ),
        sparse(
            "rocsparse_sctr",
            "y[index] = x, double, indices from 1.",
            "_ZL11sctr_kernelILj512EidEvT0_PKT1_PKS0_PS1_21rocsparse_index_base_",
            vec![
                count.clone(),
                memory("x"),
                memory("index"),
                memory("y"),
                "1".into(),
            ],
            vec![
                Region::input("x", bits64(&xd)),
                Region::input("index", one),
                Region::changed("y", bits64(&yd), bits64(&scattered)),
            ],
        ),
        sparse(
            "rocsparse_roti",
            "A plane rotation of x and y[index] with c = 0.5 and s = 2.",
            "_ZL11roti_kernelILj512EiffEvT0_PT1_PKS0_S2_T2_S5_21rocsparse_index_base_",
            vec![
                count,
                memory("x"),
                memory("index"),
                memory("y"),
                "0.5".into(),
                "2.0".into(),
                "0".into(),
            ],
            vec![
                Region::changed("x", bits32(&x), bits32(&turned_x)),
                Region::input("index", zero),
                Region::changed("y", bits32(&y), bits32(&turned_y)),
            ],
        ),
    ]
}

/// A sparse matrix by rows, indices from `base` on.
struct Csr {
    rows: usize,
    columns: u32,
    base: u32,
    row_begin: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f32>,
}

impl Csr {
    /// Rows of 0 to `most` entries at ascending columns.
    fn random(seed: u64, rows: usize, columns: u32, most: u32, base: u32) -> Self {
        let (mut row_begin, mut column) = (vec![base], vec![]);
        for (row, length) in noise(seed, rows).into_iter().enumerate() {
            let length = (length >> 8) % (most + 1);
            let mut picked = indices(seed + 100 + row as u64, length as usize, columns, base);
            picked.sort_unstable();
            column.extend(picked);
            row_begin.push(base + column.len() as u32);
        }
        let value = small(seed + 1, column.len());
        Self {
            rows,
            columns,
            base,
            row_begin,
            column,
            value,
        }
    }

    /// (row, column, value), rows and columns from 0.
    fn entries(&self) -> impl Iterator<Item = (usize, usize, f32)> + '_ {
        self.row_begin
            .windows(2)
            .enumerate()
            .flat_map(move |(row, ends)| {
                let range = match ends {
                    [from, to] => (from - self.base) as usize..(to - self.base) as usize,
                    _ => 0..0,
                };
                range.filter_map(move |k| {
                    let column = (self.column.get(k)? - self.base) as usize;
                    Some((row, column, *self.value.get(k)?))
                })
            })
    }

    /// The row of each entry, from `base` on.
    fn row_of_each(&self) -> Vec<u32> {
        self.entries()
            .map(|(row, ..)| row as u32 + self.base)
            .collect()
    }

    /// alpha times the matrix times x, plus beta times y.
    fn times(&self, alpha: f32, x: &[f32], beta: f32, y: &[f32]) -> Vec<f32> {
        let mut out: Vec<f32> = y.iter().map(|v| beta * v).collect();
        for (row, column, value) in self.entries() {
            if let (Some(out), Some(x)) = (out.get_mut(row), x.get(column)) {
                *out += alpha * value * x;
            }
        }
        out
    }

    /// The ELL form: `width` entries a row, column-major; unused ones have the column -1 (from `base`).
    fn ell(&self) -> (usize, Vec<u32>, Vec<f32>) {
        let mut length = vec![0; self.rows];
        for (row, ..) in self.entries() {
            if let Some(n) = length.get_mut(row) {
                *n += 1;
            }
        }
        let width = length.iter().copied().max().unwrap_or(0);
        let mut column = vec![self.base.wrapping_sub(1); width * self.rows];
        let mut value = vec![0.0; width * self.rows];
        let mut used = vec![0; self.rows];
        for (row, c, v) in self.entries() {
            if let Some(k) = used.get_mut(row) {
                let place = *k * self.rows + row;
                *k += 1;
                if let (Some(to), Some(slot)) = (column.get_mut(place), value.get_mut(place)) {
                    (*to, *slot) = (c as u32 + self.base, v);
                }
            }
        }
        (width, column, value)
    }
}

/// Kernels that bring a matrix from one form to another.
fn conversions() -> Vec<LibrarySeed> {
    let matrix = Csr::random(61, 37, 29, 9, 1);
    let rows = matrix.rows.to_string();
    let entries = matrix.column.len().to_string();
    let row_of_each = matrix.row_of_each();
    let (width, ell_column, ell_value) = matrix.ell();
    let lead = 40;
    let mut dense = vec![0.0; lead * matrix.columns as usize];
    for (row, column, value) in matrix.entries() {
        if let Some(to) = dense.get_mut(column * lead + row) {
            *to = value;
        }
    }
    let longest = matrix.row_begin.windows(2).map(|e| match e {
        [from, to] => to - from,
        _ => 0,
    });
    let longest = longest.max().unwrap_or(0);
    let order = indices(63, matrix.column.len(), matrix.column.len() as u32, 0);
    let pick = |from: &[u32]| order.iter().map(|&i| at(from, i, 0)).collect::<Vec<u32>>();
    let values = bits32(&matrix.value);
    let seed = |name, about, symbol, arguments: Vec<String>, regions| LibrarySeed {
        name,
        about,
        library: "sparse",
        symbol,
        groups: 1,
        local: 512,
        arguments,
        regions,
    };
    vec![
        LibrarySeed {
            groups: 2,
            ..seed(
                "rocsparse_csr2coo",
                "The row of each entry, sixteen lanes a row.",
                "_ZL14csr2coo_kernelILj512ELj16EiiEvT2_PKT1_PS0_21rocsparse_index_base_",
                vec![rows.clone(), memory("rows"), memory("out"), "1".into()],
                vec![
                    Region::input("rows", matrix.row_begin.clone()),
                    Region::filled("out", row_of_each.clone()),
                ],
            )
        },
        seed(
            "rocsparse_coo2csr",
            "The begin of each row among sorted row indices, by bisection.",
            "_ZL14coo2csr_kernelILj512EiiEvT1_T0_PKS0_PS1_21rocsparse_index_base_",
            vec![
                rows.clone(),
                entries.clone(),
                memory("each"),
                memory("out"),
                "1".into(),
            ],
            vec![
                Region::input("each", row_of_each.clone()),
                Region::filled("out", matrix.row_begin.clone()),
            ],
        ),
        seed(
            "rocsparse_csr2csc_permute",
            "Indices and values put into a given order.",
            "_ZL22csr2csc_permute_kernelILj512EfEviPKiPKT0_S1_PiPS2_",
            vec![
                entries.clone(),
                memory("index"),
                memory("value"),
                memory("order"),
                memory("index_out"),
                memory("value_out"),
            ],
            vec![
                Region::input("index", row_of_each.clone()),
                Region::input("value", values.clone()),
                Region::input("order", order.clone()),
                Region::filled("index_out", pick(&row_of_each)),
                Region::filled("value_out", pick(&values)),
            ],
        ),
        seed(
            "rocsparse_coo2dense",
            "Entries put into a column-major matrix of zeros.",
            "_ZL16coo2dense_kernelILj512EifEvT0_S0_S0_S0_21rocsparse_index_base_PKT1_PKS0_S6_PS2_16rocsparse_order_",
            vec![
                rows.clone(),
                matrix.columns.to_string(),
                entries.clone(),
                lead.to_string(),
                "1".into(),
                memory("value"),
                memory("row"),
                memory("column"),
                memory("dense"),
                "1".into(),
            ],
            vec![
                Region::input("value", values.clone()),
                Region::input("row", row_of_each),
                Region::input("column", matrix.column.clone()),
                Region::changed("dense", vec![0; dense.len()], bits32(&dense)),
            ],
        ),
        LibrarySeed {
            local: 256,
            ..seed(
                "rocsparse_ell2csr_fill",
                "Rows of equal width packed into rows of their own lengths.",
                "_ZL12ell2csr_fillILj256EfEviiiPKiPKT0_21rocsparse_index_base_S1_PiPS2_S5_",
                vec![
                    rows.clone(),
                    matrix.columns.to_string(),
                    width.to_string(),
                    memory("ell_column"),
                    memory("ell_value"),
                    "1".into(),
                    memory("rows"),
                    memory("column"),
                    memory("value"),
                    "1".into(),
                ],
                vec![
                    Region::input("ell_column", ell_column),
                    Region::input("ell_value", bits32(&ell_value)),
                    Region::input("rows", matrix.row_begin.clone()),
                    Region::filled("column", matrix.column.clone()),
                    Region::filled("value", values),
                ],
            )
        },
        LibrarySeed {
            local: 256,
            ..seed(
                "rocsparse_csr_max_nnz_per_row",
                "The length of the longest row: a tree in LDS and an atomic maximum.",
                "_ZL19csr_max_nnz_per_rowILj256EiEvT0_PKS0_PS0_",
                vec![rows, memory("rows"), memory("longest")],
                vec![
                    Region::input("rows", matrix.row_begin.clone()),
                    Region::changed("longest", vec![0], vec![longest]),
                ],
            )
        },
        seed(
            "rocsparse_identity",
            "The numbers from 0 on, 64 bits.",
            "_ZL15identity_kernelILj512ElEvT0_PS0_",
            vec!["300".into(), memory("out")],
            vec![Region::filled(
                "out",
                (0..300).flat_map(|i| [i, 0]).collect(),
            )],
        ),
    ]
}

/// Products of a matrix and a vector.
fn products() -> Vec<LibrarySeed> {
    let matrix = Csr::random(71, 37, 29, 20, 0);
    let x = small(73, matrix.columns as usize);
    let y = small(74, matrix.rows);
    let rows = matrix.rows.to_string();
    let product = matrix.times(3.0, &x, -2.0, &y);
    let added = matrix.times(3.0, &x, 1.0, &y);
    let values = bits32(&matrix.value);
    let mut transposed = x.clone();
    for (row, column, value) in matrix.entries() {
        if let (Some(out), Some(y)) = (transposed.get_mut(column), y.get(row)) {
            *out += 2.0 * value * y;
        }
    }
    let (width, ell_column, ell_value) = matrix.ell();
    let dot_index = indices(75, 500, 600, 1);
    let (dot_x, dot_y) = (small(76, 500), small(77, 600));
    // Two groups of 256 threads stride over the elements.
    let mut dot = [0.0_f32; 2];
    for (k, (&i, &v)) in dot_index.iter().zip(&dot_x).enumerate() {
        if let Some(sum) = dot.get_mut(k / 256 % 2) {
            *sum += v * at(&dot_y, i, 1);
        }
    }
    let seed = |name, about, symbol, groups, arguments: Vec<String>, regions| LibrarySeed {
        name,
        about,
        library: "sparse",
        symbol,
        groups,
        local: 512,
        arguments,
        regions,
    };
    let csr = |wide_values: bool| {
        vec![
            Region::input("rows", matrix.row_begin.clone()),
            Region::input("column", matrix.column.clone()),
            Region::input(
                "value",
                if wide_values {
                    bits64(&wide(&matrix.value))
                } else {
                    values.clone()
                },
            ),
        ]
    };
    let csrmv = |name, about, symbol, groups, is_wide: bool| {
        let bits = |v: &[f32]| if is_wide { bits64(&wide(v)) } else { bits32(v) };
        let mut regions = csr(is_wide);
        regions.push(Region::input("x", bits(&x)));
        regions.push(Region::changed("y", bits(&y), bits(&product)));
        let arguments = vec![
            "0".into(),
            rows.clone(),
            "3.0".into(),
            memory("rows"),
            memory("column"),
            memory("value"),
            memory("x"),
            "-2.0".into(),
            memory("y"),
            "0".into(),
        ];
        seed(name, about, symbol, groups, arguments, regions)
    };
    let csrmvt = |name, about, symbol, is_wide: bool| {
        let bits = |v: &[f32]| if is_wide { bits64(&wide(v)) } else { bits32(v) };
        let mut regions = csr(is_wide);
        regions.push(Region::input("x", bits(&y)));
        regions.push(Region::changed("y", bits(&x), bits(&transposed)));
        let arguments = vec![
            "0".into(),
            rows.clone(),
            "2.0".into(),
            memory("rows"),
            memory("column"),
            memory("value"),
            memory("x"),
            memory("y"),
            "0".into(),
        ];
        LibrarySeed {
            local: 256,
            ..seed(name, about, symbol, 1, arguments, regions)
        }
    };
    vec![
        csrmv(
            "rocsparse_csrmvn_8",
            "y = 3 A x - 2 y by rows, eight lanes a row.",
            "_ZL21csrmvn_general_kernelILj512ELj8EiiffEvbT2_T4_PKT1_PKS0_PKT3_S9_S1_PS7_21rocsparse_index_base_",
            1,
            false,
        ),
        csrmv(
            "rocsparse_csrmvn_32_double",
            "y = 3 A x - 2 y by rows, a wave a row, double.",
            "_ZL21csrmvn_general_kernelILj512ELj32EiiddEvbT2_T4_PKT1_PKS0_PKT3_S9_S1_PS7_21rocsparse_index_base_",
            3,
            true,
        ),
        csrmvt(
            "rocsparse_csrmvt",
            "y += 2 A^T x: float sums by compare and swap.",
            "_ZL21csrmvt_general_kernelILj256ELj8EiiffEvbT2_T4_PKT1_PKS0_PKT3_S9_PS7_21rocsparse_index_base_",
            false,
        ),
        csrmvt(
            "rocsparse_csrmvt_double",
            "y += 2 A^T x: double sums by 64-bit compare and swap.",
            "_ZL21csrmvt_general_kernelILj256ELj16EiiddEvbT2_T4_PKT1_PKS0_PKT3_S9_PS7_21rocsparse_index_base_",
            true,
        ),
        LibrarySeed {
            local: 256,
            ..seed(
                "rocsparse_coomvn_atomic",
                "y += 3 A x by entries: segmented sums in LDS, then atomics.",
                "_ZL19coomvn_atomic_loopsILj256ELj1EiffEvT1_T3_PKS0_S3_PKT2_S6_PS4_21rocsparse_index_base_",
                matrix.column.len().div_ceil(256) as u32,
                vec![
                    matrix.column.len().to_string(),
                    "3.0".into(),
                    memory("row"),
                    memory("column"),
                    memory("value"),
                    memory("x"),
                    memory("y"),
                    "0".into(),
                ],
                vec![
                    Region::input("row", matrix.row_of_each()),
                    Region::input("column", matrix.column.clone()),
                    Region::input("value", values.clone()),
                    Region::input("x", bits32(&x)),
                    Region::changed("y", bits32(&y), bits32(&added)),
                ],
            )
        },
        seed(
            "rocsparse_ellmvn",
            "y = 3 A x - 2 y with rows of equal width.",
            "_ZL13ellmvn_kernelILj512EiffEvT0_S0_S0_T2_PKS0_PKT1_S6_S1_PS4_21rocsparse_index_base_",
            1,
            vec![
                rows,
                matrix.columns.to_string(),
                width.to_string(),
                "3.0".into(),
                memory("column"),
                memory("value"),
                memory("x"),
                "-2.0".into(),
                memory("y"),
                "0".into(),
            ],
            vec![
                Region::input("column", ell_column),
                Region::input("value", bits32(&ell_value)),
                Region::input("x", bits32(&x)),
                Region::changed("y", bits32(&y), bits32(&product)),
            ],
        ),
        LibrarySeed {
            local: 256,
            ..seed(
                "rocsparse_doti_part1",
                "The parts of x times y[index] that two groups sum.",
                "_ZL17doti_kernel_part1ILj256EifEvT0_PKT1_PKS0_S3_PS1_21rocsparse_index_base_",
                2,
                vec![
                    "500".into(),
                    memory("x"),
                    memory("index"),
                    memory("y"),
                    memory("out"),
                    "1".into(),
                ],
                vec![
                    Region::input("x", bits32(&dot_x)),
                    Region::input("index", dot_index),
                    Region::input("y", bits32(&dot_y)),
                    Region::filled("out", bits32(&dot)),
                ],
            )
        },
    ]
}
