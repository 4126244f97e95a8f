/* The ops of the quern dialect at the loops stage, as in test_ops.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

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
      cmocka_unit_test(dot_products), cmocka_unit_test(packs),   cmocka_unit_test(round_to_int),
      cmocka_unit_test(widen_half),   cmocka_unit_test(rescale), cmocka_unit_test(reload),
      cmocka_unit_test(shuffles),     cmocka_unit_test(lookups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
