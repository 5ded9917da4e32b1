//! What happens to a planner and its world, step by step.

use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::world::waypoints::EdgeId;

use super::worlds::Asked;
use crate::common::worlds::Built;

/// One thing that happens before a replan.
#[derive(Clone, Copy)]
pub enum Step {
    /// Nothing: the first plan.
    Plan,
    /// The start moves three nodes along the path.
    Walk,
    /// The path is blocked halfway.
    Block,
    /// What was blocked last is open again.
    Unblock,
    /// The goal moves one node towards the start.
    Approach,
    /// The goal is somewhere else.
    OtherGoal,
    /// The start is somewhere else.
    OtherStart,
}

pub const SCRIPT: [Step; 12] = [
    Step::Plan,
    Step::Walk,
    Step::Block,
    Step::Walk,
    Step::Unblock,
    Step::Approach,
    Step::Block,
    Step::Approach,
    Step::OtherGoal,
    Step::Block,
    Step::OtherStart,
    Step::Unblock,
];

/// A planner and the world that it plans in.
pub struct Play<'a> {
    asked: &'a Asked,
    pub world: Built,
    pub planner: Planner,
    /// A node of a path and the one after it.
    blocked: Option<[NodeId; 2]>,
}

impl<'a> Play<'a> {
    pub fn new(asked: &'a Asked, planner: Planner) -> Play<'a> {
        let mut play = Play { asked, world: asked.world.clone(), planner, blocked: None };
        let (start, goals) = &asked.questions[0];
        play.planner.move_start(play.world.view(), *start);
        play.planner.move_goal(play.world.view(), goals[0]);
        play
    }

    /// Lets a step happen, and replans. Steps along a path do not happen while there is no path.
    pub fn step(&mut self, step: Step) {
        let nodes = self.planner.path().nodes().to_vec();
        match step {
            Step::Walk if nodes.len() > 3 => self.planner.move_start(self.world.view(), nodes[3]),
            Step::Block if nodes.len() > 3 => {
                let middle = nodes.len() / 2;
                self.blocked = Some([nodes[middle - 1], nodes[middle]]);
                self.set_blocked(true);
            }
            Step::Approach if nodes.len() > 3 => {
                self.planner.move_goal(self.world.view(), nodes[nodes.len() - 2]);
            }
            Step::Unblock => self.set_blocked(false),
            Step::OtherGoal => self.planner.move_goal(self.world.view(), self.asked.questions[1].1[0]),
            Step::OtherStart => self.planner.move_start(self.world.view(), self.asked.questions[2].0),
            Step::Plan | Step::Walk | Step::Block | Step::Approach => {}
        }
        let _ = self.planner.replan(self.world.view(), u64::MAX);
    }

    /// Closes the blocked place, or makes it what it was.
    fn set_blocked(&mut self, blocked: bool) {
        let [node, next] = self.blocked.unwrap();
        match (&mut self.world, &self.asked.world) {
            (Built::Grid(grid, _), Built::Grid(original, _)) => {
                let cell = grid.cell(node);
                let terrain = if blocked { Terrain::WALL } else { original.terrain(cell).unwrap() };
                grid.set(cell, terrain).unwrap();
            }
            (Built::Graph(graph), Built::Graph(original)) => {
                let joins = |from: NodeId, to: NodeId| from == node && to == next;
                let index = original.edges().iter().position(|edge| joins(edge.from, edge.to)).unwrap();
                let cost = (!blocked).then_some(original.edges()[index].cost);
                graph.set_edge(EdgeId(index as u32), cost).unwrap();
            }
            (Built::Voxels(voxels, _), Built::Voxels(..)) => voxels.set(voxels.voxel(node), blocked).unwrap(),
            _ => unreachable!("a world does not change its kind"),
        }
    }
}
