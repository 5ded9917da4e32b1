//! The first steps of the cheapest paths from a place.
//!
//! One sweep per source, over all legal steps. Distances are sorted into waves that are no wider than the cheapest step (Denardo and
//! Fox, *Shortest-Route Methods*, Operations Research 1979): no cell of a wave can improve another of the same wave, so
//! a wave is settled in any order. A cell's *label* is one number: its distance, the directions in which cheapest
//! paths arrive, and the steps with which they begin. Only differences between nearby distances are ever needed, so
//! distances may wrap around, and on most maps a label takes 32 bits.
//!
//! Where all cells cost the same, the directions of arrival tell which steps cannot be part of a cheapest path; three of
//! four are left out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{GridView, StepCost, gcd};
use crate::world::pages::Values;

/// The sweep with its memory. Copies share nothing, so that each thread can have its own.
#[derive(Clone)]
pub(crate) struct FirstSteps<'a> {
    ways: Ways<'a>,
    ground: Ground<'a>,
    memory: Memory,
    /// The numbers of open cells, in runs: nothing else is ever written or cleared.
    spans: Vec<Range<usize>>,
    /// By node number: the result of the last sweep.
    firsts: Vec<u8>,
}

/// Which steps there are.
#[derive(Clone)]
struct Ways<'a> {
    neighbours: Values<'a, u8>,
    /// By direction number: what to add to a node's number.
    offsets: [usize; 8],
    /// By directions of arrival and neighbour byte: the steps that cheapest paths may take.
    steps: &'static [[u8; 256]],
}

/// What steps cost, in units that leave the numbers as small as they can be.
#[derive(Clone)]
enum Ground<'a> {
    Level { costs: [u64; 2] },
    Rough { terrain: Values<'a, u8>, costs: [StepCost; 2] },
}

/// Labels by node number, and which node comes next.
#[derive(Clone)]
enum Memory {
    Short(Vec<u32>, Waves),
    Long(Vec<u64>, Waves),
    /// For metrics so uneven that there would be too many waves.
    Sorted(Vec<u64>, Sorted),
}

/// The most waves that a step may reach ahead.
const MAX_WAVES: u64 = 4096;

/// The number of cells that are settled between two checks whether to continue.
const CELLS_AT_ONCE: u64 = 4096;

