//! The machine and the build.

use std::fs;

use serde::Serialize;

/// Where an experiment was carried out. It names neither the machine nor its user.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// The version of the program.
    pub version: &'static str,
    /// Whether the program was compiled for speed. Times of other builds mean little.
    pub optimised: bool,
    /// The operating system and the kind of processor.
    pub platform: String,
    /// The model of the processor, if the system tells it.
    pub processor: Option<String>,
    /// The number of threads that can run at the same time.
    pub cores: usize,
    /// The mean number of running processes in the last minute, before the experiment, if the system tells it. Above one, the times of a
    /// program with one thread may be distorted.
    pub load_before: Option<f64>,
    /// The same after the experiment.
    pub load_after: Option<f64>,
}

impl Environment {
    /// Looks at the machine before an experiment.
    pub fn now() -> Environment {
        Environment {
            version: env!("CARGO_PKG_VERSION"),
            optimised: !cfg!(debug_assertions),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load_before: load(),
            load_after: None,
        }
    }

    /// Looks again after the experiment.
    #[must_use]
    pub fn afterwards(self) -> Environment {
        Environment { load_after: load(), ..self }
    }

    /// Returns why times should not be trusted, one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.optimised {
            warnings.push("This build is not optimised: use --release.".to_owned());
        }
        if let Some(load) = self.load_before.filter(|load| *load > 0.7) {
            warnings.push(format!("The machine was busy before the experiment began (load {load:.1})."));
        }
        let most = self.cores as f64 + 0.5;
        if let Some(load) = self.load_after.filter(|load| *load > most) {
            warnings.push(format!("The machine was busy with other work at the end (load {load:.1})."));
        }
        warnings
    }
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}
