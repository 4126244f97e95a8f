/* Planted mistakes: what src/passes promises is asserted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "passes/repeat/permute.h"
#include "passes/support/affine.h"
#include "passes/support/casts.h"
#include "passes/support/stored.h"
#include "tests/support/aborts.h"

/* A module whose body is open, with a tensor of 2 x 3 floats that are known. */
typedef struct site {
  qn_ir_context cx;
  qn_arena arena;
  qn_pass_context pc;
  qn_rewriter rw;
  const qn_type *type;
  qn_value *literal;
} site;

static void open_site(site *s) {
  const int64_t dims[] = {2, 3};
  const double values[] = {1, 2, 3, 4, 5, 6};
  *s = (site){.type = NULL};
  qn_ir_context_init(&s->cx);
  qn_arena_init(&s->arena);
  qn_module *module = qn_module_create(&s->cx, s->cx.diag.unknown);
  s->pc = (qn_pass_context){.cx = &s->cx, .module = module, .root = module->op};
  s->pc.scratch = &s->arena;
  s->rw = (qn_rewriter){.pc = &s->pc, .module = module, .cx = &s->cx};
  s->rw.builder = qn_builder_at_end(module, qn_op_body(module->op), s->cx.diag.unknown);
  s->type = qn_type_tensor(&s->cx, qn_type_float(&s->cx, QN_F32), 2, dims);
  s->literal = qn_build_reals(&s->rw, s->type, values);
}

static const int64_t turned[] = {1, 0}, longer[] = {0, 1, 2};

static void permute_another_rank(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_type_permuted(&s.cx, s.type, (qn_i64s){longer, 3});
}

static void turn_back_another_rank(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_type_before(&s.cx, s.type, (qn_i64s){longer, 3});
}

static void read_beyond_a_literal(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_literal_real(s.literal, 24);
}

static void reals_of_integers(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const double value = 1;
  (void)qn_build_reals(&s.rw, qn_type_tensor(&s.cx, qn_type_i(&s.cx, 32), 0, NULL), &value);
}

static void stored_without_scales(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const uint8_t bytes[6] = {0};
  (void)qn_build_stored(&s.rw, s.type, bytes, 6);
}

static void rows_beyond_a_pattern(void *user) {
  (void)user;
  site s;
  open_site(&s);
  const qn_matched m = {.swapped = false};
  (void)qn_matched_alone(&m, QN_MATCH_ROWS);
}

static void channels_of_no_dimension(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_build_per_channel(&s.rw, s.literal, s.literal, 2);
}

static void absorb_by_a_constant(void *user) {
  (void)user;
  site s;
  open_site(&s);
  qn_absorb(&s.pc, s.literal->op, (qn_i64s){turned, 2});
}

static void extent_of_a_tensor(void *user) {
  (void)user;
  site s;
  open_site(&s);
  (void)qn_extent_of(s.type);
}

static const qn_test_promise promises[] = {
    {permute_another_rank, "perm.count == tensor->shaped.rank"},
    {turn_back_another_rank, "perm.count == type->shaped.rank"},
    {read_beyond_a_literal, "attr->dense.bytes.size"},
    {reals_of_integers, "element->kind == QN_TYPE_FLOAT"},
    {stored_without_scales, "qn_type_quant(type)"},
    {rows_beyond_a_pattern, "last < QN_MATCH_ROWS"},
    {channels_of_no_dimension, "dimension < qn_rank(tensor)"},
    {absorb_by_a_constant, "qn_can_absorb(op, perm)"},
    {extent_of_a_tensor, "t->kind == QN_TYPE_INTEGER"},
};

static void broken_promises_abort(void **unused) {
  (void)unused;
  assert_int_equal(qn_test_unnoticed(promises, QN_COUNT(promises)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_promises_abort)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
