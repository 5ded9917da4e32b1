//! Prepared tables as bytes: versioned, checked, and only valid for the map they were created for.
//!
//! The format is `SUREFOOT TABLE` and a line feed, then little-endian: the version, the length and the letters of the algorithm's
//! name, the digest of the map and the agent, the length and the digest of the table, the table.

use std::sync::Arc;

use thiserror::Error;

use crate::digest::digest_of;
use crate::search::algorithm::Algorithm;
use crate::search::prepare::{Prepared, Table};
use crate::world::any::View;
use crate::world::grid::GridView;

const MAGIC: &[u8] = b"SUREFOOT TABLE\n";
const VERSION: u32 = 1;

/// Why bytes are not a prepared table for a map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are not a table.
    #[error("found an unknown format, expected a prepared map")]
    NotATable,
    /// The bytes were written by another version.
    #[error("found a prepared map of version {found}, expected version {VERSION}: prepare the map again")]
    Version {
        /// The version that was found.
        found: u32,
    },
    /// The bytes belong to an algorithm that is unknown or prepares nothing.
    #[error("found a prepared map for `{0}`, expected an algorithm that prepares maps")]
    UnknownAlgorithm(String),
    /// The bytes were written for another map or another agent.
    #[error("found data prepared for another map or agent: prepare the map again")]
    OtherMap,
    /// The bytes are damaged.
    #[error("the prepared map is damaged: {0}")]
    Damaged(&'static str),
}

#[cfg(feature = "prepared")]
impl Prepared {
    /// Returns the table as bytes, for [`Prepared::from_bytes`]. Returns `None` if the table does not belong to this view.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let grid: Grid = "
    ///     ...#...
    ///     ...#.#.
    ///     .....#.".parse().unwrap();
    /// let view = grid.view(&Agent::default());
    /// let mut finder = Pathfinder::named("hpa", &Options::default()).unwrap();
    /// finder.prepare(&view, &PrepareOptions::default()).unwrap();
    /// let bytes = finder.prepared().unwrap().to_bytes(&view).unwrap();
    /// let again = Prepared::from_bytes(&bytes, &view).unwrap();
    /// assert_eq!(again.algorithm().name, "hpa");
    /// let other = Grid::new(7, 3).unwrap();
    /// let elsewhere = other.view(&Agent::default());
    /// assert!(Prepared::from_bytes(&bytes, &elsewhere).is_err());
    /// ```
    pub fn to_bytes(&self, view: &GridView<'_>) -> Option<Vec<u8>> {
        if !self.fits(view) {
            return None;
        }
        let mut table = Vec::new();
        self.table.save(&mut table);
        let name = self.algorithm.name.as_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(view.digest().to_le_bytes());
        bytes.extend((table.len() as u64).to_le_bytes());
        bytes.extend(digest_of(&table).to_le_bytes());
        bytes.append(&mut table);
        Some(bytes)
    }

    /// Reads prepared data; `find` looks up algorithms by name.
    pub(crate) fn read(
        bytes: &[u8],
        view: &GridView<'_>,
        find: impl FnOnce(&str) -> Option<&'static Algorithm>,
    ) -> Result<Prepared, LoadError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(LoadError::NotATable)?;
        let version = u32::from_le_bytes(take(&mut rest)?);
        if version != VERSION {
            return Err(LoadError::Version { found: version });
        }
        let length = u32::from_le_bytes(take(&mut rest)?) as usize;
        let (name, after) = rest.split_at_checked(length.min(64)).ok_or(ENDS)?;
        rest = after;
        let name = String::from_utf8_lossy(name);
        let unknown = || LoadError::UnknownAlgorithm(name.clone().into_owned());
        let algorithm = find(&name).ok_or_else(unknown)?;
        let load = algorithm.load.ok_or_else(unknown)?;
        if u64::from_le_bytes(take(&mut rest)?) != view.digest() || algorithm.refusal(view).is_some() {
            return Err(LoadError::OtherMap);
        }
        let length = u64::from_le_bytes(take(&mut rest)?);
        let digest = u64::from_le_bytes(take(&mut rest)?);
        if rest.len() as u64 != length {
            return Err(LoadError::Damaged("it has the wrong length"));
        }
        if digest_of(rest) != digest {
            return Err(LoadError::Damaged("it has the wrong checksum"));
        }
        Ok(Prepared { algorithm, vantage: View::from(view).vantage(), table: load(view, rest)? })
    }
}

