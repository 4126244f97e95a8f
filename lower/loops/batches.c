/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/batches.h"

#include "ir/walk.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/kernel.h"
#include "pass/explain.h"

/* ---- the cost of a group ---- */

/* The target describes no cache beyond L2. L3_BYTES is what a core of a busy server has of L3.
 * Cycles per byte: reads from L2 are hidden by computation, and a part of the others by prefetches.
 * With these numbers the groups of ResNet-50, MobileNetV1 and MobileNetV2 take as long per element
 * as a batch of 1, within 1 % (docs/performance.md). */
enum { L3_BYTES = 8 << 20 };
static const double l3_cycles = 0.05, dram_cycles = 0.25;

/* What an op reads and writes, in bytes. */
typedef struct traffic {
  int64_t element;   /* per batch element */
  int64_t constants; /* weights and tables, once per group */
} traffic;

static bool has_batch(const qn_entry *batch, const qn_value *v) {
  return batch->size_of[v->id].size != QN_SIZE_FIXED;
}

static int64_t bytes_of(const qn_value *v) {
  bool unread = v->op && v->op->kind == QN_OP_TENSOR_EMPTY;
  return qn_type_is_shaped(v->type) && !unread ? qn_type_size(v->type) : 0;
}

static traffic traffic_of(const qn_entry *batch, const qn_op *op) {
  traffic t = {0, 0};
  int64_t elements = batch->sizes[0].bound;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    if (has_batch(batch, v))
      t.element += bytes_of(v) / elements;
    else
      t.constants += bytes_of(v);
  }
  for (uint32_t i = 0; i < op->result_count; i++)
    if (has_batch(batch, &op->results[i])) t.element += bytes_of(&op->results[i]) / elements;
  return t;
}

/* Cycles per byte of data that are used again after `bytes` of others. */
static double cycles_per_byte(const qn_target *target, int64_t bytes) {
  if (bytes <= target->l2_bytes) return 0;
  return bytes <= L3_BYTES ? l3_cycles : dram_cycles;
}

/* Cycles that one batch element waits for memory, in groups of `group`. */
static double cost_of(const qn_target *target, const qn_op *func, const qn_entry *batch,
                      int64_t group) {
  double cycles = 0;
  int64_t all = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) {
    traffic t = traffic_of(batch, op);
    all += t.constants + group * t.element;
  }
  double weights = cycles_per_byte(target, all);
  QN_FOR_EACH_OP(op, qn_op_body(func)) {
    traffic t = traffic_of(batch, op);
    cycles += (double)t.element * cycles_per_byte(target, group * t.element) +
              (double)t.constants * weights / (double)group;
  }
  return cycles;
}

/* The elements of a group whose kernels share their work among threads; those of the whole batch if
 * these do not. */
static double least_group(const qn_op *func, int64_t elements) {
  const double alone = (double)(int)QN_ALONE_MODEL_MACS;
  double macs = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) macs += (double)qn_op_cost(op).macs;
  return macs < alone ? 1 : alone / macs * (double)elements;
}

qn_batch qn_batch_choose(qn_pass_context *pc, const qn_target *target, qn_op *func,
                         const qn_entry *entry) {
  enum { MOST_GROUPS = 1024 };
  qn_entry batch;
  qn_batch none = {.elements = 0};
  bool fixed = entry->state_count == 0 && entry->size_count == 0;
  if (!fixed || target->l2_bytes == 0 ||
      !qn_entry_find_batch(pc->module, func, pc->scratch, &batch))
    return none;
  int64_t elements = batch.sizes[0].bound, best = elements;
  double cost = cost_of(target, func, &batch, elements), least = least_group(func, elements);
  for (int64_t groups = 2; groups <= MOST_GROUPS; groups++) {
    int64_t group = elements / groups;
    if (elements % groups != 0 || (double)group < least) continue;
    double other = cost_of(target, func, &batch, group);
    if (other >= cost) continue;
    cost = other;
    best = group;
  }
  if (qn_explains(pc, func))
    qn_explain(pc, func->loc, "%lld batch elements run in groups of %lld", (long long)elements,
               (long long)best);
  if (best == elements) return none;
  qn_entry_bind(pc->module, &batch, &best);
  return (qn_batch){.elements = elements, .group = best, .size_of = batch.size_of};
}

/* ---- the loop ---- */

const qn_type *qn_batch_whole_type(const qn_loops *lo, const qn_value *tensor) {
  const qn_type *type = tensor->type;
  if (!qn_batch_has(lo, tensor)) return type;
  int64_t *dims = QN_NEW_ARRAY(lo->scratch, type->shaped.rank, int64_t);
  memcpy(dims, type->shaped.dims, type->shaped.rank * sizeof *dims);
  dims[0] = lo->batch.elements;
  return qn_type_shaped(lo->cx, type->kind, type->shaped.element, true, type->shaped.rank, dims,
                        type->shaped.encoding, NULL);
}

/* The part of an argument that iteration `i` computes. */
static qn_value *part_of(qn_loops *lo, qn_value *i, qn_value *whole, const qn_value *tensor) {
  if (!qn_batch_has(lo, tensor)) return whole;
  const qn_type *element = qn_elements_memory_element(lo->cx, tensor->type->shaped.element);
  const qn_type *type = qn_type_buf(lo->cx, element, qn_type_elements(tensor->type));
  qn_value *bytes = qn_build_index(&lo->main, qn_type_size(type));
  qn_value *offset = qn_build_binary(&lo->main, QN_OP_ARITH_MULI, i, bytes);
  return qn_build_1(&lo->main, QN_OP_MEMREF_VIEW, type, QN_VALUES(whole, offset), NULL);
}

qn_main_arguments qn_batch_begin(qn_loops *lo, const qn_main_arguments *args) {
  qn_main_arguments parts = *args;
  if (lo->batch.elements == 0) return parts;
  const qn_entry *e = &lo->entry;
  const qn_block *from = qn_op_body(e->func);
  qn_builder *b = &lo->main;
  qn_value *groups = qn_build_index(b, lo->batch.elements / lo->batch.group);
  qn_value *zero = qn_build_index(b, 0), *one = qn_build_index(b, 1);
  qn_op *loop = qn_build_for(b, zero, groups, one, NULL, 0);
  qn_value *i = qn_op_body(loop)->args[0];
  qn_value **inputs = QN_NEW_ARRAY(lo->kept, (size_t)e->input_count + 1, qn_value *);
  qn_value **outputs = QN_NEW_ARRAY(lo->kept, (size_t)e->output_count + 1, qn_value *);
  for (uint32_t k = 0; k < e->input_count; k++)
    inputs[k] = part_of(lo, i, args->inputs[k], from->args[e->inputs[k]]);
  for (uint32_t k = 0; k < e->output_count; k++)
    outputs[k] = part_of(lo, i, args->outputs[k], qn_op_operand(from->last, e->outputs[k]));
  parts.inputs = inputs;
  parts.outputs = outputs;
  lo->outermost = loop;
  lo->batch.body = qn_op_body(loop);
  return parts;
}

void qn_batch_end(qn_loops *lo) {
  if (lo->batch.elements == 0) return;
  qn_build_yield(&lo->main, NULL, 0);
  lo->outermost = NULL;
}
