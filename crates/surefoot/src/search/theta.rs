//! Theta* (Nash, Daniel, Koenig, Felner, *Theta\*: Any-Angle Path Planning on Grids*, AAAI 2007).

use crate::search::algorithm::Algorithm;
use crate::search::any_angle::{self, AnyAngle};

pub(crate) const ALGORITHM: Algorithm = any_angle::algorithm(
    "theta",
    "Theta*",
    "Theta*: A* that goes straight to any node in line of sight; any-angle paths, close to the shortest and never longer than A*'s",
    |options| Box::new(AnyAngle::<false>::with_options(options)),
);
