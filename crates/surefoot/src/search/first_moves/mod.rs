//! A table of first moves for all pairs of cells: paths without any search (Botea, *Ultra-Fast Optimal Pathfinding without
//! Runtime Search*, AIIDE 2011; Strasser, Harabor and Botea, *Fast First-Move Queries through Run-Length Encoding*,
//! `SoCS` 2014).
//!
//! From each cell, one sweep finds the first steps of the cheapest paths to all others. Rows of the table keep one of these steps
//! per target, compressed. A path is followed by looking up the next move until the goal is reached. The table grows with the
//! square of the map, so maps for which it would exceed a limit are rejected after a few rows have been sampled.

mod order;
mod table;

use std::any::Any;
use std::sync::Arc;

use self::table::FirstMoves;
use crate::core::kernel::End;
use crate::core::observe::{Action, Event, Observer, Side};
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::search::algorithm::Algorithm;
use crate::search::prepare::{Held, PrepareError, PrepareOptions, Prepared};
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Locate, View, WorldKind};
use crate::world::grid::{Direction, GridView};
use crate::world::nearest::{Reach, reachable};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    prepares: true,
    refusal: |view| {
        let has_links = view.as_grid().is_some_and(|view| !view.grid().links().is_empty());
        has_links.then_some("it needs a map without links")
    },
    load: Some(FirstMoves::load),
    ..Algorithm::plain(
        "first_moves",
        "First-move table",
        "First-move table: looks up the precomputed next step between any two cells; for small maps that rarely change",
        |_| Box::<Walk>::default(),
    )
};

impl Prepared {
    /// Returns the next step on a cheapest path from one place to another, in about a tenth of a microsecond. Returns `None` if
    /// the two places are the same or not connected, if this does not belong to the algorithm `first_moves`, or if it does not
    /// [fit](Prepared::fits) the view.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::world::grid::Direction;
    /// let grid: Grid = "
    ///     ...#
    ///     .#..
    ///     .##.".parse().unwrap();
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::named("first_moves", &Options::default()).unwrap();
    /// finder.prepare(&view, &PrepareOptions::default()).unwrap();
    /// let moves = finder.prepared().unwrap();
    /// let (mut at, goal) = (Cell::new(0, 2), Cell::new(3, 2));
    /// let mut steps = Vec::new();
    /// while let Some(step) = moves.next_step(&view, at, goal) {
    ///     at = at.offset(step.delta().0, step.delta().1);
    ///     steps.push(step);
    /// }
    /// use Direction::{East, North, South};
    /// assert_eq!(steps, [North, North, East, East, South, East, South]);
    /// ```
    pub fn next_step(&self, view: &GridView<'_>, from: impl Locate, to: impl Locate) -> Option<Direction> {
        let table: &dyn Any = &*self.table;
        let table: &FirstMoves = table.downcast_ref().filter(|_| self.fits(view))?;
        let world = View::from(view);
        let (from, to) = (from.node_in(&world)?, to.node_in(&world)?);
        let joined = view.is_open_node(from) && view.is_open_node(to) && from != to;
        if !joined || reachable(view, from, to) != Reach::Connected {
            return None;
        }
        let step = table.direction(from, to);
        step_from(view, from, step).map(|_| step)
    }
}

/// The neighbour in a direction and what the step costs, if it is legal.
#[inline]
fn step_from(view: &GridView<'_>, from: NodeId, step: Direction) -> Option<(NodeId, Cost)> {
    let next = NodeId(from.0.wrapping_add_signed(view.offsets()[step as usize]));
    view.step_units(from, next, step).map(|cost| (next, cost))
}

/// A walk along the table.
#[derive(Default)]
struct Walk {
    held: Held<FirstMoves>,
    /// The nodes so far and what it took to get there.
    nodes: Vec<(NodeId, Cost)>,
    /// How many of them have been left behind, or are the goal.
    closed: usize,
    /// The goal that is cheapest to reach, as far as is known.
    goal: Option<(NodeId, Cost)>,
    /// How many goals have been looked at, before the walk to the best of them begins.
    measured: usize,
    /// Where the path to the next goal is being measured, how many steps from the start, and their cost.
    probe: Option<(NodeId, usize, Cost)>,
    stats: Stats,
}

impl Walk {
    /// One step of the measurement of the path to a goal. An error means that the table is damaged.
    fn measure(&mut self, view: &GridView<'_>, table: &FirstMoves, task: &Task<'_>) -> Result<(), End> {
        let goal = task.goals[self.measured];
        let (at, steps, cost) = self.probe.unwrap_or((task.start, 0, Cost::ZERO));
        if self.goal.is_some_and(|(_, least)| cost >= least) {
            (self.measured, self.probe) = (self.measured + 1, None);
        } else if at == goal {
            self.goal = Some((goal, cost));
            (self.measured, self.probe) = (self.measured + 1, None);
        } else {
            let (next, more) = self.look_up(view, table, at, table.rank(goal), steps)?;
            self.probe = Some((next, steps + 1, cost + more));
        }
        Ok(())
    }

