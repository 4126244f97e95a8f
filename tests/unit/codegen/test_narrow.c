/* f16 and bf16 as machine code. Bit patterns of all exponents, paired with random ones, run through
 * every float op; at each level the bits are the interpreter's. Conversions and quotients are also
 * compared with a search among all values of the format. It takes seconds because of the number of
 * levels; with an argument, every bit pattern is tested.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <math.h>

#include "ir/types/float_format.h"

/* Elements of each input and output. A vector kernel runs the same code on vectors. */
enum { PATTERNS = 65536, VECTOR_COUNT = 1024, LANES = 8 };
static int scalar_count = 8192;

typedef struct sample_set {
  qn_float_kind kind;
  const char *name;
  int count, lanes;
} sample_set;

/* Offsets of the inputs, in units of `count` bytes: a and b are narrow, wide is f64, integer is
 * i64. */
enum { AT_A = 0, AT_B = 2, AT_WIDE = 4, AT_INTEGER = 12, IN_WIDTH = 20 };

typedef struct operation {
  const char *op, *attrs;
  const char *operands; /* of a, b, s (b as f32), w (wide), i (integer), h (low half of i) */
  const char *result;   /* NULL: the narrow type */
} operation;

static const operation operations[] = {
    {"arith.divf", "", "ab", NULL},     {"arith.truncf", "", "w", NULL},
    {"arith.addf", "", "ab", NULL},     {"arith.subf", "", "ab", NULL},
    {"arith.mulf", "", "ab", NULL},     {"arith.maximumf", "", "ab", NULL},
    {"arith.minimumf", "", "ab", NULL}, {"arith.negf", "", "a", NULL},
    {"math.absf", "", "a", NULL},       {"math.roundeven", "", "a", NULL},
    {"math.round", "", "a", NULL},      {"math.floor", "", "a", NULL},
    {"math.ceil", "", "a", NULL},       {"math.trunc", "", "a", NULL},
    {"math.fma", "", "abb", NULL},      {"math.fma", "", "aba", NULL},
    {"arith.truncf", "", "s", NULL},    {"arith.extf", "", "a", "f32"},
    {"arith.extf", "", "a", "f64"},     {"arith.sitofp", "", "i", NULL},
    {"arith.uitofp", "", "i", NULL},    {"arith.sitofp", "", "h", NULL},
    {"arith.uitofp", "", "h", NULL},    {"arith.bitcast", "", "a", "i16"},
    {"math.exp", "", "a", NULL},        {"math.powf", "", "ab", NULL},
    {"arith.cmpf", "olt", "ab", "i1"},  {"arith.cmpf", "ueq", "ab", "i1"},
};
static const int quotients_at = 0, conversions_at = 2; /* byte offset = this * count */

static size_t bytes_of(const operation *o) {
  if (!o->result) return 2;
  return strcmp(o->result, "i1") == 0 ? 1 : (size_t)(atoi(o->result + 1) / 8);
}

/* ---- the kernel ---- */

typedef struct generator {
  const sample_set *set;
  qn_text body;
  size_t in_bytes, out_bytes;
  int next;
} generator;

static const char *shaped(const generator *g, char *buffer, const char *element) {
  if (g->set->lanes == 0) return element;
  snprintf(buffer, 64, "vector<%dx%s>", g->set->lanes, element);
  return buffer;
}

static const char *element_of(const generator *g, char operand) {
  if (operand == 's') return "f32";
  if (operand == 'w') return "f64";
  if (operand == 'i') return "i64";
  return operand == 'h' ? "i32" : g->set->name;
}

static void view(generator *g, const char *name, const char *blob, size_t blob_bytes, size_t offset,
                 const char *element) {
  qn_text_format(&g->body,
                 "%%at_%s = \"arith.constant\"() <{value = %zu : index}> : () -> index\n"
                 "%%all_%s = \"memref.view\"(%%%s, %%at_%s) : (memref<%zuxi8>, index) -> "
                 "memref<%dx%s>\n",
                 name, offset, name, blob, name, blob_bytes, g->set->count, element);
}

static void load(generator *g, const char *name) {
  char buffer[64];
  const char *element = element_of(g, name[0]);
  qn_text_format(&g->body, "%%%s = \"%s.load\"(%%all_%s, %%k) : (memref<%dx%s>, index) -> %s\n",
                 name, g->set->lanes ? "vector" : "memref", name, g->set->count, element,
                 shaped(g, buffer, element));
}

