/* The table of custom forms, and the parser of their formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/form.h"
#include "ir/ops/forms.h"

#include <string.h>

const qn_form_flag qn_form_flags[] = {{"overflow", "overflowFlags", "#arith.overflow"},
                                      {"fastmath", "fastmath", "#arith.fastmath"}};
const char qn_reduction_kind_prefix[] = "#vector.kind<";

/* ---- types that the text omits ---- */

/* Reads the next rule of *derived and advances it. Returns false at the end. */
static bool next_rule(const char **derived, qn_type_rule *out_rule) {
  const char *at = *derived;
  if (!at || *at == '\0') return false;
  qn_type_rule rule = {.slot = at[0], .kind = '='};
  at += 2; /* skip the slot and '=' */
  if (*at >= 'a' && *at <= 'z') rule.kind = *at++;
  if (*at >= '0' && *at <= '2')
    rule.from = (uint32_t)(*at++ - '0');
  else if (*at == 'R') {
    rule.from = QN_FROM_RESULT;
    at++;
  }
  *derived = *at == ' ' ? at + 1 : at;
  *out_rule = rule;
  return true;
}

const qn_type *qn_rule_type(qn_ir_context *cx, qn_type_rule rule, const qn_type *from,
                            const qn_attr *ints) {
  switch (rule.kind) {
  case 'x':
    return qn_type_index(cx);
  case 'c':
    return qn_type_i(cx, 1);
  case 'e':
    return qn_type_element(from);
  case 'b':
    return qn_type_with_element(cx, from, qn_type_i(cx, 1));
  case 'l':
    return qn_type_vec(cx, qn_type_element(from), ints->dense_array.count);
  default:
    return from;
  }
}

static bool same_shape(const qn_type *a, const qn_type *b) {
  if (!qn_type_is_shaped(a)) return !qn_type_is_shaped(b);
  if (a->kind != b->kind || a->shaped.ranked != b->shaped.ranked ||
      a->shaped.rank != b->shaped.rank || a->shaped.encoding != b->shaped.encoding ||
      a->shaped.memory_space != b->shaped.memory_space)
    return false;
  for (uint32_t i = 0; i < a->shaped.rank; i++)
    if (a->shaped.dims[i] != b->shaped.dims[i]) return false;
  return true;
}

bool qn_rule_holds(qn_type_rule rule, const qn_type *from, const qn_attr *ints,
                   const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  switch (rule.kind) {
  case 'x':
    return type->kind == QN_TYPE_INDEX;
  case 'c':
    return qn_type_is_int(type, 1) && type->integer.sign == QN_SIGNLESS;
  case 'e':
    return type == qn_type_element(from);
  case 'b':
    return same_shape(from, type) && qn_type_is_int(element, 1) &&
           element->integer.sign == QN_SIGNLESS;
  case 'l':
    return type->kind == QN_TYPE_VECTOR && type->shaped.rank == 1 &&
           type->shaped.dims[0] == (int64_t)ints->dense_array.count &&
           element == qn_type_element(from);
  default:
    return type == from;
  }
}

/* ---- the table ---- */

#define CUSTOM(name)                                                                               \
  {                                                                                                \
    .parse = qn_parse_##name##_form, .fits = qn_##name##_form_fits,                                \
    .print = qn_print_##name##_form                                                                \
  }

