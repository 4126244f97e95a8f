/* Prints an op by its format. An op fits its format if its operands and results have exactly the
 * types that the parser would derive.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "text/form.h"

/* ---- whether it fits ---- */

static const qn_attr *named_attr(const qn_op *op, qn_str name) {
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (qn_str_equal(op->attrs[i].name, name)) return op->attrs[i].value;
  return NULL;
}

static bool predicate_fits(const qn_op *op) {
  uint32_t count;
  qn_predicate_names(op->kind, &count);
  const qn_attr *attr = qn_op_find(op, QN_A_PREDICATE);
  return attr && attr->kind == QN_ATTR_INTEGER && attr->type->kind == QN_TYPE_INTEGER &&
         attr->type->integer.width == 64 && attr->integer >= 0 && attr->integer < (int64_t)count;
}

static bool kind_fits(const qn_op *op) {
  const qn_attr *attr = qn_op_find(op, QN_A_REDUCTION_KIND);
  return attr && attr->kind == QN_ATTR_OPAQUE &&
         qn_str_starts(attr->string, qn_reduction_kind_prefix);
}

/* Whether the attributes that the format writes exist and have the expected kinds. */
static bool attrs_fit(const qn_form_plan *plan, const qn_op *op) {
  for (uint32_t i = 0; i < plan->step_count && plan->attr_count; i++) {
    const qn_directive *d = &plan->steps[i];
    const qn_attr *attr = d->name.size ? named_attr(op, d->name) : NULL;
    if (d->kind == '@' && !(attr && attr->kind == QN_ATTR_SYMBOL)) return false;
    if (d->kind == '#' &&
        !(attr && attr->kind == QN_ATTR_DENSE_ARRAY && qn_type_is_int(attr->type, 64) &&
          attr->type->integer.sign == QN_SIGNLESS))
      return false;
    if (d->kind == '=' &&
        !(attr && attr->kind == QN_ATTR_INTEGER && qn_type_is_int(attr->type, 64) &&
          attr->type->integer.sign == QN_SIGNLESS))
      return false;
    if (d->kind == '"' && !(attr && attr->kind == QN_ATTR_STRING)) return false;
    if (d->kind == 'P' && !predicate_fits(op)) return false;
    if (d->kind == 'K' && !kind_fits(op)) return false;
  }
  return true;
}

static const qn_attr *ints_of(const qn_form_plan *plan, const qn_op *op) {
  for (uint32_t i = 0; i < plan->step_count; i++)
    if (plan->steps[i].kind == '#') return named_attr(op, plan->steps[i].name);
  return NULL;
}

static bool rule_holds(const qn_form_plan *plan, const qn_op *op, qn_type_rule rule) {
  bool from_result = rule.from == QN_FROM_RESULT, needs_from = rule.kind != 'x' && rule.kind != 'c';
  if (needs_from && (from_result ? op->result_count != 1 : rule.from >= op->operand_count))
    return false;
  const qn_type *from = NULL;
  if (needs_from) from = from_result ? op->results[0].type : qn_op_operand(op, rule.from)->type;
  const qn_attr *ints = rule.kind == 'l' ? ints_of(plan, op) : NULL;
  uint32_t first = rule.slot == '*' ? plan->fixed : (uint32_t)(rule.slot - '0');
  uint32_t end = rule.slot == '*' ? op->operand_count : first + 1;
  if (rule.slot == 'R')
    return op->result_count == 1 && qn_rule_holds(rule, from, ints, op->results[0].type);
  for (uint32_t i = first; i < end; i++)
    if (!qn_rule_holds(rule, from, ints, qn_op_operand(op, i)->type)) return false;
  return true;
}

/* Whether operands exist as the format requires, and omitted types are those that the parser would
 * derive. */
static bool types_fit(const qn_form_plan *plan, const qn_op *op) {
  if (op->operand_count < plan->fixed || (op->operand_count > plan->fixed && !plan->rest))
    return false;
  if (plan->signature) return true;
  for (uint32_t i = 0; i < plan->rule_count; i++)
    if (!rule_holds(plan, op, plan->rules[i])) return false;
  return op->result_count == (plan->result ? 1 : 0);
}

static bool branches_to(const qn_block *from, const qn_block *to) {
  QN_FOR_EACH_OP(op, from) {
    for (uint32_t i = 0; i < op->successor_count; i++)
      if (op->successors[i] == to) return true;
  }
  return false;
}

/* Whether an op in a region branches to the entry block, which the verifier rejects. Custom forms
 * of ops with regions do not name entry blocks. */
static bool names_entry(const qn_op *op) {
  for (uint32_t r = 0; r < op->region_count; r++) {
    const qn_block *entry = op->regions[r].first;
    for (const qn_block *block = entry; block; block = block->next)
      if (branches_to(block, entry)) return true;
  }
  return false;
}

