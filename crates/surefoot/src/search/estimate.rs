//! Estimates made for one query.
//!
//! Links shorten distances. The estimate then is the cheapest combination of flying straight and taking links, any number
//! of them in a row: the exact distance in a world without walls. It is computed once a query for each link entrance;
//! each entrance that is worth flying to becomes an [`Anchor`], and the estimate of a node is its least detour over all
//! anchors. Flying obeys the triangle inequality, so this stays consistent where the plain estimate is. Where there are too
//! many links for that, one anchor stands for all of them: see [`lump`].

use crate::agent::Moves;
use crate::cost::{Cost, line_below};
use crate::graph::Located;
use crate::id::NodeId;
use crate::search::heuristic::Heuristic;
use crate::search::observe::Side;
use crate::space::{Cell, Point};
use crate::world::grid::{GridView, Shape};
use crate::world::links::Link;
use crate::world::waypoints::Waypoints;

/// The least that a straight and a diagonal step cost anywhere on the map, in units.
pub(crate) fn cheapest_steps(view: &GridView<'_>) -> [u64; 2] {
    view.level_steps(view.grid().cheapest_terrain()).map(Cost::units)
}

/// How an estimate measures the way between two cells when nothing is in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flight {
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

/// How greedily a search trusts its estimate: a factor in steps of 1/1024, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(u64);

impl Weight {
    pub const ONE: Weight = Weight(1024);

    /// The nearest weight; `None` below 1 or above 1000.
    pub fn new(factor: f64) -> Option<Weight> {
        (1.0..=1000.0).contains(&factor).then(|| Weight((factor * 1024.0).round() as u64))
    }

    #[inline]
    pub fn times(self, units: u64) -> u64 {
        if self == Weight::ONE { units } else { units.saturating_mul(self.0) >> 10 }
    }
}

/// An estimate made for one query.
pub(crate) trait Estimate {
    /// The units that are left from a node, at most `u64::MAX / 2`.
    fn of(&self, node: NodeId) -> u64;
}

/// No estimate.
pub(crate) struct Blind;

impl Estimate for Blind {
    #[inline]
    fn of(&self, _node: NodeId) -> u64 {
        0
    }
}

/// An estimate of a type that nobody needs to know.
pub(crate) struct Erased<'a>(pub &'a dyn Estimate);

impl Estimate for Erased<'_> {
    fn of(&self, node: NodeId) -> u64 {
        self.0.of(node)
    }
}

/// The estimate to a single goal on a grid without links, by steps: what nearly every query uses, so it is kept apart.
pub(crate) struct StepsTo {
    shape: Shape,
    x: i32,
    y: i32,
    straight: u64,
    diagonal: u64,
}

impl StepsTo {
    /// The estimate to a goal, if the heuristic counts steps.
    pub fn new(heuristic: Heuristic, weight: Weight, view: &GridView<'_>, goal: NodeId) -> Option<StepsTo> {
        let Flight::Steps { straight, diagonal } = Flight::new(heuristic, view) else { return None };
        let cell = view.grid().cell(goal);
        let (straight, diagonal) = (weight.times(straight), weight.times(diagonal));
        Some(StepsTo { shape: *view.shape(), x: cell.x, y: cell.y, straight, diagonal })
    }

    /// The estimate from a cell.
    #[inline]
    pub fn of_cell(&self, cell: Cell) -> u64 {
        let (dx, dy) = (cell.x.abs_diff(self.x), cell.y.abs_diff(self.y));
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        self.straight * (long - short) + self.diagonal * short
    }
}

impl Estimate for StepsTo {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        self.of_cell(self.shape.cell(node))
    }
}

/// The estimate to a single goal on a grid without links, as the crow flies.
struct LineTo {
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

/// Someone who goes on with an estimate of whichever type it is.
pub(crate) trait WithEstimate {
    /// What comes of it.
    type Out;

