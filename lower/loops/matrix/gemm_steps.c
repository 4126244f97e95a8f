/* K steps of a tile of 8-bit x: the loops over the steps of each kind, and over runs of quads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_steps.h"

#include "lower/loops/matrix/bytes_step.h"
#include "lower/loops/matrix/gemm_runs.h"
#include "lower/loops/nest.h"

enum { MAX_UNROLLED = 3 }; /* quads after an equally spaced sequence that are emitted one by one */

typedef qn_gemm_emitter emitter;
typedef qn_gemm_accumulators accumulators;

/* ---- all steps ---- */

/* Where the quads of a loop over steps are: in the list, or equally spaced from `first` on if there
 * is no list. */
typedef struct quad_source {
  qn_value *list; /* NULL: no list */
  int64_t first, spacing;
} quad_source;

/* Emits steps [0, count) of a kind. */
static void step_loop(emitter *e, accumulators *acc, qn_step_kind kind, qn_value *x,
                      const quad_source *source, qn_value *w, qn_gemm_bound count) {
  uint32_t n = (uint32_t)acc->rows * acc->vectors, quads = qn_step_form_of(kind)->quads;
  qn_value *zero = qn_build_index(e->b, 0), *end = qn_gemm_bound_value(e, count);
  qn_op *nest = qn_build_for(e->b, zero, end, qn_build_index(e->b, 1), acc->at, n);
  qn_block *body = qn_op_body(nest);
  qn_value *i = body->args[0];
  qn_value *list = source->list;
  qn_quad_place from[QN_STEP_QUADS] = {{.more = source->first}, {.more = source->first}};
  for (uint32_t a = 0; a < n; a++) acc->at[a] = body->args[1 + a];
  qn_value *entry = list ? qn_gemm_add(e, list, qn_index_affine(e->b, i, quads, 0)) : NULL;
  const int64_t each = source->spacing * (int64_t)quads;
  for (uint32_t q = 0; q < quads; q++)
    from[q].offset = list ? qn_index_load(e->b, e->offsets, entry, q)
                          : qn_index_affine(e->b, i, each, source->spacing * (int64_t)q);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, i, qn_bytes_step_stride(e, kind), 0));
  qn_value *base = qn_index_add(e->b, x, source->first);
  for (uint32_t q = 0; q < quads; q++) from[q].first = qn_gemm_add(e, base, from[q].offset);
  qn_gemm_prefetch_bytes(e, i);
  qn_bytes_step(e, acc, kind, from, panel);
  qn_build_yield(e->b, acc->at, n);
  for (uint32_t a = 0; a < n; a++) acc->at[a] = qn_op_result(nest, a);
}

/* ---- runs of quads ---- */

qn_value *qn_bytes_load_run(emitter *e, const qn_quad_place *at, int64_t m, int64_t bytes) {
  qn_value *own = e->pixel_x[m], *index = own ? qn_bytes_quad_of(e, own, at) : at->first;
  qn_value *run = qn_vec_load(e->b, e->x, index, own ? 0 : m * e->plan->pixel_stride, bytes);
  if (!qn_bytes_flip(e->plan->gemm)) return run;
  return qn_build_binary(e->b, QN_OP_ARITH_XORI, run, qn_vec_splat(e->b, -128, e->i8, bytes));
}

/* Consecutive quads in one load of x: `count` quads from the `first` one of the loaded bytes on. */
typedef struct quads_of_load {
  int64_t bytes, first, count;
} quads_of_load;

/* Multiplies the quads of one load of all pixels. The loaded bytes of x stay in registers for all
 * of them. */
