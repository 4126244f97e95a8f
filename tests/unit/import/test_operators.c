/* Every sample model is imported without a message, is valid, and has the expected ops, attributes
 * and shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

#include "tests/support/tflite_samples.h"

static void put_attr(qn_text *out, const qn_named_attr *attr) {
  if (qn_str_is(attr->name, "quern.tensors") || qn_str_is(attr->name, "value")) {
    if (attr->value->kind != QN_ATTR_INTEGER) return;
  }
  qn_text_format(out, " %.*s=", QN_STR_ARG(attr->name));
  const qn_attr *v = attr->value;
  if (v->kind == QN_ATTR_INTEGER) qn_text_format(out, "%lld", (long long)v->integer);
  if (v->kind == QN_ATTR_BOOL) qn_text_puts(out, v->boolean ? "true" : "false");
  if (v->kind == QN_ATTR_FLOAT) qn_text_format(out, "%g", v->number);
  if (v->kind == QN_ATTR_STRING) qn_text_put(out, v->string);
  for (uint32_t i = 0; v->kind == QN_ATTR_DENSE_ARRAY && i < v->dense_array.count; i++)
    qn_text_format(out, "%s%lld", i ? "," : "", (long long)v->dense_array.ints[i]);
}

/* Lists all ops but constants and the return, for example "ml.pad pad=0,0,1,1 [1,3]; ...". */
static void summarize(const import_run *run, qn_text *out) {
  for (const qn_op *op = qn_op_body(import_main(run))->first; op; op = op->next) {
    if (op->kind == QN_OP_ML_CONST || op->kind == QN_OP_FUNC_RETURN) continue;
    qn_text_format(out, "%s%.*s", out->size ? "; " : "", QN_STR_ARG(op->name));
    for (uint32_t i = 0; i < op->attr_count; i++) put_attr(out, &op->attrs[i]);
    for (uint32_t r = 0; r < op->result_count; r++) {
      const qn_type *type = op->results[r].type;
      qn_text_puts(out, " [");
      for (uint32_t i = 0; i < type->shaped.rank; i++)
        qn_text_format(out, "%s%lld", i ? "," : "", (long long)type->shaped.dims[i]);
      qn_text_puts(out, "]");
    }
  }
}

static void test_samples(void **state) {
  (void)state;
  for (uint32_t i = 0; i < qn_tflite_sample_count; i++) {
    qn_tfb *b = qn_tfb_create();
    qn_tflite_samples[i].build(b);
    import_run run;
    import_bytes(&run, qn_tfb_finish(b), NULL);
    if (run.messages.size) fprintf(stderr, "%s: %s", qn_tflite_samples[i].name, run.messages.data);
    assert_int_equal(run.status, QN_OK);
    assert_int_equal(run.messages.size, 0);
    assert_valid(&run);
    qn_text got = {0};
    summarize(&run, &got);
    assert_string_equal(got.data, qn_tflite_samples[i].ops);
    qn_text_deinit(&got);
    import_end(&run);
    qn_tfb_destroy(b);
  }
}

/* Types: per-axis scales are the float32 scales as doubles, storage uint8, bias int32. The data is
 * that of the file, not a copy. */
