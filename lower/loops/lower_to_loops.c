/* lower-to-loops: integer -> loops. Expands each op of @main into a kernel and a launch of it.
 *
 *   before: func.func @main(%x: tensor<1x8xi8>) -> tensor<1x8xi8> {
 *             %t = "ml.const"() ...
 *             %y = "ml.lut"(%x, %t) : ...
 *             return %y }
 *   after:  memref.global "private" constant @const_0 : memref<256xi8> = dense<...>
 *           func.func private @lut_0(%x: memref<8xi8>, %t: memref<256xi8>, %y: memref<8xi8>,
 *                                    %lo: index, %hi: index) { ... }
 *           func.func @main(%x: memref<8xi8>, %y: memref<8xi8>, %arena: memref<0xi8>) {
 *             "quern.launch"(%x, %t, %y, %count) {kernel = @lut_0, ...} ... }
 *
 * The module gets the attributes quern.arena_bytes, quern.target, quern.index_bits if an index has
 * 32 bits, and, with keep_tensors, quern.probes. Attributes of the arguments of @main describe them
 * (quern.role, name, dtype, shape, scale, zero_point, index).
 * Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/loops.h"

#include "ir/walk.h"
#include "ir/weights.h"
#include "lower/loops/memory/memrefs.h"
#include "lower/loops/batches.h"
#include "lower/loops/check.h"
#include "lower/loops/choices.h"
#include "lower/loops/constants.h"
#include "lower/loops/control/control.h"
#include "lower/loops/elements/row_groups.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/interface.h"
#include "lower/loops/kernel.h"
#include "lower/loops/memory/plan.h"
#include "lower/loops/prepared.h"
#include "lower/loops/proofs.h"
#include "lower/loops/sizes.h"
#include "pass/explain.h"

/* Properties that schedules require. */
static const qn_property *const needed[] = {&qn_property_integers_only,
                                            &qn_property_padding_explicit,
                                            &qn_property_zero_points_folded, NULL};

/* Approximate bytes of all constants. */
static int64_t constant_bytes(const qn_op *func) {
  int64_t bytes = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    const qn_attr *payload = op->result_count == 1 ? qn_value_constant(&op->results[0]) : NULL;
    if (!payload || !qn_attr_is_elements(payload)) continue;
    bytes += qn_type_size(op->results[0].type);
  }
  return bytes;
}

/* The output channels of all ops with weights. */
static int64_t weight_channels(const qn_op *func) {
  enum { BIAS = 2 };
  int64_t channels = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (qn_op_has_weights(op) && op->operand_count > BIAS)
      channels += qn_type_elements(op->operands[BIAS].value->type);
  }
  return channels;
}

/* Without a configuration: for any CPU. */
static qn_lower_config config_of(const qn_pass_context *pc) {
  uint32_t count;
  return pc->config ? *(const qn_lower_config *)pc->config
                    : (qn_lower_config){.target = qn_targets(&count)};
}

/* Creates the new, empty @main and opens the state of the lowering. */
static qn_loops open_state(qn_pass_context *pc, const qn_lower_config *config, qn_op *func,
                           const qn_entry *entry, qn_op **out_main) {
  qn_batch batch = {.elements = 0};
  /* Inputs in the arena are whole, while the arena of a loop has the size of a group. */
  if (!config->keep_tensors && !config->io_in_arena)
    batch = qn_batch_choose(pc, config->target, func, entry);
  qn_loops lo = {.module = pc->module,
                 .pass = pc,
                 .cx = pc->cx,
                 .scratch = pc->scratch,
                 .kept = pc->scratch,
                 .target = config->target,
                 .keep_tensors = config->keep_tensors,
                 .io_in_arena = config->io_in_arena,
                 .constant_bytes = constant_bytes(func),
                 .channels = weight_channels(func),
                 .entry = *entry,
                 .batch = batch};
  lo.proofs = qn_proofs_create(lo.kept);
  lo.choices = qn_choices_make(&lo, func);
  lo.fusion = qn_fusion_find(&lo, func);
  lo.producers = qn_producers_find(&lo, func);
  lo.prepared = qn_prepared_find(&lo, func);
  lo.rows = qn_row_groups_find(&lo, func);
  lo.plan = qn_memory_plan_create(&lo, func);
  qn_op_unlink(func);
  *out_main = qn_interface_create_main(&lo);
  qn_main_arguments args = qn_interface_arguments(&lo, *out_main);
  lo.sizes = args.sizes;
  lo.scalars = QN_NEW_ARRAY(lo.kept, lo.plan->value_count, qn_value *);
  lo.main = qn_builder_at_end(lo.module, qn_op_body(*out_main), func->loc);
  args = qn_batch_begin(&lo, &args);
  lo.memrefs = qn_memrefs_create(&lo, &args);
  return lo;
}

