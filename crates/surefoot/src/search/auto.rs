//! A search that chooses between A* and jump point search.
//!
//! Jump point search crosses open ground at no cost, but pays for every jump point. Where
//! jump points are everywhere, A* is faster. It is also faster where they lie around single pillars, since A* passes these at little
//! cost. Counting them is cheap, and the count follows every edit. The same holds in voxel worlds, as long as their
//! lines are quick to compute.
//!
//! On grids of more than four million cells, counting and computing the data for jumps take long: a quarter of a second to half a
//! minute. There, A* answers short queries and tries all others. Only once it has expanded a number of nodes that grows with the
//! map is the rest left to jumps. All of this depends on the map and the query, and not on earlier queries. For many long queries
//! on a very large map, `jps` is the better choice.

#[cfg(feature = "voxels")]
use crate::agent::VoxelMoves;
use crate::core::kernel::End;
use crate::core::observe::Observer;
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, Options};
#[cfg(feature = "voxels")]
use crate::search::jps3;
use crate::search::solver::{Choice, Reason, Slice, Solver, Task};
use crate::search::{astar, jps};
use crate::space::Cell;
use crate::world::any::{Vantage, View};
use crate::world::grid::{GridView, StopCount};
#[cfg(feature = "voxels")]
use crate::world::voxels::VoxelView;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    queues: astar::QUEUES,
    uses_heuristic: true,
    uses_weight: true,
    promise: |options, view| astar::promise(options, 1.0, view),
    ..Algorithm::plain(
        "auto",
        "Automatic",
        "A* or jump point search, whichever suits the map: the default for single queries",
        |options| Box::new(Auto::new(options)),
    )
};

/// Jump point search is chosen where at most this share of the open cells, in percent, are stops with a choice. On structured
/// maps and in mazes it is below 15, in caves at 16, on random maps above 17.
const MOST_STOPS: f64 = 16.0;

/// And at most this share of the cells beside walls: along walls there are few, around single pillars every other cell is one.
/// On structured maps it is below 36, on random ones above 44 unless they are so dense that they have too many stops anyway.
const MOST_AT_WALLS: f64 = 42.0;

/// On grids with more cells than this, short queries are left to A*, which looks at nothing but the cells it passes. Jumps need
/// the whole map to be processed first: a quarter of a second for this many cells.
const LARGE: u64 = 1 << 22;

/// On large grids a query is short if start and goal are no more columns and rows apart than this part of the side of a square
/// map of that size.
const SHORT: u64 = 64;

/// A* tries queries on large grids that are not short. On a map of [`LARGEST`] cells it may expand one node per this number of
/// cells, and on smaller maps fewer in proportion to their size. So a try takes milliseconds on a map of [`LARGE`] cells, where
/// jumps are quick to compute, and seconds on the largest, where they take up to half a minute: no query waits for them that A*
/// alone would have answered much sooner.
const CELLS_A_TRY: u64 = 4;

/// The most cells of a grid.
const LARGEST: u64 = 1 << 28;

/// In voxel worlds: of the open cells, for lines in all six directions. In caves it is 24, in worlds of which every twentieth cell is
/// solid, at random, 32.
#[cfg(feature = "voxels")]
const MOST_STOPS_IN_SPACE: f64 = 27.0;

/// Voxel worlds with more cells are left to A*: their lines take longer to compute than many queries to answer. To 2^20 cells it
/// takes 10 ms.
#[cfg(feature = "voxels")]
const MOST_CELLS: u64 = 1 << 20;

/// All searches, and which of them answers the query.
struct Auto {
    astar: Box<dyn Solver>,
    jps: Box<dyn Solver>,
    #[cfg(feature = "voxels")]
    jps3: Box<dyn Solver>,
    options: Options,
    /// For which world the choice was made, if the map decides.
    by_map: Option<(Vantage, Choice)>,
    /// The choice for the last query.
    choice: Choice,
    /// How many nodes A* may expand before the map decides which search continues; `None` if that is decided.
    tries: Option<u64>,
    /// What A* did before another search went on.
    tried: Stats,
}

impl Auto {
    fn new(options: &Options) -> Auto {
        Auto {
            astar: (astar::ALGORITHM.solver)(options),
            jps: (jps::ALGORITHM.solver)(options),
            #[cfg(feature = "voxels")]
            jps3: (jps3::ALGORITHM.solver)(options),
            options: *options,
            by_map: None,
            choice: only_astar("no query was run yet"),
            tries: None,
            tried: Stats::default(),
        }
    }

