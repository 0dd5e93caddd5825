//! The HTML pages: well-formed and safe for all inputs, and without a number that cannot be drawn.

use assay_engine::compare::judge::{Error, ONE_ULP};
use assay_engine::stats::accuracy::{Accuracy, Extreme};
use assay_engine::stats::exhaustive::map::{ErrorMap, ReducedArgument};
use assay_engine::stats::exhaustive::{ExhaustiveStats, Pair, Pairs, Range, ResultRelation};
use assay_records::{Plan, RunResult};
use insta::assert_snapshot;
use proptest::prelude::*;

use super::{samples, titled};
use crate::html;
use assay_pages::check::as_xml;

/// Returns a page with a line for each element.
pub fn lines(page: &str) -> String {
    page.replace("><", ">\n<")
}

/// Checks that a page is well-formed, has unique ids, fetches nothing, and draws only numbers. It
/// is checked as XML, which is stricter, except for two kinds of elements that are never closed.
pub fn assert_whole(page: &str) {
    let text = as_xml(page);
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{}", lines(page)));
    let mut ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id twice");
    for fetched in ["http://", "https://", "src=", "url(", "@import", "fetch(", "<link", "<iframe"] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    assert_eq!(page.matches("<script").count(), 1, "its own");
    for svg in document.descendants().filter(|node| node.has_tag_name("svg") && node.has_attribute("role")) {
        assert_drawable(svg, &ids);
    }
}

/// Returns the points of a path, in the units of its chart.
fn points(path: &str, transform: Option<&str>) -> Vec<[f64; 2]> {
    let numbers = |text: &str| -> Vec<f64> {
        let parts = text.replace('-', " -");
        parts.split_whitespace().map(|part| part.parse().unwrap_or_else(|_| panic!("{path}"))).collect()
    };
    let of_transform = transform
        .unwrap_or("translate(0 0) scale(1 1)")
        .replace(|c: char| c.is_alphabetic() || "()".contains(c), " ");
    let [left, top, wide, high] = numbers(&of_transform)[..] else { panic!("{transform:?}") };
    let starts: Vec<usize> =
        path.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([path.len()]);
    let ([mut x, mut y], mut points) = ([0.0, 0.0], Vec::new());
    for (start, end) in starts.iter().zip(ends) {
        match (&path[*start..=*start], &numbers(&path[start + 1..end])[..]) {
            ("M", [across, down]) => (x, y) = (*across, *down),
            ("H", [across]) => x = *across,
            ("V", [down]) => y = *down,
            ("m", [across, down]) => (x, y) = (x + across, y + down),
            ("h", [across]) => x += across,
            ("v", [down]) => y += down,
            ("Z", []) => {}
            other => panic!("{other:?} in {path}"),
        }
        points.push([left + x * wide, top + y * high]);
    }
    points
}

fn assert_drawable(svg: roxmltree::Node, ids: &[&str]) {
    for name in svg.attribute("aria-labelledby").unwrap().split(' ') {
        assert!(ids.contains(&name), "no {name}");
    }
    for node in svg.descendants() {
        for name in ["x", "y", "x1", "x2", "y1", "y2", "width", "height"] {
            if let Some(text) = node.attribute(name) {
                let value: f64 = text.parse().unwrap_or_else(|_| panic!("{name}={text}"));
                assert!((-10.0..=500.0).contains(&value), "{name}={text}");
            }
        }
        if let Some(path) = node.attribute("d") {
            let drawn = points(path, node.attribute("transform")).into_iter().flatten();
            assert!(drawn.into_iter().all(|value| (-10.0..=500.0).contains(&value)), "{path}");
        }
        assert_ne!(node.attribute("d"), Some(""), "a path of nothing");
    }
}

#[test]
fn a_surveyed_sweep_on_a_page() {
    let page = html(&[titled("sweep", samples::swept(70))]);
    assert_whole(&page);
    let (_, body) = page.split_once("</head>").unwrap();
    assert_snapshot!(lines(body));
}