static void close_state(qn_loops *lo) {
  qn_kernels_destroy(lo->kernels);
  qn_constants_destroy(lo->constants);
  qn_memrefs_destroy(lo->memrefs);
  qn_memory_plan_destroy(lo->plan);
  qn_row_groups_destroy(lo->rows);
  qn_producers_destroy(lo->producers);
  qn_fusion_destroy(lo->fusion);
  qn_choices_destroy(lo->choices);
  qn_proofs_destroy(lo->proofs);
}

static void explain(qn_pass_context *pc, const qn_loops *lo, const qn_op *func) {
  QN_FOR_EACH_NESTED_OP(op, func) {
    const qn_op *reader = qn_producer_consumer(lo, op);
    if (reader && qn_explains(pc, op))
      qn_explain(pc, op->loc, "'%.*s' has no kernel: '%.*s', which reads it, makes its rows",
                 QN_STR_ARG(op->name), QN_STR_ARG(reader->name));
    const qn_row_group *group = qn_row_group_of(lo, op);
    if (group && group->ops[0] == op && qn_explains(pc, op))
      qn_explain(pc, op->loc, "'%.*s' and the %u ops after it are one kernel, row by row",
                 QN_STR_ARG(op->name), group->count - 1);
  }
}

static void check_needed(const qn_op *func) {
  QN_FOR_EACH_NESTED_OP(op, func)
  for (const qn_property *const *need = needed; *need; need++) QN_ASSERT((*need)->holds(op));
}

static qn_status run(qn_pass_context *pc) {
  qn_op *func = qn_module_main(pc->module);
  if (!func)
    return qn_error(&pc->cx->diag, pc->module->op->loc, QN_INVALID,
                    "the module has no function to lower");
  qn_lower_config config = config_of(pc);
  qn_entry entry;
  qn_status width = qn_loops_check_index_width(pc->module, func, config.target);
  QN_TRY(qn_loops_check(pc->module, func, config.target, pc->scratch, &entry));
  QN_TRY(width);
  pc->changed = true;
  qn_op *main_func;
  qn_loops lo = open_state(pc, &config, func, &entry, &main_func);
  explain(pc, &lo, func);
  lo.constants = qn_constants_create(&lo);
  lo.kernels = qn_kernels_create(&lo, main_func);

  check_needed(func);
  qn_status status = qn_loops_lower_block(&lo, qn_op_body(func));
  qn_batch_end(&lo);
  qn_build_0(&lo.main, QN_OP_FUNC_RETURN, NULL, 0, NULL);
  qn_kernels_finish(&lo);
  qn_memrefs_keep_prepared(&lo);
  int64_t *offsets = QN_NEW_ARRAY(lo.scratch, lo.plan->buffers.count, int64_t);
  qn_memory_sizes sizes = qn_memory_offsets(&lo, func, offsets);
  qn_memrefs_set_offsets(&lo, offsets);
  QN_ASSERT(sizes.arena_bytes >= 0 && qn_op_body(main_func)->last->kind == QN_OP_FUNC_RETURN);
  qn_interface_finish(&lo, main_func, sizes, qn_memrefs_prepared(&lo), offsets);
  if (status == QN_OK) status = qn_loops_check_sizes(&lo, main_func, sizes);
  close_state(&lo);
  qn_op_erase(pc->module, func);
  return status;
}

const qn_pass qn_pass_lower_to_loops = {
    .name = "lower-to-loops",
    .summary = "expand integer ops into scheduled kernels over planned buffers",
    .numerics = QN_EXACT,
    .sets_stage = true,
    .stage = QN_STAGE_LOOPS,
    .needed = needed,
    .run = run,
};
