//! Flow fields against costs worked out from definitions, after any edits, and what they say when a question makes no sense.

use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::field::{Extent, FieldCache, FieldError, FlowField, Goal, StepKind, Update};
use surefoot::prelude::*;
use surefoot::world::waypoints::EdgeId;

use crate::common::cases;
use crate::common::edits::{Edit, apply, apply_in_space, edit};
use crate::common::oracle::Oracle;
use crate::common::worlds::{Built, World, world};

/// What it costs to get from each node to the nearest goal: edges are relaxed until nothing changes.
fn costs_to(oracle: &Oracle, goals: &[(NodeId, u64)]) -> Vec<Option<u64>> {
    let mut costs: Vec<Option<u64>> = vec![None; oracle.edges.len()];
    for &(goal, cost) in goals {
        let known = &mut costs[goal.index()];
        *known = Some(known.map_or(cost, |known| known.min(cost)));
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        // Backwards first, since most costs are passed on to nodes with lower numbers or to ones with higher.
        for from in oracle.nodes.iter().rev().chain(&oracle.nodes) {
            for &(to, step) in &oracle.edges[from.index()] {
                let Some(through) = costs[to.index()].map(|cost| cost + step) else { continue };
                if costs[from.index()].is_none_or(|known| through < known) {
                    costs[from.index()] = Some(through);
                    has_changed = true;
                }
            }
        }
    }
    costs
}

fn cost_in(costs: &[Option<u64>], node: NodeId) -> Option<u64> {
    costs.get(node.index()).copied().flatten()
}

/// Random goals: mostly places to stand, some with a starting value.
fn goals() -> impl Strategy<Value = Vec<(u16, bool, u64)>> {
    let cost =
        prop_oneof![3 => Just(0), 1 => 0..400_000_u64, 1 => (0..90_u64).prop_map(|cells| cells * 11_890)];
    vec((any::<u16>(), proptest::bool::weighted(0.1), cost), 1..4)
}

/// The goals as the library takes them.
fn take(raw: &[(u16, bool, u64)], world: &World, built: &Built, oracle: &Oracle) -> Vec<Goal> {
    let goals = raw.iter().filter_map(|&(number, anywhere, cost)| {
        let anywhere = match (world, built) {
            (World::Grid(world), Built::Grid(grid, _)) if anywhere => grid.node(world.cell(number)),
            (World::Voxels(world), Built::Voxels(voxels, _)) if anywhere => voxels.node(world.cell(number)),
            _ => None,
        };
        let node = anywhere.or_else(|| oracle.some_node(number))?;
        Some(Goal { node, cost: Cost::from_units(cost) })
    });
    goals.collect()
}

/// Nodes that there may or may not be.
fn all_nodes(oracle: &Oracle) -> impl Iterator<Item = NodeId> + use<> {
    (0..oracle.edges.len() as u32 + 9).chain([u32::MAX - 1, u32::MAX]).map(NodeId)
}

