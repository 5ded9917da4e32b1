//! A world with a question to ask about it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use surefoot::formats::World;
use surefoot::generate::{self, Kind};
use surefoot::prelude::*;

use crate::limits;
use crate::recordings::Recording;
use crate::{scenery, worlds};

/// A scene as JSON shows it.
#[derive(Serialize)]
pub struct Scene {
    title: String,
    text: String,
    world: Box<RawValue>,
    start: Option<Place>,
    goals: Vec<Place>,
    /// What moves, if anything does.
    #[serde(rename = "scene")]
    moving: Option<Box<RawValue>>,
    /// The groups of a crowd that is to be seen in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    crowd: Option<Vec<Group>>,
    /// A flight through it that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    flight: Option<Recording>,
}

/// A group of a crowd: where its units begin, in cells, and the cell where they are to go.
#[derive(Serialize)]
pub struct Group {
    pub at: Vec<[f64; 2]>,
    pub goal: [i32; 2],
}

impl Scene {
    pub fn new(
        title: &str,
        text: &str,
        world: &World,
        ends: Option<(Place, Place)>,
    ) -> Result<Scene, String> {
        Ok(Scene {
            title: title.to_owned(),
            text: text.to_owned(),
            world: worlds::to_json(world)?,
            start: ends.map(|(start, _)| start),
            goals: ends.map(|(_, goal)| goal).into_iter().collect(),
            moving: None,
            crowd: None,
            flight: None,
        })
    }

    /// The same with a crowd.
    pub fn with_crowd(self, groups: Vec<Group>) -> Scene {
        Scene { crowd: Some(groups), ..self }
    }

    /// A map made from a seed.
    pub fn generated(kind: Kind, width: u32, height: u32, seed: u64) -> Result<Scene, String> {
        limits::check_grid(width, height)?;
        let scene = generate::generate_with_endpoints(kind, width, height, seed)
            .map_err(|error| error.to_string())?;
        let name = kind.name();
        let title = format!("{}{}, seed {seed}", name[..1].to_uppercase(), &name[1..]);
        Scene::new(&title, &sentence(kind.summary()), &scene.grid.into(), scene.endpoints.map(places))
    }

    /// A scene with moving obstacles.
    pub fn moving(title: &str, text: &str, scene: surefoot::scene::Scene) -> Result<Scene, String> {
        let (cells, ends) = (scenery::cells(&scene)?, scenery::ends(&scene));
        let made = Scene::new(title, text, &cells.into(), Some(ends))?;
        Ok(Scene { moving: Some(scenery::moving(scene)?), ..made })
    }

    /// A scene file that was opened.
    pub fn opened_moving(name: &str, scene: surefoot::scene::Scene) -> Result<Scene, String> {
        let ([x, y, z], obstacles) = (scene.size, scene.obstacles.len());
        let what = if obstacles == 1 { "obstacle" } else { "obstacles" };
        Scene::moving(name, &format!("{x} x {y} x {z} cells, {obstacles} moving {what}."), scene)
    }

    /// A recorded flight that was opened.
    pub fn recorded(name: &str, scene: surefoot::scene::Scene, flight: Recording) -> Result<Scene, String> {
        Ok(Scene { flight: Some(flight), ..Scene::opened_moving(name, scene)? })
    }

    /// A file that was opened.
    pub fn opened(name: &str, world: &World) -> Result<Scene, String> {
        let (text, ends) = match world {
            World::Grid(grid) => {
                (format!(", {} of them open", grid.open_cells()), generate::endpoints(grid, 0).map(places))
            }
            World::Voxels(voxels) => {
                let open = voxels.open_cells();
                (format!(", {open} of them open"), generate::endpoints_in_space(voxels).map(places))
            }
            World::Graph(graph) => (String::new(), generate::endpoints_in_graph(graph).map(places)),
            _ => (String::new(), None),
        };
        let text = format!("{}{text}.", world.extent());
        Scene::new(name, &text, world, ends)
    }
}

impl IntoResponse for Scene {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Begins with a capital, ends with a full stop.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// The ends of a question as places.
pub fn places<T: Into<Place>>((start, goal): (T, T)) -> (Place, Place) {
    (start.into(), goal.into())
}
