//! Numbers that tell contents apart.

use crate::space::{Frame, Point};

/// FNV-1a over words of eight bytes: quick, and good enough to notice accidents.
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub fn word(&mut self, word: u64) {
        // Rotated, because a product carries upwards only.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            self.word(byte.into());
        }
    }

    /// A coordinate, to the last bit; both zeros are one.
    pub fn number(&mut self, number: f64) {
        self.word(if number == 0.0 { 0 } else { number.to_bits() });
    }

    pub fn point(&mut self, point: Point) {
        for part in <[f64; 3]>::from(point) {
            self.number(part);
        }
    }

    pub fn frame(&mut self, frame: &Frame) {
        self.point(frame.origin());
        self.number(frame.cell_size());
    }

    pub fn finish(self) -> u64 {
        self.0
    }
}

/// The digest of some bytes.
pub(crate) fn digest_of(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.finish()
}
