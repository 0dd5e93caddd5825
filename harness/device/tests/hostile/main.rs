//! Hostile devices. Tests with hostile devices: every batch ends in time, the right case is blamed,
//! and no process or open file is left behind.
//!
//! The scenarios are a product: misbehaviour × framing × moment. This program also acts as the
//! device: its arguments then give the scenario. It has its own main function, because it counts
//! the processes and the open files of the whole program.

mod device;
mod scenarios;

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use assay_device::group::GroupLeader;
use scenarios::Scenario;

/// Number of scenarios that run at the same time. They mostly wait for deadlines.
const AT_ONCE: usize = 12;
/// Maximum duration of a scenario.
const LONGEST: Duration = Duration::from_secs(40);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == device::PLAY) {
        device::play(&arguments[1..]);
        return;
    }
    // `cargo test` passes on its arguments: `--list`, or a filter.
    if arguments.iter().any(|argument| argument == "--list") {
        return;
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let all = scenarios::all();
    let chosen: Vec<&Scenario> =
        all.iter().filter(|one| filter.is_none_or(|filter| one.to_string().contains(filter))).collect();
    // The first process starts the watchdog, whose pipe stays open. So a process is started before
    // the open files are counted.
    drop(GroupLeader::start(&mut Command::new("true")).expect("a process"));
    let (began, files) = (Instant::now(), open_files());
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(scenario) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let outcome = scenario.run();
                    let outcome = outcome.and_then(|()| match began.elapsed() {
                        time if time > LONGEST => Err(format!("took {time:?}")),
                        _ => Ok(()),
                    });
                    if let Err(problem) = outcome {
                        failures.lock().expect("no thread panics").push(format!("{scenario}: {problem}"));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    if open_files() != files {
        failures.push(format!("{} files are open, {files} were before", open_files()));
    }
    if filter.is_none() && chosen.len() < 200 {
        failures.push(format!("only {} scenarios", chosen.len()));
    }
    failures.iter().for_each(|failure| println!("FAILED {failure}"));
    let seconds = began.elapsed().as_secs_f64();
    println!("{} hostile scenarios in {seconds:.1} s, {} failed", chosen.len(), failures.len());
    std::process::exit(i32::from(!failures.is_empty()));
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}
