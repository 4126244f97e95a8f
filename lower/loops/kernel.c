/* Kernels take buffers and constants as arguments, so layers of one shape and one schedule give
 * equal functions. A kernel is built, compared by structure with earlier ones, and dropped if it
 * equals one. A network of 60 layers has about 35 distinct kernels, and the time of LLVM is
 * proportional to their number.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/kernel.h"

#include "base/map.h"
#include "ir/clone.h"
#include "ir/walk.h"
#include "lower/loops/layer.h"
#include "lower/loops/memory/memrefs.h"
#include "lower/loops/prepared.h"

typedef struct layer {
  const qn_attr *text;
  struct layer *next;
} layer;

typedef struct entry {
  qn_op *func;
  struct entry *next;   /* next entry with the same hash */
  struct entry *before; /* entry created before this one */
  layer *first, *last;  /* layers that launch it */
  uint32_t layer_count;
} entry;

struct qn_kernel_cache {
  qn_op *main_func;
  qn_map by_hash; /* hash, never 0, as a pointer -> entry */
  entry *newest;
  uint32_t count;
};

qn_kernel_cache *qn_kernels_create(qn_loops *lo, qn_op *main_func) {
  qn_kernel_cache *cache = QN_NEW(lo->kept, qn_kernel_cache);
  cache->main_func = main_func;
  return cache;
}

void qn_kernels_destroy(qn_kernel_cache *cache) {
  if (cache) qn_map_deinit(&cache->by_hash);
}

/* Index of `buffer` in the kernel's list; appends it if it is new. `known`: buffer -> index + 1. */
static uint32_t intern_buffer(qn_kernel *k, qn_map *known, qn_value *buffer) {
  uintptr_t number = (uintptr_t)qn_map_get(known, buffer);
  if (number > 0) return (uint32_t)number - 1;
  k->buffers[k->arg_count++] = buffer;
  qn_map_set(known, buffer, (void *)(uintptr_t)k->arg_count);
  return k->arg_count - 1;
}

/* Creates the function. It is named by its stem until it is known to be new, because equal kernels
 * must hash equally. */
static void build_function(qn_kernel *k, const char *stem) {
  qn_loops *lo = k->lo;
  const qn_type *index = qn_type_index(lo->cx);
  const qn_type **inputs = QN_NEW_ARRAY(lo->scratch, k->arg_count + 2, const qn_type *);
  for (uint32_t i = 0; i < k->arg_count; i++) inputs[i] = k->buffers[i]->type;
  inputs[k->arg_count] = inputs[k->arg_count + 1] = index;
  qn_builder at = qn_builder_before(lo->module, lo->kernels->main_func);
  at.loc = k->op->loc;
  k->func = qn_build_func(&at, qn_str_of(stem),
                          qn_type_function(lo->cx, inputs, k->arg_count + 2, NULL, 0), "private");
  k->b = qn_builder_at_end(lo->module, qn_op_body(k->func), k->op->loc);
}

/* Whether `value` is a 1-D memref of @main or of its loop over the batch. */
static bool is_buffer(const qn_loops *lo, const qn_value *value) {
  const qn_block *body = qn_op_body(lo->kernels->main_func);
  const qn_block *block = value->op ? value->op->block : value->block;
  bool flat = value->type->kind == QN_TYPE_MEMREF && value->type->shaped.rank == 1;
  return flat && (block == body || block == lo->batch.body);
}

qn_kernel qn_kernel_begin(qn_loops *lo, const char *stem, const qn_op *op, qn_value *const *buffers,
                          uint32_t count) {
  qn_kernel k = {.lo = lo, .op = op, .given = count, .size = QN_SIZE_FIXED};
  QN_ASSERT(count > 0);
  if (op->result_count > 0) k.size = qn_loops_size(lo, &op->results[0]);
  k.buffers = QN_NEW_ARRAY(lo->scratch, count, qn_value *);
  uint32_t *slots = QN_NEW_ARRAY(lo->scratch, count, uint32_t);
  qn_map known = {0};
  for (uint32_t i = 0; i < count; i++) {
    QN_ASSERT(buffers[i] && is_buffer(lo, buffers[i]));
    slots[i] = intern_buffer(&k, &known, buffers[i]);
  }
  qn_map_deinit(&known);
  build_function(&k, stem);
  const qn_block *body = qn_op_body(k.func);
  qn_value **args = QN_NEW_ARRAY(lo->scratch, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) args[i] = body->args[slots[i]];
  k.args = args;
  k.lower = body->args[k.arg_count];
  k.upper = body->args[k.arg_count + 1];
  return k;
}

/* Drops k->func if an earlier kernel is equal and returns that one; else names and keeps it. */
static entry *deduplicate(qn_kernel *k) {
  qn_loops *lo = k->lo;
  qn_map *map = &lo->kernels->by_hash;
  const void *key = (const void *)(uintptr_t)(qn_op_hash(k->func) | 1);
  qn_str stem = qn_op_sym_name(k->func);
  entry *chain = qn_map_get(map, key);
  for (entry *e = chain; e; e = e->next) {
    qn_op_set_attr(lo->module, k->func, "sym_name", qn_op_find(e->func, QN_A_SYM_NAME));
    if (!qn_op_equal(k->func, e->func)) continue;
    qn_op_erase(lo->module, k->func);
    k->func = e->func;
    return e;
  }
  qn_str name = qn_arena_format(lo->scratch, "%.*s_%u", QN_STR_ARG(stem), lo->kernels->count++);
  qn_op_set_attr(lo->module, k->func, "sym_name", qn_attr_string(lo->cx, name));
  entry *e = QN_NEW(lo->kept, entry);
  *e = (entry){.func = k->func, .next = chain, .before = lo->kernels->newest};
  lo->kernels->newest = e;
  qn_map_set(map, key, e);
  return e;
}

