/* Options of custom operators: a map of names to numbers and vectors of numbers in the schema-less
 * form of FlatBuffers. Every offset is checked where it is followed, so any bytes are safe; what is
 * damaged or of another type counts as absent.
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

/* False when the bytes are no map. */
bool qn_flexmap_open(qn_bytes bytes, qn_flexmap *out_map);
bool qn_flexmap_has(const qn_flexmap *map, const char *name);
/* A number; integers of any width, floats toward zero. */
bool qn_flexmap_int(const qn_flexmap *map, const char *name, int64_t *out_value);
bool qn_flexmap_real(const qn_flexmap *map, const char *name, double *out_value);
/* A typed or untyped vector of integers: `out_values` has room for `most`. */
bool qn_flexmap_ints(const qn_flexmap *map, const char *name, uint64_t most, int64_t *out_values,
                     uint64_t *out_count);

#endif
