/* Operations, values, blocks and regions: one container for every stage. Structure is MLIR's:
 * an op has operands, results, attributes, regions and successors; a block has arguments.
 *
 * Read the fields freely; change them only through ir/module.h and ir/builder.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OP_H
#define QN_IR_OP_H

#include "ir/attrs/attr.h"

/* An integer whose values are enumerators. The kinds of ml_forms.def come last and are declared in
 * ir/ops/forms.h. Most files do not include that header, so they are not recompiled when such a
 * kind is added. */
typedef uint32_t qn_op_kind;
enum {
  QN_OP_UNREGISTERED, /* an op of an unknown dialect, carried by name */
#define OP(stem, kind, ...) QN_OP_##kind,
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/all.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP
  QN_OP_FIRST_FORM,
  QN_OP_LIMIT = 1024 /* size of tables indexed by kind; exceeds the number of kinds */
};

/* Traits. */
enum {
  QN_PURE = 1 << 0,       /* no side effects: CSE applies, and unused ops are dead */
  QN_TERMINATOR = 1 << 1, /* last op of its block */
  QN_COMMUTATIVE = 1 << 2,
  QN_ELEMENTWISE =
      1 << 3, /* operands and results have one shape; with QN_BATCHED, only operand 0 and results */
  QN_SYMBOL = 1 << 4,      /* defines sym_name */
  QN_ISOLATED = 1 << 5,    /* regions use no values from outside */
  QN_SAME_TYPE = 1 << 6,   /* all operands and results have one type */
  QN_CONSTANT = 1 << 7,    /* no operand, the value is attribute "value" */
  QN_CAST = 1 << 8,        /* one operand, one result; defined by the types alone */
  QN_MODEL_STAGE = 1 << 9, /* stages in which the op may occur (verify/stage.c) */
  QN_INTEGER_STAGE = 1 << 10,
  QN_LOOPS_STAGE = 1 << 11,
  QN_BRANCH = 1 << 12,       /* a terminator with successors; its verifier says how many */
  QN_BODY_EFFECTS = 1 << 13, /* pure if every op in its regions is */
  /* Batched: index i of the results' dynamic dimension depends only on index i of the same
   * dimension of operand 0. That dimension is the first one of operand 0 that is not 1, unless the
   * attributes perm, axis, axes, batch_dims or stride refer to it. _ALL: the same holds for every
   * operand with as many elements in that dimension. */
  QN_BATCHED = 1 << 14,
  QN_BATCHED_ALL = 1 << 15,
  QN_DIVIDES =
      1
      << 16, /* integer division by operand 1: no result for divisor 0, and possibly none for -1 */
  QN_SPATIAL = 1 << 17, /* batched in dimension 0 only: the middle dimensions are those of an image,
                           the last one channels */
  /* Index i of operand 1, which holds indices, determines index i of the results: the dimensions of
   * operand 1 (for gather_nd without the last one) replace dimension `axis` of operand 0, or its
   * first. */
  QN_INDEXED = 1 << 19,
  QN_MATRICES = 1 << 20,   /* batched in all dimensions before the last two, which are matrices */
  QN_BROADCASTS = 1 << 21, /* each result element depends on the operand elements at the same
                              position (numpy broadcast) */
  QN_CONTROL = 1 << 18,    /* a branch or loop: its regions contain ops of the enclosing function */
};
#define QN_TENSOR_STAGES (QN_MODEL_STAGE | QN_INTEGER_STAGE)
#define QN_ANY_STAGE (QN_MODEL_STAGE | QN_INTEGER_STAGE | QN_LOOPS_STAGE)
enum { QN_VARIADIC = -1 };

/* Attributes of the op tables, declared in ops/attributes.def and read through op_attrs.h. */
typedef enum qn_attr_id {
  QN_A_NONE, /* ends lists */
#define ATTR(ident, id, ...) QN_A_##id,
#define WORD(ident, id, ...) QN_A_##id,
#include "ir/ops/attributes.def"
#undef ATTR
#undef WORD
  QN_A_COUNT
} qn_attr_id;
/* Required kind of an attribute; checked by the verifier. */
typedef enum qn_attr_spec_kind {
  QN_SPEC_ANY,
  QN_SPEC_UNIT,
  QN_SPEC_BOOL,
  QN_SPEC_I64,
  QN_SPEC_FLOAT,
  QN_SPEC_STRING,
  QN_SPEC_WORD, /* a string out of a few */
  QN_SPEC_I64S,
  QN_SPEC_TYPE,
  QN_SPEC_SYMBOL,
  QN_SPEC_ELEMENTS,
  QN_SPEC_ARRAY,
  QN_SPEC_DICT,
} qn_attr_spec_kind;
typedef enum qn_attr_need { QN_REQUIRED, QN_OPTIONAL } qn_attr_need;
typedef struct qn_attr_spec {
  qn_attr_id id; /* QN_A_NONE ends the list */
  qn_attr_need need;
} qn_attr_spec;

typedef struct qn_op qn_op;
typedef struct qn_value qn_value;
typedef struct qn_block qn_block;
typedef struct qn_region qn_region;

/* Checks what the op table cannot express. Reports through the context; returns true if the op is
 * valid. */
typedef bool qn_op_verify(qn_ir_context *cx, const qn_op *op);