impl<'a> FirstSteps<'a> {
    pub fn new<E>(view: &GridView<'a>, work: impl Fn(u64) -> Result<(), E>) -> Result<FirstSteps<'a>, E> {
        let grid = view.grid();
        let (ground, [cheapest, highest]) = if let Some(terrain) = grid.uniform_terrain() {
            let costs = view.level_steps(terrain).map(Cost::units);
            let unit = gcd(costs[0], costs[1]);
            let costs = costs.map(|cost| cost / unit);
            (Ground::Level { costs }, costs)
        } else {
            let costs = view.step_costs();
            let unit = gcd(costs[0].unit(), costs[1].unit());
            let costs = costs.map(|cost| cost.in_units_of(unit));
            let [low, high] = [grid.cheapest_terrain().cost(), grid.most_expensive_terrain().cost()];
            let range = [costs[0].of(low, low), costs[1].of(high, high)].map(Cost::units);
            (Ground::Rough { terrain: view.terrain(), costs }, range)
        };
        let bound = view.neighbours().len();
        let shift = cheapest.max(1).ilog2();
        let memory = if highest <= u32::MAX_STEP {
            Memory::Short(vec![0; bound], Waves::new(shift, highest))
        } else if highest >> shift <= MAX_WAVES {
            Memory::Long(vec![0; bound], Waves::new(shift, highest))
        } else {
            Memory::Sorted(vec![0; bound], Sorted::default())
        };
        let offsets = view.offsets().map(|offset| offset as isize as usize);
        let ways = Ways { neighbours: view.neighbours(), offsets, steps: view.thrifty_steps() };
        Ok(FirstSteps { ways, ground, memory, spans: spans(view, work)?, firsts: vec![0; bound] })
    }

    /// Returns, by node number, the directions as a byte (bit = number of the [`Direction`](crate::world::grid::Direction)) with
    /// which some cheapest path from an open cell to that node begins; 0 for the cell itself and for nodes that cannot be
    /// reached. See [`effort`](crate::effort) for `work`; once that has ended a sweep, this is of no more use.
    pub fn from<E>(&mut self, source: NodeId, work: impl Fn(u64) -> Result<(), E>) -> Result<&[u8], E> {
        work(1)?;
        let FirstSteps { ways, ground, memory, spans, firsts } = self;
        match memory {
            Memory::Short(labels, waves) => {
                sweep(ways, ground, source, labels, waves, (spans, firsts), work)?;
            }
            Memory::Long(labels, waves) => sweep(ways, ground, source, labels, waves, (spans, firsts), work)?,
            Memory::Sorted(labels, sorted) => {
                sweep(ways, ground, source, labels, sorted, (spans, firsts), work)?;
            }
        }
        Ok(firsts)
    }
}

/// Runs of open cells.
fn spans<E>(view: &GridView<'_>, work: impl Fn(u64) -> Result<(), E>) -> Result<Vec<Range<usize>>, E> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let shape = view.shape();
    for y in 0..shape.height() as i32 {
        for cell in (0..shape.width() as i32).map(|x| Cell { x, y }).filter(|&cell| view.is_open(cell)) {
            let node = shape.node(cell).index();
            match spans.last_mut() {
                Some(last) if last.end == node => last.end += 1,
                _ => spans.push(node..node + 1),
            }
        }
        work(shape.width().into())?;
    }
    Ok(spans)
}

/// Sweeps from a source, takes the first steps down and clears the labels again.
fn sweep<L: Label, E>(
    ways: &Ways<'_>,
    ground: &Ground<'_>,
    source: NodeId,
    labels: &mut [L],
    queue: &mut impl Queue<L>,
    (spans, firsts): (&[Range<usize>], &mut [u8]),
    work: impl Fn(u64) -> Result<(), E>,
) -> Result<(), E> {
    match ground {
        Ground::Level { costs } => {
            let costs: [L; 8] = std::array::from_fn(|direction| L::of(costs[direction / 4], 0, 0));
            sweep_over(ways, |_, _, direction| costs[direction], source, labels, queue, work)?;
        }
        Ground::Rough { terrain, costs } => {
            let cost = |from: usize, to: usize, direction: usize| {
                L::of(costs[direction / 4].of(terrain.get(from), terrain.get(to)).units(), 0, 0)
            };
            sweep_over(ways, cost, source, labels, queue, work)?;
        }
    }
    for span in spans {
        let labels = &mut labels[span.clone()];
        for (first, label) in firsts[span.clone()].iter_mut().zip(&*labels) {
            *first = label.firsts();
        }
        labels.fill(L::UNREACHED);
    }
    Ok(())
}

/// Labels everything that can be reached, starting with no labels; `cost` is called with two neighbours and the direction between them.
fn sweep_over<L: Label, E>(
    ways: &Ways<'_>,
    cost: impl Fn(usize, usize, usize) -> L,
    source: NodeId,
    labels: &mut [L],
    queue: &mut impl Queue<L>,
    work: impl Fn(u64) -> Result<(), E>,
) -> Result<(), E> {
    let source = source.index();
    // Arrivals that mean nothing, so that the label is not that of an unreached node.
    labels[source] = L::of(0, u8::MAX, 0);
    for_each_bit(ways.steps[0][usize::from(ways.neighbours.get(source))], |direction| {
        let next = source.wrapping_add(ways.offsets[direction]);
        let first = L::of(0, 0, 1 << direction).after(cost(source, next, direction), direction);
        labels[next] = first;
        queue.push(next as u32, first);
    });
    let mut settled = 0;
    while let Some((node, label)) = queue.pop(labels) {
        settled += 1;
        if settled == CELLS_AT_ONCE {
            work(std::mem::take(&mut settled))?;
        }
        let steps = ways.steps[usize::from(label.arrivals())][usize::from(ways.neighbours.get(node))];
        for_each_bit(steps, |direction| {
            let next = node.wrapping_add(ways.offsets[direction]);
            let before = labels[next];
            let label = before.or_better(label.after(cost(node, next, direction), direction));
            labels[next] = label;
            if queue.waits_elsewhere(before, label) {
                queue.push(next as u32, label);
            }
        });
    }
    work(settled)
}

#[inline]
fn for_each_bit(mut byte: u8, mut visit: impl FnMut(usize)) {
    while byte != 0 {
        visit(byte.trailing_zeros() as usize % 8);
        byte &= byte - 1;
    }
}

/// What a sweep knows about a node, as a number: distance, directions of arrival, first steps; the last two are a byte each.
trait Label: Copy {
    /// Of no node that has been reached.
    const UNREACHED: Self;
    /// The longest step with which distances can wrap around: the labels that a sweep compares are less than three steps
    /// apart.
    const MAX_STEP: u64;

    /// The distance wraps around.
    fn of(distance: u64, arrivals: u8, firsts: u8) -> Self;
    fn distance(self) -> u64;
    fn arrivals(self) -> u8;
    fn firsts(self) -> u8;

