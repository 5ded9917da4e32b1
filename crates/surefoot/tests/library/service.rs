//! The path service against brute force: random requests, edits, cancellations and ticks, with any number of threads.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot::algorithms::{ASTAR, AUTO, BIDIRECTIONAL, DIJKSTRA, GREEDY, LAZY_THETA};
use surefoot::frame::Mode;
use surefoot::prelude::*;
use surefoot::replan::PathChange;
use surefoot::service::{
    PathAnswer, PathService, RequestError, RequestSpec, ServiceSpec, Ticket, TicketError, Validity,
};
use surefoot::validate::{self, Claim, Violation};
use surefoot::world::any;
use surefoot::world::journal::Revision;
use surefoot::world::waypoints::EdgeId;

use crate::common::cases;
use crate::common::edits::{Edit, apply, apply_in_space, edit};
use crate::common::oracle::Oracle;
use crate::common::worlds::{GridWorld, RADII, VoxelWorld, World, graph_world, grid_world, voxel_world};

const ALGORITHMS: [&Algorithm; 6] = [AUTO, ASTAR, DIJKSTRA, BIDIRECTIONAL, GREEDY, LAZY_THETA];

/// What happens between two ticks.
#[derive(Clone, Debug)]
enum Deed {
    Request(Question),
    /// The same again, by number.
    Again(usize),
    Cancel(usize),
    Take(usize),
    Edit(Vec<Edit>),
    Tick(u64),
}

/// A request by random numbers.
#[derive(Clone, Debug)]
struct Question {
    ends: (u16, u16),
    other_goal: Option<u16>,
    agent: usize,
    algorithm: usize,
    priority: u8,
    max_nodes: u64,
    partial: bool,
    watch: bool,
}

fn question() -> impl Strategy<Value = Question> {
    let most = prop_oneof![4 => Just(u64::MAX), 1 => 0..40_u64];
    let algorithm = prop_oneof![6 => 0..4_usize, 1 => 4..6_usize];
    let other_goal = proptest::option::weighted(0.3, any::<u16>());
    let rest = (algorithm, 0..4_u8, most, prop::bool::weighted(0.2), prop::bool::weighted(0.3));
    (any::<(u16, u16)>(), other_goal, 0..2_usize, rest).prop_map(|(ends, other_goal, agent, rest)| {
        let (algorithm, priority, max_nodes, partial, watch) = rest;
        let watch = watch && algorithm != 5;
        Question { ends, other_goal, agent, algorithm, priority, max_nodes, partial, watch }
    })
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        8 => question().prop_map(Deed::Request),
        3 => any::<usize>().prop_map(Deed::Again),
        2 => any::<usize>().prop_map(Deed::Cancel),
        3 => any::<usize>().prop_map(Deed::Take),
        3 => vec(edit(), 1..3).prop_map(Deed::Edit),
        3 => vec((any::<u16>(), prop::bool::weighted(0.7)), 1..3).prop_map(|cells| {
            Deed::Edit(cells.into_iter().map(|(cell, wall)| Edit::Set(cell, u8::from(!wall))).collect())
        }),
        8 => prop_oneof![0..30_u64, 0..400_u64].prop_map(Deed::Tick),
    ]
}

/// A world as data and as the library has it.
#[derive(Clone)]
struct Board {
    raw: World,
    built: any::World,
    agents: [Agent; 2],
}

impl Board {
    fn new(raw: World, radius: f64) -> Board {
        let (built, agent) = match &raw {
            World::Grid(world) => (any::World::from(world.grid()), world.agent),
            World::Graph(world) => (any::World::from(world.graph()), Agent::default()),
            World::Voxels(world) => (any::World::from(world.voxels()), world.agent),
        };
        Board { raw, built, agents: [agent, agent.with_radius(radius).unwrap()] }
    }

