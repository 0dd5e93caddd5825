//! `assay nightly`: runs the stages of a nightly plan and writes the report.

use std::path::{Path, PathBuf};
use std::process::Command;

use assay_isa::shown::argument;
use assay_nightly::begin::{baseline, begin};
use assay_nightly::command::command;
use assay_nightly::finalize::finalize;
use assay_nightly::folder::{Folder, NightFolder};
use assay_nightly::known_issues::KnownIssues;
use assay_nightly::modes::{SupportedModes, demanded_command};
use assay_nightly::nightly_report::{NightlyOutput, NightlyReport, SignatureLine};
use assay_nightly::plan::{DEFAULT, NightPlan, PlanPlace};
use assay_nightly::run::Night;
use assay_nightly::state::NightState;
use assay_records::{device_files, write_bytes};
use assay_reports::ReportedFinding;
use assay_runner::build;
use assay_runner::cases::suites::SuiteFile;
use clap::Args;

use super::reported;
use crate::context::{Context, ProgramView};
use crate::failure::{ExitStatus, Failure, first_paragraph};
use crate::interrupt::{self, STOP};
use crate::output;
use crate::program::RunCommand;
use crate::progress::Stages;

/// Run a nightly campaign: stages with time budgets, then a report of the changes.
///
/// Each stage is a command of assay in its own process. Findings are added to the known-issues list
/// in the folder of the campaign. Every case of the list is replayed, to distinguish new, known,
/// expected, fixed, regressed and flaky issues.
///
/// Exit status 0 means that the policy of the plan is met. Exit status 1 means that the policy is
/// not met. Exit status 3 means that a stage failed to do its work. Exit status 130 means that the
/// run was interrupted. --resume then continues it, and does not repeat finished stages.
#[derive(Args)]
pub struct Nightly {
    /// The plan. The default is a plan that tests the model with all stages.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the campaign. Use the same folder in each nightly run.
    #[arg(long, value_name = "DIR", default_value = "nightly")]
    out: PathBuf,
    /// Continue the unfinished run, if there is one. Otherwise begin the next run.
    #[arg(long)]
    resume: bool,
    /// Also compare with this run: its number, or a file nightly.json.
    #[arg(long, value_name = "NIGHT|FILE")]
    baseline: Option<String>,
    /// Print the default plan, and run nothing.
    #[arg(long)]
    print_plan: bool,
}

impl RunCommand for Nightly {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.print_plan {
            output::print(DEFAULT)?;
            return Ok(ExitStatus::Held);
        }
        let (plan, mistakes) = NightPlan::load_with_mistakes(self.config.as_deref())?;
        let program = StagePrograms::find(context)?;
        let build = build::identity()?;
        let folder = Folder::create(&self.out)?;
        let _lock = folder.lock()?;
        self.check_stages(&program, &plan, mistakes, &folder)?;
        // The check above started subjects, and a running subject limits the time for an orderly
        // end. The limit is lifted here, because the stages start their subjects themselves.
        interrupt::finish_work();
        let baseline = baseline(&folder, self.baseline.as_deref())?;
        // Reads the list before the first stage, because an unreadable list would otherwise make
        // the run useless after hours.
        KnownIssues::read(&folder.known_issues())?;
        let (night, mut state) = begin(&folder, &plan, build, self.resume, &|text| output::say(text))?;
        let mut view = Stages::new(state.stages.len());
        let mut look = |state: &NightState, place: usize| {
            let stage = &state.stages[place];
            view.at(place, &stage.name, &stage.last);
        };
        let mut run = Night {
            folder: &folder,
            night: &night,
            plan: &plan,
            program: &|words| program.of(words),
            stop: &STOP,
            look: &mut look,
        };
        let is_over = SupportedModes::list(&run)?.is_some() && run.stages(&mut state)?;
        let nightly = if is_over { finalize(&run, &mut state, baseline.as_ref())? } else { None };
        let Some(nightly) = nightly else {
            state.write(&night)?;
            let resume = resume_command(&night, &self.out);
            output::say(format_args!("interrupted; continue with `{resume}`"));
            return Ok(ExitStatus::Interrupted);
        };
        view.finish();
        let found = findings(context, &folder, &nightly, &night.report());
        let pages = write_pages(&night, &nightly, &found)?;
        state.finished = true;
        state.write(&night)?;
        folder.prune(plan.keep)?;
        self.print(context, nightly, &found, pages)
    }
}

