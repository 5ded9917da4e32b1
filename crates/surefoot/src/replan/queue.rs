//! The queue of inconsistent nodes (`g != rhs`), in which the position of every node is stored.

use crate::id::NodeId;

/// The priority of a node. The order is total: keys, then numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The least cost of a path through the node.
    pub through: u64,
    /// The least cost of a path to the node.
    pub to: u64,
}

impl Key {
    /// A key after all others.
    pub const LAST: Key = Key { through: u64::MAX, to: u64::MAX };
}

/// A node with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub key: Key,
    pub node: NodeId,
}

/// Where the positions of nodes are stored: a number for each, 0 for those not in the queue.
pub(super) trait Places {
    fn place(&mut self, node: NodeId) -> &mut u32;
}

/// Children of an entry in the heap.
const ARITY: usize = 4;

/// The list that is a heap: the entries that come next.
const NEAR: usize = 0;
/// Unsorted lists of later entries; all entries of a list come before those of the next.
const LATER: usize = 14;
/// The list of entries that come after all of these.
const BEYOND: usize = LATER + 1;

/// The bits of a place for the position of an entry in its list; the other bits are the number of the list.
const INDEX_BITS: u32 = 28;

/// The size of the heap beyond which some of its entries may be moved to lists.
const MANY: usize = 256;

/// Entries in order. Only those that come next are kept in a heap, small enough for the nearest cache. The others are
/// in lists by ranges of keys, where inserting or removing an entry takes one write.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    lists: [Vec<Entry>; BEYOND + 1],
    /// The start of the range of the first list.
    base: u64,
    /// The binary logarithm of the width of a range.
    shift: u32,
    /// The number of lists that have been moved to the heap: entries of their ranges belong there.
    turns: usize,
    /// The maximum size of the heap.
    many: usize,
    len: usize,
    /// Entries that are being moved between lists.
    moving: Vec<Entry>,
}

impl Default for Queue {
    fn default() -> Queue {
        let lists = Default::default();
        Queue { lists, base: 0, shift: 63, turns: LATER, many: MANY, len: 0, moving: Vec::new() }
    }
}

/// Returns the place of a list and a position in it.
fn place(list: usize, at: usize) -> u32 {
    (list as u32) << INDEX_BITS | (at as u32 + 1)
}

/// Returns the list and the position of a place.
fn spot(place: u32) -> (usize, usize) {
    ((place >> INDEX_BITS) as usize, (place & ((1 << INDEX_BITS) - 1)) as usize - 1)
}

impl Queue {
    /// Removes everything.
    pub fn clear(&mut self, places: &mut impl Places) {
        // Entries are still in transit if an estimate has panicked.
        for entry in self.lists.iter_mut().chain([&mut self.moving]).flat_map(|list| list.drain(..)) {
            *places.place(entry.node) = 0;
        }
        (self.base, self.shift, self.turns, self.many, self.len) = (0, 63, LATER, MANY, 0);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        let lists = self.lists.iter().chain([&self.moving]);
        lists.map(Vec::capacity).sum::<usize>() * size_of::<Entry>()
    }

    /// Returns the first entry.
    #[inline]
    pub fn first(&self) -> Option<Entry> {
        self.lists[NEAR].first().copied()
    }

    /// Returns the entry at a position.
    pub fn at(&self, place: u32) -> Option<Entry> {
        (place != 0).then(|| spot(place)).and_then(|(list, at)| self.lists[list].get(at).copied())
    }

    /// Gives all nodes new keys.
    pub fn rekey<P: Places>(&mut self, places: &mut P, key: impl Fn(&P, NodeId) -> Key) {
        self.take_all();
        for entry in &mut self.moving {
            entry.key = key(places, entry.node);
        }
        self.lay_out(places);
    }

