/* Register allocation of AMX tiles. Values that must share a register (accumulators, and their
 * loop-carried versions) form a web. Webs with overlapping lifetimes get different registers, in
 * one linear scan. A kernel for which that is not obviously correct gets no tile registers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "codegen/emit/emit.h"
#include "codegen/emit/tiles.h"
#include "ir/op_attrs.h"
#include "ir/ops/tile.h"
#include "ir/walk.h"

/* Positions of an op: its own, and the one after its nested ops. */
typedef struct span {
  uint32_t begin, end;
} span;

/* Lifetime and shape of a web, stored at its root. */
typedef struct web {
  uint32_t begin, end, root;
  qn_cg_tile shape;
} web;

typedef struct numbering {
  qn_arena *arena;
  uint32_t *parents; /* [value id] union-find parent + 1; 0 if the value is not a tile */
  web *webs;         /* [value id] */
  qn_map spans;      /* op -> span */
  uint32_t position, value_count;
  bool fits;
} numbering;

/* ---- webs ---- */

static bool is_tile(const numbering *n, const qn_value *value) {
  return n->parents[value->id] != 0;
}

static uint32_t root_of(const numbering *n, const qn_value *value) {
  uint32_t id = value->id;
  while (n->parents[id] != id + 1) id = n->parents[id] - 1;
  return id;
}

static void add(numbering *n, const qn_value *value) {
  if (!is_tile(n, value)) n->parents[value->id] = value->id + 1;
}

static void join(numbering *n, const qn_value *a, const qn_value *b) {
  add(n, a);
  add(n, b);
  uint32_t first = root_of(n, a);
  n->parents[first] = root_of(n, b) + 1;
}

static void join_carried(numbering *n, const qn_op *loop) {
  const qn_block *body = qn_op_body(loop);
  for (uint32_t i = 0; i < loop->result_count; i++) {
    const qn_value *arg = body->args[i + 1], *yielded = qn_op_operand(body->last, i);
    const qn_value *init = qn_op_operand(loop, i + 3);
    if (!is_tile(n, arg) && !is_tile(n, yielded)) continue;
    join(n, arg, yielded);
    join(n, arg, &loop->results[i]);
    if (!e_is_zero(init)) join(n, arg, init);
  }
}

/* Forms webs, inner ops first, because a loop's carried values follow from its body. */
static void find_webs(numbering *n, const qn_op *op) {
  span *s = QN_NEW(n->arena, span);
  qn_map_set(&n->spans, op, s);
  s->begin = ++n->position;
  for (uint32_t r = 0; r < op->region_count; r++)
    for (const qn_block *block = op->regions[r].first; block; block = block->next)
      QN_FOR_EACH_OP(inner, block) find_webs(n, inner);
  s->end = ++n->position;
  if (op->kind == QN_OP_QUERN_TILE_LOAD) add(n, &op->results[0]);
  if (op->kind == QN_OP_QUERN_TILE_DOT) {
    add(n, &op->results[0]);
    if (!e_is_zero(qn_op_operand(op, 0))) join(n, qn_op_operand(op, 0), &op->results[0]);
  }
  if (op->kind == QN_OP_SCF_FOR) join_carried(n, op);
}

/* ---- validity ---- */

static const qn_block *block_of(const qn_value *value) {
  return value->op ? value->op->block : value->block;
}

static bool is_defined_well(const qn_value *value) {
  if (!value->op) return value->block->region->owner->kind == QN_OP_SCF_FOR && value->index > 0;
  qn_op_kind kind = value->op->kind;
  return kind == QN_OP_QUERN_TILE_LOAD || kind == QN_OP_QUERN_TILE_DOT || kind == QN_OP_SCF_FOR;
}

static bool is_yield_of_for(const qn_op *op) {
  return op->kind == QN_OP_SCF_YIELD && qn_op_parent(op)->kind == QN_OP_SCF_FOR;
}

/* Whether a use that continues the register is the only use, in the block that defines the value.
 */
