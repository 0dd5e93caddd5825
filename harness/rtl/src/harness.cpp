// A device under test around a unit that Verilator compiled. `assay rtl` writes this file. The
// parts that depend on the unit are in unit.h.
//
// A batch has one instruction and many cases. The harness offers the unit one operation per cycle,
// so that many operations are in flight. If the unit has several operations, a further operation
// precedes about every second case, and its result is dropped. The values of the case alone decide
// whether there is a further operation, which one it is, and on which values. So a repeated case
// has the same result.

#include "assay_device.h"

#include "Vunit.h"
#include "verilated.h"

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// ---- Types and functions for unit.h -------------------------------------------------------------

enum Kind { REGISTER, UNIFORM, PREDICATE, UNIFORM_PREDICATE, CONSTANT, LITERAL };
enum Change { ABSOLUTE, NEGATIVE, TWOS_COMPLEMENT, INVERTED, NOT };

struct Word { uint64_t low, high; };
struct Prefix { uint32_t bit, value; Change change; };
// `idle` is the number that names no storage, such as RZ. Reading it gives `idle_value`.
struct Place { Kind kind; uint32_t low, width; int32_t idle; uint32_t idle_value; std::vector<Prefix> prefixes; };
struct Form { Word mask; std::vector<Place> guard, inputs, outputs; };
struct Mode { uint32_t form; Word word; uint32_t variant; };

