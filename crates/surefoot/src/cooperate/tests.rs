//! Plans for small worlds, held against a complete search over the cells of all agents.

mod oracle;

use oracle::Oracle;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::agent::{Agent, Moves};
use crate::cooperate::{CooperateError, Cooperation, End, Plan, Status, Task};
use crate::id::NodeId;
use crate::random_cases;
use crate::space::Cell;
use crate::validate::{self, JointClaim};
use crate::world::grid::{Grid, Terrain};

/// A grid with tasks.
#[derive(Clone, Debug)]
struct Case {
    grid: Grid,
    moves: Moves,
    tasks: Vec<Task>,
    seed: u64,
}

impl Case {
    /// Letters are starts, digits are the goals of the letters in their order.
    fn parse(moves: Moves, text: &str) -> Case {
        let rows: Vec<&str> = text.split_whitespace().collect();
        let plain: String =
            rows.join("\n").chars().map(|c| if c.is_alphanumeric() { '.' } else { c }).collect();
        let grid: Grid = plain.parse().unwrap();
        let find = |wanted: char| {
            rows.iter().enumerate().find_map(|(y, row)| {
                let x = row.chars().position(|c| c == wanted)?;
                grid.node(Cell::new(x as i32, y as i32))
            })
        };
        let tasks = ('a'..='z')
            .zip('1'..='9')
            .map_while(|(start, goal)| Some(Task { start: find(start)?, goal: find(goal) }));
        let tasks = tasks.collect();
        Case { grid, moves, tasks, seed: 1 }
    }

    fn agent(&self) -> Agent {
        Agent::new().with_moves(self.moves)
    }

    /// Plans to the end, or until a number of iterations is over, and judges the plan.
    fn solve(&self, budget: u64) -> Cooperation {
        let (agent, mut cooperation) = (self.agent(), Cooperation::new(self.seed));
        let view = self.grid.view(&agent);
        cooperation.start(&view, &self.tasks).unwrap();
        while !cooperation.status().is_final() && cooperation.iterations() < budget {
            let _ = cooperation.resume(&view, budget - cooperation.iterations());
        }
        self.judge(&cooperation);
        cooperation
    }

    fn judge(&self, cooperation: &Cooperation) {
        let Some(plan) = cooperation.plan() else { return };
        let starts: Vec<NodeId> = self.tasks.iter().map(|task| task.start).collect();
        let goals: Vec<Option<NodeId>> = self.tasks.iter().map(|task| task.goal).collect();
        let claim = JointClaim {
            starts: &starts,
            goals: &goals,
            nodes: plan.nodes(),
            sum_of_costs: plan.sum_of_costs(),
        };
        assert_eq!(validate::joint_plan(&self.grid, &self.agent(), &claim), Ok(()), "{self:?}");
        assert!(plan.sum_of_costs() >= cooperation.lower_bound(), "{self:?}");
    }
}

/// Small worlds, with so many agents that they get into each other's way. Now and then, an agent has no goal.
fn cases() -> impl Strategy<Value = Case> {
    let size = (1..=4_u32, 1..=4_u32);
    (size, any::<bool>(), 2..=4_usize, any::<u64>()).prop_map(|((width, height), diagonal, agents, seed)| {
        let mut draws = super::draws::Draws::new(seed);
        let walls = draws.below(4);
        let terrain: Vec<u8> = (0..width * height).map(|_| u8::from(draws.below(10) >= walls)).collect();
        let grid = Grid::from_terrain(width, height, &terrain).unwrap();
        let mut open: Vec<NodeId> =
            grid.cells().filter(|&cell| grid.is_open(cell)).filter_map(|cell| grid.node(cell)).collect();
        draws.shuffle(&mut open);
        let starts = open.clone();
        draws.shuffle(&mut open);
        let agents = agents.min(open.len());
        let with_goal = draws.below(6) > 0;
        let tasks = starts.iter().zip(&open).take(agents).enumerate();
        let tasks = tasks.map(|(agent, (&start, &goal))| {
            if agent > 0 || with_goal { Task::new(start, goal) } else { Task::without_goal(start) }
        });
        let moves = if diagonal { Moves::Eight } else { Moves::Four };
        Case { tasks: tasks.collect(), grid, moves, seed }
    })
}

