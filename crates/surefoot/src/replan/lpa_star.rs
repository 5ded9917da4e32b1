//! LPA* (Koenig, Likhachev and Furcy, *Lifelong Planning A\**, Artificial Intelligence 155, 2004): start and goal stay
//! where they are, the world changes.

use crate::core::method::{Method, RootMoved, TargetMoved};
use crate::core::observe::Side;
use crate::replan::solver::solver;
use crate::search::Algorithm;
use crate::search::algorithm::refusal_of_one_way;

const METHOD: Method =
    Method { side: Side::Forward, root_moved: RootMoved::StartAnew, target_moved: TargetMoved::StartAnew };

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    incremental: true,
    uses_weight: true,
    method: Some(METHOD),
    refusal: refusal_of_one_way,
    promise: super::solver::promise,
    ..Algorithm::plain(
        "lpa_star",
        "LPA*",
        "Lifelong Planning A*: repairs the path between a fixed start and a fixed goal when the world changes",
        |options| solver(METHOD, options),
    )
};
