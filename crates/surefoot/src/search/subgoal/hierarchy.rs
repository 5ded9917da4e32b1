//! A contracted subgoal graph, laid out for searching upwards.

use crate::effort::unhindered;
use crate::id::NodeId;
use crate::search::prepare::{LoadError, Reader, Write};
use crate::search::subgoal::contract::Contracted;
use crate::search::subgoal::graph::{Scale, Via};
use crate::space::Cell;
use crate::world::grid::{GridView, Shape};

/// An edge that leads up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub to: u32,
    pub weight: u32,
    /// Column and row of the subgoal it leads to, so that hopeless ones are not looked up.
    place: [u16; 2],
}

impl Edge {
    fn new(to: u32, weight: u32) -> Edge {
        Edge { to, weight, place: [0; 2] }
    }

    /// Returns the cell of the subgoal it leads to.
    #[inline]
    pub fn cell(self) -> Cell {
        Cell::new(self.place[0].into(), self.place[1].into())
    }
}

/// A subgoal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subgoal {
    /// The place of its first edge.
    first: u32,
    cell: NodeId,
}

/// An edge that has yet to be taken apart, as it is walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    from: u32,
    to: u32,
    place: usize,
    kept_at_from: bool,
}

/// The hierarchy. Subgoals are numbered from the top so that every edge leads to a smaller number; among those of the core,
/// which come first, edges lead both ways. What a search from one place meets on its way up has numbers close
/// to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    /// One more than there are: the last one ends the edges.
    subgoals: Vec<Subgoal>,
    edges: Vec<Edge>,
    /// By edge: what it stands for. Apart from the edges because only paths ask.
    vias: Vec<u32>,
    /// By edge that stands for two: which of the middle's edges lead to the subgoal that keeps it, and to the other.
    parts: Vec<[u8; 2]>,
    /// How many subgoals were not contracted.
    core: u32,
}

const FROM_HERE: u32 = u32::MAX;
const FROM_THERE: u32 = u32::MAX - 1;

