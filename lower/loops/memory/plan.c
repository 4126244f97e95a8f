/* Storage assignment in walks over the ops: a storage for each tensor; views; concatenations;
 * outputs and states; in-place results. Each walk only merges whole storages into others, so
 * lifetimes stay plain intervals and the order of the walks decides which sharing wins.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/plan.h"

#include "ir/ops/linalg.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/fusion.h"
#include "lower/loops/memory/offsets.h"
#include "lower/loops/schedule.h"
#include "lower/tensors/state.h"

enum { BUFFER_ALIGN = 64 };
#define NO_STORAGE UINT32_MAX

typedef struct assigner {
  qn_loops *lo;
  const qn_op *func;
  qn_memory_plan *plan;
  uint32_t *storage_of;
  bool *has_parts; /* by storage, of those there are before results are placed */
} assigner;

int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to) {
  int64_t extent = 1;
  for (uint32_t i = from; i < to; i++) extent *= tensor->shaped.dims[i];
  return extent;
}

int64_t qn_tensor_bytes(const qn_type *tensor) {
  if (!qn_type_is_shaped(tensor)) return 0;
  return qn_type_elements(tensor) * qn_type_bytes(tensor->shaped.element);
}

static bool is_byte_tensor(const qn_type *tensor) {
  return qn_type_bytes(tensor->shaped.element) == 1;
}

/* ---- storages ---- */

static uint32_t add_storage(qn_memory_plan *plan, qn_storage storage) {
  uint32_t number = (uint32_t)plan->storages.count;
  QN_ASSERT(storage.bytes >= 0 && storage.first <= storage.last);
  storage.parent = number;
  qn_array_push(&plan->storages, storage);
  return number;
}

/* Shortens the way on the way, so that long chains of results in place cost nothing. */
static qn_place resolve(const qn_memory_plan *plan, uint32_t storage) {
  qn_storage *all = plan->storages.data;
  qn_place place = {storage, 0};
  while (all[place.storage].parent != place.storage) {
    qn_storage *s = &all[place.storage];
    const qn_storage *parent = &all[s->parent];
    if (parent->parent != s->parent) {
      s->delta += parent->delta;
      s->parent = parent->parent;
    }
    place.offset += s->delta;
    place.storage = s->parent;
  }
  return place;
}

qn_place qn_plan_place(const qn_memory_plan *plan, const qn_value *tensor) {
  QN_ASSERT(tensor->id < plan->value_count && plan->storage_of[tensor->id] != NO_STORAGE);
  return resolve(plan, plan->storage_of[tensor->id]);
}

bool qn_plan_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b) {
  qn_place pa = qn_plan_place(plan, a), pb = qn_plan_place(plan, b);
  return pa.storage == pb.storage && pa.offset == pb.offset;
}

uint32_t qn_plan_scratch(qn_memory_plan *plan, const qn_op *op, int64_t bytes) {
  int64_t step = plan->def_step[op->results[0].id];
  return add_storage(plan, (qn_storage){.bytes = bytes, .first = step, .last = step});
}

static qn_storage *top_of(const assigner *a, const qn_value *tensor) {
  return &a->plan->storages.data[qn_plan_place(a->plan, tensor).storage];
}

/* Whether the tensor is all of a range of the arena that nobody pinned, so that it may move. */
static bool is_movable(const assigner *a, const qn_value *tensor) {
  qn_place place = qn_plan_place(a->plan, tensor);
  const qn_storage *s = &a->plan->storages.data[place.storage];
  return s->home == QN_HOME_ARENA && !s->kept && place.offset == 0 &&
         s->bytes == qn_tensor_bytes(tensor->type);
}

/* Makes the storage `part` a range of `whole`, at `offset`; both are their own parents. */
static void merge(qn_memory_plan *plan, uint32_t part, uint32_t whole, int64_t offset) {
  qn_storage *p = &plan->storages.data[part], *w = &plan->storages.data[whole];
  QN_ASSERT(p->parent == part && w->parent == whole && part != whole);
  QN_ASSERT(offset >= 0 && offset + p->bytes <= w->bytes);
  p->parent = whole;
  p->delta = offset;
  if (p->first < w->first) w->first = p->first;
  if (p->last > w->last) w->last = p->last;
}

