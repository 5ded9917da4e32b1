//! The repair that all incremental searches share.
//!
//! After Koenig, Likhachev and Furcy, *Lifelong Planning A\**, 2004. Each node has two costs: `g`, its cost when it was
//! last expanded, and `rhs`, its cost according to its predecessors. When an edge changes, the `rhs` of its end node
//! changes. The queue holds exactly the nodes whose two costs differ. Expanding them in the order of their keys, up to
//! the key of the target, makes the path optimal again. Nodes that no path to the target could lead through are left
//! unchanged.
//!
//! # Why any change of the world, the target or the heuristic is allowed
//! Two invariants hold between any two expansions. Every `rhs` except those of the roots is the minimum of `g` plus an
//! edge. The queue holds exactly the nodes with `g != rhs`, with keys that are not above their current ones. The search
//! ends when no key is below the key of the target. Take the path of the target by parents: a node on it whose `g` is
//! below its `rhs` would have a smaller key than the target (the heuristic is consistent, and edges have positive
//! costs). And take any cheaper path: its first node whose costs differ would also have a smaller key. So only these
//! two invariants have to be maintained, whatever happened before. Each operation below maintains them.
//!
//! # Inflated heuristics
//! With a weight above 1, a node that became cheaper is queued with its weighted heuristic, and one that became more
//! expensive with the plain one (Likhachev and others, *Anytime Dynamic A\**, 2005). Then the first argument still
//! holds, and the second gives a path whose cost is at most the weight times the optimal cost.

use std::cell::Cell;

use crate::core::estimate::{Estimate, Weight};
use crate::core::kernel::End;
use crate::core::observe::{Action, Event, Observer, Side};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::replan::current_path::CurrentPath;
use crate::replan::nodes::{Costs, INFINITE, Node, Nodes};
use crate::replan::queue::{Entry, Key, Queue};
use crate::replan::tree::Tree;
use crate::world::changes::Touched;

/// The statistics of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub expanded: u64,
    pub raised: u64,
    pub generated: u64,
    pub deleted: u64,
    pub peak_open: u64,
}

/// A tree of cheapest paths from its roots, as far as the targets need it.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    pub nodes: Nodes,
    queue: Queue,
    /// Sorted. Their cost is `base`.
    roots: Vec<NodeId>,
    base: u64,
    /// The roots before the last move.
    old_roots: Vec<NodeId>,
    targets: Vec<NodeId>,
    weight: Weight,
    /// The amount by which keys have been raised because the target moved (Koenig and Likhachev, *D\* Lite*, 2002):
    /// those in the queue are left unchanged.
    raised_by: u64,
    /// The side that is reported in events.
    side: Side,
    deleted: Vec<NodeId>,
    traced: Vec<NodeId>,
    /// The node with the smallest heuristic among those expanded.
    closest: Option<(u64, NodeId)>,
    pub work: Work,
}

/// Returns the key of a node with a heuristic.
#[inline]
fn key(Costs { g, rhs }: Costs, h: u64, weight: Weight, raised_by: u64) -> Key {
    let (to, h) = if g > rhs { (rhs, weight.times(h)) } else { (g, h) };
    Key { through: to.saturating_add(h).saturating_add(raised_by), to }
}

impl Repair {
    pub fn new(weight: Weight, side: Side) -> Repair {
        Repair {
            nodes: Nodes::default(),
            queue: Queue::default(),
            roots: Vec::new(),
            base: 0,
            old_roots: Vec::new(),
            targets: Vec::new(),
            weight,
            raised_by: 0,
            side,
            deleted: Vec::new(),
            traced: Vec::new(),
            closest: None,
            work: Work::default(),
        }
    }

    /// Forgets everything. From now on, paths lead from the roots to a target.
    pub fn begin(
        &mut self,
        bound: usize,
        roots: &[NodeId],
        targets: &[NodeId],
        estimate: &impl Estimate,
        observer: &mut impl Observer,
    ) {
        self.queue.clear(&mut self.nodes);
        self.nodes.begin(bound);
        self.roots.clear();
        self.roots.extend(roots);
        self.roots.sort_unstable();
        self.set_targets(targets);
        (self.base, self.raised_by, self.closest) = (0, 0, None);
        for &root in roots {
            let costs = self.nodes.set_rhs(root, 0, NodeId::NONE);
            let h = estimate.of(root);
            self.settle(root, costs, h);
            observer.on(&self.event(Action::Open, root, NodeId::NONE, 0, h));
        }
    }

    pub fn set_targets(&mut self, targets: &[NodeId]) {
        self.targets.clear();
        self.targets.extend(targets);
    }

    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    pub fn weight(&self) -> Weight {
        self.weight
    }

