/* Every op of the loops stage: machine code at each level compared with the interpreter, on vectors
 * of all register widths and on scalars. A module has many ops; each reads a region of the input
 * and writes a region of the output.
 *
 * It compiles about 130 modules, which takes seconds.
 *
 * Input: 1 KiB of random bytes that begin with extreme integers, 1 KiB of f32, 1 KiB of f64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <math.h>

enum { REGION = 1024, IN_BYTES = 3 * REGION, OUT_BYTES = 32768 };

typedef struct generator {
  qn_text body;
  int next;      /* number of the next value */
  size_t offset; /* in the output */
} generator;

static int constant_index(generator *g, size_t value) {
  qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = %zu : index}> : () -> index\n",
                 g->next, value);
  return g->next++;
}

/* "i32", or "vector<4xi32>"; lanes 0 is a scalar. */
static const char *type_name(char *buffer, const char *element, int lanes) {
  if (lanes == 0) return element;
  snprintf(buffer, 64, "vector<%dx%s>", lanes, element);
  return buffer;
}

static size_t element_bytes(const char *element) {
  if (strcmp(element, "index") == 0) return 8;
  return strcmp(element, "i1") == 0 ? 1 : (size_t)(atoi(element + 1) / 8);
}

static int view(generator *g, const char *blob, size_t blob_bytes, const char *element,
                size_t offset, int count) {
  int at = constant_index(g, offset);
  qn_text_format(
      &g->body, "%%x%d = \"memref.view\"(%%%s, %%x%d) : (memref<%zuxi8>, index) -> memref<%dx%s>\n",
      g->next, blob, at, blob_bytes, count, element);
  return g->next++;
}

static int load(generator *g, const char *element, int lanes, size_t offset) {
  char name[64];
  int count = lanes ? lanes : 1;
  int source = view(g, "in", IN_BYTES, element, offset, count);
  qn_text_format(&g->body, "%%x%d = \"%s.load\"(%%x%d, %%c0) : (memref<%dx%s>, index) -> %s\n",
                 g->next, lanes ? "vector" : "memref", source, count, element,
                 type_name(name, element, lanes));
  return g->next++;
}

static void store(generator *g, int value, const char *element, int lanes) {
  char name[64];
  int count = lanes ? lanes : 1;
  int target = view(g, "out", OUT_BYTES, element, g->offset, count);
  qn_text_format(&g->body, "\"%s.store\"(%%x%d, %%x%d, %%c0) : (%s, memref<%dx%s>, index) -> ()\n",
                 lanes ? "vector" : "memref", value, target, type_name(name, element, lanes), count,
                 element);
  g->offset += (size_t)count * element_bytes(element);
  assert_true(g->offset <= OUT_BYTES);
}

/* %x<result> = op(%x<a>, ...) on one type. */
static int apply(generator *g, const char *op, const char *attrs, const int *operands, int count,
                 const char *from, const char *to) {
  qn_text_format(&g->body, "%%x%d = \"%s\"(", g->next, op);
  for (int i = 0; i < count; i++) qn_text_format(&g->body, "%s%%x%d", i ? ", " : "", operands[i]);
  qn_text_format(&g->body, ") %s : (", attrs);
  for (int i = 0; i < count; i++) qn_text_format(&g->body, "%s%s", i ? ", " : "", from);
  qn_text_format(&g->body, ") -> %s\n", to);
  return g->next++;
}

static int splat(generator *g, const char *type, int lanes, int value) {
  if (lanes == 0)
    qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = %d : %s}> : () -> %s\n",
                   g->next, value, type, type);
  else
    qn_text_format(&g->body, "%%x%d = \"arith.constant\"() <{value = dense<%d> : %s}> : () -> %s\n",
                   g->next, value, type, type);
  return g->next++;
}

