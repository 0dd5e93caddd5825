//! The digest of a stream's cases. Equal digests of the generated and the answered cases show that
//! each case was answered exactly once.
//!
//! The digest does not depend on the order of the cases. The digest of two streams together is the
//! sum of both digests. Each case is hashed by XXH3 (64 bits, seed 0), and the hashes are added
//! modulo 2^64. So a repeated case changes the digest. The bytes of a case are its word in 16
//! bytes. Then, for each input location in the order of their names, follow the name, a byte 0, and
//! the value in 4 bytes. Numbers have the lowest byte first. A location that the instruction does
//! not read is left out, because some forms have no column for it. If a value decides which
//! locations the instruction accesses, all locations are hashed.

use std::fmt;
use std::str::FromStr;

use assay_isa::{Batch, Instruction};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

/// The digest of a set of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CasesDigest(u64);

impl CasesDigest {
    /// Adds each lane of a batch as a case of the instruction.
    pub fn add(&mut self, instruction: &Instruction, batch: &Batch) {
        let reads = instruction.reads();
        let is_decided = instruction.access().is_some_and(|access| access.base.is_some());
        let locations = batch.locations().iter().enumerate();
        let locations = locations.filter(|(_, location)| is_decided || reads.contains(location));
        let names = locations.map(|(place, location)| (location.to_string(), place));
        let mut names: Vec<(String, usize)> = names.collect();
        names.sort();
        let mut bytes = batch.word().to_le_bytes().to_vec();
        let mut values = Vec::new();
        for (name, place) in names {
            bytes.extend(name.as_bytes());
            bytes.push(0);
            values.push((bytes.len(), &batch.values()[place * batch.len()..][..batch.len()]));
            bytes.extend([0; 4]);
        }
        for lane in 0..batch.len() {
            for (start, column) in &values {
                bytes[*start..start + 4].copy_from_slice(&column[lane].to_le_bytes());
            }
            self.0 = self.0.wrapping_add(XxHash3_64::oneshot(&bytes));
        }
    }

    /// Adds the cases of another stream.
    pub fn merge(&mut self, other: CasesDigest) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl fmt::Display for CasesDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for CasesDigest {
    type Err = String;

    fn from_str(text: &str) -> Result<CasesDigest, String> {
        let is_digest = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = is_digest.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        value.map(CasesDigest).ok_or_else(|| "a digest of cases has 16 hexadecimal digits".to_owned())
    }
}

impl TryFrom<String> for CasesDigest {
    type Error = String;

    fn try_from(text: String) -> Result<CasesDigest, String> {
        text.parse()
    }
}

impl From<CasesDigest> for String {
    fn from(digest: CasesDigest) -> String {
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::{Location, asm};

    use super::*;

    fn batch(word: u128, locations: &[Location], columns: &[&[u32]]) -> Batch {
        let mut batch = Batch::new(word, locations, columns[0].len());
        columns
            .iter()
            .enumerate()
            .for_each(|(place, column)| batch.column_mut(place).copy_from_slice(column));
        batch
    }

    fn digest(batches: &[Batch]) -> CasesDigest {
        // The instruction reads three registers.
        let instruction = asm::parse("FFMA R0, R1, R2, R3").unwrap();
        let mut digest = CasesDigest::default();
        batches.iter().for_each(|batch| digest.add(&instruction, batch));
        digest
    }

    #[test]
    fn a_digest_depends_on_the_cases_and_not_on_their_order() {
        let (a, b) = (Location::R(1), Location::R(2));
        let whole = digest(&[batch(7, &[a, b], &[&[1, 2, 3], &[4, 5, 6]])]);
        let split = [batch(7, &[b, a], &[&[6, 4], &[3, 1]]), batch(7, &[a, b], &[&[2], &[5]])];
        assert_eq!(digest(&split), whole);
        let unread = batch(7, &[a, b, Location::R(9)], &[&[1, 2, 3], &[4, 5, 6], &[7, 8, 9]]);
        assert_eq!(digest(&[unread]), whole);
        let mut sum = digest(&split[..1]);
        sum.merge(digest(&split[1..]));
        assert_eq!(sum, whole);
        for (name, other) in [
            ("another word", batch(8, &[a, b], &[&[1, 2, 3], &[4, 5, 6]])),
            ("another value", batch(7, &[a, b], &[&[1, 2, 3], &[4, 5, 7]])),
            ("another location", batch(7, &[a, Location::R(3)], &[&[1, 2, 3], &[4, 5, 6]])),
            ("one missing and another twice", batch(7, &[a, b], &[&[1, 2, 2], &[4, 5, 5]])),
            ("one three times", batch(7, &[a, b], &[&[1, 1, 1], &[4, 4, 4]])),
            ("operands in exchange", batch(7, &[b, a], &[&[1, 2, 3], &[4, 5, 6]])),
        ] {
            assert_ne!(digest(&[other]), whole, "{name}");
        }
        assert_eq!(whole.to_string().parse(), Ok(whole));
        assert!("12".parse::<CasesDigest>().is_err() && "+123456789abcdef".parse::<CasesDigest>().is_err());
    }
}
