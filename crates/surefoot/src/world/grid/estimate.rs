//! Heuristics on grids, and what they guarantee there.

use crate::agent::Moves;
use crate::core::estimate::{Estimate, Flyer, Weight};
use crate::core::heuristic::Heuristic;
use crate::cost::{Cost, line_below};
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{GridView, Shape};

/// The least that a straight and a diagonal step cost anywhere on the map, in units.
pub(crate) fn cheapest_steps(view: &GridView<'_>) -> [u64; 2] {
    view.level_steps(view.grid().cheapest_terrain()).map(Cost::units)
}

/// How a heuristic measures the distance between two cells without obstacles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flight {
    /// `straight * (max - min) + diagonal * min`.
    Steps { straight: u64, diagonal: u64 },
    /// `unit` for each cell of the straight line, rounded down.
    Line { unit: u64 },
}

impl Flight {
    pub fn new(heuristic: Heuristic, view: &GridView<'_>) -> Flight {
        let [straight, diagonal] = cheapest_steps(view);
        let times = |weight: f64| (straight as f64 * weight.clamp(0.0, Heuristic::MAX_WEIGHT)).round() as u64;
        let steps = |straight, diagonal| Flight::Steps { straight, diagonal };
        match heuristic {
            Heuristic::Best if view.moves() == Moves::Four => steps(straight, 2 * straight),
            Heuristic::Best => steps(straight, diagonal.min(2 * straight)),
            Heuristic::Manhattan => steps(straight, 2 * straight),
            Heuristic::Euclidean => Flight::Line { unit: straight },
            Heuristic::Chebyshev => steps(straight, straight),
            Heuristic::Octile => steps(straight, straight * Cost::DIAGONAL.units() / Cost::ONE.units()),
            Heuristic::Diagonal => steps(straight, straight * 14 / 10),
            Heuristic::Custom { straight, diagonal } => steps(times(straight), times(diagonal)),
            Heuristic::Zero => steps(0, 0),
        }
    }

    #[inline]
    fn between(&self, dx: u32, dy: u32) -> u64 {
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        match *self {
            Flight::Steps { straight, diagonal } => straight * (long - short) + diagonal * short,
            Flight::Line { unit } => line_below(unit, long * long + short * short),
        }
    }
}

/// The heuristic to a single goal on a grid without links, by steps. Nearly every query uses it, so it is a separate type.
pub(crate) struct StepsTo {
    shape: Shape,
    x: i32,
    y: i32,
    straight: u64,
    diagonal: u64,
}

impl StepsTo {
    /// Returns the heuristic to a goal, if it counts steps.
    pub fn new(heuristic: Heuristic, weight: Weight, view: &GridView<'_>, goal: NodeId) -> Option<StepsTo> {
        let Flight::Steps { straight, diagonal } = Flight::new(heuristic, view) else { return None };
        let cell = view.grid().cell(goal);
        let (straight, diagonal) = (weight.times(straight), weight.times(diagonal));
        Some(StepsTo { shape: *view.shape(), x: cell.x, y: cell.y, straight, diagonal })
    }

    /// Returns the estimate from a cell.
    #[inline]
    pub fn of_cell(&self, cell: Cell) -> u64 {
        let (dx, dy) = (cell.x.abs_diff(self.x), cell.y.abs_diff(self.y));
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        self.straight * (long - short) + self.diagonal * short
    }
}

impl Estimate for StepsTo {
    const COUNTS_STEPS: bool = true;

    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        self.of_cell(self.shape.cell(node))
    }
}

/// The heuristic to a single goal on a grid without links, in a straight line.
pub(crate) struct LineTo {
    shape: Shape,
    goal: Cell,
    unit: u64,
    weight: Weight,
}

impl Estimate for LineTo {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        let cell = self.shape.cell(node);
        let (dx, dy) = (cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
        let squares = u64::from(dx) * u64::from(dx) + u64::from(dy) * u64::from(dy);
        self.weight.times(line_below(self.unit, squares))
    }
}

impl LineTo {
    pub fn new(view: &GridView<'_>, goal: NodeId, unit: u64, weight: Weight) -> LineTo {
        LineTo { shape: *view.shape(), goal: view.grid().cell(goal), unit, weight }
    }
}

/// Flies over a grid.
pub(crate) struct GridFlyer<'a> {
    flight: Flight,
    shape: &'a Shape,
}

impl<'a> GridFlyer<'a> {
    pub fn new(heuristic: Heuristic, view: &GridView<'a>) -> GridFlyer<'a> {
        GridFlyer { flight: Flight::new(heuristic, view), shape: view.shape() }
    }
}

/// Columns and rows from least to most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBox {
    least: (i32, i32),
    most: (i32, i32),
}