static void put_floats(uint8_t *in) {
  static const float special[] = {0,      -0.0f,       0.5f,       -0.5f,    1.5f,  2.5f,
                                  -2.5f,  0.49999997f, 8388607.5f, -8388609, 1e20f, -1e20f,
                                  1e-40f, INFINITY,    -INFINITY,  16777216};
  uint32_t seed = 7;
  for (int i = 0; i < REGION / 4; i++) {
    seed = seed * 1664525u + 1013904223u;
    float x = i % 3 == 0 ? special[(unsigned)i / 3 % QN_COUNT(special)]
                         : (float)((int32_t)seed >> 8) / 4096.0f;
    memcpy(in + REGION + 4 * i, &x, 4);
  }
  for (int i = 0; i < REGION / 8; i++) {
    double x =
        i % 4 == 0 ? (double)special[(unsigned)i / 4 % QN_COUNT(special)] : (i - 60) * 1234.25 / 7;
    memcpy(in + 2 * REGION + 8 * i, &x, 8);
  }
}

static void make_input(uint8_t *in) {
  static const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT32_MIN, 0x80, 0x8000};
  fixture_random(in, REGION, 1);
  memcpy(in, extremes, sizeof extremes);
  put_floats(in);
}

/* Compares and resets the generated module. */
static void check(generator *g) {
  fixture f;
  uint8_t in[IN_BYTES];
  make_input(in);
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, IN_BYTES, OUT_BYTES, 1, "", g->body.data);
  fixture_check_levels(&f, module, in, OUT_BYTES, NULL);
  qn_module_destroy(module);
  fixture_deinit(&f);
  qn_text_deinit(&g->body);
}

/* ---- integers ---- */

static const char *const int_ops[] = {"arith.addi",  "arith.subi", "arith.muli",  "arith.andi",
                                      "arith.ori",   "arith.xori", "arith.maxsi", "arith.minsi",
                                      "arith.maxui", "arith.minui"};
/* The right operand is 1 .. 16 (divisions) or 0 .. 7 (shifts). */
static const char *const div_ops[] = {"arith.divsi", "arith.divui",      "arith.remsi",
                                      "arith.remui", "arith.floordivsi", "arith.ceildivsi"};
static const char *const shift_ops[] = {"arith.shli", "arith.shrsi", "arith.shrui"};

static void integer_ops(generator *g, const char *element, int lanes) {
  char name[64];
  const char *type = type_name(name, element, lanes);
  int x = load(g, element, lanes, 0), y = load(g, element, lanes, 520);
  int low = apply(g, "arith.andi", "", (int[]){y, splat(g, type, lanes, 15)}, 2, type, type);
  int divisor = apply(g, "arith.addi", "", (int[]){low, splat(g, type, lanes, 1)}, 2, type, type);
  int amount = apply(g, "arith.andi", "", (int[]){y, splat(g, type, lanes, 7)}, 2, type, type);
  for (size_t i = 0; i < QN_COUNT(int_ops); i++)
    store(g, apply(g, int_ops[i], "", (int[]){x, y}, 2, type, type), element, lanes);
  bool divides = lanes <= 4; /* divisions are computed lane by lane: longer vectors add nothing */
  for (size_t i = 0; divides && i < QN_COUNT(div_ops); i++)
    store(g, apply(g, div_ops[i], "", (int[]){x, divisor}, 2, type, type), element, lanes);
  for (size_t i = 0; i < QN_COUNT(shift_ops); i++)
    store(g, apply(g, shift_ops[i], "", (int[]){x, amount}, 2, type, type), element, lanes);
  store(g, apply(g, "math.absi", "", &x, 1, type, type), element, lanes);
  store(g, apply(g, "math.ctlz", "", &x, 1, type, type), element, lanes);
}

