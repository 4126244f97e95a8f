/* Covers taps with quads, and packs panels of weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/pack.h"

#include <string.h>

#include "lower/loops/matrix/steps/order.h"

uint32_t qn_quads_cover(const int64_t *taps, int64_t count, int64_t extent, qn_quad_taps *out_quads,
                        int64_t *out_bytes) {
  QN_ASSERT(count > 0 && extent > 0);
  int64_t bytes = extent < QN_QUAD ? extent : QN_QUAD;
  uint32_t quads = 0;
  for (int64_t t = 0; t < count;) {
    qn_quad_taps *w = &out_quads[quads++];
    int64_t last = extent - bytes;
    *w = (qn_quad_taps){taps[t] < last ? taps[t] : last, {-1, -1, -1, -1}};
    QN_ASSERT(w->offset >= 0 && taps[t] < extent);
    for (; t < count && taps[t] < w->offset + bytes; t++) w->taps[taps[t] - w->offset] = (int32_t)t;
  }
  *out_bytes = bytes;
  return quads;
}

uint32_t qn_quads_cover_by_pairs(const int64_t *taps, int64_t count, int64_t extent,
                                 qn_quad_taps *out_quads) {
  enum { BYTES = 2 * QN_QUAD };
  QN_ASSERT(count > 0 && extent >= BYTES);
  uint32_t quads = 0;
  for (int64_t t = 0; t < count; quads += 2) {
    int64_t first = taps[t] < extent - BYTES ? taps[t] : extent - BYTES;
    QN_ASSERT(first >= 0 && taps[t] < extent);
    for (int64_t q = 0; q < 2; q++)
      out_quads[quads + q] = (qn_quad_taps){first + q * QN_QUAD, {-1, -1, -1, -1}};
    for (; t < count && taps[t] < first + BYTES; t++) {
      int64_t at = taps[t] - first;
      out_quads[quads + at / QN_QUAD].taps[at % QN_QUAD] = (int32_t)t;
    }
  }
  return quads;
}

static bool is_run(const qn_quad_taps *quads, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (quads[i].offset != quads[0].offset + QN_QUAD * i) return false;
  return true;
}

uint32_t qn_quads_form_runs(qn_quad_taps *quads, uint32_t count, uint32_t each, qn_arena *scratch) {
  QN_ASSERT(each > 0);
  qn_quad_taps *singles = QN_NEW_ARRAY(scratch, (size_t)count + 1, qn_quad_taps);
  uint32_t runs = 0, single = 0;
  for (uint32_t w = 0; w < count;) {
    bool whole = w + each <= count && is_run(quads + w, each);
    if (whole) {
      memmove(quads + (size_t)runs * each, quads + w, each * sizeof *quads);
      runs++, w += each;
    } else {
      singles[single++] = quads[w++];
    }
  }
  memcpy(quads + (size_t)runs * each, singles, single * sizeof *quads);
  return runs;
}

int64_t qn_panel_quad_bytes(const qn_packing *packing, uint32_t vectors) {
  return vectors * packing->lanes * QN_QUAD * packing->dot->bytes;
}

typedef struct packer {
  const qn_packing *p;
  const int64_t *channels;
  uint32_t vectors;
  int64_t count; /* vectors * lanes */
  int32_t *
      rest; /* [count][QN_QUAD] parts of the current quad's weights that no packed quad holds yet */
  QN_ARRAY(qn_quad) quads;
  uint32_t *start;
} packer;

/* ---- quads ---- */

/* Stores the weights of one quad in `rest`. */
static void open_quad_taps(packer *pk, const qn_quad_taps *window) {
  for (int64_t c = 0; c < pk->count; c++)
    for (int i = 0; i < QN_QUAD; i++) {
      bool counts = window->taps[i] >= 0 && pk->channels[c] >= 0;
      pk->rest[c * QN_QUAD + i] =
          counts ? qn_weights_of(pk->p->weights, pk->channels[c])[window->taps[i]] : 0;
    }
}

bool qn_packing_splits(const qn_packing *packing) {
  const qn_weights *w = packing->weights;
  for (int64_t i = 0; i < w->channels * w->taps; i++)
    if (qn_dot_hold(packing->dot, w->values[i]) != w->values[i]) return true;
  return false;
}