static bool is_used_well(const qn_value *value, const qn_use *use) {
  const qn_op *user = use->owner;
  uint32_t operand = (uint32_t)(use - user->operands);
  bool reads = (user->kind == QN_OP_QUERN_TILE_DOT && operand > 0) ||
               (user->kind == QN_OP_QUERN_TILE_STORE && operand == 0);
  bool goes_on = (user->kind == QN_OP_QUERN_TILE_DOT && operand == 0) ||
                 (user->kind == QN_OP_SCF_FOR && operand >= 3) || is_yield_of_for(user);
  return reads || (goes_on && qn_value_has_one_use(value) && block_of(value) == user->block);
}

/* Last position required by this use. For a use in a loop that does not contain the definition, the
 * end of that loop. */
static uint32_t end_of_use(const numbering *n, const qn_value *value, const qn_op *user) {
  const qn_block *home = block_of(value);
  if (is_yield_of_for(user) && user->block == home)
    return ((const span *)qn_map_get(&n->spans, qn_op_parent(user)))->end;
  const qn_op *at = user;
  while (at->block != home) at = qn_op_parent(at);
  const span *s = qn_map_get(&n->spans, at);
  return at == user ? s->begin : s->end;
}

static void live(numbering *n, const qn_value *value) {
  n->fits = n->fits && is_defined_well(value);
  for (const qn_use *use = value->first_use; use && n->fits; use = use->next)
    n->fits = is_used_well(value, use);
  if (!n->fits) return;
  const qn_op *by = value->op ? value->op : value->block->region->owner;
  const span *s = qn_map_get(&n->spans, by);
  web *w = &n->webs[root_of(n, value)];
  if (w->begin == 0 || s->begin < w->begin) w->begin = s->begin;
  if (s->begin > w->end) w->end = s->begin;
  for (const qn_use *use = value->first_use; use; use = use->next) {
    uint32_t end = end_of_use(n, value, use->owner);
    if (end > w->end) w->end = end;
  }
}

/* Sets the shape of the web; all values with a known shape must agree. */
static void shape(numbering *n, const qn_value *value, int64_t rows, int64_t row_bytes) {
  if (!is_tile(n, value)) {
    n->fits = false;
    return;
  }
  qn_cg_tile *known = &n->webs[root_of(n, value)].shape;
  qn_cg_tile said = {(uint8_t)rows, (uint8_t)row_bytes};
  if (known->rows == 0) *known = said;
  n->fits = n->fits && known->rows == said.rows && known->row_bytes == said.row_bytes;
}

/* Checks that two values carried by one loop are in different webs. */
static void check_carried(numbering *n, const qn_op *loop) {
  const qn_block *body = qn_op_body(loop);
  for (uint32_t i = 1; i < body->arg_count; i++)
    for (uint32_t k = 1; k < i; k++)
      if (is_tile(n, body->args[i]) && is_tile(n, body->args[k]) &&
          root_of(n, body->args[i]) == root_of(n, body->args[k]))
        n->fits = false;
}

static void visit(numbering *n, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    if (is_tile(n, &op->results[i])) live(n, &op->results[i]);
  if (op->kind == QN_OP_SCF_FOR) {
    const qn_block *body = qn_op_body(op);
    for (uint32_t i = 0; i < body->arg_count; i++)
      if (is_tile(n, body->args[i])) live(n, body->args[i]);
    check_carried(n, op);
  }
  if (op->kind == QN_OP_QUERN_TILE_LOAD) {
    int64_t rows = qn_op_tile_rows(op), bytes = qn_type_elements(op->results[0].type);
    bytes *= qn_type_bytes(qn_type_element(op->results[0].type));
    shape(n, &op->results[0], rows, bytes / rows);
  }
  if (op->kind == QN_OP_QUERN_TILE_DOT) {
    qn_tile_dot_shape s = qn_tile_dot_shape_of(op);
    shape(n, &op->results[0], s.rows, QN_TILE_BYTES);
    shape(n, qn_op_operand(op, 1), s.rows, s.depth);
    shape(n, qn_op_operand(op, 2), s.depth / QN_TILE_QUAD, QN_TILE_BYTES);
  }
  if (op->kind == QN_OP_QUERN_TILE_STORE) {
    int64_t count = qn_type_elements(qn_op_operand(op, 0)->type);
    shape(n, qn_op_operand(op, 0), count / QN_TILE_SUMS, QN_TILE_BYTES);
  }
}

/* ---- registers ---- */

