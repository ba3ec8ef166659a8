//! The data of the draw `knot`: a trefoil tube with normals and places in its texture, and a texture with
//! levels. Owns how they are computed; the draw file names what is written here.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Rings along the knot, and corners of a ring.
const RINGS: u32 = 160;
const CORNERS: u32 = 14;
/// Radius of the tube.
const TUBE: f64 = 0.27;
/// Width and height of the texture.
const TEXELS: u32 = 64;

type Vec3 = [f64; 3];

fn add(a: Vec3, b: Vec3, by: f64) -> Vec3 {
    [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn unit(a: Vec3) -> Vec3 {
    let length = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    a.map(|x| x / length)
}

/// The middle of the tube.
fn middle(t: f64) -> Vec3 {
    [
        0.4 * (t.sin() + 2.0 * (2.0 * t).sin()),
        0.4 * (t.cos() - 2.0 * (2.0 * t).cos()),
        -0.4 * (3.0 * t).sin(),
    ]
}

/// Writes `vertices.bin`, `indices.bin` and `texels.bin`.
pub fn write(folder: &Path) -> Result<()> {
    let (vertices, indices) = tube();
    for (name, bytes) in [
        ("vertices.bin", vertices),
        ("indices.bin", indices),
        ("texels.bin", texture()),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Vertices of position, normal and place in the texture, and triangles of 16-bit numbers.
fn tube() -> (Vec<u8>, Vec<u8>) {
    let mut vertices = Vec::new();
    for ring in 0..=RINGS {
        let t = TAU * f64::from(ring) / f64::from(RINGS);
        let along = unit(add(middle(t + 1e-4), middle(t - 1e-4), -1.0));
        // Away from the axis through the hole, across the tube.
        let side = unit(cross(along, [0.0, 0.0, 1.0]));
        let up = cross(side, along);
        for corner in 0..=CORNERS {
            let angle = TAU * f64::from(corner) / f64::from(CORNERS);
            let normal = add(side.map(|x| x * angle.cos()), up, angle.sin());
            let place = add(middle(t), normal, TUBE);
            let (u, v) = (
                16.0 * f64::from(ring) / f64::from(RINGS),
                2.0 * f64::from(corner) / f64::from(CORNERS),
            );
            for x in place.into_iter().chain(normal).chain([u, v]) {
                vertices.extend((x as f32).to_le_bytes());
            }
        }
    }
    let mut indices = Vec::new();
    for ring in 0..RINGS {
        for corner in 0..CORNERS {
            let a = ring * (CORNERS + 1) + corner;
            let b = a + CORNERS + 1;
            for number in [a, b, a + 1, a + 1, b, b + 1] {
                indices.extend((number as u16).to_le_bytes());
            }
        }
    }
    (vertices, indices)
}

/// All levels of tiles with darker joints, each level the averages of the one above it.
fn texture() -> Vec<u8> {
    let mut level: Vec<[f64; 3]> = Vec::new();
    for y in 0..TEXELS {
        for x in 0..TEXELS {
            let (half, joint) = (TEXELS / 2, 3);
            let at_joint = x % half < joint || y % half < joint;
            let odd = (x / half + y / half) % 2 == 1;
            // A cheap grain, so that levels can be told apart.
            let grain = f64::from((x * 7 + y * 13) % 11) / 100.0;
            level.push(match (at_joint, odd) {
                (true, _) => [0.16, 0.15, 0.2],
                (false, true) => [0.92 - grain, 0.62 - grain, 0.2],
                (false, false) => [0.2, 0.5 - grain, 0.78 - grain],
            });
        }
    }
    let mut bytes = Vec::new();
    let mut size = TEXELS as usize;
    loop {
        for color in &level {
            bytes.extend(color.map(|x| (x * 255.0).round() as u8));
            bytes.push(255);
        }
        if size == 1 {
            return bytes;
        }
        let (old, half) = (level, size / 2);
        let quarter = |x: usize, y: usize, c: usize| {
            let at = |dx, dy| old.get((2 * y + dy) * size + 2 * x + dx);
            let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
            four.iter().flatten().map(|texel| texel[c]).sum::<f64>() / 4.0
        };
        let places = (0..half * half).map(|i| (i % half, i / half));
        level = places
            .map(|(x, y)| [0, 1, 2].map(|c| quarter(x, y, c)))
            .collect();
        size = half;
    }
}
