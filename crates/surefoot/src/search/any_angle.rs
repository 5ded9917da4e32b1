//! The solver of any-angle searches.
//!
//! A node's parent need not be a neighbour: it can be any node in line of sight. When a node is expanded, the path to a neighbour
//! may skip it and come in a straight line from its parent, which is never longer. `Theta*` checks at once whether that line is
//! free. `Lazy Theta*` assumes so, checks when the node is taken from the open list, and takes the best neighbour as the parent
//! if it was wrong. The node then goes back to the open list, as its key has risen.
//!
//! Between walls that stand close together, lines from parents alone are not enough. The shortest path can be a line past a
//! corner along which no steps lead ([`Sight::for_each_leap`]), or one from the parent of a parent. Both are checked only where
//! walls or parents are near.
//!
//! # Never longer than the best path in steps
//! Paths are chosen by the kernel's rule for A*: a cheaper path reopens a node, and the search continues until no key is below
//! the cost of the goal. Whenever a node `n` has been expanded at cost `g(n)`, each neighbour `m` is known at `g(n) + line(n, m)`
//! or less, because a line is never more expensive than two, costs being rounded up. This also holds for `Lazy Theta*`: an
//! assumed line only makes a node come up earlier, a wrong one is replaced by the best step from a neighbour, and a line that has
//! been checked is replaced only by another that has been checked. Then along the best path in steps each node is expanded at no
//! more than its cost there, or the goal is already as cheap, by the usual proof of A*.

use crate::core::estimate::Weight;
use crate::core::expand::{Arrival, Expander, START, Way};
use crate::core::heuristic::Heuristic;
use crate::core::kernel::End;
use crate::core::record::{Memory, Record, Records};
use crate::cost::Cost;
use crate::graph::{Graph, Sight};
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, Options, Promise, promise_of_heuristic};
use crate::search::shell::{Shell, Traversal, Walk};
use crate::search::solver::{Solver, Task};
use crate::world::any::{View, WorldKind, on_world};
use crate::world::space::{SearchSpace, WithSight};

/// What both searches have in common.
pub(crate) const fn algorithm(
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    solver: fn(&Options) -> Box<dyn Solver>,
) -> Algorithm {
    Algorithm {
        worlds: &[WorldKind::Grid, WorldKind::Voxel],
        weighted: false,
        optimal: false,
        any_angle: true,
        uses_heuristic: true,
        uses_weight: true,
        refusal: |view| on_world!(view, space => space.fault_of_lines()),
        promise,
        ..Algorithm::plain(name, title, summary, solver)
    }
}

/// How a node that is expanded was reached: by a line that is free, or by one that was not looked at yet.
const SEEN: Arrival = Arrival(0);
const ASSUMED: Arrival = Arrival(1);

/// Up to this many cells away, a parent is near: then those before it are checked, too.
pub(super) const NEAR: u64 = 4;
/// The most parents that are skipped.
const SKIPPED: usize = 3;

/// The steps of a world, shortened to lines.
struct Lookout<'a, V, const LAZY: bool> {
    view: &'a V,
    /// What a straight step costs: no node is nearer.
    step: u64,
}

impl<V: Sight, const LAZY: bool> Expander for Lookout<'_, V, LAZY> {
    const LOOKS_BACK: bool = true;

    fn node_bound(&self) -> usize {
        Graph::node_bound(self.view)
    }

    #[inline]
    fn expand(&self, node: NodeId, _arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        // At least so much; what it costs exactly is asked where it counts.
        self.for_each_near(node, |to| emit(to, Cost::from_units(self.step), SEEN));
    }

    #[inline]
    fn shorten(
        &self,
        next: NodeId,
        step: Way,
        behind: Option<(NodeId, u64)>,
        known: Option<(Record, NodeId)>,
    ) -> Way {
        if let Some((parent, g)) = behind {
            if let Some((known, from)) = known
                && from == parent
                && known.g <= step.g
            {
                // Most nodes around have the same parent: the same line again.
                return Way { g: known.g, ..step };
            }
            let line = Way { g: g + self.view.line(parent, next).units(), parent, arrival: SEEN };
            match known {
                Some((known, _)) if known.g <= line.g => return line,
                Some((known, _)) if !LAZY || known.closed || known.arrival != ASSUMED => {}
                _ if LAZY => return Way { arrival: ASSUMED, ..line },
                _ => {}
            }
            if self.view.sees(parent, next) {
                return line;
            }
        }
        Way { g: step.g - self.step + self.view.line(step.parent, next).units(), ..step }
    }

    #[inline]
    fn settle(&self, node: NodeId, way: Way, records: &impl Memory) -> Option<Way> {
        if !LAZY || way.arrival == SEEN || self.view.sees(way.parent, node) {
            return skip_parents(self.view, NEAR * self.step, node, way, records)
                .map(|way| Way { arrival: SEEN, ..way });
        }
        let mut best: Option<Way> = None;
        self.for_each_near(node, |parent| {
            let known = records.of(parent).filter(|known| known.closed || known.arrival != ASSUMED);
            let g = known.map(|known| known.g + self.view.line(parent, node).units());
            if let Some(g) = g.filter(|g| best.is_none_or(|best| *g < best.g)) {
                best = Some(Way { g, parent, arrival: SEEN });
            }
        });
        best
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

impl<V: Sight, const LAZY: bool> Lookout<'_, V, LAZY> {
    /// The nodes to which one goes in one step or leap; the same ones lead back.
    #[inline]
    fn for_each_near(&self, node: NodeId, mut visit: impl FnMut(NodeId)) {
        self.view.for_each_edge(node, |to, _| visit(to));
        self.view.for_each_leap(node, visit);
    }
}

