/* Executes any function of a model at any stage, in the reference interpreter or, if it can be
 * compiled, as machine code. For tests, and to examine the result of a pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_INTERPRET_H
#define QUERN_INTERPRET_H

#include <quern/executable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An argument for a parameter of scalar, tensor or memref type. For quantized types, it holds
 * stored values. Integers must fit the element type of the parameter, or its storage type if it is
 * quantized. A single number for a tensor of static shape fills the tensor. The contents of a
 * memref after the call are also a result. */
typedef struct qn_argument {
  const char *constant; /* MLIR text, "dense<[1, 2]> : tensor<2xi8>" or "3 : index"; NULL: the other
                           fields hold an array */
  qn_dtype dtype;
  uint32_t rank;
  const int64_t *dims; /* shape of the array; for this call also the shape of a dynamic or unranked
                          parameter */
  const void *data;    /* row-major */
  const char *name; /* name of the parameter in the text or the model, or its printed name "%arg0",
                       with or without '%'; NULL: the next parameter that no other argument names */
} qn_argument;

typedef struct qn_interpret_options {
  size_t size;
  const char *function; /* name of the function; NULL: the main function of the model */
  int64_t max_steps;    /* maximum number of ops that the interpreter executes before it returns
                           QN_LIMIT */
  qn_engine engine;     /* QN_ENGINE_JIT: compiled for the shapes of the arguments, then run once */
  const char *cpu;      /* JIT: as in qn_compile_options */
  const char *features;
} qn_interpret_options;
#define QN_INTERPRET_OPTIONS_INIT                                                                  \
  { sizeof(qn_interpret_options), NULL, INT64_C(200000000), QN_ENGINE_INTERPRETER, NULL, NULL }

/* Calls the function. *out_text (freed with qn_free) has one line per result, an MLIR constant with
 * the actual shape of this call, then one line "%argN = ..." per memref. An error during the run (a
 * failed assertion, an index out of range, operands of incompatible sizes) is a diagnostic at the
 * op, and the status QN_INVALID. Options may be NULL.
 *
 * The JIT supports functions of arith, math, tensor, shape and linalg.generic ops on scalars and
 * tensors, the result of lower-quant-ops, and the functions that they call. There may be branches
 * but no loops, and result shapes must depend only on argument shapes. Everything else is
 * QN_UNSUPPORTED, reported at the op. Results equal those of the interpreter wherever MLIR defines
 * them. Undefined results (a conversion of a float out of the integer's range, a shift by the bit
 * width or more) may differ, as they do between CPUs. */
QN_API QN_NODISCARD qn_status qn_model_interpret(const qn_model *model,
                                                 const qn_interpret_options *options,
                                                 const qn_argument *arguments, uint32_t count,
                                                 char **out_text, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
