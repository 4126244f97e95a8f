/* The functions to read and print text: limits, statuses, single types and attributes, printing of
 * single ops, and contexts that share nothing. tests/golden/text tests the grammar.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdlib.h>

#include "ir/builder.h"
#include "ir/clone.h"
#include "text/text.h"

#include <cmocka.h>

typedef struct fixture {
  qn_ir_context cx;
  qn_text seen; /* diagnostics */
  uint32_t reports;
} fixture;

static void collect(void *user, const qn_diag *diag) {
  fixture *f = user;
  f->reports++;
  qn_diag_render(diag, (qn_str){NULL, 0}, false, &f->seen);
}

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = collect;
  f->cx.diag.user = f;
  f->cx.allow_unregistered = true;
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_ir_context_deinit(&f->cx);
  qn_text_deinit(&f->seen);
  free(f);
  return 0;
}

static qn_status parse(fixture *f, qn_str text, qn_module **out_module) {
  return qn_text_parse(&f->cx, text, qn_str_of("t"), out_module);
}

/* Parses `piece` repeated many times: one message, the given status. */
static void check_flood(fixture *f, const char *head, const char *piece, size_t count,
                        qn_status status, const char *message) {
  qn_text text = {0};
  qn_module *module;
  qn_text_puts(&text, head);
  for (size_t i = 0; i < count; i++) qn_text_puts(&text, piece);
  f->reports = 0;
  qn_text_clear(&f->seen);
  assert_int_equal(parse(f, qn_text_view(&text), &module), status);
  assert_null(module);
  assert_int_equal(f->reports, 1);
  assert_string_equal(f->seen.data, message);
  qn_text_deinit(&text);
}

static void floods_are_limited(void **state) {
  fixture *f = *state;
  enum { MANY = 1000000 };
  check_flood(f, "", "(", 1 << 20, QN_INVALID, "t:1:1: error: expected operation name in quotes\n");
  check_flood(f, "", "\"a.b\"() ({", MANY, QN_LIMIT,
              "t:1:2571: error: nesting is deeper than 256 levels\n");
  check_flood(f, "", "module {", MANY, QN_LIMIT,
              "t:1:2057: error: nesting is deeper than 256 levels\n");
  check_flood(f, "\"a.b\"() {x = ", "[", MANY, QN_LIMIT,
              "t:1:270: error: nesting is deeper than 256 levels\n");
  check_flood(f, "\"a.b\"() : ", "(", MANY, QN_LIMIT,
              "t:1:268: error: nesting is deeper than 256 levels\n");
  check_flood(f, "\"a.b\"() {x = dense<", "[", MANY, QN_INVALID,
              "t:1:1000020: error: expected '>'\n");
  check_flood(f, "!a = ", "tuple<", MANY, QN_LIMIT,
              "t:1:1542: error: nesting is deeper than 256 levels\n");
  check_flood(f, "!a = !b.c<", "<", MANY, QN_INVALID,
              "t:1:10: error: unbalanced '<' character in pretty dialect name\n");
  check_flood(f, "#m = affine_map<() -> (", "-(", MANY, QN_LIMIT,
              "t:1:279: error: nesting is deeper than 256 levels\n");
  check_flood(f, "", "\x01", MANY, QN_INVALID, "t:1:1: error: unexpected character\n");
}

/* Aliases that double with each line are limited by size; a long chain of aliases is limited by
 * depth. */
static void aliases_do_not_explode(void **state) {
  fixture *f = *state;
  qn_text text = {0};
  qn_module *module;
  qn_text_puts(&text, "!a0 = i8\n");
  for (int i = 1; i < 64; i++) qn_text_format(&text, "!a%d = tuple<!a%d, !a%d>\n", i, i - 1, i - 1);
  assert_int_equal(parse(f, qn_text_view(&text), &module), QN_LIMIT);
  assert_non_null(strstr(f->seen.data, "expanding this alias makes the module too large"));
  qn_text_clear(&text);
  qn_text_clear(&f->seen);
  qn_text_puts(&text, "#a0 = 1\n");
  for (int i = 1; i < 1000; i++) qn_text_format(&text, "#a%d = [#a%d]\n", i, i - 1);
  assert_int_equal(parse(f, qn_text_view(&text), &module), QN_LIMIT);
  assert_non_null(strstr(f->seen.data, "nesting is deeper than 256 levels"));
  qn_text_deinit(&text);
}