    /// Goes on.
    fn go_on<H: Estimate>(self, estimate: &H) -> Self::Out;
}

/// Makes the estimate of a query on a grid, the simplest type that will do, and goes on with it. A search that runs backwards
/// estimates the way from its goals.
pub(crate) fn with_grid_estimate<W: WithEstimate>(
    heuristic: Heuristic,
    weight: Weight,
    view: &GridView<'_>,
    side: Side,
    goals: &[NodeId],
    buffer: &mut AnchorBuffer<CellBox>,
    then: W,
) -> W::Out {
    if heuristic == Heuristic::Zero {
        return then.go_on(&Blind);
    }
    if let [goal] = *goals
        && view.grid().links().is_empty()
    {
        if let Some(estimate) = StepsTo::new(heuristic, weight, view, goal) {
            return then.go_on(&estimate);
        }
        if let Flight::Line { unit } = Flight::new(heuristic, view) {
            let goal = view.grid().cell(goal);
            return then.go_on(&LineTo { shape: *view.shape(), goal, unit, weight });
        }
    }
    let flyer = GridFlyer::new(heuristic, view);
    let links = view.usable_links().map(|link| seen_from(side, link));
    then.go_on(&Anchored::new(flyer, weight, goals, links, buffer))
}

/// A link as a search from one side walks it.
fn seen_from(side: Side, link: Link) -> Link {
    if side == Side::Forward { link } else { link.reversed() }
}

/// Makes the estimate of a query on a waypoint graph and goes on with it.
pub(crate) fn with_graph_estimate<W: WithEstimate>(
    heuristic: Heuristic,
    weight: Weight,
    graph: &Waypoints,
    side: Side,
    goals: &[NodeId],
    buffer: &mut AnchorBuffer<PointBox>,
    then: W,
) -> W::Out {
    let links = graph.open_links().map(|link| seen_from(side, link));
    then.go_on(&Anchored::new(GraphFlyer::new(heuristic, graph), weight, goals, links, buffer))
}

/// A place worth flying to: a goal, or the entrance of a link, with what is left from there.
#[derive(Clone, Copy, Debug)]
struct Anchor<P> {
    place: P,
    rest: u64,
}

/// A link between two places, with what is left from its entrance as far as known.
#[derive(Clone, Copy, Debug)]
struct Passage<P> {
    entrance: P,
    exit: P,
    cost: u64,
    rest: u64,
}

/// Buffers for the anchors of a query, kept from one query to the next.
#[derive(Clone, Debug)]
pub(crate) struct AnchorBuffer<P> {
    anchors: Vec<Anchor<P>>,
    passages: Vec<Passage<P>>,
}

impl<P> Default for AnchorBuffer<P> {
    fn default() -> AnchorBuffer<P> {
        AnchorBuffer { anchors: Vec::new(), passages: Vec::new() }
    }
}

impl<P> AnchorBuffer<P> {
    pub fn bytes(&self) -> usize {
        self.anchors.capacity() * size_of::<Anchor<P>>() + self.passages.capacity() * size_of::<Passage<P>>()
    }
}

/// More goals than this are not asked one by one: the box around them stands for all.
const MANY_GOALS: usize = 16;
/// More links than this are not anchors of their own: the box around the entrances of those that help stands for them.
const MANY_LINKS: usize = 128;
/// How often many links are looked through to find those that help; after that, all of them are taken to help.
const ROUNDS: usize = 8;

/// How an estimate measures a world without walls. Places are boxes, so that a box can stand for many nodes.
pub(crate) trait Flyer {
    /// A box.
    type Place: Copy;

    /// The box around one node.
    fn place(&self, node: NodeId) -> Self::Place;

    /// The box around two boxes.
    fn join(&self, a: Self::Place, b: Self::Place) -> Self::Place;

    /// The estimate between the nearest points of two boxes, in units.
    fn fly(&self, a: Self::Place, b: Self::Place) -> u64;
}

/// The estimate to any of several goals, through any links.
pub(crate) struct Anchored<'a, F: Flyer> {
    flyer: F,
    weight: Weight,
    anchors: &'a [Anchor<F::Place>],
}

impl<'a, F: Flyer> Anchored<'a, F> {
    /// Prepares the estimate. A search that runs backwards gives its links reversed.
    pub fn new(
        flyer: F,
        weight: Weight,
        goals: &[NodeId],
        links: impl Iterator<Item = Link>,
        buffer: &'a mut AnchorBuffer<F::Place>,
    ) -> Anchored<'a, F> {
        let AnchorBuffer { anchors, passages } = buffer;
        anchors.clear();
        let places = goals.iter().map(|&goal| flyer.place(goal));
        if goals.len() > MANY_GOALS {
            anchors.extend(places.reduce(|a, b| flyer.join(a, b)).map(|place| Anchor { place, rest: 0 }));
        } else {
            anchors.extend(places.map(|place| Anchor { place, rest: 0 }));
        }
        passages.clear();
        passages.extend(links.map(|link| Passage {
            entrance: flyer.place(link.from),
            exit: flyer.place(link.to),
            cost: link.cost.units(),
            rest: u64::MAX,
        }));
        if passages.len() > MANY_LINKS {
            anchors.extend(lump(&flyer, anchors, passages));
        } else {
            settle(&flyer, anchors, passages);
        }
        Anchored { flyer, weight, anchors }
    }
}

/// The least that is left from a place by way of any of several anchors.
#[inline]
fn rest_from<F: Flyer>(flyer: &F, anchors: &[Anchor<F::Place>], place: F::Place) -> Option<u64> {
    anchors.iter().map(|anchor| flyer.fly(place, anchor.place).saturating_add(anchor.rest)).min()
}

