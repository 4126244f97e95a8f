/* Emitting the kernel of a matrix product from its plan. Loops from the outside in: tiles of
 * channels (their panel of weights stays in the first-level cache), rows, tiles of pixels, quads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm.h"

#include "lower/loops/fusion.h"
#include "lower/loops/nest.h"

enum {
  MAX_ACCUMULATORS = 32,
  MAX_UNROLLED = 3, /* quads behind an equally spaced sequence that are emitted one by one */
};

typedef struct emitter {
  const qn_gemm_plan *plan;
  const qn_target *target;
  qn_kernel *k;
  qn_builder *b;
  qn_value *x, *weights, *offsets, *params, *table, *y;
  uint32_t follower_args;
  bool framed; /* y has a border, and followers need the numbers of elements without it */
  const qn_type *i8, *i16, *i32;
  /* the segment, and the tile of the current iteration */
  const qn_gemm_segment *segment;
  const qn_gemm_tile *shape; /* first tile of the segment */
  qn_value *fields[QN_TILE_FIELDS];
} emitter;

/* ---- loops ---- */

/* A range whose ends are known now (value NULL) or when the kernel runs. */
typedef struct bound {
  int64_t known;
  qn_value *value;
} bound;

static qn_value *bound_value(emitter *e, bound b) {
  return b.value ? b.value : qn_build_index(e->b, b.known);
}

typedef struct loop {
  bool open;
  qn_value *index;
} loop;

/* Opens a loop over [lower, upper) and returns its index; no loop for a single iteration. */
static loop loop_begin(emitter *e, bound lower, bound upper) {
  if (!lower.value && !upper.value && upper.known == lower.known + 1)
    return (loop){false, qn_build_index(e->b, lower.known)};
  qn_value *first = bound_value(e, lower);
  return (loop){true, qn_nest_begin(e->b, first, bound_value(e, upper), 1)};
}

static void loop_end(emitter *e, loop l) {
  if (l.open) qn_build_yield(e->b, NULL, 0);
}

static bound known(int64_t value) { return (bound){value, NULL}; }

static bound larger(emitter *e, qn_value *value, int64_t least) {
  return (bound){0, qn_build_binary(e->b, QN_OP_ARITH_MAXSI, value, qn_build_index(e->b, least))};
}
static bound smaller(emitter *e, qn_value *value, int64_t most) {
  return (bound){0, qn_build_binary(e->b, QN_OP_ARITH_MINSI, value, qn_build_index(e->b, most))};
}

/* ---- the tile table ---- */

/* Whether the field grows by the same step from tile to tile of the segment. */
static bool field_is_affine(const emitter *e, qn_tile_field field, int64_t *out_step) {
  const qn_gemm_tile *tiles = e->plan->tiles;
  uint32_t begin = e->segment->begin, end = e->segment->end;
  *out_step = end - begin > 1 ? tiles[begin + 1].fields[field] - tiles[begin].fields[field] : 0;
  for (uint32_t t = begin + 1; t < end; t++)
    if (tiles[t].fields[field] - tiles[t - 1].fields[field] != *out_step) return false;
  return true;
}

static bool field_is_constant(const emitter *e, qn_tile_field field) {
  int64_t step;
  return field_is_affine(e, field, &step) && step == 0;
}

static bool needs_table(emitter *e) {
  int64_t step;
  for (uint32_t s = 0; s < e->plan->segment_count; s++) {
    e->segment = &e->plan->segments[s];
    for (int f = 0; f < QN_TILE_FIELDS; f++)
      if (!field_is_affine(e, (qn_tile_field)f, &step)) return true;
  }
  return false;
}

static void load_fields(emitter *e, qn_value *tile) {
  for (int f = 0; f < QN_TILE_FIELDS; f++) {
    int64_t step, first = e->shape->fields[f];
    if (field_is_affine(e, (qn_tile_field)f, &step)) {
      e->fields[f] = qn_index_affine(e->b, tile, step, first - step * e->segment->begin);
      continue;
    }
    qn_value *row = qn_index_affine(e->b, tile, QN_TILE_FIELDS, 0);
    e->fields[f] = qn_index_load(e->b, e->table, row, f);
  }
}

/* ---- one quad ---- */

typedef struct accumulators {
  int64_t rows;
  uint32_t vectors;
  qn_value *at[MAX_ACCUMULATORS]; /* [row][vector] */
} accumulators;