/* ---- lifetimes ---- */

/* A follower in a fused chain runs at the step of its root. */
static void find_lifetimes(const assigner *a) {
  qn_memory_plan *plan = a->plan;
  int64_t step = 0;
  QN_FOR_EACH_OP(op, qn_op_body(a->func)) {
    const qn_op *root = qn_fusion_root(a->lo, op);
    int64_t runs = root ? plan->def_step[root->results[0].id] : step;
    for (uint32_t i = 0; i < op->result_count; i++) {
      plan->def_step[op->results[i].id] = runs;
      plan->last_step[op->results[i].id] = runs;
    }
    for (uint32_t i = 0; i < op->operand_count; i++) {
      uint32_t id = qn_op_operand(op, i)->id;
      if (plan->last_step[id] < step) plan->last_step[id] = step;
    }
    step++;
  }
  plan->step_count = step;
}

/* ---- the walks ---- */

static void add_arguments(const assigner *a, qn_home home, const uint32_t *numbers,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const qn_value *v = qn_op_body(a->func)->args[numbers[i]];
    a->storage_of[v->id] = add_storage(a->plan, (qn_storage){.home = home,
                                                             .index = i,
                                                             .bytes = qn_tensor_bytes(v->type),
                                                             .last = a->plan->last_step[v->id]});
  }
}

static void create_storages(const assigner *a) {
  qn_memory_plan *plan = a->plan;
  const qn_block *body = qn_op_body(a->func);
  add_arguments(a, QN_HOME_INPUT, a->lo->entry.inputs, a->lo->entry.input_count);
  add_arguments(a, QN_HOME_STATE, a->lo->entry.state_arguments, a->lo->entry.state_count);
  QN_FOR_EACH_OP(op, body) {
    bool constant = qn_loops_is_constant(op);
    bool keep = a->lo->keep_tensors && !constant && qn_op_find(op, QN_A_TENSORS);
    bool fused_away = op->result_count == 1 && qn_fusion_is_consumed(a->lo, op);
    for (uint32_t i = 0; i < op->result_count; i++) {
      const qn_value *v = &op->results[i];
      a->storage_of[v->id] =
          add_storage(plan, (qn_storage){.home = constant ? QN_HOME_CONSTANT : QN_HOME_ARENA,
                                         .bytes = fused_away ? 0 : qn_tensor_bytes(v->type),
                                         .first = keep ? 0 : plan->def_step[v->id],
                                         .last = keep ? plan->step_count : plan->last_step[v->id],
                                         .kept = keep});
    }
  }
}

/* The result is `offset` bytes into the operand. A part of an input or a state is a memref.view,
 * which needs bytes below it. */
static void view_operand(const assigner *a, const qn_value *result, const qn_value *operand,
                         int64_t offset) {
  qn_place place = qn_plan_place(a->plan, operand);
  bool whole = qn_tensor_bytes(result->type) == a->plan->storages.data[place.storage].bytes;
  qn_home home = a->plan->storages.data[place.storage].home;
  bool outside = home == QN_HOME_INPUT || home == QN_HOME_STATE;
  if (whole || home == QN_HOME_ARENA || (outside && is_byte_tensor(operand->type)))
    merge(a->plan, a->storage_of[result->id], place.storage, place.offset + offset);
}

static void view_reshape(const assigner *a, const qn_op *op) {
  view_operand(a, &op->results[0], qn_op_operand(op, 0), 0);
}

static void view_split(const assigner *a, const qn_op *op) {
  uint32_t axis = (uint32_t)qn_op_axis(op);
  if (qn_tensor_extent(qn_op_operand(op, 0)->type, 0, axis) != 1) return;
  int64_t offset = 0;
  for (uint32_t i = 0; i < op->result_count; i++) {
    view_operand(a, &op->results[i], qn_op_operand(op, 0), offset);
    offset += qn_tensor_bytes(op->results[i].type);
  }
}

