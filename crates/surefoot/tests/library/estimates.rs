//! What heuristics claim is true of their estimates on every edge, and the claims mean something.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::{HEURISTICS, Recorder};
use crate::common::worlds::{Built, GridWorld, RawLink, World, world};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot::prelude::*;
use surefoot::search::Promise;

/// The estimate from a node: A* tells it when it opens the start. `None` if the goals cannot be reached from there.
fn estimate(finder: &mut Pathfinder, view: View<'_>, from: NodeId, goals: &[NodeId]) -> Option<u64> {
    let mut recorder = Recorder::default();
    finder.start(view, from, goals);
    let _ = finder.resume_watched(view, 0, &mut recorder);
    recorder.0.first().map(|event| event.h.units())
}

/// What a heuristic turns out to be: admissible, consistent.
fn observed(
    heuristic: Heuristic,
    built: &Built,
    oracle: &Oracle,
    goals: &[NodeId],
) -> Result<(bool, bool), TestCaseError> {
    let options = Options { heuristic: Some(heuristic), ..Options::default() };
    let mut finder = Pathfinder::named("astar", &options).unwrap();
    let mut estimates = vec![None; oracle.edges.len()];
    for &node in &oracle.nodes {
        estimates[node.index()] = estimate(&mut finder, built.view(), node, goals);
    }
    let (mut admissible, mut consistent) = (true, true);
    for &node in &oracle.nodes {
        let cost = oracle.costs_from(node).to_nearest(goals);
        let here = estimates[node.index()];
        prop_assert_eq!(here.is_some(), cost.is_some(), "an estimate where there is a way");
        admissible &= here <= cost;
        consistent &= oracle.edges[node.index()].iter().all(|&(to, cost)| {
            estimates[to.index()].is_none_or(|there| here.is_some_and(|here| here <= cost + there))
        });
    }
    if heuristic == Heuristic::Zero {
        prop_assert!(estimates.iter().flatten().all(|&estimate| estimate == 0));
    }
    for &goal in goals.iter().filter(|&&goal| oracle.can_stand(goal)) {
        prop_assert_eq!(estimates[goal.index()], Some(0));
    }
    Ok((admissible, consistent))
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn claims_about_estimates_are_true(
        world in world(),
        goals in prop_oneof![
            2 => proptest::collection::vec(any::<u16>(), 1),
            1 => proptest::collection::vec(any::<u16>(), 2..24),
        ],
        heuristic in proptest::sample::select(HEURISTICS.to_vec()),
    ) {
        // All pairs are looked at: keep the map small.
        let world = match world {
            World::Grid(GridWorld { width, height, terrain, links, agent }) => {
                let (width, height) = (width.min(12), height.min(128 / width.min(12)));
                let terrain = terrain[..(width * height) as usize].to_vec();
                let wrap = |cell: Cell| Cell::new(cell.x % width as i32, cell.y % height as i32);
                let links = links.into_iter().map(|RawLink { from, to, cost }| RawLink {
                    from: wrap(from),
                    to: wrap(to),
                    cost,
                });
                World::Grid(GridWorld { width, height, terrain, links: links.collect(), agent })
            }
            other => other,
        };
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let goals: Vec<NodeId> = goals.into_iter().filter_map(|goal| oracle.some_node(goal)).collect();
        let (admissible, consistent) = observed(heuristic, &built, &oracle, &goals)?;
        let (claims_admissible, claims_consistent) = match built.view() {
            View::Grid(view) => (heuristic.is_admissible(&view), heuristic.is_consistent(&view)),
            // What A* promises there rests on consistency.
            View::Voxels(_) => {
                let options = Options { heuristic: Some(heuristic), ..Options::default() };
                let promise = Algorithm::named("astar").unwrap().promise(&options, built.view());
                (promise == Promise::Optimal, promise == Promise::Optimal)
            }
            _ => (true, true),
        };
        prop_assert!(admissible || !claims_admissible, "{heuristic} overestimates");
        prop_assert!(consistent || !claims_consistent, "{heuristic} falls too fast");
        prop_assert!(claims_admissible || !claims_consistent, "what is consistent is admissible");
    }
}

/// An open map with its corner as the goal, and what a heuristic does there: admissible, consistent.
fn on_open_map(heuristic: Heuristic, agent: Agent, links: &[RawLink]) -> [(bool, bool); 2] {
    let world = GridWorld { width: 9, height: 9, terrain: vec![1; 81], links: links.to_vec(), agent };
    let grid = world.grid();
    let goal = grid.node(Cell::new(8, 0)).unwrap();
    let claims = {
        let view = grid.view(&agent);
        (heuristic.is_admissible(&view), heuristic.is_consistent(&view))
    };
    let oracle = Oracle::of_grid(&world);
    let built = World::Grid(world).build();
    [claims, observed(heuristic, &built, &oracle, &[goal]).unwrap()]
}

#[test]
fn claims_are_no_weaker_than_the_truth_on_an_open_map() {
    let mut seen = std::collections::BTreeSet::new();
    for moves in Moves::ALL {
        for (straight, diagonal) in [(1.0, std::f64::consts::SQRT_2), (1.0, 1.0), (1.0, 2.0), (10.0, 14.0)] {
            let metric = Metric::new(straight, diagonal).unwrap();
            for heuristic in HEURISTICS {
                let agent = Agent::new().with_moves(moves).with_metric(metric);
                let [claimed, found] = on_open_map(heuristic, agent, &[]);
                assert_eq!(claimed, found, "{heuristic} with {agent:?}");
                seen.insert(found);
            }
        }
    }
    assert_eq!(seen.len(), 3, "each kind occurs: {seen:?}");
}

#[test]
fn an_estimate_that_is_admissible_without_links_may_not_be_with_them() {
    let heuristic = Heuristic::Custom { straight: 1.0, diagonal: 0.0 };
    let shortcut = RawLink { from: Cell::new(4, 4), to: Cell::new(8, 0), cost: 1 };
    assert_eq!(on_open_map(heuristic, Agent::default(), &[]), [(true, false); 2]);
    assert_eq!(on_open_map(heuristic, Agent::default(), &[shortcut]), [(false, false); 2]);
}

#[test]
fn estimates_see_chains_of_links() {
    let links = [
        RawLink { from: Cell::new(0, 8), to: Cell::new(0, 0), cost: 7 },
        RawLink { from: Cell::new(0, 0), to: Cell::new(8, 8), cost: 8 },
        RawLink { from: Cell::new(8, 8), to: Cell::new(8, 0), cost: 9 },
    ];
    let world = GridWorld {
        width: 9,
        height: 9,
        terrain: vec![1; 81],
        links: links.to_vec(),
        agent: Agent::default(),
    };
    let built = World::Grid(world).build();
    let Built::Grid(grid, _) = &built else { unreachable!() };
    let node = |x, y| grid.node(Cell::new(x, y)).unwrap();
    let mut finder = Pathfinder::default();
    assert_eq!(estimate(&mut finder, built.view(), node(0, 8), &[node(8, 0)]), Some(24));
    let one = Cost::ONE.units();
    assert_eq!(estimate(&mut finder, built.view(), node(2, 8), &[node(8, 0)]), Some(2 * one + 24));
    assert_eq!(estimate(&mut finder, built.view(), node(7, 0), &[node(8, 0)]), Some(one));
}