static void multiply_load(emitter *e, qn_value **sums, const accumulators *acc,
                          const qn_quad_place *x, qn_value *w, quads_of_load of) {
  const qn_gemm *g = e->plan->gemm;
  int64_t width = qn_bytes_step_stored(e);
  qn_value *runs[QN_GEMM_ACCUMULATORS];
  for (int64_t m = 0; m < acc->rows; m++)
    runs[m] = qn_vec_bitcast(e->b, qn_bytes_load_run(e, x, m, of.bytes), e->i32);
  for (int64_t q = 0; q < of.count; q++)
    for (uint32_t v = 0; v < acc->vectors; v++) {
      qn_value *weights = qn_bytes_load_stored(e, w, (q * acc->vectors + v) * width);
      for (int64_t m = 0; m < acc->rows; m++) {
        qn_value **to = &sums[m * acc->vectors + v];
        const qn_factors f = {qn_dot_spread(e->b, g->dot, runs[m], of.first + q, e->plan->lanes),
                              weights};
        *to = qn_bytes_add_products(e, *to, &f, 1);
      }
    }
}

/* Emits one run for all pixels. */
static void run_step(emitter *e, qn_value **sums, const void *user, const qn_quad_place *x,
                     qn_value *w) {
  int64_t quads = e->plan->gemm->dot->quads;
  multiply_load(e, sums, user, x, w, (quads_of_load){QN_QUAD * quads, 0, quads});
}

/* The constant spacing of runs: run i begins at offsets[0] + i * spacing. 0 if they are not equally
 * spaced. */
static int64_t run_spacing(const qn_gemm_plan *plan, const int32_t *offsets) {
  int64_t quads = plan->gemm->dot->quads, runs = qn_bytes_plan_of(plan)->runs;
  int64_t spacing = runs > 1 ? offsets[quads] - offsets[0] : QN_QUAD * quads;
  for (int64_t r = 0; r < runs; r++)
    if (offsets[r * quads] != offsets[0] + r * spacing) return 0;
  return spacing;
}

/* Offset of run i + `plus` in x. */
static qn_quad_place run_at(emitter *e, qn_value *x, qn_value *i, int64_t plus) {
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t quads = e->plan->gemm->dot->quads, spacing = run_spacing(e->plan, offsets);
  qn_quad_place at = {.more = spacing ? offsets[0] + plus * spacing : 0};
  if (spacing) {
    at.offset = qn_index_affine(e->b, i, spacing, 0);
  } else {
    qn_value *entry = qn_index_affine(e->b, i, quads, 0);
    entry = qn_gemm_add(e, e->fields[QN_TILE_OFFSETS], entry);
    at.offset = qn_index_load(e->b, e->offsets, entry, plus * quads);
  }
  at.first = qn_gemm_add(e, qn_index_add(e->b, x, at.more), at.offset);
  return at;
}

/* Runs per iteration. Blocks of two pixels leave too few registers for a second run. A loop of one
 * iteration is none: LLVM would keep the parameters of the tile in registers beside the products.
 */
static int64_t unrolled_runs(const emitter *e, int64_t runs) {
  enum { UNROLLED = 2 };
  return e->plan->gemm->micro->by_pairs || runs < 2 * UNROLLED ? 1 : UNROLLED;
}

void qn_bytes_each_run(emitter *e, qn_value **sums, uint32_t n, qn_value *x, qn_value *w,
                       qn_bytes_run_fn *step_of_run, const void *user) {
  QN_ASSERT(e->plan->gemm->dot->quads > 0);
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS];
  int64_t stride = e->plan->gemm->dot->quads * qn_bytes_step_stride(e, QN_STEP_PLAIN);
  if (qn_bytes_plan_of(e->plan)->runs == 1) {
    qn_quad_place at = {.first = qn_index_add(e->b, x, offsets[0]), .more = offsets[0]};
    step_of_run(e, sums, user, &at, w);
    return;
  }
  int64_t runs = qn_bytes_plan_of(e->plan)->runs, unrolled = unrolled_runs(e, runs);
  int64_t whole = runs / unrolled * unrolled;
  qn_carry loop = qn_carry_begin(e->b, 0, whole, unrolled, sums, n);
  qn_value *panel = qn_gemm_add(e, w, qn_index_affine(e->b, loop.index, stride, 0));
  for (int64_t i = 0; i < unrolled; i++) {
    if (i > 0) qn_vec_boundary(e->b, e->target);
    qn_quad_place at = run_at(e, x, loop.index, i);
    step_of_run(e, sums, user, &at, qn_index_add(e->b, panel, i * stride));
  }
  qn_carry_end(e->b, &loop);
  for (int64_t i = whole; i < runs; i++) {
    qn_quad_place at = run_at(e, x, qn_build_index(e->b, 0), i);
    step_of_run(e, sums, user, &at, qn_index_add(e->b, w, i * stride));
  }
}