    #[inline]
    fn look_up(
        &mut self,
        view: &GridView<'_>,
        table: &FirstMoves,
        at: NodeId,
        target: u32,
        steps: usize,
    ) -> Result<(NodeId, Cost), End> {
        self.stats.expanded += 1;
        self.stats.generated += 1;
        let step = step_from(view, at, table.direction_to_rank(at, target));
        // Without damage no walk comes to a wall or has more steps than there are cells.
        step.filter(|_| steps < table.targets()).ok_or(End::Exhausted)
    }

    fn walk(
        &mut self,
        view: &GridView<'_>,
        table: &FirstMoves,
        task: &Task<'_>,
        budget: u64,
        observer: &mut impl Observer,
    ) -> Result<End, End> {
        let last = self.stats.expanded.saturating_add(budget);
        while task.goals.len() > 1 && self.measured < task.goals.len() {
            if self.stats.expanded == last {
                return Ok(End::Paused);
            }
            self.measure(view, table, task)?;
            if observer.wants_pause() {
                return Ok(End::Paused);
            }
        }
        let goal = self.goal.map_or(task.goals[0], |(goal, _)| goal);
        let target = table.rank(goal);
        let event =
            |action, node, parent, g| Event { action, node, parent, g, h: Cost::ZERO, side: Side::Forward };
        let (mut at, mut cost) = self.nodes[self.nodes.len() - 1];
        loop {
            if self.stats.expanded == last {
                return Ok(End::Paused);
            }
            let parent = self.closed.checked_sub(1).map_or(NodeId::NONE, |before| self.nodes[before].0);
            if self.closed == 0 {
                observer.on(&event(Action::Open, at, parent, cost));
            }
            observer.on(&event(Action::Close, at, parent, cost));
            self.closed = self.nodes.len();
            if at == goal {
                return Ok(End::Goal(goal));
            }
            let (next, more) = self.look_up(view, table, at, target, self.nodes.len() - 1)?;
            cost += more;
            self.nodes.push((next, cost));
            observer.on(&event(Action::Open, next, at, cost));
            at = next;
            if observer.wants_pause() {
                return Ok(End::Paused);
            }
        }
    }
}

impl Solver for Walk {
    fn prepare(&mut self, view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        let Some(grid) = view.as_grid() else { return Ok(()) };
        self.held.keep_up(view, |_| FirstMoves::build(grid, options).map(Arc::new))
    }

    fn prepared(&self) -> Option<Prepared> {
        self.held.share(&ALGORITHM)
    }

    fn adopt(&mut self, prepared: &Prepared) -> bool {
        self.held.adopt(prepared)
    }

    fn begin(&mut self, _view: &View<'_>, task: &Task<'_>) {
        self.nodes.clear();
        self.nodes.push((task.start, Cost::ZERO));
        (self.closed, self.goal, self.measured, self.probe) = (0, None, 0, None);
        self.stats = Stats { peak_open: 1, ..Stats::default() };
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let (Some(view), Some(table)) = (view.as_grid(), self.held.table().cloned()) else {
            return End::Exhausted;
        };
        let Slice { budget, watcher } = slice;
        let end = match watcher {
            None => self.walk(view, &table, task, budget, &mut ()),
            Some(mut watcher) => self.walk(view, &table, task, budget, &mut watcher),
        };
        end.unwrap_or_else(|end| end)
    }

    fn trace_back(&self, _view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let steps = self.nodes.iter().position(|&(node, _)| node == to);
        nodes.extend(self.nodes.iter().take(steps.map_or(0, |steps| steps + 1)).map(|&(node, _)| node));
    }

    fn closest(&self) -> Option<NodeId> {
        self.nodes.last().map(|&(node, _)| node)
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let index = self.nodes.iter().position(|&(reached, _)| reached == node)?;
        let parent = index.checked_sub(1).map_or(NodeId::NONE, |before| self.nodes[before].0);
        Some(Visit { g: self.nodes[index].1, parent, closed: index < self.closed })
    }

