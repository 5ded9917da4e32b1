//! Bidirectional A* on one thread: the side with fewer open nodes is expanded next.

use crate::search::algorithm::{Algorithm, refusal_of_one_way};
use crate::search::two_sided::{Rhythm, TwoSided, promise};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    uses_heuristic: true,
    refusal: refusal_of_one_way,
    promise,
    ..Algorithm::plain(
        "bidirectional",
        "Bidirectional A*",
        "Bidirectional A*: searches from the start and from the goal until no cheaper meeting point is possible",
        |options| Box::new(TwoSided::new(Rhythm::InTurns, options.heuristic.unwrap_or_default())),
    )
};
