/* Random graphs of small ops that test the memory plan and fusion: values with several uses;
 * results that are inputs, constants, views or listed twice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "elementwise.h"
#include "movement.h"

enum { MAX_VALUES = 40 };

typedef struct pool {
  qn_value *values[MAX_VALUES];
  uint32_t count;
} pool;

static void add_value(pool *p, qn_value *v) {
  if (p->count < MAX_VALUES) p->values[p->count++] = v;
}

/* Picks a value. Recent ones are more likely, so that there are chains, for fusion and reuse of
 * storage. */
static qn_value *pick(maker *m, const pool *p) {
  if (maker_chance(m, 60)) return p->values[p->count - 1];
  return p->values[maker_random(m) % p->count];
}

static qn_value *pick_like(maker *m, const pool *p, const qn_value *x) {
  for (int tries = 0; tries < 8; tries++) {
    qn_value *v = p->values[maker_random(m) % p->count];
    if (v->type == x->type) return v;
  }
  return maker_chance(m, 50) ? maker_const_random(m, x->type) : maker_input(m, x->type);
}

static void add_random_op(maker *m, pool *p) {
  qn_value *x = pick(m, p), *parts[2] = {x, NULL};
  uint32_t axis = (uint32_t)maker_range(m, 0, x->type->shaped.rank - 1);
  if (qn_type_elements(x->type) > 3000) x = parts[0] = p->values[0];
  switch (maker_range(m, 0, 10)) {
  case 0:
    add_value(p, movement_pad(m, x));
    break;
  case 1:
    add_value(p, movement_reshape(m, x));
    break;
  case 2:
    add_value(p, movement_slice(m, x));
    break;
  case 3:
    add_value(p, movement_transpose(m, x));
    break;
  case 4:
    axis = axis < x->type->shaped.rank ? axis : 0;
    parts[1] = pick_like(m, p, x);
    add_value(p, movement_concat(m, parts, 2, maker_chance(m, 70) ? 0 : axis));
    break;
  case 5:
    axis = axis < x->type->shaped.rank && maker_chance(m, 50) ? axis : 0;
    if (movement_split(m, x, axis, parts) == 2) {
      add_value(p, parts[0]);
      add_value(p, parts[1]);
    }
    break;
  case 6:
  case 7:
    add_value(p, elementwise_lut(m, x, x->type));
    break;
  default:
    add_value(p, elementwise_add(m, x, pick_like(m, p, x), x->type, maker_chance(m, 20)));
  }
}

void case_graph(maker *m) {
  pool p = {.count = 0};
  int64_t dims[3] = {1, maker_dim(m), maker_range(m, 1, 20)};
  const qn_type *type = maker_tensor(m, maker_byte(m, maker_chance(m, 30)), 3, dims);
  add_value(&p, maker_input(m, type));
  if (maker_chance(m, 50)) add_value(&p, maker_input(m, type));
  for (int64_t n = maker_range(m, 2, 14); n > 0; n--) add_random_op(m, &p);
  qn_value *results[MAKER_MAX_RESULTS];
  uint32_t count = (uint32_t)maker_range(m, 1, 4);
  for (uint32_t i = 0; i < count; i++) results[i] = pick(m, &p);
  if (maker_chance(m, 10)) results[count++] = maker_const_random(m, type);
  maker_return(m, results, count);
}
