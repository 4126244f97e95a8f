/* Buffers and slices of them.
 *
 * A buffer is a range of the arena, an input, output or state of @main, or a constant. A whole
 * buffer may become a part of another one, so lifetimes stay plain intervals.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BUFFERS_H
#define QN_LOWER_LOOPS_BUFFERS_H

#include "base/array.h"
#include "base/map.h"
#include "lower/loops/loops.h"

#define QN_NO_BUFFER UINT32_MAX

typedef enum qn_memory_space {
  QN_SPACE_ARENA,
  QN_SPACE_INPUT,
  QN_SPACE_OUTPUT,
  QN_SPACE_STATE,
  QN_SPACE_CONSTANT,
  QN_SPACE_PREPARED /* filled once (prepared.h) */
} qn_memory_space;

/* Whether buffers of the space share one memory, in which each has an offset. */
static inline bool qn_memory_has_offsets(qn_memory_space space) {
  return space == QN_SPACE_ARENA || space == QN_SPACE_PREPARED;
}

typedef struct qn_buffer {
  qn_memory_space space;
  uint32_t index; /* index of the input, output or state */
  int64_t bytes;
  int64_t first, last; /* lifetime in program points, inclusive; of a state, `last` is the last read
                          of the old value */
  uint32_t parent; /* index of the containing buffer, in which it begins at byte `delta`; its own
                      index if none */
  int64_t delta;
  bool kept;   /* lives to the end (keep_tensors) */
  bool shared; /* a loop-carried variable or a result of branches: several ops write it, so it is
                  not merged into another */
} qn_buffer;

/* The location of a tensor: a buffer that is its own parent, and a byte offset in it. */
typedef struct qn_buffer_slice {
  uint32_t buffer;
  int64_t offset;
} qn_buffer_slice;

/* A copy that is executed at `at`, which is the end of a block or the beginning of a loop. Copies
 * of one `at` run in order. */
typedef struct qn_result_copy {
  const qn_op *at;
  const qn_value *tensor;
  uint32_t from; /* source buffer; QN_NO_BUFFER: the slice of `tensor` */
  uint32_t to;   /* destination buffer */
} qn_result_copy;

typedef struct qn_memory_plan {
  QN_ARRAY(qn_buffer) buffers;
  const uint32_t *buffer_of; /* [value id]; QN_NO_BUFFER if not a tensor of the module */
  uint32_t value_count;
  int64_t *def_step,
      *last_step; /* [value id] program points of the definition and of the last use */
  int64_t step_count;
  qn_map spans; /* op -> its program points (steps.c) */
  /* Copies to outputs, states and slots that the producer does not write directly. Those of one op
   * are consecutive. */
  QN_ARRAY(qn_result_copy) copies;
  qn_map first_copy; /* op -> index of its first copy, plus 1 */
} qn_memory_plan;

qn_buffer_slice qn_memory_place(const qn_memory_plan *plan, const qn_value *tensor);
/* Whether both tensors start at the same byte of the same buffer. */
bool qn_memory_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b);

/* Adds scratch memory in `space` that lives while the kernels of `op` run. Precondition: offsets
 * are not assigned yet. Returns the buffer's index. */
uint32_t qn_memory_scratch(qn_memory_plan *plan, const qn_op *op, qn_memory_space space,
                           int64_t bytes);

/* Bytes of a tensor: elements times qn_type_bytes. */
int64_t qn_tensor_bytes(const qn_type *tensor);
/* Whether memref.view can address its elements: 8-bit integers, no booleans. */
bool qn_tensor_is_bytes(const qn_type *tensor);
/* Product of the dimensions in [from, to). */
int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to);

/* ---- for the files of this folder ---- */

/* The state of buffer assignment. */
typedef struct qn_assigner {
  qn_loops *lo;
  const qn_op *func;
  qn_memory_plan *plan;
  uint32_t *buffer_of;
  bool *has_parts; /* [buffer] whether other buffers are parts of it; for buffers that exist before
                      results are assigned */
} qn_assigner;

/* Adds a copy. */
void qn_memory_copy(qn_memory_plan *plan, qn_result_copy copy);
/* Adds a buffer that is its own parent; returns its index. */
uint32_t qn_memory_add(qn_memory_plan *plan, qn_buffer buffer);
/* The current slice of a buffer, after all merges so far. */
qn_buffer_slice qn_memory_resolve(const qn_memory_plan *plan, uint32_t buffer);
/* Makes buffer `part` a range of buffer `whole` at byte `offset`. Requires that neither is part of
 * another buffer. */
void qn_memory_merge(qn_memory_plan *plan, uint32_t part, uint32_t whole, int64_t offset);
/* The buffer that contains the tensor. */
qn_buffer *qn_memory_top(const qn_memory_plan *plan, const qn_value *tensor);
/* Whether the tensor fills an arena buffer that may be merged into another. */
bool qn_memory_is_movable(const qn_memory_plan *plan, const qn_value *tensor);

#endif
