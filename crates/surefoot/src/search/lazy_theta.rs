//! Lazy Theta* (Nash, Koenig, Tovey, *Lazy Theta\*: Any-Angle Path Planning and Path Length Analysis in 3D*, AAAI 2010), in the
//! variant that puts a node whose key has risen back into the open list.

use crate::search::any_angle::{self, AnyAngle};
use crate::search::registry::Algorithm;

pub(crate) const ALGORITHM: Algorithm = any_angle::algorithm(
    "lazy_theta",
    "Lazy Theta*",
    "Theta* that looks whether a line is free only when it matters: faster, and paths hardly longer",
    |options| Box::new(AnyAngle::<true>::new(options)),
);
