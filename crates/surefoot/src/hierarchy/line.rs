//! Paths without a detour, found without a search.

use crate::agent::Moves;
use crate::core::estimate::{Estimate, Weight};
use crate::core::heuristic::Heuristic;
use crate::id::NodeId;
use crate::world::grid::StepsTo;
use crate::world::grid::{Direction, GridView};

/// Writes the path between two cells with at most one bend, as cells with the cost of reaching each, if there is one
/// that costs no more than the heuristic: no other path is cheaper then.
pub(super) fn line(view: &GridView<'_>, from: NodeId, to: NodeId, steps: &mut Vec<(NodeId, u64)>) -> bool {
    if !view.grid().links().is_empty() {
        return false;
    }
    let Some(estimate) = StepsTo::new(Heuristic::Best, Weight::ONE, view, to) else { return false };
    let least = estimate.of(from);
    [false, true].into_iter().any(|bends_late| walk(view, from, to, least, bends_late, steps))
}

/// Walks the straight part of a path first, or its diagonal part; with straight steps only, along the row first or
/// along the column. Returns `false` as soon as a step is not legal or the path gets too expensive.
fn walk(
    view: &GridView<'_>,
    from: NodeId,
    to: NodeId,
    least: u64,
    straight_first: bool,
    steps: &mut Vec<(NodeId, u64)>,
) -> bool {
    let goal = view.grid().cell(to);
    let (mut at, mut cell, mut cost) = (from, view.grid().cell(from), 0);
    steps.clear();
    steps.push((from, 0));
    while cell != goal {
        let (dx, dy) = (goal.x - cell.x, goal.y - cell.y);
        let along_row = if view.moves() == Moves::Four { straight_first } else { dx.abs() > dy.abs() };
        let bends = dx != 0 && dy != 0;
        let diagonal = bends && view.moves() != Moves::Four && (!straight_first || dx.abs() == dy.abs());
        let (dx, dy) = match (dx.signum(), dy.signum()) {
            step if diagonal || !bends => step,
            (dx, _) if along_row => (dx, 0),
            (_, dy) => (0, dy),
        };
        let next = cell.offset(dx, dy);
        let step = Direction::of(dx, dy).zip(view.grid().node(next));
        let Some((node, units)) =
            step.and_then(|(direction, node)| Some((node, view.step_units(at, node, direction)?)))
        else {
            return false;
        };
        cost += units.units();
        if cost > least {
            return false;
        }
        steps.push((node, cost));
        (at, cell) = (node, next);
    }
    true
}
