//! The README's table of algorithms says what the registry says.

use surefoot::algorithms::ALGORITHMS;
use surefoot::search::Algorithm;

const README: &str = include_str!("../../README.md");

fn row(algorithm: &Algorithm) -> String {
    let worlds: Vec<&str> = algorithm.worlds.iter().map(|world| world.name()).collect();
    let optimal = if algorithm.optimal { "yes" } else { "no" };
    format!("| `{}` | {} | {optimal} | {} |", algorithm.name, worlds.join(", "), algorithm.summary)
}

#[test]
fn every_algorithm_has_its_row() {
    for algorithm in ALGORITHMS {
        let row = row(algorithm);
        assert!(README.lines().any(|line| line == row), "README.md lacks this row:\n{row}");
    }
}

#[test]
fn no_row_is_about_an_algorithm_that_is_gone() {
    let begin = README.find("| algorithm |").expect("a table of algorithms");
    let rows = README[begin..].lines().take_while(|line| line.starts_with('|')).count();
    assert_eq!(rows, ALGORITHMS.len() + 2, "a head, a line and a row an algorithm");
}
