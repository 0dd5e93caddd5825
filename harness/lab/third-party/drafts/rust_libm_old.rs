// libm 0.2.2, fmaf: normal results are wrong by one unit in the last place. Reported as
// https://github.com/rust-lang/libm/issues/263 and corrected since.
//
//   cargo new it && cd it && cargo add libm@=0.2.2 && cp ../rust_libm_old.rs src/main.rs && cargo run
fn main() {
    let result = libm::fmaf(f32::from_bits(0x4010_0000), f32::from_bits(0xe000_0004), 1.0).to_bits();
    println!("fmaf(2.25, -0x1.000008p+65, 1.0) = {result:#010x}, correctly rounded 0xe0900004");
    std::process::exit(i32::from(result != 0xe090_0004));
}