    /// The label of a neighbour in a direction, the step to which costs as much as the distance of `cost`.
    fn after(self, cost: Self, direction: usize) -> Self;

    /// The label with the smaller distance, or both if that is the same.
    fn or_better(self, other: Self) -> Self;

    fn is_unreached(self) -> bool;
}

macro_rules! label {
    ($number:ty, $signed:ty) => {
        impl Label for $number {
            const UNREACHED: $number = 0;
            const MAX_STEP: u64 = 1 << (<$number>::BITS - 16 - 3);

            #[inline]
            fn of(distance: u64, arrivals: u8, firsts: u8) -> $number {
                (distance << 16) as $number | <$number>::from(arrivals) << 8 | <$number>::from(firsts)
            }

            #[inline]
            fn distance(self) -> u64 {
                u64::from(self >> 16)
            }

            #[inline]
            fn arrivals(self) -> u8 {
                (self >> 8) as u8
            }

            #[inline]
            fn firsts(self) -> u8 {
                self as u8
            }

            #[inline]
            fn after(self, cost: $number, direction: usize) -> $number {
                (self & !0xff00).wrapping_add(cost) | 0x100 << direction
            }

            #[inline]
            fn or_better(self, other: $number) -> $number {
                let other_is_less = (other.wrapping_sub(self) as $signed) < 0;
                let chosen = if other_is_less || self.is_unreached() { other } else { self };
                if (self ^ other) >> 16 == 0 { self | other } else { chosen }
            }

            #[inline]
            fn is_unreached(self) -> bool {
                self == 0
            }
        }
    };
}

label!(u32, i32);
label!(u64, i64);

/// Which node comes next.
trait Queue<L> {
    fn push(&mut self, node: u32, label: L);

    /// A node that no other can improve any more, with its label.
    fn pop(&mut self, labels: &[L]) -> Option<(usize, L)>;

    /// Whether a node has to be pushed (again) when its label changes.
    fn waits_elsewhere(&self, before: L, now: L) -> bool;
}

/// The waves that wait: a ring, because steps reach only so far ahead.
#[derive(Clone)]
struct Waves {
    /// As many as a power of two.
    ring: Vec<Vec<u32>>,
    /// The width of a wave is two to this power.
    shift: u32,
    /// The number of the present wave, in the ring.
    wave: usize,
    present: Vec<u32>,
    /// How many nodes are in the ring.
    waiting: usize,
}

impl Waves {
    fn new(shift: u32, max_step_cost: u64) -> Waves {
        let ahead = (max_step_cost >> shift) + 3;
        let ring = vec![Vec::new(); ahead.next_power_of_two() as usize];
        Waves { ring, shift, wave: 0, present: Vec::new(), waiting: 0 }
    }

    #[inline]
    fn wave_of(&self, label: impl Label) -> usize {
        (label.distance() >> self.shift) as usize & (self.ring.len() - 1)
    }
}

impl<L: Label> Queue<L> for Waves {
    #[inline]
    fn push(&mut self, node: u32, label: L) {
        let wave = self.wave_of(label);
        self.ring[wave].push(node);
        self.waiting += 1;
    }

    #[inline]
    fn pop(&mut self, labels: &[L]) -> Option<(usize, L)> {
        loop {
            while let Some(node) = self.present.pop() {
                let label = labels[node as usize];
                // It may have been settled in an earlier wave.
                if self.wave_of(label) == self.wave {
                    return Some((node as usize, label));
                }
            }
            if self.waiting == 0 {
                self.wave = 0;
                return None;
            }
            self.wave = (self.wave + 1) & (self.ring.len() - 1);
            std::mem::swap(&mut self.present, &mut self.ring[self.wave]);
            self.waiting -= self.present.len();
        }
    }

    #[inline]
    fn waits_elsewhere(&self, before: L, now: L) -> bool {
        before.is_unreached() || self.wave_of(before) != self.wave_of(now)
    }
}

/// Nodes by distance.
#[derive(Clone, Default)]
struct Sorted {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The distance of the node that came last.
    now: u64,
}

impl<L: Label> Queue<L> for Sorted {
    fn push(&mut self, node: u32, label: L) {
        let ahead = L::of(label.distance().wrapping_sub(self.now), 0, 0).distance();
        self.heap.push(Reverse((self.now + ahead, node)));
    }

    fn pop(&mut self, labels: &[L]) -> Option<(usize, L)> {
        while let Some(Reverse((distance, node))) = self.heap.pop() {
            let label = labels[node as usize];
            // A shorter path may have been found since.
            if label.distance() == L::of(distance, 0, 0).distance() {
                self.now = distance;
                return Some((node as usize, label));
            }
        }
        self.now = 0;
        None
    }

