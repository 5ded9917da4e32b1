//! Planners that live through edits and moves answer as a search from nothing would.

use crate::common::cases;
use crate::common::edits::{Edit, apply, apply_in_space, edit};
use crate::common::oracle::Oracle;
use crate::common::worlds::{Built, GridWorld, RawLink, World, grid_world, world};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use surefoot::algorithms::ALGORITHMS;
use surefoot::graph::Graph;
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::validate::{self, Claim};
use surefoot::world::waypoints::EdgeId;

/// Something that happens to a planner or its world, by random numbers.
#[derive(Clone, Debug)]
enum Op {
    Edit(Edit),
    /// An edge of a graph gets another cost or closes.
    Edge(u16, Option<u64>),
    Start(u16),
    Goal(u16),
    /// The start moves along the path.
    Walk(u8),
    /// The goal moves to a neighbour.
    Flee(u8),
    /// The goal moves onto the start.
    Meet,
    /// The world is again what it was at first.
    Revert,
    /// A replan that is too short to end, perhaps.
    Slice(u8),
    /// Replans until there is an answer, which is checked.
    Finish,
}

fn op() -> impl Strategy<Value = Op> {
    let cost = proptest::option::weighted(0.6, prop_oneof![1..90_000_u64, Just(1)]);
    prop_oneof![
        6 => edit().prop_map(Op::Edit),
        4 => (any::<u16>(), cost).prop_map(|(edge, cost)| Op::Edge(edge, cost)),
        1 => any::<u16>().prop_map(Op::Start),
        1 => any::<u16>().prop_map(Op::Goal),
        4 => any::<u8>().prop_map(Op::Walk),
        3 => any::<u8>().prop_map(Op::Flee),
        1 => Just(Op::Meet),
        1 => Just(Op::Revert),
        2 => (0..20_u8).prop_map(Op::Slice),
        8 => Just(Op::Finish),
    ]
}

/// Which planner, and how.
#[derive(Clone, Debug)]
struct Setting {
    name: &'static str,
    turned: bool,
    guarded: bool,
    weight: Option<f64>,
    logging: bool,
}

fn setting() -> impl Strategy<Value = Setting> {
    let names: Vec<&str> =
        ALGORITHMS.iter().filter(|algorithm| algorithm.incremental).map(|algorithm| algorithm.name).collect();
    let weight = prop_oneof![3 => Just(None), 1 => select(vec![Some(1.0), Some(1.5), Some(4.0)])];
    (select(names), any::<bool>(), any::<bool>(), weight, any::<bool>()).prop_map(
        |(name, turned, guarded, weight, logging)| Setting { name, turned, guarded, weight, logging },
    )
}

impl Setting {
    fn planner(&self) -> Planner {
        let options = Options { weight: self.weight, ..Options::default() };
        let mut planner = Planner::named(self.name, &options).unwrap();
        if self.turned {
            planner = planner.turned_around();
        }
        planner.set_guarded(self.guarded);
        planner.set_logging(self.logging);
        planner
    }
}

/// A world as data and as the library holds it, kept in step.
struct Scene {
    data: World,
    built: Built,
}

impl Scene {
    fn new(data: &World) -> Scene {
        Scene { data: data.clone(), built: data.build() }
    }

    fn edit(&mut self, edit: &Edit) {
        match (&mut self.data, &mut self.built) {
            (World::Grid(data), Built::Grid(grid, _)) => apply(edit, data, grid),
            (World::Voxels(data), Built::Voxels(voxels, _)) => apply_in_space(edit, data, voxels),
            _ => {}
        }
    }

    fn set_edge(&mut self, number: u16, cost: Option<u64>) {
        if let (World::Graph(data), Built::Graph(graph)) = (&mut self.data, &mut self.built)
            && let Some(index) = usize::from(number).checked_rem(data.edges.len())
        {
            let edge = &mut data.edges[index];
            (edge.closed, edge.cost) = (cost.is_none(), cost.unwrap_or(edge.cost));
            graph.set_edge(EdgeId(index as u32), cost.map(Cost::from_units)).unwrap();
        }
    }

    /// Makes the world what another is, by edits.
    fn revert(&mut self, to: &World) {
        match (to, &mut self.built) {
            (World::Grid(old), Built::Grid(grid, _)) => {
                for link in grid.links().to_vec() {
                    grid.remove_link(link);
                }
                for link in &old.links {
                    grid.add_link(link.from, link.to, Cost::from_units(link.cost)).unwrap();
                }
                let terrain = old.terrain.iter().map(|&cost| Terrain::new(cost));
                grid.set_many(old.cells().zip(terrain)).unwrap();
            }
            (World::Voxels(old), Built::Voxels(voxels, _)) => {
                voxels.set_many(old.cells().zip(old.solid.iter().copied())).unwrap();
            }
            (World::Graph(old), Built::Graph(graph)) => {
                for (id, edge) in (0..).map(EdgeId).zip(&old.edges) {
                    graph.set_edge(id, Some(Cost::from_units(edge.cost))).unwrap();
                    if edge.closed {
                        graph.set_edge(id, None).unwrap();
                    }
                }
            }
            _ => unreachable!("a world does not change its kind"),
        }
        self.data = to.clone();
    }
}

