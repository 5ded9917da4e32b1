//! Searches over nodes of any hashable type, given as closures: for graphs that are not worth a type of their own, and for
//! programs that come from the `pathfinding` crate, whose functions have the same shape.
//!
//! ```
//! use surefoot::closures;
//!
//! // A knight on a chess board without edges.
//! let moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
//! let goal = (4_i32, 6_i32);
//! let (path, cost) = closures::astar(
//!     &(1_i32, 1_i32),
//!     |&(x, y)| moves.map(|(dx, dy)| ((x + dx, y + dy), 1_u32)),
//!     |&(x, y)| (x.abs_diff(goal.0) + y.abs_diff(goal.1)) / 3,
//!     |&at| at == goal,
//! )
//! .unwrap();
//! assert_eq!((cost, path.len()), (4, 5));
//! ```
//!
//! Nodes are numbered in the order in which they are found, ties are broken by these numbers, and nothing iterates over a hash
//! table, so the same closures give the same path on every machine. A type that implements
//! [`OwnGraph`](crate::world::own::OwnGraph) instead is several times as fast, and supports budgets, observers and planners.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};
use std::time::Duration;

use crate::cost::Cost;

/// The cost of a step: a number that can be added and compared, and whose default is zero. All integer types implement it,
/// [`Duration`] and [`Cost`] too.
///
/// ```
/// use surefoot::closures::{self, Price};
/// use std::cmp::Ordering;
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct Metres(f64);
///
/// impl Eq for Metres {}
/// impl Ord for Metres {
///     fn cmp(&self, other: &Metres) -> Ordering {
///         self.0.total_cmp(&other.0)
///     }
/// }
/// impl PartialOrd for Metres {
///     fn partial_cmp(&self, other: &Metres) -> Option<Ordering> {
///         Some(self.cmp(other))
///     }
/// }
/// impl Price for Metres {
///     const MAX: Metres = Metres(f64::INFINITY);
///     fn checked_add(self, other: Metres) -> Option<Metres> {
///         Some(Metres(self.0 + other.0))
///     }
/// }
///
/// let (_, cost) = closures::dijkstra(&0, |&n| [(n + 1, Metres(0.5))], |&n| n == 3).unwrap();
/// assert_eq!(cost, Metres(1.5));
/// ```
pub trait Price: Copy + Ord + Default {
    /// The largest cost.
    const MAX: Self;

    /// Returns the sum of two costs. Returns `None` if the type cannot hold it.
    #[must_use]
    fn checked_add(self, other: Self) -> Option<Self>;
}

macro_rules! prices {
    ($($number:ty),+) => {$(
        impl Price for $number {
            const MAX: Self = <$number>::MAX;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                <$number>::checked_add(self, other)
            }
        }
    )+};
}

prices!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, Duration);

impl Price for Cost {
    const MAX: Cost = Cost::MAX;

    #[inline]
    fn checked_add(self, other: Cost) -> Option<Cost> {
        self.units().checked_add(other.units()).map(Cost::from_units)
    }
}

/// Returns a cheapest path from `start` to a node for which `success` holds, and its cost. Returns `None` if no such node can be
/// reached at a cost that the type can hold.
///
/// `heuristic` must never exceed the remaining cost to a goal. Negative steps count as steps without cost.
///
/// ```
/// // A ladder of 300 rungs: too many for a cost of one byte.
/// let up = |&rung: &u32| Some((rung + 1, 1_u8));
/// assert_eq!(surefoot::closures::astar(&0, up, |_| 0, |&rung| rung == 255).unwrap().1, 255);
/// assert_eq!(surefoot::closures::astar(&0, up, |_| 0, |&rung| rung == 300), None);
/// ```
pub fn astar<N, C, S>(
    start: &N,
    mut successors: impl FnMut(&N) -> S,
    mut heuristic: impl FnMut(&N) -> C,
    mut success: impl FnMut(&N) -> bool,
) -> Option<(Vec<N>, C)>
where
    N: Clone + Eq + Hash,
    C: Price,
    S: IntoIterator<Item = (N, C)>,
{
    let mut nodes: Nodes<N, C> = Nodes::default();
    let mut open = Open::default();
    let (first, _) = nodes.number(start.clone());
    let h = heuristic(start);
    nodes.set(first, Known { cost: C::default(), rest: h, parent: first });
    open.push(Entry { total: h, cost: C::default(), node: first });
    while let Some(Entry { cost, node: at, .. }) = open.pop() {
        if nodes.known(at).cost < cost {
            continue;
        }
        if success(nodes.node(at)) {
            return Some((nodes.path_to(at), cost));
        }
        for (next, step) in successors(nodes.node(at)) {
            // A path whose cost does not fit is more expensive than all that fit.
            let Some(through) = cost.checked_add(step.max(C::default())) else { continue };
            let (next, is_new) = nodes.number(next);
            let rest = if is_new {
                heuristic(nodes.node(next))
            } else if through < nodes.known(next).cost {
                nodes.known(next).rest
            } else {
                continue;
            };
            nodes.set(next, Known { cost: through, rest, parent: at });
            let total = through.checked_add(rest).unwrap_or(C::MAX);
            open.push(Entry { total, cost: through, node: next });
        }
    }
    None
}