    fn view(&self, agent: usize) -> View<'_> {
        self.built.view(&self.agents[agent])
    }

    fn oracle(&self, agent: usize) -> Oracle {
        let agent = self.agents[agent];
        match &self.raw {
            World::Grid(world) => Oracle::of_grid(&GridWorld { agent, ..world.clone() }),
            World::Graph(world) => Oracle::of_graph(world),
            World::Voxels(world) => Oracle::of_voxels(&VoxelWorld { agent, ..world.clone() }),
        }
    }

    fn edit(&mut self, edit: &Edit) {
        match (&mut self.raw, &mut self.built) {
            (World::Grid(world), any::World::Grid(grid)) => apply(edit, world, grid),
            (World::Voxels(world), any::World::Voxels(voxels)) => apply_in_space(edit, world, voxels),
            (World::Graph(world), any::World::Graph(graph)) => {
                let (edge, cost) = match *edit {
                    Edit::Set(edge, cost) | Edit::Fill(edge, _, cost) => {
                        (edge, (cost > 0).then(|| 900 * u64::from(cost)))
                    }
                    Edit::Link(edge, _, cost) => (edge, Some(cost)),
                    Edit::Unlink(edge) => (edge, None),
                };
                let Some(index) = usize::from(edge).checked_rem(world.edges.len()) else { return };
                let raw = &mut world.edges[index];
                (raw.closed, raw.cost) = (cost.is_none(), cost.unwrap_or(raw.cost));
                graph.set_edge(EdgeId(index as u32), cost.map(Cost::from_units)).unwrap();
            }
            _ => unreachable!("a world and its data are of the same kind"),
        }
    }

    /// What a path costs by the judge, in units; `None` if it cannot be walked.
    fn judged(&self, agent: usize, nodes: &[NodeId], any_angle: bool) -> Option<u64> {
        let (start, goals) = (*nodes.first()?, &nodes[nodes.len() - 1..]);
        let claim = Claim { start, goals, nodes, units: Cost::ZERO, cost: 0.0, length: 0.0, any_angle };
        match validate::world_path(self.view(agent), &self.agents[agent], &claim) {
            Ok(()) => Some(0),
            Err(Violation::WrongUnits { found, .. }) => Some(found.units()),
            Err(_) => None,
        }
    }
}

/// A request with its ticket.
#[derive(Clone)]
struct Asked {
    ticket: Ticket,
    question: Question,
    start: NodeId,
    goals: Vec<NodeId>,
    /// The world of the last tick before.
    world: usize,
    fate: Fate,
}

#[derive(Clone, Debug, PartialEq)]
enum Fate {
    Waiting,
    Cancelled,
    /// Taken, and watched from then on.
    Watched {
        nodes: Vec<NodeId>,
        cost: Option<u64>,
    },
    Taken,
}

/// A service with everything that is known about it.
struct Bench {
    board: Board,
    service: PathService,
    asked: Vec<Asked>,
    /// By revision: the number of the tick that saw it first, and the world.
    history: Vec<(Revision, Board)>,
    /// In which tick a ticket was answered, and in which world.
    answered: BTreeMap<Ticket, (u64, usize)>,
    tick: u64,
    budget: u64,
    /// Everything that was heard.
    log: Vec<String>,
    is_checked: bool,
}

impl Bench {
    fn new(board: Board, spec: ServiceSpec, is_checked: bool) -> Bench {
        Bench {
            board,
            service: PathService::new(spec),
            asked: Vec::new(),
            history: Vec::new(),
            answered: BTreeMap::new(),
            tick: 0,
            budget: 0,
            log: Vec::new(),
            is_checked,
        }
    }

    fn request(&mut self, question: Question) {
        let node = |number: u16| {
            let bound = self.board.built.node_count() as u32 + 3;
            NodeId(u32::from(number) % bound)
        };
        let oracle = self.board.oracle(question.agent);
        let ends = oracle.some_ends(question.ends.0, question.ends.1).filter(|_| question.ends.0 % 16 != 15);
        let (start, goal) = ends.unwrap_or_else(|| (node(question.ends.0), node(question.ends.1)));
        let goals: Vec<NodeId> = std::iter::once(goal).chain(question.other_goal.map(node)).collect();
        let places: Vec<Place> = goals.iter().map(|&goal| Place::Node(goal)).collect();
        let Question { agent, algorithm, priority, max_nodes, partial, watch, .. } = question;
        let request = RequestSpec {
            agent: self.board.agents[agent],
            algorithm: ALGORITHMS[algorithm],
            priority,
            max_nodes,
            partial,
            watch,
            ..RequestSpec::new(start, &places)
        };
        let ticket = self.service.request(&request).unwrap();
        let asked = Asked {
            ticket,
            question,
            start,
            goals,
            world: self.history.len().saturating_sub(1),
            fate: Fate::Waiting,
        };
        self.asked.push(asked);
    }