/* Appends a quad with as much of the remaining weights as it can hold; returns whether weights
 * remain. With sums of 16 bits, at most one of two neighbouring weights may be -128, so that their
 * products fit, for saturating products after complementing. */
static bool take(packer *pk, int32_t offset) {
  const qn_dot *dot = pk->p->dot;
  int64_t count = pk->count * QN_QUAD;
  int16_t *weights = QN_NEW_ARRAY(pk->p->scratch, (size_t)count, int16_t);
  bool more = false;
  for (int64_t i = 0; i < count; i++) {
    weights[i] = (int16_t)qn_dot_hold(dot, pk->rest[i]);
    bool second = i % 2 == 1 && weights[i] == INT8_MIN && weights[i - 1] == INT8_MIN;
    if (dot->sum_bits == 16 && second) weights[i]++;
    pk->rest[i] -= weights[i];
    more |= pk->rest[i] != 0;
  }
  qn_array_push(&pk->quads, ((qn_quad){offset, weights}));
  return more;
}

static void list_quads(packer *pk) {
  for (uint32_t w = 0; w < pk->p->quad_count; w++) {
    const qn_quad_taps *window = &pk->p->quads[w];
    open_quad_taps(pk, window);
    while (take(pk, (int32_t)window->offset)) {
    }
  }
}

/* ---- steps ---- */

/* The offset that the kernel adds to bytes of x. */
static int32_t offset_of(const qn_packing *p) {
  return qn_dot_offset(p->dot, p->weights->x_unsigned);
}

/* Stores the weights that one op multiplies in all lanes of the tile, then those of the next one.
 */
static void put_runs(const packer *pk, const qn_quad *quad, qn_byte_array *bytes) {
  const int64_t run = qn_dot_run(pk->p->dot);
  for (int64_t first = 0; first < QN_QUAD; first += run)
    for (int64_t c = 0; c < pk->count; c++)
      for (int64_t i = first; i < first + run; i++) {
        uint16_t w = (uint16_t)quad->weights[c * QN_QUAD + i];
        qn_array_push(bytes, (uint8_t)w);
        if (pk->p->dot->bytes == 2) qn_array_push(bytes, (uint8_t)(w >> 8));
      }
}

/* Complement mask of quad q of the step in lane c of the tile. */
static uint32_t flips_of(const packer *pk, const qn_quad_step *step, uint32_t q, int64_t c) {
  if (!step->flips) return 0;
  uint32_t of_all = step->flips[qn_step_form_of(step->kind)->shared > 0 ? c % pk->p->lanes : c];
  return of_all >> QN_QUAD * q & ((1U << QN_QUAD) - 1);
}

/* Stores the mask of quad q for lanes [first, first + lanes). */
static void put_mask(const packer *pk, const qn_quad_step *step, uint32_t q, int64_t first,
                     qn_byte_array *bytes) {
  uint8_t flip = offset_of(pk->p) ? 0x80 : 0;
  for (int64_t c = first; c < first + pk->p->lanes; c++) {
    uint32_t flips = flips_of(pk, step, q, c);
    for (int i = 0; i < QN_QUAD; i++)
      qn_array_push(bytes, (uint8_t)((flips >> i & 1 ? 0xFF : 0) ^ flip));
  }
}

/* Checks the proof for lane c again before packing, so that exactness does not depend on the
 * search. */
static bool is_proved(const packer *pk, const qn_quad_step *step, int64_t c) {
  int32_t weights[2][2 * QN_STEP_QUADS]; /* [16-bit lane][weight] */
  uint32_t quads = qn_step_form_of(step->kind)->quads, n = 0;
  for (uint32_t q = 0; q < quads; q++) {
    const int16_t *w = pk->quads.data[step->quads[q]].weights + c * QN_QUAD;
    uint32_t flips = flips_of(pk, step, q, c);
    for (uint32_t i = 0; i < 2; i++, n++)
      for (uint32_t half = 0; half < 2; half++)
        weights[half][n] = flips >> (2 * half + i) & 1 ? -w[2 * half + i] : w[2 * half + i];
  }
  return qn_sums_fit_16(weights[0], n) && qn_sums_fit_16(weights[1], n);
}

