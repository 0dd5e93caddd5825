// machina-softfloat 0.1.2: min and max of zeros and infinities are wrong. Products and sums at the
// border of subnormals are wrong, too.
//
//   cargo new it && cd it && cargo add machina-softfloat@=0.1.2 && cp ../machina.rs src/main.rs && cargo run
//
// max and min compare the unpacked exponents, which zeros and infinities do not have.
use machina_softfloat::{Float32, FloatEnv, RoundMode, ops};

fn main() {
    let environment = &mut FloatEnv::new(RoundMode::NearEven);
    let float = Float32::from_bits;
    let max = ops::minmax::max(float(0x3f80_0000), float(0x7f80_0000), environment).to_bits();
    let mul = ops::mul::mul(float(0x007f_ffff), float(0x3f80_0001), environment).to_bits();
    let fma = ops::fma::fma(float(1), float(0x3f00_0000), float(0x007f_ffff), environment).to_bits();
    println!("max(1, infinity) = {max:#010x}, right is 0x7f800000");
    println!("0x007fffff * 0x3f800001 = {mul:#010x}, right is 0x00800000");
    println!("fma(2^-149, 0.5, 0x007fffff) = {fma:#010x}, right is 0x00800000");
    std::process::exit(i32::from(max != 0x7f80_0000 || mul != 0x0080_0000 || fma != 0x0080_0000));
}