static void test_types(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[0].build(b);
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  qn_op *conv = nth_op(&run, QN_OP_ML_CONV, 0);
  const qn_quant_uniform *x = qn_type_quant(qn_op_operand(conv, 0)->type);
  assert_true(x->scheme == QN_PER_LAYER && x->is_signed && x->scales[0] == 0.5 &&
              x->zero_points[0] == 4);
  assert_true(x->min == -128 && x->max == 127 && qn_type_is_int(x->storage, 8));
  const qn_quant_uniform *w = qn_type_quant(qn_op_operand(conv, 1)->type);
  assert_true(w->scheme == QN_PER_AXIS && w->axis == 0 && w->count == 2);
  assert_true(w->scales[0] == (double)0.01f && w->scales[1] == (double)0.02f &&
              w->zero_points[1] == 0);
  const qn_attr *payload = qn_value_constant(qn_op_operand(conv, 1));
  assert_int_equal(qn_dense_int(payload, 0), 3);
  assert_int_equal(qn_dense_int(payload, 1), -7);
  const qn_type *bias = qn_op_operand(conv, 2)->type;
  assert_true(qn_type_is_int(bias->shaped.element, 32) && bias->shaped.dims[0] == 2);
  assert_int_equal(qn_dense_int(qn_value_constant(qn_op_operand(conv, 2)), 1), -200);
  qn_text loc = {0};
  qn_loc_render(conv->loc, &loc);
  assert_string_equal(loc.data, "dir/m.tflite: operator 0 (CONV_2D), tensor 'y'");
  qn_text_deinit(&loc);
  qn_i64s tensors = qn_op_tensors(conv);
  assert_true(tensors.count == 1 && tensors.data[0] == 3);
  import_end(&run);
  qn_tfb_destroy(b);
}

static const qn_attr *entry(const qn_attr *dict, const char *name) {
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value;
  return NULL;
}

/* The arguments and results of @main have name, index, scale and zero point. */
static void test_interface(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "in\xFF\n", QN_TFB_SHAPE(1, 6));
  int32_t y = qn_tfb_q8(b, "out", QN_TFB_UINT8, QN_TFB_SHAPE(1, 6), 0.1f, 100);
  qn_tfb_op(b, QN_TFB_QUANTIZE, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), &(qn_import_options){.numerics = qn_str_of("tflm")});
  assert_int_equal(run.status, QN_OK);
  qn_op *func = import_main(&run);
  const qn_attr *args = qn_op_find(func, QN_A_ARG_ATTRS),
                *results = qn_op_find(func, QN_A_RES_ATTRS);
  assert_true(args->array.count == 1 && results->array.count == 1);
  assert_true(qn_str_is(entry(args->array.items[0], "quern.name")->string, "in\\xFF\\x0A"));
  assert_int_equal(entry(args->array.items[0], "quern.index")->integer, 0);
  assert_null(entry(args->array.items[0], "quern.scale"));
  const qn_attr *result = results->array.items[0];
  assert_true(entry(result, "quern.scale")->number == (double)0.1f);
  assert_int_equal(entry(result, "quern.zero_point")->integer, 100);
  assert_int_equal(entry(result, "quern.index")->integer, 1);
  assert_true(!qn_type_quant(nth_op(&run, QN_OP_QUANT_QCAST, 0)->results[0].type)->is_signed);
  assert_true(qn_str_is(qn_op_numerics(run.module->op), "tflm"));
  assert_true(qn_str_is(qn_op_source(run.module->op), "m.tflite"));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* An input that is also an output, a constant as output, and an output that is listed twice. */
static void test_pass_through(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_q8(b, "x", QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
  int32_t c = qn_tfb_const_q8(b, "c", QN_TFB_INT8, QN_TFB_SHAPE(2), (int8_t[]){5, 6},
                              (float[]){0.5f}, 1, 0, 0);
  int32_t y = qn_tfb_q8(b, "y", QN_TFB_INT8, QN_TFB_SHAPE(2), 0.5f, 0);
  qn_tfb_op(b, QN_TFB_RELU, 1, QN_TFB_LIST(x), QN_TFB_LIST(y), qn_tfb_no_options());
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(x, c, y, y));
  expect_import(b, QN_OK, NULL);
}

/* Operator codes below 127 in the old field only, as in files written up to 2020. */
static void test_old_codes(void **state) {
  (void)state;
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[0].build(b);
  qn_tfb_old_codes(b);
  expect_import(b, QN_OK, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),   cmocka_unit_test(test_types),
      cmocka_unit_test(test_interface), cmocka_unit_test(test_pass_through),
      cmocka_unit_test(test_old_codes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
