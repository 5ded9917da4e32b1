//! Subscriptions against brute force: every path judged anew after every batch of edits.

use crate::common::cases;
use crate::common::edits::{Edit, apply, apply_in_space, edit, edits};
use crate::common::oracle::Oracle;
use crate::common::worlds::{GridWorld, RADII, RawLink, World, agent, graph_world, grid_world, voxel_world};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::replan::{PathChange, SubscriptionId, Subscriptions, Touched};
use surefoot::validate::{self, Claim, Violation};
use surefoot::world::waypoints::EdgeId;

/// What a path costs by the judge, in units; `None` if it cannot be walked.
fn judged(view: View<'_>, agent: &Agent, nodes: &[NodeId]) -> Option<u64> {
    let (start, goals) = (*nodes.first()?, &nodes[nodes.len() - 1..]);
    let claim = Claim { start, goals, nodes, units: Cost::ZERO, cost: 0.0, length: 0.0, any_angle: false };
    match validate::world_path(view, agent, &claim) {
        Ok(()) => Some(0),
        Err(Violation::WrongUnits { found, .. }) => Some(found.units()),
        Err(_) => None,
    }
}

/// A subscription as brute force sees it.
struct Subscriber {
    id: SubscriptionId,
    agent: Agent,
    path: Vec<NodeId>,
    /// Steps that are behind.
    made: usize,
    /// What the rest cost when last looked at.
    cost: Option<u64>,
    /// What the best way from there on cost then.
    best: Option<u64>,
}

impl Subscriber {
    fn rest(&self) -> &[NodeId] {
        self.path.get(self.made..).unwrap_or(&[])
    }

    fn best(&self, oracle: &Oracle) -> Option<u64> {
        let (start, goal) = (*self.rest().first()?, *self.rest().last()?);
        if oracle.can_stand(start) { oracle.costs_from(start).to(goal) } else { None }
    }

    fn look(&mut self, view: View<'_>, oracle: &Oracle) {
        (self.cost, self.best) = (judged(view, &self.agent, self.rest()), self.best(oracle));
    }

    /// Compares what was said with what brute force finds, and remembers that.
    fn check(
        &mut self,
        said: Option<PathChange>,
        view: View<'_>,
        oracle: &Oracle,
    ) -> Result<(), TestCaseError> {
        let (cost, best) = (self.cost, self.best);
        self.look(view, oracle);
        let expected = match (cost, self.cost) {
            (Some(_), None) => Some(PathChange::Broken),
            (Some(before), Some(now)) if now > before => Some(PathChange::CostIncreased),
            _ => None,
        };
        let serious = said.filter(|effect| *effect != PathChange::MayImprove);
        prop_assert_eq!(serious, expected, "{:?} from {:?} to {:?}", self.path, cost, self.cost);
        // Whose best way became cheaper has to hear of it, if it is cheaper than the path.
        let improved = self.best.is_some_and(|now| best.is_none_or(|before| now < before));
        let better = self.best.is_some_and(|best| self.cost.is_none_or(|cost| best < cost));
        let cheaper = self.cost.is_some_and(|now| cost.is_none_or(|before| now < before));
        if improved && better || cheaper {
            prop_assert!(
                said.is_some(),
                "{:?}: {best:?} to {:?}, path {:?}",
                self.path,
                self.best,
                self.cost
            );
        }
        Ok(())
    }
}

/// What the subscription is said to be touched by.
fn said(touched: &[Touched], id: SubscriptionId) -> Option<PathChange> {
    touched.iter().find(|touched| touched.id == id).map(|touched| touched.change)
}

/// Some path between two places by random numbers, mostly a cheapest one.
fn some_path(view: View<'_>, oracle: &Oracle, ends: (u16, u16)) -> Path {
    let Some((start, goal)) = oracle.some_ends(ends.0, ends.1) else { return Path::default() };
    let algorithm = if ends.0 % 5 == 4 { "bfs" } else { "dijkstra" };
    let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
    finder.find(view, start, goal).cloned().unwrap_or_default()
}

/// What a unit does between two batches of edits.
#[derive(Clone, Debug)]
enum Deed {
    Subscribe {
        agent: usize,
        ends: (u16, u16),
    },
    Replace {
        which: usize,
        ends: (u16, u16),
    },
    Unsubscribe {
        which: usize,
    },
    Advance {
        which: usize,
        steps: usize,
    },
    /// A batch of edits; undone at once if so asked.
    Edit {
        edits: Vec<Edit>,
        undo: bool,
    },
    Report,
}

