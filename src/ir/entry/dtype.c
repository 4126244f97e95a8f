/* Names and types of qn_dtype.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/entry/dtype.h"

static const qn_dtype_names names[] = {
    [QN_DTYPE_I8] = {"i8", "int8", "int8_t", 1},
    [QN_DTYPE_U8] = {"ui8", "uint8", "uint8_t", 1},
    [QN_DTYPE_I16] = {"i16", "int16", "int16_t", 2},
    [QN_DTYPE_I32] = {"i32", "int32", "int32_t", 4},
    [QN_DTYPE_I64] = {"i64", "int64", "int64_t", 8},
    [QN_DTYPE_F32] = {"f32", "float32", "float", 4},
    [QN_DTYPE_BOOL] = {"i1", "bool", "uint8_t", 1},
    [QN_DTYPE_U16] = {"ui16", "uint16", "uint16_t", 2},
    [QN_DTYPE_U32] = {"ui32", "uint32", "uint32_t", 4},
    [QN_DTYPE_U64] = {"ui64", "uint64", "uint64_t", 8},
    [QN_DTYPE_F16] = {"f16", "float16", "uint16_t", 2}, /* C11 has no such type: its bits */
    [QN_DTYPE_F64] = {"f64", "float64", "double", 8},
};
_Static_assert(QN_COUNT(names) == QN_DTYPE_COUNT, "every dtype has its names");

const qn_dtype_names *qn_dtype_names_of(qn_dtype dtype) {
  return dtype > 0 && (size_t)dtype < QN_COUNT(names) ? &names[dtype] : NULL;
}

qn_dtype qn_dtype_named(qn_str ir) {
  for (size_t i = 1; i < QN_COUNT(names); i++)
    if (qn_str_is(ir, names[i].ir)) return (qn_dtype)i;
  return 0;
}

qn_dtype qn_dtype_of_type(const qn_type *element) {
  const qn_quant_uniform *q = qn_type_quant(element);
  const qn_type *stored = q ? q->storage : element;
  if (stored->kind == QN_TYPE_FLOAT)
    return stored->float_kind == QN_F32   ? QN_DTYPE_F32
           : stored->float_kind == QN_F16 ? QN_DTYPE_F16
           : stored->float_kind == QN_F64 ? QN_DTYPE_F64
                                          : 0;
  if (stored->kind != QN_TYPE_INTEGER) return 0;
  if (stored->integer.width == 1) return QN_DTYPE_BOOL;
  static const qn_dtype signed_by_bytes[] = {
      [1] = QN_DTYPE_I8, [2] = QN_DTYPE_I16, [4] = QN_DTYPE_I32, [8] = QN_DTYPE_I64};
  uint32_t bytes = qn_type_bytes(stored);
  if (bytes >= QN_COUNT(signed_by_bytes)) return 0;
  bool fills = stored->integer.width == 8 * bytes;
  if (fills && qn_type_is_unsigned(element))
    return bytes == 1 ? QN_DTYPE_U8 : bytes == 2 ? QN_DTYPE_U16 : 0;
  return signed_by_bytes[bytes];
}

qn_dtype qn_dtype_at_interface(const qn_type *element, qn_dtype stated) {
  static const qn_dtype is_signed[] = {
      [QN_DTYPE_U16] = QN_DTYPE_I16, [QN_DTYPE_U32] = QN_DTYPE_I32, [QN_DTYPE_U64] = QN_DTYPE_I64};
  const qn_dtype own = qn_dtype_of_type(element);
  const bool fits = element->kind == QN_TYPE_INTEGER && (size_t)stated < QN_COUNT(is_signed);
  return fits && own && is_signed[stated] == own ? stated : own;
}
