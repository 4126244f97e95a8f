/* Types and attributes are interned; ops, uses, walks, clones, and the verifier of the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdlib.h>

#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/ops/forms.h"
#include "ir/verify/verify.h"
#include "ir/walk.h"

#include <cmocka.h>

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  qn_builder b; /* at the end of the module */
  qn_text seen; /* diagnostics */
} fixture;

static void collect(void *user, const qn_diag *diag) {
  fixture *f = user;
  qn_diag_render(diag, (qn_str){NULL, 0}, false, &f->seen);
}

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = collect;
  f->cx.diag.user = f;
  f->module = qn_module_create(&f->cx, NULL);
  f->b = qn_builder_at_end(f->module, qn_op_body(f->module->op), NULL);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_module_destroy(f->module);
  qn_ir_context_deinit(&f->cx);
  qn_text_deinit(&f->seen);
  free(f);
  return 0;
}

static void expect_error(fixture *f, const char *text) {
  assert_int_equal(qn_verify(f->module), QN_INVALID);
  assert_string_equal(qn_text_view(&f->seen).data, text);
}

/* Builds func @name(i32) -> i32 with an empty entry block, and moves the builder into it. */
static qn_op *open_func(fixture *f, const char *name) {
  const qn_type *i32 = qn_type_i(&f->cx, 32);
  qn_op *func =
      qn_build_func(&f->b, qn_str_of(name), qn_type_function(&f->cx, &i32, 1, &i32, 1), NULL);
  f->b = qn_builder_at_end(f->module, qn_op_body(func), NULL);
  return func;
}

static void close_func(fixture *f, qn_value *result) {
  qn_build_0(&f->b, QN_OP_FUNC_RETURN, &result, 1, NULL);
  f->b = qn_builder_at_end(f->module, qn_op_body(f->module->op), NULL);
}

static void equal_types_are_one_pointer(void **state) {
  fixture *f = *state;
  qn_ir_context *cx = &f->cx;
  const qn_type *i8 = qn_type_i(cx, 8), *f32 = qn_type_float(cx, QN_F32);
  assert_ptr_equal(i8, qn_type_integer(cx, 8, QN_SIGNLESS));
  assert_ptr_not_equal(i8, qn_type_integer(cx, 8, QN_UNSIGNED));
  const int64_t dims[] = {2, QN_DYNAMIC}, same[] = {2, QN_DYNAMIC};
  assert_ptr_equal(qn_type_tensor(cx, i8, 2, dims), qn_type_tensor(cx, i8, 2, same));
  assert_ptr_not_equal(qn_type_tensor(cx, i8, 2, dims), qn_type_memref(cx, i8, 2, dims));
  assert_ptr_not_equal(qn_type_tensor(cx, i8, 0, NULL),
                       qn_type_shaped(cx, QN_TYPE_TENSOR, i8, false, 0, NULL, NULL, NULL));
  double scales[] = {0.5, 0.25};
  int64_t zeros[] = {0, 1};
  qn_quant_uniform u = {.scheme = QN_PER_AXIS,
                        .is_signed = true,
                        .storage = i8,
                        .expressed = f32,
                        .min = -128,
                        .max = 127,
                        .axis = 1,
                        .count = 2,
                        .scales = scales,
                        .zero_points = zeros};
  const qn_type *q = qn_type_uniform(cx, &u);
  assert_ptr_equal(q, qn_type_uniform(cx, &u));
  scales[1] = 0.125;
  assert_ptr_not_equal(q, qn_type_uniform(cx, &u));
  assert_true(q->uniform.scales[1] == 0.25);
  assert_ptr_equal(qn_type_quant(qn_type_tensor(cx, q, 2, dims)), &q->uniform);
}

static void element_counts_do_not_overflow(void **state) {
  fixture *f = *state;
  const qn_type *i8 = qn_type_i(&f->cx, 8);
  const int64_t huge[] = {INT64_MAX, 3, 0}, small[] = {2, 3}, dynamic[] = {2, QN_DYNAMIC};
  assert_int_equal(qn_type_elements(qn_type_tensor(&f->cx, i8, 2, huge)), -1);
  assert_int_equal(qn_type_elements(qn_type_tensor(&f->cx, i8, 3, huge)), 0);
  assert_int_equal(qn_type_elements(qn_type_tensor(&f->cx, i8, 2, small)), 6);
  assert_int_equal(qn_type_elements(qn_type_tensor(&f->cx, i8, 2, dynamic)), -1);
}

