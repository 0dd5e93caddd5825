//! Random words of every form, and values that are hard for float and integer units.

use assay_independent::{Batch, Column, Device, Location, OPTYPES, OptypeInfo};

/// A small pseudo-random generator: xorshift, then a multiplication.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u32) as usize]
    }
}

/// Bit patterns at the edges of F32, F16, the high word of F64, and integers.
const EDGES: &[u32] = &[
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f7f_ffff,
    0x3f80_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0001,
    0x7f80_0001,
    0xff81_2345,
    0x7fff_ffff,
    0xffff_ffff,
    0x4000_0000,
    0x4280_0000,
    0x4040_0000,
    0x7f00_0000,
    0x0100_0000,
    0xffff,
    0x1_0000,
    0xff,
    0x20,
    0x1f,
    0x3f,
    0x40,
    0x7ff0_0000,
    0x7fe0_0000,
    0xc010_0000,
    0x7c00_7c00,
    0x7e00_3c00,
    0x3c00_7e00,
    0x3f80_4000,
    0x0001_8001,
    0x4049_0fdb,
    0x5555_5555,
];

/// Returns a random value, sometimes close to `near`.
pub fn value(random: &mut Random, near: u32) -> u32 {
    let any = random.next() as u32;
    match random.below(10) {
        0 | 1 => random.pick(EDGES),
        2 => any,
        3 => random.below(80),
        4 => random.below(80).wrapping_neg(),
        5 => near.wrapping_add(random.below(5)).wrapping_sub(2) ^ (any & 0x8000_0000),
        // Floats of moderate size. Some have few significant bits.
        6 => (any & 0x807f_ffff) | ((97 + random.below(60)) << 23),
        7 => (any & random.pick(&[0x8070_0000, 0x807f_f000])) | ((120 + random.below(16)) << 23),
        8 => (any & 0x807f_ffff) | (random.below(30) << 23),
        _ => (any & 0x83ff_83ff) | random.pick(&[0x3c00_3800, 0x4000_4400, 0x3f80_3f00, 0x0400_0000]),
    }
}

fn put(word: &mut u128, low: u32, width: u32, value: u32) {
    let mask = ((1u128 << width) - 1) << low;
    *word = (*word & !mask) | ((u128::from(value) << low) & mask);
}

/// Returns a random instruction of an optype, in any form and mode.
pub fn word(info: &OptypeInfo, random: &mut Random) -> u128 {
    loop {
        let mut word = (u128::from(random.next()) << 64) | u128::from(random.next());
        let form = random.pick(info.forms);
        put(&mut word, 0, 8, info.optype as u32);
        put(&mut word, 8, 4, info.form_code(form).expect("the form has a code"));
        if !random.one_in(4) {
            put(&mut word, 12, 4, 7);
        }
        let (zero, width) = if info.uniform { (63, 6) } else { (255, 8) };
        registers(&mut word, random, zero, width, form);
        if form.contains('I') {
            let literal = value(random, 0);
            put(&mut word, 32, 32, literal);
        } else if form.contains('C') {
            let offset = if random.one_in(2) { 0x160 } else { random.below(1 << 14) * 8 };
            put(&mut word, 32, 17, offset);
        }
        for low in [98, 102, 106, 109] {
            if random.one_in(3) {
                put(&mut word, low, 3, 7);
            }
        }
        if random.one_in(3) {
            let first = (word >> 106) as u32 & 7;
            put(&mut word, 109, 3, first);
        }
        put(&mut word, 112, 16, 0);
        if Device::reads(word).is_some() {
            return word;
        }
    }
}

/// Chooses registers. Zero registers, last registers and shared registers are more frequent than by
/// chance.
fn registers(word: &mut u128, random: &mut Random, zero: u32, width: u32, form: &str) {
    for low in [16, 24, 32, 64] {
        if random.one_in(6) {
            let special = zero - random.below(2);
            put(word, low, width, special);
        }
    }
    if form.contains('U') && zero == 255 && random.one_in(8) {
        put(word, 32, 6, 63);
    }
    for (from, to) in [(24, 16), (24, 32), (24, 64), (32, 64)] {
        if random.one_in(6) {
            let number = (*word >> from) as u32 & zero;
            put(word, to, width, number);
        }
    }
}

/// An instruction with the values of its operands.
#[derive(Debug)]
pub struct Inputs {
    pub word: u128,
    pub lanes: usize,
    pub locations: Vec<Location>,
    pub values: Vec<u32>,
}

impl Inputs {
    pub fn random(word: u128, lanes: usize, random: &mut Random) -> Inputs {
        let locations = Device::reads(word).expect("the instruction is supported");
        let mut values: Vec<u32> = Vec::with_capacity(lanes * locations.len());
        for (column, location) in locations.iter().enumerate() {
            for lane in 0..lanes {
                let near = if column == 0 { 0 } else { values[(column - 1) * lanes + lane] };
                let bits = match location.space {
                    Location::P | Location::UP => random.below(2),
                    _ => value(random, near),
                };
                values.push(bits);
            }
        }
        Inputs { word, lanes, locations, values }
    }

    pub fn of(word: u128, inputs: &[(Location, u32)]) -> Inputs {
        let (locations, values) = inputs.iter().copied().unzip();
        Inputs { word, lanes: 1, locations, values }
    }

    pub fn run(&self, device: &mut Device) -> Option<Vec<Column>> {
        let batch =
            Batch { word: self.word, lanes: self.lanes, locations: &self.locations, values: &self.values };
        device.run(&batch)
    }
}

/// Returns the optype with this name.
pub fn optype(name: &str) -> &'static OptypeInfo {
    OPTYPES.iter().find(|info| info.name == name).expect("the name of an optype")
}