/// What a field says of a world agrees with the definitions.
fn judge(
    field: &FlowField,
    goals: &[Goal],
    world: &World,
    oracle: &Oracle,
    limit: Option<u64>,
) -> Result<Vec<Option<u64>>, TestCaseError> {
    prop_assert_eq!(field.goals().iter().map(|placed| placed.goal).collect::<Vec<_>>(), goals);
    for placed in field.goals() {
        let goal = placed.goal.node;
        if oracle.can_stand(goal) {
            prop_assert_eq!(placed.at, Some(goal));
        } else if let World::Grid(world) = world {
            let numbers = Grid::new(world.width, world.height).unwrap();
            let distance = |node: NodeId| {
                let (a, b) = (numbers.cell(goal), numbers.cell(node));
                (a.x - b.x).pow(2) + (a.y - b.y).pow(2)
            };
            let nearest = oracle.nodes.iter().copied().min_by_key(|&node| (distance(node), node));
            prop_assert_eq!(placed.at, nearest);
        } else {
            prop_assert!(placed.at.map_or(oracle.nodes.is_empty(), |at| oracle.can_stand(at)));
        }
    }
    let starts: Vec<(NodeId, u64)> = field
        .goals()
        .iter()
        .filter_map(|placed| placed.at.map(|at| (at, placed.goal.cost.units())))
        .collect();
    let costs = costs_to(oracle, &starts);
    let within = |node| cost_in(&costs, node).filter(|&cost| limit.is_none_or(|limit| cost <= limit));
    for node in all_nodes(oracle) {
        prop_assert_eq!(field.cost(node).map(Cost::units), within(node), "cost of {:?}", node);
        prop_assert_eq!(field.reaches(node), within(node).is_some());
        let Some(step) = field.step(node) else {
            let is_goal = starts.iter().any(|&(goal, cost)| goal == node && within(node) == Some(cost));
            prop_assert!(within(node).is_none() || is_goal, "no step from {:?}", node);
            prop_assert_eq!(field.is_goal(node), is_goal);
            continue;
        };
        prop_assert_eq!(field.next(node), Some(step.to));
        if step.kind == StepKind::Escape {
            prop_assert!(!oracle.can_stand(node) && within(step.to).is_some());
            continue;
        }
        let (here, there) = (within(node).unwrap(), within(step.to).unwrap());
        prop_assert!(
            oracle.edges[node.index()].contains(&(step.to, here - there)),
            "{:?} to {:?}",
            node,
            step
        );
        if let World::Grid(world) = world {
            let is_link = world.links.iter().any(|link| {
                let numbers = Grid::new(world.width, world.height).unwrap();
                numbers.node(link.from) == Some(node)
                    && numbers.node(link.to) == Some(step.to)
                    && link.cost == here - there
            });
            prop_assert!(step.kind == StepKind::Walk || is_link);
            prop_assert_eq!(step.kind == StepKind::Link, field.directions(node).count() == 0);
        }
    }
    Ok(costs)
}

/// Two fields are the same to anyone who asks.
fn assert_same(one: &FlowField, other: &FlowField, oracle: &Oracle) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.goals(), other.goals());
    for node in all_nodes(oracle) {
        prop_assert_eq!(one.cost(node), other.cost(node), "cost of {:?}", node);
        prop_assert_eq!(one.step(node), other.step(node), "step from {:?}", node);
        prop_assert!(one.directions(node).eq(other.directions(node)), "directions at {:?}", node);
    }
    Ok(())
}

