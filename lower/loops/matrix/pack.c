/* Covering taps by quads, and packing panels of weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/pack.h"

#include <stdlib.h>

uint32_t qn_windows_cover(const int64_t *taps, int64_t count, int64_t extent,
                          qn_window *out_windows, int64_t *out_bytes) {
  int64_t bytes = extent < QN_QUAD ? extent : QN_QUAD;
  uint32_t windows = 0;
  for (int64_t t = 0; t < count;) {
    qn_window *w = &out_windows[windows++];
    int64_t last = extent - bytes;
    *w = (qn_window){taps[t] < last ? taps[t] : last, {-1, -1, -1, -1}};
    QN_ASSERT(w->offset >= 0 && taps[t] < extent);
    for (; t < count && taps[t] < w->offset + bytes; t++) w->taps[taps[t] - w->offset] = (int32_t)t;
  }
  *out_bytes = bytes;
  return windows;
}

int64_t qn_panel_quad_bytes(const qn_packing *packing, uint32_t vectors) {
  return vectors * packing->lanes * QN_QUAD * qn_dot_of(packing->dot)->bytes;
}

/* The weights of one quad of a tile that are still to be packed, and what becomes of them. */
typedef struct quad {
  int32_t rest[QN_QUAD];
  int32_t now[QN_QUAD];
  bool complement[QN_QUAD];
} quad;

typedef struct packer {
  const qn_packing *p;
  const int64_t *channels;
  uint32_t vectors;
  int64_t count; /* vectors * lanes */
  quad *quads;   /* one per channel of the tile */
  uint32_t *start;
} packer;

static int32_t clamp_s8(int32_t w) { return w < -128 ? -128 : w > 127 ? 127 : w; }

/* Makes a pair safe by complementing one byte; its weight changes sign, so it must not be -128. */
static void make_safe(quad *q, int pair) {
  int32_t a = q->now[pair], b = q->now[pair + 1];
  if ((a < 0) != (b < 0) || abs(a) + abs(b) <= 128) return;
  int chosen = a != -128 ? pair : pair + 1;
  if (q->now[chosen] == -128) q->now[chosen] = -127;
  q->complement[chosen] = true;
}

/* Takes as much of the remaining weights as one quad can hold. */
static void take(packer *pk, quad *q) {
  for (int i = 0; i < QN_QUAD; i++) {
    q->now[i] = qn_dot_of(pk->p->dot)->bytes == 2 ? q->rest[i] : clamp_s8(q->rest[i]);
    q->complement[i] = false;
  }
  if (qn_dot_of(pk->p->dot)->saturates) {
    make_safe(q, 0);
    make_safe(q, 2);
  }
  for (int i = 0; i < QN_QUAD; i++) q->rest[i] -= q->now[i];
}

/* The bytes are x + 128 for i8, except with 16-bit weights, which take x itself. */
static bool biased(const qn_packing *p) {
  return qn_dot_of(p->dot)->x_unsigned && !p->weights->x_unsigned;
}

static void put_s16(const packer *pk, qn_byte_array *bytes) {
  for (int half = 0; half < QN_QUAD; half += 2)
    for (int64_t c = 0; c < pk->count; c++)
      for (int i = half; i < half + 2; i++) {
        uint16_t w = (uint16_t)pk->quads[c].now[i];
        qn_array_push(bytes, (uint8_t)w);
        qn_array_push(bytes, (uint8_t)(w >> 8));
      }
}

static void put_s8(const packer *pk, bool masked, qn_byte_array *bytes) {
  uint8_t flip = biased(pk->p) ? 0x80 : 0;
  for (uint32_t v = 0; v < pk->vectors; v++) {
    const quad *first = &pk->quads[v * pk->p->lanes];
    for (const quad *q = first; q < first + pk->p->lanes; q++)
      for (int i = 0; i < QN_QUAD; i++)
        qn_array_push(bytes, (uint8_t)(q->complement[i] ? -q->now[i] : q->now[i]));
    if (!masked) continue;
    for (const quad *q = first; q < first + pk->p->lanes; q++)
      for (int i = 0; i < QN_QUAD; i++)
        qn_array_push(bytes, (uint8_t)((q->complement[i] ? 0xFF : 0) ^ flip));
  }
}

/* Corrections of the start value for one quad. */
static void correct(const packer *pk) {
  bool plus128 = biased(pk->p);
  for (int64_t c = 0; c < pk->count; c++)
    for (int i = 0; i < QN_QUAD; i++) {
      uint32_t w = (uint32_t)pk->quads[c].now[i];
      if (plus128) pk->start[c] -= 128 * w;
      if (pk->quads[c].complement[i]) pk->start[c] += 255 * w;
    }
}

/* Loads the weights of one window. */
static void open_window(packer *pk, const qn_window *window) {
  for (int64_t c = 0; c < pk->count; c++)
    for (int i = 0; i < QN_QUAD; i++) {
      bool counts = window->taps[i] >= 0 && pk->channels[c] >= 0;
      pk->quads[c].rest[i] =
          counts ? qn_weights_of(pk->p->weights, pk->channels[c])[window->taps[i]] : 0;
    }
}

static bool has_rest(const packer *pk) {
  for (int64_t c = 0; c < pk->count; c++)
    for (int i = 0; i < QN_QUAD; i++)
      if (pk->quads[c].rest[i] != 0) return true;
  return false;
}

static bool has_complement(const packer *pk) {
  for (int64_t c = 0; c < pk->count; c++)
    for (int i = 0; i < QN_QUAD; i++)
      if (pk->quads[c].complement[i]) return true;
  return false;
}

/* Packs the quads whose maskedness is `masked`. */
static uint32_t put_quads(packer *pk, bool masked, qn_byte_array *bytes, qn_i32_array *offsets) {
  uint32_t put = 0;
  for (uint32_t w = 0; w < pk->p->window_count; w++) {
    open_window(pk, &pk->p->windows[w]);
    for (bool more = true; more;) {
      for (int64_t c = 0; c < pk->count; c++) take(pk, &pk->quads[c]);
      more = has_rest(pk);
      if (has_complement(pk) != masked) continue;
      if (qn_dot_of(pk->p->dot)->bytes == 2)
        put_s16(pk, bytes);
      else
        put_s8(pk, masked, bytes);
      qn_array_push(offsets, (int32_t)pk->p->windows[w].offset);
      correct(pk);
      put++;
    }
  }
  return put;
}

qn_panel qn_panel_pack(const qn_packing *packing, const int64_t *channels, uint32_t vectors,
                       qn_byte_array *bytes, qn_i32_array *offsets, int32_t *out_start) {
  int64_t count = vectors * packing->lanes;
  packer pk = {.p = packing, .channels = channels, .vectors = vectors, .count = count};
  qn_arena_mark mark = qn_arena_get_mark(packing->scratch);
  pk.quads = QN_NEW_ARRAY(packing->scratch, (size_t)count, quad);
  pk.start = QN_NEW_ARRAY(packing->scratch, (size_t)count, uint32_t);
  for (int64_t c = 0; c < count; c++)
    if (channels[c] >= 0) pk.start[c] = (uint32_t)packing->weights->bias[channels[c]];
  qn_panel panel;
  panel.plain = put_quads(&pk, false, bytes, offsets);
  panel.masked = qn_dot_of(packing->dot)->saturates ? put_quads(&pk, true, bytes, offsets) : 0;
  for (int64_t c = 0; c < count; c++) out_start[c] = (int32_t)pk.start[c];
  qn_arena_rewind(packing->scratch, mark);
  return panel;
}
