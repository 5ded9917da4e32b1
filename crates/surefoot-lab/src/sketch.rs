//! A drawable summary of a prepared map, as bytes for the page.

use bytes::Bytes;
use surefoot::prelude::*;
use surefoot::search::Sketch;

use crate::cells;
use crate::limits::SKETCHED;
use crate::protocol::Mark;

/// The kind of the message, beside 1 for pieces of traces.
const KIND: u8 = 2;

/// A sketch as `docs/lab-protocol.md` has it. Of lists that are too long, a part is left out evenly.
pub fn to_bytes(sketch: &Sketch, grid: &Grid, mark: Mark, table: u32) -> Bytes {
    let index = |node: NodeId| cells::on_grid(grid, grid.cell(node)).to_le_bytes();
    let Sketch { parts, places, ways } = sketch;
    let mut bytes = vec![KIND, mark.board.unwrap_or(0), 0, 0];
    bytes.extend(mark.run.unwrap_or(0).to_le_bytes());
    bytes.extend(table.to_le_bytes());
    for length in [parts.len(), places.len(), ways.len()] {
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend((length.div_ceil(stride(length)) as u32).to_le_bytes());
    }
    for (first, last) in thinned(parts) {
        let corners = [first.x, first.y, last.x, last.y];
        bytes.extend(corners.into_iter().flat_map(|at| (at as u16).to_le_bytes()));
    }
    bytes.extend(thinned(places).flat_map(|&place| index(place)));
    bytes.extend(thinned(ways).flat_map(|&(from, to)| [index(from), index(to)]).flatten());
    bytes.into()
}

/// Returns `n` if every n-th entry is shown.
fn stride(length: usize) -> usize {
    length.div_ceil(SKETCHED).max(1)
}

fn thinned<T>(list: &[T]) -> impl Iterator<Item = &T> {
    list.iter().step_by(stride(list.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_is_laid_out_as_the_protocol_says() {
        let grid = Grid::new(5, 3).unwrap();
        let node = |x, y| grid.node(Cell::new(x, y)).unwrap();
        let sketch = Sketch {
            parts: vec![(Cell::new(0, 0), Cell::new(4, 2))],
            places: vec![node(1, 0), node(4, 2)],
            ways: vec![(node(1, 0), node(4, 2))],
        };
        let bytes = to_bytes(&sketch, &grid, Mark { board: Some(3), run: Some(258) }, 7);
        let head = [2, 3, 0, 0, 2, 1, 0, 0, 7, 0, 0, 0];
        assert_eq!(bytes[..12], head);
        let words: Vec<u32> =
            bytes[12..36].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, [1, 1, 2, 2, 1, 1], "how many there are, how many are shown");
        assert_eq!(bytes[36..44], [0, 0, 0, 0, 4, 0, 2, 0]);
        let words: Vec<u32> =
            bytes[44..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, [1, 14, 1, 14]);
    }

    #[test]
    fn long_lists_are_thinned_evenly() {
        let grid = Grid::new(2, 2).unwrap();
        let places = vec![grid.node(Cell::new(1, 1)).unwrap(); 2 * SKETCHED + 1];
        let sketch = Sketch { places, ..Sketch::default() };
        let bytes = to_bytes(&sketch, &grid, Mark::default(), 1);
        let shown = (2 * SKETCHED + 1).div_ceil(3);
        assert_eq!(bytes.len(), 36 + 4 * shown);
        assert_eq!(bytes[24..28], (shown as u32).to_le_bytes());
    }
}
