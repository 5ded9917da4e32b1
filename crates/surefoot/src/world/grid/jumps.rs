//! Where straight lines over a uniform grid have to stop: the planes behind jump point search.
//!
//! On open ground, a search that moves straight continues straight; only a nearby wall forces a turn (see
//! [`rules`](super::rules)). A cell where that happens after arriving in a direction is a *stop* of that direction. Stops are kept
//! as bits, rows for east and west and columns for north and south, so that the next one is found a word of 64 cells at a
//! time (Harabor and Grastien, *Improving Jump Point Search*, ICAPS 2014). Another bit per cell tells whether a line from
//! there meets a stop before a wall, so that no line is followed unnecessarily. A line that allows turns at each of its cells
//! (a diagonal; under rule `4`, a horizontal line) is a *fan*; the distance to the next cell of a fan where a turn leads to a
//! stop, or where the fan ends, is stored as a number.
//!
//! What is stored of single cells stays as it was built: see [`marks`](super::marks) for what edits change.
//!
//! Everything is derived from the tables of the movement rule, so the four rules need no separate code.

use std::sync::Arc;

use crate::agent::Moves;
use crate::space::Cell;
use crate::world::grid::bits::BitPlane;
use crate::world::grid::direction::Direction;
use crate::world::grid::marks::{Marks, Tile};
use crate::world::grid::rules::{Rule, fan};
use crate::world::grid::shape::Shape;
use crate::world::leads::{leads_down, leads_up};
use crate::world::pages::Values;

/// What a search may do at a cell, as bits. The low four, by number of a straight direction: a line that way meets a stop
/// before a wall. The next four, by number of a diagonal: a line that way has to stop here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Flags(u32);

impl Flags {
    const LEADS: u32 = 0x0F;
    const ALL: u32 = 0xFF;

    /// A straight line in the direction meets a stop.
    pub const fn leads(direction: Direction) -> Flags {
        Flags(1 << direction as u32)
    }

    /// A fan in the direction has to stop here. Horizontal fans are those of a rule without diagonals, whose bits are free.
    pub const fn stops(fan: Direction) -> Flags {
        Flags(1 << if fan.is_diagonal() { fan as u32 } else { Direction::NorthEast as u32 })
    }

    #[must_use]
    pub const fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// What is known of a cell, in four bytes, because a search that jumps about waits for nothing but memory: the flags, then six
/// bits for each fan: legal steps to the next cell where the fan has something to do, at most 63; 0 if there is no step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Crossing(u32);

const LONGEST_SPAN: u32 = 63;

impl Crossing {
    /// Whether any of these flags is set.
    #[inline]
    pub fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }

    const fn shift(fan: Direction) -> u32 {
        8 + 6 * (fan as u32 % 4)
    }

    /// How far a fan goes from here without anything to do.
    #[inline]
    pub fn span(self, fan: Direction) -> u32 {
        self.0 >> Crossing::shift(fan) & LONGEST_SPAN
    }

    fn set_span(&mut self, fan: Direction, span: u32) {
        self.0 = self.0 & !(LONGEST_SPAN << Crossing::shift(fan)) | span << Crossing::shift(fan);
    }

    /// Sets the flags of a mask.
    fn set_flags(&mut self, mask: u32, flags: u32) {
        self.0 = self.0 & !mask | flags & mask;
    }
}

/// The straight directions, in the order of their numbers.
const STRAIGHT: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

/// At which cells a line has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stops {
    /// Where a wall forces more turns on arrival in the direction of the line.
    EachWay,
    /// Where a wall forces more turns on arrival in any direction.
    AnyWay,
}

/// By neighbour byte: the directions that have to stop, as a byte.
type StopTable = [u8; 256];

fn stop_table(moves: Moves, stops: Stops) -> StopTable {
    let rule = Rule::of(moves);
    std::array::from_fn(|neighbours| {
        let everywhere = stops == Stops::AnyWay && rule.forces(moves, neighbours as u8);
        let has_to =
            |direction: &Direction| everywhere || rule.forced(moves, *direction, neighbours as u8) != 0;
        Direction::ALL.into_iter().filter(has_to).fold(0, |all, direction| all | direction.bit())
    })
}

/// A direction that fans out.
#[derive(Clone, Copy, Debug)]
struct Fan {
    direction: Direction,
    rule: &'static Rule,
    /// A turn leads to something, or a wall forces one.
    busy: Flags,
}

