use std::f64::consts::FRAC_1_SQRT_2;

use proptest::prelude::*;

use super::*;
use crate::graph::Graph;

/// The definitions again, in their simplest form: whether the agent stands on a cell.
fn stands(grid: &Grid, agent: &Agent, cell: Cell) -> bool {
    let open = |cell| grid.terrain(cell).is_some_and(|terrain| !terrain.is_wall());
    let beyond = |side: u32| -1..=side as i32;
    let walls = beyond(grid.height()).flat_map(|y| beyond(grid.width()).map(move |x| Cell { x, y }));
    open(cell)
        && walls.filter(|&wall| !open(wall)).all(|wall| {
            let nearest_x = f64::from(cell.x).clamp(f64::from(wall.x) - 0.5, f64::from(wall.x) + 0.5);
            let nearest_y = f64::from(cell.y).clamp(f64::from(wall.y) - 0.5, f64::from(wall.y) + 0.5);
            let (dx, dy) = (f64::from(cell.x) - nearest_x, f64::from(cell.y) - nearest_y);
            (dx * dx + dy * dy).sqrt() >= agent.radius()
        })
}

/// The cheapest path from a cell straight to another, if there is one: units, cost, length.
fn naive_step(grid: &Grid, agent: &Agent, from: Cell, to: Cell) -> Option<(u64, f64, f64)> {
    let stands = |cell| stands(grid, agent, cell);
    if !stands(from) || !stands(to) {
        return None;
    }
    let apart = from.x.abs_diff(to.x) + from.y.abs_diff(to.y);
    let diagonal = apart == 2 && from.x != to.x && from.y != to.y;
    let sides = u32::from(stands(Cell::new(to.x, from.y))) + u32::from(stands(Cell::new(from.x, to.y)));
    let legal = apart == 1
        || diagonal
            && match agent.moves() {
                Moves::Four => false,
                _ if agent.radius() > 0.0 => sides == 2,
                Moves::Eight => sides == 2,
                Moves::EightOne => sides >= 1,
                Moves::EightFree => true,
            };
    let price = |straight: f64, length: f64| {
        let [left, entered] = [from, to].map(|cell| f64::from(grid.terrain(cell).unwrap().cost()));
        match agent.terrain_rule() {
            TerrainRule::Mean => length * (left + entered) / 2.0,
            TerrainRule::Enter => length * entered,
            TerrainRule::Add => length + straight * (entered - 1.0),
        }
    };
    let metric = &agent.metric();
    let step = legal.then(|| {
        let [straight, slanted] = [metric.straight(), metric.diagonal()].map(|cost| cost.units() as f64);
        let units = price(straight, if diagonal { slanted } else { straight }) as u64;
        let length = if diagonal { metric.diagonal_cells() } else { metric.straight_cells() };
        (units, price(metric.straight_cells(), length), if diagonal { SQRT_2 } else { 1.0 })
    });
    let ends = (grid.node(from).unwrap(), grid.node(to).unwrap());
    let links = grid.links().iter().filter(|link| (link.from, link.to) == ends);
    let ways =
        step.into_iter().chain(links.map(|link| (link.cost.units(), Scale::GRID.cells(link.cost), 0.0)));
    ways.min_by_key(|way| way.0)
}

/// What a path costs by the plain definitions, if it is legal.
fn naive_sums(grid: &Grid, agent: &Agent, path: &[Cell]) -> Option<(u64, f64, f64)> {
    if !path.first().is_some_and(|&first| stands(grid, agent, first)) {
        return None;
    }
    path.windows(2).try_fold((0, 0.0, 0.0), |sum, pair| {
        let way = naive_step(grid, agent, pair[0], pair[1])?;
        Some((sum.0 + way.0, sum.1 + way.1, sum.2 + way.2))
    })
}

/// The verdict on a path between its own endpoints, with the right totals if there are any.
fn verdict(grid: &Grid, agent: &Agent, path: &[(i32, i32)]) -> Result<(), Violation> {
    let cells: Vec<Cell> = path.iter().map(|&(x, y)| Cell::new(x, y)).collect();
    let nodes: Vec<NodeId> = cells.iter().map(|&cell| grid.node(cell).unwrap()).collect();
    let (units, cost, length) = naive_sums(grid, agent, &cells).unwrap_or_default();
    let (start, goals) = (nodes[0], &nodes[nodes.len() - 1..]);
    let units = Cost::from_units(units);
    grid_path(grid, agent, &Claim { start, goals, nodes: &nodes, units, cost, length, any_angle: false })
}

