// A library that is preloaded into assay and sets FTZ, DAZ and rounding toward zero: when it is loaded, or, with
// -DLATER, in a function of the C library that it puts itself in front of, again and again from some time on.

#include <stdatomic.h>
#include <stddef.h>

static void change(void) {
#if defined(__x86_64__)
  unsigned mxcsr = 0x1f80 | 1u << 15 | 1u << 6 | 3u << 13;
  __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
#elif defined(__aarch64__)
  unsigned long fpcr = 1u << 24 | 3u << 22;
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#endif
}

#ifdef LATER
void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  static atomic_uint calls;
  if (atomic_fetch_add(&calls, 1) > 20000) change();
  return __libc_malloc(size);
}
#else
__attribute__((constructor)) static void loaded(void) { change(); }
#endif
