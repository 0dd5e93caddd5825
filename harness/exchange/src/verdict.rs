//! The verdict of a stream: whether each generated case was answered, answered once, and answered right.

use assay_engine::stats::judged::JudgedShare;
use assay_isa::shown::plural;
use assay_records::VerdictWord;
use assay_records::verdict::{ReasonKind, of_counts, sentence};

use crate::judged::JudgedStream;

/// Reasons that the sentence of a verdict names.
const REASONS: usize = 3;

/// Why a stream is unverified, and what to do about it.
const UNKNOWN_DIGEST: &str = "the digest of the cases is unknown, so a case that is missing or was answered twice is not \
                              noticed; give the digest that `assay gen` reports as --digest, or add --allow-incomplete";

/// The verdict of a stream.
pub struct StreamVerdict {
    /// The verdict in one word.
    pub word: VerdictWord,
    /// Why it is not the best one, except for divergences.
    pub reasons: Vec<String>,
    /// What was judged, and what the command line allowed.
    summary: String,
}

impl StreamVerdict {
    /// The verdict in a few sentences, without its word.
    pub fn sentence(&self) -> String {
        let shown: String =
            self.reasons.iter().take(REASONS).map(|reason| format!(" {}", sentence(reason))).collect();
        let more = match self.reasons.len().saturating_sub(REASONS) {
            0 => String::new(),
            more => format!(" {} on stderr.", plural(more as u64, "more reason is", "more reasons are")),
        };
        format!("{}{shown}{more}", self.summary)
    }
}

impl JudgedStream {
    /// Why the stream is no list of cases that can be judged as a whole: it is empty, or has another number of cases
    /// than was promised.
    pub fn misfit(&self) -> Option<String> {
        let read = self.tally.cases + self.unreadable;
        if read == 0 {
            return Some("no case was read; is this the output of the device?".into());
        }
        let promised = self.promised.filter(|promised| *promised != read)?;
        let cases = plural(promised, "case was", "cases were");
        Some(format!(
            "{cases} promised, and the stream has {read}: the stream is cut off, or not whole in another way"
        ))
    }

    /// The verdict. A stream whose digest is unknown is unverified, unless the command line allows it.
    pub fn verdict(&self) -> StreamVerdict {
        let counts = &self.tally.verdicts;
        let mut reasons: Vec<String> = self.failures();
        let is_proved = self.expected_digest.is_some() && !self.interrupted;
        let word = match () {
            () if counts.diverged > 0 || !reasons.is_empty() => VerdictWord::Failed,
            () if self.interrupted => {
                reasons.push("the command was interrupted".into());
                VerdictWord::Unverified
            }
            () if !is_proved && !self.allows_incomplete => {
                reasons.push(UNKNOWN_DIGEST.into());
                VerdictWord::Unverified
            }
            () if counts.unjudged > 0 || self.shares().iter().any(JudgedShare::is_short) => {
                VerdictWord::Partial
            }
            () => VerdictWord::Passed,
        };
        let cases = plural(self.tally.cases, "answer", "answers");
        let mut summary = match counts.diverged {
            0 => format!("No divergence in {cases}."),
            diverged => format!("{diverged} of {cases} diverged."),
        };
        if word.is_held() {
            summary += if is_proved {
                " Each generated case was answered once."
            } else {
                " Whether each generated case was answered once is unknown, which --allow-incomplete allows."
            };
        }
        StreamVerdict { word, reasons, summary }
    }

    /// Why the stream fails, except for divergences.
    fn failures(&self) -> Vec<String> {
        let mut reasons: Vec<String> = Vec::new();
        if self.unreadable > 0 {
            let lines = plural(self.unreadable, self.unit, &format!("{}s", self.unit));
            reasons.push(format!("{lines} could not be read"));
        }
        // An interruption leaves cases unread.
        if !self.interrupted {
            reasons.extend(self.misfit());
            reasons.extend(self.has_other_cases().then(|| {
                "the answers are not those to the generated cases: a case is missing, was answered twice, or has other \
                 inputs"
                    .to_owned()
            }));
        }
        reasons.extend(self.shares().into_iter().filter_map(|share| share.problem));
        let others = of_counts(&self.tally).filter(|reason| reason.kind != ReasonKind::Divergence);
        reasons.extend(others.filter(|_| self.tally.cases > 0).map(|reason| reason.message));
        reasons
    }
}
