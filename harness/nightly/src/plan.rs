//! `nightly.yaml`: the stages of a nightly run, their time budgets, and the policy that decides
//! whether the run fails.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use assay_files::digest;
use assay_files::yaml::{self, Step};
use assay_isa::shown::{message, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::words::values;

/// Version of the plan's format.
pub const VERSION: u32 = 1;
/// The plan that is used if none is given.
pub const DEFAULT: &str = include_str!("default.yaml");

/// The plan of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightPlan {
    /// Version of the format: 1.
    pub version: u32,
    /// Name of the plan, which the pages show.
    pub name: String,
    /// One line about the purpose of the plan.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The subject, in the notation of `--subject`.
    pub subject: String,
    /// The profile, in the notation of `--profile`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Path of an encoding table, as for `--numbers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<PathBuf>,
    /// Number of worker threads of a stage. The default is one thread for each core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u16>,
    /// Optypes, forms or functions, in the notation of `--only`. The subject must support every
    /// mode that they select.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// Further files of the subject, as globs, such as modules that it imports and libraries that
    /// it loads. Their digests are part of each result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Seed of the campaigns.
    #[serde(default)]
    pub seed: Seed,
    /// The stages, in the order in which they run.
    pub stages: Vec<StagePlan>,
    /// The policy, which decides whether a run fails.
    #[serde(default)]
    pub policy: Policy,
    /// Number of nightly runs whose stage files are kept. Older runs keep only their reports.
    #[serde(default = "some_nights")]
    pub keep: u32,
}

fn some_nights() -> u32 {
    14
}

/// The seed of the campaigns of a nightly run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", expecting = "a seed is `night` or a number")]
pub enum Seed {
    /// The number of the nightly run, so that every run generates other cases.
    #[default]
    Night,
    /// The same number for every run.
    #[serde(untagged)]
    Fixed(u64),
}

impl Seed {
    /// Returns the seed of the campaigns of nightly run `night`.
    pub fn of(self, night: u32) -> u64 {
        match self {
            Seed::Night => u64::from(night),
            Seed::Fixed(seed) => seed,
        }
    }
}

/// A stage of a nightly run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    /// Name of the stage: letters, digits and `-`. Stages of different runs are compared by name.
    pub name: String,
    /// The command of assay, without the word `assay`.
    pub run: String,
    /// The time budget. A stage that uses up its budget stops and keeps its results.
    pub time: Budget,
}

/// A duration: `90s`, `30m`, `8h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Budget(pub Duration);

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let wrong = || {
            let text = quoted(text);
            format!("`{text}` is no span of time; write a whole number and s, m or h, such as 30m")
        };
        let number: u64 = text[..split].parse().map_err(|_| wrong())?;
        let unit = match &text[split..] {
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            _ => return Err(wrong()),
        };
        let seconds = number.checked_mul(unit).filter(|seconds| (1..=u64::from(u32::MAX)).contains(seconds));
        seconds.map(Duration::from_secs).map(Budget).ok_or_else(wrong)
    }
}

impl TryFrom<String> for Budget {
    type Error = String;

    fn try_from(text: String) -> Result<Budget, String> {
        text.parse()
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs() {
            hours if hours.is_multiple_of(3600) => write!(f, "{}h", hours / 3600),
            minutes if minutes.is_multiple_of(60) => write!(f, "{}m", minutes / 60),
            seconds => write!(f, "{seconds}s"),
        }
    }
}

impl From<Budget> for String {
    fn from(budget: Budget) -> String {
        budget.to_string()
    }
}