static const qn_form forms[QN_OP_COUNT] = {
    [QN_OP_MODULE] = CUSTOM(module),
    [QN_OP_UNREALIZED_CAST] = CUSTOM(unrealized_cast),
    [QN_OP_FUNC] = CUSTOM(func),
    [QN_OP_FUNC_RETURN] = {.format = "{}? $* : T*"},
    [QN_OP_FUNC_CALL] = {.format = " @callee($*){} : F"},
    [QN_OP_FUNC_CONSTANT] = {.format = "{} @value : R"},
    [QN_OP_FUNC_CALL_INDIRECT] = CUSTOM(call_indirect),
    [QN_OP_TENSOR_DIM] = {.format = "{} $0, $1 : T0", .derived = "1=x R=x"},
    [QN_OP_TENSOR_RANK] = {.format = " $0{} : T0", .derived = "R=x"},
    [QN_OP_TENSOR_SPLAT] = {.format = " $0![$*]{} : R", .derived = "0=eR *=x"},
    [QN_OP_TENSOR_EMPTY] = {.format = "($*){} : R", .derived = "*=x"},
    [QN_OP_TENSOR_FROM_ELEMENTS] = {.format = " $*{} : R", .derived = "*=eR"},
    [QN_OP_TENSOR_RESHAPE] = {.format = " $0($1){} : F"},
    [QN_OP_TENSOR_EXTRACT] = {.format = " $0[$*]{} : T0", .derived = "*=x R=e0"},
    [QN_OP_SHAPE_SHAPE_OF] = {.format = " $0{} : T0 -> R"},
    [QN_OP_SHAPE_NUM_ELEMENTS] = {.format = " $0{} : T0 -> R"},
    [QN_OP_SHAPE_CONST_SHAPE] = CUSTOM(const_shape),
    [QN_OP_LINALG_GENERIC] = CUSTOM(generic_op),
    [QN_OP_LINALG_YIELD] = {.format = "{}? $* : T*"},
    [QN_OP_LINALG_INDEX] = {.format = " =dim{} : R"},
    [QN_OP_CF_BR] = CUSTOM(br),
    [QN_OP_CF_COND_BR] = CUSTOM(cond_br),
    [QN_OP_CF_ASSERT] = {.format = " $0, \"msg{}", .derived = "0=c"},
    [QN_OP_ARITH_CONSTANT] = CUSTOM(constant),
    [QN_OP_ARITH_CMPI] = {.format = " P, $0, $1{} : T0", .derived = "1=0 R=b0"},
    [QN_OP_ARITH_CMPF] = {.format = " P, $0, $1{} : T0", .derived = "1=0 R=b0"},
    [QN_OP_ARITH_SELECT] = CUSTOM(select),
    [QN_OP_SCF_FOR] = CUSTOM(for),
    [QN_OP_SCF_IF] = CUSTOM(if),
    [QN_OP_SCF_YIELD] = {.format = "{}? $* : T*"},
    [QN_OP_MEMREF_GLOBAL] = CUSTOM(global),
    [QN_OP_MEMREF_GET_GLOBAL] = {.format = " @name : R{}"},
    [QN_OP_MEMREF_VIEW] = {.format = " $0[$1][]{} : T0 to R", .derived = "1=x"},
    [QN_OP_MEMREF_LOAD] = {.format = " $0[$*]{} : T0", .derived = "*=x R=e0"},
    [QN_OP_MEMREF_STORE] = {.format = " $0, $1[$*]{} : T1", .derived = "*=x 0=e1"},
    [QN_OP_VECTOR_LOAD] = {.format = " $0[$*]{} : T0, R", .derived = "*=x"},
    [QN_OP_VECTOR_STORE] = {.format = " $0, $1[$*]{} : T1, T0", .derived = "*=x"},
    [QN_OP_VECTOR_BROADCAST] = {.format = " $0{} : T0 to R"},
    [QN_OP_VECTOR_BITCAST] = {.format = " $0{} : T0 to R"},
    [QN_OP_VECTOR_SHUFFLE] = {.format = " $0, $1 [#mask]{} : T0, T1", .derived = "R=l0"},
    [QN_OP_VECTOR_EXTRACT] = {.format = " $0[#static_position]{} : R from T0"},
    [QN_OP_VECTOR_REDUCTION] = {.format = " K, $0{} : T0 into R"},
};

/* Ops of elementwise dialects need no rows: their traits determine the form. */
static const qn_form unary = {.format = " $0{} : T0", .derived = "R=0"};
static const qn_form binary = {.format = " $0, $1{} : T0", .derived = "1=0 R=0"};
static const qn_form ternary = {.format = " $0, $1, $2{} : T0", .derived = "1=0 2=0 R=0"};
static const qn_form cast = {.format = " $0{} : T0 to R"};

/* The form of this project's own dialects, for which upstream has none: %3 = ml.conv %0, %1, %2
 * {...} : (...) -> ... */
static const qn_form plain = {.format = " $*{} : F", .own = true};
static const char *const own_dialects[] = {"ml.", "quern."};

static bool is_own(const qn_op_info *info) {
  for (size_t i = 0; i < QN_COUNT(own_dialects); i++)
    if (strncmp(info->name, own_dialects[i], strlen(own_dialects[i])) == 0)
      return info->regions == 0;
  return false;
}

static const qn_form *form_of(qn_op_kind kind) {
  static const qn_form *const by_operands[] = {NULL, &unary, &binary, &ternary};
  if (kind == QN_OP_UNREGISTERED) return NULL;
  if (forms[kind].format || forms[kind].parse) return &forms[kind];
  const qn_op_info *info = &qn_op_infos[kind];
  if (info->traits & QN_CAST) return &cast;
  bool same = (info->traits & QN_SAME_TYPE) && info->results == 1 && info->operands <= 3;
  if (same && info->operands > 0) return by_operands[info->operands];
  return is_own(info) ? &plain : NULL;
}

