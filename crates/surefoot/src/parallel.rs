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

/// How many threads there are to work on.
#[cfg(feature = "parallel")]
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// How many threads there are to work on.
#[cfg(not(feature = "parallel"))]
pub(crate) fn threads() -> usize {
    1
}

/// Lets every worker do its work, each on a thread if there are enough.
#[cfg(feature = "parallel")]
pub(crate) fn each<W: Send>(workers: &mut [W], work: impl Fn(&mut W) + Sync) {
    let work = &work;
    match workers {
        [worker] => work(worker),
        workers => rayon::scope(|scope| {
            for worker in workers {
                scope.spawn(move |_| work(worker));
            }
        }),
    }
}

/// Lets every worker do its work, one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn each<W>(workers: &mut [W], work: impl Fn(&mut W)) {
    workers.iter_mut().for_each(work);
}

/// Goes on in a thread from which [`join`] costs least.
#[cfg(feature = "parallel")]
pub(crate) fn enter<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

/// Goes on.
#[cfg(not(feature = "parallel"))]
pub(crate) fn enter<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Does two things, at once if a thread is free.
#[cfg(feature = "parallel")]
pub(crate) fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    rayon::join(first, second);
}

/// Does two things.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}