static uint32_t low_bits(uint32_t bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

// Sets `bits` bits of a port, beginning at bit 32 * `word`.
template <typename Port> static void put(Port &port, uint32_t word, uint32_t bits, uint32_t value) {
  uint64_t mask = low_bits(bits);
  port = static_cast<Port>((port & ~(mask << 32 * word)) | (value & mask) << 32 * word);
}
template <std::size_t Words> static void put(VlWide<Words> &port, uint32_t word, uint32_t bits, uint32_t value) {
  port[word] = value & low_bits(bits);
}
template <typename Port> static uint32_t get(const Port &port, uint32_t low, uint32_t width) {
  return static_cast<uint32_t>(static_cast<uint64_t>(port) >> low) & low_bits(width);
}
template <std::size_t Words> static uint32_t get(const VlWide<Words> &port, uint32_t low, uint32_t width) {
  uint64_t pair = port[low / 32];
  if (low / 32 + 1 < Words) pair |= static_cast<uint64_t>(port[low / 32 + 1]) << 32;
  return static_cast<uint32_t>(pair >> low % 32) & low_bits(width);
}

#include "unit.h"

// ---- The unit ------------------------------------------------------------------------------------------------------

enum : uint32_t { MOST_OPERANDS = 8, NO_CASE = ~0u };
static const bool is_mixed = unit_modes.size() > 1 && sizeof unit_operations > sizeof(uint32_t);

// The simulation calls this when the unit executes $stop, $finish or $fatal.
static void stop(const char *what, const char *file, int line) {
  throw std::runtime_error(std::string("the unit called ") + what + " in " + file + ":" + std::to_string(line));
}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE { stop("$stop", file, line); }
void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE { stop("$finish", file, line); }
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE {
  stop((std::string("$fatal (") + message + ")").c_str(), file, line);
}

struct Simulation {
  VerilatedContext context;
  Vunit unit{&context};

  Simulation() {
    set_clock(unit, false);
    set_input_valid(unit, false);
    set_output_ready(unit, false);
    const uint32_t zeros[MOST_OPERANDS] = {};
    drive(unit, 0, zeros);
    set_reset(unit, true);
    unit.eval();
    for (uint32_t cycle = 0; cycle < UNIT_RESET_CYCLES; cycle++) {
      edge();
      unit.eval();
    }
    set_reset(unit, false);
    unit.eval();
  }
  ~Simulation() { unit.final(); }

  // A rising edge of the clock. The next evaluation has the falling edge and the next inputs.
  void edge() {
    set_clock(unit, true);
    unit.eval();
    set_clock(unit, false);
    context.timeInc(1);
  }
};

struct assay_handle {
  std::unique_ptr<Simulation> simulation;
};

// ---- Instructions --------------------------------------------------------------------------------------------------

static uint32_t bits_of(const assay_batch *batch, uint32_t low, uint32_t width) {
  uint64_t word = low >= 64 ? batch->word_high >> (low - 64) : batch->word_low >> low;
  if (low < 64 && low + width > 64) word |= batch->word_high << (64 - low);
  return static_cast<uint32_t>(word) & low_bits(width);
}

static const Mode *find_mode(const assay_batch *batch) {
  for (const Mode &mode : unit_modes) {
    const Word &mask = unit_forms[mode.form].mask;
    if ((batch->word_low & mask.low) == mode.word.low && (batch->word_high & mask.high) == mode.word.high) return &mode;
  }
  return nullptr;
}

static const uint32_t spaces[] = {ASSAY_SPACE_R, ASSAY_SPACE_UR, ASSAY_SPACE_P, ASSAY_SPACE_UP, ASSAY_SPACE_CONSTANT};

// An operand of a batch: a column, or one value for every lane.
struct Operand {
  const Place *place;
  const uint32_t *column = nullptr;
  uint32_t value = 0;
  std::vector<Change> changes;

  Operand(const assay_batch *batch, const Place &from) : place(&from) {
    uint32_t number = bits_of(batch, from.low, from.width);
    for (const Prefix &prefix : from.prefixes)
      if (bits_of(batch, prefix.bit, 1) == prefix.value) changes.push_back(prefix.change);
    if (from.kind == LITERAL) { value = number; return; }
    if (static_cast<int64_t>(number) == from.idle) { value = from.idle_value; return; }
    for (uint32_t c = 0; c < batch->columns; c++)
      if (batch->locations[c].space == spaces[from.kind] && batch->locations[c].index == number)
        column = batch->values + static_cast<size_t>(c) * batch->lanes;
    if (!column) throw std::runtime_error("the batch has no column for an operand of " + std::string(batch->text));
  }

  uint32_t at(uint32_t lane) const {
    uint32_t bits = column ? column[lane] : value;
    for (Change change : changes) {
      switch (change) {
        case ABSOLUTE: bits &= 0x7fffffffu; break;
        case NEGATIVE: bits ^= 0x80000000u; break;
        case TWOS_COMPLEMENT: bits = 0u - bits; break;
        case INVERTED: bits = ~bits; break;
        case NOT: bits = !bits; break;
      }
    }
    return bits;
  }
};

// ---- Execution -----------------------------------------------------------------------------------------------------

// An operation that the harness offers to the unit, or that is in flight.
struct Offer {
  uint32_t lane, variant;
  uint64_t cycle;
  uint32_t operands[MOST_OPERANDS];
};

static uint64_t mixed(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

struct Pump {
  Simulation &simulation;
  uint32_t lanes;
  const Mode &mode;
  const std::vector<Operand> &inputs;
  std::vector<uint32_t *> outputs;
  std::deque<Offer> in_flight;
  bool is_offered = false, had_filler = false;
  Offer offer{};
  uint32_t next = 0;
  uint64_t cycle = 0, random = 1, since_transfer = 0;
  bool is_held = false;
  uint32_t held[MOST_OPERANDS] = {};

  bool chance(uint32_t percentage) {
    if (percentage == 0) return false;
    random = mixed(random + 0x9e3779b97f4a7c15u);
    return random % 100 < percentage;
  }

  // Offers the next case, or before it a further operation. The values of the case decide.
  void make_offer() {
    offer.lane = next;
    offer.variant = mode.variant;
    uint64_t hash = 0;
    for (size_t i = 0; i < inputs.size() && i < MOST_OPERANDS; i++) {
      offer.operands[i] = inputs[i].at(next);
      hash = mixed(hash + offer.operands[i] + 0x9e3779b97f4a7c15u);
    }
    is_offered = true;
    if (!is_mixed || had_filler || hash >> 63) {
      next++;
      had_filler = false;
      return;
    }
    had_filler = true;
    offer.lane = NO_CASE;
    offer.variant = unit_modes[hash % unit_modes.size()].variant;
    uint32_t own[MOST_OPERANDS];
    for (uint32_t i = 0; i < MOST_OPERANDS; i++) own[i] = offer.operands[i];
    for (uint32_t i = 0; i < MOST_OPERANDS; i++) {
      hash = mixed(hash + i);
      offer.operands[i] = hash & 1 || inputs.empty() ? static_cast<uint32_t>(hash >> 32) : own[(hash >> 1) % inputs.size()];
    }
  }

  void fail(const std::string &problem) const {
    throw std::runtime_error(problem + ": cycle " + std::to_string(cycle) + " of the batch, " + std::to_string(next) + " of " +
                             std::to_string(lanes) + " cases offered, " + std::to_string(in_flight.size()) + " in flight");
  }

  void take_result() {
    Offer first = in_flight.front();
    in_flight.pop_front();
    if (first.lane == NO_CASE) return;
    uint32_t values[MOST_OPERANDS] = {};
    results(simulation.unit, unit_operations[first.variant], values);
    for (size_t i = 0; i < outputs.size(); i++)
      if (outputs[i]) outputs[i][first.lane] = values[i];
  }

  // Checks that the unit does not change or withdraw a result that was not taken yet.
  void check_held(bool valid, bool ready) {
    uint32_t values[MOST_OPERANDS] = {};
    if (valid && !in_flight.empty()) results(simulation.unit, unit_operations[in_flight.front().variant], values);
    if (is_held && !valid) fail("the unit withdrew a result that was not taken yet");
    for (uint32_t i = 0; is_held && i < MOST_OPERANDS; i++)
      if (values[i] != held[i]) fail("the unit changed a result that was not taken yet");
    is_held = valid && !ready;
    for (uint32_t i = 0; i < MOST_OPERANDS; i++) held[i] = values[i];
  }

  void step() {
    Vunit &unit = simulation.unit;
    if (!is_offered && next < lanes) make_offer();
    // Once an operation was driven, it stays on the ports until the unit takes it.
    bool is_driven = is_offered && (offer.cycle != 0 || !chance(UNIT_GAPS));
    if (is_driven) {
      drive(unit, offer.variant, offer.operands);
      offer.cycle = 1;
    }
    bool ready = !chance(UNIT_STALLS);
    set_input_valid(unit, is_driven);
    set_output_ready(unit, ready);
    unit.eval();
    since_transfer++;
    if (is_driven && input_ready(unit)) {
      offer.cycle = cycle;
      in_flight.push_back(offer);
      is_offered = false;
      offer.cycle = 0;
      since_transfer = 0;
    }
    if (UNIT_HANDSHAKE) {
      bool valid = output_valid(unit);
      if (valid && in_flight.empty()) fail("the unit has a result and got no operation for it");
      if (UNIT_STALLS) check_held(valid, ready);
      if (valid && ready) take_result(), since_transfer = 0;
      if (since_transfer > UNIT_LIMIT) {
        fail(in_flight.empty() ? "the unit takes no operation" : "the unit gives no result");
      }
    } else if (!in_flight.empty() && cycle - in_flight.front().cycle == UNIT_LATENCY) {
      take_result();
    }
    simulation.edge();
    cycle++;
  }

  void run() {
    if (lanes > 0)
      for (const Operand &input : inputs) random = mixed(random + input.at(0));
    while (next < lanes || is_offered || !in_flight.empty()) step();
    set_input_valid(simulation.unit, false);
    set_output_ready(simulation.unit, false);
    simulation.unit.eval();
  }
};

// ---- The interface -------------------------------------------------------------------------------------------------

static std::vector<uint32_t *> open_outputs(const assay_batch *batch, const assay_effects *effects, const Form &form,
                                            const uint8_t *written) {
  std::vector<assay_location> places;
  std::vector<bool> has_storage;
  for (const Place &place : form.outputs) {
    uint32_t number = bits_of(batch, place.low, place.width);
    places.push_back({spaces[place.kind], number});
    has_storage.push_back(static_cast<int64_t>(number) != place.idle);
  }
  std::vector<uint32_t *> outputs;
  for (size_t i = 0; i < places.size(); i++) {
    // If two results have the same location, the second counts.
    bool is_last = true;
    for (size_t j = i + 1; j < places.size(); j++)
      is_last &= places[j].space != places[i].space || places[j].index != places[i].index;
    outputs.push_back(has_storage[i] && is_last ? effects->write(effects->context, places[i], written) : nullptr);
  }
  return outputs;
}

static uint32_t execute(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  const Mode *mode = find_mode(batch);
  if (!mode) return ASSAY_UNSUPPORTED;
  try {
    if (!handle->simulation) handle->simulation = std::make_unique<Simulation>();
    const Form &form = unit_forms[mode->form];
    std::vector<uint8_t> written;
    for (const Place &place : form.guard) {
      Operand guard(batch, place);
      for (uint32_t lane = 0; lane < batch->lanes; lane++) written.push_back(guard.at(lane) != 0);
    }
    std::vector<Operand> inputs;
    for (const Place &place : form.inputs) inputs.emplace_back(batch, place);
    auto outputs = open_outputs(batch, effects, form, written.empty() ? nullptr : written.data());
    Pump{*handle->simulation, batch->lanes, *mode, inputs, outputs, {}}.run();
    return ASSAY_KNOWN;
  } catch (const std::exception &error) {
    // The next batch begins with a new, reset simulation.
    handle->simulation.reset();
    effects->fail(effects->context, error.what());
    return ASSAY_FAILED;
  }
}

static uint32_t open_device(const assay_host *host, assay_handle **handle) {
  if (std::string(host->numbers) != unit_numbers) {
    host->fail(host->context, "the device was built for another encoding table; run `assay rtl` again with the same --numbers");
    return ASSAY_FAILED;
  }
  try {
    auto made = std::make_unique<assay_handle>();
    made->simulation = std::make_unique<Simulation>();
    *handle = made.release();
    return ASSAY_KNOWN;
  } catch (const std::exception &error) {
    host->fail(host->context, error.what());
    return ASSAY_FAILED;
  }
}

static void describe(assay_handle *, assay_description *description) {
  *description = {unit_name, unit_version, nullptr, 0, nullptr, nullptr};
}

static void close_device(assay_handle *handle) { delete handle; }

extern "C" const char *const *assay_device_modes_v1(assay_handle *) { return unit_patterns; }

extern "C" const assay_device *assay_device_v1(void) {
  static const assay_device device = {ASSAY_DEVICE_VERSION, open_device, describe, execute, close_device};
  return &device;
}
