//! Options that the commands share: the targets, the voice under test, and the global ones that no target takes.

use assay_fuzzing::Target;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::context::Context;
use crate::failure::Failure;
use crate::voices::{BuiltIn, Voice, fingerprint};

/// The names of the targets, as clap reads them.
pub fn targets() -> impl TypedValueParser<Value = Target> {
    let value = |target: Target| PossibleValue::new(target.name()).help(target.about());
    PossibleValuesParser::new(Target::ALL.map(value)).try_map(|name| Target::of(&name).ok_or("no target"))
}

/// The targets that were asked for: each once, all if there is none.
pub fn chosen(targets: &[Target]) -> Vec<Target> {
    Target::ALL.into_iter().filter(|target| targets.is_empty() || targets.contains(target)).collect()
}

/// The voices that the target `differential` is built with.
pub fn parse_subject(text: &str) -> Result<Voice, String> {
    match text.parse() {
        Ok(voice @ (BuiltIn::Model | BuiltIn::Mutant(_))) => Ok(voice.into()),
        Err(problem) if text.starts_with("mutant:") => Err(problem),
        _ => Err("the target is built with the model alone; write model or mutant:FAULT".into()),
    }
}

/// The targets are built with one profile and one table of numbers: others would be promised and not kept.
pub fn only_defaults(context: &Context) -> Result<(), Failure> {
    let is_default = !context.profile_is_given
        && context.overrides.iter().next().is_none()
        && fingerprint(&context.numbers) == fingerprint(assay_isa::Numbers::provisional());
    match is_default {
        true => Ok(()),
        false => Err(Failure::input(
            "the libFuzzer targets are built with the profile intended and the provisional numbers; leave out --profile, \
             --reading and --numbers",
        )),
    }
}