/* Whether the sums of the step fit in lane c, for single bytes in groups. */
static bool single_sums_fit(const packer *pk, const qn_quad_step *step, int64_t c) {
  const qn_step_form *form = qn_step_form_of(step->kind);
  int32_t weights[QN_STEP_QUADS * QN_QUAD];
  uint32_t count = form->quads * QN_QUAD, each = form->halves ? QN_QUAD / 2 : count;
  for (uint32_t i = 0; i < count; i++)
    weights[i] = pk->quads.data[step->quads[i / QN_QUAD]].weights[c * QN_QUAD + i % QN_QUAD];
  for (uint32_t i = 0; i < count; i += each)
    if (!qn_signed_sums_fit_16(weights + i, each)) return false;
  return true;
}

static bool all_single_sums_fit(const packer *pk, const qn_quad_step *step) {
  for (int64_t c = 0; c < pk->count; c++)
    if (!single_sums_fit(pk, step, c)) return false;
  return true;
}

/* The same check for products that are summed in 16 bits without saturation. */
static bool is_proved_group(const packer *pk, const qn_quad_step *step, int64_t c) {
  int64_t sums = pk->p->dot->sums;
  int32_t weights[QN_STEP_QUADS * QN_QUAD];
  for (int64_t s = 0; s < sums; s++) {
    uint32_t n = 0;
    for (uint32_t q = 0; q < qn_step_form_of(step->kind)->quads; q++)
      for (int64_t i = s; i < QN_QUAD; i += sums)
        weights[n++] = pk->quads.data[step->quads[q]].weights[c * QN_QUAD + i];
    if (!qn_signed_sums_fit_16(weights, n)) return false;
  }
  return true;
}

/* Stores the four weights of a lane as bytes; complemented ones are negated. The weights that one
 * op multiplies are adjacent, and followed by those of the other lanes for that op. */
static void put_lane(const qn_packing *p, const int16_t *w, uint32_t flips, int64_t lane,
                     uint8_t *vector) {
  int64_t run = qn_dot_run(p->dot);
  for (int64_t i = 0; i < QN_QUAD; i++)
    vector[(i / run * p->lanes + lane) * run + i % run] = (uint8_t)(flips >> i & 1 ? -w[i] : w[i]);
}

static void put_quad(const packer *pk, const qn_quad_step *step, uint32_t q, qn_byte_array *bytes) {
  const int16_t *weights = pk->quads.data[step->quads[q]].weights;
  bool owned = qn_step_form_of(step->kind)->owned;
  size_t vector = (size_t)(pk->p->lanes * QN_QUAD);
  for (int64_t first = 0; first < pk->count; first += pk->p->lanes) {
    qn_array_reserve(bytes, bytes->count + vector);
    uint8_t *to = bytes->data + bytes->count;
    for (int64_t l = 0; l < pk->p->lanes; l++) {
      int64_t c = first + l;
      put_lane(pk->p, weights + c * QN_QUAD, flips_of(pk, step, q, c), l, to);
    }
    bytes->count += vector;
    if (owned) put_mask(pk, step, q, first, bytes);
  }
}

static void put_s8(const packer *pk, const qn_quad_step *step, qn_byte_array *bytes) {
  const qn_step_form *form = qn_step_form_of(step->kind);
  if (pk->p->dot->saturates)
    for (int64_t c = 0; c < pk->count; c++) QN_ASSERT(is_proved(pk, step, c));
  if (qn_dot_is_grouped(pk->p->dot))
    for (int64_t c = 0; c < pk->count; c++) QN_ASSERT(is_proved_group(pk, step, c));
  for (uint32_t q = 0; q < form->shared; q++) put_mask(pk, step, q, 0, bytes);
  for (uint32_t q = 0; q < form->quads; q++) put_quad(pk, step, q, bytes);
}

