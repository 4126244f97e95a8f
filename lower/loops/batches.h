/* Batches: @main runs all kernels over a group of batch elements, then over the next group.
 *
 *   before: func.func @main(%x: tensor<32x224x224x3xi8>) -> tensor<32x1000xi8>
 *   after:  func.func @main(%x: memref<4816896xi8>, %y: memref<32000xi8>, %arena) {
 *             scf.for %i = 0 to 8 {
 *               %0 = memref.view %x[%i * 602112]   // four images
 *               %1 = memref.view %y[%i * 4000]
 *               launches as of a model with batch 4 } }
 *
 * The tensors of a group stay in a cache, whose bandwidth is several times that of the next one,
 * and the arena has the size of a group. Each group reads all weights, so a group of several
 * elements is better where weights are large. Elements are independent: the bytes are those of one
 * group.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BATCHES_H
#define QN_LOWER_LOOPS_BATCHES_H

#include "lower/loops/interface.h"

/* Chooses the elements of a group by their cost and gives the tensors of `func` the size of one
 * group. There is no loop if @main does not compute batch elements independently, has a dynamic
 * size or states, or if one group of all elements costs least. */
qn_batch qn_batch_choose(qn_pass_context *pc, const qn_target *target, qn_op *func,
                         const qn_entry *entry);

/* Whether the argument of @main for a tensor of the function has all groups. */
static inline bool qn_batch_has(const qn_loops *lo, const qn_value *tensor) {
  return lo->batch.elements > 0 && lo->batch.size_of[tensor->id].size != QN_SIZE_FIXED;
}
/* The type of an input or output with the elements of all groups. */
const qn_type *qn_batch_whole_type(const qn_loops *lo, const qn_value *tensor);

/* Opens the loop at the insertion point, which moves into it. `args`: the arguments of @main; the
 * result has their parts of one group. Does nothing if there is no loop. */
qn_main_arguments qn_batch_begin(qn_loops *lo, const qn_main_arguments *args);
/* Closes the loop; the insertion point moves after it. */
void qn_batch_end(qn_loops *lo);

#endif
