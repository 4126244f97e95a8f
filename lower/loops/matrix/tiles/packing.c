/* Covers taps with K steps, and packs panels of weights in the order in which AMX tiles are loaded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/tiles/packing.h"

#include "ir/ops/tile.h"
#include "lower/loops/matrix/bytes.h"

/* The offset of the step that begins with tap t; *out_next: the first tap after it. */
static int64_t window(const qn_gemm *g, int64_t depth, int64_t t, int64_t *out_next) {
  int64_t last = g->extent - depth, offset = g->taps[t] < last ? g->taps[t] : last;
  while (t < g->tap_count && g->taps[t] < offset + depth) t++;
  *out_next = t;
  return offset;
}

static uint32_t count_quads(const qn_gemm *g, int64_t depth) {
  uint32_t count = 0;
  for (int64_t t = 0; t < g->tap_count; count++) window(g, depth, t, &t);
  return count;
}

/* The bytes of whole quads within `most` and the extent. */
static int64_t fitting(const qn_gemm *g, int64_t most) {
  return g->extent < most ? g->extent / QN_TILE_QUAD * QN_TILE_QUAD : most;
}

int64_t qn_tile_packing_quads(const qn_gemm *g, int64_t most) {
  return count_quads(g, fitting(g, most));
}

/* Bytes per step: the smallest width with the minimum number of steps, because shorter rows load
 * faster. */
static int64_t choose_depth(const qn_gemm *g) {
  int64_t most = fitting(g, QN_TILE_BYTES), best = most;
  uint32_t fewest = count_quads(g, most);
  for (int64_t depth = most; depth >= QN_TILE_QUAD; depth -= QN_TILE_QUAD)
    if (count_quads(g, depth) == fewest) best = depth;
  return best;
}

/* Byte `part` of the bytes that add up to a weight. */
static int32_t part_of(int32_t weight, uint32_t part) {
  int32_t byte = 0;
  for (uint32_t p = 0; p <= part; p++) {
    byte = weight < INT8_MIN ? INT8_MIN : weight > INT8_MAX ? INT8_MAX : weight;
    weight -= byte;
  }
  return byte;
}

static uint32_t parts_of(const qn_weights *weights) {
  uint32_t parts = 1;
  for (int64_t i = 0; i < weights->channels * weights->taps; i++)
    while (part_of(weights->values[i], parts) != 0) parts++;
  return parts;
}

qn_tile_packing qn_tile_packing_make(qn_arena *arena, const qn_gemm *g) {
  QN_ASSERT(g->extent >= QN_TILE_QUAD);
  qn_tile_packing p = {.depth = choose_depth(g)};
  uint32_t quads = count_quads(g, p.depth);
  uint32_t parts = g->packs ? (uint32_t)qn_bytes_parts(g) : parts_of(qn_bytes_of(g)->weights);
  p.steps = QN_NEW_ARRAY(arena, (size_t)quads * parts, qn_tile_step);
  for (int64_t t = 0, next; t < g->tap_count; t = next) {
    int32_t *taps = QN_NEW_ARRAY(arena, (size_t)p.depth, int32_t);
    int64_t offset = window(g, p.depth, t, &next);
    for (int64_t i = 0; i < p.depth; i++) taps[i] = -1;
    for (int64_t k = t; k < next; k++) taps[g->taps[k] - offset] = (int32_t)k;
    for (uint32_t part = 0; part < parts; part++)
      p.steps[p.step_count++] = (qn_tile_step){offset, taps, part};
  }
  return p;
}

static uint8_t weight_of(const qn_tile_step *step, const qn_weights *weights, int64_t channel,
                         int64_t byte) {
  int32_t tap = step->taps[byte];
  if (channel < 0 || tap < 0) return 0;
  return (uint8_t)part_of(qn_weights_of(weights, channel)[tap], step->part);
}

void qn_tile_packing_panel(const qn_tile_packing *packing, const qn_weights *weights,
                           const int64_t *channels, uint32_t vectors, qn_byte_array *bytes) {
  size_t size = (size_t)(packing->step_count * vectors * packing->depth * QN_TILE_SUMS);
  qn_array_reserve(bytes, bytes->count + size);
  uint8_t *to = bytes->data + bytes->count;
  for (uint32_t s = 0; s < packing->step_count; s++)
    for (uint32_t v = 0; v < vectors; v++)
      for (int64_t quad = 0; quad < packing->depth; quad += QN_TILE_QUAD)
        for (int64_t n = 0; n < QN_TILE_SUMS; n++)
          for (int64_t k = 0; k < QN_TILE_QUAD; k++)
            *to++ =
                weight_of(&packing->steps[s], weights, channels[v * QN_TILE_SUMS + n], quad + k);
  bytes->count += size;
}
