// Any device with the interface of assay_device.h as a process: it speaks the protocol on standard input and output, in
// the binary framing where the host offers it and in JSON lines where not.
//
//   cc -std=c11 -O2 -frounding-math -ffp-contract=off -I harness/device/include
//      examples/devices/c/device.c examples/devices/c/process.c -lm -o device
//   assay fuzz --subject 'exec:./device' --cases 1000000          (./device --json for JSON lines)

#include "assay_device.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory that grows -----------------------------------------------------------------------------------------

typedef struct {
  char *bytes;
  size_t length, room;
} buffer;

static void *grow(void *old, size_t bytes) {
  void *memory = realloc(old, bytes);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(3);
  }
  return memory;
}

static void reserve(buffer *b, size_t more) {
  if (b->length + more <= b->room) return;
  b->room = 2 * (b->length + more);
  b->bytes = grow(b->bytes, b->room);
}

static void put(buffer *b, const void *bytes, size_t count) {
  if (count == 0) return;
  reserve(b, count);
  memcpy(b->bytes + b->length, bytes, count);
  b->length += count;
}

static void put_text(buffer *b, const char *text) { put(b, text, strlen(text)); }

static void put32(buffer *b, uint32_t n) {
  uint8_t bytes[4] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24)};
  put(b, bytes, 4);
}

static void put_number(buffer *b, uint64_t n) {
  char digits[24];
  char *first = digits + sizeof digits;
  do *--first = (char)('0' + n % 10);
  while (n /= 10);
  put(b, first, (size_t)(digits + sizeof digits - first));
}

// ---- What a device reports ---------------------------------------------------------------------------------------

typedef struct {
  assay_location location;
  int has_mask;
  uint8_t *mask;
  uint32_t *values;
} column;

typedef struct {
  uint32_t lanes;
  column columns[64];
  uint32_t column_count;
  buffer events;  // binary: lane, length, text; JSON: the elements of the list
  uint32_t event_count;
  int is_json;
  int has_failed;
  char reason[256];
} report;

static uint32_t *report_write(void *context, assay_location location, const uint8_t *written) {
  report *r = context;
  if (r->column_count == 64) return NULL;
  column *c = &r->columns[r->column_count++];
  c->location = location;
  c->has_mask = written != NULL;
  c->mask = grow(c->mask, r->lanes + 1);
  c->values = grow(c->values, ((size_t)r->lanes + 1) * sizeof *c->values);
  memset(c->values, 0, r->lanes * sizeof *c->values);
  if (written) memcpy(c->mask, written, r->lanes);
  return c->values;
}

static void report_event(void *context, uint32_t lane, const char *event) {
  report *r = context;
  if (r->is_json) {
    put_text(&r->events, r->event_count ? ",{\"lane\":" : "{\"lane\":");
    put_number(&r->events, lane);
    put_text(&r->events, ",\"event\":\"");
    put_text(&r->events, event);
    put_text(&r->events, "\"}");
  } else {
    put32(&r->events, lane);
    put32(&r->events, (uint32_t)strlen(event));
    put_text(&r->events, event);
  }
  r->event_count++;
}

static void report_fail(void *context, const char *reason) {
  report *r = context;
  if (!r->has_failed) snprintf(r->reason, sizeof r->reason, "%s", reason);
  r->has_failed = 1;
}

// ---- JSON, as much as the protocol needs ---------------------------------------------------------------------------

static void blank(const char **at) { while (**at && strchr(" \t\r\n", **at)) ++*at; }

static int sees(const char **at, char c) {
  blank(at);
  if (**at != c) return 0;
  ++*at;
  return 1;
}

static void expect(const char **at, char c) {
  if (sees(at, c)) return;
  fprintf(stderr, "%c expected in the host's message, before: %.40s\n", c, *at);
  exit(3);
}

// Reads a text without escapes: names, words and instructions have none.
static void read_text(const char **at, char *text, size_t room) {
  expect(at, '"');
  size_t length = strcspn(*at, "\"");
  snprintf(text, room, "%.*s", (int)length, *at);
  *at += length;
  expect(at, '"');
}

static uint64_t read_number(const char **at) {
  blank(at);
  char *end;
  uint64_t number = strtoull(*at, &end, 10);
  *at = end;
  return number;
}

// Skips a value of any kind.
static void skip(const char **at) {
  char text[256];
  blank(at);
  if (**at == '"') {
    read_text(at, text, sizeof text);
  } else if (**at == '{' || **at == '[') {
    char close = **at == '{' ? '}' : ']';
    for (++*at; !sees(at, close); sees(at, ','), sees(at, ':')) skip(at);
  } else {
    *at += strcspn(*at, ",]} \t\r\n");
  }
}

