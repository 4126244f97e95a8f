/* Ops on vectors in the interpreter, compared with one element at a time: products of any number of
 * elements per sum, saturated narrowing, shuffles and broadcasts of every width.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text_function.h"

enum { MOST_BYTES = 512 };

static int64_t element(const uint8_t *data, int64_t i, int bytes, bool is_unsigned) {
  uint64_t x = 0;
  memcpy(&x, data + i * bytes, (size_t)bytes);
  int spare = 64 - 8 * bytes;
  return is_unsigned ? (int64_t)x : (int64_t)(x << spare) >> spare;
}

/* Adds an argument of bytes by chance, in which every other one is at an end of its range. */
static const uint8_t *add_vector(fixture *f, const char *type, size_t size, uint32_t seed) {
  static const uint8_t ends[] = {0x00, 0x80, 0x7f, 0xff};
  uint8_t bytes[MOST_BYTES];
  assert_true(size <= sizeof bytes);
  for (size_t i = 0; i < size; i++) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = seed >> 31 ? ends[seed >> 24 & 3] : (uint8_t)(seed >> 16);
  }
  add_data(f, type, bytes, size);
  return f->args[f->arg_count - 1].data;
}

static void check_dot(fixture *f, int lanes, int each, int bytes, bool a_unsigned) {
  char text[512], sums[32], factors[32];
  snprintf(sums, sizeof sums, "vector<%dxi32>", lanes);
  snprintf(factors, sizeof factors, "vector<%dxi%d>", lanes * each, 8 * bytes);
  snprintf(text, sizeof text,
           "func.func @main(%%s: %s, %%a: %s, %%b: %s) -> %s {\n"
           "  %%y = \"quern.dot\"(%%s, %%a, %%b) {a_unsigned = %s} : (%s, %s, %s) -> %s\n"
           "  return %%y : %s\n}\n",
           sums, factors, factors, sums, a_unsigned ? "true" : "false", sums, factors, factors,
           sums, sums);
  load(f, text);
  const uint8_t *acc = add_vector(f, sums, (size_t)lanes * 4, 1);
  const uint8_t *a = add_vector(f, factors, (size_t)(lanes * each * bytes), 2);
  const uint8_t *b = add_vector(f, factors, (size_t)(lanes * each * bytes), 3);
  assert_int_equal(run(f), QN_OK);
  for (int i = 0; i < lanes; i++) {
    int64_t sum = element(acc, i, 4, false);
    for (int k = each * i; k < each * (i + 1); k++)
      sum += element(a, k, bytes, a_unsigned) * element(b, k, bytes, false);
    assert_int_equal((uint32_t)element(f->results[0].data, i, 4, true), (uint32_t)sum);
  }
}

static void products(void **state) {
  static const int lanes[] = {1, 4, 9, 16, 17};
  for (int each = 1; each <= 6; each++)
    for (size_t l = 0; l < sizeof lanes / sizeof lanes[0]; l++)
      for (int bytes = 1; bytes <= 2; bytes++)
        for (int s = 0; s < 2; s++) check_dot(*state, lanes[l], each, bytes, s != 0);
}

