//! Estimates made for one query.
//!
//! Links shorten distances. The estimate then is the cheapest combination of flying straight and taking links, any number
//! of them in a row: the exact distance in a world without walls. It is computed once a query for each link entrance;
//! each entrance that is worth flying to becomes an [`Anchor`], and the estimate of a node is its least detour over all
//! anchors. Flying obeys the triangle inequality, so this stays consistent where the plain estimate is.

use crate::agent::Moves;
use crate::cost::Cost;
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
            Flight::Line { unit } => {
                let squares = u128::from(long * long + short * short);
                (u128::from(unit * unit) * squares).isqrt() as u64
            }
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
        && let Some(estimate) = StepsTo::new(heuristic, weight, view, goal)
    {
        return then.go_on(&estimate);
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
/// More links than this are not asked one by one: the boxes around their entrances and exits stand for all.
const MANY_LINKS: usize = 128;

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
            let all = passages.drain(..).reduce(|a, b| Passage {
                entrance: flyer.join(a.entrance, b.entrance),
                exit: flyer.join(a.exit, b.exit),
                cost: a.cost.min(b.cost),
                rest: u64::MAX,
            });
            passages.extend(all);
        }
        settle(&flyer, anchors, passages);
        Anchored { flyer, weight, anchors }
    }
}

/// Dijkstra over the passages, backwards from the goals: the entrance with the least rest is final, the others may still
/// improve through it. Entrances from which flying on is no dearer are left out.
fn settle<F: Flyer>(flyer: &F, anchors: &mut Vec<Anchor<F::Place>>, passages: &mut Vec<Passage<F::Place>>) {
    let rest_from = |anchors: &[Anchor<F::Place>], place| {
        let detours = anchors.iter().map(|anchor| flyer.fly(place, anchor.place).saturating_add(anchor.rest));
        detours.min().unwrap_or(0)
    };
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
        let detours =
            self.anchors.iter().map(|anchor| self.flyer.fly(place, anchor.place).saturating_add(anchor.rest));
        self.weight.times(detours.min().unwrap_or(0))
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

impl Flyer for GridFlyer<'_> {
    type Place = CellBox;

    #[inline]
    fn place(&self, node: NodeId) -> CellBox {
        let cell = self.shape.cell(node);
        CellBox { least: (cell.x, cell.y), most: (cell.x, cell.y) }
    }

    fn join(&self, a: CellBox, b: CellBox) -> CellBox {
        CellBox {
            least: (a.least.0.min(b.least.0), a.least.1.min(b.least.1)),
            most: (a.most.0.max(b.most.0), a.most.1.max(b.most.1)),
        }
    }

    #[inline]
    fn fly(&self, a: CellBox, b: CellBox) -> u64 {
        let gap = |a_least: i32, a_most: i32, b_least: i32, b_most: i32| {
            (b_least - a_most).max(a_least - b_most).max(0) as u32
        };
        self.flight.between(
            gap(a.least.0, a.most.0, b.least.0, b.most.0),
            gap(a.least.1, a.most.1, b.least.1, b.most.1),
        )
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
