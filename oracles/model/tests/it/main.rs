//! Integration tests of the reference model, in one program.

mod datapath;
mod functions;
mod identities;
mod locations;
mod readings;
mod rounding;
mod specials;
mod support;
mod uniform;
mod witnesses;
