// What an adapter says about an implementation: its name, what it supports, and a function for each operation. Values
// are the bits of floats. A function that is NULL is not supported, and the list of modes does not name it.

#ifndef IMPLEMENTATION_H
#define IMPLEMENTATION_H

#include <stdint.h>
#include <string.h>

enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };
enum function { COS, SIN, EX2, LG2, RCP, RSQ, SQRT, TANH, FUNCTIONS };

typedef uint32_t (*unary)(uint32_t);
typedef uint32_t (*binary)(uint32_t, uint32_t);
typedef uint32_t (*ternary)(uint32_t, uint32_t, uint32_t);

typedef struct implementation {
  const char *name, *version;
  // Patterns as assay_device_modes_v1 returns them, ended by NULL.
  const char *const *modes;
  // Sets the rounding direction and the flushing of subnormal numbers before a batch. NULL: it has one way only.
  void (*enter)(uint32_t rounding, uint32_t ftz);
  void (*leave)(void);
  binary add, mul;
  ternary fma;
  // The number wins over a NaN.
  binary minimum_number, maximum_number;
  // The NaN wins over a number.
  binary minimum, maximum;
  // 1 or 0.
  binary less, equal;
  unary function[FUNCTIONS];
  unary popc, brev;
  // The low word of a pair (low, high) shifted right by 0 to 31 places, and the high word of one shifted left.
  ternary shift_right, shift_left;
  // 1 if the documentation leaves the pattern of a NaN open: then every NaN is written as 0x7FFFFFFF.
  uint32_t any_nan;
} implementation;

extern const implementation the_implementation;

static inline float as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t as_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

#define UNARY(name, call) \
  static uint32_t name(uint32_t a) { return as_bits(call(as_float(a))); }
#define BINARY(name, call) \
  static uint32_t name(uint32_t a, uint32_t b) { return as_bits(call(as_float(a), as_float(b))); }
#define TERNARY(name, call) \
  static uint32_t name(uint32_t a, uint32_t b, uint32_t c) { return as_bits(call(as_float(a), as_float(b), as_float(c))); }

#endif
