//! The subgoals of a map.

use crate::effort::unhindered;
use crate::id::NodeId;
use crate::search::prepare::{LoadError, PrepareError, PrepareOptions, Reader, Sketch, Ticker, Write};
use crate::search::subgoal::contract::{self, contract};
use crate::search::subgoal::graph::{self, Places, Scale};
use crate::search::subgoal::hierarchy::Hierarchy;
use crate::search::subgoal::hubs::Hubs;
use crate::search::subgoal::trial::Trial;
use crate::space::Cell;
use crate::world::grid::{GridView, JumpGrid, JumpPlanes, STEPS_TOO_EXPENSIVE};

/// The hierarchy of a map, and the data for finding the first subgoals from a cell.
pub(super) struct SubgoalTable {
    pub planes: JumpPlanes,
    pub places: Places,
    pub hierarchy: Hierarchy,
    /// Spares queries the search up the hierarchy, where there is room for it.
    pub hubs: Option<Hubs>,
    pub scale: Scale,
}

/// What finding stops and lines, scanning, dropping spare edges, laying out the hierarchy and finding hubs stand for in the
/// progress of the preparation.
const STAGES: [u64; 5] = [200, 300, 1500, 500, 1500];

/// The most bytes spent on hubs.
const MOST_FOR_HUBS: usize = 64 << 20;

const REFUSED: PrepareError =
    PrepareError::NotApplicable { algorithm: super::ALGORITHM.title, reason: STEPS_TOO_EXPENSIVE };

/// What is known of a map before its subgoals are joined.
pub(super) struct Groundwork<'a> {
    view: &'a GridView<'a>,
    ticker: Ticker<'a>,
    memory_limit: u64,
    scale: Scale,
    planes: JumpPlanes,
    subgoals: Vec<NodeId>,
}

impl<'a> Groundwork<'a> {
    /// Finds the subgoals of a map to which jumps apply.
    pub fn new(
        view: &'a GridView<'a>,
        options: &'a PrepareOptions<'a>,
    ) -> Result<Groundwork<'a>, PrepareError> {
        let scale = Scale::of(view).ok_or(REFUSED)?;
        check(JumpPlanes::bytes_for(view.shape()), options.memory_limit)?;
        let ticker = Ticker::in_stages(options, STAGES.iter().chain(&contract::STAGES).sum());
        // Each cell is looked at once for its stops, and seven times for the lines and fans that cross it.
        ticker.stage(STAGES[0], 8 * u64::from(view.grid().width()) * u64::from(view.grid().height()))?;
        let work = |cells| ticker.work_on(cells);
        let subgoals = JumpGrid::stops_any_way(view, work)?;
        let planes = JumpGrid::planes_with_stops_any_way(view, work)?;
        Ok(Groundwork { view, ticker, memory_limit: options.memory_limit, scale, planes, subgoals })
    }

    /// Tries whether jump point search does better.
    pub fn trial(&self) -> Result<Trial, PrepareError> {
        Trial::of(self.view, &self.planes, &self.ticker)
    }

    /// Prepares the map.
    pub fn finish(self) -> Result<SubgoalTable, PrepareError> {
        let Groundwork { view, ticker, memory_limit, scale, planes, subgoals } = self;
        let (planes_bytes, count) = (planes.bytes(), subgoals.len() as u64);
        let check_edges =
            |edges| check(planes_bytes + Hierarchy::bytes_for(subgoals.len(), edges), memory_limit);
        check_edges(0)?;
        ticker.stage(STAGES[1], count)?;
        let mut links = graph::build(view, &planes, &scale, &subgoals, &ticker)?;
        ticker.stage(STAGES[2], count)?;
        let cells: Vec<Cell> = subgoals.iter().map(|&subgoal| view.shape().cell(subgoal)).collect();
        graph::drop_spare_links(&mut links, &cells, &scale, &ticker)?;
        let contracted = contract(links, &cells, &scale, &ticker, check_edges)?;
        ticker.stage(STAGES[3], 1)?;
        let hierarchy = Hierarchy::new(&contracted, view.shape(), &subgoals, |edges| ticker.work(edges))?;
        let mut table = SubgoalTable::assemble(view, planes, scale, &subgoals, hierarchy).ok_or(REFUSED)?;
        check(table.bytes(), memory_limit)?;
        let left = usize::try_from(memory_limit).unwrap_or(usize::MAX) - table.bytes();
        ticker.stage(STAGES[4], count)?;
        table.hubs = Hubs::build(&table.hierarchy, left.min(MOST_FOR_HUBS), &ticker)?;
        Ok(table)
    }
}

