//! Integration tests of the engine with the real model and the real oracle, in one program.

mod campaign;
mod canary;
mod circumstance;
mod coverage;
mod faithful;
mod hard;
mod independent;
mod otherwise;
mod strays;
mod support;
mod survey;
mod triage;
mod voices;
