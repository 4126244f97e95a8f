/* What an importer is: a model file in, a module at the model stage out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_IMPORT_H
#define QN_IMPORT_IMPORT_H

#include <quern/model.h>

#include "ir/module.h"

/* Operators of the main graph, ascending, with tensors as inputs and outputs. */
typedef struct qn_import_part {
  const uint32_t *operators;
  const int32_t *inputs, *outputs; /* both counts 0: what is at the border of the operators */
  uint32_t operator_count;         /* 0: the whole graph */
  uint32_t input_count, output_count;
} qn_import_part;

typedef struct qn_import_options {
  qn_str path;      /* for messages */
  qn_str numerics;  /* profile; empty: the importer's default */
  int64_t batch;    /* value of dynamic dimensions; 0: 1 */
  qn_str signature; /* the one whose subgraph is @main; empty: the first subgraph */
  bool rebatch;     /* dimension 0 of the inputs is dynamic, whatever the file says */
  bool any_size;    /* the batch is the largest; each call says how many entries there are */
  bool
      keep_unsupported; /* operators that are not supported are no errors but unregistered ops,
                           such as "tflite.NAME", with quern.reason, which the context must allow */
  qn_import_part part;  /* of importers that have parts */
  const qn_constant_input *constants; /* inputs that are none, but constants */
  const qn_named_dimension *dimensions;
  uint32_t constant_count, dimension_count;
} qn_import_options;

/* What a format has, for catalogues. */
typedef struct qn_import_operator {
  const char *name; /* "CONV_2D" */
  qn_op_kind op;    /* what it becomes */
  int newest_version;
} qn_import_operator;
typedef struct qn_import_refusal {
  const char *name;
  uint32_t reason; /* its number in the catalogue's list */
} qn_import_refusal;
typedef struct qn_import_catalogue {
  const qn_import_operator *operators; /* that are implemented */
  const qn_import_refusal *refusals;   /* those that are not */
  const char *const *reasons;
  uint32_t operator_count, refusal_count, reason_count;
} qn_import_catalogue;

/* A file format. The rows are in importers.c.
 *
 * `read`: the file is retained by the module; constants borrow from it. Reports every problem, each
 * naming operator index, operator and tensor; QN_INVALID for a malformed file, QN_UNSUPPORTED when
 * all that is wrong is operators or types outside of what we implement, QN_LIMIT for absurd sizes,
 * QN_NOT_FOUND for an unknown signature.
 * With any_size, QN_UNSUPPORTED also where an operator does not work entry by entry.
 *
 * The module: quern.numerics, quern.source attributes; @main with one argument per input and one
 * result per output; arg_attrs and res_attrs are dictionaries with quern.name, quern.index (tensor
 * number) and, quantized, quern.scale and quern.zero_point; each op that writes tensors carries
 * quern.tensors = array<i64: tensor numbers of its results> and a name location. */
typedef struct qn_importer {
  const char *name;      /* "tflite": its operators are the list NAME, the others NAME-rejected */
  const char *extension; /* ".tflite", for messages */
  const char *numerics;  /* profile where the options name none */
  bool (*matches)(
      qn_bytes bytes); /* by the first bytes of a file, which may be all that is given */
  bool may_be_long;    /* files above 2 GiB can be read */
  bool has_parts;      /* some of the operators of a file can be read */
  bool has_signatures; /* a file can have several models, of which options name one */
  qn_status (*read)(qn_ir_context *cx, qn_file *file, const qn_import_options *options,
                    qn_module **out_module);
  const qn_import_catalogue *catalogue;
} qn_importer;

#endif
