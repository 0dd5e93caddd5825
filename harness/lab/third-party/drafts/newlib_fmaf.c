// newlib 3.3.0, the generic fmaf (libm/common/sf_fma.c): it rounds twice.
//
//   cc -O2 -ffp-contract=off newlib_fmaf.c -o newlib_fmaf && ./newlib_fmaf
//
// The expression below is what the function computes. The exact value is -0x500001400000001, one more than halfway
// between 0xdca00002 and 0xdca00003. The sum in double drops the one, and the second rounding goes to even.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  volatile float x = 0x1.000004p-15f, y = -0x1.4p+73f, z = -1.0f;
  float r = (float)((double)x * (double)y + (double)z);
  uint32_t bits;
  memcpy(&bits, &r, 4);
  printf("%a * %a + %a = 0x%08x, correctly rounded 0xdca00003\n", x, y, z, bits);
  return bits != 0xdca00003;
}
