/* The cache of proofs: what was proved once is not searched for again, and the key has every number
 * of the question.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/check.h"
#include "lower/loops/proofs.h"
#include "tests/support/forms.h"

typedef struct fixture {
  qn_arena arena;
  qn_proofs *proofs;
} fixture;

static int setup(void **state) {
  static fixture f;
  qn_arena_init(&f.arena);
  f.proofs = qn_proofs_create(&f.arena);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_proofs_destroy(f->proofs);
  qn_arena_deinit(&f->arena);
  return 0;
}

static const qn_requant requant = {
    .multiplier = {1518500250, -7}, .zero_point = 3, .min = -128, .max = 127};
static const qn_interval range = {-100000, 100000};

static void a_channel_is_searched_once(void **state) {
  fixture *f = *state;
  qn_fma_form first = qn_proofs_fma(f->proofs, &requant, range), again = {0};
  for (int i = 0; i < 1000; i++) again = qn_proofs_fma(f->proofs, &requant, range);
  assert_int_equal(qn_proofs_searched(f->proofs), 1);
  assert_int_not_equal(first.kind, QN_FMA_NONE);
  assert_int_equal(first.kind, again.kind);
  assert_true(first.scale == again.scale && first.offset == again.offset);
}

/* Threads find what single searches find, also for questions that occur twice or were asked before.
 */
static void many_are_searched_at_once(void **state) {
  enum { CHANNELS = 300, DISTINCT = 200 };
  fixture *f = *state;
  qn_requant requants[CHANNELS];
  qn_interval ranges[CHANNELS];
  qn_fma_form forms[CHANNELS];
  for (int i = 0; i < CHANNELS; i++) {
    requants[i] = requant;
    requants[i].multiplier.mantissa += i % DISTINCT * 1000003;
    ranges[i] = (qn_interval){-100000 - i % DISTINCT, 100000};
  }
  uint32_t before = qn_proofs_searched(f->proofs);
  (void)qn_proofs_fma(f->proofs, &requants[1], ranges[1]);
  qn_proofs_fma_all(f->proofs, (qn_proofs_channels){requants, ranges, NULL, CHANNELS}, forms);
  for (int i = 0; i < CHANNELS; i++) {
    qn_fma_form alone = qn_fma_form_of(qn_fma_form_find, &requants[i], ranges[i]);
    assert_int_equal(forms[i].kind, alone.kind);
    assert_true(forms[i].scale == alone.scale && forms[i].offset == alone.offset);
    assert_true(forms[i].offset_negative == alone.offset_negative);
  }
  qn_proofs_fma_all(f->proofs, (qn_proofs_channels){requants, ranges, NULL, 0}, forms);
  assert_int_equal(qn_proofs_searched(f->proofs) - before, DISTINCT);
}

/* Only the listed channels are searched, by index. The three forms equal those of a search for the
 * channel alone. */
static void listed_channels_are_searched(void **state) {
  enum { CHANNELS = 40, LISTED = 21 };
  fixture *f = *state;
  qn_requant requants[CHANNELS];
  qn_interval ranges[CHANNELS];
  int64_t list[LISTED];
  qn_fma_form truncated[CHANNELS] = {0}, bits[CHANNELS] = {0};
  qn_long_form longs[CHANNELS] = {0};
  for (int i = 0; i < CHANNELS; i++) {
    requants[i] = requant;
    requants[i].multiplier.mantissa += i * 7000003;
    ranges[i] = (qn_interval){-300000 - i, 300000};
  }
  for (int i = 0; i < LISTED; i++) list[i] = i == 3 ? -1 : CHANNELS - 1 - i;
  uint32_t before = qn_proofs_searched(f->proofs);
  qn_proofs_channels of = {requants, ranges, list, LISTED};
  qn_proofs_truncated(f->proofs, of, truncated);
  qn_proofs_long(f->proofs, of, longs);
  qn_proofs_bits(f->proofs, of, bits);
  assert_int_equal(qn_proofs_searched(f->proofs) - before, 3 * (LISTED - 1));
  for (int i = 0; i < CHANNELS; i++) {
    bool listed = i >= CHANNELS - LISTED && i != CHANNELS - 1 - 3;
    qn_fma_form alone = qn_fma_form_of(qn_fma_form_find_truncated, &requants[i], ranges[i]);
    qn_long_form whole = qn_long_form_of(&requants[i], ranges[i]);
    assert_int_equal(truncated[i].kind, listed ? alone.kind : QN_FMA_NONE);
    qn_fma_form without = qn_fma_form_of(qn_fma_form_find_bits, &requants[i], ranges[i]);
    assert_int_equal(longs[i].proved, listed && whole.proved);
    assert_int_equal(bits[i].kind, listed ? without.kind : QN_FMA_NONE);
    if (listed) assert_true(bits[i].scale == without.scale && bits[i].start == without.start);
    if (listed) assert_true(truncated[i].scale == alone.scale && longs[i].offset == whole.offset);
  }
}

/* Several layers in turn, each with several forms, first for unsigned results. A cached result of
 * one channel is not used for another one. */
