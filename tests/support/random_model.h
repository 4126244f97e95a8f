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

/* The kind of elements of ops that accept several kinds. */
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
  bool words;       /* activations have 16 bits, weights 8 */
  qn_random_elements elements;
  const qn_type *plain;   /* element type of activations that are only moved; NULL if none */
  bool extreme;           /* scales and payloads are far from those of real models */
  bool large;             /* inputs and channels fill several vectors */
  uint32_t variable;      /* percent of weights and biases that are arguments */
  char diagnostics[4096]; /* texts of all diagnostics, a line each */
  uint32_t errors, warnings;
  const qn_loc *failed_at; /* of the last error */
  /* Operands for recipes (recipes.h), the newest last. */
  qn_value *pool[QN_RANDOM_MAX_VALUES];
  uint32_t pool_count;
  uint32_t rank; /* rank and sizes of the tensors of a random module */
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
/* Prints diagnostics and the module to standard error, to examine a failing seed. */
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
/* A signed tensor type of any width; and a type with a fine scale and the shape of another type. */
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
/* Whether the next weights, bias or second operand are an argument of @main. */
bool qn_random_is_variable(qn_random_model *m);
/* Like qn_random_is_variable, for operands that may be an argument in any model. In a model with
 * elements of several kinds the answer is drawn. */
bool qn_random_is_argument(qn_random_model *m);
/* 8-bit weights, with a scale per index of `axis` or one scale. */
qn_value *qn_random_weights(qn_random_model *m, uint32_t rank, const int64_t *dims, int32_t axis);
/* A bias of the width that the model's activations require; and a 32-bit bias. */
qn_value *qn_random_bias(qn_random_model *m, int64_t channels);
qn_value *qn_random_bias32(qn_random_model *m, int64_t channels);
/* Another op of the same kind and shapes, on f32, i32 or i1. Operands that are constants of `op`
 * are constants. */
qn_op *qn_random_twin(qn_random_model *m, const qn_op *op, const qn_type *element);

/* ---- ops: each uses x, which has rank 4 for ops with a window, and returns a new tensor ---- */

typedef qn_value *qn_random_op(qn_random_model *m, qn_value *x);
qn_random_op qn_random_conv, qn_random_conv_volume, qn_random_conv_transpose, qn_random_depthwise,
    qn_random_linear, qn_random_binary, qn_random_pool, qn_random_mean, qn_random_softmax,
    qn_random_unary, qn_random_pad, qn_random_concat;
/* Like qn_random_binary, with a given kind. */
qn_value *qn_random_binary_of(qn_random_model *m, qn_op_kind kind, qn_value *x);
qn_value *qn_random_pool_of(qn_random_model *m, qn_op_kind kind, qn_value *x);
qn_value *qn_random_unary_of(qn_random_model *m, qn_op_kind kind, qn_value *x);

/* ---- execution ---- */

typedef struct qn_random_run {
  qn_arena arena;
  qn_rt_value args[QN_RANDOM_MAX_ARGS], results[QN_RANDOM_MAX_ARGS];
  uint32_t arg_count, result_count;
} qn_random_run;

/* Draws random inputs of the finished model and stores them in a new run. */
void qn_random_inputs(qn_random_model *m, qn_random_run *out_run);
/* Runs one pass with verification. Prints the module if the pass fails. */
QN_NODISCARD qn_status qn_random_pass(qn_random_model *m, const qn_pass *pass,
                                      const qn_lower_config *config);
/* Runs only lower-to-integer, without verification. `values` are those of its options force, forbid
 * and fall-back. */
QN_NODISCARD qn_status qn_random_lower_to_integer(qn_random_model *m, const char *const values[3]);
/* Interprets @main on the inputs of the run `inputs`, which must outlive the result. */
QN_NODISCARD qn_status qn_random_evaluate(qn_random_model *m, const qn_random_run *inputs,
                                          qn_random_run *out_run);
/* Lowers a copy of the integer-stage module to loops for `target`, and interprets the copy. */
QN_NODISCARD qn_status qn_random_evaluate_loops(qn_random_model *m, const qn_target *target,
                                                const qn_random_run *inputs,
                                                qn_random_run *out_run);
/* Whether all results are equal, byte for byte, and not empty. */
bool qn_random_same_results(const qn_random_run *a, const qn_random_run *b);

#endif