    /// The choice for queries that are not short, made again when the world has changed.
    fn for_the_map(&mut self, view: &View<'_>) -> Choice {
        let vantage = view.vantage();
        let known = self.by_map.filter(|(seen, _)| *seen == vantage);
        let choice = known.map_or_else(|| choose(view, &self.options), |(_, choice)| choice);
        self.by_map = Some((vantage, choice));
        choice
    }

    /// Ends the attempt of A*: the map decides which search continues. If it is A*, it continues where it is.
    fn leave_to_the_map(&mut self, view: &View<'_>, task: &Task<'_>) {
        self.tries = None;
        self.choice = self.for_the_map(view);
        if self.choice.algorithm != astar::ALGORITHM.name {
            self.tried = self.astar.stats();
            self.chosen_mut().begin(view, task);
        }
    }

    fn chosen(&self) -> &dyn Solver {
        match self.choice.algorithm {
            name if name == jps::ALGORITHM.name => &*self.jps,
            #[cfg(feature = "voxels")]
            name if name == jps3::ALGORITHM.name => &*self.jps3,
            _ => &*self.astar,
        }
    }

    fn chosen_mut(&mut self) -> &mut dyn Solver {
        match self.choice.algorithm {
            name if name == jps::ALGORITHM.name => &mut *self.jps,
            #[cfg(feature = "voxels")]
            name if name == jps3::ALGORITHM.name => &mut *self.jps3,
            _ => &mut *self.astar,
        }
    }
}

/// Which queries on a large grid A* answers, whatever the map looks like.
enum OnLarge {
    /// Those whose endpoints are close together.
    Short(Choice),
    /// All others, as long as it expands no more nodes than this.
    Try(u64),
}

/// What to do first on a large grid where there is a choice; `None` elsewhere.
fn on_large(view: &View<'_>, task: &Task<'_>, options: &Options) -> Option<OnLarge> {
    let grid = view.as_grid()?;
    let cells = u64::from(grid.grid().width()) * u64::from(grid.grid().height());
    let has_choice = options.queue.is_none() && options.weight.is_none();
    if cells <= LARGE || !has_choice || (jps::ALGORITHM.refusal)(view).is_some() {
        return None;
    }
    let cell = |node| grid.grid().cell(node);
    let start = cell(task.start);
    let apart = |goal: Cell| start.x.abs_diff(goal.x).max(start.y.abs_diff(goal.y));
    let distance = task.goals.iter().map(|&goal| apart(cell(goal))).min()?;
    Some(if (SHORT * u64::from(distance)).pow(2) <= cells {
        OnLarge::Short(Choice { algorithm: astar::ALGORITHM.name, reason: Reason::Short { distance } })
    } else {
        OnLarge::Try(most_tries(cells))
    })
}

/// The number of nodes that A* may expand on a large grid before the data for jumps is computed.
fn most_tries(cells: u64) -> u64 {
    (cells / CELLS_A_TRY * cells.min(LARGEST)) / LARGEST
}

/// Whether a query on a grid is answered by jump point search.
pub(crate) fn jumps(view: &View<'_>) -> bool {
    choose(view, &Options::default()).algorithm == jps::ALGORITHM.name
}

fn choose(view: &View<'_>, options: &Options) -> Choice {
    if options.queue.is_some() || options.weight.is_some() {
        return Choice { algorithm: astar::ALGORITHM.name, reason: Reason::Options };
    }
    let advice = view.as_grid().map(|grid| on_grid(view, grid));
    #[cfg(feature = "voxels")]
    let advice = advice.or_else(|| view.as_voxels().map(in_space));
    advice.unwrap_or_else(|| only_astar(view.kind().refusal()))
}

fn on_grid(view: &View<'_>, grid: &GridView<'_>) -> Choice {
    if let Some(reason) = jps::ALGORITHM.refusal(view) {
        return only_astar(reason);
    }
    let StopCount { open, at_walls, stops } = grid.stops();
    let percent = |of: u64| stops as f64 * 100.0 / of.max(1) as f64;
    let suits = percent(open) <= MOST_STOPS && percent(at_walls) <= MOST_AT_WALLS;
    let algorithm = if suits { jps::ALGORITHM.name } else { astar::ALGORITHM.name };
    Choice { algorithm, reason: Reason::Stops { of_open: percent(open), of_walls: percent(at_walls) } }
}