static void derive(generator *g, const char *name, const char *op, const char *from,
                   const char *to) {
  char in[64], out[64];
  qn_text_format(&g->body, "%%%s = \"%s\"(%%%s) : (%s) -> %s\n", name, op, from,
                 shaped(g, in, element_of(g, from[0])), shaped(g, out, to));
}

static void compute(generator *g, const operation *o, int number) {
  char type[64];
  qn_text_format(&g->body, "%%r%d = \"%s\"(", number, o->op);
  for (const char *x = o->operands; *x; x++)
    qn_text_format(&g->body, "%s%%%c", x > o->operands ? ", " : "", *x);
  int predicate = strcmp(o->attrs, "olt") == 0 ? 4 : 8;
  qn_text_puts(&g->body, ")");
  if (o->attrs[0]) qn_text_format(&g->body, " <{predicate = %d : i64}>", predicate);
  qn_text_puts(&g->body, " : (");
  for (const char *x = o->operands; *x; x++)
    qn_text_format(&g->body, "%s%s", x > o->operands ? ", " : "",
                   shaped(g, type, element_of(g, *x)));
  const char *element = o->result ? o->result : g->set->name;
  qn_text_format(&g->body, ") -> %s\n", shaped(g, type, element));
  qn_text_format(&g->body,
                 "\"%s.store\"(%%r%d, %%all_r%d, %%k) : (%s, memref<%dx%s>, index) -> ()\n",
                 g->set->lanes ? "vector" : "memref", number, number, shaped(g, type, element),
                 g->set->count, element);
}

static void generate(generator *g) {
  size_t count = (size_t)g->set->count, offset = 0;
  g->in_bytes = IN_WIDTH * count;
  view(g, "a", "in", g->in_bytes, AT_A * count, g->set->name);
  view(g, "b", "in", g->in_bytes, AT_B * count, g->set->name);
  view(g, "w", "in", g->in_bytes, AT_WIDE * count, "f64");
  view(g, "i", "in", g->in_bytes, AT_INTEGER * count, "i64");
  for (size_t i = 0; i < QN_COUNT(operations); i++)
    g->out_bytes += count * bytes_of(&operations[i]);
  for (size_t i = 0; i < QN_COUNT(operations); i++) {
    char name[16];
    snprintf(name, sizeof name, "r%zu", i);
    const char *element = operations[i].result ? operations[i].result : g->set->name;
    view(g, name, "out", g->out_bytes, offset, element);
    offset += count * bytes_of(&operations[i]);
  }
  qn_text_format(&g->body,
                 "%%step = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "%%end = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "\"scf.for\"(%%c0, %%end, %%step) ({\n^bb0(%%k: index):\n",
                 g->set->lanes ? g->set->lanes : 1, g->set->count);
  load(g, "a");
  load(g, "b");
  load(g, "w");
  load(g, "i");
  derive(g, "s", "arith.truncf", "w", "f32");
  derive(g, "h", "arith.trunci", "i", "i32");
  for (size_t i = 0; i < QN_COUNT(operations); i++) compute(g, &operations[i], (int)i);
  qn_text_puts(&g->body, "\"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n");
}

/* ---- inputs ---- */

