//! Work on several threads where the feature `parallel` allows it; the results are the same either way.

/// Maps the numbers below `count`, each thread with memory of its own that `init` makes. The results are in order.
#[cfg(feature = "parallel")]
pub(crate) fn map<M, T: Send>(
    count: usize,
    init: impl Fn() -> M + Send + Sync,
    work: impl Fn(&mut M, usize) -> T + Send + Sync,
) -> Vec<T> {
    use rayon::prelude::*;
    (0..count).into_par_iter().map_init(init, work).collect()
}

/// Maps the numbers below `count` with memory that `init` makes. The results are in order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map<M, T>(count: usize, init: impl Fn() -> M, work: impl Fn(&mut M, usize) -> T) -> Vec<T> {
    let mut memory = init();
    (0..count).map(|number| work(&mut memory, number)).collect()
}
