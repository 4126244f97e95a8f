/* Emits the kernel of a matrix product from its plan. Loop order, outermost first: N tiles (whose
 * panel stays in L1d), rows of pixels, M tiles, quads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/nest.h"

typedef qn_gemm_emitter emitter;
typedef qn_gemm_bound bound;
typedef qn_gemm_cursor place;

/* ---- loops ---- */

qn_value *qn_gemm_bound_value(emitter *e, bound b) {
  return b.value ? b.value : qn_build_index(e->b, b.known);
}

typedef struct loop {
  bool open;
  qn_value *index;
} loop;

/* Opens a loop over [lower, upper) and returns its index. A single iteration is emitted without a
 * loop. */
static loop loop_begin(emitter *e, bound lower, bound upper) {
  if (!lower.value && !upper.value && upper.known == lower.known + 1)
    return (loop){false, qn_build_index(e->b, lower.known)};
  qn_value *first = qn_gemm_bound_value(e, lower);
  return (loop){true, qn_nest_begin(e->b, first, qn_gemm_bound_value(e, upper), 1)};
}

static void loop_end(emitter *e, loop l) {
  if (l.open) qn_build_yield(e->b, NULL, 0);
}

static bound larger(emitter *e, qn_value *value, int64_t least) {
  return (bound){0, qn_build_binary(e->b, QN_OP_ARITH_MAXSI, value, qn_build_index(e->b, least))};
}
static bound smaller(emitter *e, qn_value *value, int64_t most) {
  return (bound){0, qn_build_binary(e->b, QN_OP_ARITH_MINSI, value, qn_build_index(e->b, most))};
}

static bound times(emitter *e, bound b, int64_t factor) {
  return b.value ? (bound){0, qn_index_affine(e->b, b.value, factor, 0)}
                 : qn_gemm_known(b.known * factor);
}

/* ---- the tile table ---- */

/* Whether a field is read from the table although it may be affine: a column of the micro-kernel or
 * a panel offset, under own_vary. So layers of one shape share a kernel. A field that is 0 for all
 * tiles is still omitted. */
static bool is_own(const emitter *e, qn_tile_field field) {
  bool own = field >= QN_TILE_OWN && field < qn_gemm_source_field(e->plan->gemm);
  return e->plan->own_vary && (own || field == QN_TILE_WEIGHTS || field == QN_TILE_OFFSETS);
}

/* Whether the field grows by a constant step from tile to tile of the segment. */
static bool field_is_affine(const emitter *e, qn_tile_field field, int64_t *out_step) {
  const qn_gemm_tile *tiles = e->plan->tiles;
  uint32_t begin = e->segment->begin, end = e->segment->end;
  for (uint32_t t = begin; t < end && is_own(e, field); t++)
    if (tiles[t].fields[field] != 0) return false;
  *out_step = end - begin > 1 ? tiles[begin + 1].fields[field] - tiles[begin].fields[field] : 0;
  for (uint32_t t = begin + 1; t < end; t++)
    if (tiles[t].fields[field] - tiles[t - 1].fields[field] != *out_step) return false;
  return true;
}

bool qn_gemm_field_is_constant(const emitter *e, qn_tile_field field) {
  int64_t step;
  return field_is_affine(e, field, &step) && step == 0;
}

bound qn_gemm_field(const emitter *e, qn_tile_field field) {
  return qn_gemm_field_is_constant(e, field) ? qn_gemm_known(e->shape->fields[field])
                                             : (bound){0, e->fields[field]};
}

static bool needs_table(emitter *e) {
  int64_t step;
  for (uint32_t s = 0; s < e->plan->segment_count; s++) {
    e->segment = &e->plan->segments[s];
    for (uint32_t f = 0; f < e->plan->field_count; f++)
      if (!field_is_affine(e, (qn_tile_field)f, &step)) return true;
  }
  return false;
}