/* Adds the compensation of one step to the initial accumulators. */
static void correct(const packer *pk, const qn_quad_step *step) {
  uint32_t offset = (uint32_t)offset_of(pk->p);
  if (offset == 0 && !step->flips) return;
  for (uint32_t q = 0; q < qn_step_form_of(step->kind)->quads; q++) {
    const int16_t *weights = pk->quads.data[step->quads[q]].weights;
    for (int64_t c = 0; c < pk->count; c++) {
      uint32_t flips = flips_of(pk, step, q, c);
      for (int i = 0; i < QN_QUAD; i++) {
        uint32_t w = (uint32_t)weights[c * QN_QUAD + i];
        pk->start[c] -= offset * w;
        if (flips >> i & 1) pk->start[c] += 255 * w;
      }
    }
  }
}

static void put_step(const packer *pk, const qn_quad_step *step, qn_byte_array *bytes,
                     qn_i32_array *offsets) {
  const qn_dot *dot = pk->p->dot;
  uint32_t quads = qn_step_form_of(step->kind)->quads;
  QN_ASSERT(!dot->single || !qn_dot_is_grouped(dot) || all_single_sums_fit(pk, step));
  if (dot->bytes == 2 || dot->single)
    for (uint32_t q = 0; q < quads; q++) put_runs(pk, &pk->quads.data[step->quads[q]], bytes);
  else
    put_s8(pk, step, bytes);
  correct(pk, step);
  for (uint32_t q = 0; q < quads; q++)
    qn_array_push(offsets, pk->quads.data[step->quads[q]].offset);
}

/* ---- panels ---- */

static void open_packer(packer *pk) {
  qn_arena *scratch = pk->p->scratch;
  pk->rest = QN_NEW_ARRAY(scratch, (size_t)pk->count * QN_QUAD, int32_t);
  pk->start = QN_NEW_ARRAY(scratch, (size_t)pk->count, uint32_t);
  for (int64_t c = 0; c < pk->count; c++)
    if (pk->channels[c] >= 0) pk->start[c] = (uint32_t)pk->p->weights->bias[pk->channels[c]];
  list_quads(pk);
}

static qn_step_source source_of(const packer *pk) {
  return (qn_step_source){.quads = pk->quads.data,
                          .count = (uint32_t)pk->quads.count,
                          .vectors = pk->vectors,
                          .lanes = pk->p->lanes,
                          .bandwidth_bound = pk->p->bandwidth_bound};
}

/* The step of single bytes in groups that begins with quad q: its sums are as long as the weights
 * of all channels permit. */
static qn_quad_step longest_sums_from(const packer *pk, uint32_t q) {
  const qn_quad_step pair = {.kind = QN_STEP_PAIR, .quads = {q, q + 1}};
  const qn_quad_step plain = {.kind = QN_STEP_PLAIN, .quads = {q}};
  const qn_quad_step halves = {.kind = QN_STEP_HALVES, .quads = {q}};
  if (q + 1 < pk->quads.count && all_single_sums_fit(pk, &pair)) return pair;
  return all_single_sums_fit(pk, &plain) ? plain : halves;
}

/* Forms the steps of single bytes in groups: by kind, then in order. */
static uint32_t form_groups(const packer *pk, qn_quad_step *steps) {
  uint32_t count = (uint32_t)pk->quads.count, all = 0, sorted = 0;
  qn_quad_step *found = QN_NEW_ARRAY(pk->p->scratch, count, qn_quad_step);
  for (uint32_t q = 0; q < count; q += qn_step_form_of(found[all++].kind)->quads)
    found[all] = longest_sums_from(pk, q);
  for (qn_step_kind kind = QN_STEP_PLAIN; kind < QN_STEP_KINDS; kind++)
    for (uint32_t i = 0; i < all; i++)
      if (found[i].kind == kind) steps[sorted++] = found[i];
  return sorted;
}

/* Forms the steps: one plain step per quad in order; for saturating products by search (steps.h);
 * for single bytes in groups by length. */
static uint32_t form_steps(const packer *pk, qn_quad_step *steps) {
  const qn_packing *p = pk->p;
  qn_step_source source = source_of(pk);
  if (p->dot->saturates) return qn_steps_form(p->scratch, &source, steps);
  if (p->dot->single && qn_dot_is_grouped(p->dot)) return form_groups(pk, steps);
  for (uint32_t q = 0; q < source.count; q++)
    steps[q] = (qn_quad_step){.kind = QN_STEP_PLAIN, .quads = {q}};
  return source.count;
}

