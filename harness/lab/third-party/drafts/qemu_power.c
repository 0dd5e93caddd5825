// QEMU 7.2, user mode ppc64le: fres of a zero is 0.5.
//
//   powerpc64le-linux-gnu-gcc -O2 -static qemu_power.c -o qemu_power && qemu-ppc64le ./qemu_power
//
// Power ISA 3.0B, Floating Reciprocal Estimate Single: the result for +0 is +infinity, for -0 it is -infinity, unless
// FPSCR.ZE is 1, where there is no result. helper_fres gives a half when ZE is 0.
#include <math.h>
#include <stdio.h>

int main(void) {
  float zeros[] = {0.0f, -0.0f};
  int wrong = 0;
  for (int i = 0; i < 2; i++) {
    float r;
    __asm__ volatile("fres %0, %1" : "=f"(r) : "f"(zeros[i]));
    printf("fres(%g) = %g\n", zeros[i], r);
    wrong += !isinf(r);
  }
  return wrong != 0;
}
