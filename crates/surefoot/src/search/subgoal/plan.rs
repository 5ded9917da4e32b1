//! What is prepared for a map: its subgoals, or that jump point search is to answer.

use std::sync::Arc;

use crate::search::prepare::{LoadError, PrepareError, PrepareOptions, Reader, Sketch, Table, Write};
use crate::search::subgoal::table::{Groundwork, SubgoalTable};
use crate::search::subgoal::trial::Trial;
use crate::world::grid::GridView;

/// Which search answers queries on a map.
pub(super) enum Plan {
    Subgoals(Box<SubgoalTable>),
    /// Jump point search, for what came of a trial.
    Jumps(Trial),
}

/// What the bytes of a map begin with that is left to jump point search; others begin with 0 or 1.
const JUMPS: u64 = 2;

impl Plan {
    /// Decides by the map alone, and prepares its subgoals if it is for them.
    pub fn build(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<Plan, PrepareError> {
        let groundwork = Groundwork::new(view, options)?;
        let trial = groundwork.trial()?;
        if trial.is_for_jumps() { Ok(Plan::Jumps(trial)) } else { groundwork.finish().map(Plan::from) }
    }

    /// Reads back what was saved.
    pub fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn Table>, LoadError> {
        let mut reader = Reader(bytes);
        Ok(Arc::new(match reader.number()? {
            hubs @ 0..JUMPS => Plan::from(SubgoalTable::load(view, reader, hubs != 0)?),
            JUMPS => Plan::Jumps(Trial::load(reader)?),
            _ => return Err(LoadError::Damaged("it has an unknown kind")),
        }))
    }
}

impl From<SubgoalTable> for Plan {
    fn from(table: SubgoalTable) -> Plan {
        Plan::Subgoals(Box::new(table))
    }
}

impl Table for Plan {
    fn bytes(&self) -> usize {
        match self {
            Plan::Subgoals(table) => table.bytes(),
            Plan::Jumps(_) => size_of::<Trial>(),
        }
    }

    fn sketch(&self, _view: &GridView<'_>) -> Sketch {
        match self {
            Plan::Subgoals(table) => table.sketch(),
            Plan::Jumps(_) => Sketch::default(),
        }
    }

    fn save(&self, out: &mut Vec<u8>) {
        match self {
            Plan::Subgoals(table) => table.save(out),
            Plan::Jumps(trial) => {
                out.number(JUMPS);
                trial.save(out);
            }
        }
    }
}
