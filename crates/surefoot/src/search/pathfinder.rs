//! Path queries.

use std::fmt;

use crate::core::kernel::End;
use crate::core::observe::Observer;
use crate::core::outcome::Visit;
use crate::core::outcome::{Outcome, Stats, Why};
use crate::graph::Located;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::admit::{Admitted, admit, admit_unconnected, nearer};
use crate::search::algorithm::{Algorithm, OptionError, Options, Promise};
use crate::search::approach::Approach;
use crate::search::auto;
use crate::search::pool::{Answer, Request};
use crate::search::prepare::{PrepareError, PrepareOptions, Prepared};
use crate::search::refusals::Refusals;
use crate::search::solver::{Choice, Slice, Solver, Task};
use crate::world::any::{Locate, Numbering, Vantage, View, locate, on_world};
use crate::world::space::SearchSpace;

/// An algorithm with its memory. It answers any number of queries, each with a search of its own. Keep one per thread: after the
/// first few queries it allocates nothing.
///
/// An incremental algorithm (such as `d_star_lite`) also searches from scratch for each query here. To keep a path up to date
/// while the world and its endpoints change, use a [`Planner`](crate::replan::Planner).
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "
///     .#.
///     .#.
///     ...".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
/// let path = finder.find(&view, Cell::new(0, 0), Cell::new(2, 0)).unwrap();
/// assert_eq!(path.cost(), 6.0);
/// ```
///
/// A search can be spread over several frames. Nothing is borrowed while it is paused. If the world or the agent has changed when
/// it is resumed, it reports that.
///
/// ```
/// # use surefoot::prelude::*;
/// # let grid = Grid::new(40, 40).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
/// finder.start(&view, Cell::new(0, 0), &[Cell::new(39, 20)]);
/// let mut frames = 1;
/// while finder.resume(&view, 10) == Outcome::Paused {
///     frames += 1;
/// }
/// assert!(finder.outcome().is_found() && frames > 1);
/// ```
pub struct Pathfinder {
    algorithm: &'static Algorithm,
    options: Options,
    solver: Box<dyn Solver>,
    /// Whether an unreachable goal is replaced by the nearest place that can be reached.
    partial: bool,
    /// The most bytes that preparation may take.
    memory_limit: u64,
    refusals: Refusals,
    start: NodeId,
    goals: Vec<NodeId>,
    asked: Vec<Result<NodeId, Why>>,
    /// Why the goals are not the requested ones.
    replaced: Option<Why>,
    /// Why the goals that were left out cannot be reached.
    refused: Why,
    vantage: Vantage,
    /// Which nodes there are in the world of the last query.
    numbering: Numbering,
    outcome: Outcome,
    /// Whether the last query needed a search at all.
    searched: bool,
    /// Whether it is still to be checked that the goals can be reached.
    unchecked: bool,
    /// The goals that can be reached, once that is checked.
    reachable: Vec<NodeId>,
    path: Path,
}

/// A search that has expanded this many nodes has taken about as long as finding out whether its goals can be reached at all.
const UNCHECKED: u64 = 1000;

impl Default for Pathfinder {
    /// Creates a pathfinder for the algorithm `auto`: A* or jump point search, whichever suits the map.
    fn default() -> Pathfinder {
        Pathfinder::with_algorithm(&auto::ALGORITHM, Options::default())
    }
}

impl fmt::Debug for Pathfinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pathfinder")
            .field("algorithm", &self.algorithm.name)
            .field("options", &self.options)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

impl Pathfinder {
    /// Creates a pathfinder for an algorithm with options.
    pub fn new(algorithm: &'static Algorithm, options: &Options) -> Result<Pathfinder, OptionError> {
        algorithm.check(options)?;
        Ok(Pathfinder::with_algorithm(algorithm, *options))
    }

    /// Creates a pathfinder for an algorithm with its default options. A program links only the algorithms that it names.
    ///
    /// ```
    /// use surefoot::algorithms::ASTAR;
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(9, 9).unwrap();
    /// let mut finder = Pathfinder::of(ASTAR);
    /// assert_eq!(finder.find(grid.view(&Agent::default()), Cell::new(0, 0), Cell::new(8, 0)).unwrap().steps(), 8);
    /// ```
    pub fn of(algorithm: &'static Algorithm) -> Pathfinder {
        Pathfinder::with_algorithm(algorithm, Options::default())
    }