    pub fn targets(&self) -> &[NodeId] {
        &self.targets
    }

    fn is_root(&self, node: NodeId) -> bool {
        match *self.roots {
            [root] => node == root,
            _ => self.roots.binary_search(&node).is_ok(),
        }
    }

    /// Returns the key of a node with a heuristic.
    #[inline]
    fn key(&self, costs: Costs, h: u64) -> Key {
        key(costs, h, self.weight, self.raised_by)
    }

    /// Returns the key of a node as it is now, whether it is queued or not.
    pub fn key_of(&self, node: NodeId, h: u64) -> Option<Key> {
        self.nodes.of(node).map(|known| self.key(known.costs, h))
    }

    /// Queues a node if and only if it is inconsistent (`g != rhs`).
    #[inline]
    fn settle(&mut self, node: NodeId, costs: Costs, h: u64) {
        if costs.are_consistent() {
            self.queue.remove(node, &mut self.nodes);
        } else {
            self.queue.put(Entry { key: self.key(costs, h), node }, &mut self.nodes);
        }
    }

    /// Recomputes the `rhs` of a node, because something before it changed.
    fn rescan(&mut self, tree: &impl Tree, estimate: &impl Estimate, node: NodeId) {
        if self.is_root(node) {
            return;
        }
        let (rhs, parent) = tree.best(&self.nodes, node);
        if rhs == INFINITE && self.nodes.of(node).is_none() {
            return;
        }
        let costs = self.nodes.set_rhs(node, rhs, parent);
        self.settle(node, costs, estimate.of(node));
    }

    /// Updates nodes whose edges have changed. Returns how many had to be recomputed.
    pub fn update(&mut self, tree: &impl Tree, estimate: &impl Estimate, touched: &Touched) -> u64 {
        for &node in &touched.better {
            self.rescan(tree, estimate, node);
        }
        let mut recomputed = touched.better.len() as u64;
        for &node in &touched.worse {
            // Where edges have only become worse, the one from the parent stays the cheapest if its cost has not changed.
            if !self.has_parent_edge(tree, node) {
                self.rescan(tree, estimate, node);
                recomputed += 1;
            }
        }
        recomputed
    }

    /// Returns whether the `rhs` of a node still follows from its parent. A node without a parent has no cost to lose.
    fn has_parent_edge(&self, tree: &impl Tree, node: NodeId) -> bool {
        let Some(known) = self.nodes.of(node) else { return true };
        known.parent == NodeId::NONE
            || tree
                .step(known.parent, node)
                .is_some_and(|cost| self.nodes.g(known.parent) + cost == known.costs.rhs)
    }

    /// Returns whether something is known about a node: whether it has a cost that others may depend on.
    pub fn is_known(&self, node: NodeId) -> bool {
        self.nodes.of(node).is_some_and(|Node { costs, .. }| costs.g.min(costs.rhs) < INFINITE)
    }

    /// Adjusts to heuristic values that have decreased by at most `most`.
    pub fn raise_keys(&mut self, most: u64) {
        // One unit for each rounding.
        self.raised_by += self.weight.times(most + 1) + 1;
    }

    /// Adjusts to another heuristic.
    pub fn rekey(&mut self, estimate: &impl Estimate) {
        self.raised_by = 0;
        let weight = self.weight;
        self.queue.rekey(&mut self.nodes, |nodes, node| {
            nodes.of(node).map_or(Key::LAST, |known| key(known.costs, estimate.of(node), weight, 0))
        });
    }

    /// Makes another node the root. Costs are left unchanged: they all count from somewhere before the root. Returns
    /// `false` if that is not possible because the node is inconsistent (`g != rhs`).
    pub fn move_root(&mut self, tree: &impl Tree, estimate: &impl Estimate, root: NodeId) -> bool {
        let known = self.nodes.of(root).map(|known| known.costs);
        let Some(Costs { g, rhs }) = known.filter(|costs| costs.are_consistent() && costs.g < INFINITE)
        else {
            return false;
        };
        self.nodes.set_rhs(root, rhs, NodeId::NONE);
        self.base = g;
        let mut old = std::mem::take(&mut self.old_roots);
        old.clear();
        old.append(&mut self.roots);
        self.roots.push(root);
        for &node in &old {
            self.rescan(tree, estimate, node);
        }
        self.old_roots = old;
        true
    }