impl Fan {
    /// The fans of a movement rule.
    fn all(moves: Moves) -> Vec<Fan> {
        let fan = |direction: Direction| {
            let aside = fan(moves, direction);
            aside[0]?;
            let stops = Flags::stops(direction);
            let busy = aside.into_iter().flatten().fold(stops, |all, to| all.or(Flags::leads(to)));
            Some(Fan { direction, rule: Rule::of(moves), busy })
        };
        Direction::ALL.into_iter().filter_map(fan).collect()
    }

    /// Returns whether the fan continues from a cell with these open neighbours.
    #[inline]
    fn continues(self, neighbours: u8) -> bool {
        self.rule.legal(neighbours) & self.direction.bit() != 0
    }

    /// The span of a cell, given the next one along the fan and the open neighbours of both.
    #[inline]
    fn span(self, next: Crossing, here_around: u8, next_around: u8) -> u32 {
        match () {
            () if !self.continues(here_around) => 0,
            () if next.has(self.busy) || !self.continues(next_around) => 1,
            () => (next.span(self.direction) + 1).min(LONGEST_SPAN),
        }
    }
}

/// The planes of one movement rule and one size of agent.
///
/// What is known of single cells is computed once and never written again: an edit in the open would change a good part of it,
/// because lines and fans are long there. Edits update the planes of bits, 64 cells at a time, and [`Marks`] say where these differ
/// from what is known of the cells. Copies share all but a few rows.
#[derive(Clone, Debug)]
pub(crate) struct JumpPlanes {
    built: Arc<Built>,
    /// Open cells, columns as rows.
    columns: BitPlane,
    /// By straight direction: its stops. Those of north and south with columns as rows.
    stops: [BitPlane; 4],
    /// By straight direction: the cells from which a line meets a stop before a wall. Those of north and south with columns as rows.
    leads: [BitPlane; 4],
    marks: Marks,
}

/// What is known of the cells as they were when the planes were built.
#[derive(Debug)]
struct Built {
    table: StopTable,
    open: BitPlane,
    leads: [BitPlane; 4],
    crossings: Vec<Crossing>,
}