/// Returns a cheapest path from `start` to a node for which `success` holds, and its cost. Returns `None` if no such node can be reached
/// at a cost that the type can hold.
///
/// ```
/// let roads = |&town: &&str| match town {
///     "gate" => vec![("market", 2), ("harbour", 9)],
///     "market" => vec![("harbour", 3)],
///     _ => vec![],
/// };
/// let found = surefoot::closures::dijkstra(&"gate", roads, |&town| town == "harbour");
/// assert_eq!(found, Some((vec!["gate", "market", "harbour"], 5)));
/// ```
pub fn dijkstra<N, C, S>(
    start: &N,
    successors: impl FnMut(&N) -> S,
    success: impl FnMut(&N) -> bool,
) -> Option<(Vec<N>, C)>
where
    N: Clone + Eq + Hash,
    C: Price,
    S: IntoIterator<Item = (N, C)>,
{
    astar(start, successors, |_| C::default(), success)
}

/// Returns a path with the fewest steps from `start` to a node for which `success` holds. Returns `None` if no such node can be reached.
///
/// ```
/// let path = surefoot::closures::bfs(&1_u32, |&n| [n + 1, n * 2], |&n| n == 10).unwrap();
/// assert_eq!(path, [1, 2, 4, 5, 10]);
/// ```
pub fn bfs<N, S>(
    start: &N,
    mut successors: impl FnMut(&N) -> S,
    mut success: impl FnMut(&N) -> bool,
) -> Option<Vec<N>>
where
    N: Clone + Eq + Hash,
    S: IntoIterator<Item = N>,
{
    let mut nodes: Nodes<N, u32> = Nodes::default();
    let (first, _) = nodes.number(start.clone());
    let mut open = VecDeque::from([first]);
    while let Some(at) = open.pop_front() {
        if success(nodes.node(at)) {
            return Some(nodes.path_to(at));
        }
        for next in successors(nodes.node(at)) {
            let (next, is_new) = nodes.number(next);
            if is_new {
                nodes.set(next, Known { cost: 0, rest: 0, parent: at });
                open.push_back(next);
            }
        }
    }
    None
}

/// A path to a node that waits.
#[derive(Clone, Copy)]
struct Entry<C> {
    /// Cost and rest.
    total: C,
    cost: C,
    node: u32,
}

/// The greatest is taken first: the smallest total, and of equal ones the node closest to the goal.
impl<C: Price> Ord for Entry<C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match other.total.cmp(&self.total) {
            Ordering::Equal => self.cost.cmp(&other.cost),
            different => different,
        }
    }
}

impl<C: Price> PartialOrd for Entry<C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C: Price> PartialEq for Entry<C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<C: Price> Eq for Entry<C> {}

/// Entries, the smallest total first. Those with the total of the last one taken are a stack: that is where most of them are taken next, and
/// they need not be sorted in and out.
struct Open<C> {
    /// The total of the last entry taken. Nothing in the heap has a smaller one.
    level: C,
    stack: Vec<Entry<C>>,
    heap: BinaryHeap<Entry<C>>,
}

impl<C: Price> Default for Open<C> {
    fn default() -> Open<C> {
        Open { level: C::MAX, stack: Vec::new(), heap: BinaryHeap::new() }
    }
}

