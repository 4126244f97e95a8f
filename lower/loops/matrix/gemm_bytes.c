/* Micro-kernels of 8-bit x. Quads are multiplied with the target's byte or 16-bit products and
 * accumulated in 32 bits; the epilogue requantizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_bytes.h"
#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/matrix/tiles/packing.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- epilogue ---- */

qn_value *qn_bytes_element(emitter *e, qn_gemm_cursor at, int64_t m) {
  int64_t step = e->has_halo ? e->plan->gemm->channels : e->plan->pixel_y;
  return qn_index_add(e->b, at.element, m * step);
}

void qn_bytes_store(emitter *e, qn_gemm_cursor at, int64_t m, qn_value *bytes) {
  if (e->pixel_y[m])
    qn_vec_store(e->b, bytes, e->y, e->pixel_y[m], 0);
  else
    qn_vec_store(e->b, bytes, e->y, at.y, m * e->plan->pixel_y);
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

/* ---- the micro-kernels, by kind of byte product ---- */

const qn_dot *qn_bytes_dot_of_target(const qn_target *target) { return target->dot; }

const char *qn_bytes_no_quads(const qn_gemm *g, const qn_target *target) {
  (void)g;
  bool fits = qn_dot_is_exact(target->dot) && target->dot->depth == QN_QUAD;
  return fits ? NULL : "products of four bytes are not exact";
}

/* Products in groups require constant weights, because packing proves that the sums fit. */
static const char *no_groups(const qn_gemm *g, const qn_target *target) {
  if (!qn_dot_is_grouped(target->dot)) return "no products of bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Saturating products require constant weights, because packing decides which quads can be paired.
 */
static const char *no_saturating(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->saturates) return "no products of bytes saturate";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Runtime weights are packed for pairs or quads. */
static const char *no_singles(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->single) return "no products take single bytes";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *single_groups_of(const qn_target *target) { return target->single_groups; }

static const char *no_single_groups(const qn_gemm *g, const qn_target *target) {
  if (!target->single_groups) return "no products of single bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *dot_of_pairs(const qn_target *target) {
  (void)target;
  return &qn_dot_pairs;
}

static const char *no_pairs(const qn_gemm *g, const qn_target *target) {
  bool bytes = !qn_bytes_no_quads(g, target) || !no_saturating(g, target) ||
               !no_groups(g, target) || !no_singles(g, target);
  return bytes ? "products of bytes take these weights" : NULL;
}

#define KERNEL                                                                                     \
  .row_sums = qn_bytes_row_sums, .sum_bytes = sizeof(int32_t), .step_taps = QN_QUAD,               \
  .steps = qn_bytes_quad_count, .finish_cycles = qn_epilogue_cycles, .wraps_rows = true,           \
  .choose = qn_bytes_choose, .pack = qn_bytes_pack, .panel = qn_bytes_panel,                       \
  .pack_tile = qn_bytes_pack_tile, .start = qn_bytes_start, .multiply = qn_bytes_multiply,         \
  .finish = qn_bytes_finish

const qn_gemm_micro qn_gemm_quads = {KERNEL,
                                     .name = "vectors of bytes",
                                     .merges = true,
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .overlapped_rows = qn_bytes_overlapped_rows,
                                     .run = qn_bytes_run,
                                     .problem = qn_bytes_no_quads,
                                     .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_groups = {KERNEL,
                                      .name = "vectors of bytes in groups",
                                      .columns = 1,
                                      .step_cycles = qn_bytes_quad_cycles,
                                      .most_rows = qn_bytes_most_rows_of_groups,
                                      .problem = no_groups,
                                      .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_saturating = {KERNEL,
                                          .name = "vectors of bytes that saturate",
                                          .merges = true,
                                          .step_cycles = qn_bytes_quad_cycles,
                                          .columns = QN_STEP_SATURATING,
                                          .most_rows = qn_bytes_most_rows,
                                          .problem = no_saturating,
                                          .dot = qn_bytes_dot_of_target,
                                          .estimate = qn_bytes_estimate_operations};
const qn_gemm_micro qn_gemm_pairs = {KERNEL,
                                     .name = "vectors of 16-bit pairs",
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .problem = no_pairs,
                                     .dot = dot_of_pairs,
                                     .open = qn_bytes_open_pairs};
const qn_gemm_micro qn_gemm_singles = {KERNEL,
                                       .name = "single bytes",
                                       .columns = 1,
                                       .step_cycles = qn_bytes_single_cycles,
                                       .most_rows = qn_bytes_most_rows_of_singles,
                                       .problem = no_singles,
                                       .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_single_groups = {KERNEL,
                                             .name = "single bytes in groups",
                                             .columns = QN_STEP_KINDS,
                                             .step_cycles = qn_bytes_single_group_cycles,
                                             .most_rows = qn_bytes_most_rows_of_singles,
                                             .problem = no_single_groups,
                                             .dot = single_groups_of,
                                             .estimate = qn_bytes_estimate_groups};
#undef KERNEL