    fn with_algorithm(algorithm: &'static Algorithm, options: Options) -> Pathfinder {
        Pathfinder {
            algorithm,
            options,
            solver: (algorithm.solver)(&options),
            partial: false,
            memory_limit: PrepareOptions::MEMORY_LIMIT,
            refusals: Refusals::default(),
            start: NodeId::NONE,
            goals: Vec::new(),
            asked: Vec::new(),
            replaced: None,
            refused: Why::GoalOutside,
            vantage: Vantage::default(),
            numbering: Numbering::Graph(0),
            outcome: Outcome::Unreachable(Why::StartOutside),
            searched: false,
            unchecked: false,
            reachable: Vec::new(),
            path: Path::default(),
        }
    }

    /// Sets whether a search for an unreachable goal leads as close to it as possible instead and ends as [`Outcome::Partial`].
    /// Off by default.
    ///
    /// This applies to searches that are [started](Pathfinder::start) and resumed. [`find`](Pathfinder::find) never returns a
    /// partial path; use [`find_closest`](Pathfinder::find_closest) for that.
    ///
    /// A partial path leads to the reachable place nearest to any of the goals, by straight-line distance. Of several such
    /// places, it is the one with the lowest node number. The order of the goals does not matter.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid: Grid = "...#.\n...##\n##...".parse().unwrap();
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::default();
    /// finder.set_partial(true);
    /// let [far, near] = [Cell::new(4, 0), Cell::new(1, 2)];
    /// for goals in [[far, near], [near, far]] {
    ///     finder.start(view, Cell::new(0, 0), &goals);
    ///     assert!(matches!(finder.resume(view, u64::MAX), Outcome::Partial(_)));
    ///     assert_eq!(finder.path().cells(&grid).last(), Some(Cell::new(1, 1)));
    /// }
    /// ```
    pub fn set_partial(&mut self, partial: bool) {
        self.partial = partial;
    }