/* ---- formats ---- */

/* Reads the next directive of *format and advances it. Returns false at the end. */
static bool next_step(const char **format, qn_directive *out_directive) {
  const char *at = *format;
  qn_directive d = {.blank = *at == ' '};
  at += d.blank;
  if (*at == '\0') return false;
  d.kind = *at++;
  if (d.kind == '$' || d.kind == 'T') d.index = *at++;
  if (d.kind == '{') at++;
  if (d.kind == '-') d.kind = *at++; /* -> */
  bool word = d.kind >= 'a' && d.kind <= 'z';
  if (word || d.kind == '@' || d.kind == '#' || d.kind == '=' || d.kind == '"') {
    d.name.data = word ? at - 1 : at;
    while ((*at >= 'a' && *at <= 'z') || *at == '_') at++;
    d.name.size = (size_t)(at - d.name.data);
    if (word) d.kind = 'w';
  }
  *format = at;
  *out_directive = d;
  return true;
}

/* Records in the plan what a directive implies. Names of attributes that directives write are
 * copied as C strings. */
static void note_step(qn_form_plan *plan, qn_arena *arena, const qn_directive *d) {
  static const struct {
    char kind;
    const char *attr;
  } implied[] = {{'P', "predicate"}, {'K', "kind"}};
  const char *attr = NULL;
  for (size_t i = 0; i < QN_COUNT(implied); i++)
    if (d->kind == implied[i].kind) attr = implied[i].attr;
  if (d->name.size && d->kind != 'w') attr = qn_arena_str(arena, d->name).data;
  QN_ASSERT(!attr || plan->attr_count < QN_FORM_MAX_ATTRS);
  if (attr) plan->attrs[plan->attr_count++] = attr;
  plan->fixed += d->kind == '$' && d->index != '*';
  plan->rest = plan->rest || (d->kind == '$' && d->index == '*');
  plan->result = plan->result || d->kind == 'R';
  plan->signature = plan->signature || d->kind == 'F';
}

static qn_form_plan *make_plan(qn_arena *arena, const qn_form *form) {
  qn_form_plan *plan = QN_NEW(arena, qn_form_plan);
  plan->form = form;
  const char *format = form->format ? form->format : "", *derived = form->derived;
  for (qn_directive d; next_step(&format, &d);) {
    QN_ASSERT(plan->step_count < QN_FORM_MAX_STEPS);
    plan->steps[plan->step_count++] = d;
    note_step(plan, arena, &d);
  }
  for (qn_type_rule rule; next_rule(&derived, &rule);) {
    QN_ASSERT(plan->rule_count < QN_FORM_MAX_RULES);
    plan->rules[plan->rule_count++] = rule;
    plan->result = plan->result || rule.slot == 'R';
  }
  return plan;
}

const qn_form_plan *qn_form_plan_of(const qn_form_plan ***plans, qn_arena *arena, qn_op_kind kind) {
  if (!*plans) *plans = QN_NEW_ARRAY(arena, QN_OP_COUNT, const qn_form_plan *);
  const qn_form_plan **plan = &(*plans)[kind];
  const qn_form *form = *plan ? NULL : form_of(kind);
  if (form) *plan = make_plan(arena, form);
  return *plan;
}

bool qn_form_implies_segments(const qn_op *op, uint32_t count) {
  const qn_attr *sizes = qn_op_find(op, QN_A_SEGMENT_SIZES);
  if (!sizes || sizes->kind != QN_ATTR_DENSE_ARRAY || !qn_type_is_int(sizes->type, 32))
    return false;
  if (sizes->type->integer.sign != QN_SIGNLESS || sizes->dense_array.count != count) return false;
  int64_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (sizes->dense_array.ints[i] < 0) return false;
    total += sizes->dense_array.ints[i];
  }
  return total == op->operand_count;
}

const char *const *qn_predicate_names(qn_op_kind kind, uint32_t *out_count) {
  static const char *const integer[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                        "sge", "ult", "ule", "ugt", "uge"};
  static const char *const real[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                     "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  bool is_integer = kind == QN_OP_ARITH_CMPI;
  *out_count = (uint32_t)(is_integer ? QN_COUNT(integer) : QN_COUNT(real));
  return is_integer ? integer : real;
}