/// The policy of a plan, which decides what fails a run. A stage that fails to do its work always
/// fails the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Whether an issue without a set status fails the run. This also decides for a known, expected
    /// or flaky issue that occurs in a new way or more often.
    pub new: bool,
    /// Whether a known issue fails the run.
    pub known: bool,
    /// Whether a flaky issue fails the run.
    pub flaky: bool,
    /// Whether a stage that ran out of time fails the run.
    pub out_of_time: bool,
    /// Whether divergences that no finding covers fail the run. Such divergences occur if a bug has
    /// more raw keys than are examined.
    pub unexamined: bool,
    /// Percentage points of coverage that a stage may lose against the run before. Absent means no
    /// limit. Allow some loss, because the coverage of runs with different seeds differs by chance.
    pub coverage_lost: Option<f64>,
    /// Growth in ulp that is allowed for the largest error of a swept function. The error is
    /// compared with the baseline, or without a baseline with the run before. Absent means no
    /// limit.
    pub ulp_grown: Option<f64>,
    /// Share of its speed that a stage may lose against the run before, 0 to 1. Absent means no
    /// limit.
    pub slowed: Option<f64>,
    /// Globs over optypes, forms or functions. `fuzz` and `sweep` may judge few or no lanes of
    /// these and still pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_unjudged: Vec<String>,
    /// Globs over optypes, forms or functions. A device without declared modes may answer
    /// `unsupported` to these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_undeclared: Vec<String>,
    /// The percentage of the lanes of each form and function that `fuzz` and `sweep` must judge, 0
    /// to 100. Absent means that only the minimum shares of the profile apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_judged: Option<u8>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            new: true,
            known: false,
            flaky: true,
            out_of_time: false,
            unexamined: false,
            coverage_lost: None,
            ulp_grown: None,
            slowed: None,
            allow_unjudged: Vec::new(),
            allow_undeclared: Vec::new(),
            require_judged: None,
        }
    }
}

/// The kind of a stage's command. It decides which options a nightly run adds to the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// `fuzz`: gets a folder for results, a seed and a subject.
    Fuzz,
    /// `sweep`: gets a folder for results and a subject.
    Sweep,
    /// `vectors check`: gets a subject.
    Vectors,
    /// `mutants run`: gets none of these.
    Mutants,
    /// Any other command. It only passes or fails.
    Check,
}

/// Maximum length of the name of a stage. The name is also the name of a folder.
const LONGEST_NAME: usize = 100;

/// Options that a plan must not set, because a nightly run sets them itself.
const RESERVED: [&str; 4] = ["--out", "--resume", "--overwrite", "--format"];

impl StagePlan {
    /// Returns the words of the command.
    pub fn words(&self) -> Result<Vec<String>, String> {
        let problem = |e| format!("stage {}: `run` cannot be read: {e}", quoted(&self.name));
        shell_words::split(&self.run).map_err(problem)
    }

    /// Returns the kind of the command.
    pub fn kind(&self) -> CommandKind {
        let words = self.words().unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["fuzz", ..] => CommandKind::Fuzz,
            ["sweep", ..] => CommandKind::Sweep,
            ["vectors", "check", ..] => CommandKind::Vectors,
            ["mutants", "run", ..] => CommandKind::Mutants,
            _ => CommandKind::Check,
        }
    }

    /// Returns whether the stage executes `dut check`.
    pub fn is_device_check(&self) -> bool {
        self.words().is_ok_and(|words| words.starts_with(&["dut", "check"].map(str::to_owned)))
    }

    /// Checks the name of the stage, and those mistakes in the command that the command itself does
    /// not report.
    ///
    /// # Errors
    ///
    /// A sentence about the first mistake.
    pub fn check(&self) -> Result<(), String> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name = quoted(&self.name);
        if !(1..=LONGEST_NAME).contains(&self.name.len()) || !self.name.chars().all(is_name) {
            return Err(format!(
                "stage `{name}`: a name has letters, digits and `-`, {LONGEST_NAME} at most"
            ));
        }
        let words = self.words()?;
        let Some(first) = words.first() else {
            return Err(format!("stage {name}: `run` is empty; name a command of assay"));
        };
        if ["nightly", "status", "assay"].contains(&first.as_str()) {
            return Err(format!(
                "stage {name}: `run` begins with `{first}`; name a command of assay that a nightly run can start"
            ));
        }
        if first == "libfuzzer" {
            return Err(format!(
                "stage {name}: leave it out; cargo-fuzz runs the libFuzzer targets (docs/internals/libfuzzer.md)"
            ));
        }
        // With an option before it, the kind of the command would not be recognised. Then its
        // result would not be checked.
        let is_group = ["vectors", "mutants", "dut"].contains(&first.as_str());
        let named = &words[..words.len().min(if is_group { 2 } else { 1 })];
        if let Some(option) = named.iter().find(|word| word.starts_with('-')) {
            return Err(format!("stage {name}: write {} behind the command", quoted(option)));
        }
        let is_reserved = |word: &&String| RESERVED.contains(&word.split('=').next().unwrap_or(word));
        match words.iter().find(is_reserved) {
            Some(word) => {
                Err(format!("stage {name}: leave out {}, which the nightly run sets itself", quoted(word)))
            }
            None => Ok(()),
        }
    }
}