static void load_fields(emitter *e, qn_value *tile) {
  for (uint32_t f = 0; f < e->plan->field_count; f++) {
    int64_t step, first = e->shape->fields[f];
    if (field_is_affine(e, (qn_tile_field)f, &step)) {
      e->fields[f] = qn_index_affine(e->b, tile, step, first - step * e->segment->begin);
      continue;
    }
    qn_value *row = qn_index_affine(e->b, tile, e->plan->field_count, 0);
    e->fields[f] = qn_index_load(e->b, e->table, row, f);
  }
}

/* ---- places ---- */

/* `from` advanced by `steps` pixels or rows. Without padding in y, elements and offsets in y are
 * equal. */
static place move(emitter *e, place from, qn_value *steps, int64_t x_stride, int64_t y_stride,
                  int64_t element_stride) {
  place to = {0};
  to.x = qn_gemm_add(e, from.x, qn_index_affine(e->b, steps, x_stride, 0));
  to.y = qn_gemm_add(e, from.y, qn_index_affine(e->b, steps, y_stride, 0));
  to.element = to.y;
  if (e->has_halo)
    to.element = qn_gemm_add(e, from.element, qn_index_affine(e->b, steps, element_stride, 0));
  return to;
}

static int64_t row_total(const qn_gemm_plan *plan) {
  return plan->row_count[0] * plan->row_count[1];
}

/* Positions of a row that are output pixels, without row padding. */
static int64_t real_pixels(const qn_gemm_plan *plan) {
  if (plan->row_padding == 0) return plan->pixels;
  return (plan->pixels + plan->row_padding) / plan->row_pitch *
         (plan->row_pitch - plan->row_padding);
}

/* The first pixel of a row of pixels, for the channels of the current N tile. */
static place row_at(emitter *e, qn_value *row) {
  const qn_gemm_plan *plan = e->plan;
  int64_t inner = plan->row_count[1], elements = real_pixels(plan) * plan->gemm->channels;
  place at = {.x = e->fields[QN_TILE_X], .element = e->fields[QN_TILE_CHANNEL]};
  at.y = qn_index_add(e->b, at.element, plan->gemm->y_first);
  qn_value *x = e->first ? qn_fused_rows_row(e, row) : NULL;
  if (plan->row_count[0] > 1) {
    qn_value *count = qn_build_index(e->b, inner);
    qn_value *outer = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, row, count);
    at = move(e, at, outer, plan->row_stride[0], plan->row_y[0], inner * elements);
    row = qn_build_binary(e->b, QN_OP_ARITH_REMUI, row, count);
  }
  at = move(e, at, row, plan->row_stride[1], plan->row_y[1], elements);
  if (x) at.x = x;
  return at;
}

/* Pixel `pixel` of a row. */
static place pixel_of(emitter *e, place row, qn_value *pixel) {
  const qn_gemm_plan *plan = e->plan;
  int64_t channels = plan->gemm->channels;
  place at = move(e, row, pixel, plan->pixel_stride, plan->pixel_y, channels);
  at.pixel = pixel;
  if (plan->row_pitch == 0) return at;
  qn_value *width = qn_build_index(e->b, plan->row_pitch);
  qn_value *wraps = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, pixel, width);
  at.x = qn_gemm_add(e, at.x, qn_index_affine(e->b, wraps, plan->wrap_x, 0));
  at.y = qn_gemm_add(e, at.y, qn_index_affine(e->b, wraps, plan->wrap_y, 0));
  qn_value *left_out = qn_index_affine(e->b, wraps, -plan->row_padding * channels, 0);
  at.element = e->has_halo ? qn_gemm_add(e, at.element, left_out) : at.y;
  return at;
}

qn_gemm_cursor qn_gemm_block_at(emitter *e, qn_value *block) {
  const qn_gemm_plan *plan = e->plan;
  qn_value *row = qn_build_index(e->b, 0);
  if (row_total(plan) > 1) {
    qn_value *count = qn_build_index(e->b, plan->pixels / e->segment->rows);
    row = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, block, count);
    block = qn_build_binary(e->b, QN_OP_ARITH_REMUI, block, count);
  }
  qn_value *pixel = qn_index_affine(e->b, block, e->segment->rows, 0);
  return pixel_of(e, row_at(e, row), pixel);
}