    fn stats(&self) -> Stats {
        Stats { scratch_bytes: (self.nodes.capacity() * size_of::<(NodeId, Cost)>()) as u64, ..self.stats }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::Agent;
    use crate::generate::{Kind, generate};
    use crate::search::prepare::Table;
    use crate::search::{Options, Pathfinder, Why};
    use crate::space::Cell;
    use crate::validate::{self, Claim};
    use crate::world::grid::{Grid, Terrain};

    fn prepared(view: &GridView<'_>) -> Prepared {
        let mut finder = Pathfinder::new(&ALGORITHM, &Options::default()).unwrap();
        finder.prepare(view, &PrepareOptions::default()).unwrap();
        finder.prepared().unwrap()
    }

    #[test]
    fn a_table_read_back_is_the_table_written() {
        let grid = generate(Kind::Rooms, 40, 30, 3).unwrap();
        let view = grid.view(&Agent::default());
        let table = FirstMoves::build(&view, &PrepareOptions::default()).unwrap();
        let mut bytes = Vec::new();
        table.save(&mut bytes);
        let again: Arc<dyn Any + Send + Sync> = FirstMoves::load(&view, &bytes).unwrap();
        assert!(*again.downcast::<FirstMoves>().unwrap() == table);
    }

    #[test]
    fn there_is_no_next_step_where_there_is_no_path() {
        let mut grid: Grid = "
            ..#.
            ..#."
            .parse()
            .unwrap();
        let view = grid.view(&Agent::default());
        let moves = prepared(&view);
        let step = |from: (i32, i32), to: (i32, i32)| {
            moves.next_step(&view, Cell::new(from.0, from.1), Cell::new(to.0, to.1))
        };
        assert_eq!(step((0, 0), (1, 1)), Some(Direction::SouthEast));
        for (from, to) in
            [((0, 0), (0, 0)), ((0, 0), (3, 0)), ((0, 0), (2, 0)), ((2, 0), (0, 0)), ((0, 0), (9, 9))]
        {
            assert_eq!(step(from, to), None, "{from:?} to {to:?}");
        }
        grid.set(Cell::new(2, 0), Terrain::FLOOR).unwrap();
        let view = grid.view(&Agent::default());
        assert_eq!(moves.next_step(&view, Cell::new(0, 0), Cell::new(1, 1)), None, "made for another map");
    }

    #[test]
    fn links_are_refused() {
        let mut grid = Grid::new(4, 4).unwrap();
        grid.add_link(Cell::new(0, 0), Cell::new(3, 3), Cost::ONE).unwrap();
        let view = grid.view(&Agent::default());
        let mut finder = Pathfinder::new(&ALGORITHM, &Options::default()).unwrap();
        let refused = finder.prepare(view, &PrepareOptions::default());
        assert!(matches!(refused, Err(PrepareError::NotApplicable { .. })));
    }

    #[test]
    fn without_enough_memory_there_is_no_path_but_a_reason() {
        let grid = generate(Kind::Rooms, 40, 30, 3).unwrap();
        let view = grid.view(&Agent::default());
        let open = grid.cells().find(|&cell| grid.is_open(cell)).unwrap();
        let mut finder = Pathfinder::new(&ALGORITHM, &Options::default()).unwrap();
        let options = PrepareOptions { memory_limit: 10_000, ..PrepareOptions::default() };
        assert!(matches!(finder.prepare(view, &options), Err(PrepareError::TooLarge { .. })));
        assert_eq!(finder.find(view, open, open).err(), Some(Why::NotPrepared));
    }

    proptest! {
        #[test]
        fn damage_is_noticed_or_harmless(
            directions in prop::collection::vec((any::<prop::sample::Index>(), 1..8_u8), 0..20),
            bytes_set in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            keep in prop::option::weighted(0.1, any::<prop::sample::Index>()),
        ) {
            let grid: Grid = "
                ......#.
                .####.#.
                .#....#.
                .#.##...
                ........".parse().unwrap();
            let agent = Agent::default();
            let view = grid.view(&agent);
            let mut bytes = Vec::new();
            FirstMoves::build(&view, &PrepareOptions::default()).unwrap().save(&mut bytes);
            // The rows come last; damaged directions are all that loading cannot notice.
            let rows = 8 + 4 * view.neighbours().len() + 8;
            for (index, change) in directions {
                let index = rows + 4 * index.index((bytes.len() - rows) / 4);
                bytes[index] ^= change;
            }
            for (index, byte) in bytes_set {
                let index = index.index(bytes.len());
                bytes[index] = byte;
            }
            if let Some(keep) = keep {
                bytes.truncate(keep.index(bytes.len()));
            }
            let Ok(table) = FirstMoves::load(&view, &bytes) else { return Ok(()) };
            let prepared = Prepared { table, ..prepared(&view) };
            let mut finder = Pathfinder::new(&ALGORITHM, &Options::default()).unwrap();
            prop_assert!(finder.adopt(&prepared));
            let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
            for &from in &open {
                finder.find_nearest(view, from, &open[3..6]).ok();
                for &to in &open {
                    prepared.next_step(&view, from, to);
                    if let Ok(path) = finder.find(view, from, to) {
                        let ends = [from, to].map(|cell| grid.node(cell).unwrap());
                        let claim = Claim::of(path, ends[0], &ends[1..]);
                        prop_assert_eq!(validate::grid_path(&grid, &agent, &claim), Ok(()));
                    }
                }
            }
        }
    }
}