impl NightPlan {
    /// Reads a plan. Without a path, returns the default plan.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the plan has mistakes. The error lists all mistakes.
    pub fn load(path: Option<&Path>) -> Result<NightPlan, NightlyError> {
        match NightPlan::load_with_mistakes(path)? {
            (plan, mistakes) if mistakes.is_empty() => Ok(plan),
            (_, mistakes) => Err(NightPlan::error(path, &mistakes)),
        }
    }

    /// Reads a plan, or without a path the default plan. Returns the plan and its mistakes. The
    /// caller can check the commands for further mistakes, and report all with
    /// [`NightPlan::error`].
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a part of it cannot be parsed.
    pub fn load_with_mistakes(
        path: Option<&Path>,
    ) -> Result<(NightPlan, Vec<(PlanPlace, String)>), NightlyError> {
        let Some(path) = path else {
            return NightPlan::read(DEFAULT, Path::new("the default plan"));
        };
        let text = assay_files::read_text(path, yaml::BYTES)
            .map_err(|e| NightlyError::input(path, format!("{e}; give a plan with --config")))?;
        NightPlan::read(&text, path)
    }

    /// Reads the text of a plan. `path` appears in errors only.
    pub fn parse(text: &str, path: &Path) -> Result<NightPlan, NightlyError> {
        let (plan, problems) = NightPlan::read(text, path)?;
        if problems.is_empty() {
            return Ok(plan);
        }
        let lines = problems.iter().map(|(place, problem)| at_line(text, &place.steps(), problem));
        Err(NightlyError::input(path, listed(&lines.collect::<Vec<_>>())))
    }

    fn read(text: &str, path: &Path) -> Result<(NightPlan, Vec<(PlanPlace, String)>), NightlyError> {
        yaml::check(text).map_err(|e| NightlyError::input(path, e.to_string()))?;
        let plan: NightPlan = serde_yaml::from_str(text).map_err(|error| {
            let parts = mistakes_of_parts(text);
            match parts.len() {
                0 | 1 => NightlyError::input(path, message(&error.to_string())),
                _ => NightlyError::input(path, listed(&parts)),
            }
        })?;
        if plan.version != VERSION {
            let version = plan.version;
            let problem = format!("version {version}: this assay reads plans of version {VERSION}");
            return Err(NightlyError::input(path, problem));
        }
        let problems = plan.mistakes();
        Ok((plan, problems))
    }

    /// Returns the plan's value of an option that is equivalent to `name`, the value in a case.
    /// Different paths of one file are equivalent, and so are commands that differ only in quotes.
    pub(crate) fn named(&self, option: &str, name: &str) -> Option<String> {
        let of_plan = self.profile.clone().filter(|_| option == "--profile");
        let of_stages =
            self.stages.iter().flat_map(|stage| values(&stage.words().unwrap_or_default(), option));
        let is_meant = |value: &String| {
            let file = |text: &str| std::fs::canonicalize(text).ok();
            value == name
                || shell_words::split(value).ok() == shell_words::split(name).ok()
                || file(value).is_some_and(|path| Some(path) == file(name))
        };
        of_plan.into_iter().chain(of_stages).find(is_meant)
    }

    /// Returns the subject of a stage that is equivalent to `name`, the subject in a case. `None`
    /// if `name` is the subject of the plan, or if no stage has an equivalent subject.
    pub(crate) fn own_subject(&self, name: &str) -> Option<String> {
        (self.subject != name).then(|| self.named("--subject", name)).flatten()
    }

    /// Returns the error that lists all mistakes in a plan, each with its line. `path` is the path
    /// of the plan.
    pub fn error(path: Option<&Path>, problems: &[(PlanPlace, String)]) -> NightlyError {
        let text = path.map(|path| assay_files::read_text(path, yaml::BYTES));
        let text = text.and_then(Result::ok).unwrap_or_else(|| DEFAULT.to_owned());
        let path = path.unwrap_or(Path::new("the default plan"));
        let lines = problems.iter().map(|(place, problem)| at_line(&text, &place.steps(), problem));
        NightlyError::input(path, listed(&lines.collect::<Vec<_>>()))
    }