fn walker(moves: Moves, radius: f64) -> Agent {
    Agent::new().with_moves(moves).with_radius(radius).unwrap()
}

#[test]
fn each_movement_rule_has_its_corners() {
    let grid: Grid = "
        ..#.
        ...#
        ...."
        .parse()
        .unwrap();
    let past_one = |moves| verdict(&grid, &walker(moves, 0.0), &[(0, 0), (1, 0), (2, 1)]);
    let (step, from, to) = (1, Cell::new(1, 0), Cell::new(2, 1));
    let corner = Cell::new(2, 0);
    assert_eq!(past_one(Moves::Four), Err(Violation::DiagonalNotAllowed { step, from, to }));
    assert_eq!(
        past_one(Moves::Eight),
        Err(Violation::CornerCut { step, from: from.into(), to: to.into(), corner: Place::from(corner) })
    );
    assert_eq!(past_one(Moves::EightOne), Ok(()));
    assert_eq!(past_one(Moves::EightFree), Ok(()));

    let between_two = |moves| verdict(&grid, &walker(moves, 0.0), &[(2, 1), (3, 0)]);
    let (step, from, to) = (0, Cell::new(2, 1), Cell::new(3, 0));
    let cut = |corner: Cell| {
        Err(Violation::CornerCut { step, from: from.into(), to: to.into(), corner: Place::from(corner) })
    };
    assert_eq!(between_two(Moves::Four), Err(Violation::DiagonalNotAllowed { step, from, to }));
    assert_eq!(between_two(Moves::Eight), cut(Cell::new(3, 1)));
    assert_eq!(between_two(Moves::EightOne), cut(corner));
    assert_eq!(between_two(Moves::EightFree), Ok(()));
    // With a radius, however small, the agent would touch the walls.
    for moves in [Moves::Eight, Moves::EightOne, Moves::EightFree] {
        let squeezed = verdict(&grid, &walker(moves, 0.01), &[(2, 1), (3, 0)]);
        assert_eq!(squeezed, cut(Cell::new(3, 1)), "{moves}");
    }
}

#[test]
fn detours_around_corners_are_legal_for_everybody() {
    let grid: Grid = "
        ..#.
        ...."
        .parse()
        .unwrap();
    for moves in Moves::ALL {
        let detour = [(1, 0), (1, 1), (2, 1), (3, 1), (3, 0)];
        assert_eq!(verdict(&grid, &walker(moves, 0.5), &detour), Ok(()), "{moves}");
    }
}

#[test]
fn wide_agents_keep_their_distance() {
    let grid: Grid = "
        .......
        .......
        .......
        ....#..
        .......
        ......."
        .parse()
        .unwrap();
    let past = |radius, path| verdict(&grid, &walker(Moves::Eight, radius), path);
    let along = [(2, 4), (2, 3), (2, 2)];
    assert_eq!(past(1.5, &along), Ok(()));
    let too_close = |index, (x, y), clearance, needed| {
        Err(Violation::TooClose { index, place: Cell::new(x, y).into(), clearance, needed })
    };
    assert_eq!(past(1.51, &along), too_close(0, (2, 4), 1.5, 1.51));
    // The nearest corner of the wall is 1.5 columns and 0.5 rows away.
    assert_eq!(past(1.58, &[(2, 2), (2, 3)]), too_close(1, (2, 3), 1.5, 1.58));
    assert_eq!(past(1.6, &[(2, 2), (2, 3)]), too_close(0, (2, 2), 2.5_f64.sqrt(), 1.6));
    // Outside the map is wall.
    assert_eq!(past(0.51, &[(1, 1), (1, 0)]), too_close(1, (1, 0), 0.5, 0.51));
    // Cell 3,2 touches the wall's corner: floor, but too near for this agent to be passed diagonally.
    let (from, to, corner) = (Cell::new(3, 1), Cell::new(2, 2), Cell::new(3, 2));
    let cut = Violation::CornerCut { step: 0, from: from.into(), to: to.into(), corner: corner.into() };
    assert_eq!(past(FRAC_1_SQRT_2, &[(3, 1), (2, 2)]), Ok(()));
    for moves in [Moves::Eight, Moves::EightOne, Moves::EightFree] {
        assert_eq!(verdict(&grid, &walker(moves, 1.0), &[(3, 1), (2, 2)]), Err(cut.clone()), "{moves}");
    }
}

