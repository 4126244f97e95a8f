/* Options of custom operators: a map from names to numbers and vectors of numbers, in the
 * schema-less form of FlatBuffers (FlexBuffers). Every offset is checked when it is followed, so
 * any input is safe; damaged values and values of another type count as absent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_FLEXMAP_H
#define QN_IMPORT_TFLITE_FLEXMAP_H

#include <stdbool.h>

#include "base/str.h"

typedef struct qn_flexmap {
  qn_bytes bytes;
  size_t keys, values; /* first elements */
  uint64_t count;
  uint8_t key_width, value_width;
} qn_flexmap;

/* Opens a map; false if the bytes are not one. */
bool qn_flexmap_open(qn_bytes bytes, qn_flexmap *out_map);
bool qn_flexmap_has(const qn_flexmap *map, const char *name);
/* Reads a number: an integer of any width, or a float truncated toward zero. */
bool qn_flexmap_int(const qn_flexmap *map, const char *name, int64_t *out_value);
bool qn_flexmap_real(const qn_flexmap *map, const char *name, double *out_value);
/* Reads a typed or untyped vector of integers; `out_values` has capacity `most`. */
bool qn_flexmap_ints(const qn_flexmap *map, const char *name, uint64_t most, int64_t *out_values,
                     uint64_t *out_count);

#endif
