/* The main function of a model or integer stage module as its callers see it.
 *
 *   func.func @main(%x: tensor<16x8xi8> {quern.name = "x", quern.sizes = ["n"]},
 *                   %s: tensor<1x8xi8> {quern.role = "state", quern.name = "s"})
 *       -> (tensor<16x8xi8>, tensor<1x8xi8> {quern.role = "state"})
 *
 * Arguments are inputs unless their role is state, results are outputs unless theirs is. State k is
 * the k-th argument and the k-th result of that role, of one type: what an invocation returns is
 * what the next one gets. Its values are those of the argument for the whole of an invocation.
 *
 * One dimension of an input, with none or only dimensions of 1 ahead, may have any size from 1 to
 * the one in its type; quern.sizes names it, and inputs with the same name have the same size.
 * Which other tensors have it, and where, follows from the traits QN_BATCHED, QN_BATCHED_ALL,
 * QN_SPATIAL, QN_INDEXED and QN_ELEMENTWISE: entry i of that dimension is computed from the entries
 * i of the operands that have it, and from nothing else of these; of a linalg.generic it follows
 * from its maps. Since it is the outermost one in memory, a tensor of fewer entries is the
 * beginning of the largest.
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

/* Which dynamic size a tensor has, and in which dimension. */
typedef struct qn_sized {
  int32_t size; /* or QN_SIZE_FIXED */
  uint32_t dimension;
} qn_sized;

typedef struct qn_entry {
  const qn_op *func;
  qn_port *args, *results; /* role, and sizes of results, are always present */
  uint32_t input_count, output_count, state_count, size_count;
  uint32_t *inputs, *outputs;                /* numbers of arguments, of results */
  uint32_t *state_arguments, *state_results; /* the same, of state k */
  qn_size *sizes;
  const qn_sized *size_of; /* by value id */
} qn_entry;

/* `func` is verified and has a body. Reports all that is wrong: QN_INVALID; QN_UNSUPPORTED where an
 * op can't be done for a part of that dimension. Arrays live in `arena`. */
QN_NODISCARD qn_status qn_entry_read(const qn_module *module, const qn_op *func, qn_arena *arena,
                                     qn_entry *out_entry);

/* The same of the largest sizes alone: none is open, whatever the ops make of it. */
QN_NODISCARD qn_status qn_entry_read_largest(const qn_module *module, const qn_op *func,
                                             qn_arena *arena, qn_entry *out_entry);

/* Gives every tensor of the main function the actual sizes, one per size of the entry, each from 1
 * to its bound. The entry is that of the module and has to be read again. */
void qn_entry_bind(qn_module *module, const qn_entry *entry, const int64_t *sizes);

/* ---- private to entry.c and sizes.c ---- */

/* All of them fixed; returns size_of, to be filled. */
qn_sized *qn_sizes_fix(const qn_module *module, qn_arena *arena, qn_entry *entry);
QN_NODISCARD qn_status qn_sizes_find(const qn_module *module, qn_arena *arena, qn_entry *entry);

#endif