bool qn_form_fits(const qn_form_plan *plan, const qn_op *op) {
  if (!plan->form->format) return plan->form->fits(op) && !names_entry(op);
  return op->region_count == 0 && op->successor_count == 0 && attrs_fit(plan, op) &&
         types_fit(plan, op);
}

/* ---- printing ---- */

static void print_ints(qn_printer *out, const qn_attr *attr) {
  for (uint32_t i = 0; i < attr->dense_array.count; i++) {
    qn_comma(out, i);
    qn_print_i64(out, attr->dense_array.ints[i]);
  }
}

static void print_kind(qn_printer *out, const qn_op *op) {
  qn_str text = qn_op_find(op, QN_A_REDUCTION_KIND)->string;
  size_t prefix = strlen(qn_reduction_kind_prefix) - 1; /* includes the '<' */
  qn_put(out, (qn_str){text.data + prefix, text.size - prefix});
}

static void print_predicate(qn_printer *out, const qn_op *op) {
  uint32_t count;
  qn_puts(out, qn_predicate_names(op->kind, &count)[qn_op_find(op, QN_A_PREDICATE)->integer]);
}

/* Prints upstream's flags, and adds the names of the printed attributes to `skip`. Returns their
 * number. */
static size_t print_flags(qn_printer *out, const qn_op *op, const char *skip[]) {
  size_t count = 0;
  for (size_t i = 0; i < QN_COUNT(qn_form_flags); i++) {
    const qn_form_flag *flag = &qn_form_flags[i];
    const qn_attr *attr = qn_op_attr(op, flag->name);
    if (!attr || attr->kind != QN_ATTR_OPAQUE || !qn_str_starts(attr->string, flag->prefix))
      continue;
    size_t prefix = strlen(flag->prefix);
    qn_text_format(out->out, " %s", flag->word);
    qn_put(out, (qn_str){attr->string.data + prefix, attr->string.size - prefix});
    skip[count++] = flag->name;
  }
  return count;
}

/* Prints the attributes that no directive writes. */
static void print_dict(qn_printer *out, const qn_form_plan *plan, const qn_op *op) {
  const char *skip[QN_COUNT(qn_form_flags) + QN_FORM_MAX_ATTRS];
  if (op->attr_count == 0) return;
  size_t count = print_flags(out, op, skip);
  for (uint32_t i = 0; i < plan->attr_count; i++) skip[count++] = plan->attrs[i];
  qn_print_attr_dict(out, op, " {", skip, count);
}

static void print_directive(qn_printer *out, const qn_form_plan *plan, const qn_op *op,
                            const qn_directive *d) {
  uint32_t fixed = plan->fixed;
  switch (d->kind) {
  case '$':
    if (d->index == '*')
      qn_print_operand_list(out, op, fixed, op->operand_count - fixed);
    else
      qn_print_value(out, qn_op_operand(op, (uint32_t)(d->index - '0')));
    return;
  case 'T':
    if (d->index == '*')
      qn_print_operand_types(out, op, fixed, op->operand_count - fixed);
    else
      qn_print_type(out, qn_op_operand(op, (uint32_t)(d->index - '0'))->type);
    return;
  case 'R':
    qn_print_type(out, op->results[0].type);
    return;
  case 'F':
    qn_print_signature(out, op);
    return;
  case '{':
    print_dict(out, plan, op);
    return;
  case '@':
    qn_print_symbol(out, named_attr(op, d->name)->string);
    return;
  case '=':
    qn_print_i64(out, named_attr(op, d->name)->integer);
    return;
  case '"':
    qn_print_quoted(out, named_attr(op, d->name)->string);
    return;
  case '>':
    qn_puts(out, "->");
    return;
  case '#':
    print_ints(out, named_attr(op, d->name));
    return;
  case 'P':
    print_predicate(out, op);
    return;
  case 'K':
    print_kind(out, op);
    return;
  case 'w':
    qn_put(out, d->name);
    return;
  default:
    qn_text_putc(out->out, d->kind);
    return;
  }
}

void qn_print_keyword(qn_printer *out, const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  bool in_func = parent && parent->kind == QN_OP_FUNC && qn_str_starts(op->name, "func.");
  qn_puts(out, in_func ? op->name.data + strlen("func.") : op->name.data);
}

void qn_form_print(qn_printer *out, const qn_form_plan *plan, const qn_op *op) {
  if (!plan->form->format) {
    plan->form->print(out, op);
    return;
  }
  qn_print_keyword(out, op);
  bool skipping = false; /* between ! and ] without further operands */
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const qn_directive *d = &plan->steps[i];
    if (d->kind == '?') {
      if (op->operand_count == 0) return;
      continue;
    }
    if (d->kind == '!') skipping = op->operand_count == plan->fixed;
    if (skipping || d->kind == '!') {
      skipping = skipping && d->kind != ']';
      continue;
    }
    bool nothing = plan->form->own && d->kind == '$' && op->operand_count == 0;
    if (d->blank && !nothing) qn_puts(out, " ");
    print_directive(out, plan, op, d);
  }
}