impl JumpPlanes {
    /// Derives the planes from the open cells and, by node number, their open neighbours. See [`effort`](crate::effort) for
    /// `work`.
    pub fn build<E>(
        shape: &Shape,
        (moves, stops): (Moves, Stops),
        open: &BitPlane,
        neighbours: Values<'_, u8>,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<JumpPlanes, E> {
        let row_done = || work(shape.width().into());
        let table = stop_table(moves, stops);
        let mut crossings = vec![Crossing::default(); shape.node_bound()];
        let empty = || BitPlane::new(shape.width(), shape.height());
        let mut stops = [empty(), empty(), empty(), empty()];
        for y in 0..shape.height() as i32 {
            let first = shape.node(Cell { x: 0, y }).index();
            for word in 0..open.row(y).len() {
                let mut bits = open.row(y)[word];
                let mut words = [0; 4];
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    let node = first + word * 64 + bit as usize;
                    let stops = table[usize::from(neighbours[node])];
                    crossings[node].set_flags(Flags::ALL & !Flags::LEADS, stops.into());
                    for (direction, word) in words.iter_mut().enumerate() {
                        *word |= u64::from(stops >> direction & 1) << bit;
                    }
                }
                for (plane, bits) in stops.iter_mut().zip(words) {
                    plane.row_mut(y)[word] = bits;
                }
            }
            row_done()?;
        }
        stops[Direction::North as usize] = stops[Direction::North as usize].transposed();
        stops[Direction::South as usize] = stops[Direction::South as usize].transposed();
        let columns = open.transposed();
        let leads = STRAIGHT.map(|direction| {
            let open = if is_vertical(direction) { &columns } else { open };
            let mut plane = BitPlane::new(open.width(), open.height());
            for line in 0..open.height() as i32 {
                let (stops, row) = (stops[direction as usize].row(line), plane.row_mut(line));
                leads_along(direction, open.row(line), stops, |word, bits| row[word] = bits);
            }
            plane
        });
        // Columns of cells are slow to walk.
        let [north, south] = [Direction::North, Direction::South].map(|to| leads[to as usize].transposed());
        for y in 0..shape.height() as i32 {
            let first = shape.node(Cell { x: 0, y }).index();
            let row = &mut crossings[first..first + shape.width() as usize];
            let [_, east, _, west] = &leads;
            for (direction, plane) in STRAIGHT.into_iter().zip([&north, east, &south, west]) {
                set_bits(row.iter_mut(), plane.row(y), direction);
            }
            row_done()?;
        }
        for fan in Fan::all(moves) {
            measure_fan(&mut crossings, shape, neighbours, fan, row_done)?;
        }
        let marks = Marks::none(shape);
        let built = Arc::new(Built { table, open: open.clone(), leads: leads.clone(), crossings });
        Ok(JumpPlanes { built, columns, stops, leads, marks })
    }

    /// By node number: what was known of the cells when the planes were built.
    #[inline]
    pub fn crossings(&self) -> &[Crossing] {
        &self.built.crossings
    }

    /// Whether [`crossings`](Self::crossings) are up to date.
    #[inline]
    pub fn is_as_built(&self) -> bool {
        self.marks.is_empty()
    }

    /// Where they are not, in the tile of a cell.
    #[inline]
    pub fn marks_near(&self, cell: Cell) -> Tile {
        self.marks.near(cell)
    }

    /// Whether so much has changed that building the planes anew is worth its time.
    pub fn is_worn(&self) -> bool {
        self.marks.are_many(self.columns.width() as usize * self.columns.height() as usize)
    }

    /// Whether a line in a straight direction meets a stop before a wall.
    #[inline]
    pub fn leads(&self, cell: Cell, direction: Direction) -> bool {
        let place = if is_vertical(direction) { transposed(cell) } else { cell };
        self.leads[direction as usize % 4].contains(place)
    }

    /// The flags of a cell with these open neighbours, without those of lines that lead to a stop.
    #[inline]
    pub fn stops_among(&self, neighbours: u8) -> Crossing {
        Crossing(u32::from(self.built.table[usize::from(neighbours)]) & !Flags::LEADS)
    }

    /// Open cells with columns as rows.
    pub fn columns(&self) -> &BitPlane {
        &self.columns
    }

    /// How many cells it is from a cell to the next stop of a straight direction. There has to be one: see
    /// [`Flags::leads`].
    #[inline]
    pub fn distance(&self, cell: Cell, direction: Direction) -> u32 {
        let plane = &self.stops[direction as usize % 4];
        match direction {
            Direction::East => after(plane.row(cell.y), cell.x as u32),
            Direction::West => before(plane.row(cell.y), cell.x as u32),
            Direction::South => after(plane.row(cell.x), cell.y as u32),
            _ => before(plane.row(cell.x), cell.y as u32),
        }
    }

    /// Follows a cell that opened or closed; `open` and `neighbours` are as they are now.
    pub fn follow(&mut self, shape: &Shape, open: &BitPlane, neighbours: Values<'_, u8>, cell: Cell) {
        self.columns.set(transposed(cell), open.contains(cell));
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| cell.offset(dx, dy)));
        for near in around.filter(|&near| shape.contains(near)) {
            let byte = neighbours[shape.node(near).index()];
            let stops = if open.contains(near) { self.built.table[usize::from(byte)] } else { 0 };
            for direction in STRAIGHT {
                let place = if is_vertical(direction) { transposed(near) } else { near };
                let (plane, stops) = (&mut self.stops[direction as usize], stops & direction.bit() != 0);
                if plane.contains(place) != stops {
                    plane.set(place, stops);
                }
            }
        }
        for y in (cell.y - 1).max(0)..=(cell.y + 1).min(shape.height() as i32 - 1) {
            let first = (cell.x - 1).max(0) / 64;
            let last = (cell.x + 1).min(shape.width() as i32 - 1) / 64;
            for word in first..=last {
                self.marks.note_row(
                    y,
                    word as usize,
                    differs_around(open, &self.built.open, y, word as usize),
                );
            }
            self.lead_along(Direction::East, open, y);
            self.lead_along(Direction::West, open, y);
        }
        for x in (cell.x - 1).max(0)..=(cell.x + 1).min(shape.width() as i32 - 1) {
            self.lead_along(Direction::North, open, x);
            self.lead_along(Direction::South, open, x);
        }
    }

    /// Finds the cells of a row from which lines east or west meet a stop, or those of a column for the other directions.
    fn lead_along(&mut self, direction: Direction, open: &BitPlane, line: i32) {
        let JumpPlanes { built, columns, stops, leads, marks } = self;
        let open = if is_vertical(direction) { columns.row(line) } else { open.row(line) };
        let (before, plane) = (built.leads[direction as usize].row(line), &mut leads[direction as usize]);
        leads_along(direction, open, stops[direction as usize].row(line), |word, bits| {
            let old = plane.row(line)[word];
            if old != bits {
                plane.row_mut(line)[word] = bits;
                marks.note_leads(direction, line, word, [before[word], old, bits]);
            }
        });
    }

    /// About how many bytes the planes of a shape take.
    pub fn bytes_for(shape: &Shape) -> usize {
        shape.node_bound() * (size_of::<Crossing>() + 1)
    }

    /// Bytes of memory held, shared or not.
    pub fn bytes(&self) -> usize {
        let Built { open, leads, crossings, .. } = &*self.built;
        // The planes of bits as they were built are shared but for the rows that have changed since.
        let planes = self.stops.iter().chain(&self.leads).chain([&self.columns, open]);
        let before: usize = leads.iter().map(BitPlane::bytes).sum();
        planes.map(BitPlane::bytes).sum::<usize>()
            + if self.is_as_built() { 0 } else { before }
            + self.marks.bytes()
            + size_of_val(&crossings[..])
            + size_of::<Built>()
    }
}

