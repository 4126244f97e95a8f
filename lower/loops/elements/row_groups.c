/* Finds row groups. A group grows around a reduction in lanes, whose outer loops are the rows:
 * first backwards, then forwards.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/elements/row_groups.h"

#include "base/checked.h"
#include "base/map.h"
#include "ir/ops/linalg.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "lower/loops/elements/generic.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/prepared.h"

enum {
  MOST_OPS = 16,       /* of a group: a kernel has a register file and an instruction cache */
  LEAST_ELEMENTS = 16, /* of a row: shorter ones fill vectors only across rows */
  LEAST_ROWS = 16,     /* that may be distributed to threads ... */
  ONE_THREAD = 1 << 15 /* ... if there are more elements than this */
};

struct qn_row_groups {
  qn_map of; /* op -> qn_row_group */
};

/* A group while it grows. */
typedef struct growth {
  qn_loops *lo;
  const qn_op *ops[2 * MOST_OPS]; /* ops[begin] ... ops[end - 1] */
  uint32_t begin, end, loops;
  int64_t rows;
  int32_t size; /* dynamic size of the results, or QN_SIZE_FIXED */
} growth;

/* ---- one op ---- */

static void place_types(qn_elements *t, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    qn_elements_place(t, qn_op_operand(op, i))->type = qn_op_operand(op, i)->type;
}

/* Whether the elements of the operand for one row are those of that row of its buffer. */
static bool is_by_rows(const qn_generic_nest *n, uint32_t operand) {
  const qn_generic_access *a = &n->access[operand];
  int64_t elements = qn_type_elements(qn_op_operand(n->op, operand)->type);
  int64_t rows = n->loops[0].range, size = elements / rows, last = a->base;
  if (a->offsets || !a->linear || elements % rows != 0 || a->base < 0) return false;
  if (rows > 1 && a->steps[0] != size) return false;
  for (uint32_t i = 1; i < n->loop_count; i++) {
    int64_t way;
    if (a->steps[i] < 0 || !qn_checked_mul(a->steps[i], n->loops[i].range - 1, &way)) return false;
    if (!qn_checked_add(last, way, &last)) return false;
  }
  return last < size;
}

static bool has_rows(const growth *g, const qn_generic_nest *n) {
  if (n->loop_count == 0 || !n->loops[0].own || n->loops[0].last + 1 != n->rows) return false;
  if (!n->direct || n->products) return false;
  for (uint32_t i = 0; i < n->operands; i++) {
    const qn_value *operand = qn_op_operand(n->op, i);
    bool is_output = i >= n->inputs;
    if (is_output && !qn_generic_overwrites(n, i - n->inputs) && !n->access[i].splat) return false;
    if (!is_output && !qn_value_has_uses(qn_op_body(n->op)->args[i])) continue;
    if (!is_output && (n->access[i].splat || qn_prepared_value(g->lo, operand))) continue;
    if (!qn_type_is_shaped(operand->type) || !is_by_rows(n, i)) return false;
  }
  return true;
}

static bool is_free(const qn_loops *lo, const qn_op *op) {
  return op->kind == QN_OP_LINALG_GENERIC && !qn_fusion_root(lo, op) && !qn_prepared_op(lo, op) &&
         !qn_map_get(&lo->rows->of, op);
}

/* Whether the op can be computed row by row; sets the number of rows. */
static bool plan_rows(const growth *g, const qn_op *op, int64_t *out_rows) {
  if (!is_free(g->lo, op) || qn_generic_loops(op) < g->loops) return false;
  qn_elements t = {.lo = g->lo, .places = g->lo->places};
  place_types(&t, op);
  qn_generic_nest n = {.t = &t, .op = op, .rows = g->loops};
  qn_generic_plan(&n);
  if (!has_rows(g, &n)) return false;
  *out_rows = n.loops[0].range;
  return true;
}

/* ---- groups ---- */

static bool reads_result_of(const qn_op *op, const qn_op *from) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_op_operand(op, i)->op == from) return true;
  return false;
}

/* Whether `op` reads a result of the group or, as an op before it, makes a value that it reads. */
static bool is_connected(const growth *g, const qn_op *op) {
  for (uint32_t i = g->begin; i < g->end; i++)
    if (reads_result_of(op, g->ops[i]) || reads_result_of(g->ops[i], op)) return true;
  return false;
}

static bool can_join(const growth *g, const qn_op *op) {
  int64_t rows;
  return g->end - g->begin < MOST_OPS && is_free(g->lo, op) && is_connected(g, op) &&
         qn_loops_size(g->lo, &op->results[0]) == g->size && plan_rows(g, op, &rows) &&
         rows == g->rows;
}

/* Ops without a kernel may stand between ops of a group. */
static const qn_op *before(const qn_op *op) {
  do op = op->prev;
  while (op && qn_loops_is_constant(op));
  return op;
}
static const qn_op *after(const qn_op *op) {
  do op = op->next;
  while (op && qn_loops_is_constant(op));
  return op;
}

/* Starts with a reduction whose rows are long and numerous enough. */
static bool begin(growth *g, const qn_op *op) {
  if (!is_free(g->lo, op) || !qn_reduces_in_lanes(op)) return false;
  g->loops = qn_reduction_first(op);
  if (g->loops == 0 || !plan_rows(g, op, &g->rows)) return false;
  int64_t most = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    int64_t elements = qn_type_elements(qn_op_operand(op, i)->type);
    if (elements > most && !qn_prepared_value(g->lo, qn_op_operand(op, i))) most = elements;
  }
  g->begin = MOST_OPS;
  g->end = MOST_OPS + 1;
  g->ops[g->begin] = op;
  g->size = qn_loops_size(g->lo, &op->results[0]);
  return most / g->rows >= LEAST_ELEMENTS && (g->rows >= LEAST_ROWS || most <= ONE_THREAD);
}

static void keep(const growth *g) {
  qn_row_group *group = QN_NEW(g->lo->kept, qn_row_group);
  *group = (qn_row_group){.count = g->end - g->begin, .loops = g->loops};
  group->ops = QN_NEW_ARRAY(g->lo->kept, group->count, const qn_op *);
  for (uint32_t i = 0; i < group->count; i++) {
    group->ops[i] = g->ops[g->begin + i];
    qn_map_set(&g->lo->rows->of, group->ops[i], group);
  }
}

static void find_around(qn_loops *lo, const qn_op *op) {
  growth g = {.lo = lo};
  if (!begin(&g, op)) return;
  for (const qn_op *p = before(op); p && can_join(&g, p); p = before(p)) g.ops[--g.begin] = p;
  for (const qn_op *p = after(op); p && can_join(&g, p); p = after(p)) g.ops[g.end++] = p;
  if (g.end - g.begin > 1) keep(&g);
}

qn_row_groups *qn_row_groups_find(qn_loops *lo, const qn_op *func) {
  lo->rows = QN_NEW(lo->kept, qn_row_groups);
  if (lo->keep_tensors) return lo->rows;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (op->kind != QN_OP_LINALG_GENERIC) continue;
    if (!lo->places) lo->places = QN_NEW_ARRAY(lo->kept, lo->module->value_count, qn_place_of);
    find_around(lo, op);
  }
  return lo->rows;
}

void qn_row_groups_destroy(qn_row_groups *groups) {
  if (groups) qn_map_deinit(&groups->of);
}

const qn_row_group *qn_row_group_of(const qn_loops *lo, const qn_op *op) {
  return lo->rows ? qn_map_get(&lo->rows->of, op) : NULL;
}
