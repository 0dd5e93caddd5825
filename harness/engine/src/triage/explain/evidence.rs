//! The evidence for a supposition from the cases on which it was tried.

/// Minimum number of lanes that a supposition must explain. Fewer may be an accident.
pub(in crate::triage) const TOLD: usize = 3;

/// Numbers of lanes, by the comparison of the subject's result with a supposition's prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The subject diverges exactly as predicted.
    pub explained: usize,
    /// The subject diverges, and its result is not the predicted one.
    pub unexplained: usize,
    /// The subject is right, and the supposition predicts a wrong result.
    pub refuted: usize,
    /// The subject diverges, and the supposition predicts the right result.
    pub elsewhere: usize,
}

impl Evidence {
    /// Whether the evidence suffices for a supposition. A few explained lanes are not enough,
    /// because a single bit, such as the sign of a zero, may be wrong for another reason.
    pub(in crate::triage) fn suffices(&self) -> bool {
        self.covers() && self.refuted == 0
    }

    /// Whether the evidence suffices for a supposition, if refuting lanes are ignored.
    pub(in crate::triage) fn covers(&self) -> bool {
        self.explained >= TOLD && 4 * self.unexplained <= self.explained
    }

    /// Whether there are wrong results, the supposition predicts all of them bit by bit, and no
    /// lane refutes it.
    pub(in crate::triage) fn says_to_the_bit(self) -> bool {
        self.explained > 0 && self.unexplained + self.refuted + self.elsewhere == 0
    }

    /// Returns the number of explained lanes minus the lanes that the supposition does not explain.
    /// An unexplained lane is subtracted four times.
    pub(in crate::triage) fn weight(&self) -> isize {
        self.explained as isize - (4 * self.unexplained + self.elsewhere) as isize
    }

    pub(in crate::triage) fn add(&mut self, other: Evidence) {
        self.explained += other.explained;
        self.unexplained += other.unexplained;
        self.refuted += other.refuted;
        self.elsewhere += other.elsewhere;
    }
}