#[test]
fn walls_gaps_and_repetitions_are_reported() {
    let grid: Grid = "..#..".parse().unwrap();
    let agent = Agent::default();
    let on_wall = Violation::OnWall { index: 1, place: Cell::new(2, 0).into() };
    assert_eq!(verdict(&grid, &agent, &[(1, 0), (2, 0)]), Err(on_wall));
    let (from, to) = (Cell::new(1, 0), Cell::new(3, 0));
    let too_long = Violation::StepTooLong { step: 1, from, to };
    assert_eq!(verdict(&grid, &agent, &[(0, 0), (1, 0), (3, 0)]), Err(too_long));
    let still = Violation::StepTooLong { step: 0, from, to: from };
    assert_eq!(verdict(&grid, &agent, &[(1, 0), (1, 0)]), Err(still));
    assert_eq!(verdict(&grid, &agent, &[(1, 0)]), Ok(()));
}

#[test]
fn ends_and_numbers_are_checked() {
    let grid: Grid = "...".parse().unwrap();
    let agent = Agent::default();
    let place = |x| Place::Cell(Cell::new(x, 0));
    let node = |x| grid.node(Cell::new(x, 0)).unwrap();
    let (nodes, goals) = ([node(0), node(1)], [node(2), node(1)]);
    let claim = Claim {
        start: node(0),
        goals: &goals,
        nodes: &nodes,
        units: Cost::ONE,
        cost: 1.0,
        length: 1.0,
        any_angle: false,
    };
    assert_eq!(grid_path(&grid, &agent, &claim), Ok(()));
    let empty = Claim { nodes: &[], ..claim };
    assert_eq!(grid_path(&grid, &agent, &empty), Err(Violation::Empty));
    let late = Claim { start: node(2), ..claim };
    let wrong_start = Violation::WrongStart { found: place(0), expected: place(2) };
    assert_eq!(grid_path(&grid, &agent, &late), Err(wrong_start));
    let early = Claim { goals: &goals[..1], ..claim };
    assert_eq!(grid_path(&grid, &agent, &early), Err(Violation::WrongEnd { found: place(1) }));
    let nowhere = Claim { goals: &[], ..claim };
    assert_eq!(grid_path(&grid, &agent, &nowhere), Err(Violation::WrongEnd { found: place(1) }));
    let from_outside = Claim { start: NodeId::NONE, ..claim };
    let wrong_start = Violation::WrongStart { found: place(0), expected: Place::Node(NodeId::NONE) };
    assert_eq!(grid_path(&grid, &agent, &from_outside), Err(wrong_start));
    for number in [0, node(0).0 - 1, node(2).0 + 1, 1 << 31, u32::MAX] {
        let astray = Claim { nodes: &[node(0), NodeId(number)], ..claim };
        let outside = Violation::Outside { index: 1, node: NodeId(number) };
        assert_eq!(grid_path(&grid, &agent, &astray), Err(outside));
    }
}

