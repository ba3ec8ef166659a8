//! Pictures as PNG files: eight bits, without compression. Knows the file format and nothing of draws.
//!
//! Source: the PNG specification (chunks, filter 0), RFC 1950 and 1951 (stored blocks).

/// A PNG file of `width` × `height` pixels of three bytes each, row by row; rows that are missing are left out.
pub fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits, red green blue, the only compression and filters, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    let mut rows = Vec::new();
    for row in rgb.chunks(3 * width.max(1) as usize) {
        rows.push(0);
        rows.extend(row);
    }
    chunk(&mut file, b"IDAT", &zlib(&rows));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    let crc = crc32(file.get(start..).unwrap_or_default());
    file.extend(crc.to_be_bytes());
}

/// Stored blocks with the sum behind them.
fn zlib(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let blocks = data.chunks(0xffff);
    let last = blocks.len().saturating_sub(1);
    for (i, block) in blocks.enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(i == last));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_specifications() {
        // The check value of CRC-32, and the Adler-32 of "Wikipedia".
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(
            zlib(b"Wikipedia").last_chunk(),
            Some(&[0x11, 0xe6, 0x03, 0x98])
        );
    }

    #[test]
    fn a_picture_has_its_chunks() {
        let file = encode(1, 2, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(file.get(12..24), Some(&b"IHDR\0\0\0\x01\0\0\0\x02"[..]));
        // Two rows of a filter byte and three others, in one stored block.
        assert!(file.windows(8).any(|w| w == [0, 1, 2, 3, 0, 4, 5, 6]));
    }
}
