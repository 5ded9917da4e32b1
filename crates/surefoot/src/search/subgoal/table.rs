//! What is prepared for a map.

use std::sync::Arc;

use crate::id::NodeId;
use crate::search::prepare::{LoadError, PrepareError, Reader, Sketch, Table, Terms, Ticker, Write};
use crate::search::subgoal::contract::contract;
use crate::search::subgoal::graph::{self, Places, Scale};
use crate::search::subgoal::hierarchy::Hierarchy;
use crate::search::subgoal::hubs::{self, Hubs};
use crate::space::Cell;
use crate::world::grid::{GridView, JumpGrid, JumpPlanes, STEPS_TOO_DEAR};

/// The hierarchy of a map, and what it takes to find the first subgoals from a cell.
pub(super) struct SubgoalTable {
    pub planes: JumpPlanes,
    pub places: Places,
    pub hierarchy: Hierarchy,
    /// Spares queries the search up the hierarchy, where there is room for it.
    pub hubs: Option<Hubs>,
    pub scale: Scale,
}

/// The most bytes spent on hubs.
const MOST_FOR_HUBS: usize = 64 << 20;

const REFUSED: PrepareError =
    PrepareError::NotApplicable { algorithm: super::ALGORITHM.name, reason: STEPS_TOO_DEAR };

impl SubgoalTable {
    /// Prepares a map to which jumps apply.
    pub fn build(view: &GridView<'_>, terms: &Terms<'_>) -> Result<SubgoalTable, PrepareError> {
        let check = |estimate: usize| {
            let (estimate, limit) = (estimate as u64, terms.memory_limit);
            let algorithm = super::ALGORITHM.name;
            if estimate <= limit {
                Ok(())
            } else {
                Err(PrepareError::TooLarge { algorithm, estimate, limit })
            }
        };
        let scale = Scale::of(view).ok_or(REFUSED)?;
        check(JumpPlanes::bytes_for(view.shape()))?;
        let planes = JumpGrid::planes_with_stops_any_way(view);
        let subgoals: Vec<NodeId> = JumpGrid::stops_any_way(view).collect();
        let mut links = graph::build(view, &planes, &scale, &subgoals);
        let steps = subgoals.len() + subgoals.len().div_ceil(hubs::TICK as usize);
        let ticker = Ticker::new(terms, steps as u64);
        let cells: Vec<Cell> = subgoals.iter().map(|&subgoal| view.shape().cell(subgoal)).collect();
        graph::drop_spare_links(&mut links, &cells, &scale);
        let hierarchy = Hierarchy::new(&contract(links, &cells, &scale, &ticker)?, view.shape(), &subgoals);
        let mut table = SubgoalTable::assemble(view, planes, scale, &subgoals, hierarchy).ok_or(REFUSED)?;
        check(table.bytes())?;
        let left = usize::try_from(terms.memory_limit).unwrap_or(usize::MAX) - table.bytes();
        table.hubs = Hubs::build(&table.hierarchy, left.min(MOST_FOR_HUBS), &ticker)?;
        Ok(table)
    }

    /// Reads a table back.
    pub fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn Table>, LoadError> {
        let scale = Scale::of(view).ok_or(LoadError::OtherMap)?;
        let mut reader = Reader(bytes);
        let has_hubs = reader.number()? != 0;
        let hierarchy = Hierarchy::load(reader, view, &scale)?;
        let planes = JumpGrid::planes_with_stops_any_way(view);
        let subgoals: Vec<NodeId> = JumpGrid::stops_any_way(view).collect();
        let table = SubgoalTable::assemble(view, planes, scale, &subgoals, hierarchy);
        let mut table = table.ok_or(LoadError::Damaged("its subgoals are not those of the map"))?;
        if has_hubs {
            // Nobody is told of the progress, so nobody ends it.
            let hubs = Hubs::build(&table.hierarchy, MOST_FOR_HUBS, &Ticker::new(&Terms::default(), 1));
            table.hubs = hubs.unwrap_or_default();
        }
        Ok(Arc::new(table))
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

impl Table for SubgoalTable {
    fn bytes(&self) -> usize {
        let hubs = self.hubs.as_ref().map_or(0, Hubs::bytes);
        self.planes.bytes() + self.places.bytes() + self.hierarchy.bytes() + hubs
    }

    fn sketch(&self, _view: &GridView<'_>) -> Sketch {
        let mut places: Vec<NodeId> = self.hierarchy.cells().collect();
        places.sort_unstable();
        let mut ways: Vec<_> = self.hierarchy.scans().map(|(a, b)| (a.min(b), a.max(b))).collect();
        ways.sort_unstable();
        Sketch { parts: Vec::new(), places, ways }
    }

    fn save(&self, out: &mut Vec<u8>) {
        // They are found again faster than they are read.
        out.number(self.hubs.is_some().into());
        self.hierarchy.save(out);
    }
}