fn deed() -> impl Strategy<Value = Deed> {
    let ends = || any::<(u16, u16)>();
    prop_oneof![
        4 => (0..3_usize, ends()).prop_map(|(agent, ends)| Deed::Subscribe { agent, ends }),
        2 => (any::<usize>(), ends()).prop_map(|(which, ends)| Deed::Replace { which, ends }),
        1 => any::<usize>().prop_map(|which| Deed::Unsubscribe { which }),
        2 => (any::<usize>(), 0..12_usize).prop_map(|(which, steps)| Deed::Advance { which, steps }),
        6 => (edits(), prop::bool::weighted(0.15)).prop_map(|(edits, undo)| Deed::Edit { edits, undo }),
        4 => vec(any::<(u16, bool)>(), 1..4).prop_map(|cells| Deed::Edit {
            edits: cells.into_iter().map(|(cell, wall)| Edit::Set(cell, u8::from(!wall))).collect(),
            undo: false,
        }),
        6 => Just(Deed::Report),
    ]
}

/// Puts a world back to what it was, edit by edit.
fn restore(grid: &mut Grid, world: &mut GridWorld, before: GridWorld) {
    for cell in before.cells() {
        grid.set(cell, Terrain::new(before.terrain_at(cell).unwrap())).unwrap();
    }
    for link in grid.links().to_vec() {
        grid.remove_link(link);
    }
    for RawLink { from, to, cost } in &before.links {
        grid.add_link(*from, *to, Cost::from_units(*cost)).unwrap();
    }
    *world = before;
}

