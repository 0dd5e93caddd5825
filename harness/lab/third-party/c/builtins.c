// compiler-rt: the float functions that LLVM calls on a machine without a float unit. Rounded to nearest.

#include "implementation.h"

float __addsf3(float, float);
float __mulsf3(float, float);
int __ltsf2(float, float);
int __eqsf2(float, float);
int __popcountsi2(int);

BINARY(add, __addsf3)
BINARY(mul, __mulsf3)

static uint32_t less(uint32_t a, uint32_t b) { return __ltsf2(as_float(a), as_float(b)) < 0; }
static uint32_t equal(uint32_t a, uint32_t b) { return __eqsf2(as_float(a), as_float(b)) == 0; }
static uint32_t popc(uint32_t a) { return (uint32_t)__popcountsi2((int)a); }

static const char *const modes[] = {"FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "!F*.R[MPZ]*", "!F*.SAT*", "FSETP_RR", "!F*.FTZ*", "POPC_R", NULL};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .any_nan = 1, .add = add, .mul = mul, .less = less, .equal = equal, .popc = popc,
};