static void compares(generator *g, const char *op, const char *element, int predicates, int lanes,
                     size_t base) {
  char name[64], bools[64], attrs[64];
  const char *type = type_name(name, element, lanes), *bool_type = type_name(bools, "i1", lanes);
  int x = load(g, element, lanes, base), y = load(g, element, lanes, base + 256);
  for (int p = 0; p < predicates; p++) {
    snprintf(attrs, sizeof attrs, "<{predicate = %d : i64}>", p);
    int c = apply(g, op, attrs, (int[]){x, y}, 2, type, bool_type);
    store(g, c, "i1", lanes);
    qn_text_format(&g->body, "%%x%d = \"arith.select\"(%%x%d, %%x%d, %%x%d) : (%s, %s, %s) -> %s\n",
                   g->next, c, x, y, bool_type, type, type, type);
    store(g, g->next++, element, lanes);
  }
}

/* Scalars, one SSE register, an odd count wider than any register of f32. */
static const int lane_counts[] = {0, 4, 19};

static void integer_arithmetic(void **state) {
  static const char *const elements[] = {"i8", "i16", "i32", "i64"};
  (void)state;
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    generator g = {0};
    for (size_t e = 0; e < QN_COUNT(elements); e++) integer_ops(&g, elements[e], lane_counts[l]);
    check(&g);
  }
  generator wide = {0};
  integer_ops(&wide, "i8", 64);
  check(&wide);
}

static void comparisons(void **state) {
  (void)state;
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    generator g = {0};
    compares(&g, "arith.cmpi", "i8", 10, lane_counts[l], 0);
    compares(&g, "arith.cmpi", "i32", 10, lane_counts[l], 0);
    compares(&g, "arith.cmpf", "f32", 16, lane_counts[l], REGION);
    check(&g);
  }
}

/* ---- floats ---- */

static void float_ops(generator *g, const char *element, int lanes, size_t base) {
  static const char *const binary[] = {"arith.addf",     "arith.mulf",    "arith.maximumf",
                                       "arith.minimumf", "arith.maxnumf", "arith.minnumf"};
  static const char *const unary[] = {"arith.negf", "math.roundeven", "math.round", "math.floor",
                                      "math.ceil",  "math.trunc",     "math.absf"};
  char name[64];
  const char *type = type_name(name, element, lanes);
  int x = load(g, element, lanes, base), y = load(g, element, lanes, base + 4);
  /* inf - inf and inf * 0 are NaN, whose bits are not specified. So the second operand is finite
   * and positive. */
  char attrs[64];
  snprintf(attrs, sizeof attrs, lanes ? "<{value = dense<3.25> : %s}>" : "<{value = 3.25 : %s}>",
           type);
  int three = apply(g, "arith.constant", attrs, NULL, 0, "", type);
  for (size_t i = 0; i < QN_COUNT(binary); i++)
    store(g, apply(g, binary[i], "", (int[]){x, i < 2 ? three : y}, 2, type, type), element, lanes);
  store(g, apply(g, "arith.subf", "", (int[]){three, x}, 2, type, type), element, lanes);
  store(g, apply(g, "arith.divf", "", (int[]){x, three}, 2, type, type), element, lanes);
  for (size_t i = 0; i < QN_COUNT(unary); i++)
    store(g, apply(g, unary[i], "", &x, 1, type, type), element, lanes);
}

static void float_arithmetic(void **state) {
  (void)state;
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    generator g = {0};
    float_ops(&g, "f32", lane_counts[l], REGION);
    float_ops(&g, "f64", lane_counts[l], 2 * REGION);
    check(&g);
  }
}

/* One rounding at every level, with or without the instruction. Operands: numbers of all
 * magnitudes, and a square whose sum with c is next to the midpoint of two floats, where rounding
 * twice gives another result. */
