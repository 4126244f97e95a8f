/* Row groups: random chains of linalg.generic ops on tensors of the same rows. The kernels of every
 * target give the bytes of the ops one after the other, whatever is computed in place, read later,
 * returned, or read by columns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ir/clone.h"
#include "ir/walk.h"
#include "tests/support/random_model.h"
#include "text/text.h"

enum { MOST = 24 };

/* A chain while it is written. Values "%v0", ... have `rows` rows; those of a kind are listed. */
typedef enum kind { WHOLE, ROWS, NARROW, KINDS } kind;

typedef struct chain {
  qn_random_model *m;
  qn_text text;
  int64_t rows, columns;
  char types[KINDS][32];
  uint32_t values[KINDS][MOST], counts[KINDS], next;
} chain;

static const char *const maps[KINDS] = {"#whole", "#row", "#whole"};
static const char *const elements[KINDS] = {"f32", "f32", "f16"};

static uint32_t pick(chain *c, kind k) {
  return c->values[k][qn_random_between(c->m, 0, c->counts[k] - 1)];
}

static void add_value(chain *c, kind k) { c->values[k][c->counts[k]++] = c->next++; }

/* %vN = generic of one or two values, by the maps, with this body of %a, %b and %o. */
static void put_generic(chain *c, kind result, kind x, uint32_t a, const char *y_map,
                        const char *y_type, const char *y_element, uint32_t b, const char *body) {
  bool reduces = result == ROWS && x == WHOLE;
  if (reduces)
    qn_text_format(&c->text, "  %%i%u = arith.constant dense<0.0> : %s\n", c->next,
                   c->types[result]);
  else
    qn_text_format(&c->text, "  %%i%u = tensor.empty() : %s\n", c->next, c->types[result]);
  bool flat = result == ROWS && !reduces;
  qn_text_format(&c->text, "  %%v%u = linalg.generic {indexing_maps = [%s, %s, %s], ", c->next,
                 flat ? "#line" : maps[x], flat ? "#line" : y_map, flat ? "#line" : maps[result]);
  qn_text_format(&c->text, "iterator_types = [\"parallel\"%s]}\n    ins(%%v%u, %%v%u : %s, %s) ",
                 flat      ? ""
                 : reduces ? ", \"reduction\""
                           : ", \"parallel\"",
                 a, b, c->types[x], y_type);
  qn_text_format(&c->text, "outs(%%i%u : %s) {\n  ^bb0(%%a: %s, %%b: %s, %%o: %s):\n    %s\n",
                 c->next, c->types[result], elements[x], y_element, elements[result], body);
  qn_text_format(&c->text, "    linalg.yield %%s : %s\n  } -> %s\n", elements[result],
                 c->types[result]);
  add_value(c, result);
}

static void put_like(chain *c, kind result, kind x, kind y, const char *body) {
  uint32_t a = pick(c, x), b = pick(c, y);
  put_generic(c, result, x, a, maps[y], c->types[y], elements[y], b, body);
}

/* Reads the second operand by columns, which no group does. */
static void put_turned(chain *c) {
  uint32_t a = pick(c, WHOLE), b = pick(c, WHOLE);
  put_generic(c, WHOLE, WHOLE, a, "#turned", c->types[WHOLE], "f32", b,
              "%s = arith.maximumf %a, %b : f32");
}

static void put_op(chain *c) {
  static const char *const sums[] = {"%s = arith.addf %o, %a : f32",
                                     "%s = arith.maximumf %o, %a : f32"};
  static const char *const binary[] = {"%s = arith.subf %a, %b : f32",
                                       "%s = arith.mulf %a, %b : f32"};
  int64_t draw = qn_random_between(c->m, 0, 11);
  const char *both = binary[draw & 1];
  if (draw < 3)
    put_like(c, ROWS, WHOLE, WHOLE, sums[draw & 1]);
  else if (draw < 6)
    put_like(c, WHOLE, WHOLE, ROWS, both);
  else if (draw < 8)
    put_like(c, WHOLE, WHOLE, WHOLE, both);
  else if (draw == 8 && c->counts[ROWS] > 0)
    put_like(c, ROWS, ROWS, ROWS, both);
  else if (draw == 9)
    put_like(c, NARROW, WHOLE, WHOLE, "%s = arith.truncf %a : f32 to f16");
  else if (draw == 10 && c->counts[NARROW] > 0)
    put_like(c, WHOLE, NARROW, NARROW, "%s = arith.extf %a : f16 to f32");
  else if (c->rows == c->columns)
    put_turned(c);
}

