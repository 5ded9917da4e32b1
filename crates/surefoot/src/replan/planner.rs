//! An incremental search that lives as long as its unit.

use std::fmt;

use crate::core::estimate::Weight;
use crate::core::kernel::End;
use crate::core::method::{Method, RootMoved, TargetMoved};
use crate::core::observe::Side;
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::current_path::CurrentPath;
use crate::replan::fresh::Fresh;
use crate::replan::guard::Guard;
use crate::replan::guide::{Guide, retrace};
use crate::replan::nodes::{INFINITE, Node};
use crate::replan::operations::{
    ApplyChanges, ContinueRepair, EstimateOf, MoveRoot, StartTree, VerifyRepair,
};
use crate::replan::repair::{Repair, Work};
use crate::replan::solver::{ends, weight};
use crate::replan::state::{NodeState, Replan};
use crate::search::admit::{AT_GOAL, AT_START, admit, stand};
use crate::search::auto::jumps;
use crate::search::{Algorithm, OptionError, Options, Outcome, Why};
use crate::world::any::{Locate, Vantage, View, locate, on_world};
use crate::world::changes::{Changes, Touched};
use crate::world::space::SearchSpace;

/// An incremental search with its memory. It is told when the start or the goal moves, pulls changes of the world from
/// its journal, and repairs its path.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::replan::Planner;
/// let mut grid: Grid = "
///     .....
///     .###.
///     .....".parse().unwrap();
/// let agent = Agent::default();
/// let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
/// planner.move_start(grid.view(&agent), Cell::new(0, 0));
/// planner.move_goal(grid.view(&agent), Cell::new(4, 0));
/// assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
/// assert_eq!(planner.path().cost(), 4.0);
///
/// grid.set(Cell::new(2, 0), Terrain::WALL).unwrap();
/// assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
/// assert_eq!(planner.path().cost(), 8.0);
/// ```
///
/// Moves and changes may come in any order and number before the next [`replan`](Planner::replan). A replan that has
/// used up its budget is paused. It continues with the next call, whatever has happened in the meantime.
///
/// # No spikes
/// A repair that would take longer than a fresh search is abandoned. A fresh search answers, and the repair continues
/// in parts during the following replans. [`Planner::last`] reports this. [`Planner::set_guarded`] turns it off. The
/// first plan is never abandoned; use the budget to spread it over frames.
pub struct Planner {
    algorithm: &'static Algorithm,
    method: Method,
    repair: Repair,
    guide: Guide,
    guard: Guard,
    guarded: bool,
    start: Result<NodeId, Why>,
    goal: Result<NodeId, Why>,
    /// The world that the repair has taken into account, and what its heuristic is based on.
    seen: Option<(Vantage, [u64; 2])>,
    /// Whether a replan has begun and not ended.
    at_work: bool,
    state: State,
    /// The path that the repair found last.
    current: CurrentPath,
    /// A fresh search for when the repair takes too long.
    fresh: Fresh,
    /// The number of nodes that the last fresh search has expanded.
    searched: u64,
    outcome: Outcome,
    path: Path,
    last: Replan,
    changes: Changes,
    touched: Touched,
    goals: Vec<NodeId>,
}

/// A query, and the state of the world that it is about.
#[derive(Clone, Copy, PartialEq)]
struct Question {
    ends: [NodeId; 2],
    vantage: Vantage,
}

/// What the path answers.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// It has no answer. A fresh search may be running, for a query that is not necessarily the current one.
    Open { searching: Option<Question> },
    /// It answers a query, found by a fresh search; the repair is behind.
    Behind(Question),
    /// It answers a query, or there is no path, and the repair is complete.
    Settled(Question),
}

impl Default for State {
    fn default() -> State {
        State::Open { searching: None }
    }
}

impl State {
    /// Returns the query that the current path answers; an empty path answers that there is no path.
    fn answered(self) -> Option<Question> {
        match self {
            State::Open { .. } => None,
            State::Behind(question) | State::Settled(question) => Some(question),
        }
    }

    fn is_settled(self) -> bool {
        matches!(self, State::Settled(_))
    }

    /// Returns the query of the fresh search that is running.
    fn searching(self) -> Option<Question> {
        if let State::Open { searching } = self { searching } else { None }
    }

    /// Returns the same state while the repair is not complete.
    fn unsettled(self) -> State {
        if let State::Settled(question) = self { State::Behind(question) } else { self }
    }
}

