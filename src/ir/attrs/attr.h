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
  QN_ATTR_INTEGER, /* with type (i64 when unsaid, index ...) */
  QN_ATTR_FLOAT,   /* with type (f64 when unsaid) */
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
  QN_ATTR_OPAQUE, /* #dialect.thing<...> that we only carry: as written */
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
    } dict; /* sorted by name */
    struct {
      const int64_t *ints;
      const double *numbers;
      uint32_t count;
    } dense_array;
    struct qn_dense { /* DENSE and RESOURCE: little-endian row-major elements of qn_type_bytes each
                       */
      qn_bytes bytes; /* one element when splat */
      bool splat;
      qn_str key;    /* RESOURCE */
      uint64_t hash; /* of the bytes and the element size */
    } dense;
    const qn_affine_map *map;
  };
};

const qn_attr *qn_attr_unit(qn_ir_context *cx);
const qn_attr *qn_attr_bool(qn_ir_context *cx, bool value);
/* A signless i1 gives the BOOL attribute: they are one thing in MLIR. */
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
/* The first element alone when all elements of a payload are the same, as MLIR keeps them. */
qn_bytes qn_payload_shrink(qn_bytes bytes, size_t element);
/* Constant payloads. `borrow`: the bytes outlive the context's use of them (a mapped file that the
 * module retains); otherwise they are copied. A payload of one element is a splat, and one of equal
 * elements becomes that; the size must be elements * qn_type_bytes, or qn_type_bytes. Those above
 * QN_DENSE_INLINE bytes become RESOURCE attributes with a key derived from the hash; smaller ones
 * DENSE. */
enum { QN_DENSE_INLINE = 256 };
const qn_attr *qn_attr_dense(qn_ir_context *cx, const qn_type *shaped, qn_bytes bytes, bool borrow);
/* As read from text: kind and key as given. */
const qn_attr *qn_attr_resource(qn_ir_context *cx, const qn_type *shaped, qn_str key,
                                qn_bytes bytes, bool borrow);

/* A constant of which only the type is known: it verifies and prints, but nothing folds, lowers or
 * executes it. */
const qn_attr *qn_attr_elided(qn_ir_context *cx, const qn_type *shaped);

/* Equality by content (pointers differ only for large dense payloads). */
bool qn_attr_equal(const qn_attr *a, const qn_attr *b);
uint64_t qn_attr_hash(const qn_attr *attr);
/* DENSE or RESOURCE: a payload is there. */
bool qn_attr_is_elements(const qn_attr *attr);
/* These or ELIDED: has the type of a constant tensor. */
bool qn_attr_is_shaped(const qn_attr *attr);
/* Element i of a dense integer (sign- or zero-extended by its type) or float payload. */
int64_t qn_dense_int(const qn_attr *dense, int64_t i);
double qn_dense_float(const qn_attr *dense, int64_t i);
/* `count` elements of a dense integer payload, the first of them and every `step`-th after it. */
void qn_dense_ints(const qn_attr *dense, int64_t first, int64_t step, int64_t count,
                   int32_t *out_values);

#endif
