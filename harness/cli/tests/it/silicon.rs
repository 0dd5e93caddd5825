//! Tests the recordings of GPUs in `vectors/traces`. They show all settings that the profile `sm90`
//! marks as measured, and the oracle accepts every recorded result.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_hardware::trace::Reader;
use assay_isa::effect::Writes;
use assay_isa::{Answer, Effects, EncodingTable, Erratum, Location};
use assay_runner::subjects::BuiltIn;
use assay_vectors::published::MEASURED;
use assay_vectors::{Bound, Metric, Profile};
use serde_json::Value;

use crate::support::{assay, json, stderr};

/// Returns the paths of the recordings, by the hash in their headers.
fn recordings() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/traces");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|file| {
            (printed(&["trace", "info", file.to_str().unwrap()])["traces"][0]["header"].clone(), file)
        })
        .map(|(header, file)| (header["hash"].as_str().unwrap().to_owned(), file))
        .collect()
}

/// Runs a command that must succeed, and returns its JSON.
fn printed(arguments: &[&str]) -> Value {
    let output = assay(&[arguments, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    json(&output)
}

#[test]
fn the_recordings_show_what_sm90_calls_measured() {
    let recordings = recordings();
    assert_eq!(recordings.len(), 3, "the vectors of both GPUs, and a sample");
    let mut claims: BTreeMap<String, Vec<Erratum>> = BTreeMap::new();
    for (erratum, basis) in Profile::load("sm90").unwrap().basis {
        if let Some(hash) = basis.trace {
            claims.entry(hash).or_default().push(erratum);
        }
    }
    assert!(!claims.is_empty());
    for (hash, claimed) in claims {
        let subject = format!("trace:{}", recordings[&hash].display());
        let settle = ["errata", "settle", "--profile", "sm90", "--subject", &subject];
        let settled = printed(&settle);
        let shown = settled.as_array().unwrap().iter().filter(|one| one["claimed"] == true);
        assert!(shown.clone().all(|one| one["outcome"] == "as the profile"), "{settled}");
        assert_eq!(shown.count(), claimed.len());
        // Every setting that the trace shows is marked as measured in the profile.
        let output = assay(&[&settle[..], &["--yaml"]].concat());
        let yaml = String::from_utf8(output.stdout).unwrap();
        let names = yaml.lines().skip(1).map(|line| line.trim().split(':').next().unwrap().parse().unwrap());
        assert_eq!(names.collect::<Vec<Erratum>>(), claimed);
        // The trace of the other GPU shows the same settings.
        let other = recordings.values().find(|file| file.ends_with("h100-vectors.parquet")).unwrap();
        let subject = format!("trace:{}", other.display());
        let output = assay(&["errata", "settle", "--profile", "sm90", "--yaml", "--subject", &subject]);
        let settings = |yaml: &str| {
            yaml.lines().map(|line| line.split(", evidence").next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(settings(&String::from_utf8(output.stdout).unwrap()), settings(&yaml));
    }
}

/// The greatest error of the published sweeps is 90 to 100 % of each measured bound.
#[test]
fn the_measured_bounds_are_those_of_the_published_sweeps() {
    let published = ["mufu-f32", "mufu-others"].map(|name| {
        let file = format!("../../reports/published/h200-{name}/result.json");
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    });
    for (instruction, _, text) in MEASURED {
        let functions = published.iter().filter_map(|result| result["tally"]["accuracy"].get(instruction));
        let swept: Vec<&Value> =
            functions.flat_map(|one| one["bounds"].as_object().unwrap().values()).collect();
        for bound in text.split("; ").map(|part| part.parse::<Bound>().unwrap()) {
            let metric = bound.metric.name();
            let found = swept.iter().find(|one| one["metric"] == metric).expect(instruction);
            // Distances in ulp are in units of 2^-32 ulp. Other distances are in units of 2^-64.
            let unit = if bound.metric == Metric::Ulp { 32 } else { 64 };
            let worst = found["farthest"]["distance"].as_f64().unwrap() / 2_f64.powi(unit);
            let share = worst / bound.limit.value();
            assert!((0.9..=1.0).contains(&share), "{instruction}: {bound}, and the worst is {worst}");
        }
    }
}

#[test]
fn the_oracle_accepts_every_recorded_result() {
    let place = tempfile::tempdir().unwrap();
    let mut cases = 0;
    for file in recordings().values() {
        let out = place.path().join(file.file_stem().unwrap());
        let check = ["trace", "check", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let checked = printed(&check);
        assert_eq!(checked["divergences"], 0, "{checked}");
        let held = ["exact", "within"].map(|verdict| checked["verdicts"][verdict].as_u64().unwrap_or(0));
        assert_eq!(checked["cases"], held.iter().sum::<u64>(), "{checked}");
        cases += checked["cases"].as_u64().unwrap();
    }
    assert!(cases > 100_000, "{cases}");
}

/// Returns each written location, with the value of each lane. `None` for a lane that did not
/// write.
fn written(effects: &Effects) -> Vec<(Location, Vec<Option<u32>>)> {
    let lanes = |column: &Writes| {
        let values = column.values.iter().enumerate();
        values.map(|(lane, value)| column.written.contains(lane).then_some(*value)).collect()
    };
    effects.columns().iter().map(|column| (column.location, lanes(column))).collect()
}

#[test]
fn the_subject_h200_repeats_every_recorded_result_of_mufu() {
    let numbers = EncodingTable::provisional();
    let mut unit = BuiltIn::H200.subject(numbers.clone(), Profile::load("sm90").unwrap().readings);
    let (mut lanes, mut effects) = (0, Effects::default());
    for file in recordings().values() {
        let reader = Reader::open(file).unwrap();
        let groups = (0..reader.groups()).map(|group| reader.group(group, numbers).unwrap());
        for run in groups.flat_map(|group| group.runs) {
            let answer = unit.execute(&run.batch, &mut effects).unwrap();
            assert_eq!(answer == Answer::Known, run.instruction.optype() == "MUFU", "{:?}", run.instruction);
            if answer == Answer::Known {
                assert_eq!(written(&effects), written(&run.effects), "{:?}", run.instruction);
                lanes += run.batch.len();
            }
        }
    }
    assert!(lanes > 10_000, "{lanes}");
}
