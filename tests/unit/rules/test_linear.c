/* Linear forms over symbolic sizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "rules/prove/linear.h"

#include <cmocka.h>

typedef struct fixture {
  qn_arena arena;
  qn_linear_space space;
} fixture;

static void begin(fixture *f) {
  *f = (fixture){0};
  qn_arena_init(&f->arena);
  f->space.arena = &f->arena;
}

static void end(fixture *f) {
  qn_linear_deinit(&f->space);
  qn_arena_deinit(&f->arena);
}

static qn_linear atom(fixture *f, const char *words) {
  return qn_linear_atom(&f->space, qn_str_of(words));
}

static qn_linear plus(fixture *f, qn_linear a, int64_t factor, qn_linear b) {
  qn_linear sum;
  assert_true(qn_linear_add(&f->space, &a, factor, &b, &sum));
  return sum;
}

static qn_proof compare(fixture *f, qn_linear a, qn_linear b) {
  return qn_linear_compare(&f->space, &a, &b);
}

static void equate(fixture *f, qn_linear a, qn_linear b) { qn_linear_equate(&f->space, &a, &b); }

static void same_words_are_one_atom(void **state) {
  fixture f;
  (void)state;
  begin(&f);
  assert_int_equal(compare(&f, atom(&f, "x.0"), atom(&f, "x.0")), QN_PROOF_HOLDS);
  assert_int_equal(compare(&f, atom(&f, "x.0"), atom(&f, "x.1")), QN_PROOF_OPEN);
  assert_int_equal(
      compare(&f, atom(&f, "x.0"), plus(&f, atom(&f, "x.0"), 1, qn_linear_constant(2))),
      QN_PROOF_FAILS);
  end(&f);
}

/* x = y + 2, y = z - 2: x = z, in any order of the equations. */
static void equalities_are_followed(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    fixture f;
    begin(&f);
    qn_linear x = atom(&f, "x"), y = atom(&f, "y"), z = atom(&f, "z");
    if (order == 0) equate(&f, x, plus(&f, y, 1, qn_linear_constant(2)));
    equate(&f, y, plus(&f, z, 1, qn_linear_constant(-2)));
    if (order == 1) equate(&f, x, plus(&f, y, 1, qn_linear_constant(2)));
    assert_int_equal(compare(&f, x, z), QN_PROOF_HOLDS);
    assert_int_equal(compare(&f, x, y), QN_PROOF_FAILS);
    end(&f);
  }
}

static void factors_that_can_be_divided_by_nothing_stay(void **state) {
  fixture f;
  (void)state;
  begin(&f);
  qn_linear x = atom(&f, "x"), y = atom(&f, "y");
  qn_linear twice = plus(&f, x, 1, x);
  equate(&f, twice, plus(&f, y, 1, y));
  assert_int_equal(compare(&f, x, y), QN_PROOF_OPEN); /* true, but not provable */
  equate(&f, y, x);
  assert_int_equal(compare(&f, twice, plus(&f, y, 1, x)), QN_PROOF_HOLDS);
  end(&f);
}

/* Each size is the sum of the two before. Without an order of substitutions, this would take
 * exponential time. */
static void long_chains_take_no_time(void **state) {
  enum { LENGTH = 400 };
  fixture f;
  char words[16];
  (void)state;
  begin(&f);
  qn_linear last[2] = {atom(&f, "a"), atom(&f, "b")};
  for (int i = 0; i < LENGTH; i++) {
    snprintf(words, sizeof words, "%d", i);
    qn_linear next = atom(&f, words), sum;
    if (!qn_linear_add(&f.space, &last[0], 1, &last[1], &sum)) break;
    equate(&f, next, sum);
    last[0] = last[1];
    last[1] = next;
    (void)qn_linear_reduce(&f.space, &next);
  }
  end(&f);
}

/* Nothing is proved beyond the limit of terms. */
static void too_many_parts_are_no_sum(void **state) {
  fixture f;
  char words[16];
  qn_linear sum = qn_linear_constant(0), next;
  int added = 0;
  (void)state;
  begin(&f);
  for (;; added++) {
    snprintf(words, sizeof words, "%d", added);
    qn_linear one = atom(&f, words);
    if (!qn_linear_add(&f.space, &sum, 1, &one, &next)) break;
    sum = next;
  }
  assert_int_equal(added, QN_LINEAR_PARTS);
  qn_linear large = qn_linear_constant(INT64_C(1) << 30);
  assert_false(qn_linear_add(&f.space, &large, 1, &large, &next));
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_words_are_one_atom), cmocka_unit_test(equalities_are_followed),
      cmocka_unit_test(factors_that_can_be_divided_by_nothing_stay),
      cmocka_unit_test(long_chains_take_no_time), cmocka_unit_test(too_many_parts_are_no_sum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