static void multiply_runs(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  qn_bytes_each_run(e, acc->at, (uint32_t)acc->rows * acc->vectors, x, w, run_step, acc);
}

/* A sequence of quads at the start of a list: quad i is at the first offset + i * spacing. */
typedef struct quad_sequence {
  int64_t count, spacing;
} quad_sequence;

static quad_sequence sequence_of(const int32_t *offsets, int64_t count, int64_t spacing) {
  quad_sequence s = {1, spacing};
  while (s.count < count && offsets[s.count] == offsets[0] + spacing * s.count) s.count++;
  return s;
}

/* The sequence whose loop needs no list: consecutive quads, or else equally spaced ones, such as
 * the rows of a kernel of one channel. */
static quad_sequence first_sequence(const int32_t *offsets, int64_t count) {
  quad_sequence run = sequence_of(offsets, count, QN_QUAD);
  if (count - run.count <= MAX_UNROLLED) return run;
  quad_sequence spaced = sequence_of(offsets, count, (int64_t)offsets[1] - offsets[0]);
  return count - spaced.count <= MAX_UNROLLED ? spaced : run;
}

/* ---- quads outside of runs ---- */

enum { MAX_LOADS = 5 };

/* The next quads that one load contains, of `count` quads at `offsets`; *out_from: its offset. A
 * load of a whole vector may contain other bytes, but none beyond those of a pixel. */
static quads_of_load next_load(const qn_gemm *g, const int32_t *offsets, int64_t count,
                               int64_t *out_from) {
  int64_t vector = QN_QUAD * g->dot->quads, n = 1, last = g->extent - vector;
  while (n < count && n < g->dot->quads && offsets[n] == offsets[0] + QN_QUAD * n) n++;
  *out_from = offsets[0] < last ? offsets[0] : last;
  int64_t skipped = offsets[0] - *out_from;
  if (last >= 0 && skipped % QN_QUAD == 0 && skipped + QN_QUAD * n <= vector)
    return (quads_of_load){vector, skipped / QN_QUAD, n};
  *out_from = offsets[0];
  if (n > 1) n = 2;
  return (quads_of_load){QN_QUAD * n, 0, n};
}

/* Whether few loads contain all of the quads. */
static bool has_few_loads(const qn_gemm_plan *plan, const int32_t *offsets, int64_t count) {
  const qn_gemm *g = plan->gemm;
  if (g->dot->quads == 0 || g->packs || qn_bytes_plan_of(plan)->quad_bytes != QN_QUAD) return false;
  int64_t loads = 0, from;
  for (int64_t q = 0; q < count; loads++) q += next_load(g, offsets + q, count - q, &from).count;
  return loads <= MAX_LOADS;
}

static void multiply_loads(emitter *e, accumulators *acc, qn_value *x, qn_value *w,
                           const int32_t *offsets, int64_t count) {
  int64_t stride = qn_bytes_step_stride(e, QN_STEP_PLAIN), from;
  for (int64_t q = 0; q < count;) {
    quads_of_load next = next_load(e->plan->gemm, offsets + q, count - q, &from);
    qn_quad_place at = {.first = qn_index_add(e->b, x, from), .more = from};
    multiply_load(e, acc->at, acc, &at, qn_index_add(e->b, w, q * stride), next);
    q += next.count;
  }
}