static void fused_multiply_add(void **state) {
  (void)state;
  static const float hard[][3] = {{0x1.000002p+0F, 0x1.000002p+0F, 0x1p-60F},
                                  {0x1.000002p+0F, 0x1.fffffep-1F, -1.0F},
                                  {0x1.8p-75F, 0x1p-75F, 0x1p-149F},
                                  {0x1.fffffep+127F, 2.0F, -INFINITY},
                                  {0x1.001p+0F, 0x1.001p+0F, 0x1p-54F},
                                  {0x1.001p+0F, 0x1.001p+0F, -0x1p-54F},
                                  {0.0F, -1.0F, 0.0F},
                                  {0.0F, -1.0F, -0.0F}};
  enum { HARD = 2048 };
  generator g = {0};
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    char name[64];
    const char *type = type_name(name, "f32", lane_counts[l]);
    int x = load(&g, "f32", lane_counts[l], REGION + 4);
    int y = load(&g, "f32", lane_counts[l], REGION + 16);
    int z = load(&g, "f32", lane_counts[l], REGION + 28);
    store(&g, apply(&g, "math.fma", "", (int[]){x, y, z}, 3, type, type), "f32", lane_counts[l]);
  }
  for (size_t i = 0; i < QN_COUNT(hard); i++) {
    int at[3];
    for (int k = 0; k < 3; k++) at[k] = load(&g, "f32", 0, HARD + 4 * (3 * (int)i + k));
    store(&g, apply(&g, "math.fma", "", at, 3, "f32", "f32"), "f32", 0);
  }
  fixture f;
  uint8_t in[IN_BYTES], want[OUT_BYTES] = {0}, got[OUT_BYTES];
  make_input(in);
  memcpy(in + HARD, hard, sizeof hard);
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, IN_BYTES, OUT_BYTES, 1, "", g.body.data);
  fixture_eval(&f, module, in, want);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    fixture_assemble(&f, module, &levels[i]);
    if (!qn_codegen_host_runs(&levels[i])) continue;
    memset(got, 0, sizeof got);
    fixture_jit(&f, module, levels[i].name, in, got);
    for (size_t k = 0; k < g.offset / 4; k++) {
      float a, b;
      memcpy(&a, want + 4 * k, 4);
      memcpy(&b, got + 4 * k, 4);
      assert_true(memcmp(&a, &b, 4) == 0 || (isnan(a) && isnan(b)));
    }
  }
  qn_module_destroy(module);
  fixture_deinit(&f);
  qn_text_deinit(&g.body);
}

/* ---- conversions ---- */

static void conversions(void **state) {
  static const struct {
    const char *op, *from, *to;
  } casts[] = {{"arith.extsi", "i8", "i16"},           {"arith.extsi", "i8", "i32"},
               {"arith.extsi", "i16", "i32"},          {"arith.extsi", "i32", "i64"},
               {"arith.extui", "i8", "i16"},           {"arith.extui", "i8", "i32"},
               {"arith.extui", "i16", "i32"},          {"arith.extui", "i32", "i64"},
               {"arith.trunci", "i16", "i8"},          {"arith.trunci", "i32", "i8"},
               {"arith.trunci", "i64", "i32"},         {"arith.sitofp", "i8", "f32"},
               {"arith.sitofp", "i32", "f32"},         {"arith.sitofp", "i64", "f64"},
               {"arith.sitofp", "i64", "f32"},         {"arith.uitofp", "i8", "f32"},
               {"arith.uitofp", "i32", "f32"},         {"arith.uitofp", "i64", "f64"},
               {"arith.bitcast", "i32", "f32"},        {"arith.index_cast", "i32", "index"},
               {"arith.index_castui", "i32", "index"}, {"arith.index_cast", "i8", "index"}};
  (void)state;
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    generator g = {0};
    for (size_t i = 0; i < QN_COUNT(casts); i++) {
      char from[64], to[64];
      type_name(from, casts[i].from, lane_counts[l]);
      type_name(to, casts[i].to, lane_counts[l]);
      int x = load(&g, casts[i].from, lane_counts[l], 0);
      int y = apply(&g, casts[i].op, "", &x, 1, lane_counts[l] ? from : casts[i].from,
                    lane_counts[l] ? to : casts[i].to);
      store(&g, y, casts[i].to, lane_counts[l]);
    }
    check(&g);
  }
}

