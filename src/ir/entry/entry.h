/* The signature of the main function of a model or integer stage module: inputs, outputs, states,
 * and dynamic sizes.
 *
 *   func.func @main(%x: tensor<16x8xi8> {quern.name = "x", quern.sizes = ["n"]},
 *                   %s: tensor<1x8xi8> {quern.role = "state", quern.name = "s"})
 *       -> (tensor<16x8xi8>, tensor<1x8xi8> {quern.role = "state"})
 *
 * An argument is an input and a result is an output, unless its role is "state". State k is the
 * k-th argument and the k-th result with that role; both have the same type. The result of one
 * invocation is the argument of the next. During an invocation the argument keeps its value.
 *
 * One dimension of an input may be dynamic, with any size from 1 to the size in its type, if all
 * dimensions before it are 1. quern.sizes names it; inputs with the same name have the same size.
 * The traits QN_BATCHED, QN_BATCHED_ALL, QN_SPATIAL, QN_INDEXED and QN_ELEMENTWISE tell which
 * results have the dynamic dimension, and where: entry i of a result depends only on entries i of
 * the operands that have the dimension. For a linalg.generic its indexing maps tell. Since the
 * dynamic dimension is the outermost one in memory, a smaller tensor occupies the beginning of the
 * largest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_ENTRY_H
#define QN_IR_ENTRY_H

#include "ir/entry/port.h"

enum { QN_SIZE_FIXED = -1 };

typedef struct qn_size {
  qn_str name;
  int64_t bound;
} qn_size;

/* The dynamic size of a tensor, and its dimension. */
typedef struct qn_sized {
  int32_t size; /* index of the size; QN_SIZE_FIXED if static */
  uint32_t dimension;
} qn_sized;

typedef struct qn_entry {
  const qn_op *func;
  qn_port *args, *results; /* role, and sizes of results, are always present */
  uint32_t input_count, output_count, state_count, size_count;
  uint32_t *inputs, *outputs; /* argument indices of inputs; result indices of outputs */
  uint32_t *state_arguments, *state_results; /* [state] argument index; result index */
  qn_size *sizes;
  const qn_sized *size_of; /* [value id] */
} qn_entry;

/* Reads the signature of a verified function with a body. Reports all errors: QN_INVALID;
 * QN_UNSUPPORTED if an op cannot be computed for a part of a dynamic dimension. Arrays are in
 * `arena`. */
QN_NODISCARD qn_status qn_entry_read(const qn_module *module, const qn_op *func, qn_arena *arena,
                                     qn_entry *out_entry);

/* As qn_entry_read, for the upper bounds only: all sizes are static, and ops are not checked for
 * dynamic ones. */
QN_NODISCARD qn_status qn_entry_read_largest(const qn_module *module, const qn_op *func,
                                             qn_arena *arena, qn_entry *out_entry);

/* Whether the main function, without states and dynamic sizes, computes the elements of a static
 * batch independently: dimension 0 of all results, and of those arguments that have it, is the
 * batch. On success *out_entry is as if quern.sizes named that dimension; it has one size, the
 * batch. Reports nothing. Arrays are in `arena`. */
bool qn_entry_find_batch(const qn_module *module, const qn_op *func, qn_arena *arena,
                         qn_entry *out_entry);

/* Sets the actual sizes in every tensor type of the main function: sizes[i] in [1, bound] for each
 * size of the entry. The entry must be read again afterwards. */
void qn_entry_bind(qn_module *module, const qn_entry *entry, const int64_t *sizes);

/* ---- private to entry.c and sizes.c ---- */

/* Sets all sizes to QN_SIZE_FIXED and returns size_of, to be filled in. */
qn_sized *qn_sizes_fix(const qn_module *module, qn_arena *arena, qn_entry *entry);
QN_NODISCARD qn_status qn_sizes_find(const qn_module *module, qn_arena *arena, qn_entry *entry);
bool qn_sizes_find_batch(const qn_module *module, qn_arena *arena, qn_entry *entry);

#endif