#[cfg(feature = "voxels")]
fn in_space(voxels: &VoxelView<'_>) -> Choice {
    // Lines that follow obstacles take longer than they save, unless there are many queries at each moment.
    if voxels.voxels().is_restless() {
        return Choice { algorithm: astar::ALGORITHM.name, reason: Reason::Restless };
    }
    if voxels.moves() == VoxelMoves::Eighteen {
        return only_astar("with 18-way moves it is faster in empty worlds only");
    }
    if cells(voxels) > MOST_CELLS {
        return only_astar("its preprocessing takes too long for a world of this size");
    }
    let of_open = voxels.layer().lines(voxels.shape()).stops();
    let suits = of_open <= MOST_STOPS_IN_SPACE;
    let algorithm = if suits { jps3::ALGORITHM.name } else { astar::ALGORITHM.name };
    Choice { algorithm, reason: Reason::StopsInSpace { of_open } }
}

/// The choice where jump point search is ruled out.
fn only_astar(reason: &'static str) -> Choice {
    Choice { algorithm: astar::ALGORITHM.name, reason: Reason::OnlyOne(reason) }
}

#[cfg(feature = "voxels")]
fn cells(voxels: &VoxelView<'_>) -> u64 {
    voxels.shape().size().iter().map(|&side| u64::from(side)).product()
}

