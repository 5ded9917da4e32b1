//! The scenes that the lab offers.

use serde::Serialize;
use surefoot::formats::{World, world_json};
use surefoot::generate::{self, Kind, SpaceKind};
use surefoot::prelude::{Cell, NodeId, Voxel};

use crate::scene::{Group, Scene, places};
use crate::scenery;

/// A scene as the list shows it.
#[derive(Serialize)]
pub struct Listing {
    name: &'static str,
    title: &'static str,
    text: &'static str,
    world: &'static str,
    /// Whether something moves in it.
    moves: bool,
    /// Whether it is about a crowd.
    crowd: bool,
}

struct Entry {
    name: &'static str,
    title: &'static str,
    text: &'static str,
    source: Source,
}

/// Where a scene comes from.
enum Source {
    /// A kind of map with width, height and seed.
    Generated(Kind, u32, u32, u64),
    /// A road network with columns, rows and seed.
    Network(u32, u32, u64),
    /// A JSON world, drawn by hand, with start and goal.
    Grid(&'static str, [i32; 2], [i32; 2]),
    Graph(&'static str, u32, u32),
    /// A drawn world with a crowd: each group fills a rectangle, from its first to its last cell, and goes to a cell.
    Crowd(&'static str, &'static [[[i32; 2]; 3]]),
    /// A kind of voxel world with size, seed, start and goal.
    Space(SpaceKind, [u32; 3], u64, [[i32; 3]; 2]),
    /// A scene with moving obstacles, as its file is.
    Moving(&'static str),
}

macro_rules! drawn {
    ($name:literal) => {
        include_str!(concat!("../gallery/", $name, ".world.json"))
    };
}

macro_rules! moving {
    ($name:literal) => {
        include_str!(concat!("../gallery/", $name, ".scene.json"))
    };
}

static ENTRIES: [Entry; 23] = [
    Entry {
        name: "labyrinth",
        title: "Labyrinth",
        text: "Nested halls with one gap between each pair. The heuristic points through walls most of the time.",
        source: Source::Generated(Kind::Labyrinth, 47, 31, 3),
    },
    Entry {
        name: "maze",
        title: "Maze",
        text: "Exactly one path between any two cells: no choices, only dead ends to rule out.",
        source: Source::Generated(Kind::Maze, 61, 41, 7),
    },
    Entry {
        name: "terrain",
        title: "Terrain",
        text: "Floor costs 1, grass 4 and water 10, so the cheapest path is not the shortest.",
        source: Source::Generated(Kind::Terrain, 64, 44, 5),
    },
    Entry {
        name: "barnyard",
        title: "Barnyard",
        text: "A barn between start and goal opens towards the start. Whatever goes in has to come back out.",
        source: Source::Generated(Kind::Barnyard, 48, 32, 2),
    },
    Entry {
        name: "enclosure",
        title: "Enclosure",
        text: "The goal is in a walled yard, and the only entrance is on the far side.",
        source: Source::Generated(Kind::Enclosure, 48, 32, 4),
    },
    Entry {
        name: "empty",
        title: "Empty field",
        text: "No obstacles. How many cells does each algorithm expand anyway?",
        source: Source::Generated(Kind::Empty, 40, 26, 1),
    },
    Entry {
        name: "rooms",
        title: "Rooms",
        text: "Many rooms connected by doors.",
        source: Source::Generated(Kind::Rooms, 64, 44, 9),
    },
    Entry {
        name: "caves",
        title: "Caves",
        text: "One connected cave with bays and narrow passages. Try a larger agent.",
        source: Source::Generated(Kind::Caves, 72, 48, 6),
    },
    Entry {
        name: "trap",
        title: "The trap",
        text: "A pocket opens towards the start. A search that only looks at the distance to the goal fills it first.",
        source: Source::Grid(drawn!("trap"), [3, 8], [28, 8]),
    },
    Entry {
        name: "swamp",
        title: "The swamp",
        text: "Water at 10 per cell lies straight ahead, with dry floor around it: the fewest steps are not the cheapest path.",
        source: Source::Grid(drawn!("swamp"), [2, 8], [29, 8]),
    },
    Entry {
        name: "tunnels",
        title: "Tunnels",
        text: "Links connect distant cells. The cheapest path begins by leading away from the goal.",
        source: Source::Grid(drawn!("tunnels"), [5, 8], [26, 8]),
    },
    Entry {
        name: "highlands",
        title: "Highlands",
        text: "A pass between two ridges whose slopes cost up to 60 per cell. There is one cheap path through.",
        source: Source::Grid(drawn!("highlands"), [2, 10], [37, 11]),
    },
    Entry {
        name: "pillars",
        title: "Pillars",
        text: "Columns of different heights on a plain. Does the path go between them or over them?",
        source: Source::Space(SpaceKind::Pillars, [48, 48, 24], 11, [[0, 0, 2], [47, 47, 2]]),
    },
    Entry {
        name: "tower",
        title: "The tower",
        text: "Seven storeys of rooms. Each ceiling has one hole, always at the opposite end.",
        source: Source::Space(SpaceKind::Tower, [33, 33, 36], 23, [[28, 28, 1], [28, 28, 34]]),
    },
    Entry {
        name: "caverns",
        title: "Caverns",
        text: "Caves in solid rock. Show a slice to look inside, or show only the search.",
        source: Source::Space(SpaceKind::Caverns, [56, 56, 32], 0, [[6, 6, 6], [49, 49, 25]]),
    },
    Entry {
        name: "asteroids",
        title: "Asteroids",
        text: "Boxes of all sizes floating in space, with 26-way movement and many possible paths.",
        source: Source::Space(SpaceKind::Asteroids, [64, 64, 40], 37, [[1, 1, 1], [62, 62, 38]]),
    },
    Entry {
        name: "patrols",
        title: "Patrols",
        text: "Sixteen boxes patrol between walls while the goal moves along the far side. The path is repaired during the flight.",
        source: Source::Moving(moving!("patrols")),
    },
    Entry {
        name: "doors",
        title: "Turning doors",
        text: "Walls with rotating doors and gates that open and close. Is it faster to wait or to go around?",
        source: Source::Moving(moving!("doors")),
    },
    Entry {
        name: "sky",
        title: "Crowded sky",
        text: "A hundred boxes, spheres, capsules and crystals that cross each other's paths.",
        source: Source::Moving(moving!("sky")),
    },
    Entry {
        name: "armies",
        title: "Two armies",
        text: "Two armies of 240 units cross on a field with rocks and avoid each other. Paint a wall in their way.",
        source: Source::Crowd(
            drawn!("armies"),
            &[[[2, 8], [11, 31], [60, 20]], [[52, 8], [61, 31], [3, 20]]],
        ),
    },
    Entry {
        name: "evacuation",
        title: "Evacuation",
        text: "Three hundred units leave a hall through two doors. Wall up one of them while they do.",
        source: Source::Crowd(drawn!("evacuation"), &[[[6, 8], [25, 22], [43, 15]]]),
    },
    Entry {
        name: "towns",
        title: "Towns",
        text: "A small road network with two one-way streets and a ferry that costs less than its length.",
        source: Source::Graph(drawn!("towns"), 0, 11),
    },
    Entry {
        name: "network",
        title: "Road network",
        text: "Four hundred places connected by roads, some of them one-way.",
        source: Source::Network(25, 16, 8),
    },
];

/// All scenes, in the order in which to show them.
pub fn listings() -> Vec<Listing> {
    let listing = |entry: &Entry| Listing {
        name: entry.name,
        title: entry.title,
        text: entry.text,
        world: match entry.source {
            Source::Generated(..) | Source::Grid(..) | Source::Crowd(..) => "grid",
            Source::Network(..) | Source::Graph(..) => "graph",
            Source::Space(..) | Source::Moving(_) => "voxel",
        },
        moves: matches!(entry.source, Source::Moving(_)),
        crowd: matches!(entry.source, Source::Crowd(..)),
    };
    ENTRIES.iter().map(listing).collect()
}

/// The scene of a name; `None` if there is none.
pub fn scene(name: &str) -> Option<Result<Scene, String>> {
    let entry = ENTRIES.iter().find(|entry| entry.name == name)?;
    Some(made(entry))
}

fn made(entry: &Entry) -> Result<Scene, String> {
    let shown = |world: World, ends| Scene::new(entry.title, entry.text, &world, ends);
    match entry.source {
        Source::Generated(kind, width, height, seed) => {
            let scene = generate::generate_with_endpoints(kind, width, height, seed)
                .map_err(|error| error.to_string())?;
            shown(scene.grid.into(), scene.endpoints.map(places))
        }
        Source::Network(columns, rows, seed) => {
            let graph = generate::network(columns, rows, seed).map_err(|error| error.to_string())?;
            let ends = generate::endpoints_in_graph(&graph).map(places);
            shown(graph.into(), ends)
        }
        Source::Space(kind, size, seed, ends) => {
            let voxels = generate::generate_in_space(kind, size, seed).map_err(|error| error.to_string())?;
            let [start, goal] = ends.map(|[x, y, z]| Voxel::new(x, y, z));
            shown(voxels.into(), Some(places((start, goal))))
        }
        Source::Moving(text) => Scene::moving(entry.title, entry.text, scenery::read(text.as_bytes())?),
        Source::Grid(text, start, goal) => {
            let cell = |[x, y]: [i32; 2]| Cell::new(x, y);
            shown(read(text)?, Some(places((cell(start), cell(goal)))))
        }
        Source::Crowd(text, groups) => {
            let ends = groups.first().map(|&[first, _, goal]| [first, goal].map(|[x, y]| Cell::new(x, y)));
            let scene = shown(read(text)?, ends.map(|[start, goal]| places((start, goal))))?;
            Ok(scene.with_crowd(groups.iter().map(group).collect()))
        }
        Source::Graph(text, start, goal) => shown(read(text)?, Some(places((NodeId(start), NodeId(goal))))),
    }
}

/// A group that fills a rectangle.
fn group(&[[left, top], [right, bottom], goal]: &[[i32; 2]; 3]) -> Group {
    let row = |y: i32| (left..=right).map(move |x| [f64::from(x) + 0.5, f64::from(y) + 0.5]);
    Group { at: (top..=bottom).flat_map(row).collect(), goal }
}

fn read(text: &str) -> Result<World, String> {
    world_json::read(text.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use surefoot::prelude::Voxels;

    use super::*;

    /// FNV-1a over the cells in the order of their numbers, 1 for solid and 0 for open.
    fn digest(voxels: &Voxels) -> u64 {
        let mix = |hash: u64, solid: bool| (hash ^ u64::from(solid)).wrapping_mul(0x0100_0000_01b3);
        voxels.cells().map(|cell| !voxels.is_open(cell)).fold(0xcbf2_9ce4_8422_2325, mix)
    }

    #[test]
    fn voxel_worlds_stay_as_they_are() {
        let expected = [
            ("pillars", [48, 48, 24], 0x7614_d657_b148_1795),
            ("tower", [33, 33, 36], 0x721f_ac10_4b18_0825),
            ("caverns", [56, 56, 32], 0xefd9_9a02_8b0d_d206),
            ("asteroids", [64, 64, 40], 0xac3b_04ec_6e3a_5166),
        ];
        let found = expected.map(|(name, ..)| {
            let scene = serde_json::to_value(scene(name).unwrap().unwrap()).unwrap();
            let World::Voxels(voxels) = read(&scene["world"].to_string()).unwrap() else {
                panic!("{name} is no voxel world")
            };
            let open = |place: &Value| {
                let [x, y, z] = serde_json::from_value(place.clone()).unwrap();
                voxels.is_open(Voxel::new(x, y, z))
            };
            assert!(open(&scene["start"]) && open(&scene["goals"][0]), "{name}: the ends are open");
            (name, voxels.size(), digest(&voxels))
        });
        assert_eq!(found, expected, "{found:#x?}");
    }
}