static void attributes_are_normalized_and_one_pointer(void **state) {
  fixture *f = *state;
  qn_ir_context *cx = &f->cx;
  assert_ptr_equal(qn_attr_int(cx, 255, qn_type_i(cx, 8)), qn_attr_int(cx, -1, qn_type_i(cx, 8)));
  const qn_type *u8 = qn_type_integer(cx, 8, QN_UNSIGNED);
  assert_int_equal(qn_attr_int(cx, -1, u8)->integer, 255);
  assert_ptr_equal(qn_attr_int(cx, 3, qn_type_i(cx, 1)), qn_attr_bool(cx, true));
  assert_ptr_not_equal(qn_attr_float(cx, 0.0, qn_type_float(cx, QN_F64)),
                       qn_attr_float(cx, -0.0, qn_type_float(cx, QN_F64)));
  const qn_attr *one = qn_attr_i64(cx, 1);
  const qn_named_attr ab[] = {{qn_str_of("a"), one}, {qn_str_of("b"), qn_attr_unit(cx)}};
  const qn_named_attr ba[] = {ab[1], ab[0]};
  assert_ptr_equal(qn_attr_dict(cx, ab, 2), qn_attr_dict(cx, ba, 2));
  assert_ptr_not_equal(qn_attr_string(cx, qn_str_of("x")), qn_attr_symbol(cx, qn_str_of("x")));
}

static void dense_payloads_are_borrowed_or_copied(void **state) {
  fixture *f = *state;
  qn_ir_context *cx = &f->cx;
  uint8_t data[1000];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7);
  int64_t count = sizeof data, few = 4;
  const qn_type *large = qn_type_tensor(cx, qn_type_i(cx, 8), 1, &count);
  const qn_type *small = qn_type_tensor(cx, qn_type_integer(cx, 8, QN_UNSIGNED), 1, &few);
  qn_bytes all = {data, sizeof data};
  const qn_attr *borrowed = qn_attr_dense(cx, large, all, true);
  const qn_attr *copied = qn_attr_dense(cx, large, all, false);
  assert_ptr_equal(borrowed->dense.bytes.data, data);
  assert_ptr_not_equal(copied->dense.bytes.data, data);
  assert_int_equal(copied->kind, QN_ATTR_RESOURCE);
  assert_int_equal(copied->dense.key.size, 17);
  assert_true(qn_attr_equal(borrowed, copied));
  assert_int_equal(qn_attr_hash(borrowed), qn_attr_hash(copied));
  assert_ptr_equal(copied, qn_attr_dense(cx, large, all, false));
  const qn_attr *first = qn_attr_dense(cx, small, (qn_bytes){data, 4}, true);
  assert_int_equal(first->kind, QN_ATTR_DENSE);
  assert_ptr_equal(first, qn_attr_dense(cx, small, (qn_bytes){data, 4}, false));
  data[999] ^= 1;
  assert_false(qn_attr_equal(copied, qn_attr_dense(cx, large, all, false)));
  const qn_attr *splat = qn_attr_dense(cx, small, (qn_bytes){data + 40, 1}, false);
  assert_true(splat->dense.splat);
  assert_int_equal(qn_dense_int(splat, 3), (40 * 7) & 255);
  assert_int_equal(qn_dense_int(copied, 20), (int8_t)(uint8_t)(20 * 7));
  int32_t read[3];
  const qn_attr *payloads[] = {splat, copied};
  for (size_t p = 0; p < QN_COUNT(payloads); p++) {
    qn_dense_ints(payloads[p], 2, 9, QN_COUNT(read), read);
    for (int i = 0; i < 3; i++) assert_int_equal(read[i], qn_dense_int(payloads[p], 2 + 9 * i));
  }
}