impl Hierarchy {
    /// Lays out what was contracted; `cells` are the subgoals' in their order. See [`effort`](crate::effort) for `work`.
    pub fn new<E>(
        contracted: &Contracted,
        shape: &Shape,
        cells: &[NodeId],
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<Hierarchy, E> {
        let Contracted { up, core } = contracted;
        let order = order(contracted, &work)?;
        let mut numbers = vec![0; order.len()];
        for (number, &subgoal) in order.iter().enumerate() {
            numbers[subgoal as usize] = number as u32;
        }
        let mut hierarchy = Hierarchy {
            subgoals: Vec::with_capacity(order.len() + 1),
            edges: Vec::new(),
            vias: Vec::new(),
            parts: Vec::new(),
            core: core.iter().filter(|&&stays| stays).count() as u32,
        };
        for &subgoal in &order {
            work(1 + up[subgoal as usize].len() as u64)?;
            let first = hierarchy.edges.len() as u32;
            hierarchy.subgoals.push(Subgoal { first, cell: cells[subgoal as usize] });
            let mut list = up[subgoal as usize].clone();
            list.sort_by_key(|link| numbers[link.to as usize]);
            for link in list {
                hierarchy.edges.push(Edge::new(numbers[link.to as usize], link.weight));
                hierarchy.vias.push(match link.via {
                    Via::ScanFromHere => FROM_HERE,
                    Via::ScanFromThere => FROM_THERE,
                    Via::Middle(middle) => numbers[middle as usize],
                });
            }
        }
        hierarchy.end();
        hierarchy.locate(shape);
        hierarchy.join(work)?;
        Ok(hierarchy)
    }

    /// Lets the edges know where they lead.
    fn locate(&mut self, shape: &Shape) {
        for edge in &mut self.edges {
            let cell = shape.cell(self.subgoals[edge.to as usize].cell);
            edge.place = [cell.x as u16, cell.y as u16];
        }
    }

    /// Finds the parts of the edges; whether each has them.
    fn join<E>(&mut self, work: impl Fn(u64) -> Result<(), E>) -> Result<bool, E> {
        let mut complete = true;
        let mut part = |middle, end| {
            let place = self.edges(middle).iter().position(|edge| edge.to == end);
            let part = place.and_then(|place| u8::try_from(place).ok());
            complete &= part.is_some();
            part.unwrap_or(0)
        };
        let all = (0..self.len() as u32).flat_map(|from| self.range(from).map(move |place| (from, place)));
        let parts = all.map(|(from, place)| match self.via(place) {
            Via::Middle(middle) => {
                work(self.edges(middle).len() as u64)?;
                Ok([from, self.edges[place].to].map(|end| part(middle, end)))
            }
            _ => Ok([0; 2]),
        });
        self.parts = parts.collect::<Result<_, E>>()?;
        Ok(complete)
    }

    /// Marks the end of the edges.
    fn end(&mut self) {
        self.subgoals.push(Subgoal { first: self.edges.len() as u32, cell: NodeId::NONE });
    }

    /// Returns whether some subgoals were not contracted.
    pub fn has_core(&self) -> bool {
        self.core > 0
    }

    /// Returns the number of subgoals.
    pub fn len(&self) -> usize {
        self.subgoals.len() - 1
    }

    /// Returns the cell of a subgoal.
    #[inline]
    pub fn cell(&self, subgoal: u32) -> NodeId {
        self.subgoals[subgoal as usize].cell
    }

    /// Returns the cells in order of the subgoals' numbers.
    pub fn cells(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.subgoals[..self.len()].iter().map(|subgoal| subgoal.cell)
    }

    #[inline]
    fn range(&self, subgoal: u32) -> std::ops::Range<usize> {
        let place = subgoal as usize;
        self.subgoals[place].first as usize..self.subgoals[place + 1].first as usize
    }

    /// Returns the edges that lead up.
    #[inline]
    pub fn edges(&self, subgoal: u32) -> &[Edge] {
        &self.edges[self.range(subgoal)]
    }

    /// What the edge at a place stands for.
    #[inline]
    fn via(&self, place: usize) -> Via {
        match self.vias[place] {
            FROM_HERE => Via::ScanFromHere,
            FROM_THERE => Via::ScanFromThere,
            middle => Via::Middle(middle),
        }
    }

    /// Returns the place of a subgoal's edge, by its number in the list.
    #[inline]
    pub fn place(&self, subgoal: u32, number: usize) -> usize {
        self.subgoals[subgoal as usize].first as usize + number
    }

    /// Returns the place of the edge between two subgoals that is kept at the first.
    pub fn place_between(&self, from: u32, to: u32) -> Option<usize> {
        let number = self.edges(from).iter().position(|edge| edge.to == to)?;
        Some(self.place(from, number))
    }

    /// Returns the subgoal that the edge at a place leads to.
    #[inline]
    pub fn leads_to(&self, place: usize) -> u32 {
        self.edges[place].to
    }

    /// Calls `visit(from, to, via)` with the scans that an edge stands for, in order from where it leads to `keeper`, which keeps
    /// it at a place. `stack` is any memory.
    pub fn unpack(
        &self,
        keeper: u32,
        place: usize,
        stack: &mut Vec<Piece>,
        mut visit: impl FnMut(u32, u32, Via),
    ) {
        stack.clear();
        stack.push(Piece { from: self.leads_to(place), to: keeper, place, kept_at_from: false });
        while let Some(Piece { from, to, place, kept_at_from }) = stack.pop() {
            match self.via(place) {
                Via::Middle(middle) => {
                    let [keeper, other] = self.parts[place].map(|part| self.place(middle, part.into()));
                    let [first, second] = if kept_at_from { [keeper, other] } else { [other, keeper] };
                    stack.push(Piece { from: middle, to, place: second, kept_at_from: true });
                    stack.push(Piece { from, to: middle, place: first, kept_at_from: false });
                }
                via => visit(from, to, if kept_at_from { via } else { via.reversed() }),
            }
        }
    }

    /// Returns the endpoints of every edge that is a scan.
    pub fn scans(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let edges = (0..self.len() as u32).flat_map(|from| self.range(from).map(move |place| (from, place)));
        let scans = edges.filter(|&(_, place)| self.vias[place] >= FROM_THERE);
        // Between subgoals of the core edges are kept at both.
        let once = scans.filter(|&(from, place)| self.edges[place].to < from);
        once.map(|(from, place)| (self.cell(from), self.cell(self.edges[place].to)))
    }

    pub fn bytes(&self) -> usize {
        Hierarchy::bytes_for(self.len(), self.edges.len())
    }

    /// Bytes that the given numbers of subgoals and edges take.
    pub fn bytes_for(subgoals: usize, edges: usize) -> usize {
        (subgoals + 1) * size_of::<Subgoal>()
            + edges * (size_of::<Edge>() + size_of::<u32>() + size_of::<[u8; 2]>())
    }

    pub fn save(&self, out: &mut Vec<u8>) {
        let words = |words: &mut dyn Iterator<Item = u32>| words.collect::<Vec<u32>>();
        out.number(u64::from(self.core));
        out.words(&words(&mut self.subgoals.iter().map(|subgoal| subgoal.cell.0)));
        out.words(&words(&mut self.subgoals.iter().map(|subgoal| subgoal.first)));
        out.words(&words(&mut self.edges.iter().map(|edge| edge.to)));
        out.words(&words(&mut self.edges.iter().map(|edge| edge.weight)));
        out.words(&self.vias);
    }

    /// Reads what `save` wrote. The caller has to check the cells.
    pub fn load(mut reader: Reader<'_>, view: &GridView<'_>, scale: &Scale) -> Result<Hierarchy, LoadError> {
        let core = reader.number()?;
        let (cells, firsts) = (reader.words()?, reader.words()?);
        let (tos, weights, vias) = (reader.words()?, reader.words()?, reader.words()?);
        reader.end()?;
        let ends_well = firsts.first() == Some(&0) && firsts.last() == Some(&(tos.len() as u32));
        let same_lengths =
            cells.len() == firsts.len() && tos.len() == weights.len() && tos.len() == vias.len();
        if !ends_well || !same_lengths || !firsts.is_sorted() || core >= cells.len() as u64 {
            return Err(LoadError::Damaged("its lists are inconsistent"));
        }
        let subgoals = cells.into_iter().zip(firsts);
        let edges = tos.into_iter().zip(weights);
        let mut hierarchy = Hierarchy {
            subgoals: subgoals.map(|(cell, first)| Subgoal { first, cell: NodeId(cell) }).collect(),
            edges: edges.map(|(to, weight)| Edge::new(to, weight)).collect(),
            vias,
            parts: Vec::new(),
            core: core as u32,
        };
        let leads_up = (0..hierarchy.len() as u32).all(|from| {
            let below = if from < hierarchy.core { hierarchy.core } else { from };
            hierarchy.edges(from).iter().all(|edge| edge.to < below && edge.to != from)
        });
        if !leads_up {
            return Err(LoadError::Damaged("an edge does not lead upwards"));
        }
        let makes_sense =
            |from: u32| hierarchy.range(from).all(|place| hierarchy.adds_up(from, place, view, scale));
        if !(0..hierarchy.len() as u32).all(makes_sense) || hierarchy.join(unhindered) != Ok(true) {
            return Err(LoadError::Damaged("an edge differs from the path it stands for"));
        }
        hierarchy.locate(view.shape());
        Ok(hierarchy)
    }

    /// Whether an edge weighs what its parts weigh, and these are further down; so that unpacking it ends.
    fn adds_up(&self, from: u32, place: usize, view: &GridView<'_>, scale: &Scale) -> bool {
        let edge = self.edges[place];
        let to = edge.to;
        if let Via::Middle(middle) = self.via(place) {
            let below = middle > from.max(to) && middle >= self.core && (middle as usize) < self.len();
            let part = |end| self.place_between(middle, end).map(|part| u64::from(self.edges[part].weight));
            return below && part(from).zip(part(to)).is_some_and(|(a, b)| a + b == u64::from(edge.weight));
        }
        let (a, b) = (view.shape().cell(self.cell(from)), view.shape().cell(self.cell(to)));
        edge.weight > 0 && u64::from(edge.weight) == scale.between(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
    }
}

/// The subgoals in the order of their numbers to be: the core first, then each after all that it leads up to, and what a
/// search from one place meets close together.
fn order<E>(
    Contracted { up, core }: &Contracted,
    work: impl Fn(u64) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut order: Vec<u32> = (0..up.len() as u32).filter(|&subgoal| core[subgoal as usize]).collect();
    let mut known = core.clone();
    // Subgoals that wait for those above them, and how many of their edges have been followed.
    let mut waiting: Vec<(u32, usize)> = Vec::new();
    for subgoal in 0..up.len() as u32 {
        if known[subgoal as usize] {
            continue;
        }
        known[subgoal as usize] = true;
        waiting.push((subgoal, 0));
        while let Some((at, next)) = waiting.last_mut() {
            if let Some(link) = up[*at as usize].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut known[link.to as usize], true) {
                    waiting.push((link.to, 0));
                }
            } else {
                work(up[*at as usize].len() as u64)?;
                order.push(*at);
                waiting.pop();
            }
        }
    }
    Ok(order)
}
