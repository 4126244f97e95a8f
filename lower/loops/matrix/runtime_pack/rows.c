/* Runtime packing of weights that are stored by row (neighbouring channels contiguous): 16 channels
 * of four weights are interleaved at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/runtime_pack/rows.h"

#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;

/* Loads one weight of each channel from index + offset on; padding lanes repeat the last channel.
 */
static qn_value *load_row(emitter *e, qn_value *index, int64_t offset) {
  int64_t left = e->shape->valid - offset, mask[QN_RUNTIME_PACK_BLOCK];
  if (left >= QN_RUNTIME_PACK_BLOCK)
    return qn_vec_load(e->b, e->source, index, offset, QN_RUNTIME_PACK_BLOCK);
  for (int64_t i = 0; i < QN_RUNTIME_PACK_BLOCK; i++) mask[i] = i < left ? i : left - 1;
  qn_value *row = qn_vec_load(e->b, e->source, index, offset, left);
  return qn_vec_shuffle(e->b, row, row, mask, QN_RUNTIME_PACK_BLOCK);
}

/* Stores a block of 16 channels, whose weights are in four rows, to the quad that begins at `to`.
 */
static void put_block(emitter *e, qn_value *const rows[QN_QUAD], qn_value *to, int64_t block) {
  int64_t element = qn_runtime_pack_is_wide(e->plan->gemm) ? 2 : 4, vectors = e->shape->vectors;
  int64_t pitch = qn_runtime_pack_run(e->plan) * e->plan->lanes;
  for (int64_t i = 0; i < QN_RUNTIME_PACK_BLOCK / 4 &&
                      QN_RUNTIME_PACK_BLOCK * block + 4 * i < qn_runtime_pack_width(e);
       i++) {
    int64_t fours = QN_RUNTIME_PACK_BLOCK / 4 * block + i,
            lane = fours % vectors * pitch + fours / vectors * 4;
    qn_value *first = qn_runtime_pack_interleave(e, rows[0], rows[1], 1, i / 2);
    qn_value *second = qn_runtime_pack_interleave(e, rows[2], rows[3], 1, i / 2);
    qn_value *bytes = qn_runtime_pack_interleave(e, first, second, 2, i % 2);
    qn_runtime_pack_put_channels(e, bytes, qn_index_add(e->b, to, lane * element));
  }
}

static int64_t blocks_of(const emitter *e) {
  return (qn_runtime_pack_width(e) + QN_RUNTIME_PACK_BLOCK - 1) / QN_RUNTIME_PACK_BLOCK;
}

/* Packs four consecutive weights of all channels, the first of them at `from`. */
static void whole_rows(emitter *e, qn_value *from, qn_value *to) {
  int64_t step = e->plan->gemm->source.tap_step;
  for (int64_t block = 0; block < blocks_of(e); block++) {
    qn_value *rows[QN_QUAD];
    for (int k = 0; k < QN_QUAD; k++)
      rows[k] = load_row(e, qn_index_add(e->b, from, k * step), QN_RUNTIME_PACK_BLOCK * block);
    put_block(e, rows, to, block);
  }
}

static void whole_quads(emitter *e) {
  int64_t run = qn_runtime_pack_run(e->plan), step = e->plan->gemm->source.tap_step;
  if (qn_bytes_plan_of(e->plan)->whole_quads == 0) return;
  qn_value *i = qn_nest_count(e->b, qn_bytes_plan_of(e->plan)->whole_quads, 1);
  qn_value *entry = qn_index_affine(e->b, i, QN_WHOLE_FIELDS, 0);
  qn_value *number = qn_index_load(e->b, e->quads, entry, 0);
  qn_value *tap = qn_index_load(e->b, e->quads, entry, 1);
  qn_value *from = qn_index_affine(e->b, tap, step, 0);
  from = qn_gemm_add(e, e->fields[qn_gemm_source_field(e->plan->gemm)], from);
  qn_value *to = qn_runtime_pack_quad_at(e, qn_runtime_pack_first_quad(e), number);
  if (run > 1) {
    qn_value *quad = qn_nest_count(e->b, run, 1);
    from = qn_gemm_add(e, from, qn_index_affine(e->b, quad, QN_QUAD * step, 0));
    to = qn_gemm_add(e, to, qn_index_affine(e->b, quad, qn_runtime_pack_vector_elements(e), 0));
  }
  whole_rows(e, from, to);
  if (run > 1) qn_nest_end(e->b);
  qn_nest_end(e->b);
}

/* Loads one weight of each channel; the zero point, which becomes 0, if there is no weight. */
static qn_value *load_tap(emitter *e, qn_value *tap, int64_t offset) {
  qn_value *none = qn_build_index(e->b, 0);
  qn_value *known = qn_build_binary(e->b, QN_OP_ARITH_MAXSI, tap, none);
  qn_value *from = qn_index_affine(e->b, known, e->plan->gemm->source.tap_step, 0);
  qn_value *row =
      load_row(e, qn_gemm_add(e, e->fields[qn_gemm_source_field(e->plan->gemm)], from), offset);
  qn_value *is_there = qn_build_cmpi(e->b, QN_CMP_SGE, tap, none);
  int64_t zero = qn_runtime_pack_zero(e->plan->gemm);
  return qn_build_select(e->b, is_there, row, qn_runtime_pack_number(e, (int8_t)zero, row));
}

static void cut_quads(emitter *e) {
  if (qn_bytes_plan_of(e->plan)->cut_quads == 0) return;
  qn_value *i = qn_nest_count(e->b, qn_bytes_plan_of(e->plan)->cut_quads, 1);
  qn_value *entry = qn_index_affine(e->b, i, QN_CUT_FIELDS,
                                    QN_WHOLE_FIELDS * qn_bytes_plan_of(e->plan)->whole_quads);
  qn_value *number = qn_index_load(e->b, e->quads, entry, 0);
  qn_value *to = qn_runtime_pack_quad_at(e, qn_runtime_pack_first_quad(e), number);
  for (int64_t block = 0; block < blocks_of(e); block++) {
    qn_value *rows[QN_QUAD];
    for (int k = 0; k < QN_QUAD; k++) {
      qn_value *tap = qn_index_load(e->b, e->quads, entry, 1 + k);
      rows[k] = load_tap(e, tap, QN_RUNTIME_PACK_BLOCK * block);
    }
    put_block(e, rows, to, block);
  }
  qn_nest_end(e->b);
}

void qn_runtime_pack_pack_rows(emitter *e) {
  whole_quads(e);
  cut_quads(e);
}
