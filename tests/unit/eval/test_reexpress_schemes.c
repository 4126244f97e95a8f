/* ml.reexpress between all schemes, signednesses and widths, compared with long division. Both
 * scales are integers times powers of two, so (stored - zero point) * from / to is a quotient of
 * integers of at most 127 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/verify/verify.h"
#include "text/text.h"

__extension__ typedef unsigned __int128 wide;

enum { ROWS = 2, COLUMNS = 3, ELEMENTS = ROWS * COLUMNS };

/* ---- random types ---- */

static uint64_t state = 1;
static uint64_t next(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state >> 33;
}
static int64_t between(int64_t lo, int64_t hi) {
  uint64_t bits = next() << 31 | next();
  return lo + (int64_t)(bits % ((uint64_t)(hi - lo) + 1));
}

static const struct {
  const char *text;
  int bytes;
  bool is_signed;
  int64_t low, high, min, max; /* range of the storage type; of the quantized type */
} storages[] = {
    {"i4", 1, true, -8, 7, -8, 7},
    {"u4", 1, false, 0, 15, 0, 15},
    {"i8", 1, true, -128, 127, -128, 127},
    {"u8<3:250>", 1, false, 0, 255, 3, 250},
    {"i16", 2, true, -32768, 32767, -32768, 32767},
    {"u16", 2, false, 0, 65535, 0, 65535},
    {"i32", 4, true, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX},
    {"u32", 4, false, 0, UINT32_MAX, 0, UINT32_MAX},
};
typedef enum scheme { LAYER, AXIS, BLOCKS, SCHEMES } scheme; /* axis: columns; blocks: rows */

typedef struct side {
  int storage;
  scheme scheme;
  double scales[COLUMNS];
  int64_t zero_points[COLUMNS];
} side;

static side random_side(int storage, scheme granularity) {
  side s = {.storage = storage, .scheme = granularity};
  bool simple = next() % 2;
  for (int i = 0; i < COLUMNS; i++) {
    double mantissa = 1.0 + (double)(next() << 21 | next() >> 10) * 0x1p-52;
    s.scales[i] = simple ? 0.125 * (double)between(1, 12) : ldexp(mantissa, (int)between(-8, 8));
    s.zero_points[i] = between(storages[storage].low, storages[storage].high);
    if (next() % 2) s.zero_points[i] = storages[storage].low <= -3 ? -3 : 3;
  }
  return s;
}

static int cell_of(const side *s, int element) {
  return s->scheme == AXIS ? element % COLUMNS : s->scheme == BLOCKS ? element / COLUMNS : 0;
}

static void put_side(const char *name, const side *s, qn_text *text) {
  static const char *const before[] = {", ", ":1, {", ":{0:1, 1:3}, {{"};
  static const char *const between_cells[] = {"", ", ", "}, {"}, *const after[] = {"", "}", "}}"};
  static const int cells[] = {1, COLUMNS, ROWS};
  qn_text_format(text, "!%s = tensor<2x3x!quant.uniform<%s:f64%s", name, storages[s->storage].text,
                 before[s->scheme]);
  for (int i = 0; i < cells[s->scheme]; i++) {
    uint64_t bits;
    memcpy(&bits, &s->scales[i], sizeof bits);
    qn_text_format(text, "%s0x%016llX:%lld", i ? between_cells[s->scheme] : "",
                   (unsigned long long)bits, (long long)s->zero_points[i]);
  }
  qn_text_format(text, "%s>>\n", after[s->scheme]);
}

/* ---- the definition ---- */

static const char *const roundings[] = {"even", "away", "toward-zero", "floor"};

typedef struct expected {
  int64_t value;
  bool exact, saturated;
} expected;

/* x as m * 2^e. Returns the integer m. */
static uint64_t integer_of(double x, int *out_e) {
  double fraction = frexp(x, out_e);
  *out_e -= 53;
  return (uint64_t)ldexp(fraction, 53);
}

/* Returns whether the magnitude floor + rest / divisor is rounded up. `magnitude` is floor. */
static bool goes_up(wide magnitude, wide rest, wide divisor, bool negative, int rounding) {
  if (rounding == 2 || rest == 0) return false;
  if (rounding == 3) return negative;
  if (2 * rest != divisor) return 2 * rest > divisor;
  return rounding == 1 || magnitude % 2 != 0;
}

static expected define(const side *from, const side *to, int element, int64_t stored,
                       int rounding) {
  int a = cell_of(from, element), b = cell_of(to, element), ea, eb;
  int64_t steps = stored - from->zero_points[a];
  bool negative = steps < 0;
  wide n = (wide)integer_of(from->scales[a], &ea) * (uint64_t)(negative ? -steps : steps);
  wide d = integer_of(to->scales[b], &eb);
  if (ea > eb) n <<= ea - eb;
  if (ea < eb) d <<= eb - ea;
  wide magnitude = n / d, rest = n % d;
  bool exact = rest == 0;
  magnitude += goes_up(magnitude, rest, d, negative, rounding);
  /* No overflow: the magnitude is below 2^33 * 2^18. */
  int64_t value = (negative ? -(int64_t)magnitude : (int64_t)magnitude) + to->zero_points[b];
  int64_t min = storages[to->storage].min, max = storages[to->storage].max;
  if (value < min) return (expected){min, exact, true};
  if (value > max) return (expected){max, exact, true};
  return (expected){value, exact, false};
}

/* ---- running the op ---- */