impl CellBox {
    /// The box around two boxes.
    fn joined(self, other: CellBox) -> CellBox {
        CellBox {
            least: (self.least.0.min(other.least.0), self.least.1.min(other.least.1)),
            most: (self.most.0.max(other.most.0), self.most.1.max(other.most.1)),
        }
    }

    /// How many columns and rows two boxes are apart.
    #[inline]
    fn gaps(self, other: CellBox) -> (u32, u32) {
        let gap = |a_least: i32, a_most: i32, b_least: i32, b_most: i32| {
            (b_least - a_most).max(a_least - b_most).max(0) as u32
        };
        (
            gap(self.least.0, self.most.0, other.least.0, other.most.0),
            gap(self.least.1, self.most.1, other.least.1, other.most.1),
        )
    }
}

impl Flyer for GridFlyer<'_> {
    type Place = CellBox;

    #[inline]
    fn place(&self, node: NodeId) -> CellBox {
        let cell = self.shape.cell(node);
        CellBox { least: (cell.x, cell.y), most: (cell.x, cell.y) }
    }

    fn join(&self, a: CellBox, b: CellBox) -> CellBox {
        a.joined(b)
    }

    #[inline]
    fn fly(&self, a: CellBox, b: CellBox) -> u64 {
        let (columns, rows) = a.gaps(b);
        self.flight.between(columns, rows)
    }
}

impl Heuristic {
    /// Returns whether the heuristic is admissible: it never exceeds the true cost for this agent on this grid. A* then finds an
    /// optimal path.
    ///
    /// Estimates of paths through links rely on a step changing the estimate by no more than its cost, so on grids with links the
    /// heuristic must be consistent as well.
    pub fn is_admissible(self, view: &GridView<'_>) -> bool {
        !self.exceeds_steps(view) && (view.grid().links().is_empty() || self.is_consistent(view))
    }

    /// Returns whether the heuristic may exceed the cost of a path without links.
    fn exceeds_steps(self, view: &GridView<'_>) -> bool {
        let [straight, diagonal] = cheapest_steps(view);
        // With walls and terrain away, the cheapest path: diagonals where they help, straight for the rest.
        let by_diagonal =
            if view.moves().has_diagonals() { diagonal.min(2 * straight) } else { 2 * straight };
        match Flight::new(self, view) {
            Flight::Steps { straight: s, diagonal: d } => s > straight || d > by_diagonal,
            Flight::Line { unit } => unit > straight || 2 * unit * unit > by_diagonal * by_diagonal,
        }
    }

    /// Returns whether the heuristic is consistent: no step lowers it by more than the cost of the step. A* then expands no node
    /// twice (with a list or a heap) and bidirectional search is exact.
    pub fn is_consistent(self, view: &GridView<'_>) -> bool {
        let [straight, diagonal] = cheapest_steps(view);
        let diagonal = if view.moves().has_diagonals() { diagonal } else { u64::MAX };
        match Flight::new(self, view) {
            // By how much a straight step can change the estimate, and a diagonal one.
            Flight::Steps { straight: s, diagonal: d } => {
                s.max(d.abs_diff(s)) <= straight && d.max((2 * s).abs_diff(d)) <= diagonal
            }
            Flight::Line { unit } => {
                unit <= straight && u128::from(unit).pow(2) * 2 <= u128::from(diagonal).pow(2)
            }
        }
    }