static void errors_stop_at_the_limit(void **state) {
  fixture *f = *state;
  qn_text text = {0};
  qn_module *module;
  for (int i = 0; i < 1000; i++) qn_text_puts(&text, "wrong\n");
  f->cx.diag.error_limit = 10;
  assert_int_equal(parse(f, qn_text_view(&text), &module), QN_INVALID);
  assert_int_equal(f->reports, 10);
  qn_text_deinit(&text);
}

static void odd_texts(void **state) {
  fixture *f = *state;
  static const struct {
    const char *text;
    size_t size;
    qn_status status;
  } cases[] = {
      {"", 0, QN_OK},
      {NULL, 0, QN_OK},
      {"// nothing", 10, QN_OK},
      {"\0", 1, QN_INVALID},
      {"module", 6, QN_INVALID},
      {"module {", 8, QN_INVALID},
      {"{-#", 3, QN_INVALID},
      {"{-# #-}", 7, QN_OK},
      {"\xEF\xBB\xBF\xEF\xBB\xBF", 6, QN_INVALID},
      {"#", 1, QN_INVALID},
  };
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_module *module;
    qn_str text = {cases[i].text, cases[i].size};
    assert_int_equal(parse(f, text, &module), cases[i].status);
    assert_int_equal(module != NULL, cases[i].status == QN_OK);
    qn_module_destroy(module);
  }
}

static void single_types_and_attributes(void **state) {
  fixture *f = *state;
  const qn_type *type;
  const qn_attr *attr;
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of("tensor<4x?xi8>"), &type), QN_OK);
  assert_int_equal(type->shaped.rank, 2);
  qn_text text = {0};
  qn_text_print_type(type, &text);
  assert_string_equal(text.data, "tensor<4x?xi8>");
  assert_int_equal(qn_text_parse_attr(&f->cx, qn_str_of("[1 : i8, \"x\"]"), qn_str_of("a"), &attr),
                   QN_OK);
  qn_text_clear(&text);
  qn_text_print_attr(attr, &text);
  assert_string_equal(text.data, "[1 : i8, \"x\"]");
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of("i8 i8"), &type), QN_INVALID);
  assert_null(type);
  assert_int_equal(qn_text_parse_attr(&f->cx, qn_str_of(""), qn_str_of("a"), &attr), QN_INVALID);
  assert_null(attr);
  qn_text_deinit(&text);
}

/* An op that is printed alone has the names that it has in its module. */
static void single_ops_are_printed_in_context(void **state) {
  fixture *f = *state;
  qn_module *module;
  assert_int_equal(parse(f,
                         qn_str_of("func.func @f(%x: i32) -> i32 {\n"
                                   "  %0 = arith.addi %x, %x : i32\n"
                                   "  %1 = arith.muli %0, %x : i32\n"
                                   "  return %1 : i32\n"
                                   "}"),
                         &module),
                   QN_OK);
  const qn_op *mul = qn_op_body(qn_op_body(module->op)->first)->first->next;
  qn_text text = {0};
  qn_text_print_op(mul, NULL, &text);
  assert_string_equal(text.data, "%1 = arith.muli %0, %arg0 : i32");
  qn_text_clear(&text);
  qn_text_print_op(mul, &(qn_print_options){.generic = true, .locations = true}, &text);
  assert_string_equal(text.data,
                      "%1 = \"arith.muli\"(%0, %arg0) : (i32, i32) -> i32 loc(\"t\":3:8)");
  qn_text_deinit(&text);
  qn_module_destroy(module);
}

