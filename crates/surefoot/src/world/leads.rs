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
