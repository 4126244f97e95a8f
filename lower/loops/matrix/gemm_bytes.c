/* Micro-kernels of 8-bit x (bytes_kernels.c): initial accumulators, and what follows the products.
 * The epilogue requantizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_bytes.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- epilogue ---- */

qn_value *qn_bytes_element(emitter *e, qn_gemm_cursor at, int64_t m) {
  int64_t step = e->has_halo ? e->plan->gemm->channels : e->plan->pixel_y;
  return qn_index_add(e->b, at.element, m * step);
}

/* Prefetches where the results of pixel m are stored some tiles later, if they are real values,
 * which exceed L2 (fusion/chains.c). */
static void prefetch_results(emitter *e, qn_gemm_cursor at, int64_t m, const qn_value *results) {
  enum { TILES = 8, LINE = 64 / sizeof(float) };
  bool real = qn_type_is_float(qn_type_element(results->type), QN_F32);
  int64_t first = (m + TILES * e->segment->rows) * e->plan->pixel_y;
  for (int64_t i = 0; real && i < qn_vec_count(results); i += LINE) {
    qn_value *index = qn_index_add(e->b, at.y, first + i);
    qn_build_0(e->b, QN_OP_QUERN_PREFETCH, QN_VALUES(e->y, index), NULL);
  }
}

void qn_bytes_store(emitter *e, qn_gemm_cursor at, int64_t m, qn_value *results) {
  prefetch_results(e, at, m, results);
  if (e->pixel_y[m])
    qn_vec_store(e->b, results, e->y, e->pixel_y[m], 0);
  else
    qn_vec_store(e->b, results, e->y, at.y, m * e->plan->pixel_y);
}

void qn_bytes_store_pixels(emitter *e, qn_value *const *results, qn_gemm_cursor at, int64_t m,
                           int64_t pixels, qn_value *order) {
  qn_value *element = qn_bytes_element(e, at, m);
  qn_value *bytes = qn_bytes_of_pixels(e, results, (uint32_t)pixels, order, element);
  bool follow = !e->pixel_y[m + pixels - 1] && e->plan->pixel_y == e->plan->gemm->channels;
  if (pixels == 1 || follow) {
    qn_bytes_store(e, at, m, bytes);
    return;
  }
  int64_t each = qn_vec_count(bytes) / pixels;
  for (int64_t i = 0; i < pixels; i++)
    qn_bytes_store(e, at, m + i, qn_vec_slice(e->b, bytes, i * each, each));
}

void qn_bytes_store_results(emitter *e, const accumulators *acc, qn_gemm_cursor at) {
  qn_value *order = qn_bytes_load_order(e);
  int64_t together = qn_bytes_pixels_together(e);
  for (int64_t m = 0, pixels; m < acc->rows; m += pixels) {
    pixels = acc->rows - m < together ? acc->rows - m : together;
    qn_bytes_store_pixels(e, &acc->at[m * acc->vectors], at, m, pixels, order);
  }
}

/* Loads one parameter of a group of vectors, `each` vectors at a time; it begins `offset` elements
 * after the tile's first. */
static void reload(emitter *e, int64_t offset, uint32_t group, uint32_t each, qn_value **out) {
  int64_t lanes = e->plan->lanes;
  for (uint32_t first = 0, count; first < group; first += count) {
    count = group - first < each ? group - first : each;
    qn_vec_reload(e->b, e->params, e->fields[QN_TILE_PARAMS], offset + first * lanes, lanes,
                  out + first, count);
  }
}

/* Vectors of initial accumulators that one load contains. Those of four vectors occupy consecutive
 * registers, which register allocation keeps through loops, and then spills others. */
static uint32_t reloaded_starts(const qn_gemm_plan *plan) {
  enum { PAIR = 2 };
  bool loops =
      qn_bytes_plan_of(plan)->runs != 1 || qn_bytes_registers_of_parameters(plan->gemm) == 0;
  return loops ? PAIR : QN_EPILOGUE_MAX_VECTORS;
}