bool qn_panel_asks_for_order(const qn_packing *packing, uint32_t vectors, int64_t valid) {
  bool whole = valid == vectors * packing->lanes && (vectors == 2 || vectors == 4);
  bool masks = packing->dot->saturates && !packing->bandwidth_bound;
  return whole && valid % 16 == 0 && masks && qn_steps_ask_for_order(packing->quad_count);
}

void qn_panel_order(const qn_packing *packing, int64_t *channels, uint32_t vectors,
                    uint8_t *out_inverse) {
  int64_t count = vectors * packing->lanes;
  packer pk = {.p = packing, .channels = channels, .vectors = vectors, .count = count};
  qn_arena_mark mark = qn_arena_get_mark(packing->scratch);
  open_packer(&pk);
  qn_step_source source = source_of(&pk);
  uint32_t *from = QN_NEW_ARRAY(packing->scratch, (size_t)count, uint32_t);
  int64_t *old = QN_NEW_ARRAY(packing->scratch, (size_t)count, int64_t);
  memcpy(old, channels, (size_t)count * sizeof *old);
  qn_steps_order(packing->scratch, &source, from);
  for (int64_t i = 0; i < count; i++) {
    channels[i] = old[from[i]];
    out_inverse[channels[i] - old[0]] = (uint8_t)((old[i] - old[0]) % 16);
  }
  qn_array_free(&pk.quads);
  qn_arena_rewind(packing->scratch, mark);
}

qn_panel qn_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                       qn_byte_array *bytes, qn_i32_array *offsets, int32_t *out_start) {
  int64_t count = vectors * packing->lanes;
  packer pk = {.p = packing, .channels = channels, .vectors = vectors, .count = count};
  qn_arena_mark mark = qn_arena_get_mark(packing->scratch);
  open_packer(&pk);
  qn_quad_step *steps = QN_NEW_ARRAY(packing->scratch, pk.quads.count, qn_quad_step);
  uint32_t step_count = form_steps(&pk, steps);
  qn_panel panel = {{0}};
  for (uint32_t i = 0; i < step_count; i++) {
    panel.steps[steps[i].kind]++;
    put_step(&pk, &steps[i], bytes, offsets);
  }
  for (int64_t c = 0; c < count; c++) out_start[c] = (int32_t)pk.start[c];
  qn_array_free(&pk.quads);
  qn_arena_rewind(packing->scratch, mark);
  return panel;
}

/* ---- plain panels ---- */

bool qn_panels_are_plain(const qn_packing *packing) {
  const qn_dot *dot = packing->dot;
  return qn_dot_is_exact(dot) && qn_dot_run(dot) == QN_QUAD && !packing->weights->wide;
}

/* Packs one quad of a channel. `weights`: all weights of the channel; NULL: padding. */
static void pack_quad_taps(const qn_quad_taps *window, const int32_t *weights, uint8_t *to,
                           uint32_t *io_sum) {
  for (int i = 0; i < QN_QUAD; i++) {
    int32_t w = weights && window->taps[i] >= 0 ? weights[window->taps[i]] : 0;
    to[i] = (uint8_t)w;
    *io_sum += (uint32_t)w;
  }
}

void qn_plain_panel_pack(const qn_packing *packing, const int64_t *channels, int64_t count,
                         uint8_t *out_bytes, int32_t *out_start) {
  const qn_weights *weights = packing->weights;
  QN_ASSERT(qn_panels_are_plain(packing));
  int64_t stride = count * QN_QUAD;
  for (int64_t c = 0; c < count; c++) {
    bool is_one = channels[c] >= 0;
    const int32_t *of_channel = is_one ? qn_weights_of(weights, channels[c]) : NULL;
    uint32_t sum = 0;
    for (uint32_t w = 0; w < packing->quad_count; w++)
      pack_quad_taps(&packing->quads[w], of_channel, out_bytes + w * stride + c * QN_QUAD, &sum);
    uint32_t start = is_one ? (uint32_t)weights->bias[channels[c]] : 0;
    out_start[c] = (int32_t)(start - (uint32_t)offset_of(packing) * sum);
  }
}
