/* Helpers that build vector ops. All vectors are one-dimensional.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_VEC_H
#define QN_LOWER_LOOPS_VEC_H

#include "ir/builder.h"
#include "lower/target.h"

enum { QN_VEC_MAX_BYTES = 256 }; /* maximum lanes of a shuffle mask: four vectors of 64 bytes */

/* base + offset; no op if the offset is 0. */
qn_value *qn_index_add(qn_builder *b, qn_value *base, int64_t offset);
/* index * factor + offset. */
qn_value *qn_index_affine(qn_builder *b, qn_value *index, int64_t factor, int64_t offset);
/* Loads memref<..xi32>[index + offset] as an index. */
qn_value *qn_index_load(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset);

/* Loads `count` elements of memref from index + offset. The element type is the memref's. */
qn_value *qn_vec_load(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset,
                      int64_t count);
/* Loads `count` consecutive vectors of `lanes` elements by one load at this place: it is neither
 * merged with an equal load nor moved (quern.reload). */
void qn_vec_reload(qn_builder *b, qn_value *memref, qn_value *index, int64_t offset, int64_t lanes,
                   qn_value **out, uint32_t count);
void qn_vec_store(qn_builder *b, qn_value *vector, qn_value *memref, qn_value *index,
                  int64_t offset);

/* `index`, of which code generation does not know what it is: loads at the result are not merged
 * with loads at `index`. */
qn_value *qn_index_opaque(qn_builder *b, qn_value *index);
/* A boundary of instruction scheduling, if the target asks for them (qn_target.boundaries). */
void qn_vec_boundary(qn_builder *b, const qn_target *target);

int64_t qn_vec_count(const qn_value *vector);
/* Result lane i is lane mask[i] of the concatenation of `first` and `second`. */
qn_value *qn_vec_shuffle(qn_builder *b, qn_value *first, qn_value *second, const int64_t *mask,
                         int64_t count);
/* The lanes of `first`, then those of `second`. */
qn_value *qn_vec_join(qn_builder *b, qn_value *first, qn_value *second);
/* The lanes of both vectors in turn, twice as many. */
qn_value *qn_vec_interleave(qn_builder *b, qn_value *first, qn_value *second);
/* The same of the first or second half of each `block` lanes of both: as many as one has. */
qn_value *qn_vec_interleave_half(qn_builder *b, qn_value *first, qn_value *second, int64_t block,
                                 int64_t half);
/* Lanes [from, from + count). */
qn_value *qn_vec_slice(qn_builder *b, qn_value *vector, int64_t from, int64_t count);
/* Reinterprets the bits as lanes of `element`. */
qn_value *qn_vec_bitcast(qn_builder *b, qn_value *vector, const qn_type *element);
qn_value *qn_vec_extract(qn_builder *b, qn_value *vector, int64_t lane);
qn_value *qn_vec_broadcast(qn_builder *b, qn_value *scalar, int64_t count);
/* Converts all lanes to `element` with op `kind` (arith.extsi, arith.sitofp, ...). */
qn_value *qn_vec_cast(qn_builder *b, qn_op_kind kind, qn_value *vector, const qn_type *element);
/* A constant vector of `count` lanes equal to `value`. */
qn_value *qn_vec_splat(qn_builder *b, int64_t value, const qn_type *element, int64_t count);
/* Reduces all lanes to a scalar. `kind`: "add", "maxsi" or "maxui". */
qn_value *qn_vec_reduce(qn_builder *b, const char *kind, qn_value *vector);
/* quern.pack */
qn_value *qn_vec_pack(qn_builder *b, qn_value *first, qn_value *second, bool to_unsigned);

#endif