typedef struct qn_op_info {
  const char *name;         /* "dialect.op" */
  int8_t operands;          /* required operands, or QN_VARIADIC */
  int8_t optional_operands; /* further operands that may be absent */
  int8_t results;           /* or QN_VARIADIC */
  int8_t regions;
  uint32_t traits;
  const qn_attr_spec *attrs;
  qn_op_verify *verify;
  const char *summary;
} qn_op_info;
extern const qn_op_info qn_op_infos[]; /* by kind */

/* One use of a value as an operand. The uses of a value form a doubly linked list. */
typedef struct qn_use {
  qn_value *value;
  qn_op *owner;
  struct qn_use *next, *prev;
} qn_use;

struct qn_value {
  const qn_type *type;
  qn_use *first_use;
  qn_op *op;         /* defining op; NULL for a block argument */
  qn_block *block;   /* block of a block argument; NULL for an op result */
  uint32_t index;    /* index of the result or argument */
  uint32_t id;       /* dense in the module, for side tables */
  const qn_loc *loc; /* block arguments; op results use the op's */
};

struct qn_op {
  qn_op_kind kind;
  uint32_t mark;     /* used by a running rewriter (pass/rewrite.c); else 0 */
  qn_str name;       /* interned name: from the table, or as written if unregistered */
  const qn_loc *loc; /* never NULL */
  qn_block *block;   /* NULL for the module op and detached ops */
  qn_op *prev, *next;
  uint32_t operand_count, result_count, attr_count, region_count, successor_count;
  uint32_t attr_capacity; /* kept by module.c */
  qn_use *operands;
  qn_value *results;    /* an array: &op->results[i] */
  qn_named_attr *attrs; /* sorted by name */
  qn_region *regions;
  qn_block **successors;
  uint32_t *successor_operand_counts; /* [successor] how many of the last operands are passed to it,
                                         in order */
};

struct qn_block {
  qn_region *region;
  qn_block *prev, *next;
  qn_op *first, *last;
  qn_value **args;
  uint32_t arg_count, arg_capacity;
};

struct qn_region {
  qn_op *owner;
  qn_block *first, *last;
};

static inline const qn_op_info *qn_op_info_of(const qn_op *op) { return &qn_op_infos[op->kind]; }
static inline bool qn_op_has(const qn_op *op, uint32_t trait) {
  return (qn_op_info_of(op)->traits & trait) != 0;
}
/* Whether the op may be isolated, so that its regions cannot use values from outside; true for
 * unknown ops. */
static inline bool qn_op_may_isolate(const qn_op *op) {
  return op->kind == QN_OP_UNREGISTERED || qn_op_has(op, QN_ISOLATED);
}
/* Whether the order of ops in its regions is irrelevant and values may depend on each other
 * cyclically (MLIR's graph regions). */
static inline bool qn_op_has_free_order(const qn_op *op) {
  return op->kind == QN_OP_UNREGISTERED || op->kind == QN_OP_MODULE;
}
static inline qn_value *qn_op_operand(const qn_op *op, uint32_t i) { return op->operands[i].value; }
static inline qn_value *qn_op_result(const qn_op *op, uint32_t i) { return &op->results[i]; }
static inline qn_block *qn_op_body(const qn_op *op) { return op->regions[0].first; }
static inline qn_op *qn_op_parent(const qn_op *op) {
  return op->block ? op->block->region->owner : NULL;
}

/* Index of the first operand that a terminator passes to a successor; the others follow. */
static inline uint32_t qn_op_successor_operand(const qn_op *op, uint32_t successor) {
  uint32_t first = op->operand_count;
  for (uint32_t i = successor; i < op->successor_count; i++)
    first -= op->successor_operand_counts[i];
  return first;
}

/* The kind of an op name; QN_OP_UNREGISTERED if it is not in the tables. */
qn_op_kind qn_op_kind_of(qn_str name);
/* Whether any op of the tables has this dialect prefix ("arith"). */
bool qn_dialect_is_known(qn_str dialect);
/* Whether an op with this name may be unregistered: the context allows it, or the dialect is
 * `test`, which is always allowed, as in mlir-opt. */
bool qn_op_may_be_unknown(const qn_ir_context *cx, qn_str name);

/* An attribute by name, for copying and printing; NULL if absent. Declared attributes are read
 * through op_attrs.h. */
const qn_attr *qn_op_attr(const qn_op *op, const char *name);
const qn_attr *qn_op_named(const qn_op *op, qn_str name);

/* The dense payload of a value that is the result of a constant op; NULL if it is not. */
const qn_attr *qn_value_constant(const qn_value *value);
/* As qn_value_constant, but NULL if the constant is a single number and not a tensor. Elided
 * resources give NULL in both. */
const qn_attr *qn_value_literal(const qn_value *value);
/* Number of uses. */
uint32_t qn_value_use_count(const qn_value *value);
static inline bool qn_value_has_uses(const qn_value *value) { return value->first_use != NULL; }
/* Whether the op is pure and its results have no uses. */
static inline bool qn_op_is_dead(const qn_op *op) {
  if (!qn_op_has(op, QN_PURE) || qn_op_has(op, QN_TERMINATOR)) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (qn_value_has_uses(&op->results[i])) return false;
  return true;
}
static inline bool qn_value_has_one_use(const qn_value *value) {
  return value->first_use && !value->first_use->next;
}

#endif
