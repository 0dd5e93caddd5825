//! The verdict of a stream: whether each generated case was answered exactly once, and right.

use assay_engine::stats::judged::JudgedShare;
use assay_isa::shown::plural;
use assay_records::VerdictWord;
use assay_records::verdict::{ReasonKind, of_counts, sentence};

use crate::judged::JudgedStream;

/// Maximum number of reasons in the sentence of a verdict.
const REASONS: usize = 3;

/// The reason why a stream is unverified, with the remedy.
const UNKNOWN_DIGEST: &str = "the digest of the cases is unknown, so a case that is missing or was answered twice is not \
                              noticed; give the digest that `assay gen` reports as --digest, or add --allow-incomplete";

/// The verdict of a stream.
pub struct StreamVerdict {
    /// The verdict in one word.
    pub word: VerdictWord,
    /// The reasons why the verdict is not `passed`, other than divergences.
    pub reasons: Vec<String>,
    /// The number of judged answers and divergences, and whether each case was answered once.
    summary: String,
}

impl StreamVerdict {
    /// Returns the verdict in a few sentences, without its word.
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
    /// Returns why the stream cannot be judged as a whole: it is empty, or the number of its cases
    /// differs from the promised number.
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

    /// Returns the verdict. A stream with an unknown digest is unverified, unless the command line
    /// allows it.
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
            summary += &match (is_proved, self.partial_shards()) {
                (true, None) => " Each generated case was answered once.".to_owned(),
                (true, Some(shards)) => {
                    format!(" Each case of shard {shards} was answered once. Not the whole plan.")
                }
                (false, _) => " Whether each generated case was answered once is unknown, which \
                               --allow-incomplete allows."
                    .to_owned(),
            };
        }
        StreamVerdict { word, reasons, summary }
    }

    /// Returns the reasons why the stream fails, other than divergences.
    fn failures(&self) -> Vec<String> {
        let mut reasons: Vec<String> = Vec::new();
        if self.unreadable > 0 {
            let lines = plural(self.unreadable, self.unit, &format!("{}s", self.unit));
            reasons.push(format!("{lines} could not be read"));
        }
        // An interrupted command leaves cases unread. Then missing cases are not a failure.
        if !self.interrupted {
            reasons.extend(self.misfit());
            reasons.extend(
                self.has_a_stream_twice()
                    .then(|| "two streams have the same cases: one was given twice".to_owned()),
            );
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
