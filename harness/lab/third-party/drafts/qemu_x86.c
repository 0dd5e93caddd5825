// QEMU 7.2, user mode x86-64: two results of SSE instructions that the processor does not give.
//
//   cc -O2 -static qemu_x86.c -o qemu_x86 && ./qemu_x86; qemu-x86_64 -cpu max ./qemu_x86
//
// 1. FTZ: the product is 2^-126 less a bit, and rounds up to 2^-126, which is no underflow.
//    See https://lore.kernel.org/qemu-devel/20250519145114.2786534-2-peter.maydell@linaro.org/
// 2. The sum of two quiet NaN is the first operand with SSE. The emulator gives the one with the greater significand.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>

static float of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static uint32_t bits_of(__m128 value) {
  float low = _mm_cvtss_f32(value);
  uint32_t bits;
  memcpy(&bits, &low, 4);
  return bits;
}

int main(void) {
  __m128 a = _mm_set_ss(of(0x1fb5144c)), b = _mm_set_ss(of(0x2034f59b));
  unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~0x6000u) | 0x4000u | 0x8000u);  // toward +infinity, FTZ
  __asm__ volatile("mulss %1, %0" : "+x"(a) : "x"(b));
  _mm_setcsr(before);
  __m128 n = _mm_set_ss(of(0x7fc00000)), m = _mm_set_ss(of(0x7fe00000));
  __asm__ volatile("addss %1, %0" : "+x"(n) : "x"(m));
  uint32_t product = bits_of(a), sum = bits_of(n);
  printf("MULSS with FTZ: 0x%08x, the processor gives 0x00800000\n", product);
  printf("ADDSS of two NaN: 0x%08x, the processor gives 0x7fc00000\n", sum);
  return product != 0x00800000 || sum != 0x7fc00000;
}