    fn do_deed(&mut self, deed: &Deed) -> Result<(), TestCaseError> {
        match deed {
            Deed::Request(question) => self.request(question.clone()),
            Deed::Again(which) => {
                if let Some(index) = which.checked_rem(self.asked.len()) {
                    let question = self.asked[index].question.clone();
                    self.request(question);
                }
            }
            Deed::Cancel(which) => {
                let Some(index) = which.checked_rem(self.asked.len()) else { return Ok(()) };
                let Asked { ticket, fate, .. } = &mut self.asked[index];
                let is_valid = matches!(fate, Fate::Waiting | Fate::Watched { .. });
                let stale = TicketError::Stale { number: ticket.number() };
                prop_assert_eq!(self.service.cancel(*ticket), if is_valid { Ok(()) } else { Err(stale) });
                if is_valid {
                    *fate = if *fate == Fate::Waiting { Fate::Cancelled } else { Fate::Taken };
                }
            }
            Deed::Take(which) => {
                let Some(index) = which.checked_rem(self.asked.len()) else { return Ok(()) };
                let Asked { ticket, fate, .. } = &self.asked[index];
                let (ticket, is_valid) = (*ticket, *fate == Fate::Waiting);
                match self.service.take(ticket) {
                    Ok(Some(answer)) => self.hear(ticket, &answer)?,
                    Ok(None) => {
                        prop_assert!(
                            is_valid && !self.answered.contains_key(&ticket),
                            "{ticket:?} is answered"
                        );
                    }
                    Err(error) => {
                        prop_assert!(!is_valid, "{error}");
                        prop_assert_eq!(error, TicketError::Stale { number: ticket.number() });
                    }
                }
            }
            Deed::Edit(edits) => edits.iter().for_each(|edit| self.board.edit(edit)),
            Deed::Tick(budget) => self.do_tick(*budget)?,
        }
        Ok(())
    }

    fn do_tick(&mut self, budget: u64) -> Result<(), TestCaseError> {
        let report = self.service.tick(self.board.view(0), budget).unwrap();
        self.tick += 1;
        prop_assert_eq!(report.tick, self.tick);
        prop_assert!(report.expanded <= self.budget, "{} of {}", report.expanded, self.budget);
        self.budget = budget;
        let revision = self.board.view(0).revision();
        if self.history.last().is_none_or(|(last, _)| *last != revision) {
            self.history.push((revision, self.board.clone()));
        }
        prop_assert!(self.service.answered().is_sorted());
        for &ticket in self.service.answered() {
            let asked = self.asked.iter().find(|asked| asked.ticket == ticket).unwrap();
            prop_assert_eq!(&asked.fate, &Fate::Waiting, "answers nobody waits for");
            prop_assert_eq!(
                self.answered.insert(ticket, (self.tick, self.history.len() - 1)),
                None,
                "is answered twice"
            );
        }
        self.log.push(format!(
            "{report:?} {:?}",
            self.service.answered().iter().map(|it| it.number()).collect::<Vec<_>>()
        ));
        let touched: Vec<(u64, PathChange)> =
            self.service.touched().iter().map(|touched| (touched.ticket.number(), touched.change)).collect();
        self.log.push(format!("{touched:?}"));
        if self.is_checked {
            self.check_watched(&touched)?;
        }
        Ok(())
    }

    /// What broke or became more expensive is reported, exactly.
    fn check_watched(&mut self, touched: &[(u64, PathChange)]) -> Result<(), TestCaseError> {
        for asked in &mut self.asked {
            let number = asked.ticket.number();
            let Fate::Watched { nodes, cost } = &mut asked.fate else { continue };
            let before = std::mem::replace(cost, self.board.judged(asked.question.agent, nodes, false));
            let said = touched.iter().find(|touched| touched.0 == number).map(|touched| touched.1);
            let expected = match (before, &cost) {
                (Some(_), None) => Some(PathChange::Broken),
                (Some(before), Some(now)) if *now > before => Some(PathChange::CostIncreased),
                _ => None,
            };
            prop_assert_eq!(said.filter(|said| *said != PathChange::MayImprove), expected);
        }
        Ok(())
    }

