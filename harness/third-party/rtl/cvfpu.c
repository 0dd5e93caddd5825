// CVFPU, the float unit of the cores CV32E40P and CVA6: fpnew_fma and fpnew_noncomp.

#include "implementation.h"

uint32_t cvfpu(uint32_t operation, uint32_t rounding, uint32_t compares, uint32_t a, uint32_t b, uint32_t c);

// fpnew_pkg::operation_e
enum { FMADD = 0, ADD = 2, MUL = 3, MINMAX = 7, CMP = 8 };
// How rnd_mode_i selects within MINMAX and CMP.
enum { MINIMUM = 0, MAXIMUM = 1, LESS = 1, EQUAL = 2 };

static uint32_t direction;

static void enter(uint32_t rounding, uint32_t ftz) {
  static const uint32_t frm[] = {0, 2, 3, 1};
  (void)ftz;
  direction = frm[rounding];
}

static uint32_t add(uint32_t a, uint32_t b) { return cvfpu(ADD, direction, 0, 0, a, b); }
static uint32_t mul(uint32_t a, uint32_t b) { return cvfpu(MUL, direction, 0, a, b, 0); }
static uint32_t fma3(uint32_t a, uint32_t b, uint32_t c) { return cvfpu(FMADD, direction, 0, a, b, c); }
static uint32_t least(uint32_t a, uint32_t b) { return cvfpu(MINMAX, MINIMUM, 1, a, b, 0); }
static uint32_t greatest(uint32_t a, uint32_t b) { return cvfpu(MINMAX, MAXIMUM, 1, a, b, 0); }
static uint32_t less(uint32_t a, uint32_t b) { return cvfpu(CMP, LESS, 1, a, b, 0) & 1; }
static uint32_t equal(uint32_t a, uint32_t b) { return cvfpu(CMP, EQUAL, 1, a, b, 0) & 1; }

static const char *const modes[] = {"FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FFMA_RRR", "FMNMX_RR", "!FMNMX*.NAN*",
                                    "FSETP_RR", "!F*.SAT*", "!F*.FTZ*", NULL};

const implementation the_implementation = {
    .name = NAME, .modes = modes, .enter = enter, .add = add, .mul = mul, .fma = fma3, .minimum_number = least,
    .maximum_number = greatest, .less = less, .equal = equal};