static assay_location location_of(const char *name) {
  static const struct { const char *prefix; uint32_t space; } spaces[] = {
      {"UR", ASSAY_SPACE_UR}, {"UP", ASSAY_SPACE_UP}, {"R", ASSAY_SPACE_R}, {"P", ASSAY_SPACE_P}};
  char *end;
  if (name[0] == 'c') {
    unsigned long bank = strtoul(name + 2, &end, 0), offset = strtoul(end + 2, &end, 0);
    return (assay_location){ASSAY_SPACE_CONSTANT, (uint32_t)(bank << 17 | offset)};
  }
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (strncmp(name, spaces[i].prefix, strlen(spaces[i].prefix)) == 0)
      return (assay_location){spaces[i].space, (uint32_t)strtoul(name + strlen(spaces[i].prefix), &end, 10)};
  /* No instruction of this device reads it, so the batch will be answered as unsupported. */
  return (assay_location){UINT32_MAX, 0};
}

static void put_location(buffer *b, assay_location location) {
  static const char *const prefixes[] = {"R", "UR", "P", "UP"};
  char text[40];
  if (location.space == ASSAY_SPACE_CONSTANT)
    snprintf(text, sizeof text, "c[%" PRIu32 "][0x%" PRIx32 "]", location.index >> 17, location.index & 0x1ffff);
  else if (location.space < sizeof prefixes / sizeof *prefixes)
    snprintf(text, sizeof text, "%s%" PRIu32, prefixes[location.space], location.index);
  else  // There is no such location, so the host refuses the answer.
    snprintf(text, sizeof text, "space %" PRIu32 ", %" PRIu32, location.space, location.index);
  put_text(b, text);
}

// ---- Requests ----------------------------------------------------------------------------------------------------

typedef struct {
  uint64_t id;
  char text[256];
  assay_location locations[64];
  buffer values;
  assay_batch batch;
} request;

static void finish_request(request *r) {
  r->batch.text = r->text;
  r->batch.locations = r->locations;
  r->batch.values = (const uint32_t *)(const void *)r->values.bytes;
}

static void parse_json_request(const char *at, request *r) {
  char key[64], digits[40];
  r->values.length = 0;
  r->batch.columns = 0;
  for (expect(&at, '{'); !sees(&at, '}'); sees(&at, ',')) {
    read_text(&at, key, sizeof key);
    expect(&at, ':');
    if (strcmp(key, "id") == 0) {
      r->id = read_number(&at);
    } else if (strcmp(key, "word") == 0) {
      read_text(&at, digits, sizeof digits);
      r->batch.word_low = strtoull(digits + strlen(digits) - 16, NULL, 16);
      digits[strlen(digits) - 16] = 0;
      r->batch.word_high = strtoull(digits, NULL, 16);
    } else if (strcmp(key, "asm") == 0) {
      read_text(&at, r->text, sizeof r->text);
    } else if (strcmp(key, "lanes") == 0) {
      r->batch.lanes = (uint32_t)read_number(&at);
    } else if (strcmp(key, "inputs") == 0) {
      for (expect(&at, '{'); !sees(&at, '}'); sees(&at, ',')) {
        read_text(&at, key, sizeof key);
        expect(&at, ':');
        if (r->batch.columns == 64) exit(3);
        r->locations[r->batch.columns++] = location_of(key);
        for (expect(&at, '['); !sees(&at, ']'); sees(&at, ',')) {
          uint32_t value = (uint32_t)read_number(&at);
          put(&r->values, &value, sizeof value);
        }
      }
    } else {
      skip(&at);
    }
  }
  finish_request(r);
}

static uint32_t get32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint64_t get64(const uint8_t *b) { return get32(b) | (uint64_t)get32(b + 4) << 32; }

static void parse_binary_request(const uint8_t *at, request *r) {
  r->id = get64(at);
  r->batch.word_low = get64(at + 8);
  r->batch.word_high = get64(at + 16);
  r->batch.lanes = get32(at + 24);
  r->batch.columns = get32(at + 28);
  if (r->batch.columns > 64) exit(3);
  at += 32;
  for (uint32_t c = 0; c < r->batch.columns; c++, at += 8)
    r->locations[c] = (assay_location){get32(at), get32(at + 4)};
  size_t count = (size_t)r->batch.lanes * r->batch.columns;
  r->values.length = 0;
  reserve(&r->values, 4 * count + 4);
  uint32_t *values = (uint32_t *)(void *)r->values.bytes;
  for (size_t i = 0; i < count; i++, at += 4) values[i] = get32(at);
  r->values.length = 4 * count;
  uint32_t length = get32(at);
  snprintf(r->text, sizeof r->text, "%.*s", (int)length, (const char *)at + 4);
  finish_request(r);
}