/* ---- tiles ---- */

/* The offset of pixel `pixel` of an M tile that may wrap. `left`: pixels from the first one to the
 * end of its image row; beyond it the offset grows by `more`. NULL if there is no wrap. */
static qn_value *after_wrap(emitter *e, qn_value *from, int64_t pixel, qn_value *left,
                            int64_t stride, int64_t more) {
  if (more == 0) return NULL;
  qn_value *is_next = qn_build_cmpi(e->b, QN_CMP_SLE, left, qn_build_index(e->b, pixel));
  qn_value *far = qn_index_add(e->b, from, pixel * stride + more);
  return qn_build_select(e->b, is_next, far, qn_index_add(e->b, from, pixel * stride));
}

static void place_pixels(emitter *e, int64_t rows, place at, qn_value *first) {
  const qn_gemm_plan *plan = e->plan;
  qn_value *width = qn_build_index(e->b, plan->row_pitch);
  qn_value *column = qn_build_binary(e->b, QN_OP_ARITH_REMUI, first, width);
  qn_value *left = qn_build_binary(e->b, QN_OP_ARITH_SUBI, width, column);
  for (int64_t m = 1; m < rows; m++) {
    e->pixel_x[m] = after_wrap(e, at.x, m, left, plan->pixel_stride, plan->wrap_x);
    e->pixel_y[m] = after_wrap(e, at.y, m, left, plan->pixel_y, plan->wrap_y);
  }
}

/* Emits one register tile of `rows` pixels that begins at `at`. */
static void pixel_tile(emitter *e, int64_t rows, place at) {
  const qn_gemm_micro *micro = e->plan->gemm->micro;
  qn_gemm_accumulators sums = {.rows = rows, .vectors = e->shape->vectors};
  e->at = at;
  micro->start(e, &sums);
  micro->multiply(e, &sums, at.x);
  micro->finish(e, &sums, at);
}

/* Emits M tiles [lower, upper) of `rows` pixels of a row; tile 0 begins at pixel `from`. */
static void pixel_tiles(emitter *e, int64_t rows, int64_t from, bound lower, bound upper,
                        place row) {
  const qn_gemm_plan *plan = e->plan;
  bool is_run = rows == e->segment->rows && row_total(plan) == 1 && plan->gemm->micro->run;
  if (is_run && plan->gemm->micro->run(e, lower, upper)) return;
  loop l = loop_begin(e, lower, upper);
  qn_value *first = qn_index_affine(e->b, l.index, rows, from);
  e->tile = l.index, e->tiles_before = from / e->segment->rows;
  place at = pixel_of(e, row, first);
  if (plan->row_pitch != 0 && plan->gemm->micro->wraps_rows) place_pixels(e, rows, at, first);
  pixel_tile(e, rows, at);
  loop_end(e, l);
}

/* Emits all pixels of a row, or, for work items of pixels, the call's pixels of the only row. */
static void row_of_pixels(emitter *e, place row) {
  const qn_gemm_plan *plan = e->plan;
  int64_t rows = e->segment->rows, full = plan->pixels / rows, rest = plan->pixels % rows;
  bool by_unit = plan->unit == QN_UNIT_PIXELS && plan->units > 1;
  bound lower = qn_gemm_known(0), upper = qn_gemm_known(full), rest_lower = qn_gemm_known(0);
  if (by_unit) {
    int64_t tiles = plan->unit_pixels / rows;
    lower = (bound){0, qn_index_affine(e->b, e->k->lower, tiles, 0)};
    upper = smaller(e, qn_index_affine(e->b, e->k->upper, tiles, 0), full);
    /* The remaining pixels belong to the last work item: one iteration if `upper` is the number of
     * items. */
    rest_lower = smaller(e, qn_index_affine(e->b, e->k->upper, -1, plan->units), 1);
  }
  if (full > 0) pixel_tiles(e, rows, 0, lower, upper, row);
  if (rest > 0) pixel_tiles(e, rest, full * rows, rest_lower, qn_gemm_known(1), row);
}