/* Contiguous when, behind the first dimension that is longer than 1 in the result, all are whole.
 */
static bool is_contiguous(const qn_op *slice, int64_t *out_offset) {
  const qn_type *in = qn_op_operand(slice, 0)->type, *out = slice->results[0].type;
  qn_i64s begin = qn_op_begin(slice), stride = qn_op_stride(slice);
  int64_t offset = 0;
  bool inside = false;
  for (uint32_t i = 0; i < in->shaped.rank; i++) {
    bool single = out->shaped.dims[i] == 1;
    if (inside && out->shaped.dims[i] != in->shaped.dims[i]) return false;
    if (!single && stride.data[i] != 1) return false;
    inside = inside || !single;
    offset += begin.data[i] * qn_tensor_extent(in, i + 1, in->shaped.rank);
  }
  *out_offset = offset * qn_type_bytes(in->shaped.element);
  return true;
}

static void view_slice(const assigner *a, const qn_op *op) {
  int64_t offset;
  if (is_contiguous(op, &offset)) view_operand(a, &op->results[0], qn_op_operand(op, 0), offset);
}

bool qn_plan_is_view(const qn_memory_plan *plan, const qn_op *slice) {
  qn_place from = qn_plan_place(plan, qn_op_operand(slice, 0)),
           to = qn_plan_place(plan, &slice->results[0]);
  int64_t offset;
  return from.storage == to.storage && is_contiguous(slice, &offset) &&
         from.offset + offset == to.offset;
}

static void place_concat_parts(const assigner *a, const qn_op *op) {
  const qn_value *result = &op->results[0];
  uint32_t axis = (uint32_t)qn_op_axis(op);
  if (qn_tensor_extent(result->type, 0, axis) != 1) return;
  int64_t offset = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *part = qn_op_operand(op, i);
    qn_place from = qn_plan_place(a->plan, part), to = qn_plan_place(a->plan, result);
    if (is_movable(a, part) && from.storage != to.storage)
      merge(a->plan, from.storage, to.storage, to.offset + offset);
    offset += qn_tensor_bytes(part->type);
  }
}

/* Which storages hold something that does not fill them: an output of wide elements can't be viewed
 * in part. */
static bool *find_parts(const assigner *a) {
  const qn_memory_plan *plan = a->plan;
  bool *has_parts = QN_NEW_ARRAY(a->lo->scratch, plan->storages.count, bool);
  for (uint32_t i = 0; i < plan->storages.count; i++) {
    uint32_t top = resolve(plan, i).storage;
    if (plan->storages.data[i].bytes != plan->storages.data[top].bytes) has_parts[top] = true;
  }
  return has_parts;
}

/* Whether the tensor fills a range of the arena that can as well be a buffer of @main. */
static bool may_leave_arena(const assigner *a, const qn_value *v) {
  qn_place place = qn_plan_place(a->plan, v);
  const qn_storage *s = &a->plan->storages.data[place.storage];
  return s->home == QN_HOME_ARENA && place.offset == 0 && s->bytes == qn_tensor_bytes(v->type) &&
         (is_byte_tensor(v->type) || !a->has_parts[place.storage]);
}

static void add_copy(qn_memory_plan *plan, const qn_value *tensor, uint32_t from, uint32_t to) {
  qn_array_push(&plan->copies, ((qn_result_copy){tensor, from, to}));
}

static const qn_value *result_of(const assigner *a, uint32_t number) {
  return qn_op_operand(qn_op_body(a->func)->last, number);
}

static void place_outputs(const assigner *a) {
  for (uint32_t i = 0; i < a->lo->entry.output_count; i++) {
    const qn_value *v = result_of(a, a->lo->entry.outputs[i]);
    if (may_leave_arena(a, v)) {
      qn_storage *s = top_of(a, v);
      s->home = QN_HOME_OUTPUT;
      s->index = i;
      continue;
    }
    qn_storage output = {.home = QN_HOME_OUTPUT, .index = i, .bytes = qn_tensor_bytes(v->type)};
    add_copy(a->plan, v, NO_STORAGE, add_storage(a->plan, output));
  }
}