// ---- Answers -----------------------------------------------------------------------------------------------------

static void write_json_answer(uint64_t id, uint32_t status, const report *r, buffer *out) {
  put_text(out, "{\"id\":");
  put_number(out, id);
  if (status == ASSAY_UNSUPPORTED) {
    put_text(out, ",\"unsupported\":true");
  } else if (status != ASSAY_KNOWN) {
    put_text(out, ",\"error\":\"");
    put_text(out, r->reason);
    put_text(out, "\"");
  } else {
    put_text(out, ",\"writes\":{");
    for (uint32_t i = 0; i < r->column_count; i++) {
      const column *c = &r->columns[i];
      put_text(out, i ? ",\"" : "\"");
      put_location(out, c->location);
      put_text(out, "\":[");
      for (uint32_t lane = 0; lane < r->lanes; lane++) {
        if (lane) put_text(out, ",");
        if (c->has_mask && !c->mask[lane]) put_text(out, "null");
        else put_number(out, c->values[lane]);
      }
      put_text(out, "]");
    }
    put_text(out, "},\"events\":[");
    put(out, r->events.bytes, r->events.length);
    put_text(out, "]");
  }
  put_text(out, "}\n");
}

static void write_binary_answer(uint64_t id, uint32_t status, const report *r, buffer *out) {
  put32(out, 0);  // the length, once it is known
  put32(out, (uint32_t)id);
  put32(out, (uint32_t)(id >> 32));
  int is_known = status == ASSAY_KNOWN;
  put32(out, status);
  put32(out, is_known ? r->column_count : 0);
  put32(out, is_known ? r->event_count : 0);
  for (uint32_t i = 0; is_known && i < r->column_count; i++) {
    const column *c = &r->columns[i];
    put32(out, c->location.space);
    put32(out, c->location.index);
    put32(out, (uint32_t)c->has_mask);
    for (uint32_t lane = 0; c->has_mask && lane < r->lanes; lane += 32) {
      uint32_t mask = 0;
      for (uint32_t bit = 0; bit < 32 && lane + bit < r->lanes; bit++) mask |= (uint32_t)(c->mask[lane + bit] != 0) << bit;
      put32(out, mask);
    }
    reserve(out, 4 * (size_t)r->lanes);
    for (uint32_t lane = 0; lane < r->lanes; lane++) put32(out, c->values[lane]);
  }
  if (is_known) {
    put(out, r->events.bytes, r->events.length);
  } else if (status != ASSAY_UNSUPPORTED) {
    put32(out, (uint32_t)strlen(r->reason));
    put_text(out, r->reason);
  }
  uint32_t length = (uint32_t)out->length - 4;
  for (int i = 0; i < 4; i++) out->bytes[i] = (char)(length >> 8 * i);
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

// Every call of a device begins in the default floating-point environment, whatever the call before it left. So the
// interface says, and so a device answers the same here as in the process of assay.
static const assay_device *ready(const assay_device *device) {
  fesetenv(FE_DFL_ENV);
  return device;
}

// Executes a batch. A device that reports a failure, or changes its inputs, has failed, whatever it returns.
static uint32_t execute(const assay_device *device, assay_handle *handle, const request *request, const assay_effects *effects) {
  report *r = effects->context;
  static buffer inputs;
  inputs.length = 0;
  put(&inputs, request->values.bytes, request->values.length);
  uint32_t status = ready(device)->execute(handle, &request->batch, effects);
  if (inputs.length && memcmp(inputs.bytes, request->values.bytes, inputs.length) != 0)
    effects->fail(effects->context, "the device wrote to its inputs");
  if (r->has_failed) return ASSAY_FAILED;
  return status;
}

// ---- The conversation ----------------------------------------------------------------------------------------------

// Reads a line; 0 at the end of the input.
static int read_line(buffer *line) {
  line->length = 0;
  do {
    reserve(line, 1 << 16);
    if (!fgets(line->bytes + line->length, 1 << 16, stdin)) break;
    line->length += strlen(line->bytes + line->length);
  } while (line->bytes[line->length - 1] != '\n');
  return line->length > 0;
}

// Reads a message behind its length; 0 at the end of the input.
static int read_message(buffer *message) {
  uint8_t length[4];
  if (fread(length, 1, 4, stdin) != 4) return 0;
  message->length = 0;
  reserve(message, get32(length) + 1);
  return fread(message->bytes, 1, get32(length), stdin) == get32(length);
}

static void say(buffer *out) {
  if (fwrite(out->bytes, 1, out->length, stdout) != out->length || fflush(stdout)) exit(3);
  out->length = 0;
}

// Reads the hello and opens the device; answers whether the binary framing is offered.
static int read_hello(const char *at, const assay_device *device, assay_handle **handle, char *profile) {
  char key[64], text[64], numbers[64] = "";
  int offers_binary = 0;
  int offers_2 = 0;
  report errors = {0};
  assay_reading readings[256];
  assay_host host = {numbers, profile, readings, 0, &errors, report_fail};
  for (expect(&at, '{'); !sees(&at, '}'); sees(&at, ',')) {
    read_text(&at, key, sizeof key);
    expect(&at, ':');
    if (strcmp(key, "protocols") == 0) {
      for (expect(&at, '['); !sees(&at, ']'); sees(&at, ',')) offers_2 |= read_number(&at) == 2;
    } else if (strcmp(key, "numbers") == 0) {
      read_text(&at, numbers, sizeof numbers);
    } else if (strcmp(key, "profile") == 0) {
      read_text(&at, profile, 64);
    } else if (strcmp(key, "readings") == 0) {
      for (expect(&at, '{'); !sees(&at, '}'); sees(&at, ',')) {
        read_text(&at, text, sizeof text);
        expect(&at, ':');
        uint32_t setting = (uint32_t)read_number(&at);
        uint32_t erratum = (uint32_t)strtoul(text + 1, NULL, 10) + (text[0] == 'C' ? 1000 : 0);
        if (host.reading_count < 256) readings[host.reading_count++] = (assay_reading){erratum, setting};
      }
    } else if (strcmp(key, "framings") == 0) {
      for (expect(&at, '['); !sees(&at, ']'); sees(&at, ',')) {
        read_text(&at, text, sizeof text);
        offers_binary |= strcmp(text, "binary") == 0;
      }
    } else {
      skip(&at);
    }
  }
  if (!offers_2) {
    fprintf(stderr, "the host does not speak version 2 of the protocol, and this device speaks no other\n");
    exit(3);
  }
  if (ready(device)->open(&host, handle) != ASSAY_KNOWN) {
    fprintf(stderr, "the device cannot be opened: %s\n", errors.reason);
    exit(3);
  }
  return offers_binary;
}

static void welcome(const assay_description *it, const char *const *modes, int is_json, buffer *out) {
  put_text(out, "{\"protocol\":2,\"name\":\"");
  put_text(out, it->name);
  put_text(out, "\",\"version\":\"");
  put_text(out, it->version);
  put_text(out, "\",\"modes\":[");
  for (uint32_t i = 0; modes[i]; i++) {
    put_text(out, i ? ",\"" : "\"");
    put_text(out, modes[i]);
    put_text(out, "\"");
  }
  put_text(out, is_json ? "],\"framing\":\"json\"}\n" : "],\"framing\":\"binary\"}\n");
  say(out);
}

int main(int count, char **arguments) {
  const assay_device *device = assay_device_v1();
  assay_handle *handle = NULL;
  static request request;
  static report report;
  buffer message = {0}, out = {0};
  char profile[64] = "";
  if (!read_line(&message)) return 0;
  int offers_binary = read_hello(message.bytes, device, &handle, profile);
  int is_json = !offers_binary || (count > 1 && strcmp(arguments[1], "--json") == 0);
  assay_description description;
  ready(device)->describe(handle, &description);
  welcome(&description, assay_device_modes_v1(handle), is_json, &out);
  assay_effects effects = {&report, report_write, report_event, report_fail};
  while (is_json ? read_line(&message) : read_message(&message)) {
    if (is_json) parse_json_request(message.bytes, &request);
    else parse_binary_request((const uint8_t *)message.bytes, &request);
    report.lanes = request.batch.lanes;
    report.column_count = report.event_count = 0;
    report.events.length = 0;
    report.is_json = is_json;
    report.has_failed = 0;
    report.reason[0] = 0;
    uint32_t status = execute(device, handle, &request, &effects);
    if (is_json) write_json_answer(request.id, status, &report, &out);
    else write_binary_answer(request.id, status, &report, &out);
    say(&out);
  }
  ready(device)->close(handle);
  return 0;
}
