/* Types: interned, immutable, compared by pointer. The set is MLIR's builtin types that Quern
 * needs and the quant dialect's. Construction functions assert their invariants; text and models
 * are checked before (qn_*_type_check returns the message).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_TYPE_H
#define QN_IR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/context.h"

typedef struct qn_type qn_type;
typedef struct qn_attr qn_attr;

typedef enum qn_type_kind {
  QN_TYPE_NONE,
  QN_TYPE_INDEX,
  QN_TYPE_INTEGER,
  QN_TYPE_FLOAT,
  QN_TYPE_FUNCTION,
  QN_TYPE_TENSOR,
  QN_TYPE_MEMREF,
  QN_TYPE_VECTOR,
  QN_TYPE_TUPLE,
  QN_TYPE_QUANT_ANY,
  QN_TYPE_QUANT_UNIFORM,
  QN_TYPE_QUANT_CALIBRATED,
  QN_TYPE_OPAQUE, /* a type of an unregistered dialect (!foo.bar<...>) or !shape.shape: text only */
} qn_type_kind;

typedef enum qn_sign { QN_SIGNLESS, QN_SIGNED, QN_UNSIGNED } qn_sign;
typedef enum qn_float_kind {
  QN_F16,
  QN_BF16,
  QN_TF32,
  QN_F32,
  QN_F64,
  QN_F80,
  QN_F128,
  QN_F8E5M2, /* from here on fewer than 16 bits; no arithmetic supports these */
  QN_F8E5M2FNUZ,
  QN_F8E4M3,
  QN_F8E4M3FN,
  QN_F8E4M3FNUZ,
  QN_F8E4M3B11FNUZ,
  QN_F8E3M4,
  QN_F8E8M0FNU,
  QN_F6E3M2FN,
  QN_F6E2M3FN,
  QN_F4E2M1FN,
  QN_FLOAT_KINDS
} qn_float_kind;

#define QN_DYNAMIC INT64_MIN /* an unknown dimension, printed "?" */

/* !quant.uniform. Scales and zero points are a grid: 1 element per layer; one per index of `axis`
 * per axis; row-major over grid_dims for sub-channel. */
typedef enum qn_quant_scheme { QN_PER_LAYER, QN_PER_AXIS, QN_SUB_CHANNEL } qn_quant_scheme;

typedef struct qn_quant_uniform {
  qn_quant_scheme scheme;
  bool is_signed;           /* i8, si8: signed; u8, ui8: unsigned */
  const qn_type *storage;   /* integer type as written: i8 for both i8 and u8; ui8; si8 */
  const qn_type *expressed; /* float type */
  int64_t min, max;         /* storage range, inclusive */
  int32_t axis;             /* per axis */
  uint32_t grid_rank;       /* sub-channel: rank of the scales */
  const int64_t *grid_dims; /* sub-channel */
  uint32_t block_count;     /* sub-channel: axis:block pairs as written */
  const int32_t *block_axes;
  const int64_t *block_sizes;
  uint32_t count; /* number of scales and zero points */
  const double *scales;
  const int64_t *zero_points;
} qn_quant_uniform;

struct qn_type {
  qn_type_kind kind;
  uint32_t bytes; /* qn_type_bytes, which interpreters query for each op they run */
  union {
    struct {
      uint32_t width;
      qn_sign sign;
    } integer;
    qn_float_kind float_kind;
    struct {
      const qn_type *const *inputs, *const *results;
      uint32_t input_count, result_count;
    } function;
    struct {
      const qn_type *element;
      bool ranked; /* vectors always; tensor<*x..> and memref<*x..> not */
      uint32_t rank;
      const int64_t *dims;         /* QN_DYNAMIC if unknown */
      const qn_attr *encoding;     /* tensor encoding, memref layout, or NULL */
      const qn_attr *memory_space; /* memref, or NULL */
    } shaped;                      /* TENSOR, MEMREF, VECTOR */
    struct {
      const qn_type *const *elements;
      uint32_t count;
    } tuple;
    struct {
      bool is_signed;
      const qn_type *storage, *expressed;
      int64_t min, max;
    } any; /* expressed may be NULL */
    qn_quant_uniform uniform;
    struct {
      const qn_type *expressed;
      double min, max;
    } calibrated;
    qn_str opaque; /* as written, with the leading '!' */
  };
};

const qn_type *qn_type_none(qn_ir_context *cx);
const qn_type *qn_type_index(qn_ir_context *cx);
const qn_type *qn_type_integer(qn_ir_context *cx, uint32_t width,
                               qn_sign sign);                /* width 1..2^24-1 */