static void check_pack(fixture *f, int vectors, int bytes, bool to_unsigned) {
  char text[512], wide[32], narrow[32];
  int count = vectors * 16 / bytes, per = 16 / bytes, bits = 4 * bytes;
  snprintf(wide, sizeof wide, "vector<%dxi%d>", count, 8 * bytes);
  snprintf(narrow, sizeof narrow, "vector<%dxi%d>", 2 * count, bits);
  snprintf(text, sizeof text,
           "func.func @main(%%a: %s, %%b: %s) -> %s {\n"
           "  %%y = \"quern.pack\"(%%a, %%b) {to_unsigned = %s} : (%s, %s) -> %s\n"
           "  return %%y : %s\n}\n",
           wide, wide, narrow, to_unsigned ? "true" : "false", wide, wide, narrow, narrow);
  load(f, text);
  const uint8_t *sources[] = {add_vector(f, wide, (size_t)(count * bytes), 4),
                              add_vector(f, wide, (size_t)(count * bytes), 5)};
  assert_int_equal(run(f), QN_OK);
  int64_t lo = to_unsigned ? 0 : -(1 << (bits - 1));
  int64_t hi = to_unsigned ? (1 << bits) - 1 : (1 << (bits - 1)) - 1;
  for (int i = 0; i < 2 * count; i++) {
    int64_t x = element(sources[i / per % 2], i / (2 * per) * per + i % per, bytes, false);
    x = x < lo ? lo : x > hi ? hi : x;
    assert_int_equal(element(f->results[0].data, i, bytes / 2, to_unsigned), x);
  }
}

static void narrowing(void **state) {
  for (int vectors = 1; vectors <= 4; vectors++)
    for (int bytes = 2; bytes <= 4; bytes += 2)
      for (int s = 0; s < 2; s++) check_pack(*state, vectors, bytes, s != 0);
}

static const struct {
  const char *name;
  int bytes;
} elements[] = {{"i8", 1}, {"i16", 2}, {"f32", 4}, {"i64", 8}, {"f80", 16}};

static void shuffles(void **state) {
  static const int mask[] = {7, 0, 4, 3, 3, 8, 2};
  enum { FIRST = 5, SECOND = 4, COUNT = sizeof mask / sizeof mask[0] };
  for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++) {
    char text[512], a_type[32], b_type[32];
    const char *name = elements[e].name;
    int bytes = elements[e].bytes;
    snprintf(a_type, sizeof a_type, "vector<%dx%s>", FIRST, name);
    snprintf(b_type, sizeof b_type, "vector<%dx%s>", SECOND, name);
    snprintf(text, sizeof text,
             "func.func @main(%%a: %s, %%b: %s) -> vector<%dx%s> {\n"
             "  %%y = vector.shuffle %%a, %%b [7, 0, 4, 3, 3, 8, 2] : %s, %s\n"
             "  return %%y : vector<%dx%s>\n}\n",
             a_type, b_type, COUNT, name, a_type, b_type, COUNT, name);
    load(*state, text);
    const uint8_t *a = add_vector(*state, a_type, (size_t)(FIRST * bytes), 6);
    const uint8_t *b = add_vector(*state, b_type, (size_t)(SECOND * bytes), 7);
    assert_int_equal(run(*state), QN_OK);
    const uint8_t *y = ((fixture *)*state)->results[0].data;
    for (int i = 0; i < COUNT; i++)
      assert_memory_equal(y + i * bytes,
                          mask[i] < FIRST ? a + mask[i] * bytes : b + (mask[i] - FIRST) * bytes,
                          (size_t)bytes);
  }
}

static void broadcasts(void **state) {
  static const int64_t x = INT64_C(0x8123456789abcdef);
  enum { COUNT = 13 };
  for (int bytes = 1; bytes <= 8; bytes *= 2) {
    char text[512], type[32];
    snprintf(type, sizeof type, "vector<%dxi%d>", COUNT, 8 * bytes);
    snprintf(text, sizeof text,
             "func.func @main(%%x: i%d) -> %s {\n  %%y = vector.broadcast %%x : i%d to %s\n"
             "  return %%y : %s\n}\n",
             8 * bytes, type, 8 * bytes, type, type);
    load(*state, text);
    snprintf(type, sizeof type, "i%d", 8 * bytes);
    add_int(*state, type, element((const uint8_t *)&x, 0, bytes, false));
    assert_int_equal(run(*state), QN_OK);
    for (int i = 0; i < COUNT; i++)
      assert_memory_equal(((fixture *)*state)->results[0].data + i * bytes, &x, (size_t)bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(products), TEST(narrowing), TEST(shuffles),
                                     TEST(broadcasts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
