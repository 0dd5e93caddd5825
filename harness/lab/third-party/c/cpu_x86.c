// The instructions of x86-64, one for each operation: of the processor itself, or of an emulator of one.
//
// -DVECTOR: those for vectors. -DESTIMATES: RCPPS and RSQRTPS alone.

#include "implementation.h"

#include <immintrin.h>

#define FLUSH 0x8040u  // MXCSR: results (FTZ) and operands (DAZ)

static unsigned before;

static void enter(uint32_t rounding, uint32_t ftz) {
  static const unsigned direction[] = {0, 0x2000, 0x4000, 0x6000};
  before = _mm_getcsr();
  _mm_setcsr((before & ~(0x6000u | FLUSH)) | direction[rounding] | (ftz ? FLUSH : 0));
}

static void leave(void) { _mm_setcsr(before); }

// An assembler statement, so that the compiler neither folds nor moves what depends on MXCSR.
#define SSE2(name, text) \
  static uint32_t name(uint32_t a, uint32_t b) { \
    __m128 x = _mm_castsi128_ps(_mm_set1_epi32((int)a)), y = _mm_castsi128_ps(_mm_set1_epi32((int)b)); \
    __asm__ volatile(text " %1, %0" : "+x"(x) : "x"(y)); \
    return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(x)); \
  }
#define SSE1(name, text) \
  static uint32_t name(uint32_t a) { \
    __m128 x = _mm_castsi128_ps(_mm_set1_epi32((int)a)), y; \
    __asm__ volatile(text " %1, %0" : "=x"(y) : "x"(x)); \
    return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(y)); \
  }

#ifdef VECTOR
SSE2(add, "addps") SSE2(mul, "mulps")
#define FMA "vfmadd213ps"
SSE1(root, "sqrtps")
#else
SSE2(add, "addss") SSE2(mul, "mulss")
#define FMA "vfmadd213ss"
SSE1(root, "sqrtss")
#endif
SSE1(reciprocal, "rcpps") SSE1(reciprocal_root, "rsqrtps")
SSE2(less_mask, "cmpltss") SSE2(equal_mask, "cmpeqss")

static uint32_t less(uint32_t a, uint32_t b) { return less_mask(a, b) & 1; }
static uint32_t equal(uint32_t a, uint32_t b) { return equal_mask(a, b) & 1; }

static uint32_t fma3(uint32_t a, uint32_t b, uint32_t c) {
  // The second operand of this form is the first factor, and its NaN goes first.
  __m128 x = _mm_castsi128_ps(_mm_set1_epi32((int)b)), y = _mm_castsi128_ps(_mm_set1_epi32((int)a)),
         z = _mm_castsi128_ps(_mm_set1_epi32((int)c));
  __asm__ volatile(FMA " %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
  return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(x));
}

static uint32_t popc(uint32_t a) {
  uint32_t count;
  __asm__ volatile("popcnt %1, %0" : "=r"(count) : "r"(a));
  return count;
}

static uint32_t shift_right(uint32_t low, uint32_t high, uint32_t n) {
  __asm__ volatile("shrd %%cl, %1, %0" : "+r"(low) : "r"(high), "c"(n));
  return low;
}

static uint32_t shift_left(uint32_t low, uint32_t high, uint32_t n) {
  __asm__ volatile("shld %%cl, %1, %0" : "+r"(high) : "r"(low), "c"(n));
  return high;
}

static const char *const modes[] = {
#if defined(ESTIMATES)
    "MUFU_R.RCP.F32", "MUFU_R.RSQ.F32", NULL,
#elif defined(VECTOR)
    "FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FFMA_RRR", "!F*.SAT*", "MUFU_R.SQRT.F32", NULL,
#else
    "FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FFMA_RRR", "FSETP_RR", "!F*.SAT*", "MUFU_R.SQRT.F32", "POPC_R",
    "USHF_UUU.R.WRAP.U32", "USHF_UUU.L.HI.WRAP.U32", NULL,
#endif
};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .enter = enter, .leave = leave, .add = add, .mul = mul,
    .fma = fma3, .less = less, .equal = equal, .popc = popc, .shift_right = shift_right, .shift_left = shift_left,
    .function = {[RCP] = reciprocal, [RSQ] = reciprocal_root, [SQRT] = root},
};
