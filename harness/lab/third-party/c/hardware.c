// The float instructions of the machine that this is compiled for, each as one assembler statement: what an emulator of
// that machine is judged by.

#include "implementation.h"

#include <fenv.h>

#define ASM1(name, text) \
  static uint32_t name(uint32_t a) { \
    float x = as_float(a), y; \
    __asm__ volatile(text : "=&" REG(y) : REG(x)); \
    return as_bits(y); \
  }
#define ASM2(name, text) \
  static uint32_t name(uint32_t a, uint32_t b) { \
    float x = as_float(a), y = as_float(b), z; \
    __asm__ volatile(text : "=&" REG(z) : REG(x), REG(y)); \
    return as_bits(z); \
  }
#define ASM3(name, text) \
  static uint32_t name(uint32_t a, uint32_t b, uint32_t c) { \
    float x = as_float(a), y = as_float(b), z = as_float(c), r; \
    __asm__ volatile(text : "=&" REG(r) : REG(x), REG(y), REG(z)); \
    return as_bits(r); \
  }
#define COMPARE(name, op) \
  static __attribute__((noinline)) uint32_t name(uint32_t a, uint32_t b) { return as_float(a) op as_float(b); }

COMPARE(less, <)
COMPARE(equal, ==)

#if defined(__aarch64__)
#define REG(x) "w"(x)
ASM2(add, "fadd %s0, %s1, %s2")
ASM2(mul, "fmul %s0, %s1, %s2")
ASM3(fma3, "fmadd %s0, %s1, %s2, %s3")
ASM2(least_number, "fminnm %s0, %s1, %s2")
ASM2(greatest_number, "fmaxnm %s0, %s1, %s2")
ASM2(least, "fmin %s0, %s1, %s2")
ASM2(greatest, "fmax %s0, %s1, %s2")
ASM1(root, "fsqrt %s0, %s1")
static uint32_t brev(uint32_t a) {
  __asm__ volatile("rbit %w0, %w0" : "+r"(a));
  return a;
}
static void control(uint64_t bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits)); }
static void enter(uint32_t rounding, uint32_t ftz) {
  static const uint64_t direction[] = {0, 2, 1, 3};
  control(direction[rounding] << 22 | (uint64_t)ftz << 24);
}
static void leave(void) { control(0); }
#define EXTRA \
  .fma = fma3, .minimum_number = least_number, .maximum_number = greatest_number, .minimum = least, .maximum = greatest, \
  .brev = brev, .function = {[SQRT] = root}, .enter = enter, .leave = leave,
#define MODES "FFMA_RRR", "FMNMX_RR", "MUFU_R.SQRT.F32", "BREV_R", "!F*.SAT*"

#elif defined(__riscv)
#define REG(x) "f"(x)
ASM2(add, "fadd.s %0, %1, %2")
ASM2(mul, "fmul.s %0, %1, %2")
ASM3(fma3, "fmadd.s %0, %1, %2, %3")
ASM2(least_number, "fmin.s %0, %1, %2")
ASM2(greatest_number, "fmax.s %0, %1, %2")
ASM1(root, "fsqrt.s %0, %1")
static void control(uint64_t bits) { __asm__ volatile("fsrm %0" : : "r"(bits)); }
static void enter(uint32_t rounding, uint32_t ftz) {
  static const uint64_t direction[] = {0, 2, 3, 1};
  (void)ftz;
  control(direction[rounding]);
}
static void leave(void) { control(0); }
#define EXTRA \
  .fma = fma3, .minimum_number = least_number, .maximum_number = greatest_number, .function = {[SQRT] = root}, \
  .enter = enter, .leave = leave,
#define MODES "FFMA_RRR", "FMNMX_RR", "!FMNMX*.NAN*", "MUFU_R.SQRT.F32", "!F*.SAT*", "!F*.FTZ*"

#else
static void enter(uint32_t rounding, uint32_t ftz) {
  static const int direction[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  fesetround(direction[rounding]);
  (void)ftz;
}
static void leave(void) { enter(ROUND_NEAREST, 0); }

#if defined(__powerpc64__)
#define REG(x) "f"(x)
ASM2(add, "fadds %0, %1, %2")
ASM2(mul, "fmuls %0, %1, %2")
ASM3(fma3, "fmadds %0, %1, %2, %3")
ASM1(root, "fsqrts %0, %1")
ASM1(reciprocal, "fres %0, %1")
ASM1(reciprocal_root, "frsqrtes %0, %1")
// The first NaN of frA, frB and frC: the addend is between the factors, which is no setting of C001.
#define EXTRA .fma = fma3, .function = {[SQRT] = root, [RCP] = reciprocal, [RSQ] = reciprocal_root}, .any_nan = 1,
#define MODES "FFMA_RRR", "MUFU_R.SQRT.F32", "MUFU_R.RCP.F32", "MUFU_R.RSQ.F32", "!F*.SAT*", "!F*.FTZ*"

#elif defined(__s390x__)
static uint32_t add(uint32_t a, uint32_t b) {
  float x = as_float(a);
  __asm__ volatile("aebr %0, %1" : "+f"(x) : "f"(as_float(b)) : "cc");
  return as_bits(x);
}
static uint32_t mul(uint32_t a, uint32_t b) {
  float x = as_float(a);
  __asm__ volatile("meebr %0, %1" : "+f"(x) : "f"(as_float(b)));
  return as_bits(x);
}
static uint32_t fma3(uint32_t a, uint32_t b, uint32_t c) {
  float x = as_float(c);
  __asm__ volatile("maebr %0, %1, %2" : "+f"(x) : "f"(as_float(a)), "f"(as_float(b)));
  return as_bits(x);
}
static uint32_t root(uint32_t a) {
  float y;
  __asm__ volatile("sqebr %0, %1" : "=f"(y) : "f"(as_float(a)));
  return as_bits(y);
}
// A signalling NaN goes first in AEBR and MEEBR, and in another order in MAEBR: no setting of C001.
#define EXTRA .fma = fma3, .function = {[SQRT] = root}, .any_nan = 1,
#define MODES "FFMA_RRR", "MUFU_R.SQRT.F32", "!F*.SAT*", "!F*.FTZ*"

#elif defined(__mips__)
#define REG(x) "f"(x)
ASM2(add, "add.s %0, %1, %2")
ASM2(mul, "mul.s %0, %1, %2")
ASM1(root, "sqrt.s %0, %1")
// The older encoding of NaN, whose quiet NaN has the leading bit of the fraction clear, is no pattern of C002.
#define EXTRA .function = {[SQRT] = root}, .any_nan = 1,
// FCSR.FS is left out: what it does with operands and with results that round up is up to each processor.
#define MODES "MUFU_R.SQRT.F32", "!F*.SAT*", "!F*.FTZ*"
#endif
#undef ENTER
#define ENTER .enter = enter, .leave = leave,
#endif

#ifndef ENTER
#define ENTER
#endif

static const char *const modes[] = {"FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FSETP_RR", MODES, NULL};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .add = add, .mul = mul, .less = less, .equal = equal, EXTRA ENTER};