static int compare(const void *left, const void *right) {
  const web *a = left, *b = right;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return a->root < b->root ? -1 : 1;
}

static bool serves(const qn_cg_tile *has, const qn_cg_tile *wants) {
  return has->rows == 0 || (has->rows == wants->rows && has->row_bytes == wants->row_bytes);
}

typedef struct registers {
  qn_cg_tile shapes[QN_MAX_TILES];
  uint32_t busy_until[QN_MAX_TILES], count;
  uint32_t spare; /* registers that may be used beyond the minimum */
} registers;

/* Chooses a free register: an unused one while there are spare ones, else the one of the same shape
 * that has been free for longest, so that loads need not wait for products. -1 if none. */
static int choose(registers *all, const web *w) {
  int fresh = -1, used = -1;
  for (uint32_t t = 0; t < all->count; t++) {
    if (all->busy_until[t] >= w->begin || !serves(&all->shapes[t], &w->shape)) continue;
    if (all->shapes[t].rows == 0)
      fresh = fresh < 0 ? (int)t : fresh;
    else if (used < 0 || all->busy_until[t] < all->busy_until[used])
      used = (int)t;
  }
  if (used < 0 || fresh < 0) return used < 0 ? fresh : used;
  if (all->spare == 0) return used;
  all->spare--;
  return fresh;
}

/* Assigns registers to webs in order of their start; returns whether there were enough. */
static bool scan(const web *sorted, uint32_t count, registers *all, uint8_t *numbers) {
  for (uint32_t i = 0; i < count; i++) {
    int t = choose(all, &sorted[i]);
    if (t < 0) return false;
    all->shapes[t] = sorted[i].shape;
    all->busy_until[t] = sorted[i].end;
    numbers[sorted[i].root] = (uint8_t)(t + 1);
  }
  return true;
}

/* Assigns with as few registers as possible first, to find how many are spare. */
static void give_registers(numbering *n, uint32_t count, qn_cg_tiles *tiles) {
  uint32_t webs = 0;
  web *sorted = QN_NEW_ARRAY(n->arena, n->value_count, web);
  for (uint32_t id = 0; id < n->value_count; id++) {
    if (n->parents[id] != id + 1) continue;
    n->webs[id].root = id;
    sorted[webs++] = n->webs[id];
  }
  qsort(sorted, webs, sizeof *sorted, compare);
  registers few = {.count = count}, all = {.count = count};
  n->fits = scan(sorted, webs, &few, tiles->numbers);
  if (!n->fits) return;
  for (uint32_t t = 0; t < count; t++) all.spare += few.shapes[t].rows == 0;
  n->fits = scan(sorted, webs, &all, tiles->numbers);
  memcpy(tiles->registers, all.shapes, sizeof all.shapes);
}

const qn_cg_tiles *qn_cg_number_tiles(qn_cg *cg, const qn_op *func) {
  uint32_t count = cg->level->tiles.count < QN_MAX_TILES ? cg->level->tiles.count : QN_MAX_TILES;
  uint32_t values = cg->source->module->value_count;
  bool any = false;
  QN_FOR_EACH_NESTED_OP(op, func) any = any || op->kind == QN_OP_QUERN_TILE_DOT;
  if (!any || count == 0) return NULL;
  numbering n = {.arena = &cg->arena, .value_count = values, .fits = true};
  n.parents = QN_NEW_ARRAY(n.arena, values, uint32_t);
  n.webs = QN_NEW_ARRAY(n.arena, values, web);
  find_webs(&n, func);
  QN_FOR_EACH_NESTED_OP(op, func) visit(&n, op);
  qn_cg_tiles *tiles = QN_NEW(n.arena, qn_cg_tiles);
  tiles->numbers = QN_NEW_ARRAY(n.arena, values, uint8_t);
  if (n.fits) give_registers(&n, count, tiles);
  for (uint32_t id = 0; id < values && n.fits; id++) {
    if (n.parents[id] == 0) continue;
    uint32_t root = id;
    while (n.parents[root] != root + 1) root = n.parents[root] - 1;
    tiles->numbers[id] = tiles->numbers[root];
  }
  qn_map_deinit(&n.spans);
  return n.fits ? tiles : NULL;
}
