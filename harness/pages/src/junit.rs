//! Renders checks as JUnit XML, so that a CI system shows what did not hold.
//!
//! The format has no owner; what `quick-junit` writes is what the readers of Jenkins, GitLab and GitHub have in common.
//! Times are left out: a result has none.

use assay_isa::shown;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The outcome of a check.
pub enum Status {
    /// It holds.
    Held,
    /// It does not.
    Failed {
        /// Why, in a line.
        message: String,
        /// More about it; can be empty.
        text: String,
    },
    /// It was not made; why.
    Skipped(String),
    /// It could not be decided; why.
    Error(String),
}

/// Something that was asked.
pub struct Check {
    /// What kind of thing it is about.
    pub class: &'static str,
    /// The name of the check.
    pub name: String,
    /// The outcome of it.
    pub status: Status,
}

/// Checks with a name in common.
pub struct Suite {
    /// The name.
    pub name: String,
    /// Facts about all of them, a name and a value each.
    pub properties: Vec<(&'static str, String)>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// Suites of checks as a document.
pub fn junit(suites: &[Suite]) -> String {
    let mut report = Report::new("assay");
    for Suite { name, properties, checks } in suites {
        let mut suite = TestSuite::new(shown::page(name));
        for (name, value) in properties {
            suite.add_property((*name, &*shown::page(value)));
        }
        suite.add_test_cases(checks.iter().map(case));
        report.add_test_suite(suite);
    }
    report.to_string().expect("writing to memory cannot fail")
}

/// A check. XML cannot hold control characters, even escaped: they are spelt out.
fn case(Check { class, name, status }: &Check) -> TestCase {
    let status = match status {
        Status::Held => TestCaseStatus::success(),
        Status::Failed { message, text } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_type("divergence")
                .set_message(shown::page(message))
                .set_description(shown::page(text));
            status
        }
        Status::Error(why) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("unverified").set_message(shown::page(why));
            status
        }
        Status::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(shown::page(why));
            status
        }
    };
    let mut case = TestCase::new(shown::page(name), status);
    case.set_classname(format!("assay.{class}"));
    case
}
