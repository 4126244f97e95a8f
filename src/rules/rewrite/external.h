/* External functions in C that rules can call: the built-in ones, and those that users register.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_EXTERNAL_H
#define QN_RULES_REWRITE_EXTERNAL_H

#include "rules/rewrite/build.h"

enum { QN_RULE_MAX_CALL = 16 };

/* A call. Graph operands and scalar values are in separate arrays, each in the order of the
 * signature. */
typedef struct qn_rule_call {
  const qn_rule_view *view;
  qn_rule_graph *graph;
  qn_rule_staging *staging;   /* NULL: the function must not build ops */
  qn_rule_operand root;       /* the matched output */
  const qn_rule_piece *piece; /* current piece of a split; NULL if none */
  qn_rule_operand operands[QN_RULE_MAX_CALL];
  qn_rule_value values[QN_RULE_MAX_CALL];
  uint32_t operand_count, value_count;
  /* Results, which the function sets: */
  bool holds;             /* for EXTERNAL_CONSTRAINT */
  qn_rule_operand result; /* for all other kinds */
  const char *problem;
} qn_rule_call;

/* The function of that name and kind; NULL if there is none, or it is declared without an
 * implementation. */
const qn_rule_external *qn_rule_external_find(const qn_rule_names *names, qn_str name,
                                              qn_rule_external_kind kind);
/* Calls an external function of a replacement and returns its result in *out_operand. `first` is
 * the index in node->args of the function's first argument. Returns false on failure. */
bool qn_rule_stage_external(qn_rule_staging *s, qn_rule_external_kind kind,
                            const qn_rule_node *node, uint32_t first, const qn_rule_piece *piece,
                            const qn_rule_wanted *wanted, qn_rule_operand *out_operand);
/* Callback of evaluations for EXTERNAL_CONSTRAINT. `user` is the qn_rule_staging. */
bool qn_rule_external_holds(void *user, qn_str name, qn_rule_operand operand,
                            const qn_rule_value *values, uint32_t count, bool *out_holds);

/* ---- built-in functions ---- */
qn_rule_external_fn qn_rule_fits_budget, qn_rule_same_axis, qn_rule_const_is_uniform,
    qn_rule_add_pads, qn_rule_simple_split_start, qn_rule_simple_split_size,
    qn_rule_simpledim_split_start, qn_rule_simpledim_split_size, qn_rule_window_split_start,
    qn_rule_window_split_size, qn_rule_window_split_pad, qn_rule_conv_split_start_valid,
    qn_rule_conv_split_size_valid, qn_rule_fold_quantize_const, qn_rule_build_lut,
    qn_rule_fold_batchnorm;

#endif
