/* Recurrent cells on floats: the ops that are built, and errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"
#include "ir/ops/forms.h"
#include "ir/ops/lstm.h"

enum { RNN = 35, BOTH_RNN = 46, RNN_OPTIONS = 31, BOTH_RNN_OPTIONS = 70, LSTM_OPTIONS = 71 };
enum { BATCH = 2, DEPTH = 3, UNITS = 2 };

static int32_t floats(qn_tfb *b, const char *name, int32_t rows, int32_t columns) {
  static const float data[64] = {0.5f, -1.0f, 0.25f};
  size_t count = (size_t)rows * (size_t)(columns ? columns : 1);
  return qn_tfb_any(
      b, &(qn_tfb_tensor){.name = name,
                          .type = QN_TFB_FLOAT32,
                          .shape = columns ? QN_TFB_SHAPE(rows, columns) : QN_TFB_SHAPE(rows),
                          .data = data,
                          .size = count * sizeof *data});
}

static int32_t state_of(qn_tfb *b, const char *name, int32_t size) {
  return qn_tfb_any(b, &(qn_tfb_tensor){.name = name,
                                        .type = QN_TFB_FLOAT32,
                                        .shape = QN_TFB_SHAPE(BATCH, size),
                                        .is_variable = true});
}

static int64_t count_of(const import_run *run, qn_op_kind kind) {
  int64_t count = 0;
  for (const qn_op *op = nth_op(run, kind, 0); op; op = op->next) count += op->kind == kind;
  return count;
}

/* ---- RNN ---- */

typedef struct rnn {
  int32_t steps, activation;
  bool is_fixed, no_bias; /* is_fixed: the state is no variable tensor */
} rnn;

static qn_tfb *rnn_of(rnn r) {
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(BATCH, r.steps, DEPTH));
  int32_t w = floats(b, "w", UNITS, DEPTH), v = floats(b, "v", UNITS, UNITS),
          c = r.no_bias ? -1 : floats(b, "c", UNITS, 0),
          h = r.is_fixed ? qn_tfb_f32(b, "h", QN_TFB_SHAPE(BATCH, UNITS)) : state_of(b, "h", UNITS),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(BATCH, r.steps, UNITS));
  qn_tfb_op(b, RNN, 1, QN_TFB_LIST(x, w, v, c, h), QN_TFB_LIST(y),
            (qn_tfb_options){
                .type = RNN_OPTIONS, .count = 1, .fields = {{1, 1, (uint32_t)r.activation}}});
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_steps(void **state) {
  (void)state;
  import_run run;
  qn_tfb *b = rnn_of((rnn){.steps = 3, .activation = QN_TFB_ACT_TANH});
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  assert_int_equal(count_of(&run, QN_OP_ML_RNN), 1);
  assert_int_equal(qn_op_cell_activation(nth_op(&run, QN_OP_ML_RNN, 0)), QN_CELL_TANH);
  const qn_op *end = nth_op(&run, QN_OP_FUNC_RETURN, 0);
  assert_int_equal(end->operand_count, 2); /* the result, then the state */
  import_end(&run);
  qn_tfb_destroy(b);
}

static void test_rnn_problems(void **state) {
  (void)state;
  expect_import(rnn_of((rnn){.steps = 2, .activation = 5}), QN_UNSUPPORTED,
                "the activation 5 is not supported");
  expect_import(rnn_of((rnn){.steps = 2, .is_fixed = true}), QN_INVALID,
                "operand 4 must be a variable tensor of floats");
  expect_import(rnn_of((rnn){.steps = 2, .no_bias = true}), QN_INVALID, "operand 3 is missing");
  expect_import(rnn_of((rnn){.steps = 2000}), QN_LIMIT,
                "2000 steps of time are more than the limit of 1024");
}

static void test_both_directions(void **state) {
  (void)state;
  import_run run;
  qn_tfb *b = qn_tfb_create();
  int32_t in[12], x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(BATCH, 2, DEPTH));
  for (int i = 0; i < 12; i++) in[i] = -1;
  in[0] = x;
  for (int d = 0; d < 2; d++) {
    in[4 * d + 1] = floats(b, "w", UNITS, DEPTH);
    in[4 * d + 2] = floats(b, "v", UNITS, UNITS);
    in[4 * d + 3] = floats(b, "c", UNITS, 0);
    in[4 * d + 4] = state_of(b, "h", UNITS);
  }
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(BATCH, 2, 2 * UNITS));
  qn_tfb_op(
      b, BOTH_RNN, 1, (qn_tfb_list){12, in}, QN_TFB_LIST(y),
      (qn_tfb_options){.type = BOTH_RNN_OPTIONS, .count = 2, .fields = {{1, 1, 4}, {2, 1, 1}}});
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  assert_int_equal(count_of(&run, QN_OP_ML_RNN), 2);
  assert_false(qn_op_backward(nth_op(&run, QN_OP_ML_RNN, 0)));
  assert_true(qn_op_backward(nth_op(&run, QN_OP_ML_RNN, 1)));
  import_end(&run);
  qn_tfb_destroy(b);
}

