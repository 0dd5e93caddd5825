// micromath 2.1.0: sin and cos of large arguments are unrelated to the true values. inv of a number
// above 2^127 is a NaN.
//
//   cargo new it && cd it && cargo add micromath@=2.1.0 && cp ../micromath.rs src/main.rs && cargo run --release
//
// Without --release, the call of inv panics: attempt to subtract with overflow.
use micromath::F32;

fn main() {
    let cos = F32(f32::from_bits(0x5049_1110)).cos().0;
    println!("cos(1.349e10) = {cos}; the documentation states an error of at most 0.002");
    let inv = F32(f32::MAX).inv().0;
    println!("inv(f32::MAX) = {inv}, 1/x is 2.9e-39");
    std::process::exit(i32::from(cos.abs() > 1.002 || inv.is_nan()));
}