/* Whether element i of the operand is read for element i of the result only, if their shapes are
 * the same: of a linalg.generic, one walked as the result is, by all loops. */
static bool is_in_step(const qn_op *op, uint32_t operand) {
  if (op->kind != QN_OP_LINALG_GENERIC) return true;
  const qn_affine_map *x = qn_generic_map(op, operand);
  const qn_affine_map *y = qn_generic_map(op, qn_generic_inputs(op));
  if (x->result_count != y->result_count || x->result_count != qn_generic_loops(op)) return false;
  uint64_t walked = 0;
  for (uint32_t d = 0; d < x->result_count; d++) {
    const qn_affine_expr *e = x->results[d], *f = y->results[d];
    if (e->kind != QN_AFFINE_DIM || f->kind != QN_AFFINE_DIM || e->value != f->value) return false;
    if (walked >> e->value & 1) return false;
    walked |= UINT64_C(1) << e->value;
  }
  return true;
}

/* Whether buffers of both hold the same. */
static bool has_elements_of(qn_ir_context *cx, const qn_type *x, const qn_type *y) {
  return qn_tensors_memory_element(cx, x->shaped.element) ==
         qn_tensors_memory_element(cx, y->shaped.element);
}

/* Whether the op reads `storage` through an operand that is not in step with its result. */
static bool reads_out_of_step(const assigner *a, const qn_op *op, uint32_t storage,
                              const qn_type *result) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    if (qn_plan_place(a->plan, v).storage == storage &&
        (!qn_same_shape(v->type, result) || !is_in_step(op, i)))
      return true;
  }
  return false;
}

/* Puts all of a range of the arena where `to` is, unless that is a buffer of @main which can't be
 * viewed in the parts that the range has. */
static bool move_to(const assigner *a, const qn_value *tensor, qn_place to) {
  uint32_t from = qn_plan_place(a->plan, tensor).storage;
  bool in_arena = a->plan->storages.data[to.storage].home == QN_HOME_ARENA;
  if (a->has_parts[from] && !in_arena && !is_byte_tensor(tensor->type)) return false;
  a->has_parts[to.storage] |= a->has_parts[from];
  merge(a->plan, from, to.storage, to.offset);
  return true;
}

/* The kernel loads a lane before it stores it, so a dying operand can hold the result. */
static void place_in_operand(const assigner *a, const qn_op *op) {
  if (qn_fusion_root(a->lo, op)) return;
  const qn_value *result = qn_fusion_result(a->lo, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *operand = qn_op_operand(op, i);
    if (!is_in_step(op, i) || !has_elements_of(a->lo->cx, operand->type, result->type)) continue;
    if (!qn_same_shape(operand->type, result->type) || !is_movable(a, operand)) continue;
    if (top_of(a, result)->home == QN_HOME_STATE) continue; /* others may still read the old one */
    qn_place from = qn_plan_place(a->plan, operand), to = qn_plan_place(a->plan, result);
    if (from.storage == to.storage || top_of(a, operand)->last != a->plan->def_step[result->id])
      continue;
    if (reads_out_of_step(a, op, from.storage, result->type)) continue;
    if (move_to(a, operand, to)) return;
  }
}

/* A linalg.generic continues from its output's initial value, where nothing else needs that. */
static void place_in_output(const assigner *a, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) {
    uint32_t output = qn_generic_inputs(op) + i;
    const qn_value *operand = qn_op_operand(op, output);
    if (!is_movable(a, operand) || top_of(a, &op->results[i])->home == QN_HOME_STATE) continue;
    qn_place from = qn_plan_place(a->plan, operand), to = qn_plan_place(a->plan, &op->results[i]);
    bool alone = from.storage != to.storage &&
                 top_of(a, operand)->last == a->plan->def_step[op->results[i].id];
    for (uint32_t k = 0; k < op->operand_count && alone; k++)
      alone = k == output || qn_plan_place(a->plan, qn_op_operand(op, k)).storage != from.storage;
    if (alone) move_to(a, operand, to);
  }
}

