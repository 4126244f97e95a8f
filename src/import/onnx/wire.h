/* The wire format of protobuf: fields with a number, a wire type and a value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_WIRE_H
#define QN_IMPORT_ONNX_WIRE_H

#include <quern/base.h>
#include <stdbool.h>

typedef enum qn_wire_type {
  QN_WIRE_VARINT = 0,
  QN_WIRE_64 = 1,
  QN_WIRE_BYTES = 2,
  QN_WIRE_32 = 5
} qn_wire_type;

/* The bytes of a message, and the reader's position in them. */
typedef struct qn_wire {
  const uint8_t *data;
  size_t at, end;
} qn_wire;

typedef struct qn_wire_field {
  uint32_t field;
  qn_wire_type wire;
  uint64_t number; /* VARINT, 64 and 32 */
  qn_bytes bytes;  /* BYTES */
} qn_wire_field;

/* Reads a varint of at most 10 bytes; false if invalid. */
bool qn_wire_varint(qn_wire *w, uint64_t *out_value);
/* Reads the next field; requires at < end. Returns NULL on success, else the error. */
const char *qn_wire_next(qn_wire *w, qn_wire_field *out_field);
/* Little-endian loads. */
uint32_t qn_wire_load_32(const uint8_t *p);
uint64_t qn_wire_load_64(const uint8_t *p);

#endif
