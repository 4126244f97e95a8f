/* Models: a model file or MLIR text, at some stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_MODEL_H
#define QUERN_MODEL_H

#include <quern/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_model qn_model;

/* A value for an input of a model file, which turns that input into a constant. For inputs such as
 * shapes. */
typedef struct qn_constant_input {
  const char *name;
  qn_dtype dtype;
  uint32_t rank;
  const int64_t *dims;
  const void *data;
  size_t bytes;
} qn_constant_input;

/* The size of all dimensions that have this name in a model file. */
typedef struct qn_named_dimension {
  const char *name;
  int64_t size;
} qn_named_dimension;

typedef struct qn_load_options {
  size_t size;
  const char *numerics; /* name of a numerics profile; NULL: the default of the file format, or the
                           profile that MLIR text specifies */
  int64_t batch;        /* model files only: size of dynamic dimensions; 0: 1 */
  int allow_unregistered; /* accept ops of unknown dialects in MLIR text */
  size_t part_begin,
      part_end; /* range of bytes of MLIR text that is read; part_end SIZE_MAX: up to the end */
  int no_implicit_module; /* MLIR text must be one top-level op, maybe a module */
  int fall_back; /* float fallback: operators that the profile does not cover are computed in float,
                    with a warning; without it, compiling a model with such operators fails */
  int keep_unsupported; /* model files only, for inspection: an unsupported operator becomes an op
                           of an unknown dialect instead of an error. Compiling such a model fails.
                         */
  int rebatch; /* model files only: dimension 0 of all inputs gets the size `batch` even if the file
                  has a static size there, and each batch element has separate states;
                  QN_UNSUPPORTED if an operator combines batch elements */
  int64_t max_iterations; /* maximum total number of iterations of all unbounded loops, after which
                             a run ends with QN_LIMIT; 0: the number that MLIR text specifies, or a
                             million */
  const char *signature; /* model files only: signature whose subgraph is the model; NULL: the first
                            subgraph */
  int any_size; /* model files only: the batch size is dynamic, with the upper bound `batch`, which
                   must be given. qn_executable_set_size sets the size of a call. QN_UNSUPPORTED if
                   an operator combines batch elements, an input has several dynamic dimensions, or
                   a state would have a dynamic dimension */
  /* .tflite only: reads a part of the subgraph. `operators` are ascending operator indices; with
   * operator_count 0 the whole subgraph is read. `inputs` and `outputs` are tensor indices of the
   * file; if both are empty, they are the tensors that cross the border of the part. States don't
   * count as inputs. */
  const uint32_t *operators;
  const int32_t *inputs, *outputs;
  uint32_t operator_count, input_count, output_count;
  /* Model files only. Both arrays are copied. QN_NOT_FOUND if the file does not have one of the
   * names. */
  const qn_constant_input *constants;
  const qn_named_dimension *dimensions;
  uint32_t constant_count, dimension_count;
} qn_load_options;
#define QN_LOAD_OPTIONS_INIT                                                                       \
  {                                                                                                \
    sizeof(qn_load_options), NULL, 0, 0, 0, SIZE_MAX, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, \
        0, 0, NULL, NULL, 0, 0                                                                     \
  }

/* Reads a model file (qn_list "formats") or MLIR text, and verifies the module. The content decides
 * which of the two it is; "-" is standard input. The file is copied, so later changes of the file
 * do not affect the model. Options may be NULL. On failure *out_model is NULL, and diagnostics
 * report all errors with their locations. Statuses are QN_IO, QN_INVALID, QN_UNSUPPORTED
 * (unsupported operators), QN_LIMIT, or QN_NOT_FOUND for an unknown profile or an option that does
 * not apply to the file. */
QN_API QN_NODISCARD qn_status qn_model_load(qn_context *context, const char *path,
                                            const qn_load_options *options, qn_model **out_model);
/* Like qn_model_load, from memory, which is copied. `name` is the file name in messages. */
QN_API QN_NODISCARD qn_status qn_model_load_memory(qn_context *context, qn_bytes bytes,
                                                   const char *name, const qn_load_options *options,
                                                   qn_model **out_model);
QN_API void qn_model_destroy(qn_model *model);

typedef struct qn_text_options {
  size_t size;
  int generic;                  /* print all ops in the generic form */
  int locations;                /* loc(...) after every op */
  int64_t elide_elements_above; /* print constants with more elements than this as <__elided__>; 0:
                                   print all constants in full */
  int local_scope;              /* print no aliases (#map) before the module */
  int type_aliases;       /* print quantized types with several scales as aliases !q, !q1 ... */
  int no_implicit_module; /* print no module around a single op that was read without one */
  int own_forms;          /* %1 = ml.relu %0 : ... instead of "ml.relu"(%0), which mlir-opt reads */
} qn_text_options;
#define QN_TEXT_OPTIONS_INIT                                                                       \
  { sizeof(qn_text_options), 0, 0, 0, 0, 0, 0, 0 }

/* Prints the model as MLIR text (freed with qn_free). A NUL follows, which *out_size does not
 * count. Options may be NULL. If no constant is elided, loading the text gives an equal model. */
QN_API QN_NODISCARD qn_status qn_model_print(const qn_model *model, const qn_text_options *options,
                                             char **out_text, size_t *out_size);
/* Frees text or data that a function of this API returned; NULL is allowed. */
QN_API void qn_free(void *memory);

/* A report on the model as JSON text (freed with qn_free): operators, tensors, quantization, MACs,
 * weights, and the lifetimes of buffers. `quern inspect` formats it for people. Operators that
 * can't be compiled are included, with the reason. QN_UNSUPPORTED if the model is at the loops
 * stage. */
QN_API QN_NODISCARD qn_status qn_model_inspect(const qn_model *model, char **out_json,
                                               size_t *out_size);

/* Catalogues, as JSON text (freed with qn_free): what is "ops", "dialects", "passes", "formats" (of
 * model files), the name of a format (its operators) or that with "-refused" appended, "targets",
 * "profiles" or "stages"; QN_NOT_FOUND otherwise. */
QN_API QN_NODISCARD qn_status qn_list(const char *what, char **out_json, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