/* Four bytes of a pixel, zeros behind a shorter window. */
static qn_value *load_quad(emitter *e, qn_value *index, int64_t row) {
  int64_t bytes = e->plan->window_bytes;
  qn_value *quad = qn_vec_load(e->b, e->x, index, row * e->plan->pixel_stride, bytes);
  if (bytes == QN_QUAD) return quad;
  int64_t mask[QN_QUAD];
  for (int64_t i = 0; i < QN_QUAD; i++) mask[i] = i < bytes ? i : bytes;
  return qn_vec_shuffle(e->b, quad, qn_vec_splat(e->b, 0, e->i8, bytes), mask, QN_QUAD);
}

/* Lane `lane` of a vector of i32 in all lanes, as bytes or halves. */
static qn_value *spread(emitter *e, qn_value *dwords, int64_t lane, const qn_type *element) {
  qn_value *all = qn_vec_broadcast(e->b, qn_vec_extract(e->b, dwords, lane), e->plan->lanes);
  return qn_vec_bitcast(e->b, all, element);
}

static qn_value *add(emitter *e, qn_value *lhs, qn_value *rhs) {
  return qn_build_binary(e->b, QN_OP_ARITH_ADDI, lhs, rhs);
}

static qn_value *madd_s16(emitter *e, qn_value *lhs, qn_value *rhs) {
  const qn_type *sums = qn_type_vec(e->b->cx, e->i32, e->plan->lanes);
  return qn_build_1(e->b, QN_OP_QUERN_MADD_S16, sums, QN_VALUES(lhs, rhs), NULL);
}

/* acc + dot4(u8 bytes, s8 weights) with the target's instructions. */
static qn_value *dot(emitter *e, qn_value *acc, qn_value *bytes, qn_value *weights) {
  if (e->target->dot == QN_DOT_U8S8)
    return qn_build_1(e->b, QN_OP_QUERN_DOT_U8S8, acc->type, QN_VALUES(acc, bytes, weights), NULL);
  const qn_type *pairs = qn_type_vec(e->b->cx, e->i16, 2 * e->plan->lanes);
  qn_value *sums = qn_build_1(e->b, QN_OP_QUERN_MADD_U8S8, pairs, QN_VALUES(bytes, weights), NULL);
  return add(e, acc, madd_s16(e, sums, qn_vec_splat(e->b, 1, e->i16, 2 * e->plan->lanes)));
}

/* 16-bit products: pairs of extended bytes with pairs of weights. */
static void step_s16(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  bool x_unsigned = e->plan->gemm->weights->x_unsigned;
  qn_op_kind extend = x_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  int64_t width = 2 * e->plan->lanes;
  qn_value *quads[MAX_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++)
    quads[m] = qn_vec_bitcast(e->b, qn_vec_cast(e->b, extend, load_quad(e, x, m), e->i16), e->i32);
  for (int64_t half = 0; half < 2; half++)
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value *pair = spread(e, quads[m], half, e->i16);
      for (uint32_t v = 0; v < acc->vectors; v++) {
        qn_value **to = &acc->at[m * acc->vectors + v];
        qn_value *weights =
            qn_vec_load(e->b, e->weights, w, (half * acc->vectors + v) * width, width);
        *to = add(e, *to, madd_s16(e, pair, weights));
      }
    }
}

static void step_s8(emitter *e, accumulators *acc, qn_value *x, qn_value *w, bool masked) {
  int64_t width = QN_QUAD * e->plan->lanes, stride = masked ? 2 * width : width;
  bool flip = !masked && !e->plan->gemm->weights->x_unsigned;
  qn_value *bytes[MAX_ACCUMULATORS], *top = flip ? qn_vec_splat(e->b, -128, e->i8, width) : NULL;
  for (int64_t m = 0; m < acc->rows; m++) {
    bytes[m] = spread(e, qn_vec_bitcast(e->b, load_quad(e, x, m), e->i32), 0, e->i8);
    if (flip) bytes[m] = qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes[m], top);
  }
  for (uint32_t v = 0; v < acc->vectors; v++) {
    qn_value *weights = qn_vec_load(e->b, e->weights, w, v * stride, width);
    qn_value *mask = masked ? qn_vec_load(e->b, e->weights, w, v * stride + width, width) : NULL;
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value **to = &acc->at[m * acc->vectors + v];
      qn_value *u8 = mask ? qn_build_binary(e->b, QN_OP_ARITH_XORI, bytes[m], mask) : bytes[m];
      *to = dot(e, *to, u8, weights);
    }
  }
}

