/* remove-unread-channels: random weights with unread channels, at targets with groups of several
 * sizes. The results stay the same, and the channels that stay are rounded up to whole groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/lower.h"
#include "tests/unit/lower/module_case.h"

enum { PIXELS = 9, RESULTS = 3 * PIXELS };

static int32_t next(uint32_t *random, int32_t least, int32_t most) {
  *random = *random * 1664525u + 1013904223u;
  return least + (int32_t)((*random >> 8) % (uint32_t)(most - least + 1));
}

/* ---- the model: product, pad, depthwise convolution, pool, product ---- */

/* Random numbers row by row; in columns from `read` on they are 0. */
static void constant(uint32_t *random, qn_text *to, const char *name, const char *type, int rows,
                     int columns, int read, int32_t least, int32_t most) {
  qn_text_format(to, "%%%s = \"ml.const\"() {value = dense<\"0x", name);
  int bytes = type[1] == '8' ? 1 : 4;
  for (int i = 0; i < rows * columns; i++) {
    uint32_t value = (uint32_t)(i % columns < read ? next(random, least, most) : 0);
    for (int b = 0; b < bytes; b++) qn_text_format(to, "%02X", value >> 8 * b & 0xFF);
  }
  qn_text_format(to, "\"> : tensor<");
}

static void end_constant(qn_text *to, const char *shape) {
  qn_text_format(to, "%s>} : () -> tensor<%s>\n", shape, shape);
}

static void weights(uint32_t *random, qn_text *to, const char *name, const char *shape, int rows,
                    int columns, int read) {
  constant(random, to, name, "i8", rows, columns, read, -127, 127);
  end_constant(to, shape);
}

static void parameters(uint32_t *random, qn_text *to, const char *product, int channels) {
  static const struct {
    const char *suffix;
    int32_t least, most;
  } rows[] = {{"b", -3000, 9000}, {"m", 1 << 30, INT32_MAX}, {"s", -9, -7}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    char name[8], shape[16];
    snprintf(name, sizeof name, "%s%s", product, rows[i].suffix);
    snprintf(shape, sizeof shape, "%dxi32", channels);
    constant(random, to, name, "i32", 1, channels, channels, rows[i].least, rows[i].most);
    end_constant(to, shape);
  }
}

static void op(qn_text *to, const char *kind, const char *x, const char *w, const char *groups,
               const char *rounding, const char *types, int channels, const char *result) {
  qn_text_format(
      to,
      "%%y%s = \"ml.integer_%s\"(%%%s, %%%s, %%%sb, %%%sm, %%%ss) {strides = array<i64: 1, "
      "1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, %s"
      "input_zero_point = 0 : i64, weight_zero_point = 0 : i64, output_zero_point = 0 : "
      "i64, min = 0 : i64, max = 255 : i64, rounding = \"%s\"} : (%s, tensor<%dxi32>, "
      "tensor<%dxi32>, tensor<%dxi32>) -> %s\n",
      w, kind, x, w, w, w, w, groups, rounding, types, channels, channels, channels, result);
}

