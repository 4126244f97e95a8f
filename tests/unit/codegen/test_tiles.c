/* Tiles: at the level with AMX they are in tile registers; at other levels, and if they do not fit
 * into tile registers, they are vectors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

enum { IN_BYTES = 4096, OUT_BYTES = 4096 };

/* Returns how often a word occurs in the assembly of the level with AMX. */
static int count_in_assembly(fixture *f, qn_module *module, const char *word) {
  qn_codegen_options options = fixture_options(f, "x86-64-amx");
  qn_text text = {0};
  fixture_expect(f, fixture_emit(module, &options, QN_EMIT_ASM, &text), QN_OK);
  qn_text_putc(&text, '\0');
  int count = 0;
  for (const char *at = text.data; (at = strstr(at, word)); at++) count++;
  qn_text_deinit(&text);
  return count;
}

/* Every level must compute what the interpreter does, and `products` AMX product instructions must
 * occur. */
static void check(const char *body, int products) {
  static const char views[] =
      "%sums = \"memref.view\"(%out, %c0) : (memref<4096xi8>, index) -> memref<1024xi32>\n"
      "%starts = \"memref.view\"(%in, %c0) : (memref<4096xi8>, index) -> memref<1024xi32>\n"
      "%c1 = arith.constant 1 : index\n%c5 = arith.constant 5 : index\n"
      "%c256 = arith.constant 256 : index\n%c512 = arith.constant 512 : index\n"
      "%c768 = arith.constant 768 : index\n%c1000 = arith.constant 1000 : index\n"
      "%z = arith.constant dense<0> : vector<256xi32>\n"
      "%z5 = arith.constant dense<0> : vector<80xi32>\n";
  fixture f;
  uint8_t in[IN_BYTES];
  qn_text text = {0};
  qn_text_format(&text, "%s%s", views, body);
  fixture_random(in, sizeof in, 3);
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, IN_BYTES, OUT_BYTES, 1, "", text.data);
  fixture_check_levels(&f, module, in, OUT_BYTES, NULL);
  assert_int_equal(count_in_assembly(&f, module, "\ttdpb"), products);
  assert_int_equal(count_in_assembly(&f, module, "\tldtilecfg"), products > 0);
  assert_int_equal(count_in_assembly(&f, module, "\ttilerelease"), products > 0);
  qn_module_destroy(module);
  fixture_deinit(&f);
  qn_text_deinit(&text);
}

#define LOAD(name, index, rows, stride, count)                                                     \
  "%" name " = \"quern.tile_load\"(%in, %" index ") {rows = " rows ", row_stride = " stride        \
  "} : (memref<4096xi8>, index) -> vector<" count "xi8>\n"
#define DOT(name, acc, a, b, is_unsigned)                                                          \
  "%" name " = \"quern.tile_dot\"(%" acc ", %" a ", %" b ") {a_unsigned = " is_unsigned            \
  "} : (vector<256xi32>, vector<1024xi8>, vector<1024xi8>) -> vector<256xi32>\n"
#define STORE(value, index)                                                                        \
  "\"quern.tile_store\"(%" value ", %sums, %" index ") {row_stride = 16} : (vector<256xi32>, "     \
  "memref<1024xi32>, index) -> ()\n"

/* A product of each signedness; accumulators from 0 and from memory; few rows and bytes. */
static void products(void **state) {
  (void)state;
  check(LOAD("a", "c1", "16", "100", "1024") LOAD("b", "c512", "16", "64", "1024")
            DOT("x", "z", "a", "b", "true") STORE("x", "c0") DOT("y", "z", "a", "b", "false")
                STORE("y", "c256"),
        2);
  check("%s = \"quern.tile_load\"(%starts, %c5) {rows = 5, row_stride = 0} : (memref<1024xi32>, "
        "index) -> vector<80xi32>\n" LOAD("a", "c1", "5", "40", "60")
            LOAD("b", "c512", "3", "64",
                 "192") "%x = quern.tile_dot %s, %a, %b {a_unsigned = true} : (vector<80xi32>, "
                        "vector<60xi8>, vector<192xi8>) -> vector<80xi32>\n"
                        "quern.tile_store %x, %sums, %c5 {row_stride = 21} : (vector<80xi32>, "
                        "memref<1024xi32>, index) -> ()\n",
        1);
}

/* Four accumulators over a loop and two tiles of each factor; the results are in memory of the
 * kernel. */