/* Ops that their custom form can't express are printed in the generic form. */
static void misfits_are_printed_generically(void **state) {
  fixture *f = *state;
  static const char *const texts[] = {
      "%0, %1 = \"t.two\"() : () -> (i32, f32)\n%2 = \"arith.addi\"(%0, %1) : (i32, f32) -> i32",
      "%0 = \"t.one\"() : () -> i8\n%1 = \"arith.cmpi\"(%0, %0) {predicate = 10 : i64} : (i8, i8) "
      "-> i1",
      "\"func.func\"() ({\n}) {function_type = i8, sym_name = \"f\"} : () -> ()",
      "\"func.func\"() ({\n^bb0(%a: i8):\n \"t.x\"() : () -> ()\n}) {function_type = () -> (), "
      "sym_name = \"f\"} : () -> ()",
      "\"func.func\"() ({\n}) {function_type = () -> (), sym_name = \"\"} : () -> ()",
      "\"func.func\"() ({\n}) {arg_attrs = [{}], function_type = (i8) -> (), sym_name = \"f\"} : "
      "() -> ()",
      "\"arith.constant\"() {value = \"x\"} : () -> i8",
      "\"func.call\"() {callee = \"f\"} : () -> ()",
      "\"scf.if\"() : () -> ()",
      "\"builtin.module\"() : () -> ()",
      "\"memref.global\"() {sym_name = \"g\", type = i8} : () -> i8",
      "%0 = \"t.one\"() : () -> i8\n\"scf.for\"(%0, %0, %0) ({\n^bb0(%arg0: i8):\n}) : (i8, i8, "
      "i8) -> ()",
      "\"func.func\"() ({\n^bb0:\n \"cf.br\"()[^bb0] : () -> ()\n}) {function_type = () -> (), "
      "sym_name = \"f\"} : () -> ()",
      "\"func.func\"() ({\n^bb0(%a: i8):\n \"cf.br\"(%a)[^bb0] : (i8) -> ()\n}) {function_type = "
      "(i8) -> (), sym_name = \"f\"} : () -> ()",
  };
  for (size_t i = 0; i < QN_COUNT(texts); i++) {
    qn_module *module, *again;
    qn_text text = {0};
    assert_int_equal(parse(f, qn_str_of(texts[i]), &module), QN_OK);
    qn_text_print(module, NULL, &text);
    assert_int_equal(parse(f, qn_text_view(&text), &again), QN_OK);
    assert_true(qn_op_equal(module->op, again->op));
    qn_module_destroy(module);
    qn_module_destroy(again);
    qn_text_deinit(&text);
  }
}

/* Two payloads with the same key get different keys; a payload that is used twice is written once.
 */