fn some<T>(list: &mut [T], number: usize) -> Option<&mut T> {
    let index = number.checked_rem(list.len())?;
    Some(&mut list[index])
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn on_grids_the_touched_are_those_whom_brute_force_finds(
        mut world in grid_world(), others in vec((agent(), prop::sample::select(RADII.to_vec())), 2),
        first in vec((0..3_usize, any::<(u16, u16)>()), 1..8), deeds in vec(deed(), 1..24),
    ) {
        let mut grid = world.grid();
        let agents = [world.agent, world.agent.with_radius(others[0].1).unwrap(), others[1].0];
        let mut subscriptions = Subscriptions::new();
        let mut all: Vec<Subscriber> = Vec::new();
        let mut touched = Vec::new();
        let first = first.into_iter().map(|(agent, ends)| Deed::Subscribe { agent, ends });
        for deed in first.chain(deeds).chain([Deed::Report]) {
            let oracle = |world: &GridWorld, agent: Agent| Oracle::of_grid(&GridWorld { agent, ..world.clone() });
            match deed {
                Deed::Subscribe { agent, ends } => {
                    let (agent, view) = (agents[agent], grid.view(&agents[agent]));
                    let oracle = oracle(&world, agent);
                    let path = some_path(view.into(), &oracle, ends);
                    let id = subscriptions.subscribe(view, &path);
                    let path = path.nodes().to_vec();
                    let mut new = Subscriber { id, agent, path, made: 0, cost: None, best: None };
                    new.look(view.into(), &oracle);
                    all.push(new);
                }
                Deed::Replace { which, ends } => {
                    let Some(one) = some(&mut all, which) else { continue };
                    let (view, oracle) = (grid.view(&one.agent), oracle(&world, one.agent));
                    let path = some_path(view.into(), &oracle, ends);
                    prop_assert!(subscriptions.replace(one.id, view, &path));
                    (one.path, one.made) = (path.nodes().to_vec(), 0);
                    one.look(view.into(), &oracle);
                }
                Deed::Unsubscribe { which } => {
                    if all.is_empty() {
                        continue;
                    }
                    let gone = all.swap_remove(which % all.len()).id;
                    prop_assert!(subscriptions.unsubscribe(gone));
                    prop_assert!(!subscriptions.unsubscribe(gone) && !subscriptions.advance(gone, 1));
                }
                // What the rest of a path cost at the last report is known only then.
                Deed::Advance { which, steps } => {
                    subscriptions.changes(grid.view(&world.agent), &mut touched);
                    for one in &mut all {
                        let (view, oracle) = (grid.view(&one.agent), oracle(&world, one.agent));
                        one.check(said(&touched, one.id), view.into(), &oracle)?;
                    }
                    let Some(one) = some(&mut all, which) else { continue };
                    prop_assert!(subscriptions.advance(one.id, steps));
                    one.made = one.made.max(steps.min(one.path.len().saturating_sub(1)));
                    one.look(grid.view(&one.agent).into(), &oracle(&world, one.agent));
                }
                Deed::Edit { edits, undo } => {
                    let before = world.clone();
                    for edit in &edits {
 apply(edit, &mut world, &mut grid);
 }
                    if undo {
                        restore(&mut grid, &mut world, before);
                    }
                }
                Deed::Report => {
                    subscriptions.changes(grid.view(&world.agent), &mut touched);
                    prop_assert!(touched.is_sorted_by_key(|touched| touched.id));
                    prop_assert!(touched.iter().all(|touched| all.iter().any(|one| one.id == touched.id)));
                    for one in &mut all {
                        let (view, oracle) = (grid.view(&one.agent), oracle(&world, one.agent));
                        one.check(said(&touched, one.id), view.into(), &oracle)?;
                    }
                    subscriptions.changes(grid.view(&world.agent), &mut touched);
                    prop_assert_eq!(&touched, &[], "nothing happened since");
                }
            }
            prop_assert_eq!(subscriptions.len(), all.len());
        }
    }

    #[test]
    fn edits_that_undo_each_other_touch_nobody(
        mut world in grid_world(), ends in vec(any::<(u16, u16)>(), 1..6), edits in edits(),
    ) {
        let mut grid = world.grid();
        let mut subscriptions = Subscriptions::new();
        for ends in ends {
            let view = grid.view(&world.agent);
            subscriptions.subscribe(view, &some_path(view.into(), &Oracle::of_grid(&world), ends));
        }
        let before = world.clone();
        for edit in &edits {
 apply(edit, &mut world, &mut grid);
 }
        restore(&mut grid, &mut world, before);
        let mut touched = Vec::new();
        subscriptions.changes(grid.view(&world.agent), &mut touched);
        prop_assert_eq!(touched, []);
    }

    #[test]
    fn on_graphs_the_touched_are_those_whom_brute_force_finds(
        mut world in graph_world(), paths in vec(any::<(u16, u16)>(), 1..12),
        batches in vec(vec((any::<u16>(), proptest::option::of(1..90_000_u64)), 1..6), 1..8),
    ) {
        let mut graph = world.graph();
        let mut subscriptions = Subscriptions::new();
        let mut all = Vec::new();
        let mut touched = Vec::new();
        for ends in paths {
            let oracle = Oracle::of_graph(&world);
            let path = some_path((&graph).into(), &oracle, ends);
            let id = subscriptions.subscribe(&graph, &path);
            let path = path.nodes().to_vec();
            let mut new = Subscriber { id, agent: Agent::default(), path, made: 0, cost: None, best: None };
            new.look((&graph).into(), &oracle);
            all.push(new);
        }
        for batch in batches {
            for (edge, cost) in batch {
                let Some(index) = usize::from(edge).checked_rem(world.edges.len()) else { continue };
                let raw = &mut world.edges[index];
                (raw.closed, raw.cost) = (cost.is_none(), cost.unwrap_or(raw.cost));
                graph.set_edge(EdgeId(index as u32), cost.map(Cost::from_units)).unwrap();
            }
            subscriptions.changes(&graph, &mut touched);
            let oracle = Oracle::of(&World::Graph(world.clone()));
            for one in &mut all {
                one.check(said(&touched, one.id), (&graph).into(), &oracle)?;
            }
        }
    }

    #[test]
    fn in_space_the_touched_are_those_whom_brute_force_finds(
        mut world in voxel_world(), paths in vec(any::<(u16, u16)>(), 1..12),
        batches in vec(vec(edit(), 1..4), 1..8),
    ) {
        let mut voxels = world.voxels();
        let agent = world.agent;
        let mut subscriptions = Subscriptions::new();
        let mut all = Vec::new();
        let mut touched = Vec::new();
        for ends in paths {
            let (view, oracle) = (voxels.view(&agent), Oracle::of_voxels(&world));
            let path = some_path(view.into(), &oracle, ends);
            let id = subscriptions.subscribe(view, &path);
            let path = path.nodes().to_vec();
            let mut new = Subscriber { id, agent, path, made: 0, cost: None, best: None };
            new.look(view.into(), &oracle);
            all.push(new);
        }
        for batch in batches {
            for edit in batch {
                apply_in_space(&edit, &mut world, &mut voxels);
            }
            let (view, oracle) = (voxels.view(&agent), Oracle::of_voxels(&world));
            subscriptions.changes(view, &mut touched);
            for one in &mut all {
                one.check(said(&touched, one.id), view.into(), &oracle)?;
            }
        }
    }
}