    /// An answer has been taken.
    fn hear(&mut self, ticket: Ticket, answer: &PathAnswer) -> Result<(), TestCaseError> {
        let index = self.asked.iter().position(|asked| asked.ticket == ticket).unwrap();
        let asked = self.asked[index].clone();
        prop_assert_eq!(&asked.fate, &Fate::Waiting);
        let delivered = self.answered.get(&ticket).copied();
        let Some((delivered, world)) = delivered else {
            return Err(TestCaseError::fail("taken before it is answered"));
        };
        let at = self.history.iter().position(|(revision, _)| *revision == answer.revision).unwrap();
        self.log.push(format!(
            "{} {:?} {:?} {:?} {at} {delivered} {} {}",
            ticket.number(),
            answer.outcome,
            answer.path,
            answer.validity,
            answer.expanded,
            answer.repeats
        ));
        if self.is_checked {
            self.check(&asked, answer, at, world)?;
        }
        self.asked[index].fate = if asked.question.watch {
            let nodes = answer.path.nodes().to_vec();
            // It is watched since it was answered, by the world of the last tick.
            let cost = self.history.last().unwrap().1.judged(asked.question.agent, &nodes, false);
            Fate::Watched { nodes, cost }
        } else {
            Fate::Taken
        };
        Ok(())
    }

    /// Compares an answer with the truth at its revision.
    fn check(
        &self,
        asked: &Asked,
        answer: &PathAnswer,
        at: usize,
        delivered: usize,
    ) -> Result<(), TestCaseError> {
        let board = &self.history[at].1;
        let Question { agent, algorithm, max_nodes, .. } = asked.question;
        let oracle = board.oracle(agent);
        let view = board.view(agent);
        let best = if oracle.can_stand(asked.start) {
            let reached: Vec<NodeId> =
                asked.goals.iter().copied().filter(|&goal| oracle.can_stand(goal)).collect();
            oracle.costs_from(asked.start).to_nearest(&reached)
        } else {
            None
        };
        prop_assert!(answer.expanded <= max_nodes);
        match answer.validity {
            Validity::Current => {
                prop_assert_eq!(at, delivered, "it is the answer for the world as it was delivered");
            }
            Validity::Walkable => {
                let nodes = answer.path.nodes();
                let cost = self.history[delivered].1.judged(agent, nodes, answer.path.is_any_angle());
                prop_assert!(at < delivered && cost.is_some(), "{answer:?}");
            }
            Validity::Past => prop_assert!(at < delivered),
        }
        // Nobody gets an answer that is older than the question.
        prop_assert!(at >= asked.world, "{answer:?}");
        match answer.outcome {
            Outcome::Found => {
                let claim = Claim::of(&answer.path, asked.start, &asked.goals);
                prop_assert_eq!(
                    validate::world_path(view, &board.agents[agent], &claim),
                    Ok(()),
                    "{:?}",
                    answer
                );
                if algorithm < 4 {
                    prop_assert_eq!(Some(answer.path.units().units()), best, "{:?}", answer);
                }
            }
            Outcome::Partial(why) => {
                prop_assert!(why == Why::Budget || best.is_none(), "{why:?}");
                prop_assert!(board.judged(agent, answer.path.nodes(), answer.path.is_any_angle()).is_some());
            }
            Outcome::Unreachable(Why::Budget) => prop_assert!(max_nodes < u64::MAX),
            Outcome::Unreachable(Why::NotApplicable) => {
                prop_assert!(ALGORITHMS[algorithm].refusal(view).is_some());
            }
            Outcome::Unreachable(why) => prop_assert!(best.is_none(), "{why:?}, and it costs {best:?}"),
            Outcome::Paused => prop_assert!(false, "not an answer"),
        }
        Ok(())
    }

    /// Everything is answered in the end.
    fn finish(&mut self) -> Result<(), TestCaseError> {
        let mut answer = PathAnswer::default();
        for _ in 0..40 {
            self.do_tick(100_000)?;
            let mut last = None;
            while let Some(ticket) = self.service.next_into(&mut answer) {
                prop_assert!(last < Some(ticket), "in the order of tickets");
                last = Some(ticket);
                self.hear(ticket, &answer)?;
            }
        }
        prop_assert_eq!((self.service.waiting(), self.service.ready()), (0, 0));
        for Asked { ticket, fate, .. } in &self.asked {
            prop_assert_ne!(fate, &Fate::Waiting, "{:?} is never answered", ticket);
            prop_assert_eq!(self.service.take(*ticket), Err(TicketError::Stale { number: ticket.number() }));
        }
        Ok(())
    }
}