static void add_layer(qn_loops *lo, entry *e, const qn_attr *text) {
  layer *l = QN_NEW(lo->kept, layer);
  l->text = text;
  if (e->last) e->last->next = l;
  if (!e->first) e->first = l;
  e->last = l;
  e->layer_count++;
}

/* Sets layer names after all kernels exist, because compared kernels must not contain names. */
static void name_layers(qn_loops *lo) {
  for (entry *e = lo->kernels->newest; e; e = e->before) {
    const qn_attr **texts = QN_NEW_ARRAY(lo->scratch, e->layer_count, const qn_attr *);
    uint32_t count = 0;
    for (const layer *l = e->first; l; l = l->next) texts[count++] = l->text;
    qn_op_set_attr(lo->module, e->func, "quern.layers", qn_attr_array(lo->cx, texts, count));
  }
}

/* Below this much work, the microseconds for waking other threads cost more than they save. */
enum { ALONE_MACS = 500000, ALONE_BYTES = 1 << 17 };

static bool is_small(const qn_kernel *k, int64_t macs) {
  if (macs >= ALONE_MACS) return false;
  if (macs > 0 && !k->of_rows) return true;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < k->arg_count; i++) bytes += qn_type_size(k->buffers[i]->type);
  return bytes < ALONE_BYTES;
}

static void run_alone(qn_loops *lo, qn_op *launch) {
  qn_op_set_attr(lo->module, launch, "quern.alone", qn_attr_unit(lo->cx));
}

/* The operand of the launch that has the number of work items. */
static qn_value *build_count(const qn_kernel *k, qn_builder *b, int64_t units) {
  if (k->size == QN_SIZE_FIXED) return qn_build_index(b, units);
  int64_t bound = qn_loops_bound(k->lo, k->size);
  QN_ASSERT(units % bound == 0);
  qn_value *size = k->lo->sizes[k->size];
  if (units == bound) return size;
  qn_value *each = qn_build_index(b, units / bound);
  return qn_build_binary(b, QN_OP_ARITH_MULI, size, each);
}

/* Asserts that the kernel takes the buffers in this order, then a range of work items. */
static void check_signature(const qn_kernel *k) {
  const struct qn_block *body = qn_op_body(k->func);
  QN_ASSERT(body->arg_count == k->arg_count + 2);
  for (uint32_t i = 0; i < k->arg_count; i++) QN_ASSERT(body->args[i]->type == k->buffers[i]->type);
}

/* Whether the launch depends on constants only. Such launches write prepared memory. */
static bool prepares(const qn_kernel *k) {
  bool any = false;
  for (uint32_t i = 0; i < k->arg_count; i++) {
    const qn_op *from = k->buffers[i]->op;
    bool prepared = qn_memref_is_prepared(k->lo, k->buffers[i]);
    if (!prepared && !(from && from->kind == QN_OP_MEMREF_GET_GLOBAL)) return false;
    any |= prepared;
  }
  return any;
}

void qn_kernel_end(qn_kernel *k, int64_t units, int64_t macs) {
  qn_loops *lo = k->lo;
  QN_ASSERT(units >= 0 && macs >= 0);                           /* a tensor may have no elements */
  QN_ASSERT(!k->b.before && k->b.block == qn_op_body(k->func)); /* every nest is closed */
  qn_build_0(&k->b, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  entry *e = deduplicate(k);
  check_signature(k);
  bool once = prepares(k);
  QN_ASSERT(once || !qn_prepared_op(lo, k->op));
  if (once) k->size = QN_SIZE_FIXED; /* for the largest size */
  qn_builder outside = qn_loops_outside(lo), *b = once ? &outside : &lo->main;
  const qn_loc *outer = b->loc;
  b->loc = k->op->loc;
  qn_value **operands = QN_NEW_ARRAY(lo->scratch, k->arg_count + 1, qn_value *);
  for (uint32_t i = 0; i < k->arg_count; i++) operands[i] = k->buffers[i];
  operands[k->arg_count] = build_count(k, b, units);
  qn_op *launch = qn_build_0(b, QN_OP_QUERN_LAUNCH, operands, k->arg_count + 1,
                             QN_ATTRS({"kernel", qn_attr_symbol(lo->cx, qn_op_sym_name(k->func))},
                                      {"quern.macs", qn_attr_i64(lo->cx, macs)}));
  add_layer(lo, e, qn_layer_describe(k, launch));
  if (is_small(k, macs)) run_alone(lo, launch);
  if (once) qn_op_set_attr(lo->module, launch, "quern.prepares", qn_attr_unit(lo->cx));
  b->loc = outer;
}

static void spread(qn_loops *lo, const qn_op *main_func) {
  int64_t left = QN_ALONE_MODEL_MACS;
  QN_FOR_EACH_NESTED_OP(op, main_func) {
    int64_t macs = qn_op_is_step(op) ? qn_op_macs(op) : 0;
    if (macs >= left) return;
    left -= macs;
  }
  QN_FOR_EACH_NESTED_OP(op, main_func)
  if (op->kind == QN_OP_QUERN_LAUNCH) run_alone(lo, op);
}

void qn_kernels_finish(qn_loops *lo) {
  spread(lo, lo->kernels->main_func);
  name_layers(lo);
}
