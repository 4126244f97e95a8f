/* Executing any function of a model, at any stage, in the reference interpreter or, where it can be
 * compiled, as machine code: for tests and for looking at what a pass made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_INTERPRET_H
#define QUERN_INTERPRET_H

#include <quern/executable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An argument, for a parameter of any scalar, tensor or memref type. Integers must fit the
 * parameter's, or its storage type when it is quantized: stored values are given. One number for a
 * tensor of static shape fills it. What a memref holds when the call is over is a result, too. */
typedef struct qn_argument {
  const char
      *constant; /* MLIR: "dense<[1, 2]> : tensor<2xi8>", "3 : index"; NULL: the array below */
  qn_dtype dtype;
  uint32_t rank;
  const int64_t *dims; /* what a dynamic or unranked parameter becomes for this call */
  const void *data;    /* row-major */
  const char *name; /* of the parameter in the text or the model, or as it is printed, "%arg0", with
                       or without '%'; NULL: the first that no other argument is for */
} qn_argument;

typedef struct qn_interpret_options {
  size_t size;
  const char *function; /* NULL: the one that stands for the model */
  int64_t max_steps;    /* ops that the interpreter executes before QN_LIMIT */
  qn_engine engine;     /* QN_ENGINE_JIT: compiled for the shapes of the arguments, then run once */
  const char *cpu;      /* JIT: as in qn_compile_options */
  const char *features;
} qn_interpret_options;
#define QN_INTERPRET_OPTIONS_INIT                                                                  \
  { sizeof(qn_interpret_options), NULL, INT64_C(200000000), QN_ENGINE_INTERPRETER, NULL, NULL }

/* Calls the function. *out_text (freed with qn_free) has a line for each result, as an MLIR
 * constant of the type that it has now, then one "%argN = ..." for each memref. What the run finds
 * wrong (an assertion, an index out of range, operands of other sizes) is a diagnostic at the op,
 * and QN_INVALID. Options may be NULL.
 *
 * The JIT takes functions of arith, math, tensor, shape and linalg.generic on scalars and tensors,
 * as lower-quant-ops leaves them, with branches but no loops, and what they call, when shapes
 * follow from shapes; all else is QN_UNSUPPORTED, reported at the op. Results are those of the
 * interpreter wherever MLIR defines them: what is left open (a float out of the range of the
 * integer that it becomes, a shift by the width or more) can differ, as it does between CPUs. */
QN_API QN_NODISCARD qn_status qn_model_interpret(const qn_model *model,
                                                 const qn_interpret_options *options,
                                                 const qn_argument *arguments, uint32_t count,
                                                 char **out_text, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