static void narrow_floats_are_widened_exactly(void **state) {
  fixture *f = *state;
  const uint16_t halves[] = {0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00, 0x7E00};
  int64_t count = QN_COUNT(halves);
  qn_bytes bytes = {(const uint8_t *)halves, sizeof halves};
  const qn_type *f16 = qn_type_tensor(&f->cx, qn_type_float(&f->cx, QN_F16), 1, &count);
  const qn_attr *dense = qn_attr_dense(&f->cx, f16, bytes, false);
  assert_true(qn_dense_float(dense, 0) == 1.0 && qn_dense_float(dense, 1) == -2.0);
  assert_true(qn_dense_float(dense, 2) == 0x1p-24 && qn_dense_float(dense, 3) == 65504.0);
  assert_true(qn_dense_float(dense, 4) > 1e300);
  assert_true(qn_dense_float(dense, 5) != qn_dense_float(dense, 5));
}

static void affine_expressions_fold(void **state) {
  fixture *f = *state;
  qn_ir_context *cx = &f->cx;
  const qn_affine_expr *d0 = qn_affine_leaf(cx, QN_AFFINE_DIM, 0);
  const qn_affine_expr *two = qn_affine_leaf(cx, QN_AFFINE_CONST, 2);
  const qn_affine_expr *zero = qn_affine_leaf(cx, QN_AFFINE_CONST, 0);
  const qn_affine_expr *min = qn_affine_leaf(cx, QN_AFFINE_CONST, INT64_MIN);
  const qn_affine_expr *minus = qn_affine_leaf(cx, QN_AFFINE_CONST, -1);
  assert_ptr_equal(qn_affine_binary(cx, QN_AFFINE_ADD, zero, d0), d0);
  const qn_affine_expr *sum = qn_affine_binary(cx, QN_AFFINE_ADD, d0, two);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_ADD, sum, two)->rhs->value, 4);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_FLOORDIV, minus, two)->value, -1);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_CEILDIV, minus, two)->value, 0);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_MOD, minus, two)->value, 1);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_MOD, d0, zero)->kind, QN_AFFINE_MOD);
  assert_int_equal(qn_affine_binary(cx, QN_AFFINE_FLOORDIV, min, minus)->kind, QN_AFFINE_FLOORDIV);
  const int64_t at = 5;
  assert_int_equal(qn_affine_eval(sum, &at, NULL), 7);
}

static void uses_follow_every_change(void **state) {
  fixture *f = *state;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_value *y = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, x, x);
  qn_value *z = qn_build_binary(&f->b, QN_OP_ARITH_MULI, y, x);
  close_func(f, z);
  assert_int_equal(qn_verify(f->module), QN_OK);
  qn_value_replace_all_uses(y, x);
  assert_false(qn_value_has_uses(y));
  qn_op_erase(f->module, y->op);
  assert_int_equal(qn_verify(f->module), QN_OK);
  qn_op_set_operands(f->module, z->op, QN_VALUES(qn_op_operand(z->op, 1), x));
  qn_op_set_operand(z->op, 0, x);
  uint32_t uses = 0;
  for (qn_use *use = x->first_use; use; use = use->next) uses++;
  assert_int_equal(uses, 2);
  assert_int_equal(qn_verify(f->module), QN_OK);
}

static void attributes_of_ops_stay_sorted(void **state) {
  fixture *f = *state;
  qn_op *op = f->module->op;
  const qn_attr *unit = qn_attr_unit(&f->cx);
  const char *const names[] = {"m", "z", "a", "k"};
  for (size_t i = 0; i < QN_COUNT(names); i++) qn_op_set_attr(f->module, op, names[i], unit);
  qn_op_set_attr(f->module, op, "k", NULL);
  qn_op_set_attr(f->module, op, "missing", NULL);
  qn_op_set_attr(f->module, op, "m", qn_attr_i64(&f->cx, 3));
  assert_int_equal(op->attr_count, 3);
  assert_string_equal(op->attrs[0].name.data, "a");
  assert_string_equal(op->attrs[2].name.data, "z");
  assert_int_equal(qn_op_attr(op, "m")->integer, 3);
  qn_op_set_attr(f->module, op, "groups", unit);
  assert_int_equal(qn_op_groups(op), 1); /* not an integer: read as if it were absent */
}