    /// Forgets every node whose path leads from the roots before the last move without passing the current one. All of
    /// them are forgotten before any is recomputed: otherwise some would seem to have paths through others that are
    /// about to be removed. Returns `false` if there are more than `most`; the tree is useless then.
    pub fn delete_behind(&mut self, tree: &impl Tree, estimate: &impl Estimate, most: u64) -> bool {
        let mut deleted = std::mem::take(&mut self.deleted);
        deleted.clear();
        deleted.extend(self.old_roots.iter().filter(|old| !self.roots.contains(old)));
        for &top in &deleted {
            self.forget(top);
        }
        let mut next = 0;
        while let Some(&node) = deleted.get(next)
            && deleted.len() as u64 <= most
        {
            next += 1;
            tree.for_each_child(node, 0, |child, _| {
                // Forgotten nodes have no parent, so a cycle of stale parents does not cause an endless loop.
                if self.nodes.parent(child) == node && !self.is_root(child) {
                    self.forget(child);
                    deleted.push(child);
                }
            });
        }
        let all = next == deleted.len();
        if all {
            for &node in &deleted {
                self.rescan(tree, estimate, node);
            }
        }
        self.work.deleted += deleted.len() as u64;
        self.deleted = deleted;
        all
    }

    fn forget(&mut self, node: NodeId) {
        self.queue.remove(node, &mut self.nodes);
        self.nodes.set_g(node, INFINITE);
        self.nodes.set_rhs(node, INFINITE, NodeId::NONE);
    }

    /// Returns the target that is cheapest to reach as far as known, and its key.
    fn nearest_target(&self, estimate: &impl Estimate) -> Option<(Key, NodeId)> {
        let keys = self.targets.iter().map(|&target| {
            let key = self.key_of(target, estimate.of(target));
            (key.filter(|key| key.to < INFINITE).unwrap_or(Key::LAST), target)
        });
        keys.min()
    }

    /// Continues until the path to a target is optimal or `budget` nodes have been expanded.
    pub fn run<O: Observer>(
        &mut self,
        tree: &impl Tree,
        estimate: &impl Estimate,
        budget: u64,
        observer: &mut O,
    ) -> End {
        let last = self.work.expanded.saturating_add(budget);
        loop {
            let Some((goal, target)) = self.nearest_target(estimate) else { return End::Exhausted };
            let Costs { g, rhs } = self.nodes.costs(target);
            let sinks = g < rhs;
            let Some(Entry { key, node }) = self.queue.first().filter(|first| first.key < goal || sinks)
            else {
                let reached = rhs < INFINITE;
                return if reached { End::Goal(target) } else { End::Exhausted };
            };
            if self.work.expanded == last {
                return End::Paused;
            }
            let h = estimate.of(node);
            let costs = self.nodes.costs(node);
            let now = self.key(costs, h);
            if key < now {
                self.queue.put(Entry { key: now, node }, &mut self.nodes);
                continue;
            }
            self.work.expanded += 1;
            if costs.g > costs.rhs {
                self.nodes.set_g(node, costs.rhs);
                if self.closest.is_none_or(|(least, _)| h < least) {
                    self.closest = Some((h, node));
                }
                self.queue.remove(node, &mut self.nodes);
                observer.on(&self.event(Action::Close, node, self.nodes.parent(node), costs.rhs, h));
                tree.for_each_child(node, costs.rhs, |child, cost| {
                    self.offer(estimate, child, node, cost, observer);
                });
            } else {
                self.raise(tree, estimate, node, h);
            }
            self.work.peak_open = self.work.peak_open.max(self.queue.len() as u64);
            if observer.wants_pause() {
                return End::Paused;
            }
        }
    }

    /// Offers a path to a node through another.
    #[inline]
    fn offer<O: Observer>(
        &mut self,
        estimate: &impl Estimate,
        node: NodeId,
        parent: NodeId,
        cost: u64,
        observer: &mut O,
    ) {
        self.work.generated += 1;
        if cost >= self.nodes.rhs(node) || self.is_root(node) {
            return;
        }
        let is_queued = self.nodes.place_of(node) != 0;
        let costs = self.nodes.set_rhs(node, cost, parent);
        let h = estimate.of(node);
        self.settle(node, costs, h);
        if observer.listens() {
            let action = match costs.g {
                _ if is_queued => Action::Relax,
                g if g < INFINITE => Action::Reopen,
                _ => Action::Open,
            };
            observer.on(&self.event(action, node, parent, cost, h));
        }
    }

