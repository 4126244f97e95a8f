/* Reads the wire format (wire.h). No byte beyond the end is read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/wire.h"

enum { MAX_VARINT = 10, MAX_FIELD = (1 << 29) - 1 };

bool qn_wire_varint(qn_wire *w, uint64_t *out_value) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < MAX_VARINT && w->at < w->end; i++) {
    uint8_t byte = w->data[w->at++];
    value |= (uint64_t)(byte & 0x7F) << (7 * i); /* the tenth byte holds only 1 bit */
    if (byte < 0x80) {
      *out_value = value;
      return true;
    }
  }
  return false;
}

uint32_t qn_wire_load_32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t qn_wire_load_64(const uint8_t *p) {
  return (uint64_t)qn_wire_load_32(p) | (uint64_t)qn_wire_load_32(p + 4) << 32;
}

const char *qn_wire_next(qn_wire *w, qn_wire_field *f) {
  uint64_t tag, size;
  if (!qn_wire_varint(w, &tag)) return "a field has no tag";
  if (tag >> 3 == 0 || tag >> 3 > MAX_FIELD) return "a field has an impossible number";
  *f = (qn_wire_field){.field = (uint32_t)(tag >> 3), .wire = (qn_wire_type)(tag & 7)};
  size_t left = w->end - w->at;
  switch (f->wire) {
  case QN_WIRE_VARINT:
    return qn_wire_varint(w, &f->number) ? NULL : "a number does not end";
  case QN_WIRE_64:
    if (left < 8) return "a number reaches beyond the end of its message";
    f->number = qn_wire_load_64(w->data + w->at);
    w->at += 8;
    return NULL;
  case QN_WIRE_32:
    if (left < 4) return "a number reaches beyond the end of its message";
    f->number = qn_wire_load_32(w->data + w->at);
    w->at += 4;
    return NULL;
  case QN_WIRE_BYTES:
    if (!qn_wire_varint(w, &size)) return "a length does not end";
    if (size > w->end - w->at)
      return "a length reaches beyond the end: the file is damaged, or was cut short";
    f->bytes = (qn_bytes){w->data + w->at, (size_t)size};
    w->at += (size_t)size;
    return NULL;
  }
  return "a field has a wire type that there is not";
}