/// Checks an answer against a search from nothing, the judge, and what a repair relies on.
fn check_answer(scene: &Scene, planner: &mut Planner, setting: &Setting) -> Result<(), TestCaseError> {
    let view = scene.built.view();
    let verdict = planner.verify(view);
    prop_assert_eq!(verdict, Ok(()));
    let (Some(start), Some(goal)) = (planner.start(), planner.goal()) else {
        let Outcome::Unreachable(why) = planner.outcome() else { panic!("it has no ends") };
        prop_assert!(matches!(why, Why::StartOutside | Why::GoalOutside | Why::NoGoals), "{}", why);
        return Ok(());
    };
    let best = {
        let oracle = Oracle::of(&scene.data);
        if oracle.can_stand(start) { oracle.costs_from(start).to(goal) } else { None }
    };
    let Some(best) = best else {
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let why = finder.find(view, start, goal).unwrap_err();
        prop_assert_eq!(planner.outcome(), Outcome::Unreachable(why));
        prop_assert!(planner.path().is_empty());
        return Ok(());
    };
    prop_assert_eq!(planner.outcome(), Outcome::Found);
    prop_assert_eq!(scene.built.judge(start, &[goal], planner.path()), Ok(()));
    let units = planner.path().units().units();
    match setting.weight {
        Some(weight) if weight > 1.0 => {
            prop_assert!(units >= best && units as f64 <= best as f64 * (weight + 1.0 / 1024.0));
        }
        _ => prop_assert_eq!(units, best),
    }
    Ok(())
}

fn neighbour(built: &Built, node: NodeId, number: u8) -> Option<NodeId> {
    let mut next = Vec::new();
    match built {
        Built::Grid(grid, agent) => grid.view(agent).for_each_edge(node, |to, _| next.push(to)),
        Built::Graph(graph) => graph.for_each_edge(node, |to, _| next.push(to)),
        Built::Voxels(voxels, agent) => {
            voxels.view(agent).for_each_edge(node, |to, _| next.push(to));
        }
    }
    next.get(usize::from(number).checked_rem(next.len())?).copied()
}

