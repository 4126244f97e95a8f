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

/* An input of a model file that becomes a constant, such as a shape. */
typedef struct qn_constant_input {
  const char *name;
  qn_dtype dtype;
  uint32_t rank;
  const int64_t *dims;
  const void *data;
  size_t bytes;
} qn_constant_input;

/* The size of dimensions that a model file has a name for. */
typedef struct qn_named_dimension {
  const char *name;
  int64_t size;
} qn_named_dimension;

typedef struct qn_load_options {
  size_t size;
  const char *numerics;   /* profile name; NULL: that of the file's format, what MLIR text says */
  int64_t batch;          /* model files only: bound to dynamic dimensions; 0: 1 */
  int allow_unregistered; /* let ops of unknown dialects pass in MLIR text */
  size_t part_begin, part_end; /* of MLIR text, only these bytes; SIZE_MAX: up to its end */
  int no_implicit_module;      /* MLIR text must be one top-level op, maybe a module */
  int fall_back; /* operators that the profile does not cover are computed in float, with a warning;
                    else they are errors when the model is compiled */
  int keep_unsupported; /* model files only, to look at: operators that are not supported are ops of
                           an unknown dialect instead of errors. Compiling such a model fails. */
  int rebatch; /* model files only: `batch` is bound to dimension 0 of all inputs, also where the
                  file fixes it, and each entry has states of its own; QN_UNSUPPORTED when an
                  operator does not keep the entries apart */
  int64_t max_iterations; /* of all loops that nothing else bounds together, before a run ends with
                             QN_LIMIT; 0: what MLIR text says, or a million */
  const char
      *signature; /* model files only: whose subgraph is the model; NULL: the first subgraph */
  int any_size; /* model files only: `batch`, which must be said, is the largest; the dimension that
                   is bound to it has the size that qn_executable_set_size says. QN_UNSUPPORTED when
                   an operator does not work entry by entry, several dimensions of an input are
                   bound, or a state would have that size */
  /* .tflite only: these operators of the subgraph, ascending, with these tensors of the file as
   * inputs and outputs; no tensors at all: those at the border of the operators. None: the whole
   * subgraph. States are no inputs. */
  const uint32_t *operators;
  const int32_t *inputs, *outputs;
  uint32_t operator_count, input_count, output_count;
  /* Model files only. Both are copied; a name that the file does not have is QN_NOT_FOUND. */
  const qn_constant_input *constants;
  const qn_named_dimension *dimensions;
  uint32_t constant_count, dimension_count;
} qn_load_options;
#define QN_LOAD_OPTIONS_INIT                                                                       \
  {                                                                                                \
    sizeof(qn_load_options), NULL, 0, 0, 0, SIZE_MAX, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, \
        0, 0, NULL, NULL, 0, 0                                                                     \
  }

/* Reads a model file (qn_list "formats") or MLIR text, told apart by content; "-" is standard
 * input. The file is copied: what becomes of it afterwards, cut off or written again, does not
 * reach the model. Options may be NULL. The module is verified. On failure the diagnostics say what
 * and where, all of it in one run, and *out_model is NULL: QN_IO, QN_INVALID, QN_UNSUPPORTED
 * (operators), QN_LIMIT, or QN_NOT_FOUND for an unknown profile or an option that the file has no
 * use for. */
QN_API QN_NODISCARD qn_status qn_model_load(qn_context *context, const char *path,
                                            const qn_load_options *options, qn_model **out_model);
/* The same from memory, which is copied. `name` is in messages. */
QN_API QN_NODISCARD qn_status qn_model_load_memory(qn_context *context, qn_bytes bytes,
                                                   const char *name, const qn_load_options *options,
                                                   qn_model **out_model);
QN_API void qn_model_destroy(qn_model *model);

typedef struct qn_text_options {
  size_t size;
  int generic;                  /* no custom assembly forms */
  int locations;                /* loc(...) after every op */
  int64_t elide_elements_above; /* larger constants print as <__elided__>; 0: none */
  int local_scope;              /* no aliases (#map) before the module */
  int type_aliases;             /* quantized types with several scales as aliases: !q, !q1 ... */
  int no_implicit_module; /* a lone op that was read without a module around it has none again */
  int own_forms;          /* %1 = ml.relu %0 : ... instead of "ml.relu"(%0), which mlir-opt reads */
} qn_text_options;
#define QN_TEXT_OPTIONS_INIT                                                                       \
  { sizeof(qn_text_options), 0, 0, 0, 0, 0, 0, 0 }

/* MLIR text with a NUL after it that *out_size does not count; freed with qn_free. Options may be
 * NULL. What is printed with nothing elided loads as an equal model. */
QN_API QN_NODISCARD qn_status qn_model_print(const qn_model *model, const qn_text_options *options,
                                             char **out_text, size_t *out_size);
/* Frees what a function of this API gave; NULL is allowed. */
QN_API void qn_free(void *memory);

/* A report on the model as JSON text (freed with qn_free): operators, tensors, quantization, MACs,
 * weights, and what is in memory when. The tool formats it for people. What can't be compiled is
 * in it as well, with the reason at each operator. QN_UNSUPPORTED at the loops stage. */
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
