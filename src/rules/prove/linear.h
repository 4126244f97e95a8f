/* Symbolic sizes: linear expressions over atoms. An atom is an unknown size, or the result of an
 * unknown function of sizes. Atoms are identified by text: equal texts are the same atom. Known
 * equalities are substitutions of an atom by an expression.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PROVE_LINEAR_H
#define QN_RULES_PROVE_LINEAR_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

enum { QN_LINEAR_PARTS = 6 };

/* constant + sum of factor * atom, with atoms ascending and no factor 0. */
typedef struct qn_linear {
  int64_t constant;
  uint32_t count;
  struct {
    uint32_t atom;
    int64_t factor;
  } parts[QN_LINEAR_PARTS];
} qn_linear;

typedef struct qn_linear_space {
  qn_arena *arena;
  qn_str_map atoms; /* text -> index of the atom + 1 */
  uint32_t count;
  QN_ARRAY(struct qn_linear_known {
    const qn_linear *is; /* expression that the atom equals; NULL if it is free */
    /* number of earlier substitutions; the expression has only atoms that were free then */
    uint32_t order;
  })
  known; /* indexed by atom */
  uint32_t substitutions;
} qn_linear_space;

void qn_linear_deinit(qn_linear_space *space);

qn_linear qn_linear_constant(int64_t value);
qn_linear qn_linear_atom(qn_linear_space *space, qn_str words);
/* Rewrites `a` so that it contains free atoms only. */
qn_linear qn_linear_reduce(const qn_linear_space *space, const qn_linear *a);
/* Computes a + factor * b. Returns false if the sum has too many parts or too large factors. */
bool qn_linear_add(const qn_linear_space *space, const qn_linear *a, int64_t factor,
                   const qn_linear *b, qn_linear *out_sum);
/* Records that a = b, for all later comparisons. */
void qn_linear_equate(qn_linear_space *space, const qn_linear *a, const qn_linear *b);
/* Writes a text that is the same for expressions known to be equal. */
void qn_linear_put(const qn_linear_space *space, const qn_linear *a, qn_text *out);

typedef enum qn_proof {
  QN_PROOF_HOLDS,
  QN_PROOF_OPEN, /* neither proved nor disproved; checked at each application */
  QN_PROOF_FAILS,
} qn_proof;
qn_proof qn_linear_compare(const qn_linear_space *space, const qn_linear *a, const qn_linear *b);

#endif
