//! Integration tests of the program `assay`, in one program. Each test runs `assay` as a child process.

mod canary;
mod command_line;
mod contracts;
mod device;
mod durability;
mod dut_check;
mod endings;
mod environment;
mod errata;
mod folders;
mod hostile;
mod hostile_files;
mod killed;
mod known_issues;
mod libfuzzer;
mod live;
mod nightly;
mod orphans;
mod outputs;
mod pipes;
mod schemas;
mod signals;
mod support;
mod trace;
mod trust;
mod vacuous;
