//! Heuristics prepared for one query.
//!
//! Links shorten distances. The estimate is then the cheapest combination of flying straight and taking links, any number of them
//! in a row: the exact distance in a world without walls. It is computed once per query for each link entrance. Each entrance
//! that is worth flying to becomes an [`Anchor`], and the estimate of a node is its least detour over all anchors. Flying obeys
//! the triangle inequality, so the estimate stays consistent where the plain heuristic is. Where there are too many links for
//! that, one anchor stands for all of them: see [`lump`].
//!
//! How a world without walls is measured is up to the world: see [`Flyer`].

use crate::core::expand::Expander;
use crate::core::graph::Link;
use crate::core::id::NodeId;
use crate::core::observe::Side;

/// How greedily a search trusts its estimate: a factor in steps of 1/1024, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(u64);

impl Weight {
    pub const ONE: Weight = Weight(1024);

    /// Returns the nearest weight; `None` below 1 or above 1000.
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
    /// Whether it counts the steps to a single goal, as for nearly every query. Searches that compute few estimates are compiled for
    /// such a type only.
    const COUNTS_STEPS: bool = false;

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

/// [`Estimate`] without types.
pub(crate) trait AnyEstimate {
    fn units(&self, node: NodeId) -> u64;
}

impl<H: Estimate> AnyEstimate for H {
    fn units(&self, node: NodeId) -> u64 {
        self.of(node)
    }
}

/// An estimate whose type is erased.
pub(crate) struct Erased<'a>(pub &'a dyn AnyEstimate);

impl Estimate for Erased<'_> {
    fn of(&self, node: NodeId) -> u64 {
        self.0.units(node)
    }
}

/// Continues with a traversal of a world and an estimate, of any type.
pub(crate) trait WithSearch {
    /// The result.
    type Out;

    /// Continues.
    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> Self::Out;
}

/// Returns a link as traversed by a search from one side.
pub(crate) fn seen_from(side: Side, link: Link) -> Link {
    if side == Side::Forward { link } else { link.reversed() }
}

/// A target: a goal, or the entrance of a link, with the remaining cost from there.
#[derive(Clone, Copy, Debug)]
struct Anchor<P> {
    place: P,
    rest: u64,
}

/// A link between two places, with the remaining cost from its entrance as far as known.
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

/// More goals than this are replaced by their bounding box.
const MANY_GOALS: usize = 16;
/// More links than this are not anchors of their own: the box around the entrances of those that help stands for them.
pub(crate) const MANY_LINKS: usize = 128;
/// How often many links are looked through to find those that help; after that, all of them are taken to help.
pub(crate) const ROUNDS: usize = 8;

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
/// improve through it. Entrances from which flying straight on costs no more are left out.
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
