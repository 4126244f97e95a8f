/* Attributes: interned, immutable, compared by pointer, except dense elements with more than a few
 * bytes of payload, which are compared by content hash (qn_attr_equal).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_ATTR_H
#define QN_IR_ATTR_H

#include "ir/attrs/affine.h"
#include "ir/types/type.h"

typedef enum qn_attr_kind {
  QN_ATTR_UNIT,
  QN_ATTR_BOOL,
  QN_ATTR_INTEGER, /* with type (default i64) */
  QN_ATTR_FLOAT,   /* with type (default f64) */
  QN_ATTR_STRING,
  QN_ATTR_TYPE,
  QN_ATTR_ARRAY,
  QN_ATTR_DICT,
  QN_ATTR_SYMBOL,      /* @name, @outer::@inner as one path */
  QN_ATTR_DENSE_ARRAY, /* array<i64: 1, 2> */
  QN_ATTR_DENSE,       /* dense<...> : type */
  QN_ATTR_RESOURCE,    /* dense_resource<key> : type; payload in the module's resource section */
  QN_ATTR_ELIDED,      /* dense_resource<__elided__> : type; printed without its payload */
  QN_ATTR_AFFINE_MAP,
  QN_ATTR_OPAQUE, /* unknown #dialect.thing<...>, kept as written */
} qn_attr_kind;

typedef struct qn_named_attr {
  qn_str name; /* interned */
  const qn_attr *value;
} qn_named_attr;

struct qn_attr {
  qn_attr_kind kind;
  const qn_type *type; /* INTEGER, FLOAT, DENSE, RESOURCE, ELIDED (shaped), DENSE_ARRAY (element),
                          TYPE (the value) */
  union {
    bool boolean;
    int64_t integer; /* sign-extended from the type's width; unsigned types zero-extended */
    double number;
    qn_str string; /* STRING, SYMBOL (first), OPAQUE, RESOURCE (key) */
    struct {
      const qn_attr *const *items;
      uint32_t count;
    } array;
    struct {
      const qn_named_attr *items;
      uint32_t count;
    } dict; /* entries sorted by name */
    struct {
      const int64_t *ints;
      const double *numbers;
      uint32_t count;
    } dense_array;
    struct qn_dense { /* DENSE and RESOURCE: little-endian row-major elements of qn_type_bytes each
                       */
      qn_bytes bytes; /* bytes of all elements; of one element if splat */
      bool splat;
      qn_str key;    /* RESOURCE */
      uint64_t hash; /* hash of the bytes and the element size */
    } dense;
    const qn_affine_map *map;
  };
};

const qn_attr *qn_attr_unit(qn_ir_context *cx);
const qn_attr *qn_attr_bool(qn_ir_context *cx, bool value);
/* A signless i1 gives a BOOL attribute, because MLIR does not distinguish them. */
const qn_attr *qn_attr_int(qn_ir_context *cx, int64_t value, const qn_type *type);
const qn_attr *qn_attr_i64(qn_ir_context *cx, int64_t value);
const qn_attr *qn_attr_float(qn_ir_context *cx, double value, const qn_type *type);
const qn_attr *qn_attr_string(qn_ir_context *cx, qn_str value);
const qn_attr *qn_attr_type(qn_ir_context *cx, const qn_type *value);
const qn_attr *qn_attr_array(qn_ir_context *cx, const qn_attr *const *items, uint32_t count);
const qn_attr *qn_attr_dict(qn_ir_context *cx, const qn_named_attr *items,
                            uint32_t count); /* any order */
const qn_attr *qn_attr_symbol(qn_ir_context *cx, qn_str name);
const qn_attr *qn_attr_i64s(qn_ir_context *cx, const int64_t *values,
                            uint32_t count); /* array<i64: ..> */
const qn_attr *qn_attr_dense_array(qn_ir_context *cx, const qn_type *element,
                                   const int64_t *ints_or_null, const double *numbers_or_null,
                                   uint32_t count);
const qn_attr *qn_attr_affine_map(qn_ir_context *cx, const qn_affine_map *map);
const qn_attr *qn_attr_opaque(qn_ir_context *cx, qn_str text);
/* One element if all elements of the payload are equal, as in MLIR; else the payload. */
qn_bytes qn_payload_shrink(qn_bytes bytes, size_t element);
/* Constant payloads. `borrow`: the bytes outlive the attribute (a mapped file that the module
 * retains); otherwise they are copied. Requires a size of elements * qn_type_bytes, or of one
 * element, which is a splat; equal elements become a splat. Payloads above QN_DENSE_INLINE bytes
 * become RESOURCE attributes with a key derived from the hash; smaller ones DENSE. */
enum { QN_DENSE_INLINE = 256 };
const qn_attr *qn_attr_dense(qn_ir_context *cx, const qn_type *shaped, qn_bytes bytes, bool borrow);
/* A payload that was read from text, with an explicit kind and key. */
const qn_attr *qn_attr_resource(qn_ir_context *cx, const qn_type *shaped, qn_str key,
                                qn_bytes bytes, bool borrow);

/* A constant with unknown elements: it verifies and prints, but is not folded, lowered or executed.
 */
const qn_attr *qn_attr_elided(qn_ir_context *cx, const qn_type *shaped);

/* Equality by content (pointers differ only for large dense payloads). */
bool qn_attr_equal(const qn_attr *a, const qn_attr *b);
uint64_t qn_attr_hash(const qn_attr *attr);
/* Whether the attribute is DENSE or RESOURCE, which have a payload. */
bool qn_attr_is_elements(const qn_attr *attr);
/* Whether the attribute is DENSE, RESOURCE or ELIDED, which have the type of a constant tensor. */
bool qn_attr_is_shaped(const qn_attr *attr);
/* Element i of a dense integer (sign- or zero-extended by its type) or float payload. */
int64_t qn_dense_int(const qn_attr *dense, int64_t i);
double qn_dense_float(const qn_attr *dense, int64_t i);
/* Reads `count` elements of a dense integer payload: element `first` and every `step`-th after it.
 */
void qn_dense_ints(const qn_attr *dense, int64_t first, int64_t step, int64_t count,
                   int32_t *out_values);

#endif