    /// Explains in plain words why A* with this heuristic may miss the best path; `None` if it never does.
    pub fn fault(self, view: &GridView<'_>) -> Option<String> {
        if self.is_admissible(view) {
            return None;
        }
        let what = match view.moves().has_diagonals() {
            _ if !self.exceeds_steps(view) => "paths through links",
            true => "diagonal moves",
            false => "moves",
        };
        Some(format!("{} overestimates {what}", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::core::estimate::{AnchorBuffer, Anchored, MANY_LINKS, ROUNDS};
    use crate::world::links::Link;

    /// The side of an open floor.
    const SIDE: i32 = 60;

    /// Flies over an open floor: a straight and a diagonal step cost this much.
    struct Floor {
        flight: Flight,
    }

    fn cell(node: NodeId) -> Cell {
        Cell::new(node.0 as i32 % SIDE, node.0 as i32 / SIDE)
    }

    fn node(x: i32, y: i32) -> NodeId {
        NodeId((y * SIDE + x) as u32)
    }

    impl Flyer for Floor {
        type Place = CellBox;

        fn place(&self, node: NodeId) -> CellBox {
            let Cell { x, y } = cell(node);
            CellBox { least: (x, y), most: (x, y) }
        }

        fn join(&self, a: CellBox, b: CellBox) -> CellBox {
            a.joined(b)
        }

        fn fly(&self, a: CellBox, b: CellBox) -> u64 {
            let (dx, dy) = a.gaps(b);
            self.flight.between(dx, dy)
        }
    }

    /// Checks that no step and no link makes the estimate fall by more than it costs, and that nothing is left at the goals. So
    /// the estimate never exceeds what is left.
    fn check(flight: Flight, goals: &[NodeId], links: &[Link]) {
        let mut buffer = AnchorBuffer::default();
        let estimate =
            Anchored::new(Floor { flight }, Weight::ONE, goals, links.iter().copied(), &mut buffer);
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let here = estimate.of(node(x, y));
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let (to_x, to_y) = (x + dx, y + dy);
                if (0..SIDE).contains(&to_x) && to_y < SIDE {
                    let step = if dx != 0 && dy != 0 { Cost::DIAGONAL } else { Cost::ONE }.units();
                    assert!(here.abs_diff(estimate.of(node(to_x, to_y))) <= step, "{x},{y} to {to_x},{to_y}");
                }
            }
        }
        for link in links {
            let (here, there) = (estimate.of(link.from), estimate.of(link.to));
            assert!(here <= there.saturating_add(link.cost.units()), "{link:?}: {here} to {there}");
        }
        assert!(goals.iter().all(|&goal| estimate.of(goal) == 0));
    }

    fn flights() -> impl Strategy<Value = Flight> {
        let (straight, diagonal) = (Cost::ONE.units(), Cost::DIAGONAL.units());
        prop_oneof![
            Just(Flight::Steps { straight, diagonal }),
            Just(Flight::Steps { straight, diagonal: straight }),
            // Without a triangle inequality.
            Just(Flight::Steps { straight, diagonal: straight * 6 / 10 }),
            Just(Flight::Line { unit: straight }),
        ]
    }

    proptest! {
        #[test]
        fn estimates_are_consistent_with_any_number_of_links_and_goals(
            flight in flights(),
            goals in prop::collection::vec(0..(SIDE * SIDE) as u32, 1..20),
            count in prop::sample::select(vec![0, 3, 127, 128, 129, 140, 400]),
            spread in prop::sample::select(vec![1, 5, SIDE]),
            corner in (0..SIDE, 0..SIDE),
            costs in prop::collection::vec(1..400_000_u64, 400),
            places in prop::collection::vec((0..SIDE, 0..SIDE, 0..SIDE, 0..SIDE), 400),
        ) {
            let goals: Vec<NodeId> = goals.into_iter().map(NodeId).collect();
            let near = |at: i32, by: i32| (at + by % spread).min(SIDE - 1);
            let links: Vec<Link> = places.iter().zip(costs).take(count).map(|(&(a, b, c, d), cost)| Link {
                from: node(near(corner.0, a), near(corner.1, b)),
                to: node(near(corner.1, c), near(corner.0, d)),
                cost: Cost::from_units(if cost % 3 == 0 { 1 } else { cost }),
            }).collect();
            check(flight, &goals, &links);
        }
    }

    /// Each link helps only once the one before it does, and the rounds run out before all have been found to help.
    #[test]
    fn links_that_need_more_rounds_than_there_are_still_count() {
        // Entrances right and left of the middle, each a little less far from the box of those before than the last one was; all
        // equally far from the goal, as this flight measures it.
        let straight = Cost::ONE.units();
        let flight = Flight::Steps { straight, diagonal: straight };
        let goal = node(30, 59);
        let (mut left, mut right) = (30, 30);
        let mut entrances = vec![node(30, 0)];
        for gap in (1..10).rev() {
            let x = if gap % 2 == 1 { right + gap } else { left - gap };
            (left, right) = (left.min(x), right.max(x));
            entrances.push(node(x, 0));
        }
        assert!(entrances.len() > ROUNDS);
        let mut links: Vec<Link> = Vec::new();
        for (index, &from) in entrances.iter().enumerate() {
            let to = if index == 0 { goal } else { entrances[index - 1] };
            links.insert(0, Link { from, to, cost: Cost::from_units(7) });
        }
        let idle = Link { from: node(5, 50), to: node(5, 50), cost: Cost::from_units(1) };
        links.extend(std::iter::repeat_n(idle, MANY_LINKS));
        check(flight, &[goal], &links);
        let mut buffer = AnchorBuffer::default();
        let estimate =
            Anchored::new(Floor { flight }, Weight::ONE, &[goal], links.iter().copied(), &mut buffer);
        let last = *entrances.last().unwrap();
        assert!(estimate.of(last) <= 7 * entrances.len() as u64, "{} is too much", estimate.of(last));
    }
}
