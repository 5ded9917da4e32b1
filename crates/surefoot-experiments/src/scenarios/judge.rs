//! Checks results against the optimum and the rules.

use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::validate::{self, Claim};

use super::suite::Query;

/// The tolerance for costs: some benchmark families print two decimals.
const TOLERANCE: f64 = 0.01;

/// The result of a query, apart from its time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    pub answer: Answer,
    /// The path costs more than the optimum.
    pub suboptimal: bool,
    /// The path costs less than the optimum.
    pub cheaper: bool,
    /// The path is illegal or does not have the claimed cost.
    pub invalid: bool,
    /// A description of the problem.
    pub problem: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    /// A path, and its cost relative to the optimum.
    Path { ratio: f64 },
    /// Correctly no path.
    Unreachable,
    /// No path, although there is one.
    Unsolved,
}

/// Judges the results on one map.
pub(super) struct Judge<'a> {
    view: View<'a>,
    agent: &'a Agent,
    /// Whether the costs in files apply to this agent and this kind of map.
    files_apply: bool,
    dijkstra: Pathfinder,
}

impl<'a> Judge<'a> {
    pub fn new(view: View<'a>, agent: &'a Agent) -> Judge<'a> {
        let of_the_files = Agent::new().with_radius(agent.radius()).unwrap();
        let plain = match view {
            View::Grid(view) => {
                view.grid().most_expensive_terrain() == Terrain::FLOOR && view.grid().links().is_empty()
            }
            View::Voxels(_) => true,
            _ => false,
        };
        let files_apply = *agent == of_the_files && agent.radius() <= 0.5 && plain;
        let dijkstra = Algorithm::named("dijkstra").and_then(|it| Pathfinder::new(it, &Options::default()));
        Judge { view, agent, files_apply, dijkstra: dijkstra.expect("Dijkstra is always there") }
    }

    /// Judges the result of `finder` for a query.
    pub fn judge(&mut self, query: &Query, finder: &Pathfinder) -> Verdict {
        let optimum = self.optimum(query);
        let mut verdict = Verdict {
            answer: Answer::Unreachable,
            suboptimal: false,
            cheaper: false,
            invalid: false,
            problem: None,
        };
        let why = match finder.outcome() {
            Outcome::Found => None,
            Outcome::Unreachable(why) | Outcome::Partial(why) => Some(why),
            Outcome::Paused => Some(Why::Budget),
        };
        match (why, optimum) {
            (Some(_), None) => {}
            (Some(why), Some(optimum)) => {
                verdict.answer = Answer::Unsolved;
                verdict.problem = Some(format!("no path ({}), expected cost {optimum}", why.name()));
            }
            (None, None) => {
                verdict.answer = Answer::Path { ratio: 1.0 };
                verdict.invalid = true;
                verdict.problem = Some("found a path, expected none according to Dijkstra".to_owned());
            }
            (None, Some(optimum)) => self.judge_path(query, finder.path(), optimum, &mut verdict),
        }
        verdict
    }

    fn judge_path(&self, query: &Query, path: &Path, optimum: f64, verdict: &mut Verdict) {
        let cost = path.cost();
        verdict.suboptimal = cost > optimum + TOLERANCE;
        let below = cost < optimum - TOLERANCE;
        // Files are about steps from cell to cell: a path at any angle may well be shorter.
        verdict.cheaper = below && !path.is_any_angle();
        // Within the tolerance a file cannot tell two costs apart.
        let differs = (verdict.suboptimal || below) && optimum > 0.0;
        verdict.answer = Answer::Path { ratio: if differs { cost / optimum } else { 1.0 } };
        if verdict.suboptimal || verdict.cheaper {
            verdict.problem = Some(format!("cost {cost}, expected {optimum}"));
        }
        if let Err(violation) = self.validate(query, path) {
            verdict.invalid = true;
            verdict.problem = Some(violation);
        }
    }

    fn validate(&self, query: &Query, path: &Path) -> Result<(), String> {
        let ends = query.start.node_in(&self.view).zip(query.goal.node_in(&self.view));
        let (start, goal) = ends.ok_or("the query is outside the map")?;
        let goals = [goal];
        let claim = Claim::of(path, start, &goals);
        let verdict = validate::world_path(self.view, self.agent, &claim);
        verdict.map_err(|violation| violation.to_string())
    }

    /// Returns the cost of the cheapest path, or `None` if the goal is unreachable.
    fn optimum(&mut self, query: &Query) -> Option<f64> {
        let unknown = query.optimal == 0.0 && query.start != query.goal;
        if self.files_apply && !unknown {
            return Some(query.optimal);
        }
        self.dijkstra.find(self.view, query.start, query.goal).ok().map(Path::cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the verdict on a path over the 3 x 1 map `...`, or on none, given the expected cost.
    fn judged(start: i32, goal: i32, optimal: f64, map: &str, agent: &Agent) -> Verdict {
        let grid: Grid = map.parse().unwrap();
        let view = grid.view(agent);
        let (start, goal) = (Cell::new(start, 0), Cell::new(goal, 0));
        let query = Query::on_grid(start, goal, optimal);
        let mut finder = Pathfinder::default();
        let _ = finder.find(view, start, goal);
        Judge::new(view.into(), agent).judge(&query, &finder)
    }

    fn of_default_agent(optimal: f64, map: &str) -> Verdict {
        judged(0, 2, optimal, map, &Agent::default())
    }

    #[test]
    fn costs_are_compared_within_the_tolerance() {
        let right = of_default_agent(2.009, "...");
        assert!(!right.cheaper && !right.suboptimal && right.problem.is_none());
        assert_eq!(right.answer, Answer::Path { ratio: 1.0 });
        let low = of_default_agent(1.9, "...");
        assert!(low.suboptimal && !low.invalid);
        assert_eq!(low.answer, Answer::Path { ratio: 2.0 / 1.9 });
        assert_eq!(low.problem.as_deref(), Some("cost 2, expected 1.9"));
        assert!(of_default_agent(2.1, "...").cheaper);
    }

    #[test]
    fn a_path_at_any_angle_may_be_shorter_than_in_the_file() {
        let grid = Grid::new(5, 3).unwrap();
        let agent = Agent::default();
        let view = grid.view(&agent);
        let (start, goal) = (Cell::new(0, 0), Cell::new(4, 2));
        let optimal = 2.0 + 2.0 * std::f64::consts::SQRT_2;
        let query = Query::on_grid(start, goal, optimal);
        let mut finder = Pathfinder::named("theta", &Options::default()).unwrap();
        finder.find(view, start, goal).unwrap();
        let verdict = Judge::new(view.into(), &agent).judge(&query, &finder);
        assert!(!verdict.cheaper && !verdict.invalid && verdict.problem.is_none());
        assert_eq!(verdict.answer, Answer::Path { ratio: 20.0_f64.sqrt() / optimal });
    }

    #[test]
    fn zero_between_different_cells_is_unknown() {
        assert_eq!(of_default_agent(0.0, "...").answer, Answer::Path { ratio: 1.0 });
        assert_eq!(of_default_agent(0.0, ".#.").answer, Answer::Unreachable);
        let here = judged(1, 1, 0.0, "...", &Agent::default());
        assert_eq!((here.answer, here.problem), (Answer::Path { ratio: 1.0 }, None));
    }

    #[test]
    fn a_missing_path_is_unsolved() {
        let verdict = of_default_agent(2.0, ".#.");
        assert_eq!(verdict.answer, Answer::Unsolved);
        assert_eq!(verdict.problem.as_deref(), Some("no path (disconnected), expected cost 2"));
    }

    #[test]
    fn files_do_not_speak_about_other_agents_and_terrain() {
        assert!(!of_default_agent(1.0, ".4.").suboptimal);
        let four = Agent::new().with_moves(Moves::Four);
        assert!(!judged(0, 2, 1.0, "...", &four).suboptimal);
        let wide = Agent::new().with_radius(0.6).unwrap();
        assert_eq!(judged(0, 2, 2.0, "...", &wide).answer, Answer::Unreachable);
        let slim = Agent::new().with_radius(0.5).unwrap();
        assert!(judged(0, 2, 1.0, "...", &slim).suboptimal);
    }
}