const ENDS: LoadError = LoadError::Damaged("it ends too early");

/// The next bytes of a slice.
fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], LoadError> {
    let (head, tail) = rest.split_first_chunk().ok_or(ENDS)?;
    *rest = tail;
    Ok(*head)
}

/// Writes the parts of a table; [`Reader`] reads them in the same order.
pub(crate) trait Write {
    fn number(&mut self, number: u64);
    fn bytes(&mut self, bytes: &[u8]);
    fn words(&mut self, words: &[u32]);
}

impl Write for Vec<u8> {
    fn number(&mut self, number: u64) {
        self.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.extend(bytes);
    }

    fn words(&mut self, words: &[u32]) {
        self.number(words.len() as u64);
        self.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// Reads the parts of a table. Lengths are checked against what is there before anything is allocated.
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn number(&mut self) -> Result<u64, LoadError> {
        take(&mut self.0).map(u64::from_le_bytes)
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], LoadError> {
        self.items(1)
    }

    pub fn words(&mut self) -> Result<Vec<u32>, LoadError> {
        let (words, _) = self.items(4)?.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// Rejects bytes that are left over.
    pub fn end(self) -> Result<(), LoadError> {
        if self.0.is_empty() { Ok(()) } else { Err(LoadError::Damaged("it has data after its end")) }
    }

    fn items(&mut self, size: usize) -> Result<&'a [u8], LoadError> {
        let count = usize::try_from(self.number()?).ok().and_then(|count| count.checked_mul(size));
        let (head, tail) = self.0.split_at_checked(count.ok_or(ENDS)?).ok_or(ENDS)?;
        self.0 = tail;
        Ok(head)
    }
}

/// What reads a table of an algorithm back.
pub(crate) type Load = fn(&GridView<'_>, &[u8]) -> Result<Arc<dyn Table>, LoadError>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Agent, Moves};
    use crate::search::{Options, Pathfinder, PrepareOptions};
    use crate::space::Cell;
    use crate::world::grid::{Grid, Terrain};

    fn rooms() -> Grid {
        "...#...\n...#.#.\n.....#.".parse().unwrap()
    }

    fn saved(view: &GridView<'_>) -> Vec<u8> {
        let mut finder = Pathfinder::named("subgoal", &Options::default()).unwrap();
        finder.prepare(view, &PrepareOptions::default()).unwrap();
        finder.prepared().unwrap().to_bytes(view).unwrap()
    }

    #[test]
    fn whatever_is_damaged_is_refused() {
        let grid = rooms();
        let view = grid.view(&Agent::default());
        let bytes = saved(&view);
        assert!(Prepared::from_bytes(&bytes, &view).is_ok());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Prepared::from_bytes(&damaged, &view).is_err(), "byte {at}");
            assert!(Prepared::from_bytes(&bytes[..at], &view).is_err(), "{at} bytes");
        }
        assert!(Prepared::from_bytes(&[&bytes[..], &[0]].concat(), &view).is_err());
        // The last byte belongs to the table: only its digest tells.
        let mut damaged = bytes;
        *damaged.last_mut().unwrap() ^= 1;
        let error = Prepared::from_bytes(&damaged, &view).err();
        assert_eq!(error, Some(LoadError::Damaged("it has the wrong checksum")));
    }

    #[test]
    fn other_maps_agents_and_versions_are_refused() {
        let mut grid = rooms();
        let bytes = saved(&grid.view(&Agent::default()));
        let error_on =
            |grid: &Grid, agent: &Agent, bytes: &[u8]| Prepared::from_bytes(bytes, &grid.view(agent)).err();
        let rook = Agent::new().with_moves(Moves::Four);
        assert_eq!(error_on(&grid, &rook, &bytes), Some(LoadError::OtherMap));
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = 2;
        assert_eq!(error_on(&grid, &Agent::default(), &newer), Some(LoadError::Version { found: 2 }));
        assert_eq!(error_on(&rooms(), &Agent::default(), &bytes), None, "a map read anew is the same map");
        grid.set(Cell::new(0, 0), Terrain::WALL).unwrap();
        assert_eq!(error_on(&grid, &Agent::default(), &bytes), Some(LoadError::OtherMap));
    }
}
