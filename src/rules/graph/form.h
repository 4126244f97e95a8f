/* Forms: each maps an op of the rule language to an op of the model dialect, for matching and for
 * building. Each row of vocabulary.def is a form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_GRAPH_FORM_H
#define QN_RULES_GRAPH_FORM_H

#include "ir/op_attrs.h"
#include "rules/apply/view.h"

/* What a slot of a form is. Slots up to QN_RULE_SLOT_INPUTS are operands of the rule's op; rules
 * see attributes as operands, too. The others constrain attributes. */
typedef enum qn_rule_slot_kind {
  QN_RULE_SLOT_NONE,
  QN_RULE_SLOT_VALUE,   /* an operand of the op, in the slot's layout */
  QN_RULE_SLOT_THROUGH, /* the operand of the op that defines operand `operand` */
  QN_RULE_SLOT_BELOW,   /* an operand of the op, of another kind, that defines operand 0 */
  QN_RULE_SLOT_REST,    /* all operands from `operand` on */
  QN_RULE_SLOT_PAIR,    /* a shape [1, rows, columns, 1] made from an attribute of two values */
  QN_RULE_SLOT_LIST,    /* a shape with the values of the attribute */
  QN_RULE_SLOT_BEGIN,   /* a shape: first index of each dimension */
  QN_RULE_SLOT_SIZE,    /* a shape: end - begin of each dimension */
  QN_RULE_SLOT_NEW_SHAPE,
  QN_RULE_SLOT_AXIS,        /* a constant: index of a dimension */
  QN_RULE_SLOT_PERMUTATION, /* a constant: a permutation of dimensions */
  QN_RULE_SLOT_PADS,        /* a constant: padding before and after each dimension */
  QN_RULE_SLOT_BORDER,      /* a constant: the real value of the stored padding value */
  QN_RULE_SLOT_NUMBER,      /* a constant: the value of the attribute */
  QN_RULE_SLOT_REAL,        /* a constant that the form fixes: the slot's `number` */
  QN_RULE_SLOT_LOW,         /* a constant: lower bound of the fused activation */
  QN_RULE_SLOT_HIGH,
  QN_RULE_SLOT_INPUTS,
  QN_RULE_SLOT_ALL,   /* condition: every value of the attribute equals `number` */
  QN_RULE_SLOT_PLANE, /* condition: the attribute equals [rows, columns] of operand 0 */
  QN_RULE_SLOT_LAST,  /* condition: the attribute is the last dimension of operand 0 */
  QN_RULE_SLOT_ANY,   /* no condition on the attribute; true in ops that rules build */
  /* condition: the attribute pads only the end of the last dimension that rules see */
  QN_RULE_SLOT_FILL,
} qn_rule_slot_kind;

/* The order in which rules see the dimensions of an operand. Rules see rank 4: lower ranks get
 * leading dimensions of size 1. */
typedef enum qn_rule_layout {
  QN_RULE_NATURAL,   /* unchanged, with leading ones up to rank 4 */
  QN_RULE_FILTER,    /* [out, rows, columns, in], seen as [rows, columns, in, out] */
  QN_RULE_DEPTHWISE, /* [1, rows, columns, out], seen as [rows, columns, 1, out] */
  QN_RULE_COLUMNS,   /* [out, in], seen as [1, 1, in, out] */
  QN_RULE_ROWS,      /* [out, in], seen as [out, 1, 1, in] */
  QN_RULE_VECTOR,    /* [out], seen as [1, 1, 1, out] */
  QN_RULE_LAYOUTS
} qn_rule_layout;

typedef struct qn_rule_slot {
  qn_rule_slot_kind kind;
  /* index of the op's operand; for ALL: how many values the attribute has, 0: the rank of operand
   * 0 */
  uint32_t operand;
  qn_rule_layout layout;
  const char *along; /* a character per dimension of the result, see vocabulary.def */
  qn_attr_id attr;
  double number;
} qn_rule_slot;

/* Further conditions that an op must meet to fit a form; bits. */
enum {
  QN_RULE_PLAIN = 1 << 0,   /* no fused activation */
  QN_RULE_CLAMPED = 1 << 1, /* a fused activation */
  QN_RULE_REALS = 1 << 2,   /* the result is float */
  QN_RULE_CODES = 1 << 3,   /* the result is quantized */
  QN_RULE_SQUARED = 1 << 4, /* both operands are the same value */
  QN_RULE_SHIFTED = 1 << 5, /* 8-bit codes change signedness; the real values stay */
  /* a storage cast of a storage cast: the stored values stay, the encoding changes */
  QN_RULE_RELABELLED = 1 << 6,
  QN_RULE_UNCHANGED = 1 << 7, /* result and operand have the same type */
  QN_RULE_EVEN = 1 << 8,      /* several results, all of one type */
  QN_RULE_OUTPUT = 1 << 9,    /* not an op, but one result of an op with several */
  QN_RULE_SCALED = 1 << 10,   /* operand 0 is a product of floats that only this op reads */
  QN_RULE_COMPOSED = 1 << 11, /* stands for several ops, built by rewrite/compose.c */
};

enum { QN_RULE_MAX_SLOTS = 10 };
typedef struct qn_rule_form {
  const char *name, *summary;
  qn_op_kind kind;
  uint32_t needs;
  qn_rule_slot slots[QN_RULE_MAX_SLOTS]; /* list ended by NONE */
} qn_rule_form;

/* All forms; ended by a row without a name. */
extern const qn_rule_form qn_rule_forms[];

/* The first form of that name; NULL if there is none. Forms of one name are consecutive. */
const qn_rule_form *qn_rule_form_find(qn_str name);
/* Whether this build has an op for some form of the name. False also for an unknown name. */
bool qn_rule_has_op(qn_str name);
/* Number of slots that are operands of the rule's op; REST counts as one. */
uint32_t qn_rule_form_inputs(const qn_rule_form *form);
/* The slot of the rule's operand i. A REST slot is returned for all indices from its own on. */
const qn_rule_slot *qn_rule_form_input(const qn_rule_form *form, uint32_t i);
static inline bool qn_rule_slot_is_value(const qn_rule_slot *slot) {
  return slot->kind == QN_RULE_SLOT_VALUE || slot->kind == QN_RULE_SLOT_THROUGH ||
         slot->kind == QN_RULE_SLOT_BELOW || slot->kind == QN_RULE_SLOT_REST;
}
/* Whether each element of the result depends on the element of the operand at the same index, so
 * that any layout of the operand is valid. */
bool qn_rule_form_keeps_layout(const qn_rule_form *form);

#endif
