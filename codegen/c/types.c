/* The C types of values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/c/c.h"

static const qn_c_type types[] = {
    {"bool", "bool", "", 1, false},
    {"uint8_t", "int8_t", "", 8, false},
    {"uint16_t", "int16_t", "", 16, false},
    {"uint32_t", "int32_t", "u", 32, false},
    {"uint64_t", "int64_t", "ull", 64, false},
    {"float", NULL, "f", 32, true},
    {"double", NULL, "", 64, true},
};

static const qn_c_type *find(unsigned bits, bool is_float) {
  for (size_t i = 0; i < QN_COUNT(types); i++)
    if (types[i].bits == bits && types[i].is_float == is_float) return &types[i];
  return NULL;
}

const qn_c_type *qn_c_integer(unsigned bits) { return find(bits, false); }

static const qn_type *scalar_of(const qn_type *type) {
  return type->kind == QN_TYPE_MEMREF ? type->shaped.element : qn_type_element(type);
}

const qn_c_type *qn_c_type_of(const qn_c *c, const qn_type *type) {
  const qn_type *scalar = scalar_of(type);
  const qn_c_type *found = NULL;
  if (scalar->kind == QN_TYPE_INDEX)
    found = find(c->index_bits, false);
  else if (scalar->kind == QN_TYPE_INTEGER)
    found = find(scalar->integer.width, false);
  else if (scalar->kind == QN_TYPE_FLOAT)
    found = find(scalar->float_kind == QN_F64 ? 64 : 32, true);
  QN_ASSERT(found); /* by qn_c_type_lacks */
  return found;
}

const char *qn_c_type_lacks(const qn_type *type) {
  const qn_type *scalar = scalar_of(type);
  if (scalar->kind == QN_TYPE_INTEGER && !find(scalar->integer.width, false))
    return "has no C code: C has integers of 8, 16, 32 and 64 bits";
  if (scalar->kind == QN_TYPE_FLOAT && scalar->float_kind != QN_F32 && scalar->float_kind != QN_F64)
    return "has no C code: C has floats of 32 and 64 bits. Compile to an object, or convert the "
           "model's floats to f32";
  return NULL;
}

unsigned qn_c_lane_bits(const qn_type *type) { return qn_type_element(type)->integer.width; }

const char *qn_c_register_suffix(unsigned bits) {
  return bits == 8 ? "8x16" : bits == 16 ? "16x8" : "32x4";
}

const char *qn_c_register_type(unsigned bits) {
  return bits == 8 ? "int8x16" : bits == 16 ? "int16x8" : "int32x4";
}