static void blocks(void **state) {
  (void)state;
  check("%m = quern.scratch : () -> memref<1024xi32>\n"
        "%r:4 = scf.for %i = %c0 to %c5 step %c1 iter_args(%s0 = %z, %s1 = %z, %s2 = %z, %s3 = %z) "
        "-> (vector<256xi32>, vector<256xi32>, vector<256xi32>, vector<256xi32>) {\n"
        "%j = arith.addi %i, %c1000 : index\n" LOAD("b0", "j", "16", "64", "1024") LOAD(
            "b1", "i", "16", "64", "1024") LOAD("a0", "i", "16", "100",
                                                "1024") LOAD("a1", "j", "16", "100",
                                                             "1024") DOT("t0", "s0", "a0", "b0",
                                                                         "true")
            DOT("t1", "s1", "a0", "b1", "true") DOT("t2", "s2", "a1", "b0", "true") DOT(
                "t3", "s3", "a1", "b1",
                "true") "scf.yield %t0, %t1, %t2, %t3 : vector<256xi32>, vector<256xi32>, "
                        "vector<256xi32>, "
                        "vector<256xi32>\n}\n"
                        "quern.tile_store %r#0, %m, %c0 {row_stride = 16} : (vector<256xi32>, "
                        "memref<1024xi32>, "
                        "index) -> ()\n"
                        "%c16 = arith.constant 16 : index\n"
                        "scf.for %k = %c0 to %c256 step %c16 {\n"
                        "%v = vector.load %m[%k] : memref<1024xi32>, vector<16xi32>\n"
                        "vector.store %v, %sums[%k] : memref<1024xi32>, vector<16xi32>\n}\n" STORE(
                            "r#1", "c256") STORE("r#2", "c512") STORE("r#3", "c768"),
        4);
}

/* Factors that are loaded before a loop stay in their registers in the loop. */
static void factors_outside(void **state) {
  (void)state;
  check(LOAD("a", "c1", "16", "100", "1024")
            LOAD("b", "c512", "16", "64",
                 "1024") "%r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %z, %t = %z) -> "
                         "(vector<256xi32>, "
                         "vector<256xi32>) {\n" LOAD("c", "i", "16", "64", "1024")
                             DOT("u", "s", "a", "b", "true")
                                 DOT("v", "t", "c", "b",
                                     "true") "scf.yield %u, %v : vector<256xi32>, "
                                             "vector<256xi32>\n}\n" STORE("r#0", "c0")
                                                 STORE("r#1", "c256"),
        2);
}

/* For Linux and the level with AMX, the object requests AMX by the system call arch_prctl(0x1023,
 * 18). For other systems and levels it does not. */
static void objects_ask_for_tiles(void **state) {
  static const struct {
    const char *triple, *level;
    bool asks;
  } cases[] = {{"x86_64-pc-linux-gnu", "x86-64-amx", true},
               {"x86_64-unknown-none-elf", "x86-64-amx", false},
               {"x86_64-pc-linux-gnu", "avx512vbmi", false}};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    fixture f;
    fixture_init(&f);
    qn_module *module = fixture_kernel(&f, 64, 64, 1, "", "");
    qn_codegen_options options = {.symbol = qn_str_of("model")};
    fixture_expect(
        &f,
        qn_codegen_target_resolve(&f.cx, cases[i].triple, cases[i].level, NULL, &options.target),
        QN_OK);
    qn_text text = {0};
    fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_ASM, &text), QN_OK);
    qn_text_putc(&text, '\0');
    const char *call = strstr(text.data, "\tsyscall");
    assert_int_equal(call != NULL, cases[i].asks);
    static const char *const operands[] = {"$158, %eax", "$4131, %edi", "$18, %esi"};
    for (size_t k = 0; k < QN_COUNT(operands) && call; k++) {
      const char *at = strstr(text.data, operands[k]);
      assert_true(at && at < call);
    }
    qn_text_deinit(&text);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