impl Solver for Auto {
    fn choice(&self) -> Option<Choice> {
        Some(self.choice)
    }

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        (self.tries, self.tried) = (None, Stats::default());
        self.choice = match on_large(view, task, &self.options) {
            Some(OnLarge::Short(choice)) => choice,
            Some(OnLarge::Try(most)) => {
                self.tries = Some(most);
                Choice { algorithm: astar::ALGORITHM.name, reason: Reason::Tried { most } }
            }
            None => self.for_the_map(view),
        };
        self.chosen_mut().begin(view, task);
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let Some(most) = self.tries else { return self.chosen_mut().run(view, task, slice) };
        let Slice { budget, mut watcher } = slice;
        let before = self.astar.stats().expanded;
        let left = most.saturating_sub(before);
        if left > 0 {
            let watching = watcher.as_deref_mut().map(|watcher| watcher as &mut dyn Observer);
            let end = self.astar.run(view, task, Slice { budget: budget.min(left), watcher: watching });
            let is_used_up = self.astar.stats().expanded == most && budget > left;
            // An observer may have requested the pause.
            if end != End::Paused || !is_used_up || watcher.is_some() {
                return end;
            }
        }
        self.leave_to_the_map(view, task);
        let spent = self.astar.stats().expanded - before;
        self.chosen_mut().run(view, task, Slice { budget: budget - spent, watcher })
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        self.chosen().trace_back(view, to, nodes);
    }

    fn closest(&self) -> Option<NodeId> {
        self.chosen().closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.chosen().visit(node)
    }

    fn stats(&self) -> Stats {
        let solvers = [
            &self.astar,
            &self.jps,
            #[cfg(feature = "voxels")]
            &self.jps3,
        ];
        let scratch_bytes = solvers.iter().map(|solver| solver.stats().scratch_bytes).sum();
        let (chosen, tried) = (self.chosen().stats(), self.tried);
        Stats {
            expanded: chosen.expanded + tried.expanded,
            generated: chosen.generated + tried.generated,
            reopened: chosen.reopened + tried.reopened,
            peak_open: chosen.peak_open.max(tried.peak_open),
            scratch_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::core::observe::{Action, Event};
    use crate::core::outcome::Outcome;
    use crate::cost::Cost;
    use crate::search::Pathfinder;
    use crate::space::Voxel;
    use crate::world::dynamic::DynamicWorld;
    use crate::world::grid::{Grid, Terrain};
    use crate::world::voxels::Voxels;

    #[test]
    fn the_choice_follows_the_map() {
        let mut grid = Grid::new(256, 256).unwrap();
        let chosen = |grid: &Grid| {
            let view = grid.view(&Agent::default());
            choose(&view.into(), &Options::default()).algorithm
        };
        assert_eq!(chosen(&grid), "jps");
        let every = |n: i32| move |cell: &Cell| cell.x % n == 1 && cell.y % n == 1;
        let pillars: Vec<_> = grid.cells().filter(every(8)).collect();
        grid.set_many(pillars.iter().map(|&cell| (cell, Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "astar");
        grid.set_many(pillars.iter().map(|&cell| (cell.offset(1, 0), Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "jps");
        let crowd: Vec<_> = grid.cells().filter(every(4)).collect();
        grid.set_many(crowd.iter().map(|&cell| (cell, Terrain::WALL))).unwrap();
        assert_eq!(chosen(&grid), "astar");
        let all: Vec<_> = grid.cells().collect();
        grid.set_many(all.iter().map(|&cell| (cell, Terrain::FLOOR))).unwrap();
        assert_eq!(chosen(&grid), "jps");
        grid.set(pillars[0], Terrain::GRASS).unwrap();
        assert_eq!(chosen(&grid), "astar");
    }

    #[test]
    fn in_space_the_choice_follows_the_world_and_the_moves() {
        let chosen = |voxels: &Voxels, moves3| {
            let view = voxels.view(&Agent::new().with_voxel_moves(moves3));
            choose(&view.into(), &Options::default()).algorithm
        };
        let mut voxels = Voxels::new(32, 32, 32).unwrap();
        assert_eq!(chosen(&voxels, VoxelMoves::TwentySix), "jps3");
        assert_eq!(chosen(&voxels, VoxelMoves::Six), "jps3");
        assert_eq!(chosen(&voxels, VoxelMoves::Eighteen), "astar");
        let every = |n: i32| move |voxel: &Voxel| [voxel.x, voxel.y, voxel.z].iter().all(|at| at % n == 1);
        let motes: Vec<Voxel> = voxels.cells().filter(every(3)).collect();
        voxels.set_many(motes.iter().map(|&voxel| (voxel, true))).unwrap();
        assert_eq!(chosen(&voxels, VoxelMoves::TwentySix), "astar");
        voxels.set_many(motes.iter().filter(|mote| !every(9)(mote)).map(|&voxel| (voxel, false))).unwrap();
        assert_eq!(chosen(&voxels, VoxelMoves::TwentySix), "jps3");
        assert_eq!(chosen(DynamicWorld::new(voxels).voxels(), VoxelMoves::TwentySix), "astar");
        let large = Voxels::new(128, 128, 65).unwrap();
        assert_eq!(chosen(&large, VoxelMoves::TwentySix), "astar");
    }

    #[test]
    fn many_doors_are_for_astar_and_few_for_jumps() {
        let chosen = |apart: i32| {
            let mut halls = Grid::new(120, 120).unwrap();
            let walls: Vec<_> = halls.cells().filter(|cell| cell.y % 3 == 1 && cell.x % apart != 0).collect();
            halls.set_many(walls.into_iter().map(|cell| (cell, Terrain::WALL))).unwrap();
            let view = halls.view(&Agent::default());
            choose(&view.into(), &Options::default()).algorithm
        };
        assert_eq!([4, 8].map(chosen), ["astar", "jps"], "22 and 12 % of the cells are stops");
    }

    #[test]
    fn open_lists_and_weights_are_for_astar() {
        let grid = Grid::new(9, 9).unwrap();
        let view = grid.view(&Agent::default());
        let chosen = |options: Options| choose(&view.into(), &options).algorithm;
        assert_eq!(chosen(Options { queue: Some(astar::QUEUES[0]), ..Options::default() }), "astar");
        assert_eq!(chosen(Options { weight: Some(1.0), ..Options::default() }), "astar");
    }

    #[test]
    fn a_finder_chooses_again_when_the_map_has_changed() {
        let mut grid = Grid::new(64, 64).unwrap();
        let mut finder = Pathfinder::named("auto", &Options::default()).unwrap();
        let mut chosen = |grid: &Grid| {
            let [start, goal] = [Cell::new(0, 0), Cell::new(63, 63)];
            finder.find(grid.view(&Agent::default()), start, goal).unwrap();
            finder.choice().unwrap().algorithm
        };
        assert_eq!(chosen(&grid), "jps");
        grid.set(Cell::new(5, 5), Terrain::GRASS).unwrap();
        assert_eq!(chosen(&grid), "astar");
        grid.set(Cell::new(5, 5), Terrain::FLOOR).unwrap();
        assert_eq!(chosen(&grid), "jps");
    }

    /// Of a large grid nothing is computed for a short query, nor for a long one that A* soon answers, and the queries before do
    /// not matter.
    #[test]
    fn on_large_grids_astar_answers_short_questions_and_easy_ones() {
        let agent = Agent::default();
        for side in [2049, 4096] {
            let mut grid = Grid::new(side, side).unwrap();
            // A wall with one door far away: to get behind it, A* has to look at about all that is in front.
            let wall = (1..side as i32).map(|y| (Cell::new(1000, y), Terrain::WALL));
            grid.set_many(wall).unwrap();
            let bytes = grid.memory_bytes();
            let view = grid.view(&agent);
            let mut finder = Pathfinder::named("auto", &Options::default()).unwrap();
            let mut chosen = |to: (i32, i32)| {
                let path = finder.find(view, Cell::new(900, 900), Cell::new(to.0, to.1)).unwrap();
                (path.units(), finder.choice().unwrap().algorithm, finder.stats().expanded)
            };
            let astar = |(_, algorithm, _): (Cost, &'static str, u64)| algorithm == "astar";
            assert!(astar(chosen((901, 900))) && astar(chosen((891, 932))) && astar(chosen((650, 980))));
            assert_eq!(grid.memory_bytes(), bytes, "neither components nor jumps");
            let easy = chosen((900, 1900));
            let hard = chosen((1100, 1900));
            assert_eq!([easy.1, hard.1], ["astar", "jps"]);
            assert!(easy.2 < hard.2 && hard.2 > most_tries(u64::from(side).pow(2)), "the try counts");
            assert!(grid.memory_bytes() > bytes);
            assert_eq!([chosen((900, 1900)), chosen((1100, 1900))], [easy, hard]);
            let mut jumps = Pathfinder::named("jps", &Options::default()).unwrap();
            let path = jumps.find(view, Cell::new(900, 900), Cell::new(1100, 1900)).unwrap();
            assert_eq!(path.units(), hard.0);
        }
        let grid = Grid::new(2048, 2048).unwrap();
        let mut finder = Pathfinder::named("auto", &Options::default()).unwrap();
        finder.find(grid.view(&agent), Cell::new(9, 9), Cell::new(10, 9)).unwrap();
        assert_eq!(finder.choice().unwrap().algorithm, "jps", "not large");
    }

    /// In slices, and watched, as at once.
    #[test]
    fn a_try_can_be_paused_at_any_moment() {
        struct Pauses(u64);
        impl Observer for Pauses {
            fn on(&mut self, event: &Event) {
                self.0 += u64::from(event.action == Action::Close);
            }
        }
        let mut grid = Grid::new(2049, 2049).unwrap();
        grid.set_many((1..2049).map(|y| (Cell::new(1000, y), Terrain::WALL))).unwrap();
        let view = grid.view(&Agent::default());
        let [from, to] = [Cell::new(900, 200), Cell::new(1100, 300)];
        let mut finder = Pathfinder::named("auto", &Options::default()).unwrap();
        let path = finder.find(view, from, to).unwrap().clone();
        let whole = finder.stats();
        assert_eq!(finder.choice().unwrap().algorithm, "jps");
        let most = most_tries(2049 * 2049);
        for slice in [1000, most - 1, most, most + 1] {
            finder.start(view, from, &[to]);
            let mut expanded = 0;
            while finder.resume(view, slice) == Outcome::Paused {
                expanded += slice;
                assert_eq!(finder.stats().expanded, expanded);
            }
            assert_eq!((finder.path(), finder.stats().expanded), (&path, whole.expanded));
            let mut watcher = Pauses(0);
            let watched = finder.find_watched(view, from, to, &mut watcher).unwrap();
            assert_eq!(watched, &path);
            assert!(watcher.0 >= finder.stats().expanded);
        }
    }

    #[test]
    fn corridors_are_for_jumps_however_often_they_turn() {
        let grid: Grid = "
            .#...#...#.
            .#.#.#.#.#.
            .#.#.#.#.#.
            ...#...#..."
            .parse()
            .unwrap();
        let view = grid.view(&Agent::default());
        assert_eq!(choose(&view.into(), &Options::default()).algorithm, "jps");
    }
}
