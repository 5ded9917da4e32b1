//! A plan by an incremental search, or by any other.

use std::ops::AddAssign;

use crate::path::Path;
use crate::replan::{Planner, Replan};
use crate::search::{Algorithm, OptionError, Options, Outcome, Pathfinder, Why};
use crate::space::Cell;
use crate::world::grid::GridView;

/// How a unit plans.
pub(super) enum Brain {
    /// A search that lives as long as the unit.
    Live(Box<Planner>),
    /// A search from nothing each time, with memory of its own.
    Own(Box<Pathfinder>),
    /// The same, with the memory of a finder that others use, too.
    Shared(usize),
}

/// The finders that units share: one for each algorithm and options.
#[derive(Default)]
pub(super) struct Finders(Vec<(Options, Pathfinder)>);

impl Brain {
    /// A unit with a map of its own does not share what was prepared for the map.
    pub fn new(
        name: &str,
        options: &Options,
        alone: bool,
        finders: &mut Finders,
    ) -> Result<Brain, OptionError> {
        let algorithm = Algorithm::named(name)?;
        if algorithm.any_angle {
            return Err(OptionError::AnyAngle { algorithm: algorithm.name });
        }
        if algorithm.incremental {
            return Ok(Brain::Live(Box::new(Planner::new(algorithm, options)?)));
        }
        if alone {
            return Ok(Brain::Own(Box::new(Pathfinder::new(algorithm, options)?)));
        }
        let is_it = |(known, finder): &(Options, Pathfinder)| {
            known == options && finder.algorithm().name == algorithm.name
        };
        if let Some(known) = finders.0.iter().position(is_it) {
            return Ok(Brain::Shared(known));
        }
        finders.0.push((*options, Pathfinder::new(algorithm, options)?));
        Ok(Brain::Shared(finders.0.len() - 1))
    }

    /// Goes on with the plan from start to goal. `asked` is the question that a paused search is about.
    pub fn plan(
        &mut self,
        finders: &mut Finders,
        view: &GridView<'_>,
        [start, goal]: [Cell; 2],
        asked: &mut Option<[Cell; 2]>,
        budget: u64,
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
        // A search under way is finished even if the goal has moved: who never ends a search never gets anywhere.
        let mut work = None;
        if asked.is_some_and(|[from, _]| from == start) {
            work = Some(search_on(finder, view, budget)).filter(|(outcome, _)| !is_void(*outcome));
        }
        work.unwrap_or_else(|| {
            *asked = Some([start, goal]);
            finder.start(view, start, &[goal]);
            search_on(finder, view, budget)
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

fn search_on(finder: &mut Pathfinder, view: &GridView<'_>, budget: u64) -> (Outcome, Replan) {
    let before = finder.stats();
    let outcome = finder.resume(view, budget);
    let after = finder.stats();
    let expanded = after.expanded - before.expanded;
    let generated = after.generated.saturating_sub(before.generated);
    (outcome, Replan { expanded, generated, ..Replan::default() })
}

/// What two replans did together; behind is who is so after the second.
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