/* Three shapes of tiles, each with its own registers. */
static void shapes(void **state) {
  (void)state;
  qn_text body = {0};
  qn_text_puts(&body, "%a = \"quern.tile_load\"(%in, %c1) {rows = 5, row_stride = 70} : "
                      "(memref<4096xi8>, index) -> vector<180xi8>\n");
  for (int v = 0; v < 5; v++)
    qn_text_format(
        &body,
        "%%i%d = arith.constant %d : index\n%%b%d = quern.tile_load %%in, %%i%d {rows = 9, "
        "row_stride = 64} : (memref<4096xi8>, index) -> vector<576xi8>\n"
        "%%s%d = quern.tile_dot %%z5, %%a, %%b%d {a_unsigned = true} : (vector<80xi32>, "
        "vector<180xi8>, vector<576xi8>) -> vector<80xi32>\n",
        v, 100 * v, v, v, v, v);
  for (int v = 0; v < 5; v++)
    qn_text_format(&body,
                   "quern.tile_store %%s%d, %%sums, %%i%d {row_stride = 20} : (vector<80xi32>, "
                   "memref<1024xi32>, index) -> ()\n",
                   v, v);
  check(body.data, 5);
  qn_text_deinit(&body);
}

/* Uses of tiles that do not fit the simple pattern of AMX code: results stay right, without AMX
 * instructions. */
static void unusual(void **state) {
  static const char *const bodies[] = {
      /* accumulators that are exchanged */
      LOAD("a", "c1", "16", "100", "1024") LOAD("b", "c512", "16", "64", "1024")
          DOT("x", "z", "a", "b", "true")
              DOT("y", "z", "b", "a", "true") "%r:2 = scf.for %i = %c0 to %c5 step %c1 "
                                              "iter_args(%s = %x, %t = %y) -> (vector<256xi32>, "
                                              "vector<256xi32>) {\n" DOT(
                                                  "u", "s", "a", "b",
                                                  "true") "scf.yield %t, %u : vector<256xi32>, "
                                                          "vector<256xi32>\n}\n" STORE("r#0", "c0")
                                                              STORE("r#1", "c256"),
      /* an accumulator that is used twice */
      LOAD("a", "c1", "16", "100", "1024") LOAD("b", "c512", "16", "64", "1024")
          DOT("x", "z", "a", "b", "true") DOT("y", "x", "b", "a", "true")
              DOT("v", "x", "b", "a", "false") STORE("y", "c0") STORE("v", "c256"),
      /* an accumulator from outside of a loop that each iteration starts with */
      LOAD("a", "c1", "16", "100", "1024") LOAD("b", "c512", "16", "64", "1024")
          DOT("x", "z", "a", "b", "true") "scf.for %i = %c0 to %c5 step %c1 {\n" DOT(
              "y", "x", "b", "a", "true") STORE("y", "i") "}\n",
      /* a vector used as a tile, and a tile used as a vector */
      LOAD("a", "c1", "16", "100",
           "1024") "%b = vector.load %in[%c512] : memref<4096xi8>, "
                   "vector<1024xi8>\n" DOT("x", "z", "a", "b",
                                           "true") "%y = arith.addi %x, %x : "
                                                   "vector<256xi32>\n" STORE("y", "c0"),
      /* products of fewer rows */
      LOAD("a", "c1", "4", "100", "64")
          LOAD("b", "c512", "16", "64", "1024") "%z1 = arith.constant dense<0> : vector<16xi32>\n"
                                                "%x = quern.tile_dot %z1, %a, %b {a_unsigned = "
                                                "true} : (vector<16xi32>, vector<64xi8>, "
                                                "vector<1024xi8>) -> vector<16xi32>\n"
                                                "quern.tile_store %x, %sums, %c0 {row_stride = 16} "
                                                ": (vector<16xi32>, memref<1024xi32>, "
                                                "index) -> ()\n",
      /* more tiles than registers */
      LOAD("a", "c0", "16", "64", "1024") LOAD("b", "c1", "16", "64", "1024")
          LOAD("c", "c5", "16", "64", "1024") LOAD("d", "c256", "16", "64", "1024")
              LOAD("e", "c512", "16", "64", "1024") LOAD("f", "c768", "16", "64", "1024")
                  LOAD("g", "c1000", "16", "64", "1024") LOAD("h", "c1", "16", "70", "1024")
                      DOT("x", "z", "a", "b", "true") DOT("y", "x", "c", "d", "true")
                          DOT("v", "y", "e", "f", "true") DOT("w", "v", "g", "h", "true")
                              DOT("u", "w", "a", "h", "true") STORE("u", "c0"),
  };
  (void)state;
  for (size_t i = 0; i < QN_COUNT(bodies); i++) check(bodies[i], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products),
                                     cmocka_unit_test(blocks),
                                     cmocka_unit_test(shapes),
                                     cmocka_unit_test(factors_outside),
                                     cmocka_unit_test(objects_ask_for_tiles),
                                     cmocka_unit_test(unusual)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
