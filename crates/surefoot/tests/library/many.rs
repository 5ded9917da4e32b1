//! Many questions on several threads get the answers that one finder gives in order.

use crate::common::cases;
use crate::common::run::typical_settings;
use crate::common::worlds::world;
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::prelude::*;
use surefoot::search::Answer;

/// What one finder answers, question by question.
fn one_by_one(mut finder: Pathfinder, view: View<'_>, requests: &[Request<NodeId>]) -> Vec<Answer> {
    let answer = |request: &Request<NodeId>| {
        let _ = finder.find(view, request.from, request.to);
        Answer { outcome: finder.outcome(), path: finder.path().clone(), stats: finder.stats() }
    };
    requests.iter().map(answer).collect()
}

/// Without what depends on the worker.
fn comparable(answers: &[Answer]) -> Vec<Answer> {
    let comparable = |answer: &Answer| Answer { stats: answer.stats.without_memory(), ..answer.clone() };
    answers.iter().map(comparable).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_crew_answers_like_one_finder(
        worlds in vec((world(), vec((any::<u16>(), any::<u16>()), 0..60)), 1..4),
    ) {
        let pools: Vec<rayon::ThreadPool> = [1, 2, 4]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
            .into();
        for setting in typical_settings() {
            let mut crews: Vec<(PathfinderPool, Vec<Answer>)> =
                pools.iter().map(|_| (PathfinderPool::new(setting.finder()), Vec::new())).collect();
            for (world, ends) in &worlds {
                let built = world.build();
                // Any numbers at all: walls, the border, nodes that do not exist.
                let requests: Vec<Request<NodeId>> = ends
                    .iter()
                    .map(|&(from, to)| Request { from: built.any_node(from), to: built.any_node(to) })
                    .collect();
                let expected = comparable(&one_by_one(setting.finder(), built.view(), &requests));
                for (pool, (crew, answers)) in pools.iter().zip(&mut crews) {
                    pool.install(|| crew.solve_many_into(built.view(), &requests, answers));
                    prop_assert_eq!(&comparable(answers), &expected, "{:?}", setting);
                }
                let paths = crews[2].0.solve_many(built.view(), &requests);
                for (path, expected) in paths.into_iter().zip(expected) {
                    match path {
                        Ok(path) => prop_assert_eq!(path, expected.path),
                        Err(why) => prop_assert_eq!(Outcome::Unreachable(why), expected.outcome),
                    }
                }
            }
        }
    }
}
