/* Maps of options (FlexBuffers). An element of a vector is a value of the vector's width, or an
 * offset backwards to one. A byte after the vector gives the element's type, and the width of the
 * value it refers to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/flexmap.h"

#include <string.h>

#include "import/tflite/flatbuffer.h"

/* Types, as numbered in the file. */
enum {
  INT = 1,
  UINT = 2,
  FLOAT = 3,
  INDIRECT_INT = 6,
  INDIRECT_UINT = 7,
  INDIRECT_FLOAT = 8,
  MAP = 9,
  VECTOR = 10,
  VECTOR_INT = 11,
  VECTOR_UINT = 12,
  BOOL = 26
};

typedef struct element {
  size_t at; /* position of the value, or of the value that it refers to */
  uint8_t type, width;
} element;

static bool load(qn_bytes bytes, size_t at, uint8_t width, uint64_t *out_value) {
  if (at > bytes.size || width > bytes.size - at) return false;
  const uint8_t *p = bytes.data + at;
  switch (width) {
  case 1:
    *out_value = p[0];
    return true;
  case 2:
    *out_value = qn_fb_load_u16(p);
    return true;
  case 4:
    *out_value = qn_fb_load_u32(p);
    return true;
  case 8:
    *out_value = qn_fb_load_u64(p);
    return true;
  default:
    return false;
  }
}

/* Follows the offset at position `at`. */
static bool follow(qn_bytes bytes, size_t at, uint8_t width, size_t *out_at) {
  uint64_t distance;
  if (!load(bytes, at, width, &distance) || distance > at) return false;
  *out_at = at - (size_t)distance;
  return true;
}

static bool is_direct(uint8_t type) { return type <= FLOAT || type == BOOL; }

/* Reads the element of `width` bytes at position `at`, with the packed type. */
static bool resolve(qn_bytes bytes, size_t at, uint8_t width, uint8_t packed, element *out) {
  *out = (element){at, (uint8_t)(packed >> 2), width};
  if (is_direct(out->type)) return true;
  out->width = (uint8_t)(1 << (packed & 3));
  return follow(bytes, at, width, &out->at);
}

/* Checks the elements of a vector, whose size precedes the first one; all must be in bounds. */
static bool open_vector(qn_bytes bytes, const element *vector, uint64_t *out_count) {
  uint8_t width = vector->width;
  if (vector->at < width || !load(bytes, vector->at - width, width, out_count)) return false;
  return vector->at <= bytes.size && *out_count <= (bytes.size - vector->at) / width;
}

bool qn_flexmap_open(qn_bytes bytes, qn_flexmap *out_map) {
  *out_map = (qn_flexmap){.bytes = bytes};
  if (bytes.size < 3) return false;
  uint8_t width = bytes.data[bytes.size - 1], packed = bytes.data[bytes.size - 2];
  element root;
  uint64_t keys, key_width;
  if (width > 8 || bytes.size - 2 < width ||
      !resolve(bytes, bytes.size - 2 - width, width, packed, &root) || root.type != MAP ||
      !open_vector(bytes, &root, &out_map->count) || root.at < 3 * (size_t)root.width)
    return false;
  /* Before the size: offset of the keys, and the width of their offsets. */
  size_t place = root.at - 3 * (size_t)root.width;
  if (!follow(bytes, place, root.width, &out_map->keys) ||
      !load(bytes, place + root.width, root.width, &key_width) || key_width > 8)
    return false;
  element vector = {out_map->keys, VECTOR, (uint8_t)key_width};
  out_map->values = root.at;
  out_map->value_width = root.width;
  out_map->key_width = (uint8_t)key_width;
  return key_width > 0 && open_vector(bytes, &vector, &keys) && keys == out_map->count;
}

static bool is_key(const qn_flexmap *map, uint64_t i, const char *name) {
  size_t at, length = strlen(name) + 1;
  if (!follow(map->bytes, map->keys + (size_t)i * map->key_width, map->key_width, &at))
    return false;
  return length <= map->bytes.size - at && memcmp(map->bytes.data + at, name, length) == 0;
}

static bool find(const qn_flexmap *map, const char *name, element *out) {
  size_t types = map->values + (size_t)map->count * map->value_width;
  for (uint64_t i = 0; i < map->count; i++) {
    if (!is_key(map, i, name)) continue;
    if (types + (size_t)i >= map->bytes.size) return false;
    return resolve(map->bytes, map->values + (size_t)i * map->value_width, map->value_width,
                   map->bytes.data[types + (size_t)i], out);
  }
  return false;
}

bool qn_flexmap_has(const qn_flexmap *map, const char *name) {
  element e;
  return find(map, name, &e) && e.type != 0;
}

static int64_t extended(uint64_t value, uint8_t width) {
  uint32_t unused = 64 - 8 * (uint32_t)width;
  return (int64_t)(value << unused) >> unused;
}

static bool float_of(uint64_t bits, uint8_t width, double *out_value) {
  uint32_t low = (uint32_t)bits;
  float narrow;
  if (width == 8) {
    memcpy(out_value, &bits, sizeof bits);
  } else if (width == 4) {
    memcpy(&narrow, &low, sizeof narrow);
    *out_value = (double)narrow;
  }
  return width >= 4;
}

static bool real_of(qn_bytes bytes, const element *e, double *out_value) {
  uint64_t bits;
  if (!load(bytes, e->at, e->width, &bits)) return false;
  switch (e->type) {
  case FLOAT:
  case INDIRECT_FLOAT:
    return float_of(bits, e->width, out_value);
  case INT:
  case INDIRECT_INT:
    *out_value = (double)extended(bits, e->width);
    return true;
  case UINT:
  case INDIRECT_UINT:
  case BOOL:
    *out_value = (double)bits;
    return true;
  default:
    return false;
  }
}

bool qn_flexmap_real(const qn_flexmap *map, const char *name, double *out_value) {
  element e;
  return find(map, name, &e) && real_of(map->bytes, &e, out_value);
}

static bool int_of(qn_bytes bytes, const element *e, int64_t *out_value) {
  double real;
  if (!real_of(bytes, e, &real) || !(real >= -0x1p53 && real <= 0x1p53)) return false;
  *out_value = (int64_t)real;
  return true;
}

bool qn_flexmap_int(const qn_flexmap *map, const char *name, int64_t *out_value) {
  element e;
  return find(map, name, &e) && int_of(map->bytes, &e, out_value);
}

bool qn_flexmap_ints(const qn_flexmap *map, const char *name, uint64_t most, int64_t *out_values,
                     uint64_t *out_count) {
  element vector, item;
  if (!find(map, name, &vector)) return false;
  bool typed = vector.type == VECTOR_INT || vector.type == VECTOR_UINT;
  if ((!typed && vector.type != VECTOR) || !open_vector(map->bytes, &vector, out_count) ||
      *out_count > most)
    return false;
  size_t types = vector.at + (size_t)*out_count * vector.width;
  for (uint64_t i = 0; i < *out_count; i++) {
    if (!typed && types + (size_t)i >= map->bytes.size) return false;
    uint8_t packed = typed ? (uint8_t)((vector.type == VECTOR_INT ? INT : UINT) << 2)
                           : map->bytes.data[types + (size_t)i];
    if (!resolve(map->bytes, vector.at + (size_t)i * vector.width, vector.width, packed, &item) ||
        !int_of(map->bytes, &item, &out_values[i]))
      return false;
  }
  return true;
}