static void place_generic(const assigner *a, const qn_op *op) {
  place_in_output(a, op);
  if (op->result_count != 1) return;
  const qn_value *initial = qn_op_operand(op, qn_generic_inputs(op));
  if (!qn_plan_same_place(a->plan, &op->results[0], initial)) place_in_operand(a, op);
}

/* ---- which walk looks at which op ---- */

typedef enum turn { NO_TURN, VIEWS, JOINS, IN_PLACE } turn;
static const struct {
  turn turn;
  void (*visit)(const assigner *a, const qn_op *op);
} sharings[QN_SHARING_COUNT] = {
    [QN_SHARES_NOTHING] = {NO_TURN, NULL},
    [QN_SHARES_WHOLE] = {VIEWS, view_reshape},
    [QN_SHARES_CUT] = {VIEWS, view_split},
    [QN_SHARES_RANGE] = {VIEWS, view_slice},
    [QN_SHARES_JOINED] = {JOINS, place_concat_parts},
    [QN_SHARES_DYING] = {IN_PLACE, place_in_operand},
    [QN_SHARES_OUTPUTS] = {IN_PLACE, place_generic},
};

/* ---- states ---- */

/* Whether the op reads, of `storage`, lane for lane what it writes. */
static bool works_in_place(const assigner *a, const qn_op *op, uint32_t storage,
                           const qn_value *result) {
  if (qn_fusion_root(a->lo, op) || qn_fusion_result(a->lo, op) != result) return false;
  return qn_schedule_of(op)->sharing == QN_SHARES_DYING &&
         !reads_out_of_step(a, op, storage, result->type);
}

/* Whether the new value can be written over the old one: nothing reads that any more. */
static bool may_replace(const assigner *a, uint32_t state, const qn_value *v) {
  if (a->lo->keep_tensors || !may_leave_arena(a, v)) return false;
  int64_t read = a->plan->storages.data[state].last, written = top_of(a, v)->first;
  return read < written || (read == written && works_in_place(a, v->op, state, v));
}

static uint32_t state_storage(const assigner *a, uint32_t k) {
  return a->storage_of[qn_op_body(a->func)->args[a->lo->entry.state_arguments[k]]->id];
}

/* The old value of one state may be the new one of another: what a copy would overwrite is saved
 * first. */
static void copy_states(const assigner *a, const bool *copied) {
  qn_memory_plan *plan = a->plan;
  uint32_t count = a->lo->entry.state_count;
  uint32_t *from = QN_NEW_ARRAY(a->lo->scratch, (size_t)count + 1, uint32_t);
  for (uint32_t k = 0; k < count; k++) {
    from[k] = NO_STORAGE;
    if (!copied[k]) continue;
    const qn_value *v = result_of(a, a->lo->entry.state_results[k]);
    const qn_storage *s = top_of(a, v);
    if (s->home != QN_HOME_STATE || !copied[s->index]) continue;
    int64_t end = plan->step_count;
    qn_storage saved = {.bytes = qn_tensor_bytes(v->type), .first = end - 1, .last = end};
    from[k] = add_storage(plan, saved);
    add_copy(plan, v, NO_STORAGE, from[k]);
  }
  for (uint32_t k = 0; k < count; k++)
    if (copied[k])
      add_copy(plan, result_of(a, a->lo->entry.state_results[k]), from[k], state_storage(a, k));
}

static void place_states(const assigner *a) {
  uint32_t count = a->lo->entry.state_count;
  bool *copied = QN_NEW_ARRAY(a->lo->scratch, (size_t)count + 1, bool);
  for (uint32_t k = 0; k < count; k++) {
    const qn_value *v = result_of(a, a->lo->entry.state_results[k]);
    uint32_t state = state_storage(a, k), place = qn_plan_place(a->plan, v).storage;
    if (place == state) continue;
    copied[k] = !may_replace(a, state, v);
    if (!copied[k]) merge(a->plan, place, state, 0);
  }
  copy_states(a, copied);
}

static void walk(const assigner *a, turn now) {
  QN_FOR_EACH_OP(op, qn_op_body(a->func)) {
    qn_sharing sharing = qn_schedule_of(op)->sharing;
    if (sharings[sharing].turn == now) sharings[sharing].visit(a, op);
  }
}

