/* Internal state of the proofs: the facts known about the operands of a rule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PROVE_STATE_H
#define QN_RULES_PROVE_STATE_H

#include "rules/graph/form.h"
#include "rules/prove/prove.h"

enum { QN_PROVER_RANK = 4 }; /* that rules see of what has no more */
#define QN_PROVER_UNKNOWN UINT32_MAX

/* An operand of the graph: there, or built. */
typedef struct qn_known {
  bool sized; /* the sizes mean something */
  qn_linear sizes[QN_PROVER_RANK];
  uint32_t encoding; /* element type and encoding, as a number; UNKNOWN */
  qn_str words;      /* which operand it is: equal ones have equal words */
} qn_known;

typedef struct qn_encoding_pair {
  uint32_t a, b;
} qn_encoding_pair;

typedef struct qn_prover {
  qn_rule_checker *c;
  const qn_rule *rule; /* expanded */
  qn_linear_space space;
  qn_arena *arena;
  qn_known tags[QN_RULE_MAX_TAGS];
  bool bound[QN_RULE_MAX_TAGS];
  qn_known root;
  bool infers; /* the second time through the match: tags and constraint are known */
  /* Encodings: union of equal ones, what differs, dtypes. */
  QN_ARRAY(struct qn_encoding {
    uint32_t same;  /* itself, or an equal one */
    uint32_t dtype; /* or UNKNOWN */
  })
  encodings;
  QN_ARRAY(qn_encoding_pair) differing;
  qn_proof sizes, encoding; /* the least that was found */
  const qn_rule_node *blame;
  uint32_t blamed_dimension;
} qn_prover;

/* ---- encoding.c ---- */
uint32_t qn_prover_new_encoding(qn_prover *p, uint32_t dtype);
uint32_t qn_prover_encoding(const qn_prover *p, uint32_t encoding); /* its representative */
void qn_prover_equate_encodings(qn_prover *p, uint32_t a, uint32_t b);
qn_proof qn_prover_compare_encodings(const qn_prover *p, uint32_t a, uint32_t b);
/* What a constraint says; what it says in other ways is not used. */
void qn_prover_assume(qn_prover *p, const qn_rule_node *constraint);
void qn_prover_assume_not(qn_prover *p, const qn_rule_node *constraint);

/* ---- shapes.c ---- */
/* An operand of which nothing is known, under these words. */
qn_known qn_prover_fresh(qn_prover *p, const char *words);
/* A scalar as a size. */
qn_linear qn_prover_scalar(qn_prover *p, const qn_rule_node *node);
/* An operand that exists. */
qn_known qn_prover_reference(qn_prover *p, const qn_rule_node *node);
/* The sizes that an op of a form has, by its operands. */
void qn_prover_infer(qn_prover *p, const qn_rule_form *form, const qn_known *inputs, uint32_t count,
                     qn_linear *out_sizes);
/* A part of the rule in words. */
void qn_prover_words(const qn_prover *p, const qn_rule_node *node, qn_text *out);

#endif