const qn_type *qn_type_i(qn_ir_context *cx, uint32_t width); /* signless */
const qn_type *qn_type_float(qn_ir_context *cx, qn_float_kind kind);
const qn_type *qn_type_function(qn_ir_context *cx, const qn_type *const *inputs,
                                uint32_t input_count, const qn_type *const *results,
                                uint32_t result_count);
const qn_type *qn_type_tuple(qn_ir_context *cx, const qn_type *const *elements, uint32_t count);
const qn_type *qn_type_tensor(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims);
const qn_type *qn_type_vector(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims);
const qn_type *qn_type_memref(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims);
/* All fields: encoding or layout, memory space, unranked. */
const qn_type *qn_type_shaped(qn_ir_context *cx, qn_type_kind kind, const qn_type *element,
                              bool ranked, uint32_t rank, const int64_t *dims,
                              const qn_attr *encoding, const qn_attr *memory_space);
/* The same container type with another element type. */
const qn_type *qn_type_with_element(qn_ir_context *cx, const qn_type *shaped,
                                    const qn_type *element);
/* The container with the element type that is stored in memory: the storage type of a quantized
 * element with scales. */
const qn_type *qn_type_stored(qn_ir_context *cx, const qn_type *shaped);
/* Copies every array. Upstream's invariants must hold (text/parse/quant.c has them). */
const qn_type *qn_type_uniform(qn_ir_context *cx, const qn_quant_uniform *uniform);
const qn_type *qn_type_quant_any(qn_ir_context *cx, bool is_signed, const qn_type *storage,
                                 const qn_type *expressed_or_null, int64_t min, int64_t max);
const qn_type *qn_type_calibrated(qn_ir_context *cx, const qn_type *expressed, double min,
                                  double max);
const qn_type *qn_type_opaque(qn_ir_context *cx, qn_str text);

/* Convenience: 1-D vector<count x element>, 1-D memref. */
const qn_type *qn_type_vec(qn_ir_context *cx, const qn_type *element, int64_t count);
const qn_type *qn_type_buf(qn_ir_context *cx, const qn_type *element, int64_t count);

/* Whether it is a tensor, memref or vector. */
static inline bool qn_type_is_shaped(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR || type->kind == QN_TYPE_MEMREF ||
         type->kind == QN_TYPE_VECTOR;
}
bool qn_type_is_quant(const qn_type *type);               /* uniform, any or calibrated */
bool qn_type_is_int(const qn_type *type, uint32_t width); /* any signedness */
static inline bool qn_type_is_float(const qn_type *type, qn_float_kind kind) {
  return type->kind == QN_TYPE_FLOAT && type->float_kind == kind;
}
/* The element of a shaped type, else the type itself. */
static inline const qn_type *qn_type_element(const qn_type *type) {
  return qn_type_is_shaped(type) ? type->shaped.element : type;
}
/* The uniform parameters of the type or of its element, or NULL. */
const qn_quant_uniform *qn_type_quant(const qn_type *type);
/* Block size of a dimension of a sub-channel type; 0 if the type specifies none. */
int64_t qn_quant_block_size(const qn_quant_uniform *q, uint32_t dim);
/* Number of elements; -1 if a dimension is dynamic, the type is unranked, or the product overflows.
 */
int64_t qn_type_elements(const qn_type *type);
/* Size of all elements in memory in bytes, without gaps; -1 if the number of elements is -1 or the
 * size overflows. */
int64_t qn_type_size(const qn_type *type);
/* Size of a memref in bytes, without gaps; -1 if the type is not a memref, or its size is not
 * static or too large. */
int64_t qn_memref_bytes(const qn_type *type);
bool qn_type_is_static(const qn_type *type);
/* Bytes of one element as stored: i1..i8 1, i16 2, index 8, quantized: its storage. 0 if not
 * scalar. */
static inline uint32_t qn_type_bytes(const qn_type *element) { return element->bytes; }
/* Whether 8-bit-or-wider storage is read as unsigned: ui types and unsigned quantized types. */
bool qn_type_is_unsigned(const qn_type *element);
/* The low `width` bits of an integer, 1 to 64, read as signed or unsigned. */
static inline int64_t qn_low_bits(int64_t bits, uint32_t width, bool is_signed) {
  uint64_t high = (uint64_t)bits << (64 - width);
  return is_signed ? (int64_t)high >> (64 - width) : (int64_t)(high >> (64 - width));
}
/* Default storage range of a width and signedness (width 1..32). */
void qn_storage_range(uint32_t width, bool is_signed, int64_t *out_min, int64_t *out_max);

#endif
