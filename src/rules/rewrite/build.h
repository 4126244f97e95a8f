/* Building what a rule puts in the place of what it matched. All ops are staged: they follow
 * the matched one and nothing uses them until they are committed; abandoned, they leave no trace.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_BUILD_H
#define QN_RULES_REWRITE_BUILD_H

#include "base/array.h"
#include "ir/builder.h"
#include "rules/apply/evaluate.h"
#include "rules/graph/graph.h"

/* What the next op to be built is to give. */
typedef struct qn_rule_wanted {
  uint32_t rank;
  int64_t sizes[QN_RULE_MAX_RANK];
  const qn_type *element;
  int32_t axis; /* that rules see, of an encoding per channel */
  uint32_t outputs;
  bool any_size; /* the sizes are those that follow */
} qn_rule_wanted;

typedef struct qn_rule_staging {
  qn_rule_graph *graph;
  const qn_rule_names *names;
  qn_rule_evaluation evaluation;
  qn_builder builder;
  QN_ARRAY(qn_op *) made; /* in their order */
  uint32_t most;          /* ops that may be made */
  qn_value *parts[2];     /* the outputs of the last composed op that has several */
  uint32_t part_count;
  int64_t chunk;            /* of the AUTOSPLIT that was staged last */
  struct qn_folder *folder; /* NULL: constants stay as they are */
  const char *code;         /* of the failure, "RR0901" */
  qn_text failure;          /* why, empty: none */
} qn_rule_staging;

/* Ends the building: false. The first reason stays. */
bool qn_rule_stage_fail(qn_rule_staging *s, const char *code, const char *format, ...)
    QN_PRINTF(3, 4);
/* The same for what an evaluation has failed at. */
bool qn_rule_stage_unevaluated(qn_rule_staging *s);
/* Erases all that was made. */
void qn_rule_stage_drop(qn_rule_staging *s);

/* What an operand gives. False: failed. */
bool qn_rule_wanted_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *out_wanted);
/* Sizes alone, of anything that has some. */
bool qn_rule_sizes_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted);
/* Its element type and axis. */
bool qn_rule_type_of(qn_rule_staging *s, qn_rule_operand operand, qn_rule_wanted *wanted);

/* The operand that a part of a replacement is; ops are built. False: failed. */
bool qn_rule_stage_operand(qn_rule_staging *s, const qn_rule_node *node,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* A whole replacement: an AUTOSPLIT or EXTERNAL_REPLACE, too. */
bool qn_rule_stage_root(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                        qn_rule_operand *out_operand);
bool qn_rule_stage_split(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                         qn_rule_operand *out_operand);
bool qn_rule_stage_iterations(qn_rule_staging *s, const qn_rule_node *node,
                              const qn_rule_wanted *wanted, qn_rule_operand *out_operand);

/* An op of that name. */
bool qn_rule_stage_op(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs,
                      uint32_t count, const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* The same of names that stand for several ops. */
bool qn_rule_compose(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs, uint32_t count,
                     const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* The IR value of an operand in a layout; moved, when it is in another one. NULL: failed. */
qn_value *qn_rule_stage_value(qn_rule_staging *s, qn_rule_operand operand, qn_rule_layout layout);
/* A staged op; of constants that are only moved or cast, the constant that it makes. NULL: failed.
 */
qn_value *qn_rule_stage_made(qn_rule_staging *s, qn_value *value);
/* An element type whose axis is the one that rules see, for a value in a layout. NULL: failed. */
const qn_type *qn_rule_element_in(qn_rule_staging *s, const qn_type *element, int32_t axis,
                                  qn_rule_layout layout, uint32_t rank);
/* A staged ml.const: stored integers where the type is quantized. */
qn_value *qn_rule_stage_constant(qn_rule_staging *s, const qn_type *type, qn_bytes bytes);
/* The elements of the constant that moving those of one makes; false: it is no such op of a
 * constant. */
bool qn_rule_fold_moved(qn_arena *scratch, const qn_op *op, qn_bytes *out_bytes);

#endif
