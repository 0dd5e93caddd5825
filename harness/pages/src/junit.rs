//! Renders checks as JUnit XML, so that a CI system shows the failed checks.
//!
//! No one maintains the format. `quick-junit` writes the part that Jenkins, GitLab and GitHub all
//! read. There are no times, because results hold no times.

use assay_isa::shown;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The outcome of a check.
pub enum Status {
    /// The check passed.
    Held,
    /// The check failed.
    Failed {
        /// The reason, in a line.
        message: String,
        /// Details; may be empty.
        text: String,
    },
    /// The check was not made. The value is the reason.
    Skipped(String),
    /// The check could not be decided. The value is the reason.
    Error(String),
}

/// A demand and its outcome.
pub struct Check {
    /// The kind of demand.
    pub class: &'static str,
    /// The name of the check.
    pub name: String,
    /// The outcome of the check.
    pub status: Status,
}

/// Checks under a shared name.
pub struct Suite {
    /// The name of the suite.
    pub name: String,
    /// Facts about the whole suite, as pairs of name and value.
    pub properties: Vec<(&'static str, String)>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// Returns suites of checks as a document.
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

/// Converts a check. XML cannot contain control characters, even escaped, so they are spelt out.
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
