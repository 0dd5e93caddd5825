//! Real reports match the schema, and the schema refuses what is no report.

use serde_json::{Value, json};

use super::{samples, titled};
use crate::schema;

fn report(outcomes: &[crate::ReportedRun]) -> Value {
    json!(crate::report(outcomes))
}

fn errors(instance: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    validator.iter_errors(instance).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn reports_keep_to_the_schema() {
    let mut swept = samples::swept(70);
    swept.tally.functions.insert("IADD3".into(), swept.tally.verdicts);
    for outcome in [
        samples::fuzz(),
        samples::sweep(70),
        swept,
        samples::arithmetic(),
        samples::covered(),
        samples::empty(),
        samples::all_functions(),
        samples::trace(),
    ] {
        assert_eq!(errors(&report(&[titled("a", outcome)])), Vec::<String>::new());
    }
    assert_eq!(errors(&report(&[])), Vec::<String>::new());
}

#[test]
fn what_is_no_report_is_refused() {
    let good = report(&[titled("a", samples::swept(70))]);
    let broken = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        !errors(&bad).is_empty()
    };
    let function = "/results/0/functions/MUFU.RCP.F32";
    assert!(broken("/results", Value::Null));
    assert!(broken("/results/0/cases", json!(-1)));
    assert!(broken("/results/0/plan/kind", json!("nap")));
    assert!(broken("/results/0/verdicts", json!({ "exact": 1 })));
    assert!(broken(&format!("{function}/histogram"), json!({ "edges": [] })));
    assert!(broken(&format!("{function}/measured"), json!("many")));
    assert!(broken(&format!("{function}/survey/relations/monotonic/seen"), Value::Null));
    assert!(broken(&format!("{function}/survey/binades/127/least"), json!({ "ulp": 0 })));
}