static void rows_of_tile(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  bool by_unit = plan->unit == QN_UNIT_ROWS;
  bound lower = by_unit ? (bound){0, e->k->lower} : qn_gemm_known(0);
  bound upper = by_unit ? (bound){0, e->k->upper} : qn_gemm_known(row_total(plan));
  int64_t each = plan->pixels / e->segment->rows;
  bool is_run = plan->pixels % e->segment->rows == 0 && row_total(plan) > 1;
  if (is_run && plan->gemm->micro->run &&
      plan->gemm->micro->run(e, times(e, lower, each), times(e, upper, each)))
    return;
  loop l = loop_begin(e, lower, upper);
  e->row = l.index;
  row_of_pixels(e, row_at(e, l.index));
  loop_end(e, l);
}

/* Emits the code of the current N tile. */
typedef void tile_fn(emitter *e);

/* The range of the segment's N tiles in the call's work items. Each batch element has the same
 * number of tiles, and they are consecutive. */
static void own_tiles(emitter *e, const qn_gemm_segment *segment, bound *out_lower,
                      bound *out_upper) {
  if (e->plan->unit != QN_UNIT_BATCH) {
    *out_lower = larger(e, e->k->lower, segment->begin);
    *out_upper = smaller(e, e->k->upper, segment->end);
    return;
  }
  int64_t count = segment->end - segment->begin, each = count / e->plan->units;
  QN_ASSERT(count % e->plan->units == 0);
  *out_lower = (bound){0, qn_index_affine(e->b, e->k->lower, each, segment->begin)};
  *out_upper = (bound){0, qn_index_affine(e->b, e->k->upper, each, segment->begin)};
}

/* ---- weights that are stored as bytes ---- */

/* Elements of the panel of a tile. */
static int64_t panel_size(const qn_gemm_plan *plan, uint32_t tile) {
  int64_t end = (int64_t)plan->weights.count;
  if (tile + 1 < plan->tile_count) end = plan->tiles[tile + 1].fields[QN_TILE_WEIGHTS];
  return end - plan->tiles[tile].fields[QN_TILE_WEIGHTS];
}

/* Opens kernel-local scratch for a widened panel, if several M tiles read the panel and it fits. */
static void open_panels(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  int64_t most = 0;
  if (!plan->compact.narrow) return;
  e->base = qn_compact_base(e->b, &plan->compact, e->params);
  for (uint32_t t = 0; t < plan->tile_count; t++)
    if (panel_size(plan, t) > most) most = panel_size(plan, t);
  bool once = row_total(plan) * plan->pixels <= plan->segments[0].rows;
  if (once || most * 2 > QN_COMPACT_SCRATCH_BYTES) return;
  e->panel_of =
      qn_build_1(e->b, QN_OP_QUERN_SCRATCH, qn_type_buf(e->b->cx, e->i16, most), NULL, 0, NULL);
}

static void widen_panel(emitter *e) {
  if (!e->panel_of) return;
  int64_t size = panel_size(e->plan, e->segment->begin);
  for (uint32_t t = e->segment->begin; t < e->segment->end; t++)
    QN_ASSERT(panel_size(e->plan, t) == size);
  qn_compact_widen(e->b, e->weights, e->base, e->fields[QN_TILE_WEIGHTS], size, e->panel_of);
  e->fields[QN_TILE_WEIGHTS] = qn_build_index(e->b, 0);
}

qn_value *qn_gemm_load_weights(emitter *e, qn_value *index, int64_t offset, int64_t count) {
  qn_value *from = e->panel_of ? e->panel_of : e->weights;
  return qn_compact_load(e->b, from, e->base, index, offset, count);
}

