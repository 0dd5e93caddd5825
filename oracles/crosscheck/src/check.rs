//! FCHK by the exponents: which quotients the plain division routine would compute wrongly.

/// Returns whether a division needs care, from the exponents of dividend and divisor.
///
/// Zeros, subnormals, infinities and NaNs may report any exponent outside that of the normal numbers: each
/// is beyond a limit of its own, so the difference, which could overflow, is then not computed.
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
