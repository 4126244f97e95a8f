/* Unpacks constants: several signed integers per byte become int8, float16 becomes float32, and a
 * boolean byte other than 0 becomes 1. Values do not change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/value.h"
#include "ir/types/float_format.h"

/* Unpacks integers, the lowest bits of a byte first. Only the tensor, not its rows, ends on a byte
 * boundary. */
static void unpack_integers(const qn_graph_tensor *tensor, uint32_t bits, int64_t count,
                            uint8_t *out) {
  uint32_t per_byte = 8 / bits;
  for (int64_t i = 0; i < count; i++) {
    uint32_t shift = (uint32_t)(i % per_byte) * bits;
    int32_t value = tensor->data.data[i / per_byte] >> shift & ((1 << bits) - 1);
    out[i] = (uint8_t)(value >> (bits - 1) ? value - (1 << bits) : value);
  }
}

static void widen_floats(const qn_graph_tensor *tensor, uint32_t bits, int64_t count,
                         uint8_t *out) {
  (void)bits;
  for (int64_t i = 0; i < count; i++) {
    float value = (float)qn_float_load(QN_F16, tensor->data.data + 2 * i);
    memcpy(out + 4 * i, &value, sizeof value);
  }
}

static void tidy_booleans(const qn_graph_tensor *tensor, uint32_t bits, int64_t count,
                          uint8_t *out) {
  (void)bits;
  for (int64_t i = 0; i < count; i++) out[i] = tensor->data.data[i] != 0;
}

static const struct packing {
  uint8_t dtype, as;
  uint32_t bits, bytes; /* bits of an element; bytes that are read */
  void (*unpack)(const qn_graph_tensor *tensor, uint32_t bits, int64_t count, uint8_t *out);
} packings[] = {{QN_GRAPH_INT4, QN_GRAPH_INT8, 4, 1, unpack_integers},
                {QN_GRAPH_INT2, QN_GRAPH_INT8, 2, 1, unpack_integers},
                {QN_GRAPH_FLOAT16, QN_GRAPH_FLOAT32, 16, 4, widen_floats},
                {QN_GRAPH_BOOL, QN_GRAPH_BOOL, 8, 1, tidy_booleans}};

const char *qn_graph_unpack(qn_graph *graph, qn_graph_tensor *tensor) {
  const struct packing *p = packings;
  while (p < packings + QN_COUNT(packings) && p->dtype != tensor->dtype) p++;
  if (p == packings + QN_COUNT(packings) || tensor->data.size == 0) return NULL;
  if (p->bits < 8 && !graph->profile->all_weights)
    return "the profile has no rule for weights of less than 8 bits";
  int64_t count = qn_graph_elements(&tensor->shape);
  if (tensor->data.size != (size_t)((count * p->bits + 7) / 8))
    return p->as == p->dtype ? NULL /* reported where it is read, as for types without unpacking */
                             : "its buffer has another size than its shape and type say";
  graph->work -= count * p->bytes;
  if (graph->work < 0) return "constants are unpacked so often that the import would cost too much";
  uint8_t *bytes = qn_arena_alloc(&graph->cx->arena, (size_t)(count * p->bytes));
  p->unpack(tensor, p->bits, count, bytes);
  tensor->data = (qn_bytes){bytes, (size_t)(count * p->bytes)};
  tensor->dtype = p->as;
  return NULL;
}