impl Nightly {
    /// Checks every stage before the first stage starts, because a mistake would otherwise show
    /// hours later. Reports all problems together. `problems` holds those of the plan itself, which
    /// come first.
    fn check_stages(
        &self,
        programs: &StagePrograms,
        plan: &NightPlan,
        mut problems: Vec<(PlanPlace, String)>,
        folder: &Folder,
    ) -> Result<(), Failure> {
        let run = self.out.join("run");
        let check = |words: &[String]| programs.check(words);
        if let Err(problem) = device_files::find(&plan.files) {
            problems.push((PlanPlace::Files, format!("`files`: {problem}")));
        }
        // Each stage gets the files as an option. Their mistakes are reported once, above.
        let plan = &NightPlan { files: Vec::new(), ..plan.clone() };
        let on_model = NightPlan { subject: "model".to_owned(), ..plan.clone() };
        let path = self.config.as_deref();
        if !plan.modes.is_empty()
            && let Err(failure) = check(&demanded_command(plan))
        {
            problems.push((PlanPlace::Modes, failure.message()));
        }
        for (place, stage) in plan.stages.iter().enumerate().filter(|(_, stage)| stage.check().is_ok()) {
            let Err(failure) = check(&command(plan, stage, &run, 0)) else { continue };
            // If the same stage passes its check with the model as subject, the plan's subject is
            // the cause. A check of a device names its own subject.
            let is_of_subject = stage.is_device_check() || check(&command(&on_model, stage, &run, 0)).is_ok();
            let (name, message) = (&stage.name, failure.message());
            let problem = if is_of_subject {
                (PlanPlace::Subject, format!("subject of stage {name}: {message}"))
            } else {
                (PlanPlace::Stage(place), format!("stage {name}: {message}"))
            };
            // Stages share the plan's subject, so its problem is reported only once.
            if !is_of_subject || !problems.iter().any(|(place, _)| *place == PlanPlace::Subject) {
                problems.push(problem);
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        let error = NightPlan::error(path, &problems);
        // In a later run of the campaign, a problem of the subject does not stop the run. The
        // report shows it.
        let is_of_subject = problems.iter().all(|(place, _)| *place == PlanPlace::Subject);
        let is_first = !folder.nights()?.iter().any(|night| night.nightly_report().exists());
        if is_first || !is_of_subject {
            return Err(error.into());
        }
        output::say(error);
        Ok(())
    }

    fn print(
        &self,
        context: &Context,
        nightly: NightlyReport,
        found: &[ReportedFinding],
        pages: Vec<PathBuf>,
    ) -> Result<ExitStatus, Failure> {
        let status = match nightly.verdict.status {
            0 => ExitStatus::Held,
            1 => ExitStatus::Failed,
            _ => ExitStatus::Broke,
        };
        if context.json {
            output::print_output(&NightlyOutput { nightly, pages })?;
        } else {
            output::print(&assay_reports::nightly_report::markdown(&nightly, found))?;
            pages.iter().try_for_each(|page| output::print(&format!("{}\n", page.display())))?;
        }
        Ok(status)
    }
}

/// The programs whose commands can be stages.
struct StagePrograms {
    /// The running program.
    program: &'static dyn ProgramView,
    /// Path of the running program.
    path: PathBuf,
}

impl StagePrograms {
    fn find(context: &Context) -> Result<StagePrograms, Failure> {
        let path =
            std::env::current_exe().map_err(|error| Failure::harness(format!("assay itself: {error}")))?;
        Ok(StagePrograms { program: context.program, path })
    }

    /// Returns the program that has a command: this program, or `assay-lab` in the same folder.
    fn of(&self, words: &[String]) -> PathBuf {
        if self.program.has(words) { self.path.clone() } else { self.path.with_file_name("assay-lab") }
    }

    /// Checks that a command can begin. `assay-lab` checks its own commands.
    fn check(&self, words: &[String]) -> Result<(), Failure> {
        if self.program.has(words) {
            return self.program.check_command(words);
        }
        let path = self.of(words);
        let lab = path.display();
        if !path.is_file() {
            let command = words.first().map_or("", String::as_str);
            let problem = format!("`{command}` is a command of assay-lab, and there is no {lab}");
            return Err(Failure::input(problem).help("build it with `cargo build --release -p assay-lab`"));
        }
        let output = Command::new(&path).args(words).arg("--dry-run").output();
        let output = output.map_err(|error| Failure::input(format!("{lab} cannot be started: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        Err(Failure::input(first_paragraph(&String::from_utf8_lossy(&output.stderr))))
    }
}

/// Returns the findings of the signatures that fail the nightly run, if their case files can be
/// read.
fn findings(
    context: &Context,
    folder: &Folder,
    nightly: &NightlyReport,
    report: &Path,
) -> Vec<ReportedFinding> {
    let failing = nightly.signatures.iter().filter(|line| line.change.fails());
    let found = failing.filter_map(|line| Some((line.signature.as_str(), finding(folder, line)?)));
    let found = found.map(|(signature, file)| {
        let against = nightly.setting_of(signature).and_then(|setting| setting.against.as_deref());
        let subject = ("--subject", nightly.subject_of(signature));
        let subjects: Vec<_> = [subject].into_iter().chain(against.map(|name| ("--against", name))).collect();
        reported::of_files(context, &[file], &subjects, Some(report))
    });
    found.flatten().collect()
}

/// Returns the command that continues a run in the folder `out`. The command names the copy of the
/// plan in the folder of the nightly run.
pub(super) fn resume_command(night: &NightFolder, out: &Path) -> String {
    let [plan, out] = [&night.plan(), out].map(|path| argument(&path.display().to_string()));
    format!("assay nightly --config {plan} --out {out} --resume")
}

/// Reads the finding of a signature: the finding that this run wrote, or else the finding that an
/// earlier run kept.
fn finding(folder: &Folder, line: &SignatureLine) -> Option<SuiteFile> {
    let path = folder.path().join(line.shown.as_ref().or(line.case.as_ref())?);
    let mut file = SuiteFile::read(&path).ok()?;
    // A finding that was recognised by its condition can have a new signature in this run. The
    // report shows it under the signature in the list.
    let findings = file.suite.cases.iter_mut().filter_map(|case| case.finding.as_mut());
    findings.for_each(|finding| finding.signature.clone_from(&line.signature));
    Some(file)
}

/// Writes the pages beside `nightly.json`.
fn write_pages(
    night: &NightFolder,
    nightly: &NightlyReport,
    found: &[ReportedFinding],
) -> Result<Vec<PathBuf>, Failure> {
    let report = night.report();
    let pages = [
        ("nightly.html", assay_reports::nightly_report::html(nightly, found)),
        ("nightly.md", assay_reports::nightly_report::markdown(nightly, found)),
        ("nightly.junit.xml", assay_reports::nightly_report::junit(nightly, found)),
    ];
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, text) in pages {
        let path: &Path = &report.join(name);
        write_bytes(path, text.as_bytes())?;
        paths.push(path.to_owned());
    }
    paths.push(night.nightly_report());
    Ok(paths)
}
