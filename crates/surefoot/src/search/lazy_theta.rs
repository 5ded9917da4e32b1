//! Lazy Theta* (Nash, Koenig, Tovey, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis in 3D*, AAAI 2010), in the
//! variant that puts a node whose key has risen back into the open list.
//!
//! In voxel worlds it uses jumps, trusts its heuristic slightly more than it should, and smooths the result. With 26 neighbours
//! per node, that is several times faster, and on the maps at hand the paths are no longer.

#[cfg(feature = "voxels")]
mod in_space;

use crate::search::algorithm::Algorithm;
#[cfg(feature = "voxels")]
use crate::search::algorithm::Promise;
use crate::search::any_angle;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    #[cfg(feature = "voxels")]
    promise: |options, view| match view.as_voxels() {
        Some(_) => {
            Promise::Nothing("in space it goes in jumps: close to the shortest path at any angle".to_owned())
        }
        None => any_angle::promise(options, view),
    },
    ..any_angle::algorithm(
        "lazy_theta",
        "Lazy Theta*",
        "Lazy Theta*: checks a line of sight only when its node is expanded; faster, with paths hardly longer",
        #[cfg(feature = "voxels")]
        |options| Box::new(in_space::LazyTheta::new(options)),
        #[cfg(not(feature = "voxels"))]
        |options| Box::new(any_angle::AnyAngle::<true>::with_options(options)),
    )
};
