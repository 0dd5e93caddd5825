// SLEEF: the scalar functions with a documented bound of 1.0 ulp, and the root with 0.5001 ulp. Sleef_fmaf is left out:
// its documentation gives it a bound and no correct rounding.

#include "implementation.h"

#include <sleef.h>

UNARY(cos_, Sleef_cosf_u10)
UNARY(sin_, Sleef_sinf_u10)
UNARY(exp2_, Sleef_exp2f_u10)
UNARY(log2_, Sleef_log2f_u10)
UNARY(tanh_, Sleef_tanhf_u10)
UNARY(root, Sleef_sqrtf_u05)

static const char *const modes[] = {"MUFU_R.COS.F32", "MUFU_R.SIN.F32",  "MUFU_R.EX2.F32", "MUFU_R.LG2.F32",
                                    "MUFU_R.SQRT.F32", "MUFU_R.TANH.F32", NULL};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .any_nan = 1,
    .function = {[COS] = cos_, [SIN] = sin_, [EX2] = exp2_, [LG2] = log2_, [SQRT] = root, [TANH] = tanh_},
};