/// Does the same with different numbers of threads, and compares everything that is heard.
fn agree(board: &Board, spec: ServiceSpec, deeds: &[Deed]) -> Result<(), TestCaseError> {
    let mut first = None;
    for workers in [0, 1, 2, 3] {
        let mut bench = Bench::new(board.clone(), ServiceSpec { workers, ..spec }, workers == 0);
        for deed in deeds {
            bench.do_deed(deed)?;
        }
        bench.finish()?;
        let log = first.get_or_insert_with(|| bench.log.clone());
        prop_assert_eq!(&bench.log, log, "with {} threads", workers);
    }
    Ok(())
}

fn spec() -> impl Strategy<Value = ServiceSpec> {
    (1..6_usize, 0..3_u32, 0..4_u32).prop_map(|(lanes, repeats, head_start)| ServiceSpec {
        mode: Mode::Deterministic,
        lanes,
        repeats,
        head_start,
        ..ServiceSpec::default()
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn every_ticket_on_a_grid_is_answered_once_and_rightly(
        world in grid_world(), radius in prop::sample::select(RADII.to_vec()), spec in spec(), deeds in vec(deed(), 1..60),
    ) {
        agree(&Board::new(World::Grid(world), radius), spec, &deeds)?;
    }

    #[test]
    fn every_ticket_on_a_graph_is_answered_once_and_rightly(
        world in graph_world(), spec in spec(), deeds in vec(deed(), 1..60),
    ) {
        agree(&Board::new(World::Graph(world), 0.0), spec, &deeds)?;
    }

    #[test]
    fn every_ticket_in_space_is_answered_once_and_rightly(
        world in voxel_world(), radius in prop::sample::select(RADII.to_vec()), spec in spec(), deeds in vec(deed(), 1..40),
    ) {
        agree(&Board::new(World::Voxels(world), radius), spec, &deeds)?;
    }
}

/// The answers to a few requests, after as many ticks as it takes.
fn answers(service: &mut PathService, grid: &Grid, budget: u64) -> Vec<(Ticket, PathAnswer, u64)> {
    let mut all = Vec::new();
    for _ in 0..10_000 {
        let tick = service.tick(grid.view(&Agent::default()), budget).unwrap().tick;
        let mut answer = PathAnswer::default();
        while let Some(ticket) = service.next_into(&mut answer) {
            all.push((ticket, answer.clone(), tick));
        }
        if service.waiting() == 0 {
            return all;
        }
    }
    panic!("{} tickets wait for ever", service.waiting());
}

fn one_lane() -> ServiceSpec {
    ServiceSpec { lanes: 1, workers: 0, ..ServiceSpec::default() }
}

const FAR: [Place; 1] = [Place::Cell(Cell::new(63, 40))];

#[test]
fn edits_far_away_in_every_tick_do_not_starve_a_search() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut service = PathService::new(one_lane());
    let ticket = service
        .request(&RequestSpec { algorithm: DIJKSTRA, ..RequestSpec::new(Cell::new(0, 40), &FAR) })
        .unwrap();
    for tick in 0..400 {
        // Walls come and go in a corner.
        let terrain = if tick % 2 == 0 { Terrain::WALL } else { Terrain::FLOOR };
        grid.set(Cell::new(tick % 7, 0), terrain).unwrap();
        service.tick(grid.view(&Agent::default()), 40).unwrap();
        if let Some(answer) = service.take(ticket).unwrap() {
            assert!(tick > 90, "a search in many slices");
            assert_eq!(
                (answer.outcome, answer.validity, answer.repeats),
                (Outcome::Found, Validity::Current, 0)
            );
            assert_eq!((answer.revision, answer.path.steps()), (grid.revision(), 63));
            return;
        }
    }
    panic!("no answer");
}

#[test]
fn edits_on_every_path_in_every_tick_do_not_starve_a_search() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut service = PathService::new(ServiceSpec { repeats: 3, ..one_lane() });
    let ticket = service
        .request(&RequestSpec { algorithm: DIJKSTRA, ..RequestSpec::new(Cell::new(0, 40), &FAR) })
        .unwrap();
    for tick in 0..2000 {
        // A wall from top to bottom with a door that is somewhere else every time.
        let column =
            (0..64).map(|y| (Cell::new(30, y), if y == tick % 64 { Terrain::FLOOR } else { Terrain::WALL }));
        grid.set_many(column).unwrap();
        service.tick(grid.view(&Agent::default()), 200).unwrap();
        if let Some(answer) = service.take(ticket).unwrap() {
            assert_eq!(
                (answer.outcome, answer.validity, answer.repeats),
                (Outcome::Found, Validity::Past, 3)
            );
            return;
        }
    }
    panic!("no answer");
}