static void names_are_found_in_the_table(void **state) {
  (void)state;
  for (int kind = 1; kind < QN_OP_COUNT; kind++) {
    assert_int_equal(qn_op_kind_of(qn_str_of(qn_op_infos[kind].name)), kind);
  }
  assert_int_equal(qn_op_kind_of(qn_str_of("arith.addx")), QN_OP_UNREGISTERED);
  assert_true(qn_dialect_is_known(qn_str_of("arith")));
  assert_false(qn_dialect_is_known(qn_str_of("arit")));
  assert_false(qn_dialect_is_known(qn_str_of("tosa")));
}

/* Builds a function with a counted loop that computes a sum. */
static qn_op *build_loop(fixture *f) {
  qn_op *func = open_func(f, "sum");
  qn_value *x = qn_op_body(func)->args[0];
  qn_value *zero = qn_build_index(&f->b, 0), *ten = qn_build_index(&f->b, 10);
  qn_value *one = qn_build_index(&f->b, 1);
  qn_op *loop = qn_build_for(&f->b, zero, ten, one, &x, 1);
  qn_value *sum = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, qn_op_body(loop)->args[1], x);
  qn_build_yield(&f->b, &sum, 1);
  close_func(f, qn_op_result(loop, 0));
  return func;
}

static void clones_are_equal_until_changed(void **state) {
  fixture *f = *state;
  qn_op *func = build_loop(f);
  assert_int_equal(qn_verify(f->module), QN_OK);
  qn_module *copy = qn_module_clone(f->module);
  assert_int_equal(qn_verify(copy), QN_OK);
  assert_true(qn_op_equal(f->module->op, copy->op));
  assert_int_equal(qn_op_hash(f->module->op), qn_op_hash(copy->op));
  qn_op *loop = qn_op_body(func)->last->prev;
  qn_op *add = qn_op_body(loop)->first;
  qn_op_set_operand(add, 1, qn_op_operand(add, 0));
  assert_false(qn_op_equal(f->module->op, copy->op));
  assert_int_not_equal(qn_op_hash(f->module->op), qn_op_hash(copy->op));
  qn_module_destroy(copy);
}

static bool count_op(qn_op *op, void *user) {
  (void)op;
  ++*(int *)user;
  return true;
}

/* Only memory limits the depth of nesting, for walking, verifying, cloning, comparing and erasing.
 */
static void deeply_nested_regions_are_safe(void **state) {
  fixture *f = *state;
  f->cx.allow_unregistered = true;
  enum { DEPTH = 200000 };
  const qn_op_state nest = {
      .kind = QN_OP_UNREGISTERED, .name = qn_str_of("test.nest"), .region_count = 1};
  for (int i = 0; i < DEPTH; i++) {
    qn_op *op = qn_build(&f->b, nest);
    f->b.block = qn_block_create(f->module);
    qn_block_append(f->b.block, &op->regions[0]);
  }
  int pre = 0, post = 0;
  qn_walk_pre(f->module->op, count_op, &pre);
  qn_walk_post(f->module->op, count_op, &post);
  assert_int_equal(pre, DEPTH + 1);
  assert_int_equal(post, DEPTH + 1);
  assert_int_equal(qn_verify(f->module), QN_OK);
  qn_module *copy = qn_module_clone(f->module);
  assert_true(qn_op_equal(f->module->op, copy->op));
  assert_int_equal(qn_op_hash(f->module->op), qn_op_hash(copy->op));
  qn_op_erase(copy, qn_op_body(copy->op)->first);
  assert_null(qn_op_body(copy->op)->first);
  qn_module_destroy(copy);
}

static bool erase_adds(qn_op *op, void *user) {
  if (op->kind == QN_OP_ARITH_ADDI) qn_op_erase(user, op);
  return true;
}