static void channels_of_other_layers_are_told_apart(void **state) {
  enum { CHANNELS = 70, LAYERS = 4 };
  fixture *f = *state;
  for (int layer = 0; layer < LAYERS; layer++) {
    qn_requant signs[CHANNELS], unsigns[CHANNELS];
    qn_interval ranges[CHANNELS];
    qn_fma_form bits[CHANNELS], forms[CHANNELS], truncated[CHANNELS];
    int count = layer % 2 ? CHANNELS : CHANNELS / 2;
    for (int i = 0; i < count; i++) {
      signs[i] = requant;
      signs[i].multiplier.mantissa += (i * LAYERS + layer / 2) * 2000003; /* below 2^31 */
      ranges[i] = (qn_interval){-100000 - layer, 100000};
      unsigns[i] = signs[i];
      unsigns[i].zero_point += 128, unsigns[i].min += 128, unsigns[i].max += 128;
    }
    qn_proofs_bits(f->proofs, (qn_proofs_channels){unsigns, ranges, NULL, count}, bits);
    qn_proofs_fma_all(f->proofs, (qn_proofs_channels){signs, ranges, NULL, count}, forms);
    qn_proofs_truncated(f->proofs, (qn_proofs_channels){signs, ranges, NULL, count}, truncated);
    for (int i = 0; i < count; i++) {
      qn_fma_form alone = qn_fma_form_of(qn_fma_form_find_bits, &unsigns[i], ranges[i]);
      assert_memory_equal(&bits[i], &alone, sizeof alone);
      alone = qn_fma_form_of(qn_fma_form_find, &signs[i], ranges[i]);
      assert_memory_equal(&forms[i], &alone, sizeof alone);
      alone = qn_fma_form_of(qn_fma_form_find_truncated, &signs[i], ranges[i]);
      assert_memory_equal(&truncated[i], &alone, sizeof alone);
    }
  }
}

static void every_number_counts(void **state) {
  fixture *f = *state;
  const qn_requant others[] = {
      {.multiplier = {1518500251, -7}, .zero_point = 3, .min = -128, .max = 127},
      {.multiplier = {1518500250, -6}, .zero_point = 3, .min = -128, .max = 127},
      {.multiplier = {1518500250, -7}, .zero_point = 2, .min = -128, .max = 127},
      {.multiplier = {1518500250, -7}, .zero_point = 3, .min = 0, .max = 127},
      {.multiplier = {1518500250, -7}, .zero_point = 3, .min = -128, .max = 126},
      {.rounding = QN_REQUANT_ONCE,
       .multiplier = {1518500250, -7},
       .zero_point = 3,
       .min = -128,
       .max = 127},
      {.rounding = QN_REQUANT_REAL, .real = 0.005, .zero_point = 3, .min = -128, .max = 127},
      {.rounding = QN_REQUANT_REAL, .real = 0.006, .zero_point = 3, .min = -128, .max = 127},
      {.rounding = QN_REQUANT_SINGLE, .multiplier = {1 << 30, -7}, .min = -128, .max = 127},
      {.rounding = QN_REQUANT_SINGLE,
       .multiplier = {1 << 30, -7},
       .offset = 0.25F,
       .min = -128,
       .max = 127}};
  uint32_t expected = 0;
  for (size_t i = 0; i < QN_COUNT(others); i++) {
    qn_fma_form form = qn_proofs_fma(f->proofs, &others[i], range);
    qn_fma_form known = qn_fma_form_of(qn_fma_form_find, &others[i], range);
    assert_int_equal(form.kind, known.kind);
    assert_true(form.scale == known.scale && form.offset == known.offset);
    assert_int_equal(qn_proofs_searched(f->proofs), ++expected);
  }
  (void)qn_proofs_fma(f->proofs, &others[0], (qn_interval){-100000, 99999});
  (void)qn_proofs_fma(f->proofs, &others[0], (qn_interval){-99999, 100000});
  qn_fma_form truncated;
  qn_long_form whole;
  qn_proofs_truncated(f->proofs, (qn_proofs_channels){others, &range, NULL, 1}, &truncated);
  qn_proofs_long(f->proofs, (qn_proofs_channels){others, &range, NULL, 1}, &whole);
  assert_int_equal(qn_proofs_searched(f->proofs), expected + 4);
}

static qn_fma2_form search(const void *user) {
  int *searches = (int *)(uintptr_t)user;
  return (qn_fma2_form){.proved = true, .offset = (float)++*searches};
}

static void sums_are_searched_once_for_equal_numbers(void **state) {
  fixture *f = *state;
  int searches = 0;
  const int32_t a[] = {1, 2, 3}, b[] = {1, 2, 4};
  for (int i = 0; i < 1000; i++) {
    assert_true(qn_proofs_fma2(f->proofs, a, 3, search, &searches).offset == 1);
    assert_true(qn_proofs_fma2(f->proofs, b, 3, search, &searches).offset == 2);
  }
  assert_int_equal(searches, 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(a_channel_is_searched_once),
                                     TEST(every_number_counts),
                                     TEST(many_are_searched_at_once),
                                     TEST(listed_channels_are_searched),
                                     TEST(channels_of_other_layers_are_told_apart),
                                     TEST(sums_are_searched_once_for_equal_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
