//! Scenes with moving obstacles: from files, and for the page.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use surefoot::formats::{self, scene_json};
use surefoot::prelude::*;
use surefoot::scene::Scene;

use crate::limits;

/// What tells a scene from other JSON.
#[derive(Deserialize)]
struct Head {
    surefoot: Option<String>,
    search_space: Option<IgnoredAny>,
}

/// Whether a file is a scene, of either format.
pub fn is_scene(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = text.trim_ascii_start().starts_with(b"{").then(|| serde_json::from_slice::<Head>(text));
    matches!(head, Some(Ok(head)) if head.surefoot.as_deref() == Some("scene") || head.search_space.is_some())
}

/// Reads a scene within limits.
pub fn read(bytes: &[u8]) -> Result<Scene, String> {
    let scene = formats::read_scene(bytes).map_err(|error| error.to_string())?;
    limits::check_scene(&scene)?;
    Ok(scene)
}

/// The cells of what stays.
pub fn cells(scene: &Scene) -> Result<Voxels, String> {
    let mut voxels = scene.fixed_cells().map_err(|error| error.to_string())?;
    voxels.set_frame(Frame::default());
    Ok(voxels)
}

/// What moves, as text: the scene without what stays.
pub fn moving(mut scene: Scene) -> Result<Box<RawValue>, String> {
    scene.fixtures.clear();
    RawValue::from_string(scene_json::write(&scene)).map_err(|error| error.to_string())
}

/// The cells of start and goal; those nearest to them if they are outside.
pub fn ends(scene: &Scene) -> (Place, Place) {
    let place = |point| Place::Voxel(nearest(scene, point));
    (place(scene.start), place(scene.goal.position_at(0)))
}

/// The cell of the world that is nearest to a point.
pub fn nearest(scene: &Scene, point: Point) -> Voxel {
    let Voxel { x, y, z } = scene.frame.voxel_at(point);
    let inside = |at: i32, axis: usize| at.clamp(0, scene.size[axis] as i32 - 1);
    Voxel::new(inside(x, 0), inside(y, 1), inside(z, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"{"surefoot": "scene", "version": 1, "size": [8, 6, 4], "origin": [-4, -3, 0], "cell_size": 1.0,
        "start": [-3.5, 0, 0.5], "goal": {"position": [99, 0.5, 3.5]},
        "static": [{"box": [0.5, 3, 2], "position": [0.5, 0, 2]}], "obstacles": [{"sphere": 1, "position": [2, 0, 2]}]}"#;

    #[test]
    fn what_stays_becomes_cells_and_what_moves_stays_text() {
        let scene = read(SCENE.as_bytes()).unwrap();
        let voxels = cells(&scene).unwrap();
        assert_eq!(voxels.size(), [8, 6, 4]);
        assert!(voxels.cells().all(|cell| voxels.is_open(cell) == (cell.x != 4)));
        let expected = (Voxel::new(0, 3, 0).into(), Voxel::new(7, 3, 3).into());
        assert_eq!(ends(&scene), expected, "the goal is put inside");
        let moving = moving(scene).unwrap();
        let again = read(moving.get().as_bytes()).unwrap();
        assert_eq!((again.fixtures.len(), again.obstacles.len()), (0, 1));
    }

    #[test]
    fn scenes_are_told_from_worlds() {
        assert!(is_scene(SCENE.as_bytes()));
        assert!(is_scene(br#" {"search_space": {}, "start": 3}"#));
        assert!(!is_scene(br#"{"surefoot": "world", "version": 1}"#));
        assert!(!is_scene(b"{") && !is_scene(b"type octile") && !is_scene(b"[]"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |from: &str, to: &str| read(SCENE.replace(from, to).as_bytes()).unwrap_err();
        assert!(message("[8, 6, 4]", "[4096, 4096, 2]").contains("are too many for the lab"));
        assert!(message("\"sphere\": 1", "\"sphere\": -1").contains("obstacles"));
        let obstacle = r#"{"sphere": 1, "position": [2, 0, 2]}"#;
        let many = vec![obstacle; 2049].join(",");
        assert_eq!(
            message(obstacle, &many),
            "2049 obstacles are too many for the lab, expected at most 2048"
        );
    }
}
