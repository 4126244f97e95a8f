/* Real models: the imported modules are valid, and peculiarities of single models are imported
 * correctly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

/* Imports a shared model. Returns false, with a message, if it does not exist. */
static bool import_shared(import_run *run, const char *name, const qn_import_options *options) {
  qn_file *file = open_shared_model(name);
  if (!file) {
    fprintf(stderr, "SKIP: the shared model %s is not here (QUERN_SHARED)\n", name);
    return false;
  }
  import_bytes(run, qn_file_bytes(file), options);
  qn_file_release(file);
  return true;
}

static uint32_t count_ops(const import_run *run, qn_op_kind kind) {
  uint32_t n = 0;
  while (nth_op(run, kind, n)) n++;
  return n;
}

static const struct supported {
  const char *name;
  uint32_t convs, depthwise, linear;
} supported[] = {
    {"mobilenet_v1_0.25_128_quant", 15, 13, 0},
    {"mobilenet_v2_1.0_224_quant", 36, 17, 0},
    {"tf2_mobilenet_v2_1.0_224_ptq", 36, 17, 0},
    {"pretrainedResnet_quant", 9, 0, 1},
    {"vww_96_int8", 14, 13, 1},
    {"kws_ref_model", 5, 4, 1},
    {"ad01_int8", 0, 0, 10},
    {"str_ww_ref_model", 4, 4, 1},
    {"micro_speech_quantized", 0, 1, 1},
    {"hello_world_int8", 0, 0, 3},
    {"split_concat", 0, 0, 0},
    {"movenet_single_pose_lightning_ptq", 50, 24, 0},
    {"deeplabv3_mnv2_dm05_pascal_quant", 38, 17, 0},
    {"person_detect", 14, 14, 0},
    {"trained_lstm_int8", 0, 0, 1},
    {"keras_lstm_mnist_ptq", 0, 0, 1},
    {"keyword_scrambled_8bit", 0, 0, 5},
};

static void test_supported(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(supported); i++) {
    const struct supported *s = &supported[i];
    import_run run;
    if (!import_shared(&run, s->name, NULL)) skip();
    if (run.status != QN_OK) fprintf(stderr, "%s", run.messages.data);
    assert_int_equal(run.status, QN_OK);
    assert_false(has_message(&run, "warning"));
    assert_valid(&run);
    uint32_t convs = count_ops(&run, QN_OP_ML_CONV),
             depthwise = count_ops(&run, QN_OP_ML_DEPTHWISE_CONV);
    uint32_t linear = count_ops(&run, QN_OP_ML_LINEAR);
    if (convs != s->convs || depthwise != s->depthwise || linear != s->linear)
      fprintf(stderr, "%s: %u %u %u\n", s->name, convs, depthwise, linear);
    assert_true(convs == s->convs && depthwise == s->depthwise && linear == s->linear);
    import_end(&run);
  }
}

/* The bias vectors of person_detect have quantized_dimension 3, which LiteRT rejects. Every
 * depthwise filter has scales per output channel, and the bias is a vector with one element per
 * output channel. */
static void test_person_detect(void **state) {
  (void)state;
  import_run run;
  if (!import_shared(&run, "person_detect", NULL)) skip();
  for (uint32_t i = 0; i < 14; i++) {
    qn_op *op = nth_op(&run, QN_OP_ML_DEPTHWISE_CONV, i);
    const qn_type *type = qn_op_operand(op, 1)->type;
    const qn_quant_uniform *weights = qn_type_quant(type);
    assert_true(weights->scheme == QN_PER_AXIS && weights->axis == 3);
    assert_int_equal(weights->count, type->shaped.dims[3]);
    const qn_type *bias = qn_op_operand(op, 2)->type;
    assert_true(bias->shaped.rank == 1 && bias->shaped.dims[0] == type->shaped.dims[3]);
  }
  import_end(&run);
}

/* uint8 weights keep their zero point; the data is borrowed from the file, not copied. */
static void test_uint8_weights(void **state) {
  (void)state;
  import_run run;
  if (!import_shared(&run, "mobilenet_v1_0.25_128_quant", NULL)) skip();
  qn_op *conv = nth_op(&run, QN_OP_ML_CONV, 5);
  const qn_quant_uniform *weights = qn_type_quant(qn_op_operand(conv, 1)->type);
  assert_true(weights->scheme == QN_PER_LAYER && !weights->is_signed &&
              weights->zero_points[0] != 0);
  assert_true(qn_op_activation(conv) == QN_ACT_RELU6);
  assert_int_equal(run.module->file_count, 1);
  qn_bytes file = qn_file_bytes(run.module->files[0]);
  const qn_attr *payload = qn_value_constant(qn_op_operand(conv, 1));
  const uint8_t *data = payload->dense.bytes.data;
  assert_true(data > file.data && data < file.data + file.size);
  import_end(&run);
}

/* An unknown batch dimension, set to 4, reaches the outputs of all models that have one. */
static void test_batch(void **state) {
  (void)state;
  static const char *const names[] = {"pretrainedResnet_quant", "vww_96_int8",
                                      "kws_ref_model",          "ad01_int8",
                                      "str_ww_ref_model",       "hello_world_int8"};
  for (size_t i = 0; i < QN_COUNT(names); i++) {
    import_run run;
    if (!import_shared(&run, names[i], &(qn_import_options){.batch = 4})) skip();
    if (run.status != QN_OK) fprintf(stderr, "%s", run.messages.data);
    assert_int_equal(run.status, QN_OK);
    assert_valid(&run);
    const qn_type *type = qn_op_find(import_main(&run), QN_A_FUNCTION_TYPE)->type;
    assert_int_equal(type->function.inputs[0]->shaped.dims[0], 4);
    assert_int_equal(type->function.results[0]->shaped.dims[0], 4);
    import_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_supported),
      cmocka_unit_test(test_person_detect),
      cmocka_unit_test(test_uint8_weights),
      cmocka_unit_test(test_batch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
