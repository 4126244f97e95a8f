/* Loops, branches, loads, stores, views and globals: machine code compared with the interpreter, or
 * with expected numbers where these are easy to compute.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

enum { IN_BYTES = 256, OUT_BYTES = 256 };

static void check(const char *globals, const char *body, int64_t units, const uint8_t *expected) {
  fixture f;
  uint8_t in[IN_BYTES];
  fixture_random(in, sizeof in, 3);
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, IN_BYTES, OUT_BYTES, units, globals, body);
  fixture_check_levels(&f, module, in, OUT_BYTES, expected);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* out[i] = in[i] + i for the units lo .. hi that the kernel is called for. */
static void loop_over_units(void **state) {
  (void)state;
  uint8_t in[IN_BYTES], expected[OUT_BYTES] = {0};
  fixture_random(in, sizeof in, 3);
  for (int i = 0; i < 100; i++) expected[i] = (uint8_t)(in[i] + i);
  check("",
        "%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
        "\"scf.for\"(%lo, %hi, %c1) ({\n^bb0(%i: index):\n"
        "  %x = \"memref.load\"(%in, %i) : (memref<256xi8>, index) -> i8\n"
        "  %k = \"arith.index_cast\"(%i) : (index) -> i8\n"
        "  %y = \"arith.addi\"(%x, %k) : (i8, i8) -> i8\n"
        "  \"memref.store\"(%y, %out, %i) : (i8, memref<256xi8>, index) -> ()\n"
        "  \"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n",
        100, expected);
}

/* Two loop-carried values that are exchanged, in loops of 0, 1, 5 and (step 3) 4 iterations. */
static void carried_values(void **state) {
  static const struct {
    int lower, upper, step;
  } trips[] = {{0, 0, 1}, {5, 3, 1}, {0, 1, 1}, {2, 4, 7}, {0, 5, 1}, {1, 11, 3}};
  (void)state;
  qn_text body = {0};
  uint8_t expected[OUT_BYTES] = {0};
  qn_text_puts(&body, "%p = \"arith.constant\"() <{value = 3 : i8}> : () -> i8\n"
                      "%q = \"arith.constant\"() <{value = 5 : i8}> : () -> i8\n");
  for (int i = 0; i < (int)QN_COUNT(trips); i++) {
    int values[] = {trips[i].lower, trips[i].upper, trips[i].step, 2 * i, 2 * i + 1};
    static const char *const names[] = {"l", "u", "s", "a", "b"};
    for (int k = 0; k < 5; k++)
      qn_text_format(&body, "%%%s%d = \"arith.constant\"() <{value = %d : index}> : () -> index\n",
                     names[k], i, values[k]);
    qn_text_format(&body,
                   "%%r%d:2 = \"scf.for\"(%%l%d, %%u%d, %%s%d, %%p, %%q) ({\n"
                   "^bb0(%%i: index, %%x: i8, %%y: i8):\n"
                   "  %%z = \"arith.addi\"(%%x, %%y) : (i8, i8) -> i8\n"
                   "  \"scf.yield\"(%%y, %%z) : (i8, i8) -> ()\n"
                   "}) : (index, index, index, i8, i8) -> (i8, i8)\n"
                   "\"memref.store\"(%%r%d#0, %%out, %%a%d) : (i8, memref<256xi8>, index) -> ()\n"
                   "\"memref.store\"(%%r%d#1, %%out, %%b%d) : (i8, memref<256xi8>, index) -> ()\n",
                   i, i, i, i, i, i, i, i);
    uint8_t x = 3, y = 5;
    for (int k = trips[i].lower; k < trips[i].upper; k += trips[i].step) {
      uint8_t z = (uint8_t)(x + y);
      x = y;
      y = z;
    }
    expected[2 * i] = x;
    expected[2 * i + 1] = y;
  }
  check("", body.data, 1, expected);
  qn_text_deinit(&body);
}

/* out[i] = in[i] < 0 ? -in[i] : in[i], by branches; a branch without results and without else. */
static void branches(void **state) {
  (void)state;
  uint8_t in[IN_BYTES], expected[OUT_BYTES] = {0};
  fixture_random(in, sizeof in, 3);
  for (int i = 0; i < 64; i++) {
    expected[i] = (int8_t)in[i] < 0 ? (uint8_t)-in[i] : in[i];
    if ((int8_t)in[i] < 0) expected[64 + i] = 1;
  }
  check("",
        "%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
        "%c64 = \"arith.constant\"() <{value = 64 : index}> : () -> index\n"
        "%zero = \"arith.constant\"() <{value = 0 : i8}> : () -> i8\n"
        "%one = \"arith.constant\"() <{value = 1 : i8}> : () -> i8\n"
        "\"scf.for\"(%lo, %hi, %c1) ({\n^bb0(%i: index):\n"
        "  %x = \"memref.load\"(%in, %i) : (memref<256xi8>, index) -> i8\n"
        "  %n = \"arith.cmpi\"(%x, %zero) <{predicate = 2 : i64}> : (i8, i8) -> i1\n"
        "  %y = \"scf.if\"(%n) ({\n"
        "    %m = \"arith.subi\"(%zero, %x) : (i8, i8) -> i8\n"
        "    \"scf.yield\"(%m) : (i8) -> ()\n  }, {\n"
        "    \"scf.yield\"(%x) : (i8) -> ()\n  }) : (i1) -> i8\n"
        "  \"memref.store\"(%y, %out, %i) : (i8, memref<256xi8>, index) -> ()\n"
        "  \"scf.if\"(%n) ({\n"
        "    %k = \"arith.addi\"(%i, %c64) : (index, index) -> index\n"
        "    \"memref.store\"(%one, %out, %k) : (i8, memref<256xi8>, index) -> ()\n"
        "    \"scf.yield\"() : () -> ()\n  }, {\n  }) : (i1) -> ()\n"
        "  \"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n",
        64, expected);
}