/// Measures a fan from every cell, the cells it leads to first.
fn measure_fan<E>(
    crossings: &mut [Crossing],
    shape: &Shape,
    neighbours: Values<'_, u8>,
    fan: Fan,
    row_done: impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    let (dx, dy) = fan.direction.delta();
    let (stride, width) = (shape.stride() as usize, shape.width() as usize);
    let onward = step(shape, fan.direction);
    let mut row = |y: usize| {
        let first = (y + 1) * stride + 1;
        let mut measure = |node: usize| {
            let next = node.wrapping_add_signed(onward);
            // Walls get a span as well; it is never read.
            let span = fan.span(crossings[next], neighbours[node], neighbours[next]);
            crossings[node].set_span(fan.direction, span);
        };
        if dx > 0 {
            (first..first + width).rev().for_each(&mut measure);
        } else {
            (first..first + width).for_each(&mut measure);
        }
        row_done()
    };
    if dy > 0 {
        (0..shape.height() as usize).rev().try_for_each(&mut row)
    } else {
        (0..shape.height() as usize).try_for_each(&mut row)
    }
}

/// Calls `write` with each word of a line: the cells from which a line in a straight direction meets a stop before a wall.
fn leads_along(direction: Direction, open: &[u64], stops: &[u64], write: impl FnMut(usize, u64)) {
    match direction {
        Direction::East | Direction::South => leads_up(open, stops, write),
        _ => leads_down(open, stops, write),
    }
}

/// Whether any cell of a word of a row has another state than before, or one of its neighbours has.
fn differs_around(open: &BitPlane, before: &BitPlane, y: i32, word: usize) -> bool {
    (y - 1..=y + 1).any(|y| {
        let (now, then) = (open.row(y), before.row(y));
        let differ = |word: usize| now.get(word).zip(then.get(word)).map_or(0, |(now, then)| now ^ then);
        differ(word) | differ(word.wrapping_sub(1)) >> 63 | differ(word + 1) & 1 != 0
    })
}

fn is_vertical(direction: Direction) -> bool {
    direction.delta().0 == 0
}

/// A cell's place in the planes of columns.
fn transposed(cell: Cell) -> Cell {
    Cell::new(cell.y, cell.x)
}

/// The difference of node numbers along a direction.
#[inline]
fn step(shape: &Shape, direction: Direction) -> isize {
    let (dx, dy) = direction.delta();
    dy as isize * shape.stride() as isize + dx as isize
}

/// Sets the lead of a direction exactly where a row of bits is set.
fn set_bits<'a>(line: impl Iterator<Item = &'a mut Crossing>, bits: &[u64], direction: Direction) {
    let lead = Flags::leads(direction).0;
    for (x, crossing) in line.enumerate() {
        crossing.0 |= (bits[x / 64] >> (x % 64) & 1) as u32 * lead;
    }
}

/// How far the next set bit after `at` is. There has to be one.
#[inline]
fn after(row: &[u64], at: u32) -> u32 {
    let from = at + 1;
    let mut word = from as usize / 64;
    let mut bits = row[word] >> (from % 64) << (from % 64);
    while bits == 0 {
        word += 1;
        bits = row[word];
    }
    word as u32 * 64 + bits.trailing_zeros() - at
}

