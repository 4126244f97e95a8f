/* Importer interface: reads a model file and returns a module at the model stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_IMPORT_H
#define QN_IMPORT_IMPORT_H

#include <quern/model.h>

#include "ir/module.h"

/* A part of the main graph: operators in ascending order, with tensors as inputs and outputs. */
typedef struct qn_import_part {
  const uint32_t *operators;
  const int32_t *inputs, *outputs; /* tensor indices; both counts 0: derived from the operators */
  uint32_t operator_count;         /* 0: the whole graph */
  uint32_t input_count, output_count;
} qn_import_part;

typedef struct qn_import_options {
  qn_str path;      /* for messages */
  qn_str numerics;  /* profile; empty: the importer's default */
  int64_t batch;    /* size of unknown dimensions; 0 means 1 */
  qn_str signature; /* signature whose subgraph becomes @main; empty: the first subgraph */
  bool rebatch;  /* dimension 0 of the inputs gets the size `batch`, even if it is known in the file
                  */
  bool any_size; /* `batch` is an upper bound; each call specifies the batch size */
  bool keep_unsupported; /* unsupported operators are not errors but unregistered ops, such as
                            "tflite.NAME", with quern.reason; the context must allow these */
  qn_import_part part;   /* for importers with has_parts */
  const qn_constant_input *constants; /* inputs that become constants */
  const qn_named_dimension *dimensions;
  uint32_t constant_count, dimension_count;
} qn_import_options;

/* A supported operator of a format, for lists of operators. */
typedef struct qn_import_operator {
  const char *name; /* "CONV_2D" */
  qn_op_kind op;    /* op kind that it becomes */
  int newest_version;
} qn_import_operator;
typedef struct qn_import_refusal {
  const char *name;
  uint32_t reason; /* index in the catalogue's list of reasons */
} qn_import_refusal;
typedef struct qn_import_catalogue {
  const qn_import_operator *operators; /* supported operators */
  const qn_import_refusal *refusals;   /* unsupported operators, with reasons */
  const char *const *reasons;
  uint32_t operator_count, refusal_count, reason_count;
} qn_import_catalogue;

/* A file format; importers.c has the table.
 *
 * `read`: reads a file, which the module retains because constants borrow from it. Reports every
 * problem with operator index, operator and tensor. QN_INVALID for a malformed file; QN_UNSUPPORTED
 * if the only problems are unsupported operators or types; QN_LIMIT for excessive sizes;
 * QN_NOT_FOUND for an unknown signature. With any_size, also QN_UNSUPPORTED for an operator that
 * mixes batch elements.
 *
 * The module has the attributes quern.numerics and quern.source, and @main with one argument per
 * input and one result per output. arg_attrs and res_attrs are dictionaries with quern.name,
 * quern.index (tensor index) and, if quantized, quern.scale and quern.zero_point. Each op that
 * writes tensors has quern.tensors = array<i64: tensor indices of its results> and a name location.
 */
typedef struct qn_importer {
  const char *name; /* "tflite": NAME lists its operators, and NAME-refused the unsupported ones */
  const char *extension;           /* ".tflite", for messages */
  const char *numerics;            /* default numerics profile */
  bool (*matches)(qn_bytes bytes); /* detects the format from the first bytes of a file */
  bool may_be_long;                /* supports files above 2 GiB */
  bool has_parts;                  /* supports reading a part of the operators */
  bool has_signatures;             /* files can have several signatures; an option selects one */
  qn_status (*read)(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                    qn_module **out_module);
  const qn_import_catalogue *catalogue;
} qn_importer;

#endif
