//! The least sum of costs of a small instance, by a complete search over where all agents are and which of them have finished.
//!
//! It knows the grid's cells and the rules of movement, and nothing of the planner.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::agent::Moves;
use crate::cooperate::Task;
use crate::space::Cell;
use crate::world::grid::Grid;

type Cells = Vec<(i32, i32)>;

/// An instance.
pub struct Oracle<'a> {
    grid: &'a Grid,
    diagonal: bool,
    starts: Cells,
    goals: Vec<Option<(i32, i32)>>,
}

impl<'a> Oracle<'a> {
    pub fn new(grid: &'a Grid, moves: Moves, tasks: &[Task]) -> Oracle<'a> {
        let place = |node| {
            let cell = grid.cell(node);
            (cell.x, cell.y)
        };
        Oracle {
            grid,
            diagonal: moves == Moves::Eight,
            starts: tasks.iter().map(|task| place(task.start)).collect(),
            goals: tasks.iter().map(|task| task.goal.map(place)).collect(),
        }
    }

    fn is_open(&self, x: i32, y: i32) -> bool {
        self.grid.is_open(Cell::new(x, y))
    }

    /// Where an agent can be one step later if it is alone.
    fn moves(&self, (x, y): (i32, i32)) -> Cells {
        let mut to = Vec::new();
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let straight = dx == 0 || dy == 0;
            let fits = self.is_open(x + dx, y + dy) && self.is_open(x + dx, y) && self.is_open(x, y + dy);
            if fits && (straight || self.diagonal) {
                to.push((x + dx, y + dy));
            }
        }
        to
    }

    /// Whether two agents that move at the same time do not collide.
    fn agree(a: [(i32, i32); 2], b: [(i32, i32); 2]) -> bool {
        let corners = |[from, to]: [(i32, i32); 2]| {
            let diagonal = from.0 != to.0 && from.1 != to.1;
            if diagonal { vec![(from.0, to.1), (to.0, from.1)] } else { Vec::new() }
        };
        let meet = a[1] == b[1] || (a[0] == b[1] && a[1] == b[0]);
        let pass = corners(a).iter().any(|corner| b.contains(corner))
            || corners(b).iter().any(|corner| a.contains(corner));
        !meet && !pass
    }

    /// Returns the least sum of costs, if there is a plan.
    pub fn best(&self) -> Option<u64> {
        // An agent that has finished stays for ever; each of the others costs one per step.
        let agents = self.starts.len();
        let first = (self.starts.clone(), vec![false; agents]);
        let mut costs = BTreeMap::from([(first.clone(), 0_u64)]);
        let mut open = BinaryHeap::from([Reverse((0_u64, first))]);
        while let Some(Reverse((cost, (cells, finished)))) = open.pop() {
            if costs[&(cells.clone(), finished.clone())] < cost {
                continue;
            }
            let is_done = |agent: usize| finished[agent] || self.goals[agent].is_none();
            if (0..agents).all(is_done) {
                return Some(cost);
            }
            let mut visit = |cost: u64, state: (Cells, Vec<bool>)| {
                if costs.get(&state).is_none_or(|&known| cost < known) {
                    costs.insert(state.clone(), cost);
                    open.push(Reverse((cost, state)));
                }
            };
            for agent in 0..agents {
                if !finished[agent] && self.goals[agent] == Some(cells[agent]) {
                    let mut then = finished.clone();
                    then[agent] = true;
                    visit(cost, (cells.clone(), then));
                }
            }
            let paid = (0..agents).filter(|&agent| !is_done(agent)).count() as u64;
            let mut partial: Vec<Cells> = vec![Vec::new()];
            for agent in 0..agents {
                let choices = if finished[agent] { vec![cells[agent]] } else { self.moves(cells[agent]) };
                let mut longer = Vec::new();
                for so_far in &partial {
                    for &to in &choices {
                        let step = [cells[agent], to];
                        let agrees = |other: usize| Oracle::agree([cells[other], so_far[other]], step);
                        if (0..agent).all(agrees) {
                            let mut next = so_far.clone();
                            next.push(to);
                            longer.push(next);
                        }
                    }
                }
                partial = longer;
            }
            for next in partial {
                visit(cost + paid, (next, finished.clone()));
            }
        }
        None
    }
}
