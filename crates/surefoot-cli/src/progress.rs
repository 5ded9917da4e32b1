//! Progress bars, on terminals only.

use std::io::IsTerminal;
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use surefoot::search::PrepareOptions;

/// Creates a bar with a number of steps, hidden unless standard error is a terminal.
pub fn bar(steps: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Runs a preparation with a memory limit in bytes.
pub fn preparing<T>(memory_limit: u64, prepare: impl FnOnce(&PrepareOptions<'_>) -> T) -> T {
    let bar = bar(1000, "preparing {bar:40} {percent}%, {eta} left");
    let progress = |done: u64, total: u64| {
        bar.set_position(done * 1000 / total.max(1));
        ControlFlow::Continue(())
    };
    let result = prepare(&PrepareOptions { memory_limit, progress: &progress });
    bar.finish_and_clear();
    result
}
