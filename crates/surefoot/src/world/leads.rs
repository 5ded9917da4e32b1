//! From which cells of a row a line leads to a stop, 64 cells at a time.

/// For each word from the last to the first: the cells from which going to higher coordinates meets a stop before a wall.
pub(crate) fn leads_up(open: &[u64], stops: &[u64], mut write: impl FnMut(usize, u64)) {
    // Whether the first cell of the word above is a stop or leads to one.
    let mut carry = 0;
    for word in (0..open.len()).rev() {
        let mut meets = stops[word] | open[word] & carry << 63;
        let mut through = open[word];
        for shift in [1, 2, 4, 8, 16, 32] {
            meets |= through & meets >> shift;
            through &= through >> shift;
        }
        write(word, (meets >> 1 | carry << 63) & open[word]);
        carry = meets & 1;
    }
}

/// The same to lower coordinates, from the first word to the last.
pub(crate) fn leads_down(open: &[u64], stops: &[u64], mut write: impl FnMut(usize, u64)) {
    let mut carry = 0;
    for word in 0..open.len() {
        let mut meets = stops[word] | open[word] & carry;
        let mut through = open[word];
        for shift in [1, 2, 4, 8, 16, 32] {
            meets |= through & meets << shift;
            through &= through << shift;
        }
        write(word, (meets << 1 | carry) & open[word]);
        carry = meets >> 63;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_lead_to_stops_before_walls(
            walls in prop::collection::vec(0..192_usize, 0..6),
            stops in prop::collection::vec(0..192_usize, 0..6),
        ) {
            let (mut open, mut stop) = ([u64::MAX; 3], [0; 3]);
            for at in walls {
                open[at / 64] &= !(1 << (at % 64));
            }
            for at in stops {
                stop[at / 64] |= 1 << (at % 64) & open[at / 64];
            }
            let has = |words: &[u64; 3], at: usize| words[at / 64] >> (at % 64) & 1 == 1;
            let (mut up, mut down) = ([0; 3], [0; 3]);
            leads_up(&open, &stop, |word, bits| up[word] = bits);
            leads_down(&open, &stop, |word, bits| down[word] = bits);
            for at in 0..192 {
                let leads = |mut line: Box<dyn Iterator<Item = usize>>| {
                    has(&open, at) && line.find(|&at| !has(&open, at) || has(&stop, at)).is_some_and(|at| has(&stop, at))
                };
                prop_assert_eq!(has(&up, at), leads(Box::new(at + 1..192)), "up from {}", at);
                prop_assert_eq!(has(&down, at), leads(Box::new((0..at).rev())), "down from {}", at);
            }
        }
    }
}