static uint64_t draw(uint64_t *seed) {
  *seed += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = (*seed ^ *seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Random f64: near the midpoint of two neighbours, near a value of the format, or any bits. */
static uint64_t random_wide(qn_float_kind kind, uint64_t *seed) {
  uint64_t kind_of = draw(seed) % 4, bits = draw(seed);
  if (kind_of == 0) return bits;
  uint64_t pattern = bits & 0x7fff;
  double x = qn_float_decode(kind, pattern), y = qn_float_decode(kind, pattern + 1);
  double z = kind_of == 1 ? x : isfinite(x + y) ? (x + y) / 2 : x * 1.00390625;
  uint64_t result;
  memcpy(&result, &z, sizeof result);
  return (result + draw(seed) % 3 - 1) ^ (bits & UINT64_C(1) << 63);
}

static uint8_t *make_input(const sample_set *set) {
  size_t count = (size_t)set->count;
  uint8_t *in = malloc(IN_WIDTH * count);
  uint64_t seed = (uint64_t)set->kind;
  for (size_t k = 0; k < count; k++) {
    uint16_t a = (uint16_t)(k * (PATTERNS / count) + draw(&seed) % (PATTERNS / count));
    uint16_t b = (uint16_t)draw(&seed);
    if (draw(&seed) % 8 == 0) b = (uint16_t)(a ^ (draw(&seed) & 0x8003)); /* cancels */
    uint64_t wide = random_wide(set->kind, &seed);
    uint64_t integer = draw(&seed) >> draw(&seed) % 64;
    if (draw(&seed) % 2) integer = (integer | 1) << draw(&seed) % 60;
    memcpy(in + AT_A * count + 2 * k, &a, 2);
    memcpy(in + AT_B * count + 2 * k, &b, 2);
    memcpy(in + AT_WIDE * count + 8 * k, &wide, 8);
    memcpy(in + AT_INTEGER * count + 8 * k, &integer, 8);
  }
  return in;
}

/* ---- the definition ---- */

/* The bits of the value of the format that is nearest to x, found by bisection. In the middle
 * between two, the one with even bits. */
static uint64_t nearest(qn_float_kind kind, double x) {
  uint64_t infinity = qn_float_encode(kind, (double)INFINITY), low = 0, high = infinity;
  double magnitude = fabs(x);
  if (isnan(x)) return infinity | 1u << (qn_float_format_of(kind)->mantissa - 1);
  uint64_t sign = signbit(x) ? 0x8000 : 0;
  if (isinf(x)) return sign | infinity;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    if (qn_float_decode(kind, middle) <= magnitude)
      low = middle;
    else
      high = middle;
  }
  /* In place of infinity, the value that would be next. */
  double below = qn_float_decode(kind, low);
  double above =
      high == infinity ? 2 * below - qn_float_decode(kind, low - 1) : qn_float_decode(kind, high);
  double twice = below + above;
  bool up = 2 * magnitude > twice || (2 * magnitude == twice && (low & 1));
  return sign | (up ? high : low);
}

/* The quotient of operands with at most 11 bits. A midpoint of two narrow values has at most 12
 * bits, so rounding to f64 never moves a quotient onto or across a midpoint. */
static double quotient(qn_float_kind kind, uint16_t a, uint16_t b) {
  return qn_float_decode(kind, a) / qn_float_decode(kind, b);
}

static void check_definition(const sample_set *set, const uint8_t *in, const uint8_t *out) {
  size_t count = (size_t)set->count;
  for (size_t k = 0; k < count; k++) {
    uint16_t a, b, divided, converted;
    double wide;
    memcpy(&a, in + AT_A * count + 2 * k, 2);
    memcpy(&b, in + AT_B * count + 2 * k, 2);
    memcpy(&wide, in + AT_WIDE * count + 8 * k, 8);
    memcpy(&divided, out + (size_t)quotients_at * count + 2 * k, 2);
    memcpy(&converted, out + (size_t)conversions_at * count + 2 * k, 2);
    if (divided != nearest(set->kind, quotient(set->kind, a, b)))
      fail_msg("%s %#x / %#x is %#x", set->name, a, b, divided);
    if (converted != nearest(set->kind, wide))
      fail_msg("%s of %a is %#x", set->name, wide, converted);
  }
}

static void check(const sample_set *set) {
  fixture f;
  generator g = {.set = set};
  fixture_init(&f);
  generate(&g);
  qn_module *module = fixture_kernel(&f, g.in_bytes, g.out_bytes, 1, "", g.body.data);
  uint8_t *in = make_input(set), *out = calloc(1, g.out_bytes);
  fixture_eval(&f, module, in, out);
  check_definition(set, in, out);
  fixture_check_levels(&f, module, in, g.out_bytes, out);
  free(in);
  free(out);
  qn_module_destroy(module);
  qn_text_deinit(&g.body);
  fixture_deinit(&f);
}

static void scalars(void **state) {
  (void)state;
  check(&(sample_set){QN_F16, "f16", scalar_count, 0});
  check(&(sample_set){QN_BF16, "bf16", scalar_count, 0});
}

static void vectors(void **state) {
  (void)state;
  check(&(sample_set){QN_F16, "f16", VECTOR_COUNT, LANES});
  check(&(sample_set){QN_BF16, "bf16", VECTOR_COUNT, LANES});
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) scalar_count = PATTERNS;
  const struct CMUnitTest tests[] = {cmocka_unit_test(scalars), cmocka_unit_test(vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