proptest! {
    #![proptest_config(random_cases::cases(1500))]

    #[test]
    fn plans_exist_exactly_where_a_complete_search_finds_one(case in cases()) {
        let best = Oracle::new(&case.grid, case.moves, &case.tasks).best();
        let cooperation = case.solve(u64::MAX);
        match best {
            None => prop_assert_eq!(cooperation.status(), Status::Impossible),
            Some(best) => {
                prop_assert_eq!(cooperation.status(), Status::Finished);
                let sum = cooperation.plan().unwrap().sum_of_costs();
                prop_assert!(sum >= best, "{} is below the optimum {}", sum, best);
                // Not proven to be optimal, but never far from it.
                prop_assert!(sum <= best + 2 + best / 4, "{} is far from the optimum {}", sum, best);
            }
        }
    }

    #[test]
    fn the_division_of_the_budget_changes_nothing(case in cases(), slice in 1..40_u64) {
        let whole = case.solve(400);
        let agent = case.agent();
        let view = case.grid.view(&agent);
        let mut sliced = Cooperation::new(case.seed);
        sliced.start(&view, &case.tasks).unwrap();
        while !sliced.status().is_final() && sliced.iterations() < 400 {
            let _ = sliced.resume(&view, slice.min(400 - sliced.iterations()));
        }
        prop_assert_eq!(whole.plan(), sliced.plan());
        prop_assert_eq!((whole.status(), whole.iterations()), (sliced.status(), sliced.iterations()));
    }
}

/// How often the last plan is optimal, over many worlds; a proof is not attempted.
#[test]
fn last_plans_are_nearly_always_optimal() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut solved, mut optimal) = (0, 0);
    for _ in 0..random_cases::scaled(300) {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let Some(best) = Oracle::new(&case.grid, case.moves, &case.tasks).best() else { continue };
        let sum = case.solve(u64::MAX).plan().unwrap().sum_of_costs();
        solved += 1;
        optimal += u32::from(sum == best);
    }
    assert!(solved > 20 && optimal * 100 >= solved * 97, "{optimal} of {solved} are optimal");
}

#[test]
fn agents_pass_each_other_in_a_niche() {
    let case = Case::parse(Moves::Four, "2a......b1 ####.#####");
    let cooperation = case.solve(u64::MAX);
    assert_eq!(cooperation.status(), Status::Finished);
    let best = Oracle::new(&case.grid, case.moves, &case.tasks).best().unwrap();
    assert_eq!(cooperation.plan().unwrap().sum_of_costs(), best);
}

#[test]
fn impossible_swaps_are_proven() {
    for text in ["a12b", "2a....b1", "##.# 2ab1 ####", "ab 21"] {
        let case = Case::parse(Moves::Four, text);
        let possible = Oracle::new(&case.grid, case.moves, &case.tasks).best().is_some();
        let status = case.solve(u64::MAX).status();
        assert_eq!(status == Status::Finished, possible, "{text}: {status:?}");
    }
    let corridor = Case::parse(Moves::Eight, "2a..............b1");
    assert_eq!(corridor.solve(u64::MAX).status(), Status::Impossible);
    let walled = Case::parse(Moves::Eight, "a#1");
    assert_eq!(walled.solve(u64::MAX).status(), Status::Impossible);
}

#[test]
fn diagonal_steps_keep_their_distance() {
    // Both would cross in the middle.
    let case = Case::parse(Moves::Eight, "ab 21");
    let sum = case.solve(u64::MAX).plan().unwrap().sum_of_costs();
    assert_eq!(Some(sum), Oracle::new(&case.grid, case.moves, &case.tasks).best());
    assert!(sum > 2);
}

#[test]
fn nobody_and_those_who_have_arrived_need_no_step() {
    let empty = Case { tasks: Vec::new(), ..Case::parse(Moves::Four, "...") };
    let cooperation = empty.solve(u64::MAX);
    assert_eq!(cooperation.status(), Status::Finished);
    assert_eq!(cooperation.plan().map(|plan| (plan.makespan(), plan.sum_of_costs())), Some((0, 0)));
    let case = Case::parse(Moves::Four, "...");
    let node = case.grid.node(Cell::new(1, 0)).unwrap();
    let arrived = Case { tasks: vec![Task::new(node, node)], ..case };
    let cooperation = arrived.solve(u64::MAX);
    assert_eq!(cooperation.plan().map(|plan| (plan.makespan(), plan.sum_of_costs())), Some((0, 0)));
}