impl fmt::Debug for Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planner")
            .field("algorithm", &self.algorithm.name)
            .field("start", &self.start)
            .field("goal", &self.goal)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

impl Planner {
    /// Creates an incremental search with options. The weight inflates its heuristic.
    pub fn new(algorithm: &'static Algorithm, options: &Options) -> Result<Planner, OptionError> {
        algorithm.check(options)?;
        let not_incremental = || OptionError::NotIncremental {
            algorithm: algorithm.title,
            expected: crate::replan::NAMES.join(", "),
        };
        let method = algorithm.method.ok_or_else(not_incremental)?;
        Ok(Planner {
            algorithm,
            method,
            repair: Repair::new(weight(options), method.side),
            guide: Guide::default(),
            guard: Guard::default(),
            guarded: true,
            start: Err(Why::StartOutside),
            goal: Err(Why::NoGoals),
            seen: None,
            at_work: false,
            state: State::default(),
            current: CurrentPath::default(),
            fresh: Fresh::default(),
            searched: 0,
            outcome: Outcome::Unreachable(Why::StartOutside),
            path: Path::default(),
            last: Replan::default(),
            changes: Changes::default(),
            touched: Touched::default(),
            goals: Vec::new(),
        })
    }

    /// Returns the same search from the other endpoint, for comparison. The published searches already use the better
    /// direction.
    #[must_use]
    pub fn turned_around(mut self) -> Planner {
        self.method.side = match self.method.side {
            Side::Forward => Side::Backward,
            Side::Backward => Side::Forward,
        };
        self.repair = Repair::new(self.repair.weight(), self.method.side);
        self.forget();
        self
    }

    /// Makes the next replan start over.
    fn forget(&mut self) {
        self.forget_tree();
        self.state = State::default();
    }

    /// Makes the next repair start over.
    fn forget_tree(&mut self) {
        self.current.clear();
        self.seen = None;
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns where the search is rooted: at the start ([`Side::Forward`]) or at the goal.
    pub fn side(&self) -> Side {
        self.method.side
    }

    /// Sets whether a repair that takes too long is abandoned for a fresh search. On by default.
    pub fn set_guarded(&mut self, guarded: bool) {
        self.guarded = guarded;
    }

    /// Sets whether to record which nodes each replan changes. Off by default.
    pub fn set_logging(&mut self, on: bool) {
        self.repair.nodes.set_logging(on);
    }

    /// Returns the nodes that the last replan changed, in the order in which they first changed, if logging is on.
    pub fn changed(&self) -> &[NodeId] {
        self.repair.nodes.changed()
    }

    /// Moves the start.
    pub fn move_start<'a>(&mut self, view: impl Into<View<'a>>, to: impl Locate) {
        self.start = locate(to, &view.into(), Why::StartOutside);
    }

