/* The AMX emulation of the tests: its instructions are compared with plain loops, as assembled here
 * and executed by the CPU or by the emulation; and instructions that it rejects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "tests/support/tiles/tile_traps.h"

/* Executed by the CPU or by the signal handler. On a CPU with AMX, Linux has granted its use. */
#define RUN(...) __asm__ volatile(__VA_ARGS__ : : "r"(rows), "r"(stride) : "memory")

typedef struct config {
  uint8_t palette, start, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} config;
_Static_assert(sizeof(config) == QN_TILE_CONFIG_BYTES, "as in memory");

static void configure(unsigned rows, unsigned bytes) {
  qn_tile_traps_start();
  config c = {.palette = 1};
  c.rows[0] = c.rows[1] = (uint8_t)rows, c.rows[2] = (uint8_t)(bytes / 4);
  c.row_bytes[0] = c.row_bytes[2] = 64, c.row_bytes[1] = (uint16_t)bytes;
  __asm__ volatile("ldtilecfg %0" : : "m"(c));
}

static void load_0(const void *rows, int64_t stride) { RUN("tileloadd (%0,%1,1), %%tmm0"); }
static void load_1(const void *rows, int64_t stride) { RUN("tileloaddt1 (%0,%1,1), %%tmm1"); }
static void load_2(const void *rows, int64_t stride) { RUN("tileloadd 64(%0,%1,2), %%tmm2"); }
static void store_0(void *rows, int64_t stride) { RUN("tilestored %%tmm0, (%0,%1,1)"); }

static void product_ss(void) { __asm__ volatile("tdpbssd %tmm2, %tmm1, %tmm0"); }
static void product_su(void) { __asm__ volatile("tdpbsud %tmm2, %tmm1, %tmm0"); }
static void product_us(void) { __asm__ volatile("tdpbusd %tmm2, %tmm1, %tmm0"); }
static void product_uu(void) { __asm__ volatile("tdpbuud %tmm2, %tmm1, %tmm0"); }

static const struct {
  void (*run)(void);
  bool a_signed, b_signed;
} products[] = {{product_ss, true, true},
                {product_su, true, false},
                {product_us, false, true},
                {product_uu, false, false}};

static int32_t value(uint8_t byte, bool is_signed) { return is_signed ? (int8_t)byte : byte; }

static void check_product(size_t which, unsigned rows, unsigned bytes) {
  uint8_t a[16 * 96], b[64 + 16 * 64];
  int32_t start[16 * 16], sums[16 * 20];
  uint32_t seed = rows * 64 + bytes;
  for (size_t i = 0; i < sizeof a; i++) a[i] = (uint8_t)((seed = seed * 1664525 + 1) >> 24);
  for (size_t i = 0; i < sizeof b; i++) b[i] = (uint8_t)((seed = seed * 1664525 + 1) >> 24);
  for (size_t i = 0; i < 16 * 16; i++) start[i] = (int32_t)(seed = seed * 1664525 + 1);
  memset(sums, 0x5a, sizeof sums);
  configure(rows, bytes);
  load_0(start, 64), load_1(a, 96), load_2(b, 32);
  products[which].run();
  store_0(sums, 80);
  __asm__ volatile("tilerelease");
  for (unsigned m = 0; m < 16; m++)
    for (unsigned n = 0; n < 20; n++) {
      uint32_t sum = 0x5a5a5a5a;
      if (m < rows && n < 16) {
        sum = (uint32_t)start[16 * m + n];
        for (unsigned k = 0; k < bytes; k++)
          sum += (uint32_t)(value(a[96 * m + k], products[which].a_signed) *
                            value(b[64 + k / 4 * 64 + 4 * n + k % 4], products[which].b_signed));
      }
      assert_int_equal(sums[20 * m + n], (int32_t)sum);
    }
}

static void executes_products(void **state) {
  static const unsigned rows[] = {1, 7, 16}, bytes[] = {4, 24, 64};
  (void)state;
  for (size_t p = 0; p < 4; p++)
    for (size_t r = 0; r < 3; r++)
      for (size_t k = 0; k < 3; k++) check_product(p, rows[r], bytes[k]);
}

static void keeps_its_configuration(void **state) {
  (void)state;
  config read;
  configure(5, 24);
  __asm__ volatile("sttilecfg %0" : "=m"(read));
  assert_int_equal(read.palette, 1);
  assert_int_equal(read.rows[1], 5);
  assert_int_equal(read.row_bytes[1], 24);
  __asm__ volatile("tilerelease\n\tsttilecfg %0" : "=m"(read));
  assert_int_equal(read.palette, 0);
}

/* Rows and bytes that a load does not fill become 0, also if the tile held more before. */
static void zeroes(void **state) {
  int32_t ones[256], sums[256];
  (void)state;
  memset(ones, 1, sizeof ones);
  configure(16, 64);
  load_0(ones, 64);
  __asm__ volatile("tilezero %tmm0");
  store_0(sums, 64);
  __asm__ volatile("tilerelease");
  for (int i = 0; i < 256; i++) assert_int_equal(sums[i], 0);
}

