//! What a building would do, and where the choke cells are.

use std::time::Instant;

use bytes::Bytes;
use surefoot::formats::World;
use surefoot::prelude::*;
use surefoot::siting::Siting;

use crate::cells;
use crate::limits::{self, FOOTPRINT, PAIRS, TABLED_CELLS};
use crate::protocol::{AdviseRequest, AgentFields, Answer, ChokesRequest, PairAdvice};
use crate::question;
use crate::run::in_micros;

/// The kind of the message with choke cells.
const KIND: u8 = 4;

/// What has been learnt of the map for one agent: it serves for the next question.
#[derive(Default)]
pub struct Advisor {
    agent: Agent,
    siting: Siting,
}

impl Advisor {
    /// What a building would do.
    pub fn advise(&mut self, request: &AdviseRequest, world: &World) -> Result<Answer, String> {
        let clock = Instant::now();
        let grid = grid_of("advise", world)?;
        limits::check("cells of a footprint", request.footprint.len() as u64, FOOTPRINT as u64)?;
        limits::check("pairs", request.pairs.len() as u64, PAIRS as u64)?;
        let footprint: Vec<Cell> = request.footprint.iter().copied().map(cell).collect();
        let pairs: Vec<(Cell, Cell)> =
            request.pairs.iter().map(|[from, to]| (cell(*from), cell(*to))).collect();
        let mut goals: Vec<Cell> = pairs.iter().map(|(_, to)| *to).collect();
        goals.sort_unstable();
        goals.dedup();
        let cells = u64::from(grid.width()) * u64::from(grid.height());
        limits::check("different goals on a map of this size", goals.len() as u64, TABLED_CELLS / cells)?;
        let view = self.view(grid, &request.agent)?;
        let verdict =
            self.siting.would_block(&view, &footprint, &pairs).map_err(|error| error.to_string())?;
        let cells = |cost| view.scale().cells(cost);
        let pairs = verdict.impacts().iter().map(|effect| PairAdvice {
            before: effect.before.map(cells),
            after: effect.after.map(cells),
            cut_off: effect.is_cut_off(),
        });
        Ok(Answer::Advice { advice: request.advice, pairs: pairs.collect(), us: in_micros(clock.elapsed()) })
    }

    /// The choke cells, as `docs/lab-protocol.md` has them.
    pub fn chokes(&mut self, request: &ChokesRequest, world: &World) -> Result<Bytes, String> {
        let grid = grid_of("chokes", world)?;
        let view = self.view(grid, &request.agent)?;
        let chokes: Vec<Cell> = self.siting.chokes(&view).cells().collect();
        let mut bytes = vec![KIND, 0, 0, 0];
        bytes.extend(request.chokes.to_le_bytes());
        bytes.extend((chokes.len() as u32).to_le_bytes());
        bytes.extend(chokes.iter().flat_map(|&at| cells::on_grid(grid, at).to_le_bytes()));
        Ok(bytes.into())
    }

    /// The map as an agent sees it. What was learnt for another agent is forgotten.
    fn view<'a>(&mut self, grid: &'a Grid, fields: &AgentFields) -> Result<GridView<'a>, String> {
        let agent = question::agent(fields)?;
        if agent != self.agent {
            *self = Advisor { agent, siting: Siting::default() };
        }
        Ok(grid.view(&agent))
    }
}

fn grid_of<'a>(what: &str, world: &'a World) -> Result<&'a Grid, String> {
    match world {
        World::Grid(grid) => Ok(grid),
        _ => Err(format!("{what}: found a {}, expected a grid", world.kind().noun())),
    }
}

fn cell([x, y]: [i32; 2]) -> Cell {
    Cell::new(x, y)
}
