// CVFPU as Verilator compiles it: sets the inputs of the block and reads its outputs.

#include "Vcvfpu.h"

extern "C" uint32_t cvfpu(uint32_t operation, uint32_t rounding, uint32_t compares, uint32_t a, uint32_t b, uint32_t c) {
  static Vcvfpu unit;
  unit.operation = static_cast<uint8_t>(operation);
  unit.rounding = static_cast<uint8_t>(rounding);
  unit.a = a;
  unit.b = b;
  unit.c = c;
  unit.eval();
  return compares ? unit.comparison : unit.arithmetic;
}