static void ops_may_be_erased_in_post_order(void **state) {
  fixture *f = *state;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  for (int i = 0; i < 3; i++) qn_build_binary(&f->b, QN_OP_ARITH_ADDI, x, x);
  close_func(f, x);
  qn_walk_post(f->module->op, erase_adds, f->module);
  assert_ptr_equal(qn_op_body(func)->first, qn_op_body(func)->last);
}

static void uses_before_definitions_are_reported(void **state) {
  fixture *f = *state;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_value *y = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, x, x);
  qn_value *z = qn_build_binary(&f->b, QN_OP_ARITH_MULI, x, x);
  close_func(f, y);
  qn_op_set_operand(y->op, 1, z);
  qn_op_set_operand(z->op, 0, z);
  expect_error(f, "error: 'arith.addi' op operand #1 does not dominate this use\n"
                  "error: 'arith.muli' op operand #0 does not dominate this use\n");
}

static void values_do_not_cross_isolated_ops(void **state) {
  fixture *f = *state;
  qn_value *outside = qn_build_int(&f->b, 1, qn_type_i(&f->cx, 32));
  qn_op *func = open_func(f, "f");
  qn_value *y = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, outside, qn_op_body(func)->args[0]);
  close_func(f, y);
  expect_error(f, "error: 'arith.addi' op operand #0: using value defined outside the region\n");
}

static void dominance_follows_the_control_flow_graph(void **state) {
  fixture *f = *state;
  f->cx.allow_unregistered = true;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_block *blocks[3]; /* entry -> a, b; a -> b; b returns */
  qn_block *entry = qn_op_body(func);
  for (int i = 1; i < 3; i++) {
    blocks[i] = qn_block_create(f->module);
    qn_block_append(blocks[i], &func->regions[0]);
  }
  const qn_op_state branch = {.kind = QN_OP_UNREGISTERED,
                              .name = qn_str_of("cf.cond_br"),
                              .successors = &blocks[1],
                              .successor_count = 2};
  qn_value *in_entry = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, x, x);
  qn_build(&f->b, branch);
  f->b = qn_builder_at_end(f->module, blocks[1], NULL);
  qn_value *in_a = qn_build_binary(&f->b, QN_OP_ARITH_ADDI, in_entry, x);
  qn_build(&f->b, (qn_op_state){.kind = QN_OP_UNREGISTERED,
                                .name = qn_str_of("cf.br"),
                                .successors = &blocks[2],
                                .successor_count = 1});
  f->b = qn_builder_at_end(f->module, blocks[2], NULL);
  qn_value *in_b = qn_build_binary(&f->b, QN_OP_ARITH_MULI, in_entry, in_entry);
  close_func(f, in_b);
  assert_int_equal(qn_verify(f->module), QN_OK);
  qn_module *copy = qn_module_clone(f->module);
  assert_true(qn_op_equal(copy->op, f->module->op));
  qn_module_destroy(copy);
  qn_op_set_operand(in_b->op, 1, in_a);
  assert_ptr_equal(entry->region, blocks[2]->region);
  expect_error(f, "error: 'arith.muli' op operand #1 does not dominate this use\n");
}

static void structure_is_checked_against_the_table(void **state) {
  fixture *f = *state;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_build(&f->b, (qn_op_state){.kind = QN_OP_ARITH_ADDI, .operands = &x, .operand_count = 1});
  qn_build(&f->b, (qn_op_state){.kind = QN_OP_UNREGISTERED, .name = qn_str_of("tosa.add")});
  qn_build(&f->b, (qn_op_state){.kind = QN_OP_UNREGISTERED, .name = qn_str_of("quant.foo")});
  qn_op_set_attr(f->module, func, "sym_name", NULL);
  qn_op_set_attr(f->module, func, "function_type", qn_attr_unit(&f->cx));
  expect_error(f, "error: 'func.func' op requires attribute 'sym_name'\n"
                  "error: 'func.func' op attribute 'function_type' failed to satisfy constraint: "
                  "type attribute\n"
                  "error: 'arith.addi' op expected 2 operands, but found 1\n"
                  "error: 'arith.addi' op requires one result, but found 0\n"
                  "error: 'tosa.add' op created with unregistered dialect; "
                  "--allow-unregistered-dialect lets it pass\n"
                  "error: unregistered operation 'quant.foo' found in dialect ('quant') that does "
                  "not allow unknown operations\n");
}

