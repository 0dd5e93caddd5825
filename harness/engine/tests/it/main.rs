//! Integration tests of the engine with the real model and the real oracle, in one program.

mod bounds;
mod campaign;
mod canary;
mod circumstance;
mod conditions;
mod coverage;
mod crosschecks;
mod edges;
mod estimated;
mod exhaustive;
mod explanations;
mod faithful;
mod hard_to_round;
mod independent;
mod sampled;
mod sentences;
mod settings;
mod support;
mod triage;
mod unset_reads;