/// The path from one of the nodes before the parent, if it is in sight: the best of them. In narrow places lines are short, and a line may
/// well go on where one from the parent's parent ends. `near` is what a line costs up to which a parent counts as near.
#[inline]
pub(super) fn skip_parents(
    view: &impl Sight,
    near: u64,
    node: NodeId,
    way: Way,
    records: &impl Memory,
) -> Option<Way> {
    let (mut at, mut best) = (way.parent, way);
    for _ in 0..SKIPPED {
        if view.line(at, node).units() > near || records.of(at)?.arrival == START {
            break;
        }
        at = records.parent(records.find(at));
        let g = records.of(at)?.g + view.line(at, node).units();
        if g < best.g && view.sees(at, node) {
            best = Way { g, parent: at, ..way };
        }
    }
    (best != way).then_some(best)
}

/// Straight from node to node.
#[derive(Debug, Default)]
pub(crate) struct Straight<const LAZY: bool>;

/// A search at any angle with its memory.
pub(crate) type AnyAngle<const LAZY: bool> = Shell<Straight<LAZY>>;

impl<const LAZY: bool> AnyAngle<LAZY> {
    /// Creates a search with options.
    pub fn with_options(options: &Options) -> AnyAngle<LAZY> {
        let heuristic = options.heuristic.unwrap_or(Heuristic::Euclidean);
        let weight = options.weight.and_then(Weight::new).unwrap_or(Weight::ONE);
        Shell::new(Straight, heuristic, weight)
    }
}

/// A search in a world that has lines of sight or not.
struct Look<'a, 'w, const LAZY: bool>(Traversal<'a, 'w, Records>);

impl<const LAZY: bool> WithSight for Look<'_, '_, LAZY> {
    type Out = End;

    fn go_on<S: SearchSpace + Sight>(self, space: &S) -> End {
        let step = space.straight_step().units();
        self.0.run(space, &Lookout::<S, LAZY> { view: space, step })
    }

    fn without(self) -> End {
        End::Exhausted
    }
}

impl<const LAZY: bool> Walk for Straight<LAZY> {
    type Memory = Records;

    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>, memory: &mut Records) -> u64 {
        memory.begin(view.node_bound(), None);
        2 * on_world!(view, space => SearchSpace::max_edge_cost(space)).units()
    }

    fn go_on(&mut self, view: &View<'_>, traversal: Traversal<'_, '_, Records>) -> End {
        on_world!(view, space => space.with_sight(Look::<LAZY>(traversal)))
    }

    fn trace_back(&self, _view: &View<'_>, memory: &Records, to: NodeId, nodes: &mut Vec<NodeId>) {
        trace_lines_back(memory, to, nodes);
    }
}

/// Writes the nodes from the start to `to`, each the parent of the next.
pub(super) fn trace_lines_back(records: &impl Memory, to: NodeId, nodes: &mut Vec<NodeId>) {
    let first = nodes.len();
    let mut at = to;
    nodes.push(at);
    while records.of(at).is_some_and(|record| record.arrival != START) {
        at = records.parent(records.find(at));
        nodes.push(at);
    }
    nodes[first..].reverse();
}

/// Compared with paths in steps there is something to promise, compared with the best path at any angle there is not.
pub(super) fn promise(options: &Options, view: &View<'_>) -> Promise {
    let flies = matches!(
        options.heuristic,
        None | Some(Heuristic::Euclidean | Heuristic::Chebyshev | Heuristic::Zero)
    );
    Promise::Nothing(match (promise_of_heuristic(options, view), options.weight.unwrap_or(1.0)) {
        (Promise::Nothing(fault), _) => fault,
        _ if !flies => "the heuristic may overestimate straight lines".to_owned(),
        (_, weight) if weight > 1.0 => format!("at most {weight} times as long as the best grid path"),
        _ => "close to the shortest any-angle path, and never longer than the best grid path".to_owned(),
    })
}
