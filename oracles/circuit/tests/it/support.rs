//! What several tests use.

use assay_circuit::definition::{Steps, define_with};
use assay_circuit::graph::Graph;
use assay_circuit::solver::Solver;
use assay_circuit::word::Word;
use assay_isa::{Location, Readings, asm};

/// Returns the installed solver. Without one, records the check `what` as skipped.
pub fn solver(what: &str) -> Option<Solver> {
    match Solver::find("cadical") {
        Ok(solver) => Some(solver),
        Err(error) => {
            assay_testing::skip("cadical", &format!("{what}: {error}"));
            None
        }
    }
}

/// Returns the result of an instruction whose sources are words, by the number of the register.
pub fn defined(graph: &mut Graph, text: &str, sources: &[&Word], steps: &mut dyn Steps) -> Word {
    let instruction = asm::parse(text).unwrap();
    let input = |_: &mut Graph, location| match location {
        Location::R(number) => sources[usize::from(number) - 1].clone(),
        other => panic!("{text} reads {other}"),
    };
    let definition = define_with(graph, &instruction, &Readings::INTENDED, input, steps).unwrap();
    definition.outputs[0].value.clone()
}

/// A generator of numbers, and of operands that reach the special cases of instructions.
pub struct Random(u64);

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// Returns `true` once in `count` times.
    pub fn one_in(&mut self, count: u32) -> bool {
        self.word().is_multiple_of(count)
    }

    /// Returns a word: any, a small or a negative number, a power of two, or a float of any class.
    pub fn operand(&mut self) -> u32 {
        let bits = self.word();
        let place = bits % 32;
        let sign = self.word() & 1 << 31;
        match self.word() % 10 {
            0 | 1 => bits,
            2 => bits % 80,
            3 => (bits % 80).wrapping_neg(),
            4 => (1u32 << place).wrapping_sub(self.word() % 3),
            5 => sign,
            6 => sign | 0x7f80_0000 | if self.one_in(2) { 0 } else { bits & 0x7f_ffff },
            7 => sign | bits & 0x7f_ffff >> (place % 24),
            8 => sign | (bits & 0xff) << 23 | if self.one_in(2) { 0 } else { 0x7f_ffff },
            _ => sign | (self.word() % 256) << 23 | (1 << (place % 23)),
        }
    }

    /// Returns an operand that is often close to another: equal, negated, or of a similar exponent.
    pub fn near(&mut self, base: u32) -> u32 {
        let bits = self.word();
        match self.word() % 8 {
            0 => base,
            1 => base ^ 1 << 31,
            2 => base ^ 1 << (bits % 32),
            3 => base.wrapping_add((bits % 64) << 23).wrapping_sub(32 << 23) ^ (bits & 1 << 31),
            // A product with this is near the ends of the range of exponents.
            4 => (0x7f80_0000 - (base & 0x7f80_0000)).wrapping_add((bits % 8) << 23) ^ bits & 0x807f_ffff,
            _ => self.operand(),
        }
    }
}
