/* Custom assembly forms: one description per op that parser and printer both follow, so that they
 * cannot disagree. Most ops are a format string and a rule that derives the types not written; the
 * few with a grammar of their own (functions, loops, globals ...) have a parse and a print
 * function.
 *
 * In a format, blanks, ",", ":", "(", ")", "[", "]", "->" and lower-case words stand for
 * themselves; the rest is
 *   $0 $1 $2   an operand            $*   all further operands, comma-separated
 *   T0 T1 T2   that operand's type   T*   the further ones' types
 *   R          the result's type     F    (operand types) -> result types
 *   {}         other attributes, with a blank in front when there are any
 *   ?          the form ends here when there are no operands
 *   @name      the symbol attribute of that name
 *   #name      the array<i64> attribute of that name, as "1, 2"
 *   =name      the i64 attribute of that name, as "1"
 *   "name      the string attribute of that name
 *   !          before "[$*]": these are there only when there are further operands
 *   P          the comparison's predicate by name
 *   K          the reduction's kind by name
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_FORM_H
#define QN_TEXT_FORM_H

#include "text/parser.h"
#include "text/printer.h"

typedef struct qn_form {
  const char *format;  /* NULL: parse and print do it */
  const char *derived; /* the types that the format does not write, "slot=rule", see qn_type_rule */
  bool (*parse)(qn_parser *p, qn_op_draft *draft);
  /* Whether the custom form says everything about this op; else it is printed generically. */
  bool (*fits)(const qn_op *op);
  void (*print)(qn_printer *out, const qn_op *op);
  bool own; /* no other tool reads it: printed on request only */
} qn_form;

/* One step of a format. */
typedef struct qn_directive {
  char kind;   /* as above, 'w' for a word, '>' for an arrow, else the punctuation */
  char index;  /* of $ and T: '0'..'2' or '*' */
  qn_str name; /* of @, #, =, " and words */
  bool blank;  /* before it */
} qn_directive;
/* How one unwritten type follows from a written one: the slot ('0'..'2', '*' for each further
 * operand, 'R'), and '=' the type of operand `from` or (QN_FROM_RESULT) of the result, 'b' i1 in
 * its shape, 'e' its element, 'l' a vector of its element with one lane per entry of the #
 * attribute, 'x' index or 'c' i1. */
enum { QN_FROM_RESULT = 3 };
typedef struct qn_type_rule {
  char slot, kind;
  uint32_t from;
} qn_type_rule;
const qn_type *qn_rule_type(qn_ir_context *cx, qn_type_rule rule, const qn_type *from,
                            const qn_attr *ints);
bool qn_rule_holds(qn_type_rule rule, const qn_type *from, const qn_attr *ints,
                   const qn_type *type);

/* A form taken apart, which is done once per text and op kind. Without a format there are no steps.
 */
enum { QN_FORM_MAX_STEPS = 12, QN_FORM_MAX_RULES = 3, QN_FORM_MAX_ATTRS = 2 };
typedef struct qn_form_plan {
  const qn_form *form;
  uint32_t step_count, rule_count, attr_count;
  qn_directive steps[QN_FORM_MAX_STEPS];
  qn_type_rule rules[QN_FORM_MAX_RULES];
  const char *attrs[QN_FORM_MAX_ATTRS]; /* that the steps write: not part of the dictionary */
  uint32_t fixed;                       /* how many of $0, $1, $2 */
  bool rest, result, signature;         /* has $*; R, written or derived; F */
} qn_form_plan;
/* The plan of an op kind, or NULL: generic only. *plans begins as NULL and lives in the arena. */
const qn_form_plan *qn_form_plan_of(const qn_form_plan ***plans, qn_arena *arena, qn_op_kind kind);
bool qn_form_parse(qn_parser *p, const qn_form_plan *plan, qn_op_draft *draft);
bool qn_form_fits(const qn_form_plan *plan, const qn_op *op);
void qn_form_print(qn_printer *out, const qn_form_plan *plan, const qn_op *op);

/* The names of the predicates in the order of their numbers. */
const char *const *qn_predicate_names(qn_op_kind kind, uint32_t *out_count);
/* Upstream's flags, overflow<nsw> and fastmath<fast>, which precede the dictionary: the
 * word, the attribute's name, and the attribute's text up to the '<'. */
typedef struct qn_form_flag {
  const char *word, *name, *prefix;
} qn_form_flag;
extern const qn_form_flag qn_form_flags[2];
/* In attributes that are an enumeration upstream: #vector.kind<add>. */
extern const char qn_reduction_kind_prefix[];

/* The op's name, "return" and "call" for those of the func dialect directly inside of a function.
 */
void qn_print_keyword(qn_printer *out, const qn_op *op);

/* Forms with a grammar of their own. */
bool qn_parse_module_form(qn_parser *p, qn_op_draft *draft);
void qn_print_module_form(qn_printer *out, const qn_op *op);
bool qn_module_form_fits(const qn_op *op);
bool qn_parse_unrealized_cast_form(qn_parser *p, qn_op_draft *draft);
void qn_print_unrealized_cast_form(qn_printer *out, const qn_op *op);
bool qn_unrealized_cast_form_fits(const qn_op *op);
bool qn_parse_func_form(qn_parser *p, qn_op_draft *draft);
void qn_print_func_form(qn_printer *out, const qn_op *op);
bool qn_func_form_fits(const qn_op *op);
bool qn_parse_constant_form(qn_parser *p, qn_op_draft *draft);
void qn_print_constant_form(qn_printer *out, const qn_op *op);
bool qn_constant_form_fits(const qn_op *op);
bool qn_parse_select_form(qn_parser *p, qn_op_draft *draft);
void qn_print_select_form(qn_printer *out, const qn_op *op);
bool qn_select_form_fits(const qn_op *op);
bool qn_parse_global_form(qn_parser *p, qn_op_draft *draft);
void qn_print_global_form(qn_printer *out, const qn_op *op);
bool qn_global_form_fits(const qn_op *op);
bool qn_parse_for_form(qn_parser *p, qn_op_draft *draft);
void qn_print_for_form(qn_printer *out, const qn_op *op);
bool qn_for_form_fits(const qn_op *op);
bool qn_parse_if_form(qn_parser *p, qn_op_draft *draft);
void qn_print_if_form(qn_printer *out, const qn_op *op);
bool qn_if_form_fits(const qn_op *op);
bool qn_parse_const_shape_form(qn_parser *p, qn_op_draft *draft);
void qn_print_const_shape_form(qn_printer *out, const qn_op *op);
bool qn_const_shape_form_fits(const qn_op *op);
bool qn_parse_generic_op_form(qn_parser *p, qn_op_draft *draft);
void qn_print_generic_op_form(qn_printer *out, const qn_op *op);
bool qn_generic_op_form_fits(const qn_op *op);
bool qn_parse_br_form(qn_parser *p, qn_op_draft *draft);
void qn_print_br_form(qn_printer *out, const qn_op *op);
bool qn_br_form_fits(const qn_op *op);
bool qn_parse_cond_br_form(qn_parser *p, qn_op_draft *draft);
void qn_print_cond_br_form(qn_printer *out, const qn_op *op);
bool qn_cond_br_form_fits(const qn_op *op);
bool qn_parse_call_indirect_form(qn_parser *p, qn_op_draft *draft);
void qn_print_call_indirect_form(qn_printer *out, const qn_op *op);
bool qn_call_indirect_form_fits(const qn_op *op);

#endif