/* Address forms: displacements of one and four bytes, high registers, a single row. */
static void finds_memory(void **state) {
  (void)state;
  uint8_t from[1024], to[1024];
  for (size_t i = 0; i < sizeof from; i++) from[i] = (uint8_t)(i * 7 + (i >> 8));
  configure(16, 64);
  __asm__ volatile("movq %0, %%r13\n\tmovq $64, %%r12\n\t"
                   "tileloadd -5(%%r13,%%r12,1), %%tmm0\n\t"
                   "leaq -512(%1), %%r13\n\ttilestored %%tmm0, 512(%%r13,%%r12,1)"
                   :
                   : "r"(from + 5), "r"(to)
                   : "memory", "r12", "r13");
  assert_memory_equal(to, from, sizeof to);
  __asm__ volatile("tileloadd (%0), %%tmm0" : : "r"(from) : "memory");
  store_0(to, 64);
  for (int r = 0; r < 16; r++) assert_memory_equal(to + 64 * r, from, 64);
  __asm__ volatile("tilerelease");
}

static void *other_thread(void *sums) {
  configure(16, 64);
  store_0(sums, 64);
  __asm__ volatile("tilerelease");
  return NULL;
}

static void is_of_each_thread(void **state) {
  (void)state;
  int32_t ones[256], sums[256];
  pthread_t thread;
  memset(ones, 1, sizeof ones);
  configure(16, 64);
  load_0(ones, 64);
  assert_int_equal(pthread_create(&thread, NULL, other_thread, sums), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  for (int i = 0; i < 256; i++) assert_int_equal(sums[i], 0);
  store_0(sums, 64);
  __asm__ volatile("tilerelease");
  assert_memory_equal(sums, ones, sizeof ones);
}

/* ---- instructions that the emulation rejects and does not execute ---- */

static const char *execute(qn_tile_unit *unit, const uint8_t *code, const void *rax) {
  uint64_t registers[QN_X86_REGISTERS] = {(uint64_t)(uintptr_t)rax};
  qn_tile_instruction in = qn_tile_decode(code, registers);
  assert_non_null(in.row);
  return qn_tile_execute(unit, &in);
}

static const uint8_t ldtilecfg[] = {0xC4, 0xE2, 0x78, 0x49, 0x00}; /* (%rax) */
static const uint8_t tilezero_3[] = {0xC4, 0xE2, 0x7B, 0x49, 0xD8};
static const uint8_t tdpbusd_2_1_0[] = {0xC4, 0xE2, 0x69, 0x5E, 0xC1};
static const uint8_t tdpbusd_1_1_0[] = {0xC4, 0xE2, 0x71, 0x5E, 0xC1};

static void refuses_configurations(void **state) {
  (void)state;
  qn_tile_unit unit = {0};
  config good = {.palette = 1, .row_bytes = {64}, .rows = {16}}, bad;
  assert_null(execute(&unit, ldtilecfg, &good));
  bad = good, bad.palette = 2;
  assert_string_equal(execute(&unit, ldtilecfg, &bad), "the palette is neither 0 nor 1");
  bad = good, bad.reserved[3] = 1;
  assert_string_equal(execute(&unit, ldtilecfg, &bad),
                      "reserved bytes of the configuration are not 0");
  bad = good, bad.rows[0] = 17;
  assert_string_equal(execute(&unit, ldtilecfg, &bad), "a tile is too large");
  bad = good, bad.rows[1] = 3;
  assert_string_equal(execute(&unit, ldtilecfg, &bad),
                      "a tile has rows without bytes, or bytes without rows");
  bad = good, bad.rows[9] = 1, bad.row_bytes[9] = 4;
  assert_string_equal(execute(&unit, ldtilecfg, &bad), "a tile beyond the last one is configured");
  assert_int_equal(unit.rows[0], 16); /* unchanged */
}

static void refuses_products(void **state) {
  (void)state;
  qn_tile_unit unit = {0};
  config c = {.palette = 1, .row_bytes = {64, 32, 64}, .rows = {9, 9, 8}};
  assert_string_equal(execute(&unit, tdpbusd_2_1_0, NULL), "no configuration is loaded");
  assert_null(execute(&unit, ldtilecfg, &c));
  assert_null(execute(&unit, tdpbusd_2_1_0, NULL));
  assert_string_equal(execute(&unit, tilezero_3, NULL), "the tile is not configured");
  assert_string_equal(execute(&unit, tdpbusd_1_1_0, NULL),
                      "the three tiles of a product are not different ones");
  c.rows[2] = 7;
  assert_null(execute(&unit, ldtilecfg, &c));
  assert_string_equal(execute(&unit, tdpbusd_2_1_0, NULL),
                      "the factors don't agree in what is summed");
  c.rows[1] = 8;
  assert_null(execute(&unit, ldtilecfg, &c));
  assert_string_equal(execute(&unit, tdpbusd_2_1_0, NULL),
                      "sums and first factor have different rows");
}

static void knows_its_own(void **state) {
  static const uint8_t others[][6] = {{0x0F, 0x0B},                    /* ud2 */
                                      {0xC4, 0xE2, 0xF8, 0x49, 0xC0},  /* VEX.W */
                                      {0xC4, 0xE2, 0x7C, 0x49, 0xC0},  /* VEX.L: 256 bits */
                                      {0xC4, 0xE1, 0x78, 0x49, 0xC0},  /* another opcode map */
                                      {0xC4, 0xE2, 0x7B, 0x4B, 0x00}}; /* load without SIB */
  uint64_t registers[QN_X86_REGISTERS] = {0};
  (void)state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_null(qn_tile_decode(others[i], registers).row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(executes_products),
      cmocka_unit_test(keeps_its_configuration),
      cmocka_unit_test(zeroes),
      cmocka_unit_test(finds_memory),
      cmocka_unit_test(is_of_each_thread),
      cmocka_unit_test(refuses_configurations),
      cmocka_unit_test(refuses_products),
      cmocka_unit_test(knows_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