    /// Moves the goal.
    pub fn move_goal<'a>(&mut self, view: impl Into<View<'a>>, to: impl Locate) {
        self.goal = locate(to, &view.into(), Why::GoalOutside);
    }

    /// Returns the start; `None` if it is outside the world.
    pub fn start(&self) -> Option<NodeId> {
        self.start.ok()
    }

    /// Returns the goal; `None` if it is outside the world.
    pub fn goal(&self) -> Option<NodeId> {
        self.goal.ok()
    }

    /// Updates the path for the start, the goal and the world as they are now. Expands at most `budget` nodes. A paused
    /// replan leaves the last path unchanged.
    pub fn replan<'a>(&mut self, view: impl Into<View<'a>>, budget: u64) -> Outcome {
        let view = view.into();
        if std::mem::replace(&mut self.at_work, true) {
            // The last replan did not finish, because a user-defined graph panicked: its work is incomplete.
            self.forget();
        }
        self.last = Replan::default();
        let before = std::mem::take(&mut self.repair.work);
        self.repair.nodes.begin_repair();
        self.outcome = self.answer(&view, budget);
        let Work { expanded, raised, generated, deleted, .. } = self.repair.work;
        self.last = Replan { expanded, raised, generated, deleted, ..self.last };
        self.last.behind = !self.state.is_settled() && self.outcome == Outcome::Found;
        self.repair.work.peak_open = self.repair.work.peak_open.max(before.peak_open);
        self.at_work = false;
        self.outcome
    }

    fn answer(&mut self, view: &View<'_>, budget: u64) -> Outcome {
        let question = match self.admit(view) {
            Ok(ends) => Question { ends, vantage: view.vantage() },
            Err(why) => {
                self.apply_changes(view, None);
                self.state = State::Open { searching: self.state.searching() };
                self.path.clear();
                return Outcome::Unreachable(why);
            }
        };
        let same = self.state.answered() == Some(question) || self.moved_along(view, &question);
        if !same {
            let searching = self.state.searching();
            self.state = State::Open { searching };
            if searching == Some(question) || self.guarded && self.guard.rests() {
                // Changes skipped now cannot be applied later if the agent is another one.
                if self.seen.is_some_and(|(seen, _)| !seen.has_same_agent(&question.vantage)) {
                    self.forget_tree();
                }
                return self.search_anew(view, &question, budget);
            }
        }
        self.apply_changes(view, Some(question.ends));
        if same && self.state.is_settled() {
            return self.outcome;
        }
        self.search(view, &question, budget)
    }

    /// Checks the query as far as that needs no search.
    fn admit(&mut self, view: &View<'_>) -> Result<[NodeId; 2], Why> {
        // The world may differ from the one in which start and goal were given.
        let start = locate(self.start?, view, Why::StartOutside)?;
        let goal = locate(self.goal?, view, Why::GoalOutside)?;
        if self.algorithm.refusal(view).is_some() {
            return Err(Why::NotApplicable);
        }
        // Where components have not been computed, a planner with a path continues from it: if there is no path any more, the repair
        // or the fresh search detects that.
        let (knows_reach, is_at_hand) =
            on_world!(view, space => (space.knows_reach(), space.has_reach_at_hand()));
        if knows_reach && (is_at_hand || self.outcome != Outcome::Found) {
            admit(view, Ok(start), &[Ok(goal)], &mut self.goals)?;
        } else if knows_reach {
            stand(view, start, AT_START)?;
            stand(view, goal, AT_GOAL)?;
        }
        Ok([start, goal])
    }

    /// If the path is up to date and only the start has moved along it, shortens the path: its rest is still optimal.
    fn moved_along(&mut self, view: &View<'_>, question: &Question) -> bool {
        let State::Behind(Question { ends: [_, goal], vantage }) = self.state else { return false };
        let [start, new_goal] = question.ends;
        if vantage != question.vantage || goal != new_goal {
            return false;
        }
        let Some(place) = self.path.nodes().iter().position(|&node| node == start) else { return false };
        self.path.cut_before(view, place);
        self.state = State::Behind(*question);
        true
    }

    /// Updates the tree for the world, and for start and goal if there is a path between them.
    fn apply_changes(&mut self, view: &View<'_>, ends_now: Option<[NodeId; 2]>) {
        let vantage = view.vantage();
        let basis = on_world!(view, space => space.basis());
        self.touched.clear();
        let (changes, touched, repair) = (&mut self.changes, &mut self.touched, &self.repair);
        let is_known = |node| repair.is_known(node);
        let links_changed =
            self.seen.filter(|(seen, _)| seen.has_same_agent(&vantage)).and_then(|(seen, _)| {
                on_world!(view, space => space
                .read_changes(seen.revision(), changes)
                .then(|| space.touched_by(changes, is_known, touched)))
            });
        self.last.touched = self.touched.len() as u64;
        let (Some(links_changed), Some((_, old_basis))) = (links_changed, self.seen) else {
            self.seen = None;
            if let Some(ends) = ends_now {
                self.start_anew(view, ends);
            }
            return;
        };
        self.seen = Some((vantage, basis));
        self.current.keep_before(&self.touched);
        let mut rekey = links_changed || basis != old_basis;
        let old_target = self.repair.targets()[0];
        let side = self.method.side;
        let ends_now = ends_now.unwrap_or(turned(side, [self.repair.roots()[0], old_target]));
        let [mut root, target] = turned(side, ends_now);
        if self.repair.roots() != [root] {
            if self.may_keep_root(view) {
                root = self.repair.roots()[0];
            } else {
                self.current.clear();
            }
        }
        let limit = if self.guarded { self.guard.limit(true) } else { None };
        if self.guarded && self.last.touched > self.guard.worth_keeping() {
            return self.start_anew(view, ends_now);
        }
        if target != old_target {
            if self.method.target_moved == TargetMoved::StartAnew {
                return self.start_anew(view, ends_now);
            }
            rekey |= !on_world!(view, space => space.has_triangles());
            if !rekey {
                let most = self.guide.run(view, side, &[old_target], EstimateOf(target));
                self.repair.raise_keys(most);
            }
            self.repair.set_targets(&[target]);
        }
        let operation = ApplyChanges {
            method: self.method,
            repair: &mut self.repair,
            touched: &self.touched,
            recomputed: &mut self.last.touched,
            root,
            most: limit.unwrap_or(u64::MAX),
            rekey,
        };
        if !self.guide.run(view, side, &[target], operation) {
            self.start_anew(view, ends_now);
        }
    }

    /// Returns whether the tree can stay rooted where the start was before. As long as its path to the goal leads through the start,
    /// the rest of that path is optimal, and nothing has to be forgotten. Only a path that is optimal has such rests.
    fn may_keep_root(&self, view: &View<'_>) -> bool {
        self.guarded
            && self.method.side == Side::Forward
            && self.method.root_moved != RootMoved::StartAnew
            && self.repair.weight() == Weight::ONE
            && self.repair.roots()[0].node_in(view).is_some_and(|root| stand(view, root, AT_START).is_ok())
    }

    /// Makes the start the root, because the path from the root before does not lead through it any more.
    fn move_root(&mut self, view: &View<'_>, ends: [NodeId; 2]) {
        let [root, target] = turned(self.method.side, ends);
        let (method, most) = (self.method, self.guard.limit(false).unwrap_or(u64::MAX));
        self.current.clear();
        let operation = MoveRoot { method, repair: &mut self.repair, root, most };
        if !self.guide.run(view, method.side, &[target], operation) {
            self.start_anew(view, ends);
        }
    }

    /// Updates the path from the root to a target. Returns whether it leads through the start.
    fn follows(&mut self, view: &View<'_>, question: &Question, target: NodeId) -> bool {
        retrace(view, self.method.side, &mut self.repair, target, &mut self.current);
        self.current.nodes().contains(&question.ends[0])
    }

    /// Forgets the tree and starts a new one.
    fn start_anew(&mut self, view: &View<'_>, [start, goal]: [NodeId; 2]) {
        self.seen = Some((view.vantage(), on_world!(view, space => space.basis())));
        self.last.restarted = true;
        self.state = self.state.unsettled();
        self.current.clear();
        self.guard.begin(jumps(view));
        let (start, goal) = ([start], [goal]);
        let [roots, targets] = ends(self.method.side, &start, &goal);
        let operation = StartTree { repair: &mut self.repair, bound: view.node_bound(), roots, targets };
        self.guide.run(view, self.method.side, targets, operation);
    }

    /// Continues the repair, or a fresh search where the repair takes too long.
    fn search(&mut self, view: &View<'_>, question: &Question, budget: u64) -> Outcome {
        let is_rooted = self.repair.roots() == [turned(self.method.side, question.ends)[0]];
        let limit = if self.guarded { self.guard.limit(is_rooted) } else { None };
        let most = limit.unwrap_or(u64::MAX).saturating_sub(self.looked_at()).min(budget);
        let mut end = self.repair_on(view, question, most);
        if !is_rooted {
            let leads_on = match end {
                End::Goal(target) => self.follows(view, question, target),
                End::Paused => true,
                // Perhaps only the root was cut off.
                _ => false,
            };
            if !leads_on {
                self.move_root(view, question.ends);
                let most = limit.unwrap_or(u64::MAX).saturating_sub(self.looked_at());
                end = self.repair_on(view, question, most.min(budget - self.repair.work.expanded));
            }
        }
        if end != End::Paused {
            return self.settle(view, question, end);
        }
        let answered = self.state.answered() == Some(*question);
        if !answered && self.repair.work.expanded == budget {
            return Outcome::Paused;
        }
        if self.guard.gave_up(self.looked_at()) {
            self.start_anew(view, question.ends);
        }
        if answered {
            return self.outcome;
        }
        self.guard.let_rest();
        self.search_anew(view, question, budget - self.repair.work.expanded)
    }

    /// Continues the repair for at most `most` nodes.
    fn repair_on(&mut self, view: &View<'_>, question: &Question, most: u64) -> End {
        let side = self.method.side;
        let target = [turned(side, question.ends)[1]];
        let before = self.repair.work.expanded;
        let end =
            self.guide.run(view, side, &target, ContinueRepair { repair: &mut self.repair, budget: most });
        self.guard.spent(self.repair.work.expanded - before);
        end
    }

    /// Returns the number of nodes that the current repair has visited.
    fn looked_at(&self) -> u64 {
        self.last.touched + self.repair.work.deleted + self.repair.work.expanded
    }

    /// Answers with a fresh search.
    fn search_anew(&mut self, view: &View<'_>, question: &Question, budget: u64) -> Outcome {
        if self.state.searching() != Some(*question) {
            let [start, goal] = question.ends;
            self.fresh.start(view, self.guard.quick(), start, goal);
            self.state = State::Open { searching: Some(*question) };
            self.searched = 0;
        }
        let before = self.fresh.expanded();
        let outcome = self.fresh.resume(view, budget);
        let expanded = self.fresh.expanded() - before;
        self.last.fresh = Some(expanded);
        self.searched += expanded;
        if outcome != Outcome::Paused {
            self.guard.searched(self.searched);
            self.state = State::Behind(*question);
            let fresh = &self.fresh;
            self.path.rewrite(view, |nodes| nodes.extend(fresh.path()));
        }
        outcome
    }

    /// Completes the repair.
    fn settle(&mut self, view: &View<'_>, question: &Question, end: End) -> Outcome {
        let answered = self.state.answered() == Some(*question);
        self.state = State::Settled(*question);
        let End::Goal(target) = end else {
            self.path.clear();
            let [start, goal] = question.ends;
            let why = admit(view, Ok(start), &[Ok(goal)], &mut self.goals).err();
            let exhausted = || on_world!(view, space => space.why_exhausted(start, &[goal]));
            return Outcome::Unreachable(why.unwrap_or_else(exhausted));
        };
        // A path that is still correct is kept, so that a unit that follows it does not turn.
        if !answered {
            let side = self.method.side;
            retrace(view, side, &mut self.repair, target, &mut self.current);
            let current = self.current.nodes();
            self.path.rewrite(view, |nodes| match side {
                // The root may be where the start was before.
                Side::Forward => nodes.extend(current.iter().skip_while(|node| **node != question.ends[0])),
                Side::Backward => nodes.extend(current.iter().rev()),
            });
        }
        self.guard.complete();
        Outcome::Found
    }

    /// Returns how the last replan ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the path, which is empty if no path was found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the statistics of the last replan.
    pub fn last(&self) -> Replan {
        self.last
    }

    /// Returns the number of nodes in the queue.
    pub fn queued(&self) -> usize {
        self.repair.queued()
    }

    /// Returns the bytes of memory held, including the fresh search.
    pub fn memory_bytes(&self) -> usize {
        self.repair.bytes() + self.guide.bytes() + self.current.bytes() + self.fresh.bytes()
    }

    /// Returns what is known about a node; `None` if nothing is known, or if there is no such node. The view has to be
    /// the one of the last replan.
    pub fn state<'a>(&mut self, view: impl Into<View<'a>>, node: NodeId) -> Option<NodeState> {
        let view = view.into();
        let node = node.node_in(&view)?;
        let target = self.repair.targets().first()?.node_in(&view)?;
        let h = self.guide.run(&view, self.method.side, &[target], EstimateOf(node));
        let Node { costs, parent } = self.repair.nodes.of(node)?;
        let key = self.repair.key_of(node, h).filter(|key| key.to < INFINITE);
        let cost = |units| self.repair.cost(units);
        Some(NodeState {
            g: cost(costs.g),
            rhs: cost(costs.rhs),
            key: key.and_then(|key| Some([cost(key.through)?, cost(key.to)?])),
            parent,
            queued: self.repair.nodes.place_of(node) != 0,
        })
    }

    /// Checks the planner's memory after a replan. The error describes what is wrong. Visits every node, so it is meant
    /// for tests.
    #[doc(hidden)]
    pub fn verify<'a>(&mut self, view: impl Into<View<'a>>) -> Result<(), String> {
        let view = view.into();
        let Some(&target) = self.repair.targets().first() else { return Ok(()) };
        if self.seen.is_none_or(|(seen, _)| seen != view.vantage()) {
            // The tree is not up to date.
            return Ok(());
        }
        self.guide.run(&view, self.method.side, &[target], VerifyRepair(&self.repair))
    }
}

/// Converts start and goal to the root and the target of a search from a side, and vice versa.
fn turned(side: Side, [a, b]: [NodeId; 2]) -> [NodeId; 2] {
    if side == Side::Forward { [a, b] } else { [b, a] }
}
