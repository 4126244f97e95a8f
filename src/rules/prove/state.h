/* Internal state of the proofs: the facts known about the operands of a rule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PROVE_STATE_H
#define QN_RULES_PROVE_STATE_H

#include "rules/graph/form.h"
#include "rules/prove/prove.h"

enum { QN_PROVER_RANK = 4 }; /* rank that rules see for operands of at most this rank */
#define QN_PROVER_UNKNOWN UINT32_MAX

/* The known facts about an operand of the rule, whether it is matched or built. */
typedef struct qn_known {
  bool sized; /* whether `sizes` is valid */
  qn_linear sizes[QN_PROVER_RANK];
  uint32_t encoding; /* index of the element type and encoding, or UNKNOWN */
  qn_str words;      /* text that identifies the operand: equal operands have equal text */
} qn_known;

typedef struct qn_encoding_pair {
  uint32_t a, b;
} qn_encoding_pair;

typedef struct qn_prover {
  qn_rule_checker *c;
  const qn_rule *rule; /* with macros expanded */
  qn_linear_space space;
  qn_arena *arena;
  qn_known tags[QN_RULE_MAX_TAGS];
  bool bound[QN_RULE_MAX_TAGS];
  qn_known root;
  bool infers; /* second pass over the match: tags and constraint are known */
  /* Encodings: classes of equal ones (union-find), pairs that differ, and dtypes. */
  QN_ARRAY(struct qn_encoding {
    uint32_t same;  /* index of itself, or of an equal encoding */
    uint32_t dtype; /* dtype, or UNKNOWN */
  })
  encodings;
  QN_ARRAY(qn_encoding_pair) differing;
  qn_proof sizes, encoding; /* the weakest result so far */
  const qn_rule_node *blame;
  uint32_t blamed_dimension;
} qn_prover;

/* ---- encoding.c ---- */
uint32_t qn_prover_new_encoding(qn_prover *p, uint32_t dtype);
/* representative of its class */
uint32_t qn_prover_encoding(const qn_prover *p, uint32_t encoding);
void qn_prover_equate_encodings(qn_prover *p, uint32_t a, uint32_t b);
qn_proof qn_prover_compare_encodings(const qn_prover *p, uint32_t a, uint32_t b);
/* Records the facts about sizes and encodings that follow if `constraint` holds, or does not hold.
 * Forms of constraints that are not recognized are ignored. */
void qn_prover_assume(qn_prover *p, const qn_rule_node *constraint);
void qn_prover_assume_not(qn_prover *p, const qn_rule_node *constraint);

/* ---- shapes.c ---- */
/* An operand of which nothing is known, identified by `words`. */
qn_known qn_prover_fresh(qn_prover *p, const char *words);
/* The symbolic value of a scalar. */
qn_linear qn_prover_scalar(qn_prover *p, const qn_rule_node *node);
/* Returns the known facts about an operand that the rule matches. */
qn_known qn_prover_reference(qn_prover *p, const qn_rule_node *node);
/* Infers the result's sizes [QN_PROVER_RANK] of an op of a form from its operands. */
void qn_prover_infer(qn_prover *p, const qn_rule_form *form, const qn_known *inputs, uint32_t count,
                     qn_linear *out_sizes);
/* Writes a text that identifies a part of the rule. */
void qn_prover_words(const qn_prover *p, const qn_rule_node *node, qn_text *out);

#endif
