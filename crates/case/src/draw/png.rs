//! Pictures as PNG files: eight bits of red, green and blue. Knows the file format and nothing of draws.

/// A PNG file of `width` × `height` pixels of three bytes each, row by row.
///
/// # Errors
/// There are not as many bytes, or no pixel.
pub fn encode(width: u32, height: u32, rgb: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(file)
}