    /// Returns all mistakes except those of the commands, one sentence each.
    fn mistakes(&self) -> Vec<(PlanPlace, String)> {
        let mut problems = Vec::new();
        if self.stages.is_empty() {
            problems.push((PlanPlace::Whole, "`stages` is empty: a run without a stage would pass".into()));
        }
        if self.keep == 0 {
            let problem = "`keep: 0` would leave nothing to compare the next run with";
            problems.push((PlanPlace::Whole, problem.into()));
        }
        let Policy { coverage_lost, ulp_grown, slowed, .. } = &self.policy;
        for (key, limit) in [("coverage_lost", coverage_lost), ("ulp_grown", ulp_grown), ("slowed", slowed)] {
            // A NaN is refused, because no comparison with it would ever fail.
            if let Some(limit) = limit.filter(|limit| !limit.is_finite() || *limit < 0.0) {
                let problem = format!("`policy.{key}: {limit}` is no limit; write a number from 0 on");
                problems.push((PlanPlace::Whole, problem));
            }
        }
        let mut names = BTreeSet::new();
        for (place, stage) in self.stages.iter().enumerate() {
            let mut checked = stage.check();
            if checked.is_ok() && !names.insert(&stage.name) {
                checked = Err(format!("two stages are called {}", quoted(&stage.name)));
            }
            problems.extend(checked.err().map(|problem| (PlanPlace::Stage(place), problem)));
        }
        problems
    }

    /// Returns the text of the plan file.
    pub fn to_yaml(&self) -> String {
        serde_yaml::to_string(self).expect("a plan can be written")
    }

    /// Returns a digest of the plan, 16 hexadecimal digits.
    pub fn digest(&self) -> String {
        digest::sha256(self.to_yaml())[..16].to_owned()
    }
}

/// A place in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanPlace {
    /// The whole plan.
    Whole,
    /// The subject.
    Subject,
    /// The demanded modes.
    Modes,
    /// The further files of the subject.
    Files,
    /// A stage, counted from 0.
    Stage(usize),
}

impl PlanPlace {
    fn steps(self) -> Vec<Step<'static>> {
        match self {
            PlanPlace::Whole => Vec::new(),
            PlanPlace::Subject => vec![Step::Key("subject")],
            PlanPlace::Modes => vec![Step::Key("modes")],
            PlanPlace::Files => vec![Step::Key("files")],
            PlanPlace::Stage(nth) => vec![Step::Key("stages"), Step::Item(nth)],
        }
    }
}

/// Returns the mistakes in the parts of a plan that cannot be parsed. Each part is tested
/// separately: it replaces the corresponding part of the default plan.
fn mistakes_of_parts(text: &str) -> Vec<String> {
    use serde_yaml::{Mapping, Value, from_str, from_value};
    let (Ok(parts), Ok(right)) = (from_str::<Mapping>(text), from_str::<Mapping>(DEFAULT)) else {
        return Vec::new();
    };
    let mut mistakes = Vec::new();
    let mut check = |steps: &[Step], key: &Value, part: Value| {
        let mut plan = right.clone();
        plan.insert(key.clone(), part);
        if let Err(error) = from_value::<NightPlan>(Value::Mapping(plan)) {
            mistakes.push(at_line(text, steps, &message(&error.to_string())));
        }
    };
    for (key, part) in &parts {
        let step = Step::Key(key.as_str().unwrap_or_default());
        match part {
            Value::Sequence(stages) if key.as_str() == Some("stages") => {
                for (nth, stage) in stages.iter().enumerate() {
                    check(&[step, Step::Item(nth)], key, Value::Sequence(vec![stage.clone()]));
                }
            }
            part => check(&[step], key, part.clone()),
        }
    }
    let required = ["version", "name", "subject", "stages"];
    let missing = required.into_iter().filter(|name| !parts.contains_key(*name));
    mistakes.extend(missing.map(|name| format!("missing field `{name}`")));
    mistakes
}

/// Returns a single mistake unchanged. Lists several mistakes: their number, and then each on its
/// own line.
fn listed(problems: &[String]) -> String {
    match problems {
        [one] => one.clone(),
        _ => {
            let lines: Vec<String> = problems.iter().map(|problem| format!("  {problem}")).collect();
            format!("{} mistakes:\n{}", problems.len(), lines.join("\n"))
        }
    }
}

/// Returns a problem, preceded by the number of the line at which its place in the plan begins.
fn at_line(text: &str, place: &[Step], problem: &str) -> String {
    match yaml::line_of(text, place).filter(|_| !place.is_empty()) {
        Some(line) => format!("line {line}: {problem}"),
        None => problem.to_owned(),
    }
}

#[cfg(test)]
mod tests;
