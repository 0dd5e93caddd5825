// SLEEF 3.5.1, Sleef_tanhf_u10: more than 1.0 ulp off. Reported as https://github.com/shibatch/sleef/issues/451.
//
//   cc -O2 sleef_tanhf.c -lsleef -lm -o sleef_tanhf && ./sleef_tanhf
//
// tanh x = x - x^3/3 + ..., and x^3/3 is below 2^-73 here: the true value is just below x itself.
#include <sleef.h>
#include <stdio.h>

int main(void) {
  volatile float x = 0x1.000002p-24f;
  float r = Sleef_tanhf_u10(x);
  printf("tanhf_u10(%a) = %a; the true value is in (%a, %a)\n", x, r, 0x1p-24f, x);
  return r > x;
}