/* Only values within range; outside of it the result is not defined. */
static void float_conversions(void **state) {
  static const struct {
    const char *op, *from, *to;
  } casts[] = {{"arith.fptosi", "f32", "i32"}, {"arith.fptosi", "f32", "i64"},
               {"arith.fptosi", "f64", "i32"}, {"arith.fptoui", "f32", "i32"},
               {"arith.extf", "f32", "f64"},   {"arith.truncf", "f64", "f32"},
               {"arith.fptosi", "f32", "i16"}};
  (void)state;
  for (size_t l = 0; l < QN_COUNT(lane_counts); l++) {
    generator g = {0};
    for (size_t i = 0; i < QN_COUNT(casts); i++) {
      char byte[64], from[64], to[64];
      const char *b = type_name(byte, "i8", lane_counts[l]),
                 *f = type_name(from, casts[i].from, lane_counts[l]);
      const char *t = type_name(to, casts[i].to, lane_counts[l]);
      int x = load(&g, "i8", lane_counts[l], 100);
      int wide = apply(&g, i == 3 ? "arith.uitofp" : "arith.sitofp", "", &x, 1, b, f);
      char attrs[64];
      snprintf(attrs, sizeof attrs,
               lane_counts[l] ? "<{value = dense<1.375> : %s}>" : "<{value = 1.375 : %s}>", f);
      int factor = apply(&g, "arith.constant", attrs, NULL, 0, "", f);
      int scaled = apply(&g, "arith.mulf", "", (int[]){wide, factor}, 2, f, f);
      store(&g, apply(&g, casts[i].op, "", &scaled, 1, f, t), casts[i].to, lane_counts[l]);
    }
    check(&g);
  }
}

/* ---- vectors ---- */

static void vector_ops(void **state) {
  static const char *const kinds[] = {"add", "maxsi", "maxui", "minsi", "minui"};
  generator g = {0};
  (void)state;
  int x = load(&g, "i32", 8, 0), y = load(&g, "i32", 4, 64), s = load(&g, "i16", 0, 2);
  store(&g, apply(&g, "vector.broadcast", "", &s, 1, "i16", "vector<16xi16>"), "i16", 16);
  store(&g, apply(&g, "vector.bitcast", "", &x, 1, "vector<8xi32>", "vector<32xi8>"), "i8", 32);
  store(&g, apply(&g, "vector.bitcast", "", &x, 1, "vector<8xi32>", "vector<4xi64>"), "i64", 4);
  qn_text_format(
      &g.body,
      "%%x%d = \"vector.shuffle\"(%%x%d, %%x%d) <{mask = array<i64: 11, 0, 8, 7, 7, 3>}> : "
      "(vector<8xi32>, vector<4xi32>) -> vector<6xi32>\n",
      g.next, x, y);
  store(&g, g.next++, "i32", 6);
  qn_text_format(&g.body,
                 "%%x%d = \"vector.shuffle\"(%%x%d, %%x%d) <{mask = array<i64: 4, 3, 11>}> : "
                 "(vector<4xi32>, vector<8xi32>) -> vector<3xi32>\n",
                 g.next, y, x);
  store(&g, g.next++, "i32", 3);
  store(&g,
        apply(&g, "vector.extract", "<{static_position = array<i64: 5>}>", &x, 1, "vector<8xi32>",
              "i32"),
        "i32", 0);
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    char attrs[64];
    snprintf(attrs, sizeof attrs, "<{kind = #vector.kind<%s>}>", kinds[i]);
    store(&g, apply(&g, "vector.reduction", attrs, &x, 1, "vector<8xi32>", "i32"), "i32", 0);
  }
  check(&g);
}

