//! Scenario files and their maps.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use surefoot::formats::scenario::{self, Scenario};
use surefoot::formats::scenario_in_space::{self, SpaceQuery, SpaceScenario};
use surefoot::formats::{FormatError, World};
use surefoot::prelude::{Place, Voxel};
use thiserror::Error;

use crate::files::{self, ReadError};

/// Why scenarios cannot be run.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The map of a query was not found.
    #[error(
        "{}: line {line}: map `{map}` not found, expected it {}",
        file.display(), expected_places(file, maps.as_deref())
    )]
    MapNotFound {
        /// The scenario file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The base name of the map.
        map: String,
        /// The additional folder that was searched.
        maps: Option<PathBuf>,
    },
    /// A query is for a map of another size.
    #[error(
        "{}: line {line}: found a query for a map of {} x {} cells, expected {} x {} as in {}",
        file.display(), said.0, said.1, size.0, size.1, map.display()
    )]
    Size {
        /// The scenario file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The number of columns and rows stated in the line.
        said: (u32, u32),
        /// The map.
        map: PathBuf,
        /// The actual number of columns and rows.
        size: (u32, u32),
    },
    /// A 3D query has an endpoint outside its map.
    #[error(
        "{}: line {line}: found cell {},{},{}, expected one of the {} x {} x {} cells of {}",
        file.display(), voxel.x, voxel.y, voxel.z, size[0], size[1], size[2], map.display()
    )]
    OutsideInSpace {
        /// The scenario file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The cell.
        voxel: Voxel,
        /// The map.
        map: PathBuf,
        /// The size of the map.
        size: [u32; 3],
    },
    /// The map is a grid and the queries are for voxel worlds, or vice versa.
    #[error("{}: found queries for {}, expected {expected}", file.display(), map.display())]
    OtherKind {
        /// The scenario file.
        file: PathBuf,
        /// The map.
        map: PathBuf,
        /// The kind of map that such queries need.
        expected: &'static str,
    },
    /// The map is a waypoint graph.
    #[error("{}: found a waypoint graph, expected a grid or a voxel map", .0.display())]
    NotCells(PathBuf),
}

fn expected_places(file: &Path, maps: Option<&Path>) -> String {
    let beside = folder_of(file);
    match maps {
        None => format!("in {}, or in a folder given with --maps", beside.display()),
        Some(maps) => format!("in {} or under {}", beside.display(), maps.display()),
    }
}

/// Which queries of a file to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Runs every Nth query of each file, starting with the first; 0 counts as 1.
    pub every: usize,
    /// The maximum number of queries of each file.
    pub limit: usize,
}

impl Default for Selection {
    /// Selects all queries.
    fn default() -> Selection {
        Selection { every: 1, limit: usize::MAX }
    }
}

/// A query and its origin.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// The index of its file in [`Suite::files`].
    pub file: usize,
    /// Its line in the file.
    pub line: usize,
    pub start: Place,
    pub goal: Place,
    /// The optimal cost according to the file.
    pub optimal: f64,
    /// The size of the map, if stated in the file.
    size: Option<(u32, u32)>,
}

#[cfg(test)]
impl Query {
    /// Creates a query for tests.
    pub fn on_grid(start: surefoot::prelude::Cell, goal: surefoot::prelude::Cell, optimal: f64) -> Query {
        Query { file: 0, line: 2, start: Place::Cell(start), goal: Place::Cell(goal), optimal, size: None }
    }
}

/// Reads a 2D or 3D scenario file: queries with the names of their maps.
fn read_queries(path: &Path, file: usize) -> Result<Vec<(String, Query)>, ReadError> {
    let bytes = files::read(path)?;
    let in_file = |error: FormatError| ReadError::from(error.in_file(path.display()));
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("3dscen")) {
        let SpaceScenario { map, queries } = scenario_in_space::read(&bytes).map_err(in_file)?;
        let query = |SpaceQuery { start, goal, optimal, line }| Query {
            file,
            line,
            start: Place::Voxel(start),
            goal: Place::Voxel(goal),
            optimal,
            size: None,
        };
        return Ok(queries.into_iter().map(|it| (map.clone(), query(it))).collect());
    }
    let query = |scenario: Scenario| {
        let Scenario { map, width, height, start, goal, optimal, line, bucket: _ } = scenario;
        let (start, goal) = (Place::Cell(start), Place::Cell(goal));
        (map, Query { file, line, start, goal, optimal, size: Some((width, height)) })
    };
    Ok(scenario::read(&bytes).map_err(in_file)?.into_iter().map(query).collect())
}

/// A map and its queries.
#[derive(Clone, Debug)]
pub(super) struct MapQueries {
    pub path: PathBuf,
    pub queries: Vec<Query>,
}

impl MapQueries {
    /// Reads the map and checks that every query fits it.
    pub fn read_world(&self, files: &[PathBuf]) -> Result<World, SuiteError> {
        let world = files::read_world(&self.path)?;
        for query in &self.queries {
            self.check(&world, query, &files[query.file])?;
        }
        Ok(world)
    }