static void resource_keys_are_unique(void **state) {
  fixture *f = *state;
  qn_module *module = qn_module_create(&f->cx, NULL), *again;
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), NULL);
  const qn_type *i8 = qn_type_i(&f->cx, 8);
  const int64_t dims[] = {3};
  const qn_type *type = qn_type_tensor(&f->cx, i8, 1, dims);
  static const uint8_t payloads[][3] = {{1, 2, 3}, {4, 5, 6}, {1, 2, 3}};
  for (size_t i = 0; i < 3; i++) {
    const qn_attr *value =
        qn_attr_resource(&f->cx, type, qn_str_of("key"), (qn_bytes){payloads[i], 3}, true);
    qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  }
  qn_text text = {0};
  qn_text_print(module, NULL, &text);
  assert_non_null(strstr(
      text.data, "      key: \"0x01000000010203\",\n      key_1: \"0x01000000040506\"\n    }"));
  assert_int_equal(parse(f, qn_text_view(&text), &again), QN_OK);
  const qn_op *second = qn_op_body(again->op)->first->next;
  assert_int_equal(qn_dense_int(qn_op_find(second, QN_A_VALUE), 0), 4);
  qn_module_destroy(again);
  qn_module_destroy(module);
  qn_text_deinit(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Types with the same beginning as one that was read before, or that are followed by other text. */
static void repeated_types_are_told_apart(void **state) {
  fixture *f = *state;
  qn_module *module;
  qn_str text = qn_str_of("!i = i3\n"
                          "!i3 = tuple<!i, i3>\n"
                          "\"t.a\"() : () -> (i3, i32, i3, i32, !i, !i3, !i)\n"
                          "\"t.b\"() : () -> (!t.x, !t.x<i3>, !t.x-y, !t.x, !t.x<i3>, !t.x-y)\n"
                          "\"t.c\"() : () -> (tensor<1xi3>, tensor<1xi32>, tensor<1xi3>,\n"
                          "  tensor<1x\n  i3>, tensor<1x\n  i3>)\n"
                          "\"t.d\"() : () -> (tensor<1xi3>,\n  i3, bad)\n");
  const char *want = "module {\n"
                     "  %0:7 = \"t.a\"() : () -> (i3, i32, i3, i32, i3, tuple<i3, i3>, i3)\n"
                     "  %1:6 = \"t.b\"() : () -> "
                     "(!t.x, !t.x<i3>, !t.x-y, !t.x, !t.x<i3>, !t.x-y)\n"
                     "  %2:5 = \"t.c\"() : () -> (tensor<1xi3>, tensor<1xi32>, tensor<1xi3>, "
                     "tensor<1xi3>, tensor<1xi3>)\n"
                     "}\n";
  qn_str good = {text.data, (size_t)(strstr(text.data, "\"t.d\"") - text.data)};
  assert_int_equal(parse(f, good, &module), QN_OK);
  qn_text printed = {0};
  qn_text_print(module, NULL, &printed);
  assert_string_equal(printed.data, want);
  qn_text_deinit(&printed);
  qn_module_destroy(module);
  assert_int_equal(parse(f, text, &module), QN_INVALID);
  assert_string_equal(f->seen.data, "t:10:6: error: expected non-function type\n");
}

/* Returns the memory that a context and a module use for an op with `count` attributes between
 * `head` and `tail`. */
static size_t memory_of_attributes(const char *head, uint32_t count, const char *tail) {
  qn_ir_context cx;
  qn_module *module;
  qn_text text = {0};
  qn_ir_context_init(&cx);
  cx.allow_unregistered = true;
  qn_text_puts(&text, head);
  for (uint32_t i = 0; i < count; i++) qn_text_format(&text, "%sa%u", i ? ", " : "", i);
  qn_text_puts(&text, tail);
  assert_int_equal(qn_text_parse(&cx, qn_text_view(&text), qn_str_of("t"), &module), QN_OK);
  size_t bytes = cx.arena.total + module->arena.total;
  qn_module_destroy(module);
  qn_ir_context_deinit(&cx);
  qn_text_deinit(&text);
  return bytes;
}

static void attributes_take_linear_memory(void **state) {
  (void)state;
  static const char *const ops[][2] = {
      {"module attributes {", "} {}"},
      {"module {module attributes {", "} {}}"},
      {"func.func private @f() attributes {", "}"},
      {"func.func private @f(i8 {", "})"},
      {"\"t.x\"() {", "} : () -> ()"},
      {"\"t.x\"() <{", "}> : () -> ()"},
      {"\"t.x\"() {d = {", "}} : () -> ()"},
      {"%0 = arith.constant {", "} 1 : i8"},
  };
  for (size_t i = 0; i < QN_COUNT(ops); i++) {
    size_t once = memory_of_attributes(ops[i][0], 2000, ops[i][1]);
    size_t more = memory_of_attributes(ops[i][0], 8000, ops[i][1]);
    if (more > 5 * once) fail_msg("%s: %zu bytes, four times as many %zu", ops[i][0], once, more);
  }
}

static void a_byte_order_mark_is_no_text(void **state) {
  fixture *f = *state;
  qn_module *module;
  assert_int_equal(parse(f, qn_str_of("\xEF\xBB\xBFmodule {}"), &module), QN_OK);
  qn_module_destroy(module);
  assert_int_equal(parse(f, qn_str_of("\xEF\xBB\xBF"), &module), QN_OK);
  qn_module_destroy(module);
  assert_int_equal(parse(f, qn_str_of("\xEF\xBB\xBFx"), &module), QN_INVALID);
  assert_string_equal(f->seen.data, "t:1:1: error: custom op 'x' is unknown\n");
  qn_text_clear(&f->seen);
  assert_int_equal(parse(f, qn_str_of("module {\xEF\xBB\xBF}"), &module), QN_INVALID);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(floods_are_limited),
      TEST(aliases_do_not_explode),
      TEST(attributes_take_linear_memory),
      TEST(repeated_types_are_told_apart),
      TEST(errors_stop_at_the_limit),
      TEST(odd_texts),
      TEST(a_byte_order_mark_is_no_text),
      TEST(single_types_and_attributes),
      TEST(single_ops_are_printed_in_context),
      TEST(misfits_are_printed_generically),
      TEST(resource_keys_are_unique),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