#[test]
fn sums_are_checked() {
    let grid: Grid = ".2\n..".parse().unwrap();
    let agent = Agent::default();
    let nodes = [(0, 1), (0, 0), (1, 0), (0, 1)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
    let units = Cost::from_units(23_780 + 23_780 * 3 / 2 + 33_630 * 3 / 2);
    let (cost, length) = (2.5 + 1.5 * SQRT_2, 2.0 + SQRT_2);
    let claim =
        Claim { start: nodes[0], goals: &nodes[..1], nodes: &nodes, units, cost, length, any_angle: false };
    assert_eq!(grid_path(&grid, &agent, &claim), Ok(()));
    let claimed = units + Cost::from_units(1);
    let wrong = Violation::WrongUnits { claimed, found: units };
    assert_eq!(grid_path(&grid, &agent, &Claim { units: claimed, ..claim }), Err(wrong));
    for claimed in [cost + 1e-7, cost - 1e-7, -cost, f64::INFINITY] {
        let wrong = Violation::WrongCost { claimed, found: cost };
        assert_eq!(grid_path(&grid, &agent, &Claim { cost: claimed, ..claim }), Err(wrong));
        let claimed = claimed - cost + length;
        let wrong = Violation::WrongLength { claimed, found: length };
        assert_eq!(grid_path(&grid, &agent, &Claim { length: claimed, ..claim }), Err(wrong));
    }
    assert!(grid_path(&grid, &agent, &Claim { cost: f64::NAN, ..claim }).is_err());
    assert_eq!(grid_path(&grid, &agent, &Claim { cost: cost * (1.0 + 1e-10), ..claim }), Ok(()));
}

#[test]
fn terrain_rules_and_metrics_price_the_same_path_differently() {
    let grid: Grid = "13\n19".parse().unwrap();
    let nodes = [(0, 0), (1, 0), (0, 1)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
    let metric = Metric::new(10.0, 14.0).unwrap();
    let prices = [(TerrainRule::Mean, 48.0), (TerrainRule::Enter, 44.0), (TerrainRule::Add, 44.0)];
    for (terrain, cost) in prices {
        let agent = Agent::new().with_metric(metric).with_terrain_rule(terrain);
        let (units, length) = (Scale::GRID.cost(cost).unwrap(), 1.0 + SQRT_2);
        let claim = Claim {
            start: nodes[0],
            goals: &nodes[2..],
            nodes: &nodes,
            units,
            cost,
            length,
            any_angle: false,
        };
        assert_eq!(grid_path(&grid, &agent, &claim), Ok(()), "{terrain}");
    }
}

#[test]
fn the_cheapest_of_steps_and_links_counts() {
    let mut grid: Grid = "...".parse().unwrap();
    let (a, b, c) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
    let two = Cost::ONE + Cost::ONE;
    for (from, to, cost) in
        [(a, b, Cost::from_units(7)), (a, b, two), (b, c, two), (c, a, two), (b, a, Cost::ONE)]
    {
        grid.add_link(from, to, cost).unwrap();
    }
    let node = |cell| grid.node(cell).unwrap();
    let judge = |from, to, units: Cost, length| {
        let (cost, goals) = (Scale::GRID.cells(units), [node(to)]);
        let claim = Claim {
            start: node(from),
            goals: &goals,
            nodes: &[node(from), node(to)],
            units,
            cost,
            length,
            any_angle: false,
        };
        grid_path(&grid, &Agent::default(), &claim)
    };
    assert_eq!(judge(a, b, Cost::from_units(7), 0.0), Ok(()));
    assert_eq!(judge(b, c, Cost::ONE, 1.0), Ok(()));
    assert_eq!(judge(b, a, Cost::ONE, 1.0), Ok(()));
    assert_eq!(judge(c, a, two, 0.0), Ok(()));
    assert_eq!(judge(a, c, two, 0.0), Err(Violation::StepTooLong { step: 0, from: a, to: c }));
}

/// A small world with links, and an agent in it.
fn worlds() -> impl Strategy<Value = (Grid, Agent)> {
    // Wide agents need maps with few walls.
    let shapes = (1..=9_u32, 1..=9_u32, 0..5_u32);
    let grids = shapes.prop_flat_map(move |(width, height, walls)| {
        let cells = (width * height) as usize;
        let terrain = prop_oneof![walls => Just(0_u8), 12 => Just(1), 2 => 2..=255_u8];
        let terrain = prop::collection::vec(terrain, cells);
        let cost = prop::sample::select(vec![Cost::from_units(1), Cost::ONE, Cost::DIAGONAL, Cost::MAX_EDGE]);
        let links = prop::collection::vec((0..cells, 0..cells, cost), 0..4);
        (terrain, links).prop_map(move |(terrain, links)| {
            let mut grid = Grid::from_terrain(width, height, &terrain).unwrap();
            for (from, to, cost) in links {
                let [from, to] = [from, to].map(|number| grid.cells().nth(number).unwrap());
                grid.add_link(from, to, cost).unwrap();
            }
            grid
        })
    });
    let metrics = [(1.0, SQRT_2), (10.0, 14.0), (1.0, 1.0), (1.0, 2.5), (0.3, 0.37)];
    let agents = (
        prop::sample::select(Moves::ALL.to_vec()),
        prop::sample::select(vec![0.0, 0.5, 0.6, FRAC_1_SQRT_2, 1.0, 1.5, 1.6, 2.5]),
        prop::sample::select(metrics.to_vec()),
        prop::sample::select(TerrainRule::ALL.to_vec()),
    );
    let agents = agents.prop_map(|(moves, radius, (straight, diagonal), terrain)| {
        Agent::new()
            .with_moves(moves)
            .with_radius(radius)
            .unwrap()
            .with_metric(Metric::new(straight, diagonal).unwrap())
            .with_terrain_rule(terrain)
    });
    (grids, agents)
}

/// A legal walk that takes its turns from `choices`; empty if the agent can stand nowhere.
fn random_walk(grid: &Grid, agent: &Agent, choices: &[usize]) -> Vec<Cell> {
    let mut walk: Vec<Cell> = Vec::new();
    for choice in choices {
        let next: Vec<Cell> = grid
            .cells()
            .filter(|&cell| match walk.last() {
                None => stands(grid, agent, cell),
                Some(&last) => naive_step(grid, agent, last, cell).is_some(),
            })
            .collect();
        let Some(&cell) = next.get(choice % next.len().max(1)) else { break };
        walk.push(cell);
    }
    walk
}

proptest! {
    #![proptest_config(crate::random_cases::cases(512))]

    #[test]
    fn legal_walks_pass_and_spoilt_ones_do_not(
        (grid, agent) in worlds(),
        choices in prop::collection::vec(any::<usize>(), 1..15),
        (kind, place, other) in (0..7, any::<usize>(), any::<usize>()),
    ) {
        let walk = random_walk(&grid, &agent, &choices);
        prop_assume!(!walk.is_empty());
        let node = |cell: &Cell| grid.node(*cell).unwrap();
        let (units, cost, length) = naive_sums(&grid, &agent, &walk).unwrap();
        let nodes: Vec<NodeId> = walk.iter().map(node).collect();
        let (start, goals) = (nodes[0], [nodes[nodes.len() - 1]]);
        let units = Cost::from_units(units);
        let claim = Claim { start, goals: &goals, nodes: &nodes, units, cost, length, any_angle: false };
        prop_assert_eq!(grid_path(&grid, &agent, &claim), Ok(()));

        let (at, elsewhere) = (place % walk.len(), other % grid.cells().count());
        let mut spoilt = walk.clone();
        let mut false_claim = claim;
        match kind {
            0 => _ = spoilt.remove(at),
            1 => spoilt[at] = grid.cells().nth(elsewhere).unwrap(),
            2 => spoilt.insert(at, spoilt[at]),
            3 => spoilt.swap(at, other % walk.len()),
            4 => false_claim.units = Cost::from_units(units.units() ^ 1),
            5 => false_claim.cost = cost * 1.000_001 + 1e-6,
            _ => false_claim.length = length * 1.000_001 + 1e-6,
        }
        let spoilt_nodes: Vec<NodeId> = spoilt.iter().map(node).collect();
        false_claim.nodes = &spoilt_nodes;
        let sums = naive_sums(&grid, &agent, &spoilt);
        let legal = sums.is_some() && spoilt.first() == walk.first() && spoilt.last() == walk.last();
        let right = sums.is_some_and(|(units, cost, length)| {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
            false_claim.units.units() == units && close(false_claim.cost, cost) && close(false_claim.length, length)
        });
        let verdict = grid_path(&grid, &agent, &false_claim);
        prop_assert_eq!(verdict.is_ok(), legal && right, "{:?} {:?}", spoilt, verdict);
        prop_assert_eq!(verdict.is_err_and(|wrong| wrong.is_about_sums()), legal && !right, "{:?}", spoilt);
    }
}

proptest! {
    #![proptest_config(crate::random_cases::cases(64))]

    #[test]
    fn the_judge_and_the_graph_of_the_searches_know_the_same_steps((grid, agent) in worlds()) {
        let view = grid.view(&agent);
        for from in grid.cells().filter(|&cell| view.is_open(cell)) {
            for to in grid.cells() {
                let [start, goal] = [from, to].map(|cell| grid.node(cell).unwrap());
                let mut cheapest = None;
                view.for_each_edge(start, |node, cost| {
                    if node == goal && cheapest.is_none_or(|best| cost < best) {
                        cheapest = Some(cost);
                    }
                });
                let (_, cost, length) = naive_step(&grid, &agent, from, to).unwrap_or_default();
                let units = cheapest.unwrap_or_default();
                let claim = Claim { start, goals: &[goal], nodes: &[start, goal], units, cost, length, any_angle: false };
                let verdict = grid_path(&grid, &agent, &claim);
                prop_assert_eq!(verdict.is_ok(), cheapest.is_some(), "{:?} {:?} {:?}", from, to, verdict);
                prop_assert!(!verdict.is_err_and(|wrong| wrong.is_about_sums()), "{:?} {:?}", from, to);
            }
        }
    }
}

/// The verdict on lines between cells, with the sums given.
fn verdict_on_lines(
    grid: &Grid,
    agent: &Agent,
    path: &[(i32, i32)],
    sums: (u64, f64),
) -> Result<(), Violation> {
    let nodes: Vec<NodeId> = path.iter().map(|&(x, y)| grid.node(Cell::new(x, y)).unwrap()).collect();
    let (units, length) = (Cost::from_units(sums.0), sums.1);
    let (start, goals) = (nodes[0], &nodes[nodes.len() - 1..]);
    let claim = Claim { start, goals, nodes: &nodes, units, cost: length, length, any_angle: true };
    grid_path(grid, agent, &claim)
}

#[test]
fn lines_are_judged_by_the_cells_they_pass_and_the_corners_they_cut() {
    let grid: Grid = "
        ....
        .#..
        ...."
        .parse()
        .unwrap();
    let cell = Cell::new;
    let with = |moves| Agent::new().with_moves(moves);
    let (strict, one, free) = (with(Moves::Eight), with(Moves::EightOne), with(Moves::EightFree));
    // Over the edge between two cells of the upper row, then down: the root of 5, rounded up in units.
    let five = (53_174, 5.0_f64.sqrt());
    assert_eq!(verdict_on_lines(&grid, &strict, &[(1, 0), (3, 1)], five), Ok(()));
    let (from, to) = (cell(0, 0), cell(2, 1));
    let blocked =
        Violation::LineBlocked { step: 0, from: from.into(), to: to.into(), place: cell(1, 1).into() };
    assert_eq!(verdict_on_lines(&grid, &free, &[(0, 0), (2, 1)], five), Err(blocked));
    let two = (Cost::DIAGONAL.units(), SQRT_2);
    let (from, to) = (cell(1, 0), cell(2, 1));
    let cut = Violation::CornerCut { step: 0, from: from.into(), to: to.into(), corner: cell(1, 1).into() };
    assert_eq!(verdict_on_lines(&grid, &strict, &[(1, 0), (2, 1)], two), Err(cut.clone()));
    assert_eq!(verdict_on_lines(&grid, &with(Moves::Four), &[(1, 0), (2, 1)], two), Err(cut));
    assert_eq!(verdict_on_lines(&grid, &one, &[(1, 0), (2, 1)], two), Ok(()));
    assert!(verdict_on_lines(&grid, &one, &[(1, 0), (2, 1)], (33_629, SQRT_2)).is_err());
    assert_eq!(verdict_on_lines(&grid, &with(Moves::Four), &[(2, 0), (3, 1)], two), Ok(()));
    let wide = strict.with_radius(0.6).unwrap();
    assert!(matches!(
        verdict_on_lines(&grid, &wide, &[(3, 0), (3, 2)], (0, 2.0)),
        Err(Violation::TooClose { .. })
    ));
}

#[test]
fn a_line_over_two_terrains_has_no_price() {
    let grid: Grid = "..4.".parse().unwrap();
    let (from, to) = (Cell::new(0, 0), Cell::new(3, 0));
    let uneven = Violation::LineUneven { step: 0, from, to, cell: Cell::new(2, 0) };
    let three = (3 * Cost::ONE.units(), 3.0);
    assert_eq!(verdict_on_lines(&grid, &Agent::default(), &[(0, 0), (3, 0)], three), Err(uneven));
}