/* A model with `all` channels between two products, the first `read` of which have weights. */
static void parse(module_case *f, uint32_t random, int all, int read, const char *rounding) {
  qn_text t = {0};
  qn_arena names;
  qn_arena_init(&names);
#define FORMAT(...) qn_arena_format(&names, __VA_ARGS__).data
  const char *a = FORMAT("%dx1x1x5xi8", all), *d = FORMAT("1x2x2x%dxi8", all);
  const char *z = FORMAT("3x1x1x%dxi8", all), *y = FORMAT("tensor<1x3x3x%dxui8>", all);
  const char *padded = FORMAT("tensor<1x4x4x%dxui8>", all);
  qn_text_puts(&t, "func.func @main(%x: tensor<1x3x3x5xui8>) -> tensor<1x3x3x3xui8> {\n");
  weights(&random, &t, "a", a, all, 5, 5);
  weights(&random, &t, "d", d, 4, all, all);
  weights(&random, &t, "z", z, 3, all, read);
  parameters(&random, &t, "a", all);
  parameters(&random, &t, "d", all);
  parameters(&random, &t, "z", 3);
  op(&t, "conv", "x", "a", "groups = 1 : i64, ", rounding,
     FORMAT("tensor<1x3x3x5xui8>, tensor<%s>", a), all, y);
  qn_text_format(
      &t,
      "%%p = \"ml.pad\"(%%ya) {pad = array<i64: 0, 0, 1, 0, 0, 1, 0, 0>, value = 7 : i64}"
      " : (%s) -> %s\n",
      y, padded);
  op(&t, "depthwise_conv", "p", "d", "", rounding, FORMAT("%s, tensor<%s>", padded, d), all, y);
  qn_text_format(
      &t,
      "%%q = \"ml.integer_max_pool\"(%%yd) {kernel_sizes = array<i64: 1, 1>, strides = "
      "array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, min = 9 : i64, max = 240 : i64} : "
      "(%s) -> %s\n",
      y, y);
  op(&t, "conv", "q", "z", "groups = 1 : i64, ", "double", FORMAT("%s, tensor<%s>", y, z), 3,
     "tensor<1x3x3x3xui8>");
  qn_text_puts(&t, "return %yz : tensor<1x3x3x3xui8>\n}\n");
#undef FORMAT
  module_parse(f, qn_text_view(&t));
  qn_text_deinit(&t);
  qn_arena_deinit(&names);
}

/* Channels of the first product after the pass. */
static int64_t channels_after(module_case *f, const qn_lower_config *config) {
  const qn_pass *passes[] = {&qn_pass_remove_unread_channels};
  const qn_pipeline_options options = {.config = config, .verify_each = true};
  assert_int_equal(qn_pipeline_run(f->module, passes, 1, &options), QN_OK);
  for (const qn_op *o = qn_op_body(qn_module_main(f->module))->first; o; o = o->next)
    if (o->kind == QN_OP_ML_INTEGER_CONV) return o->results[0].type->shaped.dims[3];
  fail();
  return 0;
}

static void check(const char *level, int all, int read, const char *rounding, int64_t expected) {
  module_case f;
  const qn_lower_config config = {.target = qn_target_find(qn_str_of(level))};
  assert_non_null(config.target);
  for (uint32_t seed = 1; seed <= 20; seed++) {
    parse(&f, seed, all, read, rounding);
    const uint8_t *before = module_evaluate(&f);
    assert_int_equal(channels_after(&f, &config), expected);
    assert_memory_equal(module_evaluate(&f), before, RESULTS);
    module_finish(&f);
  }
}

static void whole_groups_go(void **unused) {
  (void)unused;
  check("cortex-m4", 24, 9, "double", 12);
  check("cortex-m0plus", 24, 9, "double", 12);
  check("generic", 24, 9, "double", 16);
  check("x86-64-v3", 40, 9, "double", 32);
  check("x86-64-v4", 130, 70, "double", 128);
}

static void tensors_without_a_whole_group_stay(void **unused) {
  (void)unused;
  check("cortex-m4", 24, 21, "double", 24);
  check("x86-64-v3", 24, 3, "double", 24);
}

static void one_group_stays_if_nothing_is_read(void **unused) {
  (void)unused;
  check("cortex-m4", 24, 0, "double", 4);
}

/* A channel rounds as before: all of them are in whole groups of eight, before and after. */
static void rounding_in_eights_keeps_eights(void **unused) {
  (void)unused;
  check("cortex-m4", 24, 9, "up_in_eights", 16);
  check("cortex-m4", 20, 9, "up_in_eights", 20);
}

static void kept_tensors_stay(void **unused) {
  (void)unused;
  module_case f;
  const qn_lower_config config = {.target = qn_target_find(qn_str_of("cortex-m4")),
                                  .keep_tensors = true};
  parse(&f, 1, 24, 9, "double");
  assert_int_equal(channels_after(&f, &config), 24);
  module_finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_groups_go),
      cmocka_unit_test(tensors_without_a_whole_group_stay),
      cmocka_unit_test(one_group_stays_if_nothing_is_read),
      cmocka_unit_test(rounding_in_eights_keeps_eights),
      cmocka_unit_test(kept_tensors_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