/// How far the last set bit before `at` is. There has to be one.
#[inline]
fn before(row: &[u64], at: u32) -> u32 {
    let mut word = at as usize / 64;
    let mut bits = row[word] & !(u64::MAX << (at % 64));
    while bits == 0 {
        word -= 1;
        bits = row[word];
    }
    at - (word as u32 * 64 + 63 - bits.leading_zeros())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::effort::unhindered;
    use crate::world::grid::layer::Layer;
    use crate::world::random_maps;

    /// The first stop or wall in a direction, cell by cell.
    fn walk(
        open: &BitPlane,
        layer: &Layer,
        shape: &Shape,
        (moves, stops): (Moves, Stops),
        from: Cell,
        direction: Direction,
    ) -> Option<u32> {
        let (dx, dy) = direction.delta();
        (1..).map(|steps| (steps, from.offset(dx * steps, dy * steps))).find_map(|(steps, cell)| {
            if !open.contains(cell) {
                return Some(None);
            }
            let neighbours = layer.neighbours()[shape.node(cell).index()];
            let forced = match stops {
                Stops::EachWay => Rule::of(moves).forced(moves, direction, neighbours) != 0,
                Stops::AnyWay => Rule::of(moves).forces(moves, neighbours),
            };
            forced.then_some(Some(steps as u32))
        })?
    }

    fn check(planes: &JumpPlanes, open: &BitPlane, rule: (Moves, Stops)) -> Result<(), TestCaseError> {
        let shape = Shape::new(open.width(), open.height());
        let layer = Layer::base(&shape, open.clone());
        for cell in shape.cells().filter(|&cell| open.contains(cell)) {
            let crossing = planes.crossings()[shape.node(cell).index()];
            for direction in STRAIGHT {
                let expected = walk(open, &layer, &shape, rule, cell, direction);
                prop_assert_eq!(
                    planes.leads(cell, direction),
                    expected.is_some(),
                    "{:?} {:?}",
                    cell,
                    direction
                );
                if planes.is_as_built() {
                    let leads = crossing.has(Flags::leads(direction));
                    prop_assert_eq!(leads, expected.is_some(), "{:?} {:?}", cell, direction);
                }
                if let Some(steps) = expected {
                    prop_assert_eq!(planes.distance(cell, direction), steps, "{:?} {:?}", cell, direction);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn lines_end_where_a_walk_ends(open in random_maps::plane(), rule in 0..4_usize) {
            let (moves, shape) = (Moves::ALL[rule], Shape::new(open.width(), open.height()));
            let layer = Layer::base(&shape, open.clone());
            for stops in [Stops::EachWay, Stops::AnyWay] {
                let Ok(planes) =
                    JumpPlanes::build(&shape, (moves, stops), &open, layer.neighbours(), unhindered);
                check(&planes, &open, (moves, stops))?;
            }
        }

        #[test]
        fn edits_leave_what_building_anew_gives(
            open in random_maps::plane(),
            rule in 0..4_usize,
            edits in prop::collection::vec((any::<u32>(), any::<u32>()), 1..8),
        ) {
            let (moves, shape) = (Moves::ALL[rule], Shape::new(open.width(), open.height()));
            let build = |open: &BitPlane| {
                let layer = Layer::base(&shape, open.clone());
                let rule = (moves, Stops::EachWay);
                let Ok(planes) = JumpPlanes::build(&shape, rule, open, layer.neighbours(), unhindered);
                planes
            };
            let (mut open, mut planes) = (open.clone(), build(&open));
            for (x, y) in edits {
                let cell = Cell::new((x % shape.width()) as i32, (y % shape.height()) as i32);
                open.set(cell, !open.contains(cell));
                let layer = Layer::base(&shape, open.clone());
                planes.follow(&shape, &open, layer.neighbours(), cell);
            }
            let fresh = build(&open);
            prop_assert!(planes.stops == fresh.stops && planes.leads == fresh.leads && planes.columns == fresh.columns);
            let is_as_it_was = planes.built.open == fresh.built.open;
            prop_assert!(!is_as_it_was || planes.is_as_built());
            check(&planes, &open, (moves, Stops::EachWay))?;
        }
    }
}
