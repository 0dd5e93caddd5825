// The functions of a mathematical library in C: glibc, musl, newlib or dietlibc, whichever this is linked with.
//
// -DFMA: fmaf in all four rounding directions; -DFMA_NEAREST: in one. -DMINMAX: fminf and fmaxf. -DELEMENTARY: exp2f,
// log2f, sinf, cosf, tanhf. -DROOT: sqrtf. Compiled with -fno-builtin, so that the library is called.

#include "implementation.h"

#include <fenv.h>
#include <math.h>

static void enter(uint32_t rounding, uint32_t ftz) {
  (void)ftz;
#ifndef FMA_NEAREST
  static const int direction[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  fesetround(direction[rounding]);
#else
  (void)rounding;
#endif
}

static void leave(void) { fesetround(FE_TONEAREST); }

#if defined(FMA) || defined(FMA_NEAREST)
TERNARY(fma3, fmaf)
#endif
#ifdef MINMAX
BINARY(least, fminf)
BINARY(greatest, fmaxf)
#endif
#ifdef ELEMENTARY
UNARY(exp2_, exp2f)
UNARY(log2_, log2f)
UNARY(sin_, sinf)
UNARY(cos_, cosf)
UNARY(tanh_, tanhf)
#endif
#ifdef ROOT
UNARY(root, sqrtf)
#endif

static const char *const modes[] = {
#ifdef FMA
    "FFMA_RRR",
#endif
#ifdef FMA_NEAREST
    "FFMA_RRR", "!F*.R[MPZ]*",
#endif
#ifdef MINMAX
    "FMNMX_RR", "!FMNMX*.NAN*",
#endif
    "!F*.SAT*", "!F*.FTZ*",
#ifdef ELEMENTARY
    "MUFU_R.COS.F32", "MUFU_R.SIN.F32", "MUFU_R.EX2.F32", "MUFU_R.LG2.F32", "MUFU_R.TANH.F32",
#endif
#ifdef ROOT
    "MUFU_R.SQRT.F32",
#endif
    NULL,
};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .enter = enter, .leave = leave, .any_nan = 1,
#if defined(FMA) || defined(FMA_NEAREST)
    .fma = fma3,
#endif
#ifdef MINMAX
    .minimum_number = least, .maximum_number = greatest,
#endif
    .function = {
#ifdef ELEMENTARY
        [COS] = cos_, [SIN] = sin_, [EX2] = exp2_, [LG2] = log2_, [TANH] = tanh_,
#endif
#ifdef ROOT
        [SQRT] = root,
#endif
    },
};
