// musl 1.2.3, fmaf: the result is rounded twice where it is subnormal.
//
//   musl-gcc -O2 -ffp-contract=off -fno-builtin musl_fmaf.c -o musl_fmaf && ./musl_fmaf
//
// The first exact value is -8388607.49999999999997 units of 2^-149, so the nearest float is -8388607 units, 0x807fffff.
// fmaf computes x*y+z in double, and looks for a halfway case in bits 28 to 0 of that double alone. A subnormal result
// has its halfway bit further up, so the sum is rounded to double first, onto the halfway point, and then to even.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

int main(void) {
  static const uint32_t cases[][4] = {{0x19ffe962, 0x1a000b50, 0x80800000, 0x807fffff},
                                      {0x97000800, 0x1cfff001, 0x00010002, 0x00010001}};
  int wrong = 0;
  for (unsigned i = 0; i < 2; i++) {
    volatile float a = of(cases[i][0]), b = of(cases[i][1]), c = of(cases[i][2]);
    float r = fmaf(a, b, c);
    uint32_t bits;
    memcpy(&bits, &r, 4);
    printf("fmaf(%a, %a, %a) = %a (0x%08x), correctly rounded 0x%08x\n", a, b, c, r, bits, cases[i][3]);
    wrong += bits != cases[i][3];
  }
  return wrong != 0;
}