bool qn_bytes_is_spaced(const qn_gemm_plan *plan) {
  const int32_t *offsets = plan->offsets.data;
  int64_t count = plan->tiles[0].fields[qn_tile_steps(QN_STEP_PLAIN)];
  int64_t runs = qn_bytes_plan_of(plan)->runs, in_runs = runs * plan->gemm->dot->quads;
  if (qn_bytes_plan_of(plan)->paired) return true;
  if (plan->gemm->micro->multiply != qn_bytes_multiply) return false;
  bool one = (int64_t)plan->offsets.count == count;
  for (uint32_t t = 0; t < plan->tile_count; t++) {
    const int32_t *fields = plan->tiles[t].fields;
    one &= fields[QN_TILE_OFFSETS] == 0 && fields[qn_tile_steps(QN_STEP_PLAIN)] == count;
  }
  if (!one || (runs > 1 && run_spacing(plan, offsets) == 0)) return false;
  offsets += in_runs, count -= in_runs;
  return count == 0 || has_few_loads(plan, offsets, count) ||
         count - first_sequence(offsets, count).count <= MAX_UNROLLED;
}

/* Emits plain steps whose list of quads is equal for all tiles of the segment. */
static void known_steps(emitter *e, accumulators *acc, qn_value *x, qn_value *w) {
  int64_t in_runs = qn_bytes_plan_of(e->plan)->runs * e->plan->gemm->dot->quads;
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS] + in_runs;
  int64_t count = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)] - in_runs;
  int64_t stride = qn_bytes_step_stride(e, QN_STEP_PLAIN);
  qn_value *list = e->fields[QN_TILE_OFFSETS];
  if (in_runs > 0) {
    multiply_runs(e, acc, x, w);
    w = qn_index_add(e->b, w, in_runs * stride);
    list = qn_index_add(e->b, list, in_runs);
  }
  if (count == 0) return;
  if (has_few_loads(e->plan, offsets, count)) {
    multiply_loads(e, acc, x, w, offsets, count);
    return;
  }
  quad_sequence spaced = first_sequence(offsets, count);
  if (count - spaced.count > MAX_UNROLLED) {
    const quad_source listed = {.list = list};
    step_loop(e, acc, QN_STEP_PLAIN, x, &listed, w, qn_gemm_known(count));
    return;
  }
  int64_t first = spaced.count > 1 ? spaced.count : 0;
  const quad_source from = {.first = offsets[0], .spacing = spaced.spacing};
  if (first > 0) step_loop(e, acc, QN_STEP_PLAIN, x, &from, w, qn_gemm_known(spaced.count));
  for (int64_t q = first; q < count; q++) {
    qn_quad_place quad = {.first = qn_index_add(e->b, x, offsets[q]), .more = offsets[q]};
    qn_bytes_step(e, acc, QN_STEP_PLAIN, &quad, qn_index_add(e->b, w, q * stride));
  }
}

/* Elements of the next panel that each step prefetches, such that all steps of all M tiles cover
 * the panel. */
static int64_t prefetch_bytes_per_step(const emitter *e, qn_step_kind kind) {
  int64_t tiles = qn_gemm_pixel_tiles(e);
  return (qn_bytes_step_stride(e, kind) + tiles - 1) / tiles;
}

/* First weight, first list element and first prefetch of the steps of a kind. */
typedef struct steps_at {
  qn_value *w, *list, *prefetch; /* NULL if unused */
} steps_at;

/* Emits pairs of neighbouring quads whose list is equal for all tiles of the segment. */
static void known_pairs(emitter *e, accumulators *acc, qn_value *x, steps_at at, int64_t count) {
  int64_t plain = e->shape->fields[qn_tile_steps(QN_STEP_PLAIN)];
  const int32_t *offsets = e->plan->offsets.data + e->shape->fields[QN_TILE_OFFSETS] + plain;
  bool spaced = sequence_of(offsets, 2 * count, QN_QUAD).count == 2 * count;
  const quad_source from = {
      .first = spaced ? offsets[0] : 0, .spacing = QN_QUAD, .list = spaced ? NULL : at.list};
  step_loop(e, acc, QN_STEP_PAIR, x, &from, at.w, qn_gemm_known(count));
}