    /// Revokes the cost of a node that has become more expensive, and of the paths through it.
    fn raise(&mut self, tree: &impl Tree, estimate: &impl Estimate, node: NodeId, h: u64) {
        self.work.raised += 1;
        let costs = self.nodes.set_g(node, INFINITE);
        // Its `rhs` does not depend on its own `g`, unless an edge leads from it to itself: then it is one of its children.
        self.settle(node, costs, h);
        tree.for_each_child(node, 0, |child, _| {
            self.work.generated += 1;
            if self.nodes.parent(child) == node {
                self.rescan(tree, estimate, child);
            }
        });
    }

    fn event(&self, action: Action, node: NodeId, parent: NodeId, g: u64, h: u64) -> Event {
        let cost = |units: u64| Cost::from_units(units.saturating_sub(self.base));
        let h = Cost::from_units(self.weight.times(h));
        Event { action, node, parent, g: cost(g), h, side: self.side }
    }

    /// Writes the nodes from a target, or any node with a known path, back to a root, or to the first node for which
    /// `ends` returns true, which is left out. Of several paths with the same cost, the one that continues straight ahead
    /// is used.
    pub fn trace(
        &self,
        tree: &impl Tree,
        from: NodeId,
        nodes: &mut Vec<NodeId>,
        ends: impl Fn(NodeId, &Node) -> bool,
    ) {
        let first = nodes.len();
        let mut at = from;
        while let Some(Node { costs, parent }) = self.nodes.of(at).filter(|known| !ends(at, known))
            // No path visits a node twice; this bound prevents an endless loop if one does.
            && nodes.len() - first <= self.nodes.len()
        {
            let next = (nodes.len() > first).then(|| nodes[nodes.len() - 1]);
            nodes.push(at);
            if parent == NodeId::NONE {
                break;
            }
            // On a grid, steps of the same direction are equal differences of numbers: most parents lie straight ahead.
            let turns = next.filter(|next| parent.0.wrapping_sub(at.0) != at.0.wrapping_sub(next.0));
            let straight = turns.and_then(|next| tree.straight_to(at, next)).filter(|&(before, cost)| {
                let before = self.nodes.costs(before);
                before.are_consistent() && before.g.saturating_add(cost.units()) == costs.rhs
            });
            at = straight.map_or(parent, |(before, _)| before);
        }
        if self.nodes.of(from).is_none() {
            nodes.push(from);
        }
    }

    /// Updates a path to match the tree: the path to a target.
    pub fn retrace(&mut self, tree: &impl Tree, target: NodeId, path: &mut CurrentPath) {
        let mut traced = std::mem::take(&mut self.traced);
        traced.clear();
        let met = Cell::new(None);
        self.trace(tree, target, &mut traced, |node, known| {
            let passes = path.passes(node, known.costs.rhs);
            if passes {
                met.set(Some(node));
            }
            passes
        });
        path.turn_off(met.get(), self.nodes.len(), &traced, |node| self.nodes.rhs(node));
        self.traced = traced;
    }

    /// Returns the cost of a node, counted from the root.
    pub fn cost(&self, units: u64) -> Option<Cost> {
        (units < INFINITE).then(|| Cost::from_units(units.saturating_sub(self.base)))
    }

    /// Returns the node with the smallest estimated distance to a target among those expanded since the beginning.
    pub fn closest(&self) -> Option<NodeId> {
        self.closest.map(|(_, node)| node)
    }

    /// Returns the number of nodes in the queue.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.queue.bytes()
            + (self.deleted.capacity() + self.traced.capacity()) * size_of::<NodeId>()
    }

    /// Checks the invariants of a repair: costs follow from the predecessors, and the queue holds exactly the nodes
    /// whose costs differ, with keys that are not too large. Visits every node.
    pub fn verify(&self, tree: &impl Tree, estimate: &impl Estimate) -> Result<(), String> {
        for node in (0..self.nodes.len() as u32).map(NodeId) {
            let Some(known) = self.nodes.of(node) else {
                let (rhs, _) = tree.best(&self.nodes, node);
                if rhs < INFINITE {
                    return Err(format!("nothing is known of {node:?}, which can be reached at {rhs}"));
                }
                continue;
            };
            let expected = if self.is_root(node) { self.base } else { tree.best(&self.nodes, node).0 };
            let Costs { g, rhs } = known.costs;
            if rhs != expected {
                return Err(format!("rhs of {node:?} is {rhs}, not {expected}"));
            }
            match self.queue.at(self.nodes.place_of(node)).map(|entry| entry.key) {
                None if g != rhs => return Err(format!("{node:?} is not queued: {known:?}")),
                Some(_) if g == rhs => return Err(format!("{node:?} is queued: {known:?}")),
                Some(key) if key > self.key(known.costs, estimate.of(node)) => {
                    return Err(format!("{node:?} is queued too late: {key:?}, {known:?}"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
