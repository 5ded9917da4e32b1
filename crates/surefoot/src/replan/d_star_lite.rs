//! D* Lite (Koenig and Likhachev, *D\* Lite*, AAAI 2002): searches from the goal, so the start may move.

use crate::core::method::{Method, RootMoved, TargetMoved};
use crate::core::observe::Side;
use crate::replan::solver::solver;
use crate::search::Algorithm;
use crate::search::algorithm::refusal_of_one_way;

const METHOD: Method =
    Method { side: Side::Backward, root_moved: RootMoved::StartAnew, target_moved: TargetMoved::RaiseKeys };

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    incremental: true,
    uses_weight: true,
    method: Some(METHOD),
    refusal: refusal_of_one_way,
    promise: super::solver::promise,
    ..Algorithm::plain(
        "d_star_lite",
        "D* Lite",
        "D* Lite: searches backwards from the goal and repairs the path when the world changes or the unit moves",
        |options| solver(METHOD, options),
    )
};
