//! A ring of buckets (Dial, *Algorithm 360*, CACM 1969; Denardo and Fox 1979 for buckets wider than one key).

use super::{Entry, OpenList};

/// Buckets in the ring. A power of two.
const RING: usize = 1024;
/// The number of buckets for the keys that one step can reach: more sort better, fewer are scanned faster.
const BUCKETS_PER_SPREAD: u64 = 512;
/// The end of a chain.
const END: u32 = u32::MAX;

/// No bucket.
const NOWHERE: u64 = u64::MAX;

/// Entries in buckets of equal key width, the youngest of a bucket first.
///
/// Within a bucket keys are not sorted, so a node may be expanded before its best path is known and again after: the
/// kernel allows that, and stops only when no key below the goal's cost is left. Keys may rise and fall; entries too far
/// above the present bucket for the ring wait in a list of their own.
///
/// A bucket is a chain of places in one pool, so memory follows the most entries ever held at once, not where they lay.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    pool: Vec<(Entry, u32)>,
    free: u32,
    heads: Box<[u32; RING]>,
    /// One bit for each bucket that may hold something.
    occupied: [u64; RING / 64],
    /// The present bucket, counted from key 0. None in the ring is below it, none is `RING` or more above it.
    present: u64,
    shift: u32,
    beyond: Vec<Entry>,
    /// The least bucket of those that wait.
    least_beyond: u64,
    /// The youngest entry of the present bucket, if it has not been followed by another: most are taken at once.
    hand: Option<Entry>,
    len: usize,
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            pool: Vec::new(),
            free: END,
            heads: Box::new([END; RING]),
            occupied: [0; RING / 64],
            present: 0,
            shift: 0,
            beyond: Vec::new(),
            least_beyond: NOWHERE,
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

    /// No key held is below this.
    pub fn floor(&self) -> u64 {
        self.present << self.shift
    }

    /// Puts an entry into the ring, or beyond it.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "called once for each node; saving registers for it would be felt"
    )]
    fn place(&mut self, entry: Entry) {
        let bucket = self.bucket_of(entry.key);
        if bucket - self.present >= RING as u64 {
            self.least_beyond = self.least_beyond.min(bucket);
            self.beyond.push(entry);
            return;
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

    /// The first bucket of the ring that may hold something.
    fn first_occupied(&self) -> Option<u64> {
        let slot = self.present as usize % RING;
        // The words of the ring in order, beginning and ending with the two parts of the present one.
        (0..=RING / 64).find_map(|step| {
            let word = (slot / 64 + step) % (RING / 64);
            let part = match step {
                0 => u64::MAX << (slot % 64),
                _ if step == RING / 64 => !(u64::MAX << (slot % 64)),
                _ => u64::MAX,
            };
            let bits = self.occupied[word] & part;
            let next = word * 64 + bits.trailing_zeros() as usize;
            (bits != 0).then(|| self.present + ((next + RING - slot) % RING) as u64)
        })
    }

    /// Moves on to the next bucket that may hold something; `false` if no bucket is left.
    fn advance(&mut self) -> bool {
        let next = self.first_occupied().unwrap_or(NOWHERE).min(self.least_beyond);
        if next == NOWHERE {
            return false;
        }
        self.present = next;
        if next == self.least_beyond {
            self.fetch_from_beyond();
        }
        true
    }

    /// Takes what fits the ring by now from the entries that wait beyond it.
    #[cold]
    fn fetch_from_beyond(&mut self) {
        let waiting = self.beyond.len();
        self.least_beyond = NOWHERE;
        for index in 0..waiting {
            // What still does not fit goes to the end of the list again.
            let entry = self.beyond[index];
            self.place(entry);
        }
        self.beyond.drain(..waiting);
    }

    /// Steps back to a bucket below the present one. What lies too far above it then has to wait beyond the ring.
    #[cold]
    fn retreat(&mut self, bucket: u64) {
        let steps = (self.present - bucket).min(RING as u64);
        let end = self.present + RING as u64;
        self.present = bucket;
        for evicted in end - steps..end {
            let slot = evicted as usize % RING;
            while let Some(entry) = self.take(slot) {
                self.place(entry);
            }
            self.occupied[slot / 64] &= !(1 << (slot % 64));
        }
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
        self.least_beyond = NOWHERE;
        self.hand = None;
        self.present = 0;
        self.shift = (spread / BUCKETS_PER_SPREAD).max(1).ilog2();
        self.len = 0;
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for `place`")]
    fn push(&mut self, entry: Entry) {
        if self.bucket_of(entry.key) > self.present {
            self.len += 1;
            self.place(entry);
        } else {
            self.push_next(entry);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for `place`")]
    fn push_next(&mut self, entry: Entry) {
        self.len += 1;
        let bucket = self.bucket_of(entry.key);
        if bucket < self.present {
            self.retreat(bucket);
        }
        if let Some(older) = self.hand.replace(entry) {
            self.place(older);
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