    fn check(&self, world: &World, query: &Query, file: &Path) -> Result<(), SuiteError> {
        let (file, line, map) = (file.to_owned(), query.line, self.path.clone());
        match world {
            World::Grid(grid) => {
                let (Some(said), size) = (query.size, (grid.width(), grid.height())) else {
                    return Err(SuiteError::OtherKind { file, map, expected: "a voxel map" });
                };
                if said == size { Ok(()) } else { Err(SuiteError::Size { file, line, said, map, size }) }
            }
            World::Voxels(voxels) => {
                for place in [query.start, query.goal] {
                    let Place::Voxel(voxel) = place else {
                        return Err(SuiteError::OtherKind { file, map, expected: "a grid" });
                    };
                    if !voxels.contains(voxel) {
                        let size = voxels.size();
                        return Err(SuiteError::OutsideInSpace { file, line, voxel, map, size });
                    }
                }
                Ok(())
            }
            _ => Err(SuiteError::NotCells(map)),
        }
    }
}

/// Queries from scenario files, grouped by map, in the order of the files. Everything has been checked: files can be read, and
/// maps exist and have the stated size.
///
/// ```no_run
/// use surefoot::prelude::*;
/// use surefoot_experiments::scenarios::{Plan, Selection, Suite, run};
/// let suite = Suite::load(&["maps/arena.map.scen".into()], None, &Selection::default())?;
/// let algorithm = Algorithm::named("astar")?;
/// let plan = Plan { algorithm, options: Options::default(), agent: Agent::default(), threads: 1, memory_limit: 1 << 30 };
/// let report = run(&suite, &plan, &|| {})?;
/// println!("{} of {} solved", report.total.solved, report.total.queries);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Suite {
    pub(super) files: Vec<PathBuf>,
    pub(super) maps: Vec<MapQueries>,
}

impl Suite {
    /// Reads scenario files. Maps are searched for by base name next to each file, then in `maps` and all its subfolders.
    ///
    /// Maps are read, checked and dropped again, so that a suite of hundreds of maps fits into memory.
    pub fn load(files: &[PathBuf], maps: Option<&Path>, selection: &Selection) -> Result<Suite, SuiteError> {
        let mut suite = Suite { files: files.to_vec(), maps: Vec::new() };
        let collection = maps.map(Collection::scan).transpose()?;
        let mut place_of_map = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            let queries = read_queries(file, index)?;
            for (map, query) in queries.into_iter().step_by(selection.every.max(1)).take(selection.limit) {
                let path = find_map(file, query.line, &map, collection.as_ref())?;
                let place = *place_of_map.entry(path).or_insert_with_key(|path| {
                    suite.maps.push(MapQueries { path: path.clone(), queries: Vec::new() });
                    suite.maps.len() - 1
                });
                suite.maps[place].queries.push(query);
            }
        }
        for map in &suite.maps {
            map.read_world(files)?;
        }
        Ok(suite)
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.maps.iter().map(|map| map.queries.len()).sum()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn find_map(
    file: &Path,
    line: usize,
    map: &str,
    collection: Option<&Collection>,
) -> Result<PathBuf, SuiteError> {
    // The files were written on all kinds of systems.
    let name = map.rsplit(['/', '\\']).next().unwrap_or_default();
    let beside = folder_of(file).join(name);
    let elsewhere = || collection.and_then(|collection| collection.maps.get(name).cloned());
    let found = if beside.is_file() { Some(beside) } else { elsewhere() };
    found.ok_or_else(|| SuiteError::MapNotFound {
        file: file.to_owned(),
        line,
        map: name.to_owned(),
        maps: collection.map(|collection| collection.folder.clone()),
    })
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the files of a folder and all its subfolders, by base name.
struct Collection {
    folder: PathBuf,
    maps: BTreeMap<String, PathBuf>,
}

impl Collection {
    /// Adds a file. Of two files with the same name, the less deeply nested one is kept, then the first by path.
    fn scan(folder: &Path) -> Result<Collection, ReadError> {
        let mut maps = BTreeMap::new();
        let mut level = vec![folder.to_owned()];
        while !level.is_empty() {
            let mut below = Vec::new();
            for folder in &level {
                let failed = |error| ReadError::Io { path: folder.clone(), error };
                for entry in fs::read_dir(folder).map_err(failed)? {
                    let entry = entry.map_err(failed)?;
                    // Links to folders are not followed: they may lead round in circles.
                    if entry.file_type().map_err(failed)?.is_dir() {
                        below.push(entry.path());
                    } else if let Ok(name) = entry.file_name().into_string() {
                        maps.entry(name).or_insert_with(|| entry.path());
                    }
                }
            }
            below.sort();
            level = below;
        }
        Ok(Collection { folder: folder.to_owned(), maps })
    }
}