/* A part of a broadcast float is loaded again, so the place of the float is overwritten between. */
static void parts_of_broadcasts(void **state) {
  static const int parts[][2] = {{16, 8}, {16, 4}, {8, 4}, {16, 5}, {16, 16}};
  generator g = {0};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(parts); i++) {
    int lanes = parts[i][0], part = parts[i][1];
    char whole_type[64];
    const char *whole = type_name(whole_type, "f32", lanes);
    int place = view(&g, "out", OUT_BYTES, "f32", g.offset, 1), later = load(&g, "f32", 0, 8);
    store(&g, load(&g, "f32", 0, 4 * i), "f32", 0);
    qn_text_format(&g.body,
                   "%%x%d = \"memref.load\"(%%x%d, %%c0) : (memref<1xf32>, index) -> f32\n", g.next,
                   place);
    int number = g.next++;
    int all = apply(&g, "vector.broadcast", "", &number, 1, "f32", whole);
    qn_text_format(&g.body,
                   "\"memref.store\"(%%x%d, %%x%d, %%c0) : (f32, memref<1xf32>, index) -> ()\n",
                   later, place);
    qn_text_format(&g.body, "%%x%d = \"vector.shuffle\"(%%x%d, %%x%d) <{mask = array<i64: 0",
                   g.next, all, all);
    for (int lane = 1; lane < part; lane++) qn_text_format(&g.body, ", %d", lane);
    qn_text_format(&g.body, ">}> : (%s, %s) -> vector<%dxf32>\n", whole, whole, part);
    store(&g, g.next++, "f32", part);
    store(&g, all, "f32", lanes);
  }
  check(&g);
}

/* ---- quern ---- */

static const int vector_bytes[] = {8, 16, 32, 48, 64, 112, 128};

/* The type of the factors determines the number of products per lane. */
static void dot_of(generator *g, const char *op, const int x[3], bool a_unsigned,
                   const char *factors, int lanes) {
  char sums[64];
  type_name(sums, "i32", lanes);
  qn_text_format(
      &g->body, "%%x%d = \"%s\"(%%x%d, %%x%d, %%x%d) {a_unsigned = %s} : (%s, %s, %s) -> %s\n",
      g->next, op, x[0], x[1], x[2], a_unsigned ? "true" : "false", sums, factors, factors, sums);
  store(g, g->next++, "i32", lanes);
}

static void dot(generator *g, const int x[3], bool a_unsigned, const char *factors, int lanes) {
  dot_of(g, "quern.dot", x, a_unsigned, factors, lanes);
}

static void dot_products(void **state) {
  generator g = {0};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(vector_bytes); i++) {
    int n = vector_bytes[i];
    char bytes[64], words[64], dwords[64];
    type_name(bytes, "i8", n), type_name(words, "i16", n / 2), type_name(dwords, "i32", n / 4);
    int acc = load(&g, "i32", n / 4, 300), a = load(&g, "i8", n, 0), b = load(&g, "i8", n, 500);
    int w = load(&g, "i16", n / 2, 0), v = load(&g, "i16", n / 2, 600);
    dot(&g, (int[]){acc, a, b}, true, bytes, n / 4);
    dot(&g, (int[]){acc, a, b}, false, bytes, n / 4);
    dot(&g, (int[]){acc, w, v}, true, words, n / 4);
    dot(&g, (int[]){acc, w, v}, false, words, n / 4);
    for (int s = 0; s < 2 && n % 16 == 0; s++)
      dot_of(&g, "quern.dot_blocks", (int[]){acc, a, b}, s == 0, bytes, n / 4);
    for (int s = 0; s < 2 && n % 8 == 0; s++)
      dot_of(&g, "quern.dot_joined", (int[]){acc, a, b}, s == 0, bytes, n / 4);
    int few = load(&g, "i32", n / 8, 700);
    dot(&g, (int[]){few, a, b}, false, bytes, n / 8);
    store(&g, apply(&g, "quern.madd_u8s8", "", (int[]){a, b}, 2, bytes, words), "i16", n / 2);
    store(&g, apply(&g, "quern.madd_s16", "", (int[]){w, v}, 2, words, dwords), "i32", n / 4);
  }
  check(&g);
}

