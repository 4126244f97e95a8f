/* Forms: how an op of the model dialect is an op of the rule language, and the other way round.
 * Each row of vocabulary.def is one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_GRAPH_FORM_H
#define QN_RULES_GRAPH_FORM_H

#include "ir/op_attrs.h"
#include "rules/apply/view.h"

/* What a slot of a form is. Those up to QN_RULE_SLOT_INPUTS are operands in the eyes of rules. */
typedef enum qn_rule_slot_kind {
  QN_RULE_SLOT_NONE,
  QN_RULE_SLOT_VALUE,   /* operand of the op, in a layout */
  QN_RULE_SLOT_THROUGH, /* operand of the op that makes the operand */
  QN_RULE_SLOT_BELOW,   /* operand of the op, of another kind, that makes operand 0 */
  QN_RULE_SLOT_REST,    /* all operands from there on */
  QN_RULE_SLOT_PAIR,    /* shape 1, rows, columns, 1 */
  QN_RULE_SLOT_LIST,    /* shape of the values as they are */
  QN_RULE_SLOT_BEGIN,   /* shape: first index per dimension */
  QN_RULE_SLOT_SIZE,    /* shape: end - begin per dimension */
  QN_RULE_SLOT_NEW_SHAPE,
  QN_RULE_SLOT_AXIS,        /* constant: a dimension */
  QN_RULE_SLOT_PERMUTATION, /* constant: dimensions */
  QN_RULE_SLOT_PADS,        /* constant: before, after of each dimension */
  QN_RULE_SLOT_BORDER,      /* constant: the real that a stored value means */
  QN_RULE_SLOT_NUMBER,      /* constant */
  QN_RULE_SLOT_REAL,        /* constant that is this one whatever the op says */
  QN_RULE_SLOT_LOW,         /* constant: lower end of the fused activation */
  QN_RULE_SLOT_HIGH,
  QN_RULE_SLOT_INPUTS,
  QN_RULE_SLOT_ALL,   /* every value of the attribute is this one */
  QN_RULE_SLOT_PLANE, /* the attribute is the plane of operand 0: rows, columns */
  QN_RULE_SLOT_LAST,  /* the attribute is the last dimension of operand 0 */
  QN_RULE_SLOT_ANY,   /* whatever the attribute says; true in what is built */
  QN_RULE_SLOT_FILL,  /* the attribute pads the last dimension that rules see, after its elements */
} qn_rule_slot_kind;

/* In which order rules see the dimensions of an operand. */
typedef enum qn_rule_layout {
  QN_RULE_NATURAL,   /* as they are, ones in front up to rank 4 */
  QN_RULE_FILTER,    /* out, rows, columns, in: seen as rows, columns, in, out */
  QN_RULE_DEPTHWISE, /* 1, rows, columns, out: seen as rows, columns, 1, out */
  QN_RULE_COLUMNS,   /* out, in: seen as 1, 1, in, out */
  QN_RULE_ROWS,      /* out, in: seen as out, 1, 1, in */
  QN_RULE_VECTOR,    /* out: seen as 1, 1, 1, out */
  QN_RULE_LAYOUTS
} qn_rule_layout;

typedef struct qn_rule_slot {
  qn_rule_slot_kind kind;
  uint32_t operand; /* its number; ALL: how many values there are, 0: as many as operand 0 has
                       dimensions */
  qn_rule_layout layout;
  const char *along; /* see vocabulary.def */
  qn_attr_id attr;
  double number;
} qn_rule_slot;

/* What else must hold. */
enum {
  QN_RULE_PLAIN = 1 << 0,      /* no fused activation */
  QN_RULE_CLAMPED = 1 << 1,    /* a fused activation */
  QN_RULE_REALS = 1 << 2,      /* the result is float */
  QN_RULE_CODES = 1 << 3,      /* the result is quantized */
  QN_RULE_SQUARED = 1 << 4,    /* both operands are one value */
  QN_RULE_SHIFTED = 1 << 5,    /* 8 bits, one sign to the other, reals kept */
  QN_RULE_RELABELLED = 1 << 6, /* storage cast of a storage cast of codes */
  QN_RULE_UNCHANGED = 1 << 7,  /* result and operand have one type */
  QN_RULE_EVEN = 1 << 8,       /* several results of one type */
  QN_RULE_OUTPUT = 1 << 9,     /* no op, but a result of one */
  QN_RULE_SCALED = 1 << 10,    /* operand 0 is a product of floats, and used here only */
  QN_RULE_COMPOSED = 1 << 11,  /* built of several ops (rewrite/compose.c) */
};

enum { QN_RULE_MAX_SLOTS = 10 };
typedef struct qn_rule_form {
  const char *name, *summary;
  qn_op_kind kind;
  uint32_t needs;
  qn_rule_slot slots[QN_RULE_MAX_SLOTS]; /* ended by NONE */
} qn_rule_form;

/* Ended by a row without a name. */
extern const qn_rule_form qn_rule_forms[];

/* The first form of that name; NULL: none. Those of one name stand together. */
const qn_rule_form *qn_rule_form_find(qn_str name);
/* Whether this build has an op for any form of the name; false also for an unknown name. */
bool qn_rule_has_op(qn_str name);
/* How many slots are operands in the eyes of rules; REST counts once. */
uint32_t qn_rule_form_inputs(const qn_rule_form *form);
/* The slot of operand i in the eyes of rules; REST stands for all from there on. NONE: the form has
 * fewer operands. */
const qn_rule_slot *qn_rule_form_input(const qn_rule_form *form, uint32_t i);
static inline bool qn_rule_slot_is_value(const qn_rule_slot *slot) {
  return slot->kind == QN_RULE_SLOT_VALUE || slot->kind == QN_RULE_SLOT_THROUGH ||
         slot->kind == QN_RULE_SLOT_BELOW || slot->kind == QN_RULE_SLOT_REST;
}
/* Whether the result has its elements where the operand has them, so that any layout will do. */
bool qn_rule_form_keeps_layout(const qn_rule_form *form);

#endif
