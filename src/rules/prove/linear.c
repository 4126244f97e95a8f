/* Arithmetic of symbolic linear expressions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/prove/linear.h"

enum { LARGEST = 1 << 30 }; /* limit of constants and factors, far from overflow */

void qn_linear_deinit(qn_linear_space *space) {
  qn_str_map_deinit(&space->atoms);
  qn_array_free(&space->known);
}

qn_linear qn_linear_constant(int64_t value) { return (qn_linear){.constant = value}; }

qn_linear qn_linear_atom(qn_linear_space *space, qn_str words) {
  uintptr_t number = (uintptr_t)qn_str_map_get(&space->atoms, words);
  if (number == 0) {
    number = ++space->count;
    *qn_str_map_at(&space->atoms, qn_arena_str(space->arena, words)) = (void *)number;
    qn_array_push(&space->known, ((struct qn_linear_known){NULL, 0}));
  }
  QN_ASSERT(number <= space->count && space->known.count == space->count);
  return (qn_linear){.count = 1, .parts = {{(uint32_t)number - 1, 1}}};
}

/* Adds factor * atom to `sum`. Returns false if there are too many parts or a factor is too
 * large. */
static bool add_part(qn_linear *sum, uint32_t atom, int64_t factor) {
  uint32_t at = 0;
  while (at < sum->count && sum->parts[at].atom < atom) at++;
  bool there = at < sum->count && sum->parts[at].atom == atom;
  if (!there) {
    if (sum->count == QN_LINEAR_PARTS) return false;
    for (uint32_t i = sum->count++; i > at; i--) sum->parts[i] = sum->parts[i - 1];
    sum->parts[at].atom = atom;
    sum->parts[at].factor = 0;
  }
  sum->parts[at].factor += factor;
  if (sum->parts[at].factor > LARGEST || sum->parts[at].factor < -LARGEST) return false;
  if (sum->parts[at].factor != 0) return true;
  sum->count--;
  for (uint32_t i = at; i < sum->count; i++) sum->parts[i] = sum->parts[i + 1];
  return true;
}

static bool add_all(qn_linear *sum, int64_t factor, const qn_linear *b) {
  if (factor > LARGEST || factor < -LARGEST) return false;
  sum->constant += factor * b->constant;
  if (sum->constant > LARGEST || sum->constant < -(int64_t)LARGEST) return false;
  for (uint32_t i = 0; i < b->count; i++)
    if (b->parts[i].factor > LARGEST / 2 ||
        !add_part(sum, b->parts[i].atom, factor * b->parts[i].factor))
      return false;
  return true;
}

/* The atom of `a` that was substituted earliest; UINT32_MAX if all atoms are free. */
static uint32_t first_known(const qn_linear_space *space, const qn_linear *a) {
  uint32_t best = UINT32_MAX, order = UINT32_MAX;
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t atom = a->parts[i].atom;
    QN_ASSERT(atom < space->known.count && a->parts[i].factor != 0);
    QN_ASSERT(i == 0 || a->parts[i - 1].atom < atom); /* ascending */
    if (!space->known.data[atom].is || space->known.data[atom].order >= order) continue;
    best = i;
    order = space->known.data[atom].order;
  }
  return best;
}

/* Replaces atoms in the order in which their substitutions were made, so that each is applied
 * once. */
qn_linear qn_linear_reduce(const qn_linear_space *space, const qn_linear *a) {
  qn_linear sum = *a;
  for (uint32_t i = first_known(space, &sum); i != UINT32_MAX; i = first_known(space, &sum)) {
    qn_linear next = sum;
    uint32_t atom = sum.parts[i].atom;
    int64_t factor = sum.parts[i].factor;
    if (!add_part(&next, atom, -factor) || !add_all(&next, factor, space->known.data[atom].is))
      break;
    sum = next;
  }
  return sum;
}

bool qn_linear_add(const qn_linear_space *space, const qn_linear *a, int64_t factor,
                   const qn_linear *b, qn_linear *out_sum) {
  qn_linear sum = qn_linear_reduce(space, a), other = qn_linear_reduce(space, b);
  if (!add_all(&sum, factor, &other)) return false;
  *out_sum = sum;
  return true;
}

void qn_linear_equate(qn_linear_space *space, const qn_linear *a, const qn_linear *b) {
  qn_linear rest;
  if (!qn_linear_add(space, a, -1, b, &rest)) return;
  for (uint32_t i = rest.count; i-- > 0;) {
    int64_t factor = rest.parts[i].factor;
    uint32_t atom = rest.parts[i].atom;
    if (factor != 1 && factor != -1) continue;
    qn_linear is = {0};
    if (!add_part(&rest, atom, -factor) || !add_all(&is, -factor, &rest)) return;
    space->known.data[atom] = (struct qn_linear_known){qn_arena_copy(space->arena, &is, sizeof is),
                                                       space->substitutions++};
    return;
  }
}

void qn_linear_put(const qn_linear_space *space, const qn_linear *a, qn_text *out) {
  qn_linear r = qn_linear_reduce(space, a);
  qn_text_format(out, "[%lld", (long long)r.constant);
  for (uint32_t i = 0; i < r.count; i++)
    qn_text_format(out, "%+lld*%u", (long long)r.parts[i].factor, r.parts[i].atom);
  qn_text_putc(out, ']');
}

qn_proof qn_linear_compare(const qn_linear_space *space, const qn_linear *a, const qn_linear *b) {
  qn_linear difference;
  if (!qn_linear_add(space, a, -1, b, &difference) || difference.count > 0) return QN_PROOF_OPEN;
  return difference.constant == 0 ? QN_PROOF_HOLDS : QN_PROOF_FAILS;
}