/* Constants of several types, splat or not, read by a kernel through views at odd offsets. */
static void globals_and_views(void **state) {
  (void)state;
  static const uint8_t expected[OUT_BYTES] = {1, 2, 3, 0xfe, 9, 9, 9, 0x78, 0x56, 0x34, 0x12, 1, 0};
  check("\"memref.global\"() <{sym_name = \"a\", type = memref<4xi8>, initial_value = dense<[1, 2, "
        "3, -2]> : "
        "tensor<4xi8>, constant, sym_visibility = \"private\"}> : () -> ()\n"
        "\"memref.global\"() <{sym_name = \"b\", type = memref<3xi8>, initial_value = dense<9> : "
        "tensor<3xi8>, constant, sym_visibility = \"private\"}> : () -> ()\n"
        "\"memref.global\"() <{sym_name = \"c\", type = memref<2xi32>, initial_value = dense<[7, "
        "305419896]> : "
        "tensor<2xi32>, constant, sym_visibility = \"private\"}> : () -> ()\n",
        "%a = \"memref.get_global\"() <{name = @a}> : () -> memref<4xi8>\n"
        "%b = \"memref.get_global\"() <{name = @b}> : () -> memref<3xi8>\n"
        "%c = \"memref.get_global\"() <{name = @c}> : () -> memref<2xi32>\n"
        "%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
        "%c4 = \"arith.constant\"() <{value = 4 : index}> : () -> index\n"
        "%c7 = \"arith.constant\"() <{value = 7 : index}> : () -> index\n"
        "%c11 = \"arith.constant\"() <{value = 11 : index}> : () -> index\n"
        "%x = \"vector.load\"(%a, %c0) : (memref<4xi8>, index) -> vector<4xi8>\n"
        "%y = \"vector.load\"(%b, %c0) : (memref<3xi8>, index) -> vector<3xi8>\n"
        "%z = \"memref.load\"(%c, %c1) : (memref<2xi32>, index) -> i32\n"
        "\"vector.store\"(%x, %out, %c0) : (vector<4xi8>, memref<256xi8>, index) -> ()\n"
        "\"vector.store\"(%y, %out, %c4) : (vector<3xi8>, memref<256xi8>, index) -> ()\n"
        "%v = \"memref.view\"(%out, %c7) : (memref<256xi8>, index) -> memref<1xi32>\n"
        "\"memref.store\"(%z, %v, %c0) : (i32, memref<1xi32>, index) -> ()\n"
        "%w = \"memref.view\"(%out, %c11) : (memref<256xi8>, index) -> memref<2xi1>\n"
        "%t = \"arith.constant\"() <{value = true}> : () -> i1\n"
        "%u = \"arith.constant\"() <{value = dense<[1, 0]> : vector<2xi1>}> : () -> vector<2xi1>\n"
        "\"memref.store\"(%t, %w, %c1) : (i1, memref<2xi1>, index) -> ()\n"
        "\"vector.store\"(%u, %w, %c0) : (vector<2xi1>, memref<2xi1>, index) -> ()\n",
        1, expected);
}

/* A prefetch accesses nothing: its address may be unmapped or after the end of a buffer. */
static void prefetches_anywhere(void **state) {
  static const char *const places[] = {"0",  "255",           "256",
                                       "-1", "1099511627776", "-9223372036854775808"};
  (void)state;
  uint8_t expected[OUT_BYTES] = {0}, in[IN_BYTES];
  fixture_random(in, sizeof in, 3);
  expected[0] = in[0];
  qn_text body = {0};
  for (size_t i = 0; i < QN_COUNT(places); i++)
    qn_text_format(&body,
                   "%%p%d = \"arith.constant\"() <{value = %s : index}> : () -> index\n"
                   "\"quern.prefetch\"(%%in, %%p%d) : (memref<256xi8>, index) -> ()\n",
                   (int)i, places[i], (int)i);
  qn_text_puts(&body, "%x = \"memref.load\"(%in, %c0) : (memref<256xi8>, index) -> i8\n"
                      "\"memref.store\"(%x, %out, %c0) : (i8, memref<256xi8>, index) -> ()\n");
  check("", body.data, 1, expected);
  qn_text_deinit(&body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loop_over_units),
      cmocka_unit_test(carried_values),
      cmocka_unit_test(branches),
      cmocka_unit_test(globals_and_views),
      cmocka_unit_test(prefetches_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