/* The text of a random @main(%v0, %v1: WHOLE, %v2: ROWS) that returns some of its values. */
static void write_chain(chain *c) {
  static const int64_t sizes[] = {1, 2, 5, 16, 17, 31, 64, 67, 200};
  c->rows = qn_random_pick(c->m, sizes, QN_COUNT(sizes));
  c->columns = qn_random_chance(c->m, 2) ? c->rows : qn_random_pick(c->m, sizes, QN_COUNT(sizes));
  for (kind k = 0; k < KINDS; k++)
    snprintf(c->types[k], sizeof c->types[k], "tensor<%lldx%lldx%s>", (long long)c->rows,
             (long long)c->columns, elements[k]);
  snprintf(c->types[ROWS], sizeof c->types[ROWS], "tensor<%lldxf32>", (long long)c->rows);
  qn_text_puts(&c->text, "#whole = affine_map<(d0, d1) -> (d0, d1)>\n"
                         "#turned = affine_map<(d0, d1) -> (d1, d0)>\n"
                         "#row = affine_map<(d0, d1) -> (d0)>\n"
                         "#line = affine_map<(d0) -> (d0)>\n");
  qn_text_format(&c->text, "func.func @main(%%v0: %s, %%v1: %s, %%v2: %s) ->", c->types[WHOLE],
                 c->types[WHOLE], c->types[ROWS]);
  qn_text body = {0}, head = c->text;
  c->text = body;
  add_value(c, WHOLE);
  add_value(c, WHOLE);
  add_value(c, ROWS);
  int64_t ops = qn_random_between(c->m, 3, MOST - 4);
  for (int64_t i = 0; i < ops; i++) put_op(c);
  put_like(c, WHOLE, WHOLE, ROWS, "%s = arith.subf %a, %b : f32");
  uint32_t last = c->next - 1, other = pick(c, ROWS);
  qn_text_format(&head, " (%s, %s) {\n", c->types[WHOLE], c->types[ROWS]);
  qn_text_format(&c->text, "  return %%v%u, %%v%u : %s, %s\n}\n", last, other, c->types[WHOLE],
                 c->types[ROWS]);
  qn_text_puts(&head, c->text.data);
  qn_text_deinit(&c->text);
  c->text = head;
}

static void parse(qn_random_model *m, const qn_text *text) {
  qn_module_destroy(m->module);
  m->module = NULL;
  qn_status status = qn_text_parse(&m->cx, qn_text_view(text), qn_str_of("chain"), &m->module);
  if (status != QN_OK) print_message("%s%s", text->data, m->diagnostics);
  assert_int_equal(status, QN_OK);
  m->func = qn_module_main(m->module);
}

/* Small numbers, some of them equal, so that no result is a NaN. */
static void draw_inputs(qn_random_model *m, qn_random_run *run) {
  qn_random_inputs(m, run);
  for (uint32_t i = 0; i < run->arg_count; i++) {
    float *numbers = (float *)run->args[i].data;
    for (int64_t k = 0; k < run->args[i].size / (int64_t)sizeof *numbers; k++)
      numbers[k] = (float)qn_random_between(m, -9, 9) / 8.0F;
  }
}

static uint32_t count_kernels(qn_random_model *m, const char *stem) {
  qn_module *integer = m->module;
  uint32_t count = 0, targets, length = (uint32_t)strlen(stem);
  qn_lower_config config = {.target = qn_targets(&targets)};
  m->module = qn_module_clone(integer);
  assert_int_equal(qn_random_pass(m, &qn_pass_lower_to_loops, &config), QN_OK);
  QN_FOR_EACH_OP(op, qn_op_body(m->module->op)) {
    if (op->kind != QN_OP_FUNC) continue;
    qn_str name = qn_op_sym_name(op);
    count += name.size > length && memcmp(name.data, stem, length) == 0;
  }
  qn_module_destroy(m->module);
  m->module = integer;
  return count;
}

static void check_targets(qn_random_model *m, const chain *c) {
  qn_random_run inputs, expected;
  draw_inputs(m, &inputs);
  assert_int_equal(qn_random_evaluate(m, &inputs, &expected), QN_OK);
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i += 3) {
    qn_random_run actual;
    assert_int_equal(qn_random_evaluate_loops(m, &targets[i], &inputs, &actual), QN_OK);
    bool same = qn_random_same_results(&expected, &actual);
    if (!same) print_message("different for %s:\n%s", targets[i].name, c->text.data);
    assert_true(same);
    qn_arena_deinit(&actual.arena);
  }
  qn_arena_deinit(&expected.arena);
  qn_arena_deinit(&inputs.arena);
}

static void chains_give_the_same_bytes(void **state) {
  (void)state;
  uint32_t grouped = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    qn_random_model m;
    qn_random_begin(&m, 31000 + seed, "litert-ref");
    chain c = {.m = &m};
    write_chain(&c);
    parse(&m, &c.text);
    grouped += count_kernels(&m, "rows_") > 0;
    check_targets(&m, &c);
    qn_text_deinit(&c.text);
    qn_random_free(&m);
  }
  assert_true(grouped > 20);
}

/* A softmax is one kernel, and so is its logarithm: four and five ops of the integer stage. */
static void softmax_is_one_kernel(void **state) {
  (void)state;
  static const char *const ops[] = {"ml.softmax", "ml.log_softmax", "ml.l2_norm"};
  for (size_t i = 0; i < QN_COUNT(ops); i++) {
    qn_random_model m;
    qn_random_begin(&m, 1, "litert-ref");
    qn_text text = {0};
    qn_text_format(&text,
                   "module attributes {quern.numerics = \"litert-ref\"} {\n"
                   "func.func @main(%%x: tensor<6x40xf32>) -> tensor<6x40xf32> {\n"
                   "  %%y = \"%s\"(%%x) %s: (tensor<6x40xf32>) -> tensor<6x40xf32>\n"
                   "  return %%y : tensor<6x40xf32>\n}\n}\n",
                   ops[i], i == 0 ? "{beta = 1.0 : f32} " : "");
    parse(&m, &text);
    assert_int_equal(qn_random_pass(&m, &qn_pass_lower_to_integer, NULL), QN_OK);
    assert_int_equal(count_kernels(&m, "rows_"), 1);
    assert_int_equal(count_kernels(&m, "generic_"), 0);
    check_targets(&m, &(chain){.text = text});
    qn_text_deinit(&text);
    qn_random_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_give_the_same_bytes),
      cmocka_unit_test(softmax_is_one_kernel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