#[test]
fn the_higher_priority_is_served_first_and_the_lower_does_not_starve() {
    let grid = Grid::new(64, 64).unwrap();
    let mut service = PathService::new(ServiceSpec { head_start: 5, ..one_lane() });
    let slow = |priority, y| (priority, Cell::new(0, y));
    let ask = |service: &mut PathService, (priority, from)| {
        service
            .request(&RequestSpec { algorithm: DIJKSTRA, priority, ..RequestSpec::new(from, &FAR) })
            .unwrap()
    };
    let tickets = [slow(0, 1), slow(1, 2), slow(3, 3), slow(3, 4)].map(|it| ask(&mut service, it));
    let order: Vec<Ticket> =
        answers(&mut service, &grid, 4500).into_iter().map(|(ticket, ..)| ticket).collect();
    assert_eq!(order, [tickets[2], tickets[3], tickets[1], tickets[0]]);

    // One search a tick, and a request of priority 1 in every tick: after five of them it is the turn of the other.
    let patient = ask(&mut service, slow(0, 9));
    let mut ticks = 0;
    while service.take(patient).unwrap().is_none() {
        ask(&mut service, slow(1, 10 + ticks % 50));
        service.tick(grid.view(&Agent::default()), 4500).unwrap();
        ticks += 1;
        assert!(ticks < 12, "it starves");
    }
    assert!(ticks > 5, "{ticks}");
}

#[test]
fn an_urgent_request_passes_a_long_search() {
    let grid = Grid::new(300, 300).unwrap();
    let mut service = PathService::new(one_lane());
    let goals = [Place::Cell(Cell::new(299, 299))];
    let long = service
        .request(&RequestSpec { algorithm: DIJKSTRA, ..RequestSpec::new(Cell::new(0, 0), &goals) })
        .unwrap();
    for _ in 0..5 {
        service.tick(grid.view(&Agent::default()), 1000).unwrap();
    }
    let near = [Place::Cell(Cell::new(5, 5))];
    let urgent =
        service.request(&RequestSpec { priority: 9, ..RequestSpec::new(Cell::new(0, 0), &near) }).unwrap();
    let heard = answers(&mut service, &grid, 1000);
    assert_eq!(heard.iter().map(|heard| heard.0).collect::<Vec<_>>(), [urgent, long]);
    assert_eq!(heard[0].2, 7, "in the tick after the next");
    assert!(heard.iter().all(|(_, answer, _)| answer.outcome.is_found()));
}

#[test]
fn the_same_question_is_answered_once() {
    let grid = Grid::new(64, 64).unwrap();
    let mut service = PathService::new(ServiceSpec::default());
    let request = RequestSpec { algorithm: DIJKSTRA, ..RequestSpec::new(Cell::new(0, 1), &FAR) };
    let tickets: Vec<Ticket> = (0..100).map(|_| service.request(&request).unwrap()).collect();
    let other = service.request(&RequestSpec { max_nodes: 9, ..request }).unwrap();
    let (mut started, mut expanded) = (0, 0);
    while service.waiting() > 0 {
        let report = service.tick(grid.view(&Agent::default()), 1000).unwrap();
        (started, expanded) = (started + report.started, expanded + report.expanded);
    }
    assert_eq!(started, 2);
    let first = service.take(tickets[0]).unwrap().unwrap();
    assert_eq!(expanded, first.expanded + 9);
    for &ticket in &tickets[1..] {
        assert_eq!(service.take(ticket).unwrap().as_ref(), Some(&first));
    }
    assert_eq!(service.take(other).unwrap().unwrap().outcome, Outcome::Unreachable(Why::Budget));
}

