//! Disjoint sets of numbers: for each number an earlier one of its set, or itself if it is the first.

/// Joins the sets of two numbers; the first of both becomes the first of all.
pub(crate) fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (first(parents, a), first(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}

/// Returns the first number of a set; halves the chain for later calls.
pub(crate) fn first(parents: &mut [u32], mut number: u32) -> u32 {
    while parents[number as usize] != number {
        parents[number as usize] = parents[parents[number as usize] as usize];
        number = parents[number as usize];
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sets_share_their_first_number() {
        let mut parents: Vec<u32> = (0..6).collect();
        for (a, b) in [(5, 4), (2, 1), (4, 2)] {
            join(&mut parents, a, b);
        }
        let firsts: Vec<u32> = (0..6).map(|number| first(&mut parents, number)).collect();
        assert_eq!(firsts, [0, 1, 1, 3, 1, 1]);
    }
}
