//! Files whose payloads are changed and whose check sums are right: what a
//! check sum hides from a damage test, a hostile file does not.

/// Fixed part of the head of a block; see docs/formats/diya.md.
const FIXED_BYTES: usize = 36;

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(*bytes[at..].first_chunk().expect("four bytes")) as usize
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes(*bytes[at..].first_chunk().expect("two bytes")))
}

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

fn inflate(stored: &[u8], bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    flate2::Decompress::new(false)
        .decompress(stored, &mut out, flate2::FlushDecompress::Finish)
        .expect("a block of the writer inflates");
    out
}

/// The file with each payload, uncompressed, changed by `change`. It has no
/// index.
pub fn forge(file: &[u8], mut change: impl FnMut(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = file[..16].to_vec();
    let mut at = 16;
    while file[at..].starts_with(b"DIYABLK\n") {
        let head = &file[at..];
        let end = FIXED_BYTES + u16_at(head, 10) + u16_at(head, 12);
        let [rows, raw, stored, plain] = [16, 20, 24, 28].map(|place| u32_at(head, place));
        let payload = &head[end + 4..end + 4 + stored + plain];
        let coded = &payload[..stored];
        let mut coded = if head[9] == 1 { inflate(coded, raw) } else { coded.to_vec() };
        if head[8] != 5 {
            change(&mut coded);
        }
        let len = (coded.len() as u32).to_le_bytes();
        let mut body = coded;
        body.extend_from_slice(&payload[stored..]);
        let mut new = head[..end].to_vec();
        new[9] = 0;
        new[16..20].copy_from_slice(&(rows as u32).to_le_bytes());
        new[20..24].copy_from_slice(&len);
        new[24..28].copy_from_slice(&len);
        new[32..36].copy_from_slice(&crc32(&body));
        let crc = crc32(&new);
        if head[8] != 5 {
            out.extend(new);
            out.extend(crc);
            out.extend(body);
        }
        at += end + 4 + stored + plain;
    }
    out
}
