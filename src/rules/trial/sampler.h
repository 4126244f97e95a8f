/* Internal to sampling: the sample that is being built.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_TRIAL_SAMPLER_H
#define QN_RULES_TRIAL_SAMPLER_H

#include "rules/trial/sample.h"

enum { QN_RULE_MOST_HINTS = 16 };

/* A class of positions in the pattern that SAME_OP requires to be the same operand. */
typedef struct qn_rule_same {
  const qn_rule_node *places[QN_RULE_MOST_HINTS]; /* ops; a tag is represented by its first use */
  uint32_t count;
  const qn_rule_node *made_at; /* position whose operand has been built; NULL if none yet */
  qn_rule_operand made;
  bool at_work; /* the operand is being built */
} qn_rule_same;

/* Types, sizes and equalities that the rule's constraint and replacement mention. */
typedef struct qn_rule_hints {
  struct {
    uint32_t tag, dtype;
  } dtypes[QN_RULE_MOST_HINTS];
  uint32_t dtype_count;
  int64_t sizes[QN_RULE_MOST_HINTS];
  uint32_t size_count;
  qn_rule_same same[QN_RULE_MOST_HINTS];
  uint32_t same_count;
  uint64_t constants; /* bit k: elements of tag k are queried */
  bool budget;        /* an external constraint may limit the size of an operand */
} qn_rule_hints;

typedef struct qn_rule_sampler {
  qn_rule_run run; /* a run of an empty set, for its graph and staging */
  qn_rule_view view;
  qn_module *module;
  qn_ir_context *cx;
  const qn_rule *rule;
  qn_rule_sampling *sampling;
  qn_rule_hints hints;
  qn_op *function;
  qn_rule_binding binding;
  qn_rule_wanted base;   /* sizes and type of the first value operand of the current op */
  const qn_value *whole; /* that operand */
  /* index + 1 of the operand of `whole`, a concatenation, that is sliced out; 0: none */
  uint32_t part;
  int64_t channels; /* output channels of the current op's weights */
  /* the slot for whose weights the current op is built; NULL if it does not build weights */
  const qn_rule_slot *around;
} qn_rule_sampler;

/* ---- types.c ---- */
/* qn_rule_sampler_below: a random number from 0 to count - 1. qn_rule_sampler_chance: true with a
 * probability of `percent` / 100. */
uint32_t qn_rule_sampler_below(qn_rule_sampler *s, uint32_t count);
bool qn_rule_sampler_chance(qn_rule_sampler *s, uint32_t percent);
#define QN_RULE_PICK(s, pool) ((pool)[qn_rule_sampler_below((s), (uint32_t)QN_COUNT(pool))])
/* Adds the types and sizes that a part of the rule mentions. */
void qn_rule_sampler_hints(qn_rule_hints *h, const qn_rule_node *node);
/* The name of an element type that the constraint mentions for a tag; NULL if it mentions none, and
 * sometimes at random. */
const char *qn_rule_sampler_hinted(qn_rule_sampler *s, uint32_t tag);
/* The element type of that name; NULL if samples don't use it. */
const qn_type *qn_rule_sampler_type(qn_rule_sampler *s, const char *name);
const qn_type *qn_rule_sampler_codes(qn_rule_sampler *s, bool is_signed);
/* Picks the element type of a leaf that is an operand of an op of the form. */
const qn_type *qn_rule_sampler_leaf_type(qn_rule_sampler *s, const qn_rule_form *form,
                                         uint32_t tag);
/* Picks the element type of an op's result if its operands have the type `like`. */
const qn_type *qn_rule_sampler_result_type(qn_rule_sampler *s, const qn_rule_form *form,
                                           const qn_type *like, uint32_t tag);

/* ---- same.c ---- */
/* Adds the equalities that SAME_OP in a part of the constraint requires. */
void qn_rule_sampler_same_hints(qn_rule_hints *h, const qn_rule *rule, const qn_rule_node *node);
/* The class that contains this position of the pattern, and the position's representative; NULL if
 * it is in no class. */
qn_rule_same *qn_rule_sampler_same(qn_rule_sampler *s, const qn_rule_node *pattern,
                                   const qn_rule_node **out_place);

/* ---- leaves.c ---- */
/* Builds the operand for a slot of an op where the pattern has a tag: an argument, a constant, or
 * the value of an attribute. */
bool qn_rule_sampler_leaf(qn_rule_sampler *s, const qn_rule_form *form, const qn_rule_slot *slot,
                          uint32_t tag, qn_rule_operand *out_operand);

#endif