/// Rejects a size above the limit.
fn check(estimate: usize, limit: u64) -> Result<(), PrepareError> {
    let (estimate, algorithm) = (estimate as u64, super::ALGORITHM.title);
    if estimate <= limit { Ok(()) } else { Err(PrepareError::TooLarge { algorithm, estimate, limit }) }
}

impl SubgoalTable {
    /// Prepares a map to which jumps apply, even one that is better left to jump point search.
    #[cfg(test)]
    pub fn build(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<SubgoalTable, PrepareError> {
        Groundwork::new(view, options)?.finish()
    }

    /// Reads a table, after the flag for hubs.
    pub fn load(view: &GridView<'_>, reader: Reader<'_>, has_hubs: bool) -> Result<SubgoalTable, LoadError> {
        let scale = Scale::of(view).ok_or(LoadError::OtherMap)?;
        let hierarchy = Hierarchy::load(reader, view, &scale)?;
        let Ok(planes) = JumpGrid::planes_with_stops_any_way(view, unhindered);
        let Ok(subgoals) = JumpGrid::stops_any_way(view, unhindered);
        let table = SubgoalTable::assemble(view, planes, scale, &subgoals, hierarchy);
        let mut table = table.ok_or(LoadError::Damaged("its subgoals differ from those of the map"))?;
        if has_hubs {
            // No progress is reported, so nothing ends it.
            let hubs =
                Hubs::build(&table.hierarchy, MOST_FOR_HUBS, &Ticker::new(&PrepareOptions::default(), 1));
            table.hubs = hubs.unwrap_or_default();
        }
        Ok(table)
    }

    /// Puts the parts together, if the hierarchy is one of these subgoals.
    fn assemble(
        view: &GridView<'_>,
        planes: JumpPlanes,
        scale: Scale,
        subgoals: &[NodeId],
        hierarchy: Hierarchy,
    ) -> Option<SubgoalTable> {
        let places = Places::new(view.shape().node_bound(), subgoals);
        let mut numbers = vec![u32::MAX; subgoals.len()];
        for (number, cell) in hierarchy.cells().enumerate() {
            numbers[places.number(cell)? as usize] = number as u32;
        }
        let complete = hierarchy.len() == subgoals.len() && !numbers.contains(&u32::MAX);
        let places = places.renumbered(numbers);
        complete.then_some(SubgoalTable { planes, places, hierarchy, hubs: None, scale })
    }
}

impl SubgoalTable {
    pub fn bytes(&self) -> usize {
        let hubs = self.hubs.as_ref().map_or(0, Hubs::bytes);
        self.planes.bytes() + self.places.bytes() + self.hierarchy.bytes() + hubs
    }

    pub fn sketch(&self) -> Sketch {
        let mut places: Vec<NodeId> = self.hierarchy.cells().collect();
        places.sort_unstable();
        let mut ways: Vec<_> = self.hierarchy.scans().map(|(a, b)| (a.min(b), a.max(b))).collect();
        ways.sort_unstable();
        Sketch { parts: Vec::new(), places, ways }
    }

    pub fn save(&self, out: &mut Vec<u8>) {
        // They are found again faster than they are read.
        out.number(self.hubs.is_some().into());
        self.hierarchy.save(out);
    }
}
