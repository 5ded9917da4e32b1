use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::agent::{Agent, Moves, TerrainRule};
use crate::search::PathfinderPool;
use crate::space::Cell;
use crate::world::grid::{Grid, Terrain};

/// The number of attempts to prepare a search that cannot.
static ATTEMPTS: AtomicUsize = AtomicUsize::new(0);

/// A search whose preparation reports once and then fails, or is ended.
const HOPELESS: Algorithm = Algorithm {
    prepares: true,
    ..Algorithm::plain("hopeless", "Hopeless", "Never gets ready", |_| Box::new(Hopeless))
};

struct Hopeless;

impl Solver for Hopeless {
    fn prepare(&mut self, _view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        ATTEMPTS.fetch_add(1, Ordering::Relaxed);
        match (options.progress)(0, 1) {
            ControlFlow::Break(()) => Err(PrepareError::Cancelled),
            ControlFlow::Continue(()) => Err(PrepareError::TooLarge {
                algorithm: HOPELESS.title,
                estimate: u64::MAX,
                limit: options.memory_limit,
            }),
        }
    }

    fn begin(&mut self, _view: &View<'_>, _task: &Task<'_>) {
        unreachable!("it never gets ready");
    }

    fn run(&mut self, _: &View<'_>, _: &Task<'_>, _: Slice<'_>) -> End {
        End::Exhausted
    }

    fn trace_back(&self, _view: &View<'_>, _to: NodeId, _nodes: &mut Vec<NodeId>) {}

    fn closest(&self) -> Option<NodeId> {
        None
    }

    fn visit(&self, _node: NodeId) -> Option<Visit> {
        None
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }
}

/// One test, because the counter is shared.
#[test]
fn a_preparation_that_failed_is_begun_again_only_when_something_has_changed() {
    static ALGORITHM: Algorithm = HOPELESS;
    let mut attempts = {
        let mut before = 0;
        move || {
            let now = ATTEMPTS.load(Ordering::Relaxed);
            now - std::mem::replace(&mut before, now)
        }
    };
    let mut grid = Grid::new(9, 9).unwrap();
    let (from, to) = (Cell::new(0, 0), Cell::new(8, 8));
    let small = Agent::default();
    let wide = small.with_radius(0.9).unwrap();
    let mut finder = Pathfinder::new(&ALGORITHM, &Options::default()).unwrap();
    for agent in [small, wide] {
        for _ in 0..3 {
            assert_eq!(finder.find(grid.view(&agent), from, to).err(), Some(Why::NotPrepared));
        }
        assert_eq!(attempts(), 1, "the agent is another");
    }
    grid.set(Cell::new(4, 4), Terrain::WALL).unwrap();
    let view = grid.view(&wide);
    for _ in 0..3 {
        assert_eq!(finder.find(view, from, to).err(), Some(Why::NotPrepared));
    }
    assert_eq!(attempts(), 1, "the map is another");
    for memory_limit in [PrepareOptions::MEMORY_LIMIT, 5000, 6000] {
        let options = PrepareOptions { memory_limit, ..PrepareOptions::default() };
        for _ in 0..3 {
            let error = finder.prepare(view, &options).err();
            assert!(matches!(error, Some(PrepareError::TooLarge { limit, .. }) if limit == memory_limit));
            assert_eq!(finder.find(view, from, to).err(), Some(Why::NotPrepared));
        }
    }
    assert_eq!(attempts(), 2, "for each other limit once");

    // Agents that take turns are not tried again; of more than are remembered, the oldest is forgotten.
    finder.prepare(view, &PrepareOptions::default()).unwrap_err();
    let mut crowd: Vec<Agent> =
        Moves::ALL.into_iter().map(|moves| small.with_moves(moves).with_radius(0.7).unwrap()).collect();
    crowd.extend(crowd.clone().into_iter().map(|agent| agent.with_terrain_rule(TerrainRule::Add)));
    attempts();
    let mut ask = |agent: &Agent| {
        let view = grid.view(agent);
        assert_eq!(finder.find(view, from, to).err(), Some(Why::NotPrepared));
    };
    (0..3).for_each(|_| crowd.iter().for_each(&mut ask));
    assert_eq!(attempts(), 8, "each once");
    ask(&small);
    assert_eq!(attempts(), 1);
    ask(&crowd[1]);
    assert_eq!(attempts(), 0);
    ask(&crowd[0]);
    assert_eq!(attempts(), 1, "the oldest of nine");

    // What was ended is not begun again by queries, but on request.
    let end = PrepareOptions { progress: &|_, _| ControlFlow::Break(()), ..PrepareOptions::default() };
    for _ in 0..2 {
        assert_eq!(finder.prepare(view, &end).err(), Some(PrepareError::Cancelled));
        for _ in 0..3 {
            assert_eq!(finder.find(view, from, to).err(), Some(Why::NotPrepared));
        }
    }
    assert_eq!(attempts(), 2);

    // A crew asks once for all its finders, and not at all if the finder it is made from knows.
    let requests = vec![Request { from, to }; 200];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let mut crew = PathfinderPool::new(finder.fork());
    let mut fresh = PathfinderPool::new(Pathfinder::new(&ALGORITHM, &Options::default()).unwrap());
    for (crew, expected) in [(&mut crew, 0), (&mut fresh, 1)] {
        for _ in 0..3 {
            let answers = pool.install(|| crew.solve_many(view, &requests));
            assert!(answers.iter().all(|answer| *answer == Err(Why::NotPrepared)));
        }
        assert_eq!(attempts(), expected);
    }
    grid.set(Cell::new(4, 5), Terrain::WALL).unwrap();
    let view = grid.view(&wide);
    pool.install(|| fresh.solve_many(view, &requests));
    assert_eq!(attempts(), 1);
}

#[test]
fn a_paused_search_continues_only_where_it_began() {
    let (grid, other) = (Grid::new(30, 30).unwrap(), Grid::new(3, 3).unwrap());
    let rook = Agent::new().with_moves(Moves::Four);
    let view = grid.view(&Agent::default());
    for elsewhere in [other.view(&Agent::default()), grid.view(&rook)] {
        let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
        finder.start(view, Cell::new(0, 0), &[Cell::new(29, 9)]);
        assert_eq!(finder.resume(view, 3), Outcome::Paused);
        assert_eq!(finder.resume(elsewhere, 3), Outcome::Unreachable(Why::WorldChanged));
    }
    let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
    finder.start(view, Cell::new(0, 0), &[Cell::new(29, 9)]);
    let copy = grid.clone();
    assert_eq!(finder.resume(copy.view(&Agent::default()), 999), Outcome::Found);
}