impl<C: Price> Open<C> {
    #[inline]
    fn push(&mut self, entry: Entry<C>) {
        if entry.total > self.level {
            self.heap.push(entry);
            return;
        }
        if entry.total < self.level {
            // The heuristic has fallen by more than the step costs.
            self.heap.extend(self.stack.drain(..));
            self.level = entry.total;
        }
        self.stack.push(entry);
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry<C>> {
        self.stack.pop().or_else(|| {
            let entry = self.heap.pop()?;
            self.level = entry.total;
            Some(entry)
        })
    }
}

/// What a search knows about a node.
#[derive(Clone, Copy, Default)]
struct Known<C> {
    cost: C,
    /// What the heuristic says is left.
    rest: C,
    parent: u32,
}

/// The nodes met so far, by number, and what is known of them.
struct Nodes<N, C> {
    met: Vec<(N, Known<C>)>,
    /// Numbers of nodes plus one, at places that follow from their hashes; zero is empty. A power of two, at most half full.
    places: Vec<u32>,
}

/// From one place to the next where a node could be: into the next cache line, and odd, so that all places have their turn.
const STRIDE: usize = 17;

impl<N, C> Default for Nodes<N, C> {
    fn default() -> Nodes<N, C> {
        Nodes { met: Vec::new(), places: vec![0; 64] }
    }
}

impl<N: Eq + Hash + Clone, C: Price> Nodes<N, C> {
    /// Returns the first place where a node could be.
    #[inline]
    fn first_place(node: &N) -> usize {
        let mut hasher = Mixer::default();
        node.hash(&mut hasher);
        hasher.finish() as usize
    }

    /// Returns the number of a node, and whether it is new.
    #[inline]
    fn number(&mut self, node: N) -> (u32, bool) {
        let mask = self.places.len() - 1;
        let mut place = Self::first_place(&node) & mask;
        while let Some(number) = self.places[place].checked_sub(1) {
            if self.met[number as usize].0 == node {
                return (number, false);
            }
            place = (place + STRIDE) & mask;
        }
        let number = self.met.len() as u32;
        self.places[place] = number + 1;
        self.met.push((node, Known { parent: number, ..Known::default() }));
        if self.met.len() * 2 > self.places.len() {
            self.grow();
        }
        (number, true)
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.places.len() * 4 - 1;
        self.places.clear();
        self.places.resize(mask + 1, 0);
        for (number, (node, _)) in self.met.iter().enumerate() {
            let mut place = Self::first_place(node) & mask;
            while self.places[place] != 0 {
                place = (place + STRIDE) & mask;
            }
            self.places[place] = number as u32 + 1;
        }
    }

    #[inline]
    fn node(&self, number: u32) -> &N {
        &self.met[number as usize].0
    }

    #[inline]
    fn known(&self, number: u32) -> Known<C> {
        self.met[number as usize].1
    }

    #[inline]
    fn set(&mut self, number: u32, known: Known<C>) {
        self.met[number as usize].1 = known;
    }

    fn path_to(&self, number: u32) -> Vec<N> {
        let before = |&at: &u32| Some(self.known(at).parent).filter(|&parent| parent != at);
        let mut path: Vec<N> =
            std::iter::successors(Some(number), before).map(|at| self.node(at).clone()).collect();
        path.reverse();
        path
    }
}

/// A quick hash of small keys: rotates, adds and multiplies, word by word. Not for keys that an enemy may choose.
///
/// Nodes whose words differ in their last two bits only, such as the cells of a block of 4 x 4, differ in the last four bits of their hashes only, so
/// they are found in one cache line.
#[derive(Default)]
struct Mixer {
    mixed: u64,
    /// The last two bits of the last two words.
    near: u64,
}

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        // The bits that the word leaves out make room for those of the word before the last one.
        let rest = word >> 2 | (self.near >> 2) << 62;
        self.near = (self.near << 2 | word & 3) & 15;
        let product = u128::from(self.mixed.rotate_left(26) ^ rest) * 0x9E37_79B9_7F4A_7C15;
        self.mixed = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        self.mixed ^ self.near
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
        self.mix(bytes.len() as u64);
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    #[inline]
    fn write_i32(&mut self, number: i32) {
        self.mix(u64::from(number.cast_unsigned()));
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of a thousand nodes have a place to themselves, and at most how many share one.
    fn spread(node: impl Fn(u64) -> u64) -> (usize, usize) {
        let mut counts = [0; 2048];
        for number in 0..1000 {
            let mut hasher = Mixer::default();
            node(number).hash(&mut hasher);
            counts[hasher.finish() as usize % 2048] += 1;
        }
        (counts.iter().filter(|&&count| count == 1).count(), counts.into_iter().max().unwrap_or(0))
    }

    #[test]
    fn nodes_find_places_wherever_their_bits_differ() {
        type Node = fn(u64) -> u64;
        let nodes: [(&str, Node); 5] = [
            ("small numbers", |number| number),
            ("low bits empty", |number| number << 24),
            ("upper half only", |number| number << 40),
            ("uppermost bits only", |number| number << 54),
            ("floats", |number| (number as f64).to_bits()),
        ];
        for (what, node) in nodes {
            // Thrown at random, 614 of 1000 would be alone, and no place would hold more than six or seven.
            let (alone, most) = spread(node);
            assert!(alone > 450 && most < 10, "{what}: {alone} alone, {most} in one place");
        }
    }
}
