use super::*;

fn refused(text: &str) -> String {
    NightPlan::parse(text, Path::new("plan.yaml")).expect_err(text).to_string()
}

const GOOD: &str =
    "{version: 1, name: n, subject: model, stages: [{name: a, run: vectors check, time: 90s}]}";

#[test]
fn the_default_plan_is_one_and_is_written_as_it_is_read() {
    let plan = NightPlan::load(None).expect("a plan");
    let again = NightPlan::parse(&plan.to_yaml(), Path::new("x")).expect("the same plan");
    assert_eq!((&again, again.digest()), (&plan, plan.digest()));
    assert_eq!(plan.seed.of(7), 7);
}

#[test]
fn all_mistakes_of_a_plan_are_told_at_once() {
    let text = "version: 1\nname: test\nsubject: model\nkeep: 0\nstages:\n- {name: a, run: '', time: 1m}\n- {name: b, run: fuzz, time: 1m}\n- {name: b, run: fuzz, time: 1m}\n";
    let error = NightPlan::parse(text, Path::new("plan.yaml")).expect_err("three mistakes").to_string();
    for words in ["plan.yaml: 3 mistakes:", "`keep: 0`", "line 6: stage a", "line 8: two stages are called b"]
    {
        assert!(error.contains(words), "{words} is not in\n{error}");
    }
}

#[test]
fn a_limit_with_which_no_run_could_fail_is_refused() {
    for (key, value, shown) in [
        ("coverage_lost", ".nan", "NaN"),
        ("ulp_grown", "-.inf", "-inf"),
        ("slowed", "-1", "-1"),
        ("slowed", ".inf", "inf"),
    ] {
        let text = GOOD.replacen("stages:", &format!("policy: {{{key}: {value}}}, stages:"), 1);
        let error = refused(&text);
        assert!(error.contains(&format!("`policy.{key}: {shown}` is no limit")), "{error}");
    }
}

#[test]
fn all_parts_that_cannot_be_parsed_are_told_at_once() {
    let text = "version: 1\nsubject: model\nsede: 3\nstages:\n- {name: a, run: fuzz, time: 1 minute}\n- {name: b, run: fuzz, time: 1m, optinal: true}\npolicy: {coverage_lost: lots}\n";
    let error = refused(text);
    for words in [
        "plan.yaml: 5 mistakes:",
        "line 3: unknown field `sede`",
        "line 5: ",
        "1 minute",
        "line 6: ",
        "unknown field `optinal`",
        "line 7: ",
        "missing field `name`",
    ] {
        assert!(error.contains(words), "{words} is not in\n{error}");
    }
}

#[test]
fn a_problem_of_a_stage_has_its_line() {
    let text = "version: 1\nname: n\nsubject: model\nstages:\n- {name: a, run: vectors check, time: 90s}\n- name: a\n  run: isa lint\n  time: 1m\n";
    assert_eq!(refused(text), "plan.yaml: line 6: two stages are called a");
    let error = NightPlan::error(None, &[(PlanPlace::Stage(1), "why".to_owned())]).to_string();
    assert!(error.starts_with("the default plan: line ") && error.ends_with(": why"), "{error}");
}

#[test]
fn what_a_case_names_is_found_in_the_plan_alone() {
    let stages = "{name: a, run: \"fuzz --against 'exec:dev  --x' --profile=Cargo.toml\", time: 90s}";
    let text = GOOD.replacen("{name: a, run: vectors check, time: 90s}", stages, 1);
    let plan = NightPlan::parse(&text, Path::new("plan.yaml")).expect("a plan");
    let file = std::fs::canonicalize("Cargo.toml").expect("a file").display().to_string();
    let cases = [
        ("--against", "exec:dev --x", Some("exec:dev  --x")),
        ("--against", "exec:dev --y", None),
        ("--against", "exec:touch x", None),
        ("--subject", "exec:dev --x", None),
        ("--profile", file.as_str(), Some("Cargo.toml")),
        ("--profile", "/etc/passwd", None),
    ];
    for (option, name, value) in cases {
        assert_eq!(plan.named(option, name).as_deref(), value, "{option} {name}");
    }
}

#[test]
fn a_plan_that_would_mislead_is_refused() {
    assert!(NightPlan::parse(GOOD, Path::new("x")).is_ok());
    let cases = [
        ("version: 1", "version: 2", "plans of version 1"),
        ("time: 90s", "time: 90", "write a whole number and s, m or h"),
        ("time: 90s", "time: 0s", "write a whole number and s, m or h"),
        ("[{name: a, run: vectors check, time: 90s}]", "[]", "would pass"),
        ("run: vectors check", "run: ''", "name a command"),
        ("run: vectors check", "run: nightly", "begins with `nightly`"),
        ("run: vectors check", "run: --jobs 1 fuzz", "write --jobs behind the command"),
        ("run: vectors check", "run: vectors --jobs=1 check", "write --jobs=1 behind the command"),
        ("run: vectors check", "run: \"fuzz 'x\"", "cannot be read"),
        ("run: vectors check", "run: fuzz --out=x", "leave out --out=x"),
        ("name: a", "name: a/b", "letters, digits"),
        ("name: a", &format!("name: {}", "a".repeat(101)), "100 at most"),
        ("subject: model", "subject: model, keep: 0", "nothing to compare"),
        ("subject: model", "subject: model, polcy: {}", "unknown field `polcy`"),
        ("run: vectors check", "run: libfuzzer run", "cargo-fuzz runs the libFuzzer targets"),
        ("time: 90s}", "time: 90s}, {name: a, run: fuzz, time: 1m}", "two stages are called a"),
    ];
    for (part, other, words) in cases {
        let text = GOOD.replacen(part, other, 1);
        assert_ne!(text, GOOD, "{part} is there");
        let problem = refused(&text);
        assert!(problem.contains(words) && problem.starts_with("plan.yaml: "), "{text}\n{problem}");
    }
}
