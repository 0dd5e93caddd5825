//! What the cases on which a supposition was tried say of it.

/// The least number of lanes in which truth and supposition differ. Fewer may be an accident.
pub(super) const TOLD: usize = 3;

/// Lanes by what a supposition makes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The subject diverges, and does just what is supposed.
    pub explained: usize,
    /// It diverges, and does something else than is right or supposed.
    pub unexplained: usize,
    /// It does what is right, where something else is supposed.
    pub refuted: usize,
    /// It diverges where what is supposed changes nothing.
    pub elsewhere: usize,
}

impl Evidence {
    /// Whether a supposition may stand: an odd bit may be wrong besides, such as the sign of a zero.
    pub(super) fn suffices(&self) -> bool {
        self.explained >= TOLD && 4 * self.unexplained <= self.explained && self.refuted == 0
    }

    /// Whether it says to the bit what the subject does in a case, wherever that shows.
    pub(super) fn says_to_the_bit(self) -> bool {
        self.explained > 0 && self.unexplained + self.refuted + self.elsewhere == 0
    }

    /// How much it explains, less what speaks against it.
    pub(super) fn weight(&self) -> isize {
        self.explained as isize - (4 * self.unexplained + self.elsewhere) as isize
    }

    pub(super) fn add(&mut self, other: Evidence) {
        self.explained += other.explained;
        self.unexplained += other.unexplained;
        self.refuted += other.refuted;
        self.elsewhere += other.elsewhere;
    }
}