/// Edits a world and its data.
fn change(edit: &Edit, world: &mut World, built: &mut Built) {
    match (world, built) {
        (World::Grid(world), Built::Grid(grid, _)) => apply(edit, world, grid),
        (World::Voxels(world), Built::Voxels(voxels, _)) => apply_in_space(edit, world, voxels),
        (World::Graph(world), Built::Graph(graph)) if !world.edges.is_empty() => {
            let (number, cost) = match *edit {
                Edit::Set(number, terrain) => (number, u64::from(terrain) * 9_000),
                Edit::Fill(number, _, terrain) => (number, u64::from(terrain)),
                Edit::Link(number, _, cost) => (number, cost),
                Edit::Unlink(number) => (number, 0),
            };
            let number = usize::from(number) % world.edges.len();
            let edge = &mut world.edges[number];
            edge.closed = cost == 0;
            if cost > 0 {
                edge.cost = cost;
            }
            graph.set_edge(EdgeId(number as u32), (cost > 0).then(|| Cost::from_units(cost))).unwrap();
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn costs_are_those_of_the_cheapest_paths_and_every_step_is_on_one(world in world(), raw in goals()) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let field = FlowField::of(built.view(), &goals).unwrap();
        prop_assert!(field.is_current(built.view()));
        let costs = judge(&field, &goals, &world, &oracle, None)?;
        let starts: Vec<NodeId> = field.goals().iter().filter_map(|placed| placed.at).collect();
        for &node in oracle.nodes.iter().step_by(1 + oracle.nodes.len() / 20) {
            match field.path_from(built.view(), node) {
                Ok(path) => {
                    prop_assert_eq!(built.judge(node, &starts, &path), Ok(()));
                    let end = *path.nodes().last().unwrap();
                    prop_assert_eq!(Some(path.units().units() + cost_in(&costs, end).unwrap()), cost_in(&costs, node));
                    prop_assert!(field.is_goal(end));
                }
                Err(error) => prop_assert_eq!((error, cost_in(&costs, node)), (FieldError::NotReached, None)),
            }
        }
    }

    #[test]
    fn a_repaired_field_is_a_fresh_one(
        mut world in world(), raw in goals(), edits in vec(vec(edit(), 0..4), 1..6),
    ) {
        let (mut built, oracle) = (world.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let mut field = FlowField::of(built.view(), &goals).unwrap();
        for round in edits {
            let before = built.view().revision();
            for edit in &round {
                change(edit, &mut world, &mut built);
            }
            let has_changed = built.view().revision() != before;
            prop_assert_eq!(field.is_current(built.view()), !has_changed);
            let update = field.update(built.view()).unwrap();
            prop_assert_eq!(update == Update::Current, !has_changed);
            let oracle = Oracle::of(&world);
            judge(&field, &goals, &world, &oracle, None)?;
            assert_same(&field, &FlowField::of(built.view(), &goals).unwrap(), &oracle)?;
        }
    }

    #[test]
    fn a_range_holds_what_is_within_it_also_after_edits(
        mut world in world(), raw in goals(), limit in prop_oneof![0..500_000_u64, 0..9_000_000_u64], edits in vec(edit(), 0..5),
    ) {
        let (mut built, oracle) = (world.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let mut field = FlowField::default();
        let extent = Extent::Within(Cost::from_units(limit));
        field.rebuild(built.view(), &goals, extent).unwrap();
        judge(&field, &goals, &world, &oracle, Some(limit))?;
        for edit in edits {
            change(&edit, &mut world, &mut built);
            field.update(built.view()).unwrap();
            let oracle = Oracle::of(&world);
            judge(&field, &goals, &world, &oracle, Some(limit))?;
            let mut fresh = FlowField::default();
            fresh.rebuild(built.view(), &goals, extent).unwrap();
            assert_same(&field, &fresh, &oracle)?;
        }
    }

    #[test]
    fn a_field_on_demand_knows_what_it_was_asked_for(
        mut world in world(), raw in goals(), asked in vec(vec(any::<u16>(), 0..4), 1..5), edits in vec(edit(), 5),
    ) {
        let (mut built, oracle) = (world.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let mut field = FlowField::default();
        field.rebuild(built.view(), &goals, Extent::OnDemand).unwrap();
        for (asked, edit) in asked.iter().zip(edits) {
            let oracle = Oracle::of(&world);
            let nodes: Vec<NodeId> = asked.iter().map(|&number| built.any_node(number)).collect();
            field.settle(built.view(), &nodes).unwrap();
            let whole = FlowField::of(built.view(), &goals).unwrap();
            for &node in &nodes {
                prop_assert_eq!(field.cost(node), whole.cost(node));
                prop_assert!(field.trace(node).eq(whole.trace(node)));
            }
            // What it knows besides is right.
            for node in all_nodes(&oracle).filter(|&node| field.reaches(node)) {
                prop_assert_eq!(field.cost(node), whole.cost(node));
                prop_assert_eq!(field.step(node), whole.step(node));
            }
            change(&edit, &mut world, &mut built);
            field.update(built.view()).unwrap();
        }
    }

    #[test]
    fn a_field_leads_away_to_where_nothing_better_can_be_reached(world in world(), raw in goals(), factor in 1.0..3.0_f64) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let towards = FlowField::of(built.view(), &goals).unwrap();
        let mut away = FlowField::default();
        away.lead_away(built.view(), &towards, factor).unwrap();
        let most = oracle.nodes.iter().filter_map(|&node| towards.cost(node)).max().unwrap_or_default();
        let scaled = |cost: Cost| (cost.units() as f64 * factor).round() as u64;
        let starts: Vec<(NodeId, u64)> = oracle.nodes.iter()
            .filter_map(|&node| towards.cost(node).map(|cost| (node, scaled(most) - scaled(cost)))).collect();
        let costs = costs_to(&oracle, &starts);
        for node in all_nodes(&oracle) {
            prop_assert_eq!(away.cost(node).map(Cost::units), cost_in(&costs, node), "{:?}", node);
            let end = away.trace(node).last();
            prop_assert!(end.is_none_or(|end| away.is_goal(end)));
        }
    }

    #[test]
    fn fields_notice_other_worlds_and_agents(world in world(), other in world(), raw in goals(), node: u16) {
        let (built, elsewhere, oracle) = (world.build(), other.build(), Oracle::of(&world));
        let goals = take(&raw, &world, &built, &oracle);
        let mut field = FlowField::of(built.view(), &goals).unwrap();
        prop_assert!(!field.is_current(elsewhere.view()));
        let node = built.any_node(node);
        prop_assert_eq!(field.path_from(elsewhere.view(), node).err(), Some(FieldError::WorldChanged));
        prop_assert_eq!(field.settle(elsewhere.view(), &[node]).err(), Some(FieldError::WorldChanged));
        if let Built::Grid(grid, agent) = &built {
            let moves = if agent.moves() == Moves::Four { Moves::Eight } else { Moves::Four };
            let someone = agent.with_moves(moves);
            prop_assert_eq!(field.check(grid.view(&someone)), Err(FieldError::AgentChanged));
            prop_assert_eq!(field.update(grid.view(&someone)), Err(FieldError::AgentChanged));
        }
        // Whatever happens, the field is that of the world it was last given, or of the one before.
        let said = field.update(elsewhere.view());
        prop_assert_eq!(said.is_ok(), field.is_current(elsewhere.view()));
        let odd = Goal::from(NodeId::NONE);
        prop_assert_eq!(field.rebuild(built.view(), &[odd], Extent::Everything), Err(FieldError::GoalOutside(NodeId::NONE)));
        prop_assert!(field.goals().is_empty() && !field.reaches(node));
        prop_assert_eq!(field.check(built.view()), Err(FieldError::NotBuilt));
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn a_cache_returns_what_a_fresh_field_would_be_within_its_bound(
        mut world in world(), raws in vec(goals(), 4), requests in vec((0..4_usize, proptest::option::of(edit())), 1..12), room in 0..4_usize,
    ) {
        let (mut built, oracle) = (world.build(), Oracle::of(&world));
        let sets: Vec<Vec<Goal>> = raws.iter().map(|raw| take(raw, &world, &built, &oracle)).collect();
        let capacity = room * FlowField::of(built.view(), &sets[0]).unwrap().bytes();
        let mut cache = FieldCache::with_capacity(capacity);
        for (set, edit) in requests {
            if let Some(edit) = edit {
                change(&edit, &mut world, &mut built);
            }
            let field = cache.get(built.view(), &sets[set]).unwrap();
            assert_same(field, &FlowField::of(built.view(), &sets[set]).unwrap(), &Oracle::of(&world))?;
            prop_assert!(cache.len() == 1 || cache.bytes() <= capacity);
        }
    }
}

#[test]
fn worlds_without_room_have_fields_that_reach_nothing() {
    let grid = Grid::from_terrain(3, 2, &[0; 6]).unwrap();
    let view = grid.view(&Agent::default());
    let goal = Goal::at(&grid, Cell::new(1, 1)).unwrap();
    let field = FlowField::of(view, &[goal]).unwrap();
    assert_eq!(field.goals()[0].at, None);
    assert!((0..40).map(NodeId).all(|node| !field.reaches(node) && field.step(node).is_none()));
    assert!(!FlowField::of(view, &[]).unwrap().reaches(goal.node));
}

#[test]
fn a_goal_in_a_wall_moves_to_the_shore_and_back() {
    let mut grid: Grid = "...##\n...##".parse().unwrap();
    let agent = Agent::default();
    let [start, goal, shore] = [(0, 0), (4, 0), (2, 0)].map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
    let mut field = FlowField::of(grid.view(&agent), &[Goal::from(goal)]).unwrap();
    assert!(field.goals()[0].is_moved());
    assert_eq!(field.trace(start).last(), Some(shore));
    grid.set_many([(Cell::new(3, 0), Terrain::FLOOR), (Cell::new(4, 0), Terrain::FLOOR)]).unwrap();
    field.update(grid.view(&agent)).unwrap();
    assert_eq!(field.trace(start).last(), Some(goal));
    grid.set(Cell::new(1, 0), Terrain::WALL).unwrap();
    grid.set(Cell::new(1, 1), Terrain::WALL).unwrap();
    field.update(grid.view(&agent)).unwrap();
    assert!(!field.reaches(start));
    // A unit inside the new wall gets out on the side from which the goal can be reached.
    let inside = grid.node(Cell::new(1, 0)).unwrap();
    let step = field.step(inside).unwrap();
    assert_eq!((step.to, step.kind), (shore, StepKind::Escape));
}

#[test]
fn costs_that_do_not_fit_32_bits_are_exact() {
    let agent =
        Agent::new().with_metric(Metric::new(500.0, 500.0).unwrap()).with_terrain_rule(TerrainRule::Enter);
    let mut grid = Grid::from_terrain(2000, 1, &[255; 2000]).unwrap();
    grid.add_link(Cell::new(0, 0), Cell::new(1, 0), Cost::from_units(1)).unwrap(); // so that the unit is 1
    let [first, next, last] = [0, 1, 1999].map(|x| grid.node(Cell::new(x, 0)).unwrap());
    let mut field = FlowField::default();
    for extent in [Extent::Everything, Extent::OnDemand] {
        field.rebuild(grid.view(&agent), &[Goal::from(last)], extent).unwrap();
        field.settle(grid.view(&agent), &[first]).unwrap();
        let step = 500 * 23_780 * 255_u64;
        assert_eq!(field.cost(next).map(Cost::units), Some(1998 * step));
        assert_eq!(field.cost(first).map(Cost::units), Some(1998 * step + 1));
        assert_eq!(field.step(first).map(|step| step.kind), Some(StepKind::Link));
    }
}

/// Maps with more windows of costs, rows and words than random worlds have. Where costs are the same both ways, a search from the goal has
/// the same ones.
#[test]
fn fields_of_large_maps_have_the_costs_of_searches() {
    use surefoot::generate::{Kind, generate_with_endpoints};
    for (seed, kind) in Kind::ALL.into_iter().enumerate() {
        let mut grid = generate_with_endpoints(kind, 300, 190, seed as u64).unwrap().grid;
        let even: Vec<(Cell, Terrain)> =
            grid.cells().filter(|&cell| grid.is_open(cell)).map(|cell| (cell, Terrain::FLOOR)).collect();
        for (moves, radius) in Moves::ALL.into_iter().zip([0.0, 0.0, 0.0, 0.0]).chain([(Moves::Eight, 0.9)]) {
            let agent = Agent::new().with_moves(moves).with_radius(radius).unwrap();
            let open: Vec<NodeId> = grid
                .cells()
                .filter(|&cell| grid.view(&agent).is_open(cell))
                .filter_map(|cell| grid.node(cell))
                .collect();
            let Some(&goal) = open.get(open.len() / 2) else { continue };
            let field = FlowField::of(grid.view(&agent), &[Goal::from(goal)]).unwrap();
            let mut search = DistanceField::default();
            search.run(grid.view(&agent), goal, Range::Everything).unwrap();
            for &node in &open {
                assert_eq!(
                    field.cost(node),
                    search.cost(node),
                    "{kind:?} {moves} {radius} {:?}",
                    grid.cell(node)
                );
            }
            // Once more on even ground.
            grid.set_many(even.iter().copied()).unwrap();
        }
    }
}