    fn waits_elsewhere(&self, before: L, now: L) -> bool {
        before.is_unreached() || before.distance() != now.distance()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::{Agent, Metric, Moves, TerrainRule};
    use crate::effort::unhindered;
    use crate::graph::Graph;
    use crate::world::grid::{Direction, Grid};

    /// Distances between all open cells, by relaxing every edge until nothing changes.
    fn distances_from(view: &GridView<'_>, source: NodeId) -> Vec<Option<u64>> {
        let mut distances = vec![None; view.node_bound()];
        distances[source.index()] = Some(0);
        let mut queue = std::collections::BTreeSet::from([(0, source)]);
        while let Some((distance, node)) = queue.pop_first() {
            view.for_each_edge(node, |next, cost| {
                let known = &mut distances[next.index()];
                if known.is_none_or(|known| distance + cost.units() < known) {
                    *known = Some(distance + cost.units());
                    queue.insert((distance + cost.units(), next));
                }
            });
        }
        distances
    }

    fn grid() -> impl Strategy<Value = Grid> {
        let size = (1..11_u32, 1..9_u32);
        let ground = prop_oneof![
            Just(vec![0, 1, 1]),
            Just(vec![0, 7, 7, 7, 7]),
            Just(vec![0, 1, 2, 3]),
            Just(vec![0, 1, 1, 1, 4, 10, 255]),
        ];
        (size, ground).prop_flat_map(|((width, height), ground)| {
            let cells = prop::collection::vec(prop::sample::select(ground), (width * height) as usize);
            cells.prop_map(move |cells| Grid::from_terrain(width, height, &cells).unwrap())
        })
    }

    fn agent() -> impl Strategy<Value = Agent> {
        // The usual one, tenths, ties between diagonals and straights, one that wastes, one with far too many waves.
        let metrics = [(1.0, 1.4), (1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (0.01, 500.0), (1.0, 1.234)];
        let metrics = metrics.map(|(straight, diagonal)| Metric::new(straight, diagonal).unwrap());
        let metric = prop_oneof![Just(Metric::EUCLIDEAN), prop::sample::select(metrics.to_vec())];
        let rules =
            (prop::sample::select(Moves::ALL.to_vec()), prop::sample::select(TerrainRule::ALL.to_vec()));
        (rules, metric).prop_map(|((moves, terrain), metric)| {
            Agent::new().with_moves(moves).with_metric(metric).with_terrain_rule(terrain)
        })
    }

    proptest! {
        #![proptest_config(crate::random_cases::cases(400))]

        #[test]
        fn first_steps_are_those_of_all_cheapest_paths(grid in grid(), agent in agent()) {
            let view = grid.view(&agent);
            let nodes: Vec<NodeId> = grid.cells().filter(|&cell| grid.is_open(cell)).map(|cell| grid.node(cell).unwrap()).collect();
            let Ok(mut first_steps) = FirstSteps::new(&view, unhindered);
            for &source in &nodes {
                let distances = distances_from(&view, source);
                let mut expected = vec![0; view.node_bound()];
                view.for_each_edge(source, |next, cost| {
                    let delta = next.0.wrapping_sub(source.0) as i32;
                    let direction = view.offsets().iter().position(|&offset| offset == delta).unwrap();
                    let onwards = distances_from(&view, next);
                    for &target in nodes.iter().filter(|&&target| target != source) {
                        let through = onwards[target.index()].map(|rest| cost.units() + rest);
                        if through.is_some() && through == distances[target.index()] {
                            expected[target.index()] |= 1 << direction;
                        }
                    }
                });
                prop_assert_eq!(first_steps.from(source, unhindered), Ok(&expected[..]), "from {:?}", grid.cell(source));
            }
        }
    }

    /// Far more than the distances that fit into a short label, with and without thrift.
    #[test]
    fn distances_wrap_around() {
        for terrain in [[1; 400], std::array::from_fn(|x| 1 + (x % 2) as u8 * 254)] {
            let grid = Grid::from_terrain(400, 1, &terrain).unwrap();
            let view = grid.view(&Agent::default());
            let Ok(mut first_steps) = FirstSteps::new(&view, unhindered);
            let middle = grid.node(Cell::new(150, 0)).unwrap();
            let Ok(firsts) = first_steps.from(middle, unhindered);
            for cell in grid.cells() {
                let expected = match cell.x {
                    ..150 => Direction::West.bit(),
                    150 => 0,
                    _ => Direction::East.bit(),
                };
                assert_eq!(firsts[grid.node(cell).unwrap().index()], expected, "{cell:?}");
            }
        }
    }
}