typedef struct fixture {
  qn_ir_context cx;
  qn_arena arena;
  qn_module *module;
} fixture;

static void ignore(void *user, const qn_diag *diag) { (void)user, (void)diag; }

static qn_status load(fixture *f, const side *from, const side *to, const char *attributes) {
  *f = (fixture){.module = NULL};
  qn_ir_context_init(&f->cx);
  qn_arena_init(&f->arena);
  f->cx.diag.handler = ignore;
  f->cx.print_type = qn_text_print_type;
  qn_text text = {0};
  put_side("a", from, &text);
  put_side("b", to, &text);
  qn_text_format(&text,
                 "func.func @main(%%x: !a) -> !b {\n  %%0 = \"ml.reexpress\"(%%x) {%s} : "
                 "(!a) -> !b\n  return %%0 : !b\n}\n",
                 attributes);
  qn_str view = qn_text_view(&text);
  assert_int_equal(qn_text_parse(&f->cx, view, qn_str_of("test"), &f->module), QN_OK);
  qn_text_deinit(&text);
  return qn_verify(f->module);
}

static void unload(fixture *f) {
  qn_module_destroy(f->module);
  qn_arena_deinit(&f->arena);
  qn_ir_context_deinit(&f->cx);
}

static qn_status run(fixture *f, const side *from, const int64_t *stored, qn_rt_value *out) {
  const qn_op *func = qn_module_main(f->module);
  int bytes = storages[from->storage].bytes;
  qn_rt_value x = {.type = qn_op_body(func)->args[0]->type, .size = (int64_t)ELEMENTS * bytes};
  x.data = qn_arena_alloc(&f->arena, (size_t)x.size);
  for (int i = 0; i < ELEMENTS; i++) memcpy(x.data + i * bytes, &stored[i], (size_t)bytes);
  return qn_eval_call(f->module, func, &x, 1, out, &f->arena, NULL);
}

static void random_inputs(const side *from, int64_t stored[ELEMENTS]) {
  int64_t min = storages[from->storage].min, max = storages[from->storage].max;
  for (int i = 0; i < ELEMENTS; i++) {
    int64_t zero = from->zero_points[cell_of(from, i)];
    stored[i] = next() % 4 == 0 ? (next() % 2 ? min : max) : between(min, max);
    bool near = next() % 2 && zero - 20 >= min && zero + 20 <= max;
    if (near) stored[i] = zero + between(-20, 20);
  }
}

/* ---- tests ---- */

static void check_checked(const side *from, const side *to, int rounding, bool saturates) {
  char attributes[96];
  int64_t stored[ELEMENTS];
  bool held = true;
  fixture f;
  snprintf(attributes, sizeof attributes,
           "mode = \"checked\", rounding = \"%s\", overflow = \"%s\"", roundings[rounding],
           saturates ? "saturate" : "error");
  assert_int_equal(load(&f, from, to, attributes), QN_OK);
  random_inputs(from, stored);
  for (int i = 0; i < ELEMENTS; i++) held &= !define(from, to, i, stored[i], rounding).saturated;
  qn_rt_value y;
  qn_status status = run(&f, from, stored, &y);
  assert_int_equal(status, held || saturates ? QN_OK : QN_INVALID);
  for (int i = 0; i < ELEMENTS && status == QN_OK; i++)
    assert_true(qn_rt_int(&y, i) == define(from, to, i, stored[i], rounding).value);
  unload(&f);
}

/* Compares the verifier's proof that all results are exact with a test of every stored value. */
static bool check_exact(const side *from, const side *to) {
  int64_t min = storages[from->storage].min, max = storages[from->storage].max, stored[ELEMENTS];
  bool all = true;
  for (int i = 0; i < ELEMENTS; i++)
    for (int64_t q = min; q <= max; q++) {
      expected e = define(from, to, i, q, 0);
      all &= e.exact && !e.saturated;
    }
  fixture f;
  assert_int_equal(load(&f, from, to, "mode = \"exact\""), all ? QN_OK : QN_INVALID);
  qn_rt_value y;
  random_inputs(from, stored);
  if (all) assert_int_equal(run(&f, from, stored, &y), QN_OK);
  for (int i = 0; i < ELEMENTS && all; i++)
    assert_true(qn_rt_int(&y, i) == define(from, to, i, stored[i], 0).value);
  unload(&f);
  return all;
}

static void every_pair_divides_exactly(void **unused) {
  (void)unused;
  int exact = 0;
  for (size_t a = 0; a < QN_COUNT(storages); a++)
    for (size_t b = 0; b < QN_COUNT(storages); b++)
      for (int schemes = 0; schemes < SCHEMES * SCHEMES; schemes++) {
        side from = random_side((int)a, (scheme)(schemes % SCHEMES));
        side to = random_side((int)b, (scheme)(schemes / SCHEMES));
        for (int rounding = 0; rounding < (int)QN_COUNT(roundings); rounding++)
          check_checked(&from, &to, rounding, (rounding + schemes) % 3 != 0);
        if (storages[a].bytes == 1) exact += check_exact(&from, &to);
        /* Input and output differ in a factor of 4, for every element: exact if the width suffices.
         */
        for (int i = 0; i < COLUMNS; i++) {
          to.scales[i] = from.scales[0] / 4;
          from.scales[i] = from.scales[0];
        }
        if (storages[a].bytes == 1) exact += check_exact(&from, &to);
      }
  assert_in_range(exact, 50, 1000); /* exact and inexact pairs both occur */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_divides_exactly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