void qn_bytes_start_rows(emitter *e, qn_value **acc, int64_t rows) {
  uint32_t vectors = qn_bytes_vectors(e->plan, e->shape);
  for (uint32_t v = 0, group; v < vectors; v += group) {
    qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, v);
    group = qn_bytes_group(e->plan, e->shape, v);
    qn_value *first = NULL;
    if (group == 1)
      first = qn_epilogue_load_start(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                     e->params, e->fields[QN_TILE_PARAMS], at.offset, at.lanes);
    if (first) first = qn_bytes_fill_lanes(e->b, first, e->plan->lanes);
    for (int64_t r = 0; r < rows; r++) {
      acc[r * vectors + v] = first;
      if (!first) reload(e, at.offset, group, reloaded_starts(e->plan), &acc[r * vectors + v]);
    }
  }
}

/* Whether separated sums are doubled, which takes no instruction, because requantization would. */
static bool doubles(const emitter *e) {
  bool wide = e->shape->kind == QN_EPILOGUE_WIDE || e->shape->kind == QN_EPILOGUE_HALVES;
  return wide && qn_bytes_plan_of(e->plan)->joined;
}

void qn_bytes_requantize_rows(emitter *e, qn_value **acc, int64_t rows) {
  enum { OFFSET = 2 };
  const qn_epilogue *epilogue = qn_bytes_of(e->plan->gemm)->epilogue;
  uint32_t vectors = qn_bytes_vectors(e->plan, e->shape);
  for (uint32_t first = 0, group; first < vectors; first += group) {
    qn_epilogue_params params[QN_EPILOGUE_MAX_VECTORS];
    qn_value *offsets[QN_EPILOGUE_MAX_VECTORS];
    group = qn_bytes_group(e->plan, e->shape, first);
    if (qn_bytes_in_blocks(e->plan, e->shape)) qn_vec_boundary(e->b, e->target);
    for (uint32_t v = 0; v < group; v++) {
      qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, first + v);
      params[v] = qn_epilogue_load(e->b, epilogue, e->shape->kind, e->params,
                                   e->fields[QN_TILE_PARAMS], at.offset, at.stride, at.lanes);
      for (uint32_t w = 0; w < QN_COUNT(params[v].words); w++)
        if (params[v].words[w])
          params[v].words[w] = qn_bytes_fill_lanes(e->b, params[v].words[w], e->plan->lanes);
      params[v].doubled = doubles(e);
    }
    qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, first);
    for (int64_t r = 0; r < rows; r++) {
      if (group > 1) reload(e, at.offset + OFFSET * at.stride, group, group, offsets);
      for (uint32_t v = 0; v < group; v++) {
        if (group > 1) qn_epilogue_set_offset(e->b, &params[v], offsets[v]);
        qn_value **to = &acc[r * vectors + first + v];
        *to = qn_epilogue_apply(e->b, epilogue, e->shape->kind, &params[v], *to);
      }
    }
  }
}

void qn_bytes_start(emitter *e, accumulators *acc) {
  if (!e->plan->gemm->packs) qn_bytes_start_rows(e, acc->at, acc->rows);
  for (uint32_t v = 0; v < acc->vectors && e->plan->gemm->packs; v++) {
    qn_value *first = qn_bytes_load_start(e, v);
    for (int64_t m = 0; m < acc->rows; m++) acc->at[m * acc->vectors + v] = first;
  }
  for (int64_t m = 0; m < acc->rows && e->row_sums; m++) {
    qn_value *term = qn_runtime_pack_row_sum(e, e->at.x, m);
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value **at = &acc->at[m * acc->vectors + v];
      *at = qn_gemm_add(e, *at, term);
    }
  }
  for (int64_t a = 0; a < acc->rows * acc->vectors && qn_bytes_plan_of(e->plan)->joined; a++)
    acc->at[a] = qn_bytes_join_sums(e, (uint32_t)(a % acc->vectors), acc->at[a]);
}

void qn_bytes_finish(emitter *e, accumulators *acc, qn_gemm_cursor at) {
  if (qn_dot_is_scalar(e->plan->gemm->dot)) qn_vec_boundary(e->b, e->target);
  for (int64_t a = 0; a < acc->rows * acc->vectors && qn_bytes_plan_of(e->plan)->joined; a++)
    acc->at[a] = qn_bytes_separate_sums(e, acc->at[a], doubles(e));
  qn_bytes_requantize_rows(e, acc->at, acc->rows);
  qn_bytes_store_results(e, acc, at);
}

const qn_type *qn_bytes_panel(const qn_gemm *gemm, qn_ir_context *cx) {
  return qn_type_i(cx, 8 * gemm->dot->bytes);
}
