/* Lowers ml.lut.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/lut.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* Kernel arguments. Without a table, those after it come one earlier. */
enum { ARG_X, ARG_TABLE, ARG_Y, ARG_POST_OPS };
enum { MAX_ARGS = ARG_POST_OPS + QN_FUSION_BUFFERS };

static void lut_vector(qn_kernel *k, void *user, qn_value *index, int64_t lanes) {
  const uint32_t *missing = user;
  qn_builder *b = &k->b;
  qn_value *x = qn_vec_load(b, k->args[ARG_X], index, 0, lanes);
  qn_value *y = qn_lut_emit(b, k->op, *missing ? NULL : k->args[ARG_TABLE], x);
  y = qn_fusion_emit(k, k->op, ARG_POST_OPS - *missing, y, index);
  qn_vec_store(b, y, k->args[ARG_Y - *missing], index, 0);
}

static qn_status lower_lut(qn_loops *lo, qn_op *op) {
  int64_t count = qn_type_elements(op->results[0].type);
  qn_value *buffers[MAX_ARGS], *table = qn_lut_table(lo, op);
  uint32_t missing = table ? 0 : 1, post_ops = ARG_POST_OPS - missing;
  buffers[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  if (table) buffers[ARG_TABLE] = table;
  buffers[ARG_Y - missing] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  uint32_t buffer_count = post_ops + qn_fusion_buffers(lo, op, buffers + post_ops);
  qn_kernel k = qn_kernel_begin(lo, "lut", op, buffers, buffer_count);
  qn_nest_flat(&k, count, lo->target->vector_bytes, lut_vector, &missing);
  qn_kernel_end(&k, qn_nest_units(&k, count), 0);
  return QN_OK;
}

/* Flipped bits, in the kernel that pads them (pad.c). */
static bool flips(const qn_op *op) { return !qn_lut_has_table(op); }
static const qn_producer flipped = {.can = flips};

const qn_schedule qn_schedule_ml_lut = {.lower = lower_lut,
                                        .constants_from = 1,
                                        .sharing = QN_SHARES_LAST_USE,
                                        .post_op = QN_POST_OP_UNARY,
                                        .leads = true,
                                        .producer = &flipped};