/* ---- LSTM ---- */

/* An LSTM with coupled gates, peepholes, a projection and normalization. */
static qn_tfb *lstm_of(int32_t activation, int32_t columns) {
  enum { OUTPUTS = 1 };
  qn_tfb *b = qn_tfb_create();
  int32_t in[24], x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(BATCH, 2, DEPTH));
  for (int i = 0; i < 24; i++) in[i] = -1;
  in[0] = x;
  for (int g = 1; g < 4; g++) {
    in[1 + g] = floats(b, "w", UNITS, columns);
    in[5 + g] = floats(b, "r", UNITS, OUTPUTS);
    in[12 + g] = floats(b, "c", UNITS, 0);
    in[20 + g] = floats(b, "n", UNITS, 0);
  }
  in[10] = floats(b, "p", UNITS, 0);
  in[11] = floats(b, "p", UNITS, 0);
  in[16] = floats(b, "s", OUTPUTS, UNITS);
  in[18] = state_of(b, "h", OUTPUTS);
  in[19] = state_of(b, "cell", UNITS);
  int32_t y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(BATCH, 2, OUTPUTS));
  qn_tfb_op(
      b, QN_TFB_LSTM, 1, (qn_tfb_list){24, in}, QN_TFB_LIST(y),
      (qn_tfb_options){.type = LSTM_OPTIONS, .count = 1, .fields = {{0, 1, (uint32_t)activation}}});
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_variants(void **state) {
  (void)state;
  import_run run;
  qn_tfb *b = lstm_of(QN_TFB_ACT_TANH, DEPTH);
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  const qn_op *op = nth_op(&run, QN_OP_ML_LSTM, 0);
  assert_true(qn_op_coupled(op));
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  assert_int_equal(parts.peepholes, QN_LSTM_PLAIN);
  assert_int_equal(parts.gains, QN_LSTM_PLAIN + QN_LSTM_PEEPHOLES);
  assert_int_equal(parts.projection, QN_LSTM_PLAIN + QN_LSTM_PEEPHOLES + QN_LSTM_GAINS);
  assert_int_equal(qn_cell_size(op, QN_CELL_PROJECTION), 1); /* it has no bias */
  assert_int_equal(nth_op(&run, QN_OP_FUNC_RETURN, 0)->operand_count, 3);
  import_end(&run);
  qn_tfb_destroy(b);
  expect_import(lstm_of(0, DEPTH), QN_UNSUPPORTED, "the runtimes leave its gates undefined");
  expect_import(lstm_of(QN_TFB_ACT_TANH, DEPTH + 1), QN_INVALID,
                "shape [2, 4] where [2, 3] follows from the others");
}

/* ---- SVDF ---- */

static qn_tfb *svdf_of(int32_t rank) {
  enum { MEMORY = 4, FILTERS = 2 * UNITS };
  qn_tfb *b = qn_tfb_create();
  int32_t x = qn_tfb_f32(b, "x", QN_TFB_SHAPE(BATCH, DEPTH));
  int32_t w = floats(b, "w", FILTERS, DEPTH), t = floats(b, "t", FILTERS, MEMORY),
          h = state_of(b, "h", FILTERS * MEMORY),
          y = qn_tfb_f32(b, "y", QN_TFB_SHAPE(BATCH, UNITS));
  qn_tfb_op(b, QN_TFB_SVDF, 1, QN_TFB_LIST(x, w, t, -1, h), QN_TFB_LIST(y),
            qn_tfb_svdf_options(rank));
  qn_tfb_interface(b, QN_TFB_LIST(x), QN_TFB_LIST(y));
  return b;
}

static void test_svdf(void **state) {
  (void)state;
  import_run run;
  qn_tfb *b = svdf_of(2);
  import_bytes(&run, qn_tfb_finish(b), NULL);
  assert_int_equal(run.status, QN_OK);
  assert_valid(&run);
  assert_int_equal(count_of(&run, QN_OP_ML_SVDF), 1);
  assert_int_equal(nth_op(&run, QN_OP_FUNC_RETURN, 0)->operand_count, 2);
  import_end(&run);
  qn_tfb_destroy(b);
  expect_import(svdf_of(3), QN_INVALID, "weights of filters, 3 for each unit, are expected");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                     cmocka_unit_test(test_rnn_problems),
                                     cmocka_unit_test(test_both_directions),
                                     cmocka_unit_test(test_variants), cmocka_unit_test(test_svdf)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
