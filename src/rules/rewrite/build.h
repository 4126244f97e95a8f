/* Building of a rule's replacement. All ops are staged: they are inserted after the matched op, and
 * no other op uses them until they are committed. If the replacement is abandoned, they are erased
 * without a trace.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_BUILD_H
#define QN_RULES_REWRITE_BUILD_H

#include "base/array.h"
#include "ir/builder.h"
#include "rules/apply/evaluate.h"
#include "rules/graph/graph.h"

/* The required type and number of outputs of the next op that is built. */
typedef struct qn_rule_wanted {
  uint32_t rank;
  int64_t sizes[QN_RULE_MAX_RANK];
  const qn_type *element;
  int32_t axis; /* dimension that rules see of a per-axis encoding */
  uint32_t outputs;
  bool any_size; /* `sizes` is not required; the sizes are inferred */
} qn_rule_wanted;

typedef struct qn_rule_staging {
  qn_rule_graph *graph;
  const qn_rule_names *names;
  qn_rule_evaluation evaluation;
  qn_builder builder;
  QN_ARRAY(qn_op *) made; /* staged ops in order of creation */
  uint32_t most;          /* maximum number of staged ops */
  qn_value *parts[2];     /* outputs of the last composed op that has several */
  uint32_t part_count;
  int64_t chunk;            /* chunk size of the AUTOSPLIT that was staged last */
  struct qn_folder *folder; /* NULL: constants are not folded */
  const char *code;         /* code of the failure, e.g. "RR0901" */
  qn_text failure;          /* reason of the failure; empty if none */
} qn_rule_staging;

/* Records a failure and returns false. If one is recorded already, it stays. */
bool qn_rule_stage_fail(qn_rule_staging *s, const char *code, const char *format, ...)
    QN_PRINTF(3, 4);
/* Records the failure of the evaluation of a scalar and returns false. */
bool qn_rule_stage_unevaluated(qn_rule_staging *s);
/* Erases all staged ops. */
void qn_rule_stage_drop(qn_rule_staging *s);

/* Sets sizes and element type to those of an operand. Returns false if that fails. */
bool qn_rule_wanted_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *out_wanted);
/* Sets only rank and sizes to those of an operand or shape. */
bool qn_rule_sizes_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted);
/* Sets only element type and axis to those of an operand. */
bool qn_rule_type_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted);

/* The operand for a node of a replacement. Ops are built. Returns false on failure, with the reason
 * in s->failure. */
bool qn_rule_stage_operand(qn_rule_staging *s, const qn_rule_node *node,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* Builds a whole replacement, which can be an AUTOSPLIT or EXTERNAL_REPLACE, too. */
bool qn_rule_stage_root(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                        qn_rule_operand *out_operand);
bool qn_rule_stage_split(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                         qn_rule_operand *out_operand);
bool qn_rule_stage_iterations(qn_rule_staging *s, const qn_rule_node *node,
                              const qn_rule_wanted *wanted, qn_rule_operand *out_operand);

/* Builds an op by its name in the rule language. */
bool qn_rule_stage_op(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs,
                      uint32_t count, const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* Builds a name that stands for several ops of the model dialect. */
bool qn_rule_compose(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs, uint32_t count,
                     const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* The IR value of an operand in a layout; a transposition or reshape is built if it is in another
 * one. NULL on failure. */
qn_value *qn_rule_stage_value(qn_rule_staging *s, qn_rule_operand operand, qn_rule_layout layout);
/* The value of a staged op. If the op only moves or casts a constant, the op is replaced by the
 * resulting constant. NULL on failure. */
qn_value *qn_rule_stage_made(qn_rule_staging *s, qn_value *value);
/* The element type of a value in `layout` whose per-axis encoding has the axis `axis` in the order
 * that rules see. NULL on failure. */
const qn_type *qn_rule_element_in(qn_rule_staging *s, const qn_type *element, int32_t axis,
                                  qn_rule_layout layout, uint32_t rank);
/* Builds a staged ml.const. `bytes` are stored integers if the type is quantized. */
qn_value *qn_rule_stage_constant(qn_rule_staging *s, const qn_type *type, qn_bytes bytes);
/* Computes the elements of an op that only moves elements of a constant. Returns false for other
 * ops and operands. */
bool qn_rule_fold_moved(qn_arena *scratch, const qn_op *op, qn_bytes *out_bytes);

#endif
