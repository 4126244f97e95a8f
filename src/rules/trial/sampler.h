/* Inside the making of samples: one that is being made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_TRIAL_SAMPLER_H
#define QN_RULES_TRIAL_SAMPLER_H

#include "rules/trial/sample.h"

enum { QN_RULE_MOST_HINTS = 16 };

/* Places of the pattern that SAME_OP wants to be one operand. */
typedef struct qn_rule_same {
  const qn_rule_node *places[QN_RULE_MOST_HINTS]; /* ops; of a tag its first use */
  uint32_t count;
  const qn_rule_node *made_at; /* the one that has been made; NULL: none yet */
  qn_rule_operand made;
  bool at_work; /* one is being made */
} qn_rule_same;

/* What the constraint names. */
typedef struct qn_rule_hints {
  struct {
    uint32_t tag, dtype;
  } dtypes[QN_RULE_MOST_HINTS];
  uint32_t dtype_count;
  int64_t sizes[QN_RULE_MOST_HINTS];
  uint32_t size_count;
  qn_rule_same same[QN_RULE_MOST_HINTS];
  uint32_t same_count;
  uint64_t constants; /* bit of each tag that is asked for its elements */
  bool budget;        /* a function is asked whether an operand is too large */
} qn_rule_hints;

typedef struct qn_rule_sampler {
  qn_rule_run run; /* of an empty set: its graph and staging */
  qn_rule_view view;
  qn_module *module;
  qn_ir_context *cx;
  const qn_rule *rule;
  qn_rule_sampling *sampling;
  qn_rule_hints hints;
  qn_op *function;
  qn_rule_binding binding;
  qn_rule_wanted base;   /* of the first operand with data of the op at hand */
  const qn_value *whole; /* that operand */
  uint32_t part;         /* which operand of it, a concatenation, is sliced out, + 1; 0: none */
  int64_t channels;      /* that its weights give */
  const qn_rule_slot *around; /* the slot that the op at hand makes weights for; or NULL */
} qn_rule_sampler;

/* ---- types.c ---- */
/* A number from 0 to count - 1; whether one in a hundred is less than that. */
uint32_t qn_rule_sampler_below(qn_rule_sampler *s, uint32_t count);
bool qn_rule_sampler_chance(qn_rule_sampler *s, uint32_t percent);
#define QN_RULE_PICK(s, pool) ((pool)[qn_rule_sampler_below((s), (uint32_t)QN_COUNT(pool))])
/* Adds what a part of the rule names. */
void qn_rule_sampler_hints(qn_rule_hints *h, const qn_rule_node *node);
/* The name of an element type that the constraint wants of a tag; NULL: it says nothing. */
const char *qn_rule_sampler_hinted(qn_rule_sampler *s, uint32_t tag);
/* An element type of that name; NULL: none. */
const qn_type *qn_rule_sampler_type(qn_rule_sampler *s, const char *name);
const qn_type *qn_rule_sampler_codes(qn_rule_sampler *s, bool is_signed);
/* The type of a leaf, an operand of an op of the form. */
const qn_type *qn_rule_sampler_leaf_type(qn_rule_sampler *s, const qn_rule_form *form,
                                         uint32_t tag);
/* The type of an op's result, for operands of the type of `like`. */
const qn_type *qn_rule_sampler_result_type(qn_rule_sampler *s, const qn_rule_form *form,
                                           const qn_type *like, uint32_t tag);

/* ---- same.c ---- */
/* Adds what a part of the constraint wants to be one operand. */
void qn_rule_sampler_same_hints(qn_rule_hints *h, const qn_rule *rule, const qn_rule_node *node);
/* Those that this place of the pattern is one of, and how it is called there; NULL: none. */
qn_rule_same *qn_rule_sampler_same(qn_rule_sampler *s, const qn_rule_node *pattern,
                                   const qn_rule_node **out_place);

/* ---- leaves.c ---- */
/* What is in a slot of an op where the pattern has a tag. */
bool qn_rule_sampler_leaf(qn_rule_sampler *s, const qn_rule_form *form, const qn_rule_slot *slot,
                          uint32_t tag, qn_rule_operand *out_operand);

#endif