#[test]
fn two_sweeps_on_a_page() {
    let (old, mut new) = (samples::swept(70), samples::swept(60));
    let page = html(&[titled("old", old.clone()), titled("new", new.clone())]);
    assert!(
        page.contains("sampled: 0.8750 → 0.7500") && page.contains("cases were executed"),
        "unlike samples"
    );
    new.tally.cases = old.tally.cases;
    let page = html(&[titled("old", old), titled("new", new)]);
    assert_whole(&page);
    assert!(page.contains("better: 0.8750 → 0.7500") && page.contains("same: "), "{}", lines(&page));
    let (_, section) = page.split_once("id=\"s-what-changed\"").unwrap();
    let (table, _) = section.split_once("</table>").unwrap();
    assert_snapshot!(lines(table));
}

/// A bound that broke is an error, even if the inputs are another sample.
#[test]
fn a_bound_that_broke_comes_first() {
    let (old, mut new) = (samples::swept(70), samples::swept(60));
    let accuracy = new.tally.accuracy.values_mut().next().expect("a function");
    accuracy.bounds.values_mut().for_each(|usage| usage.refused = 265);
    let page = html(&[titled("old", old.clone()), titled("new", new.clone())]);
    let (_, section) = page.split_once("id=\"s-what-changed\"").unwrap();
    let line = "MUFU.RCP.F32: 265 results exceed the bound. Before, none did.";
    assert!(section.find(line) < section.find("<table"), "{}", lines(&page));
    assert!(!html(&[titled("old", new), titled("new", old)]).contains("exceed the bound"));
}

#[test]
fn every_kind_of_result_has_a_page() {
    for outcome in [
        samples::fuzz(),
        samples::sweep(3),
        samples::arithmetic(),
        samples::empty(),
        samples::all_functions(),
        samples::trace(),
    ] {
        let one = titled("one", outcome);
        assert_whole(&html(std::slice::from_ref(&one)));
        assert_whole(&html(&[one.clone(), titled("other", samples::swept(9))]));
    }
    assert_whole(&html(&[]));
    assert_whole(&html(&["a", "b", "c"].map(|title| titled(title, samples::fuzz()))));
}

#[test]
fn hostile_names_stay_text() {
    let mut outcome = samples::swept(5);
    let hostile = "exec:<script>alert('x')</script> & \"y\" `z";
    let Plan::Sweep { setting, .. } = &mut outcome.plan else { unreachable!() };
    setting.subject = hostile.into();
    let accuracy = outcome.tally.accuracy["MUFU.RCP.F32"].clone();
    outcome.tally.accuracy.insert(hostile.into(), accuracy);
    for page in [
        html(&[titled(hostile, outcome.clone())]),
        html(&[titled(hostile, outcome.clone()), titled("b", outcome)]),
    ] {
        assert_whole(&page);
        assert!(page.contains("exec:&lt;script&gt;"));
    }
}

/// A cell states its share in words beside its colour. A cell without a bin states that.
#[test]
fn a_heat_map_is_read_without_its_colours() {
    let page = html(&[titled("covered", samples::covered())]);
    assert_whole(&page);
    for cell in [
        "class=\"number heat2\" title=\"FFMA_RRR, pair: 1,979 of 2,000 bins hit; 0 more are impossible\">98.95<",
        "class=\"number heat4\" title=\"FMUL_RR, class: 50 of 50 bins hit; 0 more are impossible\">100<",
        "class=\"number heat0\" title=\"FFMA_RRR, rounding: 0 of 40 bins hit; 2 more are impossible\">0<",
        "title=\"FMUL_RR, rounding: no bin that cases can hit; 8 impossible\">–<",
    ] {
        assert!(page.contains(cell), "{cell}\n{}", lines(&page));
    }
    assert!(!html(&[titled("swept", samples::sweep(20))]).contains("heat4\""));
}

