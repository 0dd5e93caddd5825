// rustc_apfloat 0.2.1, mul_add: wrong sum or failed assertion. This occurs if the product and the
// addend are among the least subnormals and cancel. Reported as
// https://github.com/rust-lang/rustc_apfloat/issues/11, and corrected since.
//
//   cargo new it && cd it && cargo add rustc_apfloat@=0.2.1 && cp ../rustc_apfloat_old.rs src/main.rs && cargo run
use rustc_apfloat::{Float, Round, ieee::Single};

fn main() {
    let single = |bits: u32| Single::from_bits(bits.into());
    let (a, b, c) = (single(0x1698_d66f), single(0x9fbb_9908), single(0x0000_000e));
    let result = a.mul_add_r(b, c, Round::NearestTiesToEven).value.to_bits();
    println!("0x1698d66f * 0x9fbb9908 + 0x0000000e = {result:#010x}, correctly rounded 0x80000000");
    let (a, b, c) = (single(0x0ca0_ea4a), single(0x2a7e_8b45), single(0x8000_0028));
    println!("0x0ca0ea4a * 0x2a7e8b45 + 0x80000028 panics:");
    a.mul_add_r(b, c, Round::NearestTiesToEven);
    std::process::exit(i32::from(result != 0x8000_0000));
}