#[test]
fn a_full_service_and_wrong_tickets_are_noticed() {
    let grid = Grid::new(8, 8).unwrap();
    let mut service = PathService::new(ServiceSpec { capacity: 2, ..ServiceSpec::default() });
    let goals = [Place::Cell(Cell::new(7, 7))];
    let request = |x| RequestSpec::new(Cell::new(x, 0), &goals);
    let [first, second] = [0, 1].map(|x| service.request(&request(x)).unwrap());
    let full = RequestError::Full { capacity: 2 };
    assert_eq!(service.request(&request(2)), Err(full.clone()));
    assert_eq!(
        full.to_string(),
        "the service is full: it holds 2 tickets that wait, are answered but not taken, or are watched"
    );
    service.cancel(first).unwrap();
    assert_eq!(service.cancel(first), Err(TicketError::Stale { number: 1 }));
    let third = service.request(&request(2)).unwrap();
    let mut other = PathService::default();
    assert_eq!(other.take(second), Err(TicketError::Foreign { number: 2 }));
    assert_eq!(other.cancel(second), Err(TicketError::Foreign { number: 2 }));
    let heard = answers(&mut service, &grid, 1000);
    assert_eq!(heard.iter().map(|heard| heard.0).collect::<Vec<_>>(), [second, third]);
    assert_eq!(service.take(first), Err(TicketError::Stale { number: 1 }), "its place is another's by now");

    let many = vec![goals[0]; RequestSpec::MAX_GOALS + 1];
    let error = service.request(&RequestSpec::new(Cell::new(0, 0), &many)).unwrap_err();
    assert_eq!(error.to_string(), "found 1025 goals, expected at most 1024");
    let watched = RequestSpec { watch: true, algorithm: LAZY_THETA, ..request(0) };
    assert!(matches!(service.request(&watched), Err(RequestError::NotWatchable { .. })));
    let odd = Options { weight: Some(2.0), ..Options::default() };
    let odd = RequestSpec { algorithm: DIJKSTRA, options: odd, ..request(0) };
    assert!(matches!(service.request(&odd), Err(RequestError::Options(_))));
}

#[test]
fn hostile_requests_are_answered() {
    let grid: Grid = "###\n###".parse().unwrap();
    let mut service = PathService::default();
    let cell = |x, y| Place::Cell(Cell::new(x, y));
    let goals: [&[Place]; 5] = [
        &[],
        &[cell(0, 0)],
        &[cell(9, 9)],
        &[Place::Voxel(Voxel::new(0, 0, 0))],
        &[Place::Point(Point::flat(f64::NAN, 0.0))],
    ];
    let tickets: Vec<Ticket> = goals
        .iter()
        .map(|goals| service.request(&RequestSpec::new(Cell::new(1, 1), goals)).unwrap())
        .collect();
    // A world that changes into quite another one meanwhile.
    service.tick(grid.view(&Agent::default()), 0).unwrap();
    service.tick(grid.view(&Agent::default()), 10).unwrap();
    let voxels = Voxels::new(3, 3, 3).unwrap();
    for _ in 0..10 {
        service.tick(voxels.view(&Agent::default()), 1000).unwrap();
    }
    assert_eq!(service.waiting(), 0);
    for ticket in tickets {
        let answer = service.take(ticket).unwrap().unwrap();
        assert!(matches!(answer.outcome, Outcome::Unreachable(_)), "{answer:?}");
    }
}

#[test]
fn an_eager_service_answers_everything() {
    let mut grid = Grid::new(64, 64).unwrap();
    let mut service =
        PathService::new(ServiceSpec { mode: Mode::Eager, workers: 2, ..ServiceSpec::default() });
    let tickets: Vec<Ticket> = (0..60)
        .map(|y| {
            service
                .request(&RequestSpec { algorithm: DIJKSTRA, ..RequestSpec::new(Cell::new(0, y), &FAR) })
                .unwrap()
        })
        .collect();
    for edit in 0.. {
        grid.set(Cell::new(20 + edit % 20, 63), if edit % 40 < 20 { Terrain::WALL } else { Terrain::FLOOR })
            .unwrap();
        let report = service.tick(grid.view(&Agent::default()), 5000).unwrap();
        assert!(!report.is_late || report.answered == 0);
        if service.waiting() == 0 {
            break;
        }
        std::thread::yield_now();
    }
    assert!(tickets.iter().all(|&ticket| service.take(ticket).unwrap().unwrap().outcome.is_found()));
}