/* Adds one quad of all pixels of the tile: x and w are where its bytes and weights begin. */
static void step(emitter *e, accumulators *acc, qn_value *x, qn_value *w, bool masked) {
  if (e->target->dot == QN_DOT_S16)
    step_s16(e, acc, x, w);
  else
    step_s8(e, acc, x, w, masked);
}

/* ---- all quads ---- */

/* Elements of weights of one quad. */
static int64_t quad_stride(const emitter *e, bool masked) {
  int64_t plain = e->shape->vectors * e->plan->lanes * QN_QUAD; /* bytes or i16 */
  return masked ? 2 * plain : plain;
}

/* Quads [0, count): x_of maps the quad's number to where it reads, by the table or equally spaced.
 */
static void quad_loop(emitter *e, accumulators *acc, qn_value *x, qn_value *w, qn_value *list,
                      bound count, bool masked) {
  uint32_t n = (uint32_t)acc->rows * acc->vectors;
  qn_value *zero = qn_build_index(e->b, 0), *end = bound_value(e, count);
  qn_op *nest = qn_build_for(e->b, zero, end, qn_build_index(e->b, 1), acc->at, n);
  qn_block *body = qn_op_body(nest);
  qn_value *q = body->args[0];
  for (uint32_t i = 0; i < n; i++) acc->at[i] = body->args[1 + i];
  qn_value *offset = list ? qn_index_load(e->b, e->offsets, add(e, list, q), 0)
                          : qn_index_affine(e->b, q, QN_QUAD, 0);
  qn_value *panel = add(e, w, qn_index_affine(e->b, q, quad_stride(e, masked), 0));
  step(e, acc, add(e, x, offset), panel, masked);
  qn_build_yield(e->b, acc->at, n);
  for (uint32_t i = 0; i < n; i++) acc->at[i] = qn_op_result(nest, i);
}

/* A list that is the same for all tiles of the segment. */
static void known_quads(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t count = e->shape->fields[QN_TILE_PLAIN], spaced = 1, stride = quad_stride(e, false);
  while (spaced < count && offsets[spaced] == offsets[0] + QN_QUAD * spaced) spaced++;
  if (count - spaced > MAX_UNROLLED) {
    quad_loop(e, acc, x, w, e->fields[QN_TILE_OFFSETS], known(count), false);
    return;
  }
  int64_t first = spaced > 1 ? spaced : 0;
  if (first > 0)
    quad_loop(e, acc, qn_index_add(e->b, x, offsets[0]), w, NULL, known(spaced), false);
  for (int64_t q = first; q < count; q++) {
    qn_value *pixels = qn_index_add(e->b, x, offsets[q]);
    step(e, acc, pixels, qn_index_add(e->b, w, q * stride), false);
  }
}

static bound field_bound(const emitter *e, qn_tile_field field) {
  return field_is_constant(e, field) ? known(e->shape->fields[field])
                                     : (bound){0, e->fields[field]};
}

static void all_quads(emitter *e, accumulators *acc, qn_value *x) {
  qn_value *w = e->fields[QN_TILE_WEIGHTS], *list = e->fields[QN_TILE_OFFSETS];
  bound plain = field_bound(e, QN_TILE_PLAIN), masked = field_bound(e, QN_TILE_MASKED);
  if (!plain.value && field_is_constant(e, QN_TILE_OFFSETS))
    known_quads(e, acc, x, w);
  else
    quad_loop(e, acc, x, w, list, plain, false);
  if (!masked.value && masked.known == 0) return;
  qn_value *done = bound_value(e, plain);
  w = add(e, w, qn_index_affine(e->b, done, quad_stride(e, false), 0));
  quad_loop(e, acc, x, w, add(e, list, done), masked, true);
}

/* ---- epilogue ---- */

/* A pixel: its base in x, where its results go, and their linear number without a border. */
typedef struct place {
  qn_value *x, *y, *element;
} place;

