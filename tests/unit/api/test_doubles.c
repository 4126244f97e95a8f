/* Convolutions and matrix products of f64: the same bits in every engine, for shapes that do not
 * fill vectors, with constant weights and biases and with computed ones.
 *
 * No model has f64 inputs or outputs. f32 inputs are widened and scaled so that all bits of the f64
 * are used; each f64 result is returned as the three f32 that add up to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

#define WINDOW(strides, pad, dilations)                                                            \
  "strides = array<i64: " strides ">, pad = array<i64: " pad                                       \
  ">, dilations = array<i64: " dilations ">"

typedef struct test_case {
  const char *op, *attrs, *x, *w, *bias, *y; /* bias NULL: none */
} test_case;

static const test_case cases[] = {
    {"linear", "activation = \"relu\"", "5x17", "33x17", "33", "5x33"},
    {"linear", "", "1x3x64", "70x64", NULL, "1x3x70"},
    {"conv", WINDOW("1, 2", "1, 0, 2, 1", "2, 1") ", groups = 1 : i64, activation = \"relu6\"",
     "2x7x6x5", "9x3x3x5", "9", "2x4x4x9"},
    {"conv", WINDOW("1, 1", "1, 1, 1, 1", "1, 1") ", groups = 2 : i64", "1x5x5x6", "14x3x3x3", NULL,
     "1x5x5x14"},
    {"depthwise_conv", WINDOW("1, 1", "1, 1, 1, 1", "1, 1"), "1x6x7x19", "1x3x3x19", "19",
     "1x6x7x19"},
    {"depthwise_conv", WINDOW("2, 2", "0, 0, 0, 0", "1, 1"), "1x6x7x3", "1x2x2x6", NULL, "1x3x3x6"},
    {"matmul", "transpose_x = true", "2x9x5", "2x9x13", NULL, "2x5x13"},
    {"matmul", "transpose_y = true", "2x5x9", "13x9", NULL, "2x5x13"},
};

typedef struct writer {
  char text[8192];
  size_t used;
} writer;

static void __attribute__((format(printf, 2, 3))) put(writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, args);
  va_end(args);
  assert_true(w->used < sizeof w->text);
}

/* %NAMEd: %NAME / 10 in f64. */
static void put_operand(writer *w, const char *name, const char *shape) {
  put(w, "  %%%se = arith.extf %%%s : tensor<%sxf32> to tensor<%sxf64>\n", name, name, shape,
      shape);
  put(w, "  %%%sk = arith.constant dense<0.1> : tensor<%sxf64>\n", name, shape);
  put(w, "  %%%sd = arith.mulf %%%se, %%%sk : tensor<%sxf64>\n", name, name, name, shape);
}

/* %NAMEh: the f32 nearest to %NAME; %NAMEr: the remainder. */
static void put_part(writer *w, const char *name, const char *shape) {
  put(w, "  %%%sh = arith.truncf %%%s : tensor<%sxf64> to tensor<%sxf32>\n", name, name, shape,
      shape);
  put(w, "  %%%si = arith.extf %%%sh : tensor<%sxf32> to tensor<%sxf64>\n", name, name, shape,
      shape);
  put(w, "  %%%sr = arith.subf %%%s, %%%si : tensor<%sxf64>\n", name, name, name, shape);
}

static void put_constant(writer *w, const char *name, const char *shape) {
  put(w, "  %%%sd = \"ml.const\"() {value = dense<3.7> : tensor<%sxf64>} : () -> tensor<%sxf64>\n",
      name, shape, shape);
}

static void write_case(const test_case *c, bool constant, writer *w) {
  w->used = 0;
  put(w, "func.func @main(%%x: tensor<%sxf32>", c->x);
  if (!constant) put(w, ", %%w: tensor<%sxf32>", c->w);
  if (!constant && c->bias) put(w, ", %%b: tensor<%sxf32>", c->bias);
  put(w, ") -> (tensor<%sxf32>, tensor<%sxf32>, tensor<%sxf32>) {\n", c->y, c->y, c->y);
  put_operand(w, "x", c->x);
  (constant ? put_constant : put_operand)(w, "w", c->w);
  if (c->bias) (constant ? put_constant : put_operand)(w, "b", c->bias);
  put(w, "  %%y = \"ml.%s\"(%%xd, %%wd%s) {%s} : (tensor<%sxf64>, tensor<%sxf64>", c->op,
      c->bias ? ", %bd" : "", c->attrs, c->x, c->w);
  if (c->bias) put(w, ", tensor<%sxf64>", c->bias);
  put(w, ") -> tensor<%sxf64>\n", c->y);
  put_part(w, "y", c->y);
  put_part(w, "yr", c->y);
  put_part(w, "yrr", c->y);
  put(w, "  return %%yh, %%yrh, %%yrrh : tensor<%sxf32>, tensor<%sxf32>, tensor<%sxf32>\n}\n", c->y,
      c->y, c->y);
}

enum { MOST = 8192, OUTPUTS = 3 };

static void check(const test_case *c, bool constant) {
  static float in[MOST], first[OUTPUTS][MOST], got[OUTPUTS][MOST];
  engines e;
  writer w;
  engines_open(&e);
  for (int i = 0; i < MOST; i++) in[i] = (float)(i * 37 % 101 - 50) / (float)(i % 7 + 1);
  write_case(c, constant, &w);
  qn_model *model = load_text(&e, w.text);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    const void *inputs[] = {in, in + 5, in + 11};
    void *outputs[OUTPUTS];
    for (int o = 0; o < OUTPUTS; o++) outputs[o] = k == 0 ? first[o] : got[o];
    size_t bytes = qn_executable_output(x, 0).bytes;
    assert_true(bytes <= sizeof first[0]);
    assert_int_equal(qn_executable_invoke(x, inputs, outputs), QN_OK);
    for (int o = 0; o < OUTPUTS && k > 0; o++)
      if (memcmp(first[o], got[o], bytes) != 0)
        fail_msg("%s %s, %s: other bits than at the model stage", c->op, c->y, e.names[k]);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

static void variable_weights(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check(&cases[i], false);
}

static void constant_weights(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check(&cases[i], true);
}

/* The products have a schedule of their own, and are not lowered as generic loops over elements. */
static void products_keep_their_name(void **unused) {
  engines e;
  writer w;
  char *text;
  size_t size;
  (void)unused;
  engines_open(&e);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    write_case(&cases[i], false, &w);
    qn_model *model = load_text(&e, w.text);
    assert_int_equal(qn_emit_form(model, NULL, QN_FORM_LOOPS, &text, &size), QN_OK);
    assert_null(strstr(text, "@generic"));
    assert_non_null(strstr(text, cases[i].op));
    qn_free(text);
    qn_model_destroy(model);
  }
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variable_weights),
      cmocka_unit_test(constant_weights),
      cmocka_unit_test(products_keep_their_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