proptest! {
    #![proptest_config(cases(400))]

    /// Very many links share one place in the estimate, and which of them help depends on the target.
    #[test]
    fn targets_may_move_among_any_number_of_links(
        world in grid_world(),
        setting in setting(),
        count in select(vec![3_u64, 127, 128, 129, 200, 400]),
        seed: u64,
        ends: [u16; 2],
        moves in vec((any::<bool>(), any::<u16>(), 0..40_u8), 1..12),
    ) {
        let number = |salt: u64| seed.wrapping_add(salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
        let cells: Vec<Cell> = world.cells().collect();
        let some = |salt: u64| cells[(number(salt) % cells.len() as u64) as usize];
        let links = (0..count).map(|link| RawLink {
            from: some(3 * link),
            to: some(3 * link + 1),
            cost: 1 + number(3 * link + 2) % 200_000,
        });
        let links = links.collect();
        let world = World::Grid(GridWorld { links, ..world });
        let (scene, oracle) = (Scene::new(&world), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) else { return Ok(()) };
        let mut planner = setting.planner();
        planner.move_start(scene.built.view(), start);
        planner.move_goal(scene.built.view(), goal);
        for (is_start, to, budget) in moves {
            let _ = planner.replan(scene.built.view(), budget.into());
            let Some(node) = oracle.some_node(to) else { continue };
            if is_start {
                planner.move_start(scene.built.view(), node);
            } else {
                planner.move_goal(scene.built.view(), node);
            }
            if budget % 2 == 0 {
                while planner.replan(scene.built.view(), 50) == Outcome::Paused {}
                check_answer(&scene, &mut planner, &setting)?;
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn planners_answer_as_a_search_from_nothing(
        world in world(),
        setting in setting(),
        ends: [u16; 2],
        ops in vec(op(), 1..40),
    ) {
        let mut scene = Scene::new(&world);
        let mut planner = setting.planner();
        let oracle = Oracle::of(&world);
        if let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) {
            planner.move_start(scene.built.view(), start);
            planner.move_goal(scene.built.view(), goal);
        }
        for op in ops.iter().chain([&Op::Finish]) {
            match op {
                Op::Edit(edit) => scene.edit(edit),
                Op::Edge(edge, cost) => scene.set_edge(*edge, *cost),
                Op::Start(number) => planner.move_start(scene.built.view(), scene.built.any_node(*number)),
                Op::Goal(number) => planner.move_goal(scene.built.view(), scene.built.any_node(*number)),
                Op::Walk(steps) => {
                    let place = usize::from(*steps).checked_rem(planner.path().nodes().len());
                    if let Some(place) = place.map(|place| place % 4) {
                        let node = planner.path().nodes().get(place).copied();
                        planner.move_start(scene.built.view(), node.unwrap_or(planner.path().nodes()[0]));
                    }
                }
                Op::Flee(number) => {
                    if let Some(goal) = planner.goal()
                        && Oracle::of(&scene.data).can_stand(goal)
                        && let Some(next) = neighbour(&scene.built, goal, *number)
                    {
                        planner.move_goal(scene.built.view(), next);
                    }
                }
                Op::Meet => {
                    if let Some(start) = planner.start() {
                        planner.move_goal(scene.built.view(), start);
                    }
                }
                Op::Revert => scene.revert(&world),
                Op::Slice(budget) => {
                    let outcome = planner.replan(scene.built.view(), (*budget).into());
                    prop_assert!(planner.last().expanded <= u64::from(*budget));
                    prop_assert!(outcome != Outcome::Paused || !planner.last().behind);
                }
                Op::Finish => {
                    let mut turns = 0;
                    while planner.replan(scene.built.view(), 50) == Outcome::Paused {
                        turns += 1;
                        prop_assert!(turns < 2000, "it never ends");
                    }
                    check_answer(&scene, &mut planner, &setting)?;
                }
            }
        }
    }
}

fn incremental() -> impl Iterator<Item = (&'static str, Planner)> {
    let names = ALGORITHMS.iter().filter(|algorithm| algorithm.incremental).map(|algorithm| algorithm.name);
    names.map(|name| (name, Planner::named(name, &Options::default()).unwrap()))
}

#[test]
fn in_another_world_no_planner_takes_the_way_through_the_old_one() {
    let (open, agent) = (Grid::new(5, 3).unwrap(), Agent::default());
    let plan = |planner: &mut Planner, grid: &Grid| {
        let view = grid.view(&agent);
        planner.move_start(view, Cell::new(0, 0));
        planner.move_goal(view, Cell::new(4, 2));
        assert!(planner.replan(view, u64::MAX).is_found());
        planner.path().nodes().to_vec()
    };
    for (name, mut planner) in incremental() {
        let way = plan(&mut planner, &open);
        for &node in &way[1..way.len() - 1] {
            let mut other = Grid::new(5, 3).unwrap();
            other.set(open.cell(node), Terrain::WALL).unwrap();
            plan(&mut planner, &open);
            assert!(!plan(&mut planner, &other).contains(&node), "{name}");
        }
    }
}

/// Behind a wall with a gate, all costs hang on the gate. Pillars make A* the search that answers for a repair.
#[test]
fn what_a_repair_gives_up_is_answered_within_the_budget() {
    const SIDE: i32 = 120;
    const BUDGET: u64 = 1500;
    let agent = Agent::default();
    let mut pillars = Grid::new(SIDE as u32, SIDE as u32).unwrap();
    let is_pillar = |cell: &Cell| cell.x == 20 || cell.x % 4 == 1 && cell.y % 4 == 1;
    let walls: Vec<Cell> = pillars.cells().filter(is_pillar).collect();
    pillars.set_many(walls.into_iter().map(|cell| (cell, Terrain::WALL))).unwrap();
    let mut truth = Pathfinder::named("dijkstra", &Options::default()).unwrap();
    for (name, mut planner) in incremental() {
        let mut grid = pillars.clone();
        let (mut start, mut goal, mut gate) = (Cell::new(2, 2), Cell::new(118, 100), Cell::new(20, 0));
        let mut fresh = 0;
        for round in 0..40 {
            match round % 4 {
                0 => {
                    grid.set(gate, Terrain::WALL).unwrap();
                    gate.y = (gate.y + 48) % SIDE;
                    grid.set(gate, Terrain::FLOOR).unwrap();
                }
                1 => goal.y += if round % 8 == 1 { -4 } else { 4 },
                // A step on, and a little further somebody builds.
                2 => {
                    let nodes = planner.path().nodes();
                    start = grid.cell(nodes[1]);
                    grid.set(grid.cell(nodes[nodes.len() - 4]), Terrain::WALL).unwrap();
                }
                _ => start = grid.cell(planner.path().nodes()[1]),
            }
            let view = grid.view(&agent);
            let best = truth.find(view, start, goal).unwrap();
            planner.move_start(view, start);
            planner.move_goal(view, goal);
            loop {
                let outcome = planner.replan(view, BUDGET);
                let last = planner.last();
                assert!(last.expanded + last.fresh.unwrap_or(0) <= BUDGET, "{last:?}");
                fresh += u32::from(last.fresh.is_some());
                if outcome.is_found() {
                    break;
                }
                assert_eq!(outcome, Outcome::Paused);
            }
            assert_eq!(planner.path().units(), best.units(), "{name} in round {round}");
            let start = grid.node(start).unwrap();
            let claim = Claim { goals: &[grid.node(goal).unwrap()], ..Claim::of(planner.path(), start, &[]) };
            assert_eq!(validate::grid_path(&grid, &agent, &claim), Ok(()));
            if round % 4 == 3 {
                let path = planner.path().nodes().to_vec();
                let settles =
                    (0..1000).any(|_| planner.replan(view, BUDGET).is_found() && !planner.last().behind);
                assert!(
                    settles && planner.path().nodes() == path,
                    "{name} in round {round}: a path that is right stays"
                );
            }
        }
        assert!(fresh > 0, "{name}");
    }
}