static void segment_tiles(emitter *e, const qn_gemm_segment *segment, bool by_tile, tile_fn *body) {
  e->segment = segment;
  e->shape = &e->plan->tiles[segment->begin];
  bound lower = qn_gemm_known(segment->begin), upper = qn_gemm_known(segment->end);
  if (by_tile) own_tiles(e, segment, &lower, &upper);
  loop l = loop_begin(e, lower, upper);
  e->panel = l.index;
  load_fields(e, l.index);
  widen_panel(e);
  if (body == rows_of_tile && e->plan->gemm->micro->load) e->plan->gemm->micro->load(e);
  body(e);
  loop_end(e, l);
}

static void all_tiles(emitter *e, bool by_tile, tile_fn *body) {
  for (uint32_t s = 0; s < e->plan->segment_count; s++)
    segment_tiles(e, &e->plan->segments[s], by_tile, body);
}

/* ---- cache blocks over M ---- */

/* Emits all N tiles over the call's work items, one cache block after the other. */
static void all_units(emitter *e) {
  e->chunk = e->plan->gemm->producer ? e->chunk : qn_gemm_chunk_units(e);
  if (e->chunk == 0) {
    all_tiles(e, qn_gemm_by_tile(e->plan), rows_of_tile);
    return;
  }
  qn_value *lower = e->k->lower, *upper = e->k->upper;
  e->k->lower = qn_nest_begin(e->b, lower, upper, e->chunk);
  e->k->upper =
      qn_build_binary(e->b, QN_OP_ARITH_MINSI, upper, qn_index_add(e->b, e->k->lower, e->chunk));
  if (e->plan->gemm->producer) qn_fused_rows_make(e);
  all_tiles(e, false, rows_of_tile);
  qn_nest_end(e->b);
  e->k->lower = lower, e->k->upper = upper;
  e->first = NULL;
}

/* ---- the kernels ---- */

enum { MAX_ARGS = 7 + QN_GEMM_MORE + QN_PRODUCER_BUFFERS + QN_FUSION_BUFFERS };

/* The buffers of a kernel in @main, and the emitter fields that receive the arguments. */
typedef struct arguments {
  uint32_t count;
  qn_value *buffers[MAX_ARGS], **slots[MAX_ARGS];
} arguments;

static void push(arguments *a, qn_value **slot, qn_value *buffer) {
  a->slots[a->count] = slot;
  a->buffers[a->count++] = buffer;
}

static void push_table(qn_loops *lo, arguments *a, qn_value **slot, const qn_i32_array *values) {
  qn_bytes bytes = {(const uint8_t *)values->data, values->count * sizeof *values->data};
  if (values->count > 0) push(a, slot, qn_loops_constant(lo, qn_type_i(lo->cx, 32), bytes));
}

static emitter open_emitter(qn_loops *lo, const qn_gemm_plan *plan) {
  return (emitter){.plan = plan,
                   .target = lo->target,
                   .i8 = qn_type_i(lo->cx, 8),
                   .i16 = qn_type_i(lo->cx, 16),
                   .i32 = qn_type_i(lo->cx, 32)};
}

static void open_kernel(qn_loops *lo, emitter *e, qn_kernel *k, const char *stem,
                        const arguments *a) {
  *k = qn_kernel_begin(lo, stem, e->plan->gemm->op, a->buffers, a->count);
  e->k = k;
  e->b = &k->b;
  for (uint32_t i = 0; i < e->post_op_args; i++) *a->slots[i] = k->args[i];
}

