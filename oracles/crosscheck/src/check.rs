//! FCHK: decides by the exponents whether the plain division routine could return a wrong quotient.

/// Returns whether a division needs the slow path, given the exponents of dividend and divisor.
///
/// For zeros, subnormals, infinities and NaNs, a caller may pass any exponent outside of the range
/// of normal numbers. Each such exponent alone exceeds a limit. In this case the difference of the
/// exponents, which could overflow, is not computed.
pub(crate) fn needs_care(dividend: i32, divisor: i32) -> bool {
    const EMIN: i32 = -126;
    const EMAX: i32 = 127;
    const FRACTION_BITS: i32 = 23;
    dividend <= EMIN + FRACTION_BITS
        || dividend > EMAX
        || divisor <= EMIN
        || divisor >= EMAX - 2
        || dividend - divisor <= EMIN + 1
        || dividend - divisor >= EMAX
}
