//! Pictures of draws as files: a PNG each, a sheet of pairs, targets as raw bytes. Knows no device.

use std::path::Path;

use spirdna_case::draw::{DrawCase, Image, Picture, png};
use spirdna_vulkan::draw::Format;

use crate::error::CliError;

/// White pixels between the pictures of a sheet.
const GAP: u32 = 4;

/// The first layer of an image in bytes of red, green and blue; none where its format has no such picture.
fn rgb(image: &Image, pixels: usize) -> Option<Vec<u8>> {
    let mut all: Vec<u8> = match image.format {
        Format::R8G8B8A8Unorm | Format::R8G8B8A8Srgb => image
            .data
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|[r, g, b, _]| [*r, *g, *b])
            .collect(),
        Format::R32G32B32A32Sfloat => {
            let byte = |bytes: [u8; 4]| (f32::from_le_bytes(bytes) * 255.0).round() as u8;
            let texels = image.data.as_chunks::<4>().0.as_chunks::<4>().0;
            let colors = texels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]);
            colors.map(byte).collect()
        }
        _ => return None,
    };
    all.truncate(3 * pixels);
    Some(all)
}

fn encode(width: u32, height: u32, rgb: &[u8]) -> Result<Vec<u8>, CliError> {
    png::encode(width, height, rgb).map_err(|e| CliError::Usage(e.to_string()))
}

/// The first target as `NAME.png`, if it has a picture.
pub(super) fn write(
    folder: &Path,
    case: &DrawCase,
    suffix: &str,
    picture: &Picture,
) -> Result<(), CliError> {
    let [width, height] = case.size;
    let first = picture.colors.first();
    let Some(rgb) = first.and_then(|image| rgb(image, (width * height) as usize)) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder)?;
    let file = folder.join(format!("{}{suffix}.png", case.name));
    std::fs::write(file, encode(width, height, &rgb)?)?;
    Ok(())
}

/// All targets as `NAME.color0.bin` on.
pub(super) fn dump(
    folder: &Path,
    case: &DrawCase,
    suffix: &str,
    picture: &Picture,
) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)?;
    for (i, image) in picture.colors.iter().enumerate() {
        let file = folder.join(format!("{}{suffix}.color{i}.bin", case.name));
        std::fs::write(file, &image.data)?;
    }
    Ok(())
}

/// Pairs of pictures under each other: the original's on the left, the translation's on the right.
#[derive(Default)]
pub(super) struct Sheet {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Sheet {
    /// Adds a pair, and says how many pixels of the targets and of the two pictures differ; `None` where the
    /// target has no picture.
    pub(super) fn add(
        &mut self,
        case: &DrawCase,
        original: &Picture,
        picture: &Picture,
    ) -> Result<Option<[usize; 2]>, CliError> {
        let [width, height] = case.size;
        let pixels = (width * height) as usize;
        let (Some(left), Some(right)) = (original.colors.first(), picture.colors.first()) else {
            return Ok(None);
        };
        let (Some(a), Some(b)) = (rgb(left, pixels), rgb(right, pixels)) else {
            return Ok(None);
        };
        let whole = 2 * width + GAP;
        if self.height > 0 {
            if self.width != whole {
                return Err(CliError::Usage("pictures of one size".to_owned()));
            }
            self.rgb
                .resize(self.rgb.len() + (3 * whole * GAP) as usize, 255);
            self.height += GAP;
        }
        self.width = whole;
        self.height += height;
        let row = 3 * width as usize;
        for (x, y) in a.chunks(row).zip(b.chunks(row)) {
            self.rgb.extend(x);
            self.rgb.extend([255; 3 * GAP as usize]);
            self.rgb.extend(y);
        }
        let bytes = left.format.bytes() as usize;
        let count = |x: &[u8], y: &[u8], each: usize| {
            let pairs = x.chunks(each).zip(y.chunks(each));
            pairs.filter(|(x, y)| x != y).count()
        };
        Ok(Some([
            count(&left.data, &right.data, bytes),
            count(&a, &b, 3),
        ]))
    }

    /// Writes it.
    pub(super) fn write(&self, file: &Path) -> Result<(), CliError> {
        if self.height == 0 {
            return Err(CliError::Usage("no pictures for a sheet".to_owned()));
        }
        std::fs::write(file, encode(self.width, self.height, &self.rgb)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_the_nearest_byte() {
        let texel = [0.0_f32, 0.5, 2.0, 1.0];
        let image = Image {
            format: Format::R32G32B32A32Sfloat,
            data: texel.iter().flat_map(|x| x.to_le_bytes()).collect(),
        };
        assert_eq!(rgb(&image, 1), Some(vec![0, 128, 255]));
    }
}
