/* Small random quantized models for property tests: every op family at awkward shapes, built at the
 * model stage, with random inputs. A test lowers the module and compares interpretations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_RANDOM_MODEL_H
#define QN_TESTS_SUPPORT_RANDOM_MODEL_H

#include "eval/eval.h"
#include "ir/builder.h"
#include "lower/lower.h"
#include "tests/support/choices.h"

enum { QN_RANDOM_MAX_ARGS = 8, QN_RANDOM_MAX_VALUES = 64 };

/* What the elements of an op are that takes several kinds of them. */
typedef enum qn_random_elements {
  QN_RANDOM_ANY,
  QN_RANDOM_QUANTIZED,
  QN_RANDOM_REAL,  /* f32 */
  QN_RANDOM_WHOLE, /* i32 */
} qn_random_elements;

/* A module with @main under construction, and the source of its random numbers. */
typedef struct qn_random_model {
  qn_ir_context cx;
  qn_module *module;
  qn_op *func;
  qn_builder b;
  qn_choices choices;
  bool is_unsigned; /* storage of the activations */
  bool words;       /* they have 16 bits, and weights 8 */
  qn_random_elements elements;
  const qn_type *plain;   /* the element of activations that are moved, not computed; or NULL */
  bool extreme;           /* scales and payloads far from what models have */
  bool large;             /* inputs and channels of several vectors */
  uint32_t variable;      /* percent of weights and biases that are arguments */
  char diagnostics[4096]; /* texts of all diagnostics, a line each */
  uint32_t errors, warnings;
  const qn_loc *failed_at; /* of the last error */
  /* What recipes take operands from (recipes.h), the newest last. */
  qn_value *pool[QN_RANDOM_MAX_VALUES];
  uint32_t pool_count;
  uint32_t rank; /* of the tensors of a random module, and their sizes */
  int64_t dims[8];
  uint32_t depth;   /* of regions: 0 in the function's body, where arguments can be added */
  uint32_t callees; /* functions made to be called */
} qn_random_model;

typedef struct qn_random_affine {
  double scale;
  int64_t zero_point;
} qn_random_affine;

/* `profile`: "litert-ref" (a third of the models is uint8) or "tflm". */
void qn_random_begin(qn_random_model *m, uint64_t seed, const char *profile);
/* The same with decisions of any kind, which are copied. */
void qn_random_begin_with(qn_random_model *m, qn_choices choices, const char *profile);
/* Before anything is drawn: activations have 16 bits. */
void qn_random_use_words(qn_random_model *m);
/* Ends @main; its type follows its arguments and these results. */
void qn_random_end(qn_random_model *m, qn_value *const *results, uint32_t count);
void qn_random_free(qn_random_model *m);
/* Prints diagnostics and module to standard error, so that a failing seed can be looked at. */
void qn_random_dump(const qn_random_model *m);

int64_t qn_random_between(qn_random_model *m, int64_t lo, int64_t hi); /* inclusive */
double qn_random_real(qn_random_model *m, double lo,
                      double hi); /* a float32, evenly in the logarithm */
int64_t qn_random_pick(qn_random_model *m, const int64_t *values, size_t count);
bool qn_random_chance(qn_random_model *m, uint32_t one_in);

/* ---- types and constants ---- */

qn_random_affine qn_random_quant(qn_random_model *m);
/* Tensor of the model's width and signedness. */
const qn_type *qn_random_tensor(qn_random_model *m, qn_random_affine q, uint32_t rank,
                                const int64_t *dims);
/* Signed storage of any width; and with a fine scale, in the shape of another. */
const qn_type *qn_random_signed(qn_random_model *m, uint32_t width, double scale,
                                int64_t zero_point, uint32_t rank, const int64_t *dims);
const qn_type *qn_random_wide(qn_random_model *m, uint32_t width, const qn_type *like);
qn_random_affine qn_random_quant_of(const qn_value *value);
const int64_t *qn_random_dims(const qn_value *value);
const qn_attr *qn_random_i64s(qn_random_model *m, const int64_t *values, uint32_t count);

qn_value *qn_random_input(qn_random_model *m, const qn_type *type);
/* ml.const of a quantized or integer type with these stored bytes. */
qn_value *qn_random_const(qn_random_model *m, const qn_type *type, const void *data, size_t size);
/* ml.const of a quantized type with any bytes. */
qn_value *qn_random_bytes(qn_random_model *m, const qn_type *type);
/* Whether the next weights, biases and second operands are arguments. */
bool qn_random_is_variable(qn_random_model *m);
/* The same of operands that may be either in any model: said where the elements are, else drawn. */
bool qn_random_is_argument(qn_random_model *m);
/* 8-bit weights, with a scale per index of `axis` or one scale. */
qn_value *qn_random_weights(qn_random_model *m, uint32_t rank, const int64_t *dims, int32_t axis);
/* As wide as the model's activations want it; of 32 bits. */
qn_value *qn_random_bias(qn_random_model *m, int64_t channels);
qn_value *qn_random_bias32(qn_random_model *m, int64_t channels);
/* Another op of that kind and shape on f32, i32 or i1, with constants where the op has them. */
qn_op *qn_random_twin(qn_random_model *m, const qn_op *op, const qn_type *element);

/* ---- ops: each consumes x (of rank 4 where it has a window) and returns a new tensor ---- */

typedef qn_value *qn_random_op(qn_random_model *m, qn_value *x);
qn_random_op qn_random_conv, qn_random_conv_volume, qn_random_conv_transpose, qn_random_depthwise,
    qn_random_linear, qn_random_binary, qn_random_pool, qn_random_mean, qn_random_softmax,
    qn_random_unary, qn_random_pad, qn_random_concat;
/* The same of a given kind. */
qn_value *qn_random_binary_of(qn_random_model *m, qn_op_kind kind, qn_value *x);
qn_value *qn_random_pool_of(qn_random_model *m, qn_op_kind kind, qn_value *x);
qn_value *qn_random_unary_of(qn_random_model *m, qn_op_kind kind, qn_value *x);

/* ---- execution ---- */

typedef struct qn_random_run {
  qn_arena arena;
  qn_rt_value args[QN_RANDOM_MAX_ARGS], results[QN_RANDOM_MAX_ARGS];
  uint32_t arg_count, result_count;
} qn_random_run;

/* Random inputs for the finished model, in a run of their own. */
void qn_random_inputs(qn_random_model *m, qn_random_run *out_run);
/* Runs one pass with verification; the module is printed when it fails. */
QN_NODISCARD qn_status qn_random_pass(qn_random_model *m, const qn_pass *pass,
                                      const qn_lower_config *config);
/* Runs lower-to-integer alone, not verified, with these values of its options: force, forbid,
 * fall-back. */
QN_NODISCARD qn_status qn_random_lower_to_integer(qn_random_model *m, const char *const values[3]);
/* Interprets @main on the inputs of another run, which must outlive this one. */
QN_NODISCARD qn_status qn_random_evaluate(qn_random_model *m, const qn_random_run *inputs,
                                          qn_random_run *out_run);
/* Lowers a copy of the module, at the integer stage, to loops for `target` and interprets that. */
QN_NODISCARD qn_status qn_random_evaluate_loops(qn_random_model *m, const qn_target *target,
                                                const qn_random_run *inputs,
                                                qn_random_run *out_run);
/* Whether all results are equal, byte for byte, and none is empty. */
bool qn_random_same_results(const qn_random_run *a, const qn_random_run *b);

#endif
