//! Integration tests of the case format, profiles, errata and the committed vectors, in one program.

mod damaged;
mod data;
mod documentation;
mod errata;
mod errors;
mod modes;
mod profiles;
mod round_trip;
mod schema;
mod yaml_files;