    /// Inserts a node, or moves it to the position of its key.
    #[inline]
    pub fn put(&mut self, entry: Entry, places: &mut impl Places) {
        let list = self.list_of(entry.key);
        let known = *places.place(entry.node);
        if known == 0 {
            self.len += 1;
            self.push(list, entry, places);
            self.refill(places);
            return;
        }
        let (old, at) = spot(known);
        if old != list {
            self.take(old, at, places);
            self.push(list, entry, places);
            self.refill(places);
        } else if list == NEAR {
            self.replace(at, entry, places);
        } else {
            self.lists[list][at] = entry;
        }
    }

    /// Removes a node if it is queued.
    #[inline]
    pub fn remove(&mut self, node: NodeId, places: &mut impl Places) {
        let known = std::mem::take(places.place(node));
        if known != 0 {
            let (list, at) = spot(known);
            self.len -= 1;
            self.take(list, at, places);
            self.refill(places);
        }
    }

    /// The list that a key belongs to.
    #[inline]
    fn list_of(&self, key: Key) -> usize {
        let range = key.through.saturating_sub(self.base) >> self.shift;
        if range < self.turns as u64 { NEAR } else { range.min(LATER as u64) as usize + 1 }
    }

    #[inline]
    fn push(&mut self, list: usize, entry: Entry, places: &mut impl Places) {
        let at = self.lists[list].len();
        self.lists[list].push(entry);
        if list != NEAR {
            *places.place(entry.node) = place(list, at);
            return;
        }
        self.rise(at, entry, places);
        // Distributing all entries takes no longer than inserting as many did.
        if at >= self.many && 2 * at > self.len {
            self.take_all();
            self.lay_out(places);
        }
    }

    /// Removes an entry from a list. The stored position of its node is not updated.
    #[inline]
    fn take(&mut self, list: usize, at: usize, places: &mut impl Places) {
        let Some(last) = self.lists[list].pop() else { return };
        if at == self.lists[list].len() {
            return;
        }
        if list == NEAR {
            self.replace(at, last, places);
        } else {
            self.lists[list][at] = last;
            *places.place(last.node) = place(list, at);
        }
    }

    /// Takes all entries out of their lists.
    fn take_all(&mut self) {
        for list in &mut self.lists {
            self.moving.append(list);
        }
    }

    /// Refills the heap if it is empty and there are other entries.
    #[inline]
    fn refill(&mut self, places: &mut impl Places) {
        if self.lists[NEAR].is_empty() && self.len > 0 {
            self.take_turn(places);
        }
    }

    /// Moves the next list to the heap.
    fn take_turn(&mut self, places: &mut impl Places) {
        // Copied, so that every list keeps its memory.
        let [near, later @ ..] = &mut self.lists;
        if let Some(list) = (self.turns..LATER).find(|&list| !later[list].is_empty()) {
            self.turns = list + 1;
            near.append(&mut later[list]);
            self.sort(places);
        } else {
            self.moving.append(&mut later[LATER]);
            self.lay_out(places);
        }
    }

    /// Distributes the entries in transit over all lists, which are empty.
    fn lay_out(&mut self, places: &mut impl Places) {
        let keys = || self.moving.iter().map(|entry| entry.key.through);
        let (Some(least), Some(most)) = (keys().min(), keys().max()) else { return };
        let width = (most - least) / LATER as u64 + 1;
        (self.base, self.shift, self.turns) = (least, width.next_power_of_two().ilog2(), 1);
        while let Some(entry) = self.moving.pop() {
            let list = self.list_of(entry.key);
            *places.place(entry.node) = place(list, self.lists[list].len());
            self.lists[list].push(entry);
        }
        self.sort(places);
        self.many = MANY.max(2 * self.lists[NEAR].len());
    }

    /// Sorts the heap.
    fn sort(&mut self, places: &mut impl Places) {
        self.lists[NEAR].sort_unstable();
        for (at, entry) in self.lists[NEAR].iter().enumerate() {
            *places.place(entry.node) = place(NEAR, at);
        }
    }

