//! Cells, voxels and points as the vectors of other crates.

use proptest::prelude::*;
use surefoot::prelude::*;

#[cfg(feature = "glam")]
mod glam_vectors {
    use super::*;
    use glam::{DVec2, DVec3, IVec2, IVec3, Vec2, Vec3};

    proptest! {
        #[test]
        fn coordinates_keep_their_order(x: i32, y: i32, z: i32, a: f32, b: f32, c: f32) {
            prop_assume!(![a, b, c].iter().any(|it| it.is_nan()));
            prop_assert_eq!(Cell::from(IVec2::new(x, y)), Cell::new(x, y));
            prop_assert_eq!(IVec2::from(Cell::new(x, y)), IVec2::new(x, y));
            prop_assert_eq!(Voxel::from(IVec3::new(x, y, z)), Voxel::new(x, y, z));
            prop_assert_eq!(IVec3::from(Voxel::new(x, y, z)), IVec3::new(x, y, z));
            // Every `f32` is an `f64`, so that nothing is lost on the way there and back.
            prop_assert_eq!(Vec3::from(Point::from(Vec3::new(a, b, c))), Vec3::new(a, b, c));
            prop_assert_eq!(Vec2::from(Point::from(Vec3::new(a, b, c))), Vec2::new(a, b));
            let [a, b, c] = [a, b, c].map(f64::from);
            prop_assert_eq!(Point::from(DVec3::new(a, b, c)), Point::new(a, b, c));
            prop_assert_eq!(Point::from(DVec2::new(a, b)), Point::flat(a, b));
            prop_assert_eq!(DVec3::from(Point::new(a, b, c)), DVec3::new(a, b, c));
            prop_assert_eq!(DVec2::from(Point::new(a, b, c)), DVec2::new(a, b));
        }
    }

    #[test]
    fn searches_take_them_as_places() {
        let mut grid = Grid::new(4, 3).unwrap();
        grid.set_frame(Frame::new(Point::flat(10.0, 20.0), 2.0).unwrap());
        let view = grid.view(&Agent::default());
        let mut finder = Pathfinder::default();
        let cells: Vec<IVec2> = finder
            .find(view, IVec2::new(0, 0), IVec2::new(3, 0))
            .unwrap()
            .cells(&grid)
            .map(IVec2::from)
            .collect();
        assert_eq!(cells, [0, 1, 2, 3].map(|x| IVec2::new(x, 0)));
        let points: Vec<Vec2> = finder
            .find(view, Vec2::new(10.5, 20.5), Vec2::new(17.9, 20.1))
            .unwrap()
            .points(view)
            .into_iter()
            .map(Vec2::from)
            .collect();
        assert_eq!(points, [11.0, 13.0, 15.0, 17.0].map(|x| Vec2::new(x, 21.0)));
    }
}

#[cfg(feature = "mint")]
mod mint_vectors {
    use super::*;
    use mint::{IntoMint, Point2, Point3, Vector2, Vector3};

    fn as_its_mint_type<T: IntoMint>(value: T) -> T::MintType {
        value.into()
    }

    proptest! {
        #[test]
        fn coordinates_keep_their_order(x: i32, y: i32, z: i32, a: f32, b: f32, c: f32) {
            prop_assume!(![a, b, c].iter().any(|it| it.is_nan()));
            prop_assert_eq!(Cell::from(Point2 { x, y }), Cell::new(x, y));
            prop_assert_eq!(Vector2::from(Cell::from(Vector2 { x, y })), Vector2 { x, y });
            prop_assert_eq!(Voxel::from(Vector3 { x, y, z }), Voxel::new(x, y, z));
            prop_assert_eq!(Point3::from(Voxel::from(Point3 { x, y, z })), Point3 { x, y, z });
            prop_assert_eq!(as_its_mint_type(Cell::new(x, y)), Point2 { x, y });
            let small = Point::from(Point3 { x: a, y: b, z: c });
            prop_assert_eq!(Vector3::<f32>::from(small), Vector3 { x: a, y: b, z: c });
            prop_assert_eq!(Point2::<f32>::from(small), Point2 { x: a, y: b });
            let [a, b, c] = [a, b, c].map(f64::from);
            prop_assert_eq!(small, Point::new(a, b, c));
            prop_assert_eq!(Point::from(Vector2 { x: a, y: b }), Point::flat(a, b));
            prop_assert_eq!(as_its_mint_type(small), Point3 { x: a, y: b, z: c });
        }
    }
}
