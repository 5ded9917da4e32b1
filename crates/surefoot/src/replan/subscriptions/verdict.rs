//! Judges paths by what has happened since they were found, without registering them.

use crate::cost::Cost;
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::subscriptions::PathChange;
use crate::replan::subscriptions::affected::{chances_into, suspects_into};
use crate::replan::subscriptions::lower_bound::LowerBound;
use crate::replan::subscriptions::report::read_changes;
use crate::world::any::{Locate, Vantage, View, on_world};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::paper::{Chance, Chart};
use crate::world::space::SearchSpace;

/// Tells whether a path, or the fact that there is none, still holds in a later revision of its world, by the rules of
/// [`Subscriptions`](crate::replan::Subscriptions). What the changes between two revisions mean for an agent is worked out once for all paths
/// that are judged one after the other.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    /// When the paths were found and by whom, and the revision for which they are judged.
    of: Option<(Vantage, Revision)>,
    /// The projection of the world, which stays the same as long as it is the same world.
    chart: Option<Chart>,
    changes: Changes,
    suspects: Vec<(u32, u64)>,
    chances: Vec<Chance>,
    /// What the changes are; `None` if they are no longer known.
    bound: Option<LowerBound>,
}

impl Judge {
    /// Returns what changes did to a path that was the cheapest one to any of some goals `then`; `None` if it still is. An empty path stands
    /// for the fact that there is none. Of a path at any angle, only that nothing has changed is known. A path whose steps have changed and cost
    /// the same is measured again: other edges may lead there now.
    pub fn judge(
        &mut self,
        then: &View<'_>,
        now: &View<'_>,
        path: &mut Path,
        goals: &[impl Locate],
    ) -> Option<PathChange> {
        if then.revision() == now.revision() {
            return None;
        }
        let of = Some((then.vantage(), now.revision()));
        if self.of != of {
            self.read(then, now);
            self.of = of;
        }
        let Some(bound) = &self.bound else { return Some(PathChange::Unknown) };
        if self.changes.len() == 0 {
            return None;
        }
        if path.is_any_angle() {
            return Some(PathChange::Unknown);
        }
        let Some(&start) = path.nodes().first() else {
            return (!self.chances.is_empty()).then_some(PathChange::MayImprove);
        };
        let before = path.units().units();
        let (cost, is_touched) = self.cost_now(then, now, path);
        match cost {
            None => return Some(PathChange::Broken),
            Some(cost) if cost > before => return Some(PathChange::CostIncreased),
            Some(cost) if cost < before => return Some(PathChange::MayImprove),
            Some(_) => {}
        }
        let chart = self.chart?;
        let place = |node| on_world!(now, space => space.place(&chart, node));
        let mut goals = goals.iter().filter_map(|goal| goal.node_in(now));
        let is_chance = goals.any(|goal| {
            let ends = [place(start), place(goal)];
            self.chances.iter().any(|chance| chance.least(bound, ends) < before)
        });
        if is_chance {
            return Some(PathChange::MayImprove);
        }
        if is_touched {
            path.measure_again(now);
        }
        None
    }

    /// Works out what has changed.
    fn read(&mut self, then: &View<'_>, now: &View<'_>) {
        self.bound = None;
        if !read_changes(&mut self.changes, now, then.revision()) {
            return;
        }
        let chart = *self.chart.get_or_insert_with(|| on_world!(now, space => space.chart()));
        let bound = LowerBound::new(now, &chart);
        suspects_into(&self.changes, now, &mut self.suspects);
        chances_into(&self.changes, now, &chart, &bound, &mut self.chances);
        self.bound = Some(bound);
    }

    /// Measures the steps again that the changes may have affected. Returns the cost of the path, `None` if it cannot be walked, and whether
    /// there are any such steps.
    fn cost_now(&self, then: &View<'_>, now: &View<'_>, path: &Path) -> (Option<u64>, bool) {
        let blocks = on_world!(now, space => space.blocks());
        let (mut cost, mut is_touched) = (path.units().units(), false);
        // Consecutive nodes are mostly in the same block.
        let mut last = (u32::MAX, 0);
        for (index, &node) in path.nodes().iter().enumerate() {
            let Some((block, bit)) = blocks.spot(node) else { return (None, true) };
            if block != last.0 {
                let found = self.suspects.binary_search_by_key(&block, |&(block, _)| block);
                last = (block, found.map_or(0, |at| self.suspects[at].1));
            }
            if last.1 >> bit & 1 == 1 {
                let next = path.nodes().get(index + 1).copied();
                let (Some(before), Some(after)) = (leg(then, node, next), leg(now, node, next)) else {
                    return (None, true);
                };
                cost = cost - before.min(cost) + after;
                is_touched = true;
            }
        }
        (Some(cost), is_touched)
    }
}

/// Returns the cost of standing on a node and of the step to the next; `None` if that is impossible.
fn leg(view: &View<'_>, at: NodeId, next: Option<NodeId>) -> Option<u64> {
    on_world!(view, space => match next {
        Some(next) => space.edge_between(at, next).map(Cost::units),
        None => (space.numbering().contains(at) && space.stands(at)).then_some(0),
    })
}
