//! Integration tests of the program `assay`, in one program. Each test runs `assay` as a child process.

/// The path of the program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_assay");

mod canary;
mod check_device;
mod command_line;
mod contracts;
mod device;
mod durability;
mod dut_check;
mod endings;
mod environment;
mod eval;
mod failures;
mod first_hour;
mod folders;
mod full_disk;
mod hostile;
mod hostile_library;
mod instruction_text;
mod junit;
mod killed;
mod known_issues;
mod live;
mod nightly;
mod nightly_modes;
mod nightly_trust;
mod orphans;
mod outputs;
mod pipes;
mod quiet_nights;
mod rtl;
mod signals;
mod silicon;
mod support;
mod trace;
mod trust;
mod vacuous;
mod verdict;
mod words;