/* `steps` pixels, or rows, further. The elements are the same as y where there is no border. */
static place move(emitter *e, place from, qn_value *steps, int64_t x_stride, int64_t y_stride,
                  int64_t element_stride) {
  place to;
  to.x = add(e, from.x, qn_index_affine(e->b, steps, x_stride, 0));
  to.y = add(e, from.y, qn_index_affine(e->b, steps, y_stride, 0));
  to.element = to.y;
  if (e->framed) to.element = add(e, from.element, qn_index_affine(e->b, steps, element_stride, 0));
  return to;
}

/* Each result is made once: a follower may read the memory that it is stored to. */
static void store(emitter *e, const accumulators *acc, place at) {
  const qn_gemm *g = e->plan->gemm;
  for (int64_t m = 0; m < acc->rows; m++) {
    qn_value *bytes = qn_epilogue_narrow(e->b, g->epilogue, &acc->at[m * acc->vectors],
                                         acc->vectors, e->shape->valid);
    qn_value *element = qn_index_add(e->b, at.element, m * g->weights->channels);
    bytes = qn_fusion_emit(e->k, g->op, e->follower_args, bytes, element);
    qn_vec_store(e->b, bytes, e->y, at.y, m * e->plan->pixel_y);
  }
}

static int64_t param_words(const emitter *e) {
  return qn_epilogue_words(e->shape->kind) * e->plan->lanes;
}

static void requantize(emitter *e, accumulators *acc) {
  for (uint32_t v = 0; v < acc->vectors; v++) {
    qn_epilogue_params params =
        qn_epilogue_load(e->b, e->shape->kind, e->params, e->fields[QN_TILE_PARAMS],
                         v * param_words(e), e->plan->lanes);
    for (int64_t m = 0; m < acc->rows; m++) {
      qn_value **at = &acc->at[m * acc->vectors + v];
      *at = qn_epilogue_apply(e->b, e->plan->gemm->epilogue, e->shape->kind, &params, *at);
    }
  }
}

/* ---- tiles ---- */

/* `rows` pixels from the given one on. */
static void pixel_tile(emitter *e, int64_t rows, place at) {
  accumulators acc = {.rows = rows, .vectors = e->shape->vectors};
  for (uint32_t v = 0; v < acc.vectors; v++) {
    qn_value *start =
        qn_vec_load(e->b, e->params, e->fields[QN_TILE_PARAMS], v * param_words(e), e->plan->lanes);
    for (int64_t m = 0; m < rows; m++) acc.at[m * acc.vectors + v] = start;
  }
  all_quads(e, &acc, at.x);
  requantize(e, &acc);
  store(e, &acc, at);
}

/* Tiles [lower, upper) of `rows` pixels of a row, the first of them at pixel `from`. */
static void pixel_tiles(emitter *e, int64_t rows, int64_t from, bound lower, bound upper,
                        place row) {
  const qn_gemm_plan *plan = e->plan;
  loop l = loop_begin(e, lower, upper);
  qn_value *first = qn_index_affine(e->b, l.index, rows, from);
  pixel_tile(e, rows,
             move(e, row, first, plan->pixel_stride, plan->pixel_y, plan->gemm->weights->channels));
  loop_end(e, l);
}

/* All pixels of a row, or of the only row those of the call's units. */
static void row_of_pixels(emitter *e, place row) {
  const qn_gemm_plan *plan = e->plan;
  int64_t rows = e->segment->rows, full = plan->pixels / rows, rest = plan->pixels % rows;
  bool by_unit = plan->unit == QN_UNIT_PIXELS && plan->units > 1;
  bound lower = known(0), upper = known(full), rest_lower = known(0);
  if (by_unit) {
    int64_t tiles = plan->unit_pixels / rows;
    lower = (bound){0, qn_index_affine(e->b, e->k->lower, tiles, 0)};
    upper = smaller(e, qn_index_affine(e->b, e->k->upper, tiles, 0), full);
    /* The rest belongs to the last unit: one iteration when upper is the number of units. */
    rest_lower = smaller(e, qn_index_affine(e->b, e->k->upper, -1, plan->units), 1);
  }
  if (full > 0) pixel_tiles(e, rows, 0, lower, upper, row);
  if (rest > 0) pixel_tiles(e, rest, full * rows, rest_lower, known(1), row);
}