qn_memory_plan *qn_plan_create(qn_loops *lo, const qn_op *func) {
  qn_memory_plan *plan = QN_NEW(lo->scratch, qn_memory_plan);
  uint32_t values = lo->module->value_count;
  uint32_t *storage_of = QN_NEW_ARRAY(lo->scratch, values, uint32_t);
  for (uint32_t i = 0; i < values; i++) storage_of[i] = NO_STORAGE;
  plan->storage_of = storage_of;
  plan->value_count = values;
  plan->def_step = QN_NEW_ARRAY(lo->scratch, values, int64_t);
  plan->last_step = QN_NEW_ARRAY(lo->scratch, values, int64_t);
  assigner a = {lo, func, plan, storage_of, NULL};
  find_lifetimes(&a);
  create_storages(&a);
  if (!lo->keep_tensors) {
    walk(&a, VIEWS);
    walk(&a, JOINS);
  }
  a.has_parts = find_parts(&a);
  place_outputs(&a);
  place_states(&a);
  if (!lo->keep_tensors) walk(&a, IN_PLACE);
  return plan;
}

void qn_plan_destroy(qn_memory_plan *plan) {
  if (!plan) return;
  qn_array_free(&plan->storages);
  qn_array_free(&plan->copies);
}

/* ---- offsets ---- */

/* The arena storages that each op reads and writes, as pairs to keep apart. */
static uint32_t collect_pairs(const qn_loops *lo, const qn_op *func, const uint32_t *buffer_of,
                              qn_buffer_pair *out_pairs) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) {
    if (op->result_count == 0) continue;
    const qn_op *root = qn_fusion_root(lo, op);
    const qn_value *result = qn_fusion_result(lo, root ? root : op);
    uint32_t out = buffer_of[qn_plan_place(lo->plan, result).storage];
    for (uint32_t i = 0; i < op->operand_count; i++) {
      uint32_t in = buffer_of[qn_plan_place(lo->plan, qn_op_operand(op, i)).storage];
      if (in == NO_STORAGE || out == NO_STORAGE || in == out) continue;
      if (out_pairs) out_pairs[count] = (qn_buffer_pair){in, out};
      count++;
    }
  }
  return count;
}

int64_t qn_plan_offsets(const qn_loops *lo, const qn_op *func, int64_t *out_offsets) {
  const qn_memory_plan *plan = lo->plan;
  qn_arena *scratch = lo->scratch;
  uint32_t total = (uint32_t)plan->storages.count, count = 0;
  qn_interval_buffer *buffers = QN_NEW_ARRAY(scratch, total, qn_interval_buffer);
  uint32_t *buffer_of = QN_NEW_ARRAY(scratch, total, uint32_t);
  for (uint32_t i = 0; i < total; i++) {
    const qn_storage *s = &plan->storages.data[i];
    bool own = s->home == QN_HOME_ARENA && s->parent == i;
    buffer_of[i] = own ? count : NO_STORAGE;
    if (own) buffers[count++] = (qn_interval_buffer){s->bytes, s->first, s->last, BUFFER_ALIGN};
  }
  uint32_t pair_count = collect_pairs(lo, func, buffer_of, NULL);
  qn_buffer_pair *pairs = QN_NEW_ARRAY(scratch, pair_count, qn_buffer_pair);
  collect_pairs(lo, func, buffer_of, pairs);
  int64_t *offsets = QN_NEW_ARRAY(scratch, count, int64_t);
  int64_t arena = qn_offsets_plan(buffers, count, pairs, pair_count, scratch, offsets, NULL);
  for (uint32_t i = 0; i < total; i++)
    out_offsets[i] = buffer_of[i] == NO_STORAGE ? 0 : offsets[buffer_of[i]];
  for (uint32_t i = 0; i < count; i++)
    QN_ASSERT(offsets[i] >= 0 && offsets[i] % BUFFER_ALIGN == 0 &&
              offsets[i] + buffers[i].size <= arena);
  return arena;
}