static void packs(void **state) {
  generator g = {0};
  (void)state;
  for (size_t i = 1; i < QN_COUNT(vector_bytes); i++) {
    int n = vector_bytes[i];
    char bytes[64], words[64], dwords[64];
    type_name(bytes, "i8", n), type_name(words, "i16", n / 2), type_name(dwords, "i32", n / 4);
    /* In `tame`, small values: most results do not saturate. In `wild`, raw bits: most saturate. */
    int tame = load(&g, "i8", n / 4, 64), wild = load(&g, "i32", n / 4, 0);
    char quarter[64];
    type_name(quarter, "i8", n / 4);
    int wide = apply(&g, "arith.extsi", "", &tame, 1, quarter, dwords);
    int scale = splat(&g, dwords, n / 4, 300);
    int scaled = apply(&g, "arith.muli", "", (int[]){wide, scale}, 2, dwords, dwords);
    int w = load(&g, "i16", n / 2, 0), v = load(&g, "i16", n / 2, 600);
    int amount = splat(&g, words, n / 2, 7),
        tame_v = apply(&g, "arith.shrsi", "", (int[]){v, amount}, 2, words, words);
    for (int u = 0; u < 2; u++) {
      const char *attrs = u ? "<{to_unsigned = true}>" : "<{to_unsigned = false}>";
      store(&g, apply(&g, "quern.pack", attrs, (int[]){scaled, wild}, 2, dwords, words), "i16",
            n / 2);
      store(&g, apply(&g, "quern.pack", attrs, (int[]){tame_v, w}, 2, words, bytes), "i8", n);
    }
  }
  check(&g);
}

/* Limits the magnitude of x to 2^30. */
static int within(generator *g, int x, int lanes) {
  static const char *const ops[] = {"arith.maxnumf", "arith.minnumf"};
  char name[64];
  const char *type = type_name(name, "f32", lanes);
  for (size_t i = 0; i < QN_COUNT(ops); i++) {
    const char *bound = i ? "1073741824.0" : "-1073741824.0";
    qn_text_format(&g->body,
                   lanes ? "%%x%d = \"arith.constant\"() <{value = dense<%s> : %s}> : () -> %s\n"
                         : "%%x%d = \"arith.constant\"() <{value = %s : %s}> : () -> %s\n",
                   g->next, bound, type, type);
    int limit = g->next++;
    x = apply(g, ops[i], "", (int[]){x, limit}, 2, type, type);
  }
  return x;
}

static void round_to_int(void **state) {
  static const int lanes[] = {0, 1, 3, 4, 8, 12, 16, 20, 32, 44, 48, 64};
  generator g = {0};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(lanes); i++) {
    char from[64], to[64];
    int x = within(&g, load(&g, "f32", lanes[i], REGION), lanes[i]);
    store(&g,
          apply(&g, "quern.round_to_int", "", &x, 1, type_name(from, "f32", lanes[i]),
                type_name(to, "i32", lanes[i])),
          "i32", lanes[i]);
    /* Random bits: numbers of all magnitudes. */
    x = within(&g, load(&g, "f32", lanes[i], 0), lanes[i]);
    store(&g,
          apply(&g, "quern.round_to_int", "", &x, 1, type_name(from, "f32", lanes[i]),
                type_name(to, "i32", lanes[i])),
          "i32", lanes[i]);
  }
  check(&g);
}