static void rows_of_tile(emitter *e) {
  const qn_gemm_plan *plan = e->plan;
  int64_t inner = plan->row_count[1], elements = plan->pixels * plan->gemm->weights->channels;
  bool by_unit = plan->unit == QN_UNIT_ROWS;
  bound lower = by_unit ? (bound){0, e->k->lower} : known(0);
  bound upper = by_unit ? (bound){0, e->k->upper} : known(plan->row_count[0] * inner);
  loop l = loop_begin(e, lower, upper);
  place at = {.x = e->fields[QN_TILE_X], .element = e->fields[QN_TILE_CHANNEL]};
  at.y = qn_index_add(e->b, at.element, plan->gemm->y_first);
  qn_value *row = l.index;
  if (plan->row_count[0] > 1) {
    qn_value *count = qn_build_index(e->b, inner);
    qn_value *outer = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, row, count);
    at = move(e, at, outer, plan->row_stride[0], plan->row_y[0], inner * elements);
    row = qn_build_binary(e->b, QN_OP_ARITH_REMUI, row, count);
  }
  row_of_pixels(e, move(e, at, row, plan->row_stride[1], plan->row_y[1], elements));
  loop_end(e, l);
}

static void segment_tiles(emitter *e, const qn_gemm_segment *segment) {
  e->segment = segment;
  e->shape = &e->plan->tiles[segment->begin];
  bound lower = known(segment->begin), upper = known(segment->end);
  if (e->plan->unit == QN_UNIT_CHANNELS) {
    lower = larger(e, e->k->lower, segment->begin);
    upper = smaller(e, e->k->upper, segment->end);
  }
  loop l = loop_begin(e, lower, upper);
  load_fields(e, l.index);
  rows_of_tile(e);
  loop_end(e, l);
}

/* ---- the kernel ---- */

static qn_bytes i32_bytes(const qn_i32_array *values) {
  return (qn_bytes){(const uint8_t *)values->data, values->count * sizeof *values->data};
}

enum { MAX_ARGS = 6 + QN_FUSION_BUFFERS };

/* Collects the buffers of the kernel; out_arg[i] is set to the argument of the i-th one. */
static uint32_t collect_buffers(qn_loops *lo, emitter *e, qn_value **buffers) {
  const qn_gemm_plan *plan = e->plan;
  const qn_op *op = plan->gemm->op;
  const qn_type *packed = e->target->dot == QN_DOT_S16 ? e->i16 : e->i8;
  buffers[0] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[1] = qn_loops_constant(lo, packed, (qn_bytes){plan->weights.data, plan->weights.count});
  buffers[2] = qn_loops_constant(lo, e->i32, i32_bytes(&plan->params));
  buffers[3] = qn_loops_constant(lo, e->i32, i32_bytes(&plan->offsets));
  buffers[4] = qn_loops_buffer(lo, qn_fusion_result(lo, op));
  uint32_t count = 5;
  if (needs_table(e)) buffers[count++] = qn_loops_constant(lo, e->i32, i32_bytes(&plan->table));
  e->follower_args = count;
  uint32_t followers = qn_fusion_buffers(lo, op, buffers + count);
  e->framed = followers > 0 && qn_fusion_pad(lo, op);
  return count + followers;
}

static void emit(qn_loops *lo, const qn_gemm_plan *plan) {
  qn_ir_context *cx = lo->cx;
  emitter e = {.plan = plan,
               .target = lo->target,
               .i8 = qn_type_i(cx, 8),
               .i16 = qn_type_i(cx, 16),
               .i32 = qn_type_i(cx, 32)};
  qn_value *buffers[MAX_ARGS];
  uint32_t count = collect_buffers(lo, &e, buffers);
  qn_kernel k = qn_kernel_begin(lo, plan->gemm->stem, plan->gemm->op, buffers, count);
  e.k = &k;
  e.b = &k.b;
  e.x = k.args[0], e.weights = k.args[1], e.params = k.args[2], e.offsets = k.args[3];
  e.y = k.args[4];
  e.table = e.follower_args > 5 ? k.args[5] : NULL;
  for (uint32_t s = 0; s < plan->segment_count; s++) segment_tiles(&e, &plan->segments[s]);
  qn_kernel_end(&k, plan->units, plan->macs);
}

qn_status qn_gemm_lower(qn_loops *lo, const qn_gemm *gemm) {
  qn_gemm_plan plan;
  qn_status status = qn_gemm_plan_make(lo, gemm, &plan);
  if (status == QN_OK) emit(lo, &plan);
  qn_gemm_plan_deinit(&plan);
  return status;
}