fn extreme() -> impl Strategy<Value = Option<Extreme>> {
    let error = prop_oneof![any::<i64>(), -ONE_ULP..ONE_ULP, Just(1_000_000_000 * ONE_ULP), Just(0)];
    let some = (error, any::<u32>(), any::<u32>());
    prop::option::of(some.prop_map(|(error, input, result)| Extreme { error, input, result }))
}

fn range() -> impl Strategy<Value = Range> {
    (0..3u64, extreme(), extreme()).prop_map(|(measured, least, greatest)| Range {
        measured,
        correctly_rounded: measured / 2,
        least,
        greatest,
    })
}

fn pairs() -> impl Strategy<Value = Pairs> {
    let places = prop::collection::btree_map(0..1u32 << 16, 1..=u64::MAX >> 16, 0..4);
    let pair = (any::<u32>(), any::<u64>()).prop_map(|(input, by)| Pair {
        input,
        result: 1,
        partner: !input,
        partner_result: 2,
        by,
    });
    (places, prop::option::of(pair)).prop_map(|(places, farthest)| {
        let broken = places.values().sum();
        Pairs { seen: broken, broken, refused: 0, farthest, first: farthest.into_iter().collect(), places }
    })
}

fn error_map() -> impl Strategy<Value = ErrorMap> {
    let argument = prop_oneof![
        Just(ReducedArgument::Significand),
        Just(ReducedArgument::SignificandAndParity),
        Just(ReducedArgument::Fraction),
        Just(ReducedArgument::Turn),
        Just(ReducedArgument::Exponent)
    ];
    let part = (any::<u32>(), -1e16..1e16, -1e16..1e16, any::<bool>());
    (argument, prop::collection::vec(part, 0..9)).prop_map(|(argument, parts)| {
        let mut map = ErrorMap::new(argument);
        for (argument, high, low, fails) in parts {
            map.add_parts(argument, [([high, low], if fails { f64::NAN } else { low })]);
            if fails {
                map.add_failing(argument);
            }
        }
        map
    })
}

fn exhaustive_stats() -> impl Strategy<Value = ExhaustiveStats> {
    let keys = prop_oneof![0..512u32, any::<u32>()];
    let relation = prop_oneof![
        Just(ResultRelation::Monotonic),
        Just(ResultRelation::BorderJump),
        Just(ResultRelation::UnitCircle)
    ];
    (
        prop::collection::btree_map(keys, range(), 0..6),
        prop::collection::btree_map(0..200u32, range(), 0..6),
        prop::collection::btree_map(relation, pairs(), 0..3),
        prop::collection::vec(extreme(), 0..3),
        prop::option::of(error_map()),
    )
        .prop_map(|(binades, segments, relations, worst, map)| ExhaustiveStats {
            map,
            binades,
            segments,
            relations,
            worst: worst.into_iter().flatten().collect(),
            ..ExhaustiveStats::default()
        })
}

/// Returns a result of one function with the given statistics and errors.
fn outcome(function: &str, stats: ExhaustiveStats, errors: &[Extreme]) -> RunResult {
    let mut accuracy = Accuracy { exhaustive: Some(stats), ..Accuracy::default() };
    for Extreme { error, input, result } in errors {
        accuracy.record(Error { floor: *error, exact: false, correctly_rounded: false }, *input, *result);
    }
    let mut outcome = samples::sweep(1);
    outcome.tally.accuracy = [(function.to_owned(), accuracy)].into();
    outcome
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_survey_can_be_drawn(
        function in prop_oneof![Just("MUFU.RCP.F32"), Just("MUFU.RSQ.F64"), Just("MUFU.TANH.BF16"), Just("MUFU.EX2.F16_V2")],
        sides in [exhaustive_stats(), exhaustive_stats()],
        errors in prop::collection::vec(extreme(), 0..3),
    ) {
        let errors: Vec<Extreme> = errors.into_iter().flatten().collect();
        let [one, other] = sides.map(|stats| titled("any", outcome(function, stats, &errors)));
        assert_whole(&html(std::slice::from_ref(&one)));
        assert_whole(&html(&[one, other]));
    }
}
