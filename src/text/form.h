/* Custom assembly forms. Each op has one description, which parser and printer both interpret, so
 * that they cannot disagree. Most ops have a format string, and a rule that derives the types that
 * the text omits. A few with a grammar of their own (functions, loops, globals ...) have a parse
 * and a print function.
 *
 * In a format, blanks, ",", ":", "(", ")", "[", "]", "->" and lower-case words are literal text.
 * All else is a directive:
 *   $0 $1 $2   an operand            $*   all further operands, comma-separated
 *   T0 T1 T2   that operand's type   T*   the types of the further operands
 *   R          the result's type     F    (operand types) -> result types
 *   {}         other attributes, preceded by a blank, if there are any
 *   ?          the form ends here if there are no operands
 *   @name      the symbol attribute `name`
 *   #name      the array<i64> attribute `name`, as "1, 2"
 *   =name      the i64 attribute `name`, as "1"
 *   "name      the string attribute `name`
 *   !          before "[$*]": the brackets are written only if there are further operands
 *   P          the name of the comparison's predicate
 *   K          the name of the reduction's kind
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEXT_FORM_H
#define QN_TEXT_FORM_H

#include "text/parser.h"
#include "text/printer.h"

typedef struct qn_form {
  const char *format;  /* NULL: `parse` and `print` implement the form */
  const char *derived; /* types that the format omits, "slot=rule ...", see qn_type_rule */
  bool (*parse)(qn_parser *p, qn_op_draft *draft);
  /* Whether the custom form can express the whole op; otherwise the op is printed in generic form.
   * NULL: always. */
  bool (*fits)(const qn_op *op);
  void (*print)(qn_printer *out, const qn_op *op);
  bool own; /* mlir-opt does not read this form, so it is printed only on request */
} qn_form;

/* One directive or literal of a format. */
typedef struct qn_directive {
  char kind;   /* directive as above; 'w': a word, '>': an arrow, else the punctuation */
  char index;  /* operand of $ and T: '0'..'2' or '*' */
  qn_str name; /* name of @, #, =, " and of words */
  bool blank;  /* preceded by a blank */
} qn_directive;
/* How a type that the text omits follows from one that it contains. `slot` is the omitted type:
 * '0'..'2', '*' for each further operand, 'R' for the result. `from` is the operand, or
 * QN_FROM_RESULT, from whose type it is derived. `kind` is the rule: '=' the same type; 'b' i1 in
 * the same shape; 'e' the element type; 'l' a vector of the element type with one lane per entry of
 * the # attribute; 'x' index and 'c' i1, independent of `from`. */
enum { QN_FROM_RESULT = 3 };
typedef struct qn_type_rule {
  char slot, kind;
  uint32_t from;
} qn_type_rule;
const qn_type *qn_rule_type(qn_ir_context *cx, qn_type_rule rule, const qn_type *from,
                            const qn_attr *ints);
bool qn_rule_holds(qn_type_rule rule, const qn_type *from, const qn_attr *ints,
                   const qn_type *type);

/* A parsed form. Each form is parsed once per text and op kind. A form without a format has no
 * steps. */
enum { QN_FORM_MAX_STEPS = 12, QN_FORM_MAX_RULES = 3, QN_FORM_MAX_ATTRS = 2 };
typedef struct qn_form_plan {
  const qn_form *form;
  uint32_t step_count, rule_count, attr_count;
  qn_directive steps[QN_FORM_MAX_STEPS];
  qn_type_rule rules[QN_FORM_MAX_RULES];
  /* names of attributes that steps write; the dictionary omits them */
  const char *attrs[QN_FORM_MAX_ATTRS];
  uint32_t fixed; /* number of operands among $0, $1, $2 */
  /* rest: has $*; result: R is written or derived; signature: has F */
  bool rest, result, signature;
} qn_form_plan;
/* Returns the plan of an op kind; NULL if it has only the generic form. *plans is a cache, which is
 * NULL at first; it is allocated in `arena`. */
const qn_form_plan *qn_form_plan_of(const qn_form_plan ***plans, qn_arena *arena, qn_op_kind kind);
bool qn_form_parse(qn_parser *p, const qn_form_plan *plan, qn_op_draft *draft);
bool qn_form_fits(const qn_form_plan *plan, const qn_op *op);
void qn_form_print(qn_printer *out, const qn_form_plan *plan, const qn_op *op);

/* Whether operandSegmentSizes is what qn_draft_segments could make, so that a form may leave it
 * out: `count` sizes of i32 whose sum is the number of operands. */
bool qn_form_implies_segments(const qn_op *op, uint32_t count);

/* Names of the predicates, indexed by their number. */
const char *const *qn_predicate_names(qn_op_kind kind, uint32_t *out_count);
/* Upstream's flags, such as overflow<nsw> and fastmath<fast>, which precede the dictionary: the
 * word in the form, the attribute's name, and the attribute's text up to and including '<'. */
typedef struct qn_form_flag {
  const char *word, *name, *prefix;
} qn_form_flag;
extern const qn_form_flag qn_form_flags[2];
/* Prefix of attributes for a reduction's kind, which is an enumeration upstream:
 * #vector.kind<add>. */
extern const char qn_reduction_kind_prefix[];

/* Prints the op's name. Ops of the func dialect directly within a function omit the dialect:
 * "return" and "call". */
void qn_print_keyword(qn_printer *out, const qn_op *op);

/* Parse and print functions of forms with their own grammar. */
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