    /// Overwrites an entry of the heap, and sifts it up or down.
    fn replace(&mut self, at: usize, entry: Entry, places: &mut impl Places) {
        if at > 0 && entry < self.lists[NEAR][(at - 1) / ARITY] {
            self.rise(at, entry, places);
        } else {
            self.sink(at, entry, places);
        }
    }

    fn rise(&mut self, mut at: usize, entry: Entry, places: &mut impl Places) {
        let heap = &mut self.lists[NEAR];
        while at > 0 {
            let above = (at - 1) / ARITY;
            let parent = heap[above];
            if parent < entry {
                break;
            }
            write(heap, at, parent, places);
            at = above;
        }
        write(heap, at, entry, places);
    }

    fn sink(&mut self, mut at: usize, entry: Entry, places: &mut impl Places) {
        let heap = &mut self.lists[NEAR];
        loop {
            let first = ARITY * at + 1;
            let below = first..(first + ARITY).min(heap.len());
            let Some((child, least)) = below.map(|at| (heap[at], at)).min() else { break };
            if entry < child {
                break;
            }
            write(heap, at, child, places);
            at = least;
        }
        write(heap, at, entry, places);
    }
}

#[inline]
fn write(heap: &mut [Entry], at: usize, entry: Entry, places: &mut impl Places) {
    heap[at] = entry;
    *places.place(entry.node) = place(NEAR, at);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const NODES: usize = 1200;

    impl Places for Vec<u32> {
        fn place(&mut self, node: NodeId) -> &mut u32 {
            &mut self[node.index()]
        }
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_set(
            steps in prop::collection::vec((0..NODES as u32, prop::option::weighted(0.8, 0..3000_u64)), 1..2000),
            rise in 0..3_u64,
        ) {
            let (mut queue, mut places) = (Queue::default(), vec![0; NODES]);
            let mut expected: BTreeSet<Entry> = BTreeSet::new();
            let mut keys = vec![None; NODES];
            for (number, (node, key)) in (0_u64..).zip(steps) {
                let node = NodeId(node);
                if let Some(key) = keys[node.index()].take() {
                    expected.remove(&Entry { key, node });
                }
                if let Some(key) = key {
                    // Keys rise during a search, so that lists move to the heap.
                    let key = Key { through: key / 3 + rise * number, to: key % 3 };
                    keys[node.index()] = Some(key);
                    expected.insert(Entry { key, node });
                    queue.put(Entry { key, node }, &mut places);
                } else {
                    queue.remove(node, &mut places);
                    // The first entries are removed most often.
                    if let Some(first) = expected.pop_first() {
                        prop_assert_eq!(queue.first(), Some(first));
                        keys[first.node.index()] = None;
                        queue.remove(first.node, &mut places);
                    }
                }
                if number % 500 == 499 {
                    let key = |node: NodeId| Key { through: u64::from(node.0 * 7 % 110), to: 0 };
                    queue.rekey(&mut places, |_, node| key(node));
                    expected = expected.iter().map(|entry| Entry { key: key(entry.node), ..*entry }).collect();
                    for entry in &expected {
                        keys[entry.node.index()] = Some(entry.key);
                    }
                }
                prop_assert_eq!(queue.first(), expected.first().copied());
                prop_assert_eq!(queue.len(), expected.len());
            }
            for (index, place) in places.iter().enumerate() {
                let node = NodeId(index as u32);
                prop_assert_eq!(queue.at(*place), keys[index].map(|key| Entry { key, node }));
            }
            let mut emptied = (queue.clone(), places.clone());
            emptied.0.clear(&mut emptied.1);
            prop_assert!(emptied.0.first().is_none() && emptied.1.iter().all(|place| *place == 0));
            while let Some(first) = queue.first() {
                prop_assert_eq!(Some(first), expected.pop_first());
                queue.remove(first.node, &mut places);
            }
            prop_assert!(expected.is_empty() && places.iter().all(|place| *place == 0));
        }
    }
}