    /// Returns the algorithm.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the options.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Returns what the algorithm guarantees with its options on this world.
    pub fn promise<'a>(&self, view: impl Into<View<'a>>) -> Promise {
        self.algorithm.promise(&self.options, view)
    }

    /// Prepares for a world, if the algorithm needs preparation and has not been prepared for the current state of the world. If
    /// this is not called, the first query prepares. The memory limit given here stays in force. Preparing for another world or
    /// agent ends a paused search.
    ///
    /// A failed preparation is not repeated. Until the world, the agent or the memory limit changes, queries return
    /// [`Why::NotPrepared`] at once, and this method returns the error of the last attempt. Only a cancelled preparation starts
    /// over when this method is called again. The last eight failures are remembered, so several agents can share a finder.
    pub fn prepare<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        options: &PrepareOptions<'_>,
    ) -> Result<(), PrepareError> {
        let view = view.into();
        if let Some(reason) = self.algorithm.refusal(view) {
            return Err(PrepareError::NotApplicable { algorithm: self.algorithm.title, reason });
        }
        self.memory_limit = options.memory_limit;
        if view.vantage() != self.vantage {
            self.forget_search();
        }
        match self.refusal(&view) {
            Some(error) if *error != PrepareError::Cancelled => Err(error.clone()),
            _ => self.try_to_prepare(&view, options),
        }
    }

    /// Prepares on the options of the last time, if there is anything to prepare.
    pub(super) fn make_ready(&mut self, view: &View<'_>) -> Result<(), Why> {
        if self.algorithm.refusal(view).is_some() {
            return Err(Why::NotApplicable);
        }
        if self.refusal(view).is_some() {
            return Err(Why::NotPrepared);
        }
        let options = PrepareOptions { memory_limit: self.memory_limit, ..PrepareOptions::default() };
        self.try_to_prepare(view, &options).map_err(|_| Why::NotPrepared)
    }

    /// Why preparing this world failed the last time, if it would fail again.
    fn refusal(&self, view: &View<'_>) -> Option<&PrepareError> {
        self.refusals.find(view.vantage(), self.memory_limit)
    }

    fn try_to_prepare(&mut self, view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        let result = self.solver.prepare(view, options);
        self.refusals.record(view.vantage(), self.memory_limit, &result);
        result
    }

    /// Takes over what another finder with the same algorithm and options has prepared, or that it could not.
    pub(super) fn share_preparation(&mut self, of: &Pathfinder) {
        self.memory_limit = of.memory_limit;
        self.refusals.clone_from(&of.refusals);
        if let Some(prepared) = of.prepared() {
            self.adopt(&prepared);
        }
    }

    /// Returns what the algorithm has prepared, to be saved or shared with other finders.
    pub fn prepared(&self) -> Option<Prepared> {
        self.solver.prepared()
    }

    /// Takes over what a finder with the same algorithm has prepared. Returns `false` if it belongs to another algorithm. Ends a
    /// paused search.
    pub fn adopt(&mut self, prepared: &Prepared) -> bool {
        let adopts = prepared.algorithm().name == self.algorithm.name && self.solver.adopt(prepared);
        if adopts {
            self.forget_search();
            self.refusals.clear();
        }
        adopts
    }

    /// Ends the last search: what it leans on is about to be that of another world.
    fn forget_search(&mut self) {
        self.searched = false;
        if self.outcome == Outcome::Paused {
            self.outcome = Outcome::Unreachable(Why::WorldChanged);
        }
    }

    /// Creates another finder with the same algorithm, options and preparation, for another thread.
    #[must_use]
    pub fn fork(&self) -> Pathfinder {
        let mut fork = Pathfinder::with_algorithm(self.algorithm, self.options);
        fork.partial = self.partial;
        fork.share_preparation(self);
        fork
    }

    /// Returns a path that reaches the goal, or the reason why there is no such path.
    pub fn find<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Locate,
        to: impl Locate,
    ) -> Result<&Path, Why> {
        let view = view.into();
        self.start(view, from, &[to]);
        self.finish(&view, None)
    }

    /// Returns a path to the goal, or the closest approach to a goal that cannot be reached. Use it for a unit that is sent onto
    /// a wall or an island.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// use surefoot::search::Approach;
    /// let grid: Grid = "
    ///     ..#.
    ///     ..#.".parse().unwrap();
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::default();
    /// match finder.find_closest(view, Cell::new(0, 0), Cell::new(3, 0)).unwrap() {
    ///     Approach::Whole(_) => unreachable!("there is a wall in between"),
    ///     Approach::Partial(path, why) => assert_eq!((path.steps(), why), (1, Why::Disconnected)),
    /// }
    /// assert_eq!(finder.find(view, Cell::new(0, 0), Cell::new(3, 0)), Err(Why::Disconnected));
    /// ```
    pub fn find_closest<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Locate,
        to: impl Locate,
    ) -> Result<Approach<'_>, Why> {
        let view = view.into();
        let partial = std::mem::replace(&mut self.partial, true);
        self.start(view, from, &[to]);
        self.partial = partial;
        while self.resume(view, u64::MAX) == Outcome::Paused {}
        match self.outcome {
            Outcome::Partial(why) => Ok(Approach::Partial(&self.path, why)),
            Outcome::Unreachable(why) => Err(why),
            Outcome::Found | Outcome::Paused => Ok(Approach::Whole(&self.path)),
        }
    }

    /// Finds a path and reports every step of the search to an observer.
    pub fn find_watched<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Locate,
        to: impl Locate,
        observer: &mut dyn Observer,
    ) -> Result<&Path, Why> {
        let view = view.into();
        self.start(view, from, &[to]);
        self.finish(&view, Some(observer))
    }

    /// Finds a path to the goal that is cheapest to reach.
    pub fn find_nearest<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        from: impl Locate,
        to: &[impl Locate],
    ) -> Result<&Path, Why> {
        let view = view.into();
        self.start(view, from, to);
        self.finish(&view, None)
    }

    /// Finds a path and leaves it in the answer, whose buffers serve for the next one.
    pub(super) fn answer<S: Locate>(&mut self, view: &View<'_>, request: &Request<S>, answer: &mut Answer) {
        std::mem::swap(&mut self.path, &mut answer.path);
        // What it returns is what is read below.
        let _ = self.find(view, request.from, request.to);
        (answer.outcome, answer.stats) = (self.outcome(), self.stats());
        std::mem::swap(&mut self.path, &mut answer.path);
        self.path.clear();
    }

    /// Leaves the path that the last search found, in exchange for the memory of another one.
    pub(crate) fn take_path(&mut self, into: &mut Path) {
        into.clear();
        std::mem::swap(&mut self.path, into);
    }

    fn finish(&mut self, view: &View<'_>, mut observer: Option<&mut dyn Observer>) -> Result<&Path, Why> {
        loop {
            // An observer may pause at a breakpoint; a query for the whole path continues.
            let outcome = match &mut observer {
                Some(observer) => self.resume_watched(view, u64::MAX, &mut **observer),
                None => self.resume(view, u64::MAX),
            };
            match outcome {
                Outcome::Paused => {}
                Outcome::Found => return Ok(&self.path),
                Outcome::Unreachable(why) | Outcome::Partial(why) => return Err(why),
            }
        }
    }

    /// Starts a search for a path to any of several goals. Nothing is expanded yet. [`outcome`](Pathfinder::outcome) tells
    /// whether the result is known already.
    pub fn start<'a>(&mut self, view: impl Into<View<'a>>, from: impl Locate, to: &[impl Locate]) {
        let view = view.into();
        self.path.clear();
        self.asked.clear();
        self.asked.extend(to.iter().map(|&goal| locate(goal, &view, Why::GoalOutside)));
        self.replaced = None;
        self.searched = false;
        self.vantage = view.vantage();
        self.numbering = view.numbering();
        if let Err(why) = self.make_ready(&view) {
            self.outcome = Outcome::Unreachable(why);
            return;
        }
        let start = locate(from, &view, Why::StartOutside);
        // Most goals can be reached: where it takes as long as a search to find out, the search goes first.
        self.unchecked = !on_world!(view, space => space.has_reach_at_hand());
        if self.unchecked {
            match admit_unconnected(&view, start, &self.asked, &mut self.goals) {
                Ok(admitted) => return self.begin(&view, admitted),
                Err(_) => self.unchecked = false,
            }
        }
        self.start_checked(&view, start);
    }

    /// Starts a search for the reachable goals, or sets the reason why no goal is reachable.
    fn start_checked(&mut self, view: &View<'_>, start: Result<NodeId, Why>) {
        let admitted = admit(view, start, &self.asked, &mut self.goals).or_else(|why| {
            let is_about_start = matches!(why, Why::StartBlocked | Why::StartTooNarrow);
            let start = start.ok().filter(|_| self.partial && !is_about_start).ok_or(why)?;
            self.goals.push(nearest_instead(view, start, &self.asked).ok_or(why)?);
            self.replaced = Some(why);
            Ok(Admitted { start, refused: why })
        });
        match admitted {
            Ok(admitted) => self.begin(view, admitted),
            Err(why) => (self.outcome, self.searched) = (Outcome::Unreachable(why), false),
        }
    }

    fn begin(&mut self, view: &View<'_>, Admitted { start, refused }: Admitted) {
        (self.start, self.refused) = (start, refused);
        self.searched = true;
        self.solver.begin(view, &Task { start, goals: &self.goals });
        self.outcome = Outcome::Paused;
    }

    /// Continues the search. If it is still to be checked whether the goals can be reached, that happens when the search takes long.
    fn run(&mut self, view: &View<'_>, slice: Slice<'_>) {
        let Slice { mut budget, mut watcher } = slice;
        if self.unchecked {
            let before = self.solver.stats().expanded;
            let left = UNCHECKED.saturating_sub(before);
            let task = Task { start: self.start, goals: &self.goals };
            let watching = watcher.as_deref_mut().map(|watcher| watcher as &mut dyn Observer);
            let end = self.solver.run(view, &task, Slice { budget: budget.min(left), watcher: watching });
            let spent = self.solver.stats().expanded - before;
            let takes_long = end == End::Paused && spent == left && budget > spent;
            if !takes_long && end != End::Exhausted {
                return self.conclude(view, end);
            }
            self.unchecked = false;
            budget -= spent;
            let mut is_cut_off = || admit(view, Ok(self.start), &self.asked, &mut self.reachable).is_err();
            if end == End::Exhausted || is_cut_off() {
                self.start_checked(view, Ok(self.start));
                if !self.searched {
                    return;
                }
            }
        }
        let task = Task { start: self.start, goals: &self.goals };
        let end = self.solver.run(view, &task, Slice { budget, watcher });
        self.conclude(view, end);
    }

    /// Continues until the search ends or `budget` nodes have been expanded.
    pub fn resume<'a>(&mut self, view: impl Into<View<'a>>, budget: u64) -> Outcome {
        let view = view.into();
        if self.can_go_on(&view) {
            self.run(&view, Slice::unwatched(budget));
        }
        self.outcome
    }

    /// Continues like [`resume`](Pathfinder::resume) and reports every step of the search to an observer.
    pub fn resume_watched<'a>(
        &mut self,
        view: impl Into<View<'a>>,
        budget: u64,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let view = view.into();
        if self.can_go_on(&view) {
            observer.set_scale(view.scale());
            self.run(&view, Slice { budget, watcher: Some(observer) });
        }
        self.outcome
    }

    /// Returns whether there is a search to continue. A search that began in another world ends here.
    fn can_go_on(&mut self, view: &View<'_>) -> bool {
        let is_paused = self.outcome == Outcome::Paused;
        if is_paused && view.vantage() != self.vantage {
            self.outcome = Outcome::Unreachable(Why::WorldChanged);
            return false;
        }
        if is_paused {
            // Until the run ends: if a user-defined graph panics, the incomplete search is not continued.
            self.outcome = Outcome::Unreachable(Why::WorldChanged);
        }
        is_paused
    }

    /// Turns the end of a run into an outcome.
    fn conclude(&mut self, view: &View<'_>, end: End) {
        self.outcome = match end {
            End::Paused => Outcome::Paused,
            End::Goal(goal) => {
                self.write_path(view, goal);
                self.replaced.map_or(Outcome::Found, Outcome::Partial)
            }
            End::Overflow => Outcome::Unreachable(Why::CostOverflow),
            End::Exhausted => {
                let why = on_world!(view, space => space.why_exhausted(self.start, &self.goals));
                Outcome::Unreachable(nearer(why, self.refused))
            }
        };
    }

    /// Writes down the path to a node.
    fn write_path(&mut self, view: &View<'_>, to: NodeId) {
        let write = |nodes: &mut Vec<NodeId>| self.solver.trace_back(view, to, nodes);
        if self.algorithm.any_angle {
            self.path.rewrite_lines(view, write);
        } else {
            self.path.rewrite(view, write);
        }
    }

    /// Ends a paused search. If partial paths are enabled, the path leads to the place that seemed closest to a goal.
    pub fn give_up<'a>(&mut self, view: impl Into<View<'a>>) -> Outcome {
        let view = view.into();
        if self.outcome == Outcome::Paused {
            let unchanged = view.vantage() == self.vantage;
            self.outcome = match self.solver.closest().filter(|_| self.partial && unchanged) {
                Some(node) => {
                    self.write_path(&view, node);
                    Outcome::Partial(Why::Budget)
                }
                None => Outcome::Unreachable(Why::Budget),
            };
        }
        self.outcome
    }

    /// Returns how the last search ended, or that it is paused.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the path that the last search found. It is empty if there is no path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns which algorithm answered the last query and why, if the finder's algorithm chooses between several: `auto` always
    /// does, and `subgoal` leaves wide open maps to jump point search. Returns `None` if the finder's own algorithm answered.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(40, 40).unwrap();
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::default();
    /// finder.find(&view, Cell::new(0, 0), Cell::new(39, 20)).unwrap();
    /// let choice = finder.choice().unwrap();
    /// assert_eq!(choice.algorithm, "jps");
    /// assert_eq!(choice.reason.to_string(), "0.0% of the open cells are jump points, 0% of those beside walls");
    /// ```
    pub fn choice(&self) -> Option<Choice> {
        self.solver.choice().filter(|_| self.searched)
    }

    /// Returns the statistics of the last search. All counts are zero if the result was known without a search.
    pub fn stats(&self) -> Stats {
        let stats = self.solver.stats();
        if self.searched { stats } else { Stats { scratch_bytes: stats.scratch_bytes, ..Stats::default() } }
    }

    /// Returns what the last search knows about a node. Returns `None` if the search did not reach it, or if there is no such
    /// node.
    pub fn visit(&self, node: NodeId) -> Option<Visit> {
        let known = self.searched && self.numbering.contains(node);
        known.then(|| self.solver.visit(node)).flatten()
    }
}

/// The place to go to if no goal can be reached: of those that can be reached, the one nearest to any goal, and of several the
/// one with the lowest number.
fn nearest_instead(view: &View<'_>, start: NodeId, goals: &[Result<NodeId, Why>]) -> Option<NodeId> {
    let places = goals.iter().flatten().filter_map(|&goal| {
        let place = on_world!(view, space => space.instead(start, goal))?;
        Some((view.position(place).distance(view.position(goal)), place))
    });
    places.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, place)| place)
}

#[cfg(test)]
mod tests;
