//! Graphs that change under a search.

use crate::cost::Cost;
use crate::graph::{ReverseGraph, Reversed};
use crate::id::NodeId;
use crate::world::grid::{GridChange, GridView};
use crate::world::journal::Revision;
use crate::world::voxels::VoxelView;
use crate::world::waypoints::{EdgeKind, Waypoints};

/// What became of a graph since a search last looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// Whether links appeared or vanished, so that estimates lead elsewhere.
    pub links: bool,
}

/// A graph with a history.
pub(super) trait Ground: ReverseGraph {
    /// Whether the agent can be at a node. Edges are asked for only where it can.
    fn stands(&self, node: NodeId) -> bool;

    /// Writes down every node of which some edge, in or out, may have changed since a moment, sorted; `None` if that is not
    /// known any more.
    fn touched_since(&self, moment: Revision, touched: &mut Vec<NodeId>) -> Option<News>;

    /// The node from which one would step to `at` if the step went the same way as `at -> next`, and what that costs.
    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        self.straight_before(at, next)
    }
}

impl Ground for GridView<'_> {
    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.is_open_node(node)
    }

    fn touched_since(&self, moment: Revision, touched: &mut Vec<NodeId>) -> Option<News> {
        let mut news = News::default();
        for change in self.grid().journal().since(moment)? {
            match change {
                GridChange::Terrain { node, old, new } => {
                    // Corner rules couple a cell's neighbours with each other, so those have changed, too.
                    let flips = old.is_wall() != new.is_wall();
                    let reach = 1 + if flips { self.reach() } else { 0 };
                    let cell = self.grid().cell(node);
                    for (dx, dy) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))) {
                        touched.extend(self.grid().node(cell.offset(dx, dy)));
                    }
                    // An end that opens or closes decides whether a link can be used.
                    news.links |= flips && !self.grid().links().is_empty();
                }
                GridChange::LinkAdded(link) | GridChange::LinkRemoved(link) => {
                    touched.extend([link.from, link.to]);
                    news.links = true;
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        if news.links {
            // A link can be used only where the agent can stand at both ends: what happens to one matters to the other.
            let is_touched = |node: &NodeId| touched.binary_search(node).is_ok();
            let ends = self.grid().links().iter().map(|link| [link.from, link.to]);
            let mut others: Vec<NodeId> = ends.filter(|ends| ends.iter().any(is_touched)).flatten().collect();
            touched.append(&mut others);
            touched.sort_unstable();
            touched.dedup();
        }
        Some(news)
    }
}

impl Ground for VoxelView<'_> {
    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.is_open_node(node)
    }

    fn touched_since(&self, moment: Revision, touched: &mut Vec<NodeId>) -> Option<News> {
        for change in self.voxels().journal().since(moment)? {
            self.nodes_near(change.node, |node| touched.push(node));
        }
        touched.sort_unstable();
        touched.dedup();
        Some(News::default())
    }
}

impl Ground for Waypoints {
    fn stands(&self, _node: NodeId) -> bool {
        true
    }

    fn touched_since(&self, moment: Revision, touched: &mut Vec<NodeId>) -> Option<News> {
        let mut news = News::default();
        for change in self.journal().since(moment)? {
            let edge = self.edges()[change.edge.0 as usize];
            touched.extend([edge.from, edge.to]);
            news.links |= edge.kind == EdgeKind::Link;
        }
        touched.sort_unstable();
        touched.dedup();
        Some(news)
    }
}

impl<G: Ground> Ground for Reversed<'_, G> {
    #[inline]
    fn stands(&self, node: NodeId) -> bool {
        self.0.stands(node)
    }

    fn touched_since(&self, moment: Revision, touched: &mut Vec<NodeId>) -> Option<News> {
        self.0.touched_since(moment, touched)
    }

    fn straight_to(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let (before, _) = self.0.straight_to(at, next)?;
        let mut cheapest = None;
        self.0.for_each_edge(at, |to, cost| {
            if to == before && cheapest.is_none_or(|known| cost < known) {
                cheapest = Some(cost);
            }
        });
        Some((before, cheapest?))
    }
}
