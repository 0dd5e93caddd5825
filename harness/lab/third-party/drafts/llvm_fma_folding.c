/* clang 14, folding of fmaf at compile time: where the product and the addend are among the least subnormals and cancel,
   the sum is wrong by many binades. The function computes it right at run time. Reported as
   https://github.com/llvm/llvm-project/issues/63895 and corrected since.

     clang-14 -O1 llvm_fma_folding.c -lm && ./a.out */
#include <math.h>
#include <stdio.h>

int main(void) {
  const float folded = __builtin_fmaf(0x1.21ea6cp-94f, -0x1.3de2bp-50f, 0x1.68p-144f);
  volatile float a = 0x1.21ea6cp-94f, b = -0x1.3de2bp-50f, c = 0x1.68p-144f;
  const float computed = fmaf(a, b, c);
  printf("folded %a, computed %a; correctly rounded -0x0p+0\n", folded, computed);
  return folded != 0;
}
