//! Plans made by hand, each wrong in one way.

use super::*;
use crate::agent::Moves;

fn at(grid: &Grid, places: &[(i32, i32)]) -> Vec<NodeId> {
    places.iter().map(|&(x, y)| grid.node(Cell::new(x, y)).unwrap()).collect()
}

/// Judges a plan whose first time has the starts and whose last time has the goals.
fn judge(
    map: &str,
    moves: Moves,
    agents: usize,
    places: &[(i32, i32)],
    sum: u64,
) -> Result<(), JointViolation> {
    let grid: Grid = map.parse().unwrap();
    let nodes = at(&grid, places);
    let goals: Vec<Option<NodeId>> = nodes[nodes.len() - agents..].iter().copied().map(Some).collect();
    let claim = JointClaim { starts: &nodes[..agents], goals: &goals, nodes: &nodes, sum_of_costs: sum };
    joint_plan(&grid, &Agent::new().with_moves(moves), &claim)
}

fn problem(map: &str, agents: usize, places: &[(i32, i32)]) -> String {
    let moves = if places.len() > 2 * agents { Moves::Four } else { Moves::Eight };
    judge(map, moves, agents, places, u64::MAX).unwrap_err().to_string()
}

const HALL: &str = "...\n...\n...";

#[test]
fn a_legal_plan_is_accepted_with_its_sum_only() {
    // One goes round the other, which leaves its goal and comes back.
    let places = [(0, 0), (1, 0), (0, 0), (1, 1), (0, 0), (1, 0), (0, 0), (1, 0), (1, 0), (2, 0)];
    assert_eq!(judge("...\n...", Moves::Four, 2, &places, 4 + 4), Ok(()));
    let claimed = judge("...\n...", Moves::Four, 2, &places, 7);
    assert_eq!(claimed, Err(JointViolation::WrongSum { claimed: 7, found: 8 }));
}

#[test]
fn an_agent_that_comes_back_counts_until_then() {
    let places = [(0, 0), (1, 0), (0, 0), (0, 0)];
    assert_eq!(judge("..", Moves::Four, 1, &places, 3 - 1), Ok(()));
    assert_eq!(judge("..", Moves::Four, 1, &places[..1], 0), Ok(()));
}

#[test]
fn collisions_are_found_at_every_time() {
    assert_eq!(problem(HALL, 2, &[(0, 0), (0, 0)]), "agents 0 and 1 are both on 0,0 at time 0");
    let meeting = [(0, 0), (2, 0), (1, 0), (1, 0)];
    assert_eq!(problem(HALL, 2, &meeting), "agents 0 and 1 are both on 1,0 at time 1");
}

#[test]
fn swaps_are_found_straight_and_diagonal() {
    let text = "agents 0 and 1 change places in step 0, at 0,0 and 1,0";
    assert_eq!(problem(HALL, 2, &[(0, 0), (1, 0), (1, 0), (0, 0)]), text);
    let text = "agents 0 and 1 change places in step 0, at 0,0 and 1,1";
    assert_eq!(problem(HALL, 2, &[(0, 0), (1, 1), (1, 1), (0, 0)]), text);
    // A ring may turn.
    let ring = [(0, 0), (1, 0), (1, 1), (0, 1), (1, 0), (1, 1), (0, 1), (0, 0)];
    assert_eq!(judge("..\n..", Moves::Four, 4, &ring, 4), Ok(()));
}

#[test]
fn steps_of_single_agents_are_judged() {
    let jump = [(0, 0), (2, 0)];
    assert_eq!(
        problem(HALL, 1, &jump),
        "agent 0: step 0 from 0,0 to 2,0 leads neither to a neighbour nor along a link"
    );
    let diagonal = judge(HALL, Moves::Four, 1, &[(0, 0), (1, 1)], 1).unwrap_err().to_string();
    assert_eq!(diagonal, "agent 0: step 0 from 0,0 to 1,1 is diagonal, expected straight steps only");
    let cut = problem(".#\n..", 1, &[(0, 0), (1, 1)]);
    assert_eq!(cut, "agent 0: step 0 from cell 0,0 to cell 1,1 cuts the corner at cell 1,0");
    assert_eq!(problem(".#", 1, &[(0, 0), (1, 0)]), "agent 0: node 1 of the path is on the wall at cell 1,0");
}

#[test]
fn diagonals_may_not_cross() {
    let crossing = [(0, 0), (1, 0), (1, 1), (0, 1)];
    assert_eq!(problem(HALL, 2, &crossing), "the diagonal steps of agents 0 and 1 cross in step 0");
    let crossing = [(0, 0), (0, 1), (1, 1), (1, 0)];
    assert_eq!(problem(HALL, 2, &crossing), "the diagonal steps of agents 0 and 1 cross in step 0");
}

#[test]
fn diagonals_may_not_pass_agents() {
    let text = "agent 0 steps diagonally past agent 1 on 1,0 in step 0";
    for (before, after, case) in
        [((1, 0), (1, 0), "waits"), ((2, 0), (1, 0), "enters"), ((1, 0), (2, 0), "leaves")]
    {
        assert_eq!(problem(HALL, 2, &[(0, 0), before, (1, 1), after]), text, "{case}");
    }
    // One behind the other, they may.
    assert_eq!(judge(HALL, Moves::Eight, 2, &[(0, 0), (1, 1), (1, 1), (2, 2)], 2), Ok(()));
    // Two diagonals may pass the same empty cell.
    let shared = [(0, 0), (2, 0), (1, 1), (2, 0)];
    assert_eq!(judge(HALL, Moves::Eight, 2, &shared, 1), Ok(()));
    let shared = [(0, 1), (2, 1), (1, 0), (1, 2)];
    assert_eq!(judge(HALL, Moves::Eight, 2, &shared, 2), Ok(()));
}

#[test]
fn starts_goals_and_counts_are_judged() {
    let grid: Grid = "...".parse().unwrap();
    let nodes = at(&grid, &[(0, 0), (1, 0)]);
    let [a, b] = [nodes[0], nodes[1]];
    let agent = Agent::default();
    let claim = JointClaim { starts: &[a], goals: &[Some(b)], nodes: &nodes, sum_of_costs: 1 };
    assert_eq!(joint_plan(&grid, &agent, &claim), Ok(()));
    let verdict = |claim: JointClaim<'_>| joint_plan(&grid, &agent, &claim).unwrap_err().to_string();
    assert_eq!(
        verdict(JointClaim { starts: &[b], ..claim }),
        "agent 0: the path starts at cell 0,0, not at cell 1,0"
    );
    assert_eq!(
        verdict(JointClaim { goals: &[Some(a)], ..claim }),
        "agent 0: the path ends at cell 1,0, which is not a goal"
    );
    assert_eq!(
        verdict(JointClaim { nodes: &[], ..claim }),
        "the plan has 1 starts, 1 goals and 0 nodes: expected as many starts as goals, and all agents at each time"
    );
    assert!(verdict(JointClaim { goals: &[], ..claim }).contains("0 goals"));
    assert!(verdict(JointClaim { nodes: &[a, NodeId(99)], ..claim }).contains("there is no node 99"));
    assert_eq!(joint_plan(&grid, &agent, &JointClaim { goals: &[None], sum_of_costs: 0, ..claim }), Ok(()));
    let nobody = JointClaim { starts: &[], goals: &[], nodes: &[], sum_of_costs: 0 };
    assert_eq!(joint_plan(&grid, &agent, &nobody), Ok(()));
}
