//! A ring of buckets (Dial, *Algorithm 360*, CACM 1969; Denardo and Fox 1979 for buckets wider than one key).

use super::{Entry, OpenList};

/// Buckets in the ring. A power of two.
const RING: usize = 1024;
/// Into how many buckets the keys that one step can reach are spread: more sort better, fewer are walked faster.
const BUCKETS_PER_SPREAD: u64 = 32;
/// The end of a chain.
const END: u32 = u32::MAX;

/// No bucket is the present one yet.
const UNSET: u64 = u64::MAX;

/// Entries in buckets of equal key width, the youngest of a bucket first.
///
/// Within a bucket keys are not sorted, so a node may be expanded before its best way is known and again after: the
/// kernel allows that, and stops only when no key below the goal's cost is left. Entries beyond the ring wait in a list
/// of their own and are spread out when the ring is empty; a key below the present bucket is put into it.
///
/// A bucket is a chain of places in one pool, so memory follows the most entries ever held at once, not where they lay.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    pool: Vec<(Entry, u32)>,
    free: u32,
    heads: Vec<u32>,
    /// One bit for each bucket that may hold something.
    occupied: [u64; RING / 64],
    /// The present bucket, counted from key 0: the first entry sets it.
    present: u64,
    shift: u32,
    beyond: Vec<Entry>,
    /// The youngest entry of the present bucket, if it has not been followed by another: most are taken at once.
    hand: Option<Entry>,
    len: usize,
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            pool: Vec::new(),
            free: END,
            heads: vec![END; RING],
            occupied: [0; RING / 64],
            present: UNSET,
            shift: 0,
            beyond: Vec::new(),
            hand: None,
            len: 0,
        }
    }
}

impl Buckets {
    /// The bucket of a key, counted from key 0.
    #[inline]
    pub(super) fn bucket_of(&self, key: u64) -> u64 {
        key >> self.shift
    }

    /// Puts an entry into the ring; `false` if its bucket is beyond it.
    #[inline]
    fn place(&mut self, entry: Entry) -> bool {
        let bucket = self.bucket_of(entry.key).max(self.present);
        if bucket - self.present >= RING as u64 {
            return false;
        }
        let slot = bucket as usize % RING;
        let place = self.free;
        let next = self.heads[slot];
        if let Some(kept) = self.pool.get_mut(place as usize) {
            self.free = kept.1;
            *kept = (entry, next);
            self.heads[slot] = place;
        } else {
            self.heads[slot] = self.pool.len() as u32;
            self.pool.push((entry, next));
        }
        self.occupied[slot / 64] |= 1 << (slot % 64);
        true
    }

    /// Takes the youngest entry of a bucket.
    #[inline]
    fn take(&mut self, slot: usize) -> Option<Entry> {
        let place = self.heads[slot];
        let (entry, next) = self.pool.get_mut(place as usize)?;
        let entry = *entry;
        self.heads[slot] = std::mem::replace(next, self.free);
        self.free = place;
        Some(entry)
    }

    /// Moves on to the next bucket that may hold something; `false` if there is none.
    fn advance(&mut self) -> bool {
        let slot = self.present as usize % RING;
        // The words of the ring in order, beginning and ending with the two parts of the present one.
        for step in 0..=RING / 64 {
            let word = (slot / 64 + step) % (RING / 64);
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= u64::MAX << (slot % 64);
            } else if step == RING / 64 {
                bits &= !(u64::MAX << (slot % 64));
            }
            if bits != 0 {
                let next = word * 64 + bits.trailing_zeros() as usize;
                self.present += ((next + RING - slot) % RING) as u64;
                return true;
            }
        }
        self.fetch_from_beyond()
    }

    /// Fills the empty ring with the entries that waited beyond it; `false` if there were none.
    fn fetch_from_beyond(&mut self) -> bool {
        let Some(least) = self.beyond.iter().map(|entry| entry.key).min() else { return false };
        self.present = self.bucket_of(least);
        let mut kept = 0;
        for index in 0..self.beyond.len() {
            let entry = self.beyond[index];
            if !self.place(entry) {
                self.beyond[kept] = entry;
                kept += 1;
            }
        }
        self.beyond.truncate(kept);
        true
    }
}

impl OpenList for Buckets {
    fn begin(&mut self, spread: u64) {
        for (word, bits) in self.occupied.iter_mut().enumerate() {
            while *bits != 0 {
                self.heads[word * 64 + bits.trailing_zeros() as usize] = END;
                *bits &= *bits - 1;
            }
        }
        self.pool.clear();
        self.free = END;
        self.beyond.clear();
        self.hand = None;
        self.present = UNSET;
        self.shift = (spread / BUCKETS_PER_SPREAD).max(1).ilog2();
        self.len = 0;
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        if self.present == UNSET {
            self.present = self.bucket_of(entry.key);
        }
        self.len += 1;
        let entry = if self.bucket_of(entry.key) > self.present {
            entry
        } else if let Some(older) = self.hand.replace(entry) {
            older
        } else {
            return;
        };
        if !self.place(entry) {
            self.beyond.push(entry);
        }
    }

    #[inline]
    fn pop(&mut self, bound: u64) -> Option<Entry> {
        if let Some(entry) = self.hand.take() {
            self.len -= 1;
            if entry.key < bound {
                return Some(entry);
            }
        }
        if self.len == 0 {
            return None;
        }
        loop {
            let slot = self.present as usize % RING;
            while let Some(entry) = self.take(slot) {
                self.len -= 1;
                if entry.key < bound {
                    return Some(entry);
                }
            }
            self.occupied[slot / 64] &= !(1 << (slot % 64));
            if !self.advance() || self.present << self.shift >= bound {
                return None;
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.pool.capacity() * size_of::<(Entry, u32)>()
            + self.beyond.capacity() * size_of::<Entry>()
            + self.heads.len() * size_of::<u32>()
    }
}
