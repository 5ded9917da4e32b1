//! Basic Moving Target D* Lite (Sun, Yeoh and Koenig, *Moving Target D\* Lite*, AAMAS 2010): searches from the start,
//! and both endpoints may move. The tree below the old start becomes more expensive node by node.

use crate::core::method::{Method, RootMoved, TargetMoved};
use crate::core::observe::Side;
use crate::replan::solver::solver;
use crate::search::Algorithm;
use crate::search::algorithm::refusal_of_one_way;

const METHOD: Method =
    Method { side: Side::Forward, root_moved: RootMoved::Repair, target_moved: TargetMoved::RaiseKeys };

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    incremental: true,
    moving_target: true,
    uses_weight: true,
    method: Some(METHOD),
    refusal: refusal_of_one_way,
    promise: super::solver::promise,
    ..Algorithm::plain(
        "basic_mt_d_star_lite",
        "Basic MT-D* Lite",
        "Basic Moving Target D* Lite: repairs the path when the world changes or when the unit or its target moves",
        |options| solver(METHOD, options),
    )
};
