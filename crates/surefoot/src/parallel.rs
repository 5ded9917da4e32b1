//! Work on several threads where the feature `parallel` allows it; the results are the same either way.

use std::ops::{Deref, DerefMut};

/// A value of very many parts, such as a list of lists, which takes long to drop. That happens on another thread, so that ending long work
/// early takes no longer than noticing that it has to end.
#[derive(Debug, Default)]
pub(crate) struct Bulky<T: Default + Send + 'static>(T);

impl<T: Default + Send + 'static> From<T> for Bulky<T> {
    fn from(value: T) -> Bulky<T> {
        Bulky(value)
    }
}

impl<T: Default + Send + 'static> Deref for Bulky<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Default + Send + 'static> DerefMut for Bulky<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Default + Send + 'static> Drop for Bulky<T> {
    fn drop(&mut self) {
        drop_elsewhere(std::mem::take(&mut self.0));
    }
}

#[cfg(feature = "parallel")]
fn drop_elsewhere(value: impl Send + 'static) {
    rayon::spawn(move || drop(value));
}

#[cfg(not(feature = "parallel"))]
fn drop_elsewhere<T>(value: T) {
    drop(value);
}

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

/// Works on parts of a list, each with memory of its own. `work` gets the number of the first item of its part; all parts but the last have `size` items. There has to be
/// as much memory as there are parts.
#[cfg(feature = "parallel")]
pub(crate) fn parts<T: Send, M: Send>(
    list: &mut [T],
    memory: &mut [M],
    size: usize,
    work: impl Fn(usize, &mut [T], &mut M) + Sync,
) {
    use rayon::prelude::*;
    if list.len() <= size {
        if let Some(memory) = memory.first_mut() {
            work(0, list, memory);
        }
        return;
    }
    let parts = list.par_chunks_mut(size).zip(memory.par_iter_mut()).enumerate();
    parts.for_each(|(part, (items, memory))| work(part * size, items, memory));
}

/// Works on parts of a list, one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn parts<T, M>(
    list: &mut [T],
    memory: &mut [M],
    size: usize,
    work: impl Fn(usize, &mut [T], &mut M),
) {
    for (part, (items, memory)) in list.chunks_mut(size).zip(memory).enumerate() {
        work(part * size, items, memory);
    }
}

/// Continues in a thread in which [`join`] costs least.
#[cfg(feature = "parallel")]
pub(crate) fn enter<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| work())
}

/// Continues.
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

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::thread::{self, ThreadId};

    use super::Bulky;

    /// Reports which thread drops it.
    #[derive(Default)]
    struct Part(Option<Sender<ThreadId>>);

    impl Drop for Part {
        fn drop(&mut self) {
            if let Some(sender) = &self.0 {
                sender.send(thread::current().id()).unwrap();
            }
        }
    }

    #[test]
    fn a_list_of_many_parts_is_dropped_on_another_thread() {
        let (sender, receiver) = channel();
        let list: Bulky<Vec<Part>> = (0..3).map(|_| Part(Some(sender.clone()))).collect::<Vec<_>>().into();
        assert_eq!(list.len(), 3);
        drop((list, sender));
        let dropped_by: Vec<ThreadId> = receiver.iter().collect();
        assert_eq!(dropped_by.len(), 3);
        assert!(dropped_by.iter().all(|thread| *thread != thread::current().id()));
    }
}
