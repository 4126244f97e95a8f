/* Planted mistakes: what lower/ promises is asserted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lower/loops/fixed_point.h"
#include "lower/loops/matrix/epilogue/requant.h"
#include "lower/loops/matrix/steps/steps.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/memory/occupied.h"
#include "lower/loops/nest.h"
#include "lower/loops/products.h"
#include "lower/loops/vec.h"
#include "tests/support/aborts.h"

/* A function whose body is open, with a buffer of bytes and a vector of sums. */
typedef struct site {
  qn_ir_context cx;
  qn_builder b;
  qn_value *bytes, *zero, *sums;
} site;

static void open_site(site *s) {
  qn_ir_context *cx = &s->cx;
  qn_ir_context_init(cx);
  qn_module *module = qn_module_create(cx, cx->diag.unknown);
  const qn_type *types[] = {qn_type_buf(cx, qn_type_i(cx, 8), 64)};
  s->b = qn_builder_at_end(module, qn_op_body(module->op), cx->diag.unknown);
  const qn_type *type = qn_type_function(cx, types, 1, NULL, 0);
  qn_op *func = qn_build_func(&s->b, qn_str_of("main"), type, NULL);
  s->bytes = qn_op_body(func)->args[0];
  s->b = qn_builder_at_end(module, qn_op_body(func), cx->diag.unknown);
  s->zero = qn_build_index(&s->b, 0);
  s->sums = qn_vec_splat(&s->b, 1, qn_type_i(cx, 32), 4);
}

static void load_nothing(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_vec_load(&s.b, s.bytes, s.zero, 0, 0);
}

static void store_other_elements(void *user) {
  (void)user;
  site s;
  open_site(&s);
  qn_vec_store(&s.b, s.sums, s.bytes, s.zero, 0);
}

static void pick_beyond_both(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const int64_t mask[] = {0, 8};
  (void)qn_vec_shuffle(&s.b, s.sums, s.sums, mask, 2);
}

static void slice_beyond_the_end(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_vec_slice(&s.b, s.sums, 3, 2);
}

static void extract_beyond_the_end(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_vec_extract(&s.b, s.sums, 4);
}

static void count_without_a_step(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_nest_count(&s.b, 8, 0);
}

static void carry_backwards(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_carry_begin(&s.b, 8, 0, 1, &s.sums, 1);
}

static void shift_by_all_bits(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_fixed_rounding_shift(&s.b, s.sums, 32);
}

static void clamp_to_nothing(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_fixed_clamp(&s.b, s.sums, 1, 0);
}

static void multiply_other_vectors(void *user) {
  (void)user;
  site s;
  open_site(&s);
  qn_value *x = qn_vec_splat(&s.b, 1, qn_type_i(&s.cx, 16), 4);
  (void)qn_products_of_pairs(&s.b, s.sums, x, x);
}

static void requantize_other_sums(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const qn_epilogue e = {.channels = 1};
  const qn_epilogue_params none = {.words = {NULL}};
  qn_value *bytes = qn_vec_load(&s.b, s.bytes, s.zero, 0, 4);
  (void)qn_epilogue_apply(&s.b, &e, QN_EPILOGUE_ONE, &none, bytes);
}

static void bits_without_a_start(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const qn_epilogue e = {.channels = 1};
  const qn_epilogue_params none = {.words = {NULL}};
  (void)qn_epilogue_apply(&s.b, &e, QN_EPILOGUE_BITS, &none, s.sums);
}

static void parameters_of_no_kind(void *user) {
  (void)user;
  (void)qn_epilogue_words(QN_EPILOGUE_KINDS);
}

static void fill_a_channel_beyond(void *user) {
  (void)user;
  const qn_requant requant[1] = {{.min = -128, .max = 127}};
  const qn_epilogue e = {.channels = 1, .requant = requant};
  const int64_t channels[] = {1};
  const int32_t start[] = {0};
  int32_t words[QN_EPILOGUE_MAX_WORDS];
  qn_epilogue_fill(&e, QN_EPILOGUE_DOUBLE, channels, start, 1, words);
}

static void search_an_empty_range(void *user) {
  (void)user;
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_requant requant = {.multiplier = {1 << 30, -7}, .min = -128, .max = 127};
  (void)qn_proofs_fma(qn_proofs_create(&arena), &requant, (qn_interval){1, 0});
}

static void step_of_no_kind(void *user) {
  (void)user;
  (void)qn_step_form_of(QN_STEP_KINDS);
}

static void buffers_at_no_step(void *user) {
  (void)user;
  qn_arena arena;
  uint32_t count;
  qn_arena_init(&arena);
  (void)qn_occupied_find(qn_occupied_create(&arena, 4), 0, 4, &count);
}

static void extent_beyond_the_rank(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const int64_t dims[] = {2, 3};
  (void)qn_tensor_extent(qn_type_tensor(&s.cx, qn_type_i(&s.cx, 8), 2, dims), 0, 3);
}

static const qn_test_promise promises[] = {
    {load_nothing, "count > 0"},
    {store_other_elements, "qn_type_element(vector->type)"},
    {pick_beyond_both, "mask[i] < lanes"},
    {slice_beyond_the_end, "from + count"},
    {extract_beyond_the_end, "lane < qn_vec_count"},
    {count_without_a_step, "step > 0"},
    {carry_backwards, "from <= to"},
    {shift_by_all_bits, "n <= 31"},
    {clamp_to_nothing, "lo <= hi"},
    {multiply_other_vectors, "2 * qn_vec_count(acc)"},
    {requantize_other_sums, "qn_type_i(b->cx, 32)"},
    {bits_without_a_start, "epilogue->starts"},
    {parameters_of_no_kind, "kind < QN_EPILOGUE_KINDS"},
    {fill_a_channel_beyond, "channels[i] < epilogue->channels"},
    {search_an_empty_range, "range.lo <= range.hi"},
    {step_of_no_kind, "kind < QN_STEP_KINDS"},
    {buffers_at_no_step, "last < occupied->leaves"},
    {extent_beyond_the_rank, "to <= tensor->shaped.rank"},
};

static void broken_promises_abort(void **unused) {
  (void)unused;
  assert_int_equal(qn_test_unnoticed(promises, QN_COUNT(promises)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_promises_abort)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