static void terminators_stand_at_the_end(void **state) {
  fixture *f = *state;
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_build_0(&f->b, QN_OP_FUNC_RETURN, &x, 1, NULL);
  qn_build_binary(&f->b, QN_OP_ARITH_ADDI, x, x);
  expect_error(f, "error: 'func.return' op must be the last operation in the parent block\n"
                  "error: 'arith.addi' op is the last of its block but no terminator\n");
}

static void symbols_are_unique_and_resolve(void **state) {
  fixture *f = *state;
  const qn_type *i32 = qn_type_i(&f->cx, 32);
  for (int i = 0; i < 2; i++) close_func(f, qn_op_body(open_func(f, "f"))->args[0]);
  qn_op *func = open_func(f, "g");
  qn_value *x = qn_op_body(func)->args[0];
  for (int i = 0; i < 2; i++) {
    const qn_attr *callee = qn_attr_symbol(&f->cx, qn_str_of(i ? "g" : "h"));
    x = qn_build_1(&f->b, QN_OP_FUNC_CALL, i32, &x, 1, QN_ATTRS({"callee", callee}));
  }
  close_func(f, x);
  expect_error(f, "error: 'func.func' op redefinition of symbol named 'f'\n"
                  "note: see existing symbol definition here\n"
                  "error: 'func.call' op 'h' does not reference a valid function\n");
}

static void stages_tell_ops_and_types(void **state) {
  fixture *f = *state;
  qn_stage stage;
  assert_true(qn_stage_of_name(qn_str_of("loops"), &stage));
  assert_int_equal(stage, QN_STAGE_LOOPS);
  assert_false(qn_stage_of_name(qn_str_of("loop"), &stage));
  qn_op *func = open_func(f, "f");
  qn_value *x = qn_op_body(func)->args[0];
  qn_build_1(&f->b, QN_OP_VECTOR_BROADCAST, qn_type_vec(&f->cx, x->type, 4), QN_VALUES(x), NULL);
  close_func(f, x);
  assert_int_equal(qn_verify_stage(f->module, QN_STAGE_LOOPS), QN_OK);
  assert_int_equal(qn_verify_stage(f->module, QN_STAGE_MODEL), QN_INVALID);
  assert_string_equal(f->seen.data,
                      "error: 'vector.broadcast' op is not legal at the model stage\n");
}

static void the_main_function_is_found(void **state) {
  fixture *f = *state;
  assert_null(qn_module_main(f->module));
  qn_op *only = open_func(f, "only");
  close_func(f, qn_op_body(only)->args[0]);
  assert_ptr_equal(qn_module_main(f->module), only);
  qn_op *second = open_func(f, "second");
  close_func(f, qn_op_body(second)->args[0]);
  assert_null(qn_module_main(f->module));
  qn_op *main = open_func(f, "main");
  close_func(f, qn_op_body(main)->args[0]);
  assert_ptr_equal(qn_module_main(f->module), main);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(equal_types_are_one_pointer),
      TEST(element_counts_do_not_overflow),
      TEST(attributes_are_normalized_and_one_pointer),
      TEST(dense_payloads_are_borrowed_or_copied),
      TEST(narrow_floats_are_widened_exactly),
      TEST(affine_expressions_fold),
      TEST(uses_follow_every_change),
      TEST(attributes_of_ops_stay_sorted),
      TEST(names_are_found_in_the_table),
      TEST(clones_are_equal_until_changed),
      TEST(deeply_nested_regions_are_safe),
      TEST(ops_may_be_erased_in_post_order),
      TEST(uses_before_definitions_are_reported),
      TEST(values_do_not_cross_isolated_ops),
      TEST(dominance_follows_the_control_flow_graph),
      TEST(structure_is_checked_against_the_table),
      TEST(terminators_stand_at_the_end),
      TEST(symbols_are_unique_and_resolve),
      TEST(stages_tell_ops_and_types),
      TEST(the_main_function_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
