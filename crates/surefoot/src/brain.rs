//! A plan by an incremental search, or by any other: what units on a grid and agents in flight share.

use std::ops::AddAssign;

use crate::core::observe::Observer;
use crate::path::Path;
use crate::replan::{Planner, Replan};
use crate::search::{Algorithm, OptionError, Options, Outcome, Pathfinder, Why};
use crate::world::any::{Locate, View};

/// How an agent plans.
pub(crate) enum Brain {
    /// A search that lives as long as the agent.
    Live(Box<Planner>),
    /// A search from nothing each time, with memory of its own.
    Own(Box<Pathfinder>),
    /// The same, with the memory of a finder that others use, too.
    Shared(usize),
}

/// The finders that agents share: one for each algorithm and options.
#[derive(Default)]
pub(crate) struct Finders(Vec<(Options, Pathfinder)>);

impl Brain {
    /// A plan by an algorithm. A search that is not incremental is taken from `shared`, or has memory of its own.
    pub fn new(
        algorithm: &'static Algorithm,
        options: &Options,
        shared: Option<&mut Finders>,
    ) -> Result<Brain, OptionError> {
        if algorithm.incremental {
            return Ok(Brain::Live(Box::new(Planner::new(algorithm, options)?)));
        }
        let Some(finders) = shared else {
            return Ok(Brain::Own(Box::new(Pathfinder::new(algorithm, options)?)));
        };
        let is_it = |(known, finder): &(Options, Pathfinder)| {
            known == options && finder.algorithm().name == algorithm.name
        };
        if let Some(known) = finders.0.iter().position(is_it) {
            return Ok(Brain::Shared(known));
        }
        finders.0.push((*options, Pathfinder::new(algorithm, options)?));
        Ok(Brain::Shared(finders.0.len() - 1))
    }

    /// Continues the plan from start to goal. `asked` is the query of a paused search. Events of a search that is not
    /// incremental go to the observer.
    pub fn plan<S: Locate + PartialEq>(
        &mut self,
        finders: &mut Finders,
        view: View<'_>,
        [start, goal]: [S; 2],
        asked: &mut Option<[S; 2]>,
        budget: u64,
        mut observer: Option<&mut dyn Observer>,
    ) -> (Outcome, Replan) {
        let finder = match self {
            Brain::Live(planner) => {
                *asked = Some([start, goal]);
                planner.move_start(view, start);
                planner.move_goal(view, goal);
                return (planner.replan(view, budget), planner.last());
            }
            Brain::Own(finder) => finder,
            Brain::Shared(number) => &mut finders.0[*number].1,
        };
        // A search under way is finished even if the goal has moved: an agent that never ends a search never gets anywhere.
        let mut work = None;
        if asked.is_some_and(|[from, _]| from == start) {
            let observer = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
            work = Some(search_on(finder, view, budget, observer)).filter(|(outcome, _)| !is_void(*outcome));
        }
        work.unwrap_or_else(|| {
            *asked = Some([start, goal]);
            finder.start(view, start, &[goal]);
            search_on(finder, view, budget, observer)
        })
    }

    /// The path that was found last.
    pub fn path<'a>(&'a self, finders: &'a Finders) -> &'a Path {
        match self {
            Brain::Live(planner) => planner.path(),
            Brain::Own(finder) => finder.path(),
            Brain::Shared(number) => finders.0[*number].1.path(),
        }
    }

    /// Bytes of memory of its own.
    pub fn bytes(&self) -> usize {
        match self {
            Brain::Live(planner) => planner.memory_bytes(),
            Brain::Own(finder) => finder.stats().scratch_bytes as usize,
            Brain::Shared(_) => 0,
        }
    }
}

impl Finders {
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(_, finder)| finder.stats().scratch_bytes as usize).sum()
    }
}

/// Whether the world is another than the one that was searched.
fn is_void(outcome: Outcome) -> bool {
    outcome == Outcome::Unreachable(Why::WorldChanged)
}

fn search_on(
    finder: &mut Pathfinder,
    view: View<'_>,
    budget: u64,
    observer: Option<&mut dyn Observer>,
) -> (Outcome, Replan) {
    let before = finder.stats();
    let outcome = match observer {
        Some(observer) => finder.resume_watched(view, budget, observer),
        None => finder.resume(view, budget),
    };
    let after = finder.stats();
    // A search that finds another world has done nothing, and forgets what it did before.
    let expanded = after.expanded.saturating_sub(before.expanded);
    let generated = after.generated.saturating_sub(before.generated);
    (outcome, Replan { expanded, generated, ..Replan::default() })
}

/// What two replans did together; the repair is behind if it is so after the second.
impl AddAssign for Replan {
    fn add_assign(&mut self, later: Replan) {
        self.expanded += later.expanded;
        self.raised += later.raised;
        self.generated += later.generated;
        self.touched += later.touched;
        self.deleted += later.deleted;
        self.restarted |= later.restarted;
        self.fresh = self.fresh.map_or(later.fresh, |fresh| Some(fresh + later.fresh.unwrap_or(0)));
        self.behind = later.behind;
    }
}