/// One anchor for many links: the box around the entrances of all links that help, with the least that is left from any of
/// them; `None` if no link helps.
///
/// With this anchor the estimate `h` is consistent, whatever distances `fly` measures between points: along steps, because
/// no step changes the distance to a box by more than it changes distances to nodes; along a link from `a` to `b`, because
/// the last round finds `h(a) <= cost + h(b)` for every link. If the rounds run out, the box holds all entrances, so
/// `h(a)` is at most its rest, and `cost + h(b)` is no less than that, both by way of the goals and by way of the box.
fn lump<F: Flyer>(
    flyer: &F,
    goals: &[Anchor<F::Place>],
    passages: &mut [Passage<F::Place>],
) -> Option<Anchor<F::Place>> {
    let from_goals = |place| rest_from(flyer, goals, place).unwrap_or(0);
    let join = |lump: Option<Anchor<F::Place>>, place, rest| match lump {
        None => Anchor { place, rest },
        Some(lump) => Anchor { place: flyer.join(lump.place, place), rest: lump.rest.min(rest) },
    };
    for passage in passages.iter_mut() {
        passage.rest = from_goals(passage.exit).saturating_add(passage.cost);
    }
    let mut lump: Option<Anchor<F::Place>> = None;
    for _ in 0..ROUNDS {
        let mut helped = false;
        for passage in passages.iter() {
            let by_lump = |place| rest_from(flyer, lump.as_slice(), place).unwrap_or(u64::MAX);
            let through = passage.rest.min(by_lump(passage.exit).saturating_add(passage.cost));
            if through < by_lump(passage.entrance).min(from_goals(passage.entrance)) {
                lump = Some(join(lump, passage.entrance, through));
                helped = true;
            }
        }
        if !helped {
            return lump;
        }
    }
    passages.iter().fold(lump, |lump, passage| Some(join(lump, passage.entrance, passage.rest)))
}

/// Dijkstra over the passages, backwards from the goals: the entrance with the least rest is final, the others may still
/// improve through it. Entrances from which flying on is no dearer are left out.
fn settle<F: Flyer>(flyer: &F, anchors: &mut Vec<Anchor<F::Place>>, passages: &mut Vec<Passage<F::Place>>) {
    let rest_from = |anchors: &[Anchor<F::Place>], place| rest_from(flyer, anchors, place).unwrap_or(0);
    for passage in passages.iter_mut() {
        passage.rest = rest_from(anchors, passage.exit).saturating_add(passage.cost);
    }
    while let Some((at, _)) = passages.iter().enumerate().min_by_key(|(_, passage)| passage.rest) {
        let Passage { entrance, rest, .. } = passages.swap_remove(at);
        if rest >= rest_from(anchors, entrance) {
            continue;
        }
        anchors.push(Anchor { place: entrance, rest });
        for passage in passages.iter_mut() {
            let through = flyer.fly(passage.exit, entrance).saturating_add(rest).saturating_add(passage.cost);
            passage.rest = passage.rest.min(through);
        }
    }
}

impl<F: Flyer> Estimate for Anchored<'_, F> {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        let place = self.flyer.place(node);
        self.weight.times(rest_from(&self.flyer, self.anchors, place).unwrap_or(0))
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

/// Flies over a waypoint graph in straight lines.
pub(crate) struct GraphFlyer<'a> {
    graph: &'a Waypoints,
    scale: f64,
}

impl<'a> GraphFlyer<'a> {
    /// Straight lines at the cost of the cheapest road, or at nothing.
    pub fn new(heuristic: Heuristic, graph: &'a Waypoints) -> GraphFlyer<'a> {
        let scale = if heuristic == Heuristic::Zero { 0.0 } else { graph.road_scale() };
        GraphFlyer { graph, scale }
    }
}

/// Coordinates from least to most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointBox {
    least: Point,
    most: Point,
}

impl Flyer for GraphFlyer<'_> {
    type Place = PointBox;

    #[inline]
    fn place(&self, node: NodeId) -> PointBox {
        let position = self.graph.position(node);
        PointBox { least: position, most: position }
    }

    fn join(&self, a: PointBox, b: PointBox) -> PointBox {
        let (p, q, r, s) = (a.least, b.least, a.most, b.most);
        PointBox {
            least: Point::new(p.x.min(q.x), p.y.min(q.y), p.z.min(q.z)),
            most: Point::new(r.x.max(s.x), r.y.max(s.y), r.z.max(s.z)),
        }
    }

    #[inline]
    fn fly(&self, a: PointBox, b: PointBox) -> u64 {
        let gap = |a_least: f64, a_most: f64, b_least: f64, b_most: f64| {
            (b_least - a_most).max(a_least - b_most).max(0.0)
        };
        let gaps = Point::new(
            gap(a.least.x, a.most.x, b.least.x, b.most.x),
            gap(a.least.y, a.most.y, b.least.y, b.most.y),
            gap(a.least.z, a.most.z, b.least.z, b.most.z),
        );
        (gaps.distance(Point::default()) * self.scale) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