#[test]
fn tasks_that_make_no_sense_are_refused() {
    let case = Case::parse(Moves::Four, "a.1 .#.");
    let agent = case.agent();
    let view = case.grid.view(&agent);
    let [a, b, c, wall] =
        [(0, 0), (1, 0), (2, 0), (1, 1)].map(|(x, y)| case.grid.node(Cell::new(x, y)).unwrap());
    let mut cooperation = Cooperation::default();
    let mut refuse = |tasks: &[Task]| {
        let error = cooperation.start(&view, tasks).unwrap_err();
        assert_eq!(cooperation.resume(&view, 9), Status::Idle);
        error.to_string()
    };
    assert_eq!(refuse(&[Task::new(a, b), Task::new(a, c)]), "agents 0 and 1 have the same start, cell 0,0");
    assert_eq!(refuse(&[Task::new(a, b), Task::new(b, b)]), "agents 0 and 1 have the same goal, cell 1,0");
    assert_eq!(refuse(&[Task::new(a, b), Task::new(wall, c)]), "the start of agent 1, cell 1,1, is blocked");
    assert_eq!(refuse(&[Task::new(a, wall)]), "the goal of agent 0, cell 1,1, is blocked");
    assert_eq!(refuse(&[Task::new(a, NodeId(0))]), "the goal of agent 0, node 0, is outside the grid");
    assert_eq!(
        refuse(&[Task::new(NodeId::NONE, a)]),
        "the start of agent 0, node 4294967295, is outside the grid"
    );
    let cuts = Agent::new().with_moves(Moves::EightFree);
    let error = cooperation.start(&case.grid.view(&cuts), &case.tasks).unwrap_err();
    assert_eq!(error.to_string(), "movement rule 8-free is not supported: expected 4 or 8");
    let wide = agent.with_radius(0.7).unwrap();
    assert_eq!(cooperation.start(&case.grid.view(&wide), &case.tasks), Err(CooperateError::TooWide));
    let within = cooperation.start_within(&view, &[a, b, NodeId::NONE, wall], &[Task::new(a, c)]);
    let blocked = CooperateError::Blocked { agent: 0, end: End::Goal, cell: Cell::new(2, 0) };
    assert_eq!(within, Err(blocked));
    let mut small = Cooperation::new(0).with_memory_limit(7);
    let too_large = CooperateError::TooLarge { agents: 1, cells: 5, needed: 10, limit: 7 };
    assert_eq!(small.start(&view, &case.tasks), Err(too_large));
    let many = vec![Task::without_goal(a); Cooperation::MAX_AGENTS + 1];
    let error = cooperation.start(&view, &many).unwrap_err();
    assert_eq!(error, CooperateError::TooManyAgents { found: 65_536 });
}

#[test]
fn the_search_ends_at_its_memory_limit() {
    let case = Case::parse(Moves::Four, "2a..................b1");
    let agent = case.agent();
    let view = case.grid.view(&agent);
    let mut cooperation = Cooperation::new(3).with_memory_limit(20_000);
    cooperation.start(&view, &case.tasks).unwrap();
    assert_eq!(cooperation.resume(&view, u64::MAX), Status::OutOfMemory);
}

#[test]
fn edits_are_noticed() {
    let mut case = Case::parse(Moves::Four, "a..1 .... b..2");
    let agent = case.agent();
    let mut cooperation = Cooperation::default();
    cooperation.start(&case.grid.view(&agent), &case.tasks).unwrap();
    assert_eq!(cooperation.resume(&case.grid.view(&agent), 1), Status::Searching);
    case.grid.set(Cell::new(1, 1), Terrain::WALL).unwrap();
    assert_eq!(cooperation.resume(&case.grid.view(&agent), 100), Status::WorldChanged);
    cooperation.start(&case.grid.view(&agent), &case.tasks).unwrap();
    let other = agent.with_moves(Moves::Eight);
    assert_eq!(cooperation.resume(&case.grid.view(&other), 100), Status::WorldChanged);
}

/// Pushing an agent far down a corridor takes as many nested decisions as there are agents.
#[test]
fn a_queue_of_thousands_moves_on() {
    const LENGTH: u32 = 8000;
    let grid = Grid::new(LENGTH, 1).unwrap();
    let agent = Agent::new().with_moves(Moves::Four);
    let node = |x: u32| grid.node(Cell::new(x as i32, 0)).unwrap();
    let tasks: Vec<Task> = (0..LENGTH - 1).map(|x| Task::new(node(x), node(x + 1))).collect();
    let mut cooperation = Cooperation::default();
    cooperation.start(&grid.view(&agent), &tasks).unwrap();
    let mut status = cooperation.status();
    while !status.is_final() {
        status = cooperation.resume(&grid.view(&agent), 1000);
    }
    assert_eq!((status, cooperation.plan().map(Plan::makespan)), (Status::Finished, Some(1)));
}