/* Random bits, where NaNs become infinities; then their fractions as subnormals. */
static void widen_half(void **state) {
  static const int lanes[] = {1, 3, 4, 8, 16, 20, 32, 64};
  generator g = {0};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(lanes); i++) {
    char from[64], to[64];
    const char *type = type_name(from, "i16", lanes[i]);
    int x = load(&g, "i16", lanes[i], 64 * i), limit = splat(&g, type, lanes[i], 0x7C00);
    int magnitude =
        apply(&g, "arith.andi", "", (int[]){x, splat(&g, type, lanes[i], 0x7FFF)}, 2, type, type);
    int sign = apply(&g, "arith.subi", "", (int[]){x, magnitude}, 2, type, type);
    magnitude = apply(&g, "arith.minui", "", (int[]){magnitude, limit}, 2, type, type);
    x = apply(&g, "arith.ori", "", (int[]){magnitude, sign}, 2, type, type);
    store(&g, apply(&g, "quern.widen_half", "", &x, 1, type, type_name(to, "f32", lanes[i])), "f32",
          lanes[i]);
    /* Subnormals. */
    x = apply(&g, "arith.andi", "", (int[]){x, splat(&g, type, lanes[i], -0x7C01)}, 2, type, type);
    store(&g, apply(&g, "quern.widen_half", "", &x, 1, type, to), "f32", lanes[i]);
  }
  check(&g);
}

/* Random values and, by a mantissa of 1/2, halves of both signs. */
static void rescale(void **state) {
  static const int lanes[] = {1, 3, 4, 8, 16, 20};
  generator g = {0};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(lanes); i++)
    for (int right = 1; right <= 31; right += 3) {
      char name[64];
      const char *type = type_name(name, "i32", lanes[i]);
      int x = load(&g, "i32", lanes[i], 4 * (size_t)right),
          shift = splat(&g, type, lanes[i], -right);
      int factors[] = {load(&g, "i32", lanes[i], 700), splat(&g, type, lanes[i], 1 << 30)};
      for (size_t f = 0; f < QN_COUNT(factors); f++)
        store(&g, apply(&g, "quern.rescale", "", (int[]){x, factors[f], shift}, 3, type, type),
              "i32", lanes[i]);
    }
  check(&g);
}

static void reload(void **state) {
  generator g = {0};
  (void)state;
  for (int n = 4; n <= 64; n += 4) {
    char name[64];
    int source = view(&g, "in", IN_BYTES, "i8", (size_t)n, n);
    qn_text_format(&g.body,
                   "%%x%d = \"quern.reload\"(%%x%d, %%c0) : (memref<%dxi8>, index) -> %s\n", g.next,
                   source, n, type_name(name, "i8", n));
    store(&g, g.next++, "i8", n);
  }
  check(&g);
}

static void shuffles(void **state) {
  generator g = {0};
  (void)state;
  for (int n = 16; n <= 128; n += 16) { /* also widths that no vector register has */
    char type[64];
    int x = load(&g, "i8", n, 3), index = load(&g, "i8", n, 300);
    type_name(type, "i8", n);
    store(&g, apply(&g, "quern.shuffle", "", (int[]){x, index}, 2, type, type), "i8", n);
  }
  check(&g);
}

static void lookups(void **state) {
  static const int lanes[] = {1, 7, 16, 32, 64, 128, 256};
  generator g = {0};
  (void)state;
  int table = view(&g, "in", IN_BYTES, "i8", 512, 256);
  for (size_t i = 0; i < QN_COUNT(lanes); i++) {
    char type[64];
    int x = load(&g, "i8", lanes[i], 3);
    type_name(type, "i8", lanes[i]);
    qn_text_format(&g.body, "%%x%d = \"quern.lookup\"(%%x%d, %%x%d) : (memref<256xi8>, %s) -> %s\n",
                   g.next, table, x, type, type);
    store(&g, g.next++, "i8", lanes[i]);
  }
  check(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integer_arithmetic),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(float_arithmetic),
      cmocka_unit_test(fused_multiply_add),
      cmocka_unit_test(conversions),
      cmocka_unit_test(float_conversions),
      cmocka_unit_test(vector_ops),
      cmocka_unit_test(parts_of_broadcasts),
      cmocka_unit_test(dot_products),
      cmocka_unit_test(packs),
      cmocka_unit_test(round_to_int),
      cmocka_unit_test(widen_half),
      cmocka_unit_test(rescale),
      cmocka_unit_test(reload),
      cmocka_unit_test(shuffles),
      cmocka_unit_test(lookups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
