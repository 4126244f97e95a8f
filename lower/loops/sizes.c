/* Finds the sizes and indices of a lowered module that exceed a 32-bit index.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/sizes.h"

#include "ir/walk.h"
#include "lower/loops/interface.h"

static qn_status too_large(const qn_loops *lo, const qn_loc *loc, const char *what, int64_t bytes) {
  return qn_error(&lo->cx->diag, loc, QN_LIMIT,
                  "%s %lld bytes: code with an index of %u bits (%s) takes at most %lld", what,
                  (long long)bytes, lo->target->index_bits, lo->target->name,
                  (long long)qn_target_max_bytes(lo->target));
}

/* Bytes of all states. No sum can wrap, because each term is at most the largest tensor of any
 * target. */
static int64_t state_bytes(const qn_loops *lo, const qn_op *main_func) {
  qn_main_arguments args = qn_interface_arguments(lo, main_func);
  int64_t bytes = 0, line = lo->target->line_bytes;
  for (uint32_t i = 0; i < lo->entry.state_count; i++)
    bytes += (qn_memref_bytes(args.states[i]->type) + line - 1) / line * line;
  return bytes;
}

static bool has_index(const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_type_element(qn_op_operand(op, i)->type)->kind == QN_TYPE_INDEX) return true;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (qn_type_element(op->results[i].type)->kind == QN_TYPE_INDEX) return true;
  return false;
}

qn_status qn_loops_check_index_width(const qn_module *module, const qn_op *func,
                                     const qn_target *target) {
  int64_t bits = qn_op_index_bits(module->op);
  if (bits == target->index_bits) return QN_OK;
  QN_FOR_EACH_NESTED_OP(op, func)
  if (has_index(op))
    return qn_error(&module->cx->diag, op->loc, QN_UNSUPPORTED,
                    "this op computes with an index of %lld bits; the level %s has one of %u bits",
                    (long long)bits, target->name, target->index_bits);
  return QN_OK;
}

static qn_status check_constants(const qn_loops *lo) {
  int64_t bytes = 0, most = qn_target_max_bytes(lo->target);
  QN_FOR_EACH_OP(op, qn_op_body(lo->module->op)) {
    if (op->kind != QN_OP_MEMREF_GLOBAL) continue;
    bytes += qn_memref_bytes(qn_op_global_type(op));
    if (bytes > most) return too_large(lo, op->loc, "the constants up to this one take", bytes);
  }
  return QN_OK;
}

static qn_status check_index(const qn_loops *lo, const qn_op *op) {
  int64_t index;
  if (qn_target_holds_index(lo->target, &op->results[0], &index)) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_LIMIT,
                  "the code of this op needs the index %lld: an index of %u bits (%s) goes to %lld",
                  (long long)index, lo->target->index_bits, lo->target->name,
                  (long long)qn_target_max_bytes(lo->target));
}

/* Buffers are memrefs, which have less than 2 GiB in modules of any index width. */
static qn_status check_buffers(const qn_loops *lo, const qn_op *main_func, qn_memory_sizes sizes) {
  const struct {
    const char *what;
    int64_t bytes;
    const char *advice;
  } buffers[] = {
      {"the arena needs", sizes.arena_bytes, "a smaller batch or smaller inputs need less"},
      {"prepared constants need", sizes.prepared_bytes,
       "they are weights that are converted before the first call, such as floats that are summed "
       "in f64; split the model into parts that run one after another"}};
  for (size_t i = 0; i < QN_COUNT(buffers); i++)
    if (buffers[i].bytes > INT32_MAX)
      return qn_error(&lo->cx->diag, main_func->loc, QN_LIMIT,
                      "%s %lld bytes; at most %d are supported: %s", buffers[i].what,
                      (long long)buffers[i].bytes, INT32_MAX, buffers[i].advice);
  return QN_OK;
}

qn_status qn_loops_check_sizes(const qn_loops *lo, const qn_op *main_func, qn_memory_sizes sizes) {
  int64_t most = qn_target_max_bytes(lo->target), states = state_bytes(lo, main_func);
  if (lo->target->index_bits == 64) return check_buffers(lo, main_func, sizes);
  qn_status status = check_constants(lo);
  if (sizes.arena_bytes > most)
    status = too_large(lo, main_func->loc, "the arena needs", sizes.arena_bytes);
  if (sizes.prepared_bytes > most - lo->target->line_bytes)
    status = too_large(lo, main_func->loc, "prepared constants need", sizes.prepared_bytes);
  if (states > most) status = too_large(lo, main_func->loc, "the states need", states);
  QN_FOR_EACH_NESTED_OP(op, lo->module->op) {
    qn_status one = op->kind == QN_OP_ARITH_CONSTANT ? check_index(lo, op) : QN_OK;
    if (one != QN_OK) status = one;
  }
  return status;
}
