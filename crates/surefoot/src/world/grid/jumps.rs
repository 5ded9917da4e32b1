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
//! Everything is derived from the tables of the movement rule, so the four rules need no separate code.

use std::ops::Range;

use crate::agent::Moves;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::bits::BitPlane;
use crate::world::grid::direction::Direction;
use crate::world::grid::rules::{Rule, fan};
use crate::world::grid::shape::Shape;
use crate::world::leads::{leads_down, leads_up};

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
#[derive(Clone, Debug)]
pub(crate) struct JumpPlanes {
    table: Box<StopTable>,
    fans: Vec<Fan>,
    /// Open cells, columns as rows.
    columns: BitPlane,
    /// By straight direction: its stops. Those of north and south with columns as rows.
    stops: [BitPlane; 4],
    crossings: Vec<Crossing>,
}

impl JumpPlanes {
    /// Derives the planes from the open cells and, by node number, their open neighbours. See [`effort`](crate::effort) for
    /// `work`.
    pub fn build<E>(
        shape: &Shape,
        (moves, stops): (Moves, Stops),
        open: &BitPlane,
        neighbours: &[u8],
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<JumpPlanes, E> {
        let row_done = || work(shape.width().into());
        let table = Box::new(stop_table(moves, stops));
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
        let fans = Fan::all(moves);
        let mut planes = JumpPlanes { table, fans, columns: open.transposed(), stops, crossings };
        for y in 0..shape.height() as i32 {
            planes.lead_along_row(shape, open, y, 0..shape.width() as usize, &mut |_| ());
            row_done()?;
        }
        planes.lead_along_columns(shape, row_done)?;
        for fan in planes.fans.clone() {
            planes.measure_fan(shape, neighbours, fan, row_done)?;
        }
        Ok(planes)
    }

    /// By node number.
    #[inline]
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Measures a fan from every cell, the cells it leads to first.
    fn measure_fan<E>(
        &mut self,
        shape: &Shape,
        neighbours: &[u8],
        fan: Fan,
        row_done: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let (dx, dy) = fan.direction.delta();
        let (stride, width) = (shape.stride() as usize, shape.width() as usize);
        let mut row = |y: usize| {
            let first = (y + 1) * stride + 1;
            let mut measure = |node: usize| {
                self.measure(shape, neighbours, fan, node);
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

    /// Measures a fan from a cell; whether that changed anything.
    #[inline]
    fn measure(&mut self, shape: &Shape, neighbours: &[u8], fan: Fan, node: usize) -> bool {
        let next = node.wrapping_add_signed(step(shape, fan.direction));
        // Walls get a span as well; it is never read.
        let span = fan.span(self.crossings[next], neighbours[node], neighbours[next]);
        let changed = self.crossings[node].span(fan.direction) != span;
        self.crossings[node].set_span(fan.direction, span);
        changed
    }

    /// Recomputes fans whose course goes over a cell that changed.
    fn measure_around(&mut self, shape: &Shape, neighbours: &[u8], node: usize) {
        for index in 0..self.fans.len() {
            let fan = self.fans[index];
            let mut at = node;
            self.measure(shape, neighbours, fan, at);
            // Behind a cell that keeps its span nothing changes; but at the first the change may be in its own flags.
            loop {
                at = at.wrapping_add_signed(-step(shape, fan.direction));
                if !shape.contains(shape.cell(NodeId(at as u32))) || !self.measure(shape, neighbours, fan, at)
                {
                    break;
                }
            }
        }
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
    pub fn follow(&mut self, shape: &Shape, open: &BitPlane, neighbours: &[u8], cell: Cell) {
        self.columns.set(transposed(cell), open.contains(cell));
        let mut changed = Vec::new();
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| cell.offset(dx, dy)));
        for near in around.filter(|&near| shape.contains(near)) {
            let node = shape.node(near).index();
            let stops = if open.contains(near) { self.table[usize::from(neighbours[node])] } else { 0 };
            self.crossings[node].set_flags(Flags::ALL & !Flags::LEADS, stops.into());
            changed.push(node);
            for direction in STRAIGHT {
                let place = if is_vertical(direction) { transposed(near) } else { near };
                self.stops[direction as usize].set(place, stops & direction.bit() != 0);
            }
        }
        let mut note = |node| changed.push(node);
        for y in (cell.y - 1).max(0)..=(cell.y + 1).min(shape.height() as i32 - 1) {
            self.lead_along_row(shape, open, y, between_walls(open.row(y), cell.x, shape.width()), &mut note);
        }
        for x in (cell.x - 1).max(0)..=(cell.x + 1).min(shape.width() as i32 - 1) {
            let rows = between_walls(self.columns.row(x), cell.y, shape.height());
            self.lead_along_column(shape, x, rows, &mut note);
        }
        for node in changed {
            self.measure_around(shape, neighbours, node);
        }
    }

    /// Records for some cells of a row whether lines east and west meet a stop; collects the nodes for which that changed.
    fn lead_along_row(
        &mut self,
        shape: &Shape,
        open: &BitPlane,
        y: i32,
        columns: Range<usize>,
        note: &mut impl FnMut(usize),
    ) {
        let stops = [Direction::West, Direction::East].map(|direction| self.stops[direction as usize].row(y));
        let first = shape.node(Cell { x: 0, y }).index();
        let nodes = columns.map(|x| (x, first + x));
        write_leads(&mut self.crossings, nodes, open.row(y), stops, [Direction::West, Direction::East], note);
    }

    /// Records for some cells of a column whether lines north and south meet a stop; collects the nodes for which that changed.
    fn lead_along_column(&mut self, shape: &Shape, x: i32, rows: Range<usize>, note: &mut impl FnMut(usize)) {
        let stops =
            [Direction::North, Direction::South].map(|direction| self.stops[direction as usize].row(x));
        let first = shape.node(Cell { x, y: 0 }).index();
        let nodes = rows.map(|y| (y, first + y * shape.stride() as usize));
        let open = self.columns.row(x);
        write_leads(&mut self.crossings, nodes, open, stops, [Direction::North, Direction::South], note);
    }

    /// The same for all columns, as planes, because columns of the flags are slow to walk.
    fn lead_along_columns<E>(
        &mut self,
        shape: &Shape,
        row_done: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut leads = [Direction::North, Direction::South].map(|direction| {
            let mut plane = BitPlane::new(shape.height(), shape.width());
            for x in 0..shape.width() as i32 {
                let (open, stops) = (self.columns.row(x), self.stops[direction as usize].row(x));
                let row = plane.row_mut(x);
                match direction {
                    Direction::North => leads_down(open, stops, |word, bits| row[word] = bits),
                    _ => leads_up(open, stops, |word, bits| row[word] = bits),
                }
            }
            plane.transposed()
        });
        let [north, south] = &mut leads;
        for y in 0..shape.height() as i32 {
            let first = shape.node(Cell { x: 0, y }).index();
            let row = &mut self.crossings[first..first + shape.width() as usize];
            set_bits(row.iter_mut(), north.row(y), Direction::North);
            set_bits(row.iter_mut(), south.row(y), Direction::South);
            row_done()?;
        }
        Ok(())
    }

    /// Returns whether both are equal for every cell.
    #[cfg(test)]
    pub fn agrees_with(&self, other: &JumpPlanes) -> bool {
        self.crossings == other.crossings && self.stops == other.stops && self.columns == other.columns
    }

    /// About how many bytes the planes of a shape take.
    pub fn bytes_for(shape: &Shape) -> usize {
        shape.node_bound() * (size_of::<Crossing>() + 1)
    }

    pub fn bytes(&self) -> usize {
        let stops: usize = self.stops.iter().map(BitPlane::bytes).sum();
        stops + self.columns.bytes() + self.crossings.len() * size_of::<Crossing>() + size_of::<StopTable>()
    }
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

/// The coordinates of a line whose leads an edit at one of them can change: up to the next walls, them included.
fn between_walls(open: &[u64], at: i32, length: u32) -> Range<usize> {
    let is_open = |at: i32| open[at as usize / 64] >> (at % 64) & 1 == 1;
    let end = length as i32 - 1;
    let (mut first, mut last) = ((at - 1).max(0), (at + 1).min(end));
    while first > 0 && is_open(first) {
        first -= 1;
    }
    while last < end && is_open(last) {
        last += 1;
    }
    first as usize..last as usize + 1
}

/// Writes the leads of cells of one line in both directions along it, first the one to smaller coordinates. `nodes` are the
/// cells' coordinates and their nodes.
fn write_leads(
    crossings: &mut [Crossing],
    nodes: impl Iterator<Item = (usize, usize)>,
    open: &[u64],
    stops: [&[u64]; 2],
    directions: [Direction; 2],
    note: &mut impl FnMut(usize),
) {
    const WORDS: usize = crate::world::grid::Grid::MAX_SIDE as usize / 64 + 1;
    let mut leads = [[0; 2]; WORDS];
    leads_down(open, stops[0], |word, bits| leads[word][0] = bits);
    leads_up(open, stops[1], |word, bits| leads[word][1] = bits);
    let [low, high] = directions.map(|direction| Flags::leads(direction).0);
    for (at, node) in nodes {
        let [lows, highs] = leads[at / 64].map(|bits: u64| (bits >> (at % 64) & 1) as u32);
        let before = crossings[node];
        crossings[node].set_flags(low | high, (lows * low) | (highs * high));
        if crossings[node] != before {
            note(node);
        }
    }
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
                    crossing.has(Flags::leads(direction)),
                    expected.is_some(),
                    "{:?} {:?}",
                    cell,
                    direction
                );
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
            prop_assert_eq!(&planes.crossings, &fresh.crossings);
            prop_assert_eq!(&planes.stops, &fresh.stops);
            prop_assert_eq!(&planes.columns, &fresh.columns);
        }
    }
}