/* Emits the packing kernel of runtime weights; returns its buffer. */
static qn_value *emit_packing(qn_loops *lo, const qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  emitter e = open_emitter(lo, plan);
  arguments a = {0};
  qn_value *panels = qn_loops_packed(lo, g->op, g->source.weights, g->source.bias,
                                     g->micro->panel(g, lo->cx), plan->panel_elements);
  push(&a, &e.source, qn_loops_buffer(lo, g->source.weights));
  if (g->source.bias) push(&a, &e.bias, qn_loops_buffer(lo, g->source.bias));
  push_table(lo, &a, &e.quads, &plan->quads);
  push(&a, &e.weights, panels);
  if (needs_table(&e)) push_table(lo, &a, &e.table, &plan->table);
  e.post_op_args = a.count;
  qn_kernel k;
  open_kernel(lo, &e, &k, "pack", &a);
  bool by_entry = plan->unit == QN_UNIT_BATCH;
  if (!by_entry)
    k.size = QN_SIZE_FIXED; /* weights are packed as a whole, whatever the batch size */
  all_tiles(&e, true, g->micro->pack_tile);
  qn_kernel_end(&k, by_entry ? plan->units : plan->tile_count, 0);
  return panels;
}

static qn_value *panels_of(qn_loops *lo, const qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  if (g->packs) return emit_packing(lo, plan);
  qn_bytes bytes = {plan->weights.data, plan->weights.count};
  const qn_type *type = plan->compact.narrow ? qn_type_i(lo->cx, 8) : g->micro->panel(g, lo->cx);
  return qn_loops_constant(lo, type, bytes);
}

static qn_value *x_of(qn_loops *lo, const qn_gemm *g) {
  return g->x ? g->x : qn_loops_buffer(lo, qn_op_operand(g->op, 0));
}

static qn_status emit(qn_loops *lo, const qn_gemm_plan *plan) {
  const qn_op *op = plan->gemm->op;
  emitter e = open_emitter(lo, plan);
  arguments a = {0};
  if (plan->gemm->producer) QN_TRY(qn_fused_rows_open(lo, &e));
  if (!plan->gemm->producer) push(&a, &e.x, x_of(lo, plan->gemm));
  for (uint32_t i = 0; i < QN_GEMM_MORE; i++)
    if (plan->gemm->more[i]) push(&a, &e.more[i], plan->gemm->more[i]);
  for (uint32_t i = 0; i < e.source_of_x.count; i++)
    push(&a, &e.producer[i], e.source_of_x.buffers[i]);
  push(&a, &e.weights, panels_of(lo, plan));
  const qn_gemm_micro *micro = plan->gemm->micro;
  qn_value *terms = micro->row_sums ? micro->row_sums(lo, plan->gemm) : NULL;
  if (terms) push(&a, &e.row_sums, terms);
  push_table(lo, &a, &e.params, &plan->params);
  if (!plan->unlisted) push_table(lo, &a, &e.offsets, &plan->offsets);
  push(&a, &e.y, qn_loops_buffer(lo, qn_fusion_result(lo, op)));
  if (needs_table(&e)) push_table(lo, &a, &e.table, &plan->table);
  e.post_op_args = a.count;
  a.count += qn_fusion_buffers(lo, op, a.buffers + a.count);
  e.has_halo = a.count > e.post_op_args && !qn_fusion_is_dense(lo, op);
  qn_kernel k;
  open_kernel(lo, &e, &k, plan->gemm->stem, &a);
  k.has_post_ops = true;
  if (plan->gemm->producer) qn_fused_rows_begin(lo, &e);
  if (micro->open) micro->open(&e);
  open_panels(&e);
  all_units(&e);
  int64_t macs = qn_op_cost(op).macs;
  if (plan->gemm->producer) macs += qn_op_cost(plan->gemm->producer).macs;
  qn_kernel_end(&k, plan->units, macs);
  return QN_OK;
}

qn_status qn_gemm_lower(qn_loops *lo, const qn_gemm *gemm) {
  qn_gemm_plan plan;
  qn_gemm estimated = *gemm;
  if (gemm->micro->estimate)
    estimated.estimate = gemm->micro->estimate(lo->scratch, lo->target, gemm);
  qn_status status = qn_gemm_plan_make(lo, &estimated, &plan);
  if (status == QN_OK) qn_gemm_explain(lo, &plan);
  if (status == QN_OK) status = emit(lo, &plan);
  qn_gemm_plan_deinit(&plan);
  return status;
}
