/* The ops of the loops stage that MLIR has: machine code at each level compared with the
 * interpreter, on vectors of all register widths and on scalars.
 *
 * With test_quern_ops.c it compiles about 130 modules, which takes seconds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integer_arithmetic), cmocka_unit_test(comparisons),
      cmocka_unit_test(float_arithmetic),   cmocka_unit_test(fused_multiply_add),
      cmocka_unit_test(conversions),        cmocka_unit_test(float_conversions),
      cmocka_unit_test(vector_ops),         cmocka_unit_test(parts_of_broadcasts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