static qn_value *further(emitter *e, qn_value *from, qn_value *steps, int64_t each) {
  return from ? qn_gemm_add(e, from, qn_index_affine(e->b, steps, each, 0)) : NULL;
}

static steps_at behind(emitter *e, steps_at at, qn_step_kind kind, qn_gemm_bound count) {
  qn_value *done = qn_gemm_bound_value(e, count);
  at.w = further(e, at.w, done, qn_bytes_step_stride(e, kind));
  at.list = further(e, at.list, done, qn_step_form_of(kind)->quads);
  at.prefetch = further(e, at.prefetch, done, prefetch_bytes_per_step(e, kind));
  return at;
}

/* Number of step kinds that the panels may contain. */
static qn_step_kind kinds_of(const emitter *e) {
  return (qn_step_kind)e->plan->gemm->micro->columns;
}

static bool is_none(qn_gemm_bound count) { return !count.value && count.known == 0; }

/* Start of this M tile's share of the next panel; NULL for no prefetch. Without prefetch, the first
 * pass over a panel waits for L3. With a single pass nothing overlaps the prefetch; with very many
 * passes the wait is negligible. */
static qn_value *prefetch_panel(emitter *e, qn_value *w) {
  int64_t each = prefetch_bytes_per_step(e, QN_STEP_PLAIN);
  bool some = qn_gemm_pixel_tiles(e) > 1 && each >= QN_BYTES_LEAST_PREFETCH;
  if (e->plan->prefetch_distance == 0 || !some) return NULL;
  steps_at at = {.w = w, .prefetch = qn_build_index(e->b, 0)};
  for (qn_step_kind kind = QN_STEP_PLAIN; kind < kinds_of(e); kind++) {
    qn_gemm_bound count = qn_gemm_field(e, qn_tile_steps(kind));
    if (!is_none(count)) at = behind(e, at, kind, count);
  }
  qn_value *tile = qn_gemm_pixel_tile(e);
  return qn_gemm_add(e, at.w, qn_build_binary(e->b, QN_OP_ARITH_MULI, tile, at.prefetch));
}

void qn_bytes_multiply(emitter *e, accumulators *acc, qn_value *x) {
  if (qn_bytes_plan_of(e->plan)->paired) {
    qn_bytes_multiply_pairs(e, acc, x);
    return;
  }
  steps_at at = {e->fields[QN_TILE_WEIGHTS], e->fields[QN_TILE_OFFSETS], NULL};
  if (e->plan->gemm->packs) at.w = qn_index_add(e->b, at.w, qn_bytes_start_elements(e));
  at.prefetch = prefetch_panel(e, at.w);
  e->prefetch_count = at.prefetch ? 1 : 0;
  qn_step_kind kind, last = QN_STEP_KINDS;
  qn_gemm_bound last_count = qn_gemm_known(0);
  for (kind = QN_STEP_PLAIN; kind < kinds_of(e); kind++) {
    qn_gemm_bound count = qn_gemm_field(e, qn_tile_steps(kind));
    if (is_none(count)) continue;
    if (last != QN_STEP_KINDS) at = behind(e, at, last, last_count);
    e->prefetches[0] =
        (qn_gemm_prefetch){e->weights, at.prefetch, prefetch_bytes_per_step(e, kind)};
    bool is_known = !count.value && qn_gemm_field_is_constant(e, QN_TILE_OFFSETS);
    QN_ASSERT(is_known || qn_bytes_plan_of(e->plan)->runs == 0);
    if (kind == QN_STEP_PLAIN && is_known)
      known_steps(e, acc, x, at.w);
    else if (kind == QN_STEP_PAIR && is_known && e->plan->gemm->dot->single)
      known_pairs(e, acc, x, at, count.known);
    else
      step_loop(e, acc, kind, x, &(quad_source){.list = at.list}, at.w, count);
    last = kind, last_count = count;
  }
}
