//! Options that the commands share: the targets, and limits on their inputs and corpora.

use assay_fuzzing::Target;
use assay_libfuzzer::corpus::Bounds;
use assay_libfuzzer::repeat::USUAL;
use assay_records::libfuzzer::Sanitizer;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The names of the targets, as clap reads them.
pub fn targets() -> impl TypedValueParser<Value = Target> {
    let value = |target: Target| PossibleValue::new(target.name()).help(target.about());
    PossibleValuesParser::new(Target::ALL.map(value)).try_map(|name| Target::of(&name).ok_or("no target"))
}

/// The names of the sanitizers, as clap reads them.
pub fn sanitizers() -> impl TypedValueParser<Value = Sanitizer> {
    let address = "AddressSanitizer: for the few places with unsafe code";
    let none = "Nothing: several times as many executions";
    let values = [PossibleValue::new("address").help(address), PossibleValue::new("none").help(none)];
    PossibleValuesParser::new(values).map(|name| match name.as_str() {
        "address" => Sanitizer::Address,
        _ => Sanitizer::None,
    })
}

/// The requested targets, each once; all if none is named.
pub fn chosen(targets: &[Target]) -> Vec<Target> {
    Target::ALL.into_iter().filter(|target| targets.is_empty() || targets.contains(target)).collect()
}

/// Limits on the inputs of a target and on its corpus.
#[derive(Args)]
pub struct BoundOptions {
    /// Memory limit of a process in MB.
    #[arg(long, value_name = "MB", default_value_t = USUAL.rss_limit, value_parser = clap::value_parser!(u64).range(64..))]
    rss_limit: u64,
    /// Time limit for one input in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = USUAL.timeout, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Maximum number of inputs in a corpus. The shortest inputs are kept.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    most_inputs: usize,
    /// Maximum size of a corpus in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    most_bytes: u64,
}

impl BoundOptions {
    /// The bounds of the options.
    pub fn lowered(&self) -> Bounds {
        let BoundOptions { rss_limit, timeout, most_inputs, most_bytes } = *self;
        Bounds { rss_limit, timeout, most_inputs, most_bytes }
    }
}
