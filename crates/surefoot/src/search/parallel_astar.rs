//! Bidirectional A* with one thread per side (after Rios and Chaimowicz, *PNBA\*: A Parallel Bidirectional Heuristic Search
//! Algorithm*, 2011). Unlike in theirs, each side only sees the other as of the end of the last round, so the path and all counts
//! are the same on every run and on any number of threads.

use crate::search::algorithm::{Algorithm, refusal_of_one_way};
use crate::search::two_sided::{Rhythm, TwoSided, promise};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    uses_heuristic: true,
    refusal: refusal_of_one_way,
    promise,
    ..Algorithm::plain(
        "parallel_astar",
        "Parallel A*",
        "Bidirectional A* with one thread per side: for single long paths on grids; the same path however the threads run",
        |options| Box::new(TwoSided::new(Rhythm::Together, options.heuristic.unwrap_or_default())),
    )
};
