//! Every algorithm, open list and heuristic keeps its promise on random worlds.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::{HEURISTICS, Query, Truth, check, settings};
use crate::common::worlds::{
    Built, GraphWorld, GridWorld, RawEdge, RawLink, World, grid_world, uniform_world, world,
};
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::algorithms::ALGORITHMS;
use surefoot::prelude::*;
use surefoot::search::{Promise, Queue};

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn every_search_keeps_its_promise(
        world in world(),
        start: u16,
        goal: u16,
        weight in prop_oneof![Just(1.0), Just(1.5), 1.0..10.0],
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        let query = Query { start, goals: vec![goal] };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&HEURISTICS, weight) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    /// Where all floor costs the same, searches leave out steps: with every metric and corner rule, to every cell.
    #[test]
    fn nothing_is_lost_where_pointless_steps_are_left_out(world in grid_world(), cost in 1..4_u8, start: u16) {
        let terrain = world.terrain.iter().map(|&terrain| cost * u8::from(terrain > 0)).collect();
        let world = World::Grid(GridWorld { terrain, links: Vec::new(), ..world });
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let costs = oracle.costs_from(start);
        // A goal as far away as there is makes the search settle nearly everything else.
        let Some(&goal) = oracle.nodes.iter().max_by_key(|&&node| costs.to(node)) else { return Ok(()) };
        for queue in [Queue::Buckets, Queue::Heap] {
            let options = Options { queue: Some(queue), ..Options::default() };
            let mut finder = Pathfinder::named("dijkstra", &options).unwrap();
            finder.find(built.view(), start, goal).unwrap();
            for &node in &oracle.nodes {
                // Nodes about as far as the goal may not have been settled.
                let settled = costs.to(node).filter(|cost| Some(*cost) < costs.to(goal));
                let visit = settled.and_then(|_| finder.visit(node)).map(|visit| visit.g.units());
                prop_assert_eq!(visit, settled, "to {:?} with {:?}", node, queue);
            }
        }
    }

    /// Maps on which every algorithm works, many of them as wide as words are, with corridors one cell wide.
    #[test]
    fn jumps_lose_nothing(world in uniform_world(), start: u16, goals in vec(any::<u16>(), 1..4)) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let goals = goals.into_iter().filter_map(|goal| oracle.some_node(goal)).collect();
        let query = Query { start, goals };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&HEURISTICS, 1.5).into_iter().filter(|setting| !setting.algorithm.weighted) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    #[test]
    fn the_nearest_of_many_goals_is_found(
        world in world(),
        start: u16,
        goals in vec((any::<u16>(), any::<bool>()), 0..40),
        weight in prop_oneof![Just(1.0), Just(1.5), 1.0..10.0],
        heuristic in 0..HEURISTICS.len(),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        // Places to stand, and any numbers at all: walls, the border, nodes that do not exist.
        let goal = |(number, stands): (u16, bool)| {
            oracle.some_node(number).filter(|_| stands).unwrap_or_else(|| built.any_node(number))
        };
        let query = Query { start, goals: goals.into_iter().map(goal).collect() };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&[HEURISTICS[0], HEURISTICS[heuristic]], weight) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    #[test]
    fn with_their_own_options_algorithms_promise_what_the_list_says(world in world()) {
        let built = world.build();
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.optimal) {
            let promise = algorithm.promise(&Options::default(), built.view());
            prop_assert_eq!(promise, Promise::Optimal, "{}", algorithm.name);
        }
    }
}

/// A row with a shortcut at the back of whoever starts at 5, and very many links that lead nowhere.
fn row_with_many_links(loops: usize) -> GridWorld {
    let shortcut = RawLink { from: Cell::new(4, 0), to: Cell::new(11, 0), cost: 1 };
    let idle = RawLink { from: Cell::new(11, 0), to: Cell::new(11, 0), cost: 1 };
    let links = std::iter::once(shortcut).chain(std::iter::repeat_n(idle, loops)).collect();
    GridWorld { width: 12, height: 1, terrain: vec![1; 12], links, agent: Agent::default() }
}

/// The same as a waypoint graph.
fn graph_with_many_links(loops: usize) -> GraphWorld {
    let road = |from, to| RawEdge { from, to, cost: Cost::ONE.units(), link: false, closed: false };
    let link = |from, to| RawEdge { from, to, cost: 1, link: true, closed: false };
    let roads = (0..11).flat_map(|x| [road(x, x + 1), road(x + 1, x)]);
    let links = std::iter::once(link(4, 11)).chain(std::iter::repeat_n(link(11, 11), loops));
    GraphWorld { places: (0..12).map(|x| (4 * x, 0, 0)).collect(), edges: roads.chain(links).collect() }
}

#[test]
fn a_shortcut_is_found_among_any_number_of_links() {
    for loops in [0, 1, 126, 127, 128, 129, 400, Grid::MAX_LINKS - 1] {
        for world in [World::Grid(row_with_many_links(loops)), World::Graph(graph_with_many_links(loops))] {
            let (built, oracle) = (world.build(), Oracle::of(&world));
            let query = Query { start: oracle.nodes[5], goals: vec![oracle.nodes[11]] };
            let truth = Truth::new(&oracle, &query);
            assert_eq!(truth.cost(&query), Some(Cost::ONE.units() + 1));
            for setting in settings(&HEURISTICS, 1.5) {
                check(&setting, &built, &query, &truth).unwrap();
            }
        }
    }
}

/// A link that costs what an illegal step between the same cells would cost is still a link, without length.
#[test]
fn a_link_beside_a_step_that_is_not_legal_has_no_length() {
    let mut grid: Grid = "
        .#
        #."
    .parse()
    .unwrap();
    grid.add_link(Cell::new(0, 0), Cell::new(1, 1), Cost::DIAGONAL).unwrap();
    let built = Built::Grid(Box::new(grid), Agent::default());
    let mut finder = Pathfinder::default();
    let path = finder.find(built.view(), Cell::new(0, 0), Cell::new(1, 1)).unwrap();
    assert_eq!((path.units(), path.length().to_bits()), (Cost::DIAGONAL, 0));
    assert_eq!(built.judge(path.nodes()[0], &path.nodes()[1..], path), Ok(()));
}
