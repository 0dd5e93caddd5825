// softfloat 1.0.0: a subnormal product is rounded up although its fraction is below half a unit.
//
//   cargo new it && cd it && cargo add softfloat@=1.0.0 && cp ../softfloat_mul.rs src/main.rs && cargo run
//
// compiler-builtins had the same defect, and corrected it:
// https://github.com/rust-lang/compiler-builtins/pull/637.
use softfloat::F32;

fn main() {
    let mut wrong = 0;
    for (a, b) in [(0x1980_8000_u32, 0x1a00_0001_u32), (0x0002_0004, 0x3900_0002)] {
        let result = F32::from_bits(a).mul(F32::from_bits(b)).to_bits();
        let hardware = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
        println!("{a:#010x} * {b:#010x} = {result:#010x}, the processor gives {hardware:#010x}");
        wrong += i32::from(result != hardware);
    }
    std::process::exit(wrong);
}
