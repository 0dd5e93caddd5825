// libm 0.2.16, fmaf: a subnormal result is rounded twice. Reported as
// https://github.com/rust-lang/compiler-builtins/issues/1262.
//
//   cargo new it && cd it && cargo add libm@=0.2.16 --no-default-features && cp ../rust_libm.rs src/main.rs && cargo run
fn main() {
    let mut wrong = 0;
    for (a, b, c, expected) in [
        (0x19ff_e962, 0x1a00_0b50, 0x8080_0000, 0x807f_ffff_u32),
        (0x9700_0800, 0x1cff_f001, 0x0001_0002, 0x0001_0001),
    ] {
        let result = libm::fmaf(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits();
        println!("fmaf({a:#010x}, {b:#010x}, {c:#010x}) = {result:#010x}, correctly rounded {expected:#010x}");
        wrong += i32::from(result != expected);
    }
    std::process::exit(wrong);
}
