//! Moving Target D* Lite (Sun, Yeoh and Koenig, *Moving Target D\* Lite*, AAMAS 2010): searches from the start, and
//! both endpoints may move. When the start moves, every node whose path does not lead through the new start is
//! forgotten at once.

use crate::core::method::{Method, RootMoved, TargetMoved};
use crate::core::observe::Side;
use crate::replan::solver::solver;
use crate::search::Algorithm;
use crate::search::algorithm::refusal_of_one_way;

const METHOD: Method =
    Method { side: Side::Forward, root_moved: RootMoved::Delete, target_moved: TargetMoved::RaiseKeys };

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    incremental: true,
    moving_target: true,
    uses_weight: true,
    method: Some(METHOD),
    refusal: refusal_of_one_way,
    promise: super::solver::promise,
    ..Algorithm::plain(
        "mt_d_star_lite",
        "MT-D* Lite",
        "Moving Target D* Lite: like the basic variant, but deletes at once what is no longer in the unit's search tree",
        |options| solver(METHOD, options),
    )
};
