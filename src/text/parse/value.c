/* SSA names and block labels. A use before the definition gets a placeholder of the expected type,
 * which the definition replaces. Names without definition at the end of an isolated region are
 * errors. A use "%r#1" before the definition of %r has an entry of its own, so that memory does not
 * depend on how large the number is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

typedef struct ssa_name {
  qn_str key;       /* "%r", or "%r#1" for a use with number before the definition */
  qn_pos pos;       /* position of the definition, else of the first use */
  qn_value *values; /* NULL until defined */
  uint32_t count;
  uint64_t number;
  qn_value *placeholder; /* placeholder for uses before the definition; NULL if none */
  bool poisoned;
  struct ssa_name *numbered; /* further entries "%r#n" */
} ssa_name;

struct qn_ssa_scope {
  qn_str_map names;
  QN_ARRAY(ssa_name *) defined; /* in order, so that qn_scope_forget can remove the last ones */
  QN_ARRAY(ssa_name *) used;    /* used before their definition */
  qn_ssa_scope *outer;
};

void qn_scope_push(qn_parser *p) {
  qn_ssa_scope *scope = QN_NEW(&p->scratch, qn_ssa_scope);
  scope->outer = p->values;
  p->values = scope;
}

void qn_scope_pop(qn_parser *p) {
  qn_ssa_scope *scope = p->values;
  for (size_t i = 0; i < scope->used.count; i++) {
    const ssa_name *name = scope->used.data[i];
    if (name->placeholder && !name->poisoned)
      qn_fail_at(p, name->pos, "use of undeclared SSA value name");
  }
  qn_str_map_deinit(&scope->names);
  qn_array_free(&scope->defined);
  qn_array_free(&scope->used);
  p->values = scope->outer;
}

size_t qn_scope_height(const qn_parser *p) { return p->values->defined.count; }

void qn_scope_forget(qn_parser *p, size_t height) {
  qn_ssa_scope *scope = p->values;
  while (scope->defined.count > height)
    qn_str_map_set(&scope->names, scope->defined.data[--scope->defined.count]->key, NULL);
}

static ssa_name *enter_name(qn_parser *p, qn_str key, qn_pos pos) {
  void **known = qn_str_map_at(&p->values->names, key);
  if (*known) return *known;
  ssa_name *name = QN_NEW(&p->scratch, ssa_name);
  name->key = key;
  name->pos = pos;
  *known = name;
  return name;
}

/* ---- uses ---- */

/* Parses %name or %name#number. */
bool qn_parse_operand(qn_parser *p, qn_operand_ref *out_ref) {
  *out_ref = (qn_operand_ref){p->token.text, 0, p->token.pos};
  if (!qn_expect(p, QN_TOK_PERCENT_ID)) return false;
  if (!qn_at(p, QN_TOK_HASH_ID)) return true;
  qn_str digits = {p->token.text.data + 1, p->token.text.size - 1};
  if (digits.data[0] < '0' || digits.data[0] > '9' ||
      !qn_number_read_uint(digits, &out_ref->number))
    return qn_fail(p, "expected SSA value number");
  qn_advance(p);
  return true;
}

bool qn_parse_operands(qn_parser *p) {
  if (!qn_at(p, QN_TOK_PERCENT_ID)) return true;
  do {
    qn_operand_ref ref;
    if (!qn_parse_operand(p, &ref)) return false;
    qn_array_push(&p->refs, ref);
  } while (qn_accept(p, QN_TOK_COMMA));
  return true;
}

static qn_value *make_stand_in(qn_parser *p, const qn_type *type, qn_pos pos) {
  qn_op *op = qn_op_create(p->module, &(qn_op_state){.kind = QN_OP_UNREGISTERED,
                                                     .name = qn_str_of("quern.used_before_defined"),
                                                     .loc = qn_loc_of_pos(p, pos),
                                                     .result_types = &type,
                                                     .result_count = 1});
  return qn_op_result(op, 0);
}

static qn_value *check_type(qn_parser *p, const qn_operand_ref *ref, qn_pos prior, qn_value *value,
                            const qn_type *type) {
  if (value->type == type) return value;
  qn_str want = qn_type_text(p, type), have = qn_type_text(p, value->type);
  qn_fail_note(p, ref->pos, prior, qn_str_of("prior use here"),
               "use of value '%.*s' expects different type than prior uses: '%.*s' vs '%.*s'",
               QN_STR_ARG(ref->name), QN_STR_ARG(want), QN_STR_ARG(have));
  return NULL;
}

/* The entry of a use before the definition. */
static ssa_name *early_name(qn_parser *p, ssa_name *base, const qn_operand_ref *ref) {
  if (ref->number == 0) return base;
  qn_str key = qn_arena_format(&p->scratch, "%.*s#%llu", QN_STR_ARG(ref->name),
                               (unsigned long long)ref->number);
  ssa_name *name = enter_name(p, key, ref->pos);
  if (name->number == 0) {
    name->number = ref->number;
    name->numbered = base->numbered;
    base->numbered = name;
  }
  return name;
}

qn_value *qn_resolve(qn_parser *p, const qn_operand_ref *ref, const qn_type *type) {
  ssa_name *name = enter_name(p, ref->name, ref->pos);
  if (name->poisoned) return make_stand_in(p, type, ref->pos);
  if (name->values) {
    if (ref->number < name->count)
      return check_type(p, ref, name->pos, name->values + ref->number, type);
    qn_fail_at(p, ref->pos, "reference to invalid result number");
    return NULL;
  }
  name = early_name(p, name, ref);
  if (name->placeholder) return check_type(p, ref, name->pos, name->placeholder, type);
  name->pos = ref->pos;
  name->placeholder = make_stand_in(p, type, ref->pos);
  qn_array_push(&p->values->used, name);
  return name->placeholder;
}

/* ---- definitions ---- */

static bool replace_stand_in(qn_parser *p, qn_pos pos, ssa_name *name, qn_value *value) {
  qn_value *placeholder = name->placeholder;
  if (!placeholder) return true;
  name->placeholder = NULL;
  if (placeholder->type != value->type) {
    qn_str have = qn_type_text(p, value->type), used = qn_type_text(p, placeholder->type);
    qn_str note =
        qn_arena_format(&p->scratch, "previously used here with type '%.*s'", QN_STR_ARG(used));
    return qn_fail_note(p, pos, name->pos, note, "definition of SSA value '%.*s' has type '%.*s'",
                        QN_STR_ARG(name->key), QN_STR_ARG(have));
  }
  qn_value_replace_all_uses(placeholder, value);
  return true;
}

bool qn_define(qn_parser *p, qn_str key, qn_pos pos, qn_value *values, uint32_t count) {
  ssa_name *name = enter_name(p, key, pos);
  if (name->values)
    return qn_fail_note(p, pos, name->pos, qn_str_of("previously defined here"),
                        "redefinition of SSA value '%.*s'", QN_STR_ARG(key));
  bool ok = replace_stand_in(p, pos, name, values);
  for (ssa_name *n = name->numbered; n; n = n->numbered) {
    if (n->number < count) {
      ok = replace_stand_in(p, pos, n, values + n->number) && ok;
    } else if (n->placeholder) {
      n->placeholder = NULL;
      ok = qn_fail_at(p, n->pos, "reference to invalid result number");
    }
  }
  name->values = values;
  name->count = count;
  name->pos = pos;
  qn_array_push(&p->values->defined, name);
  return ok;
}

void qn_poison(qn_parser *p, qn_str key) {
  ssa_name *name = enter_name(p, key, (qn_pos){0, 0});
  if (name->values) return; /* keeps the first definition */
  name->poisoned = true;
  for (ssa_name *n = name->numbered; n; n = n->numbered) n->poisoned = true;
}

/* ---- blocks ---- */

typedef struct label {
  qn_block *block;
  qn_str name;
  qn_pos pos;
  bool defined;
} label;

struct qn_label_scope {
  qn_str_map names;
  QN_ARRAY(label *) used;
  qn_label_scope *outer;
};

void qn_labels_push(qn_parser *p) {
  qn_label_scope *scope = QN_NEW(&p->scratch, qn_label_scope);
  scope->outer = p->labels;
  p->labels = scope;
}

bool qn_labels_pop(qn_parser *p) {
  qn_label_scope *scope = p->labels;
  bool ok = true;
  for (size_t i = 0; i < scope->used.count; i++)
    if (!scope->used.data[i]->defined)
      ok = qn_fail_at(p, scope->used.data[i]->pos, "reference to an undefined block");
  qn_str_map_deinit(&scope->names);
  qn_array_free(&scope->used);
  p->labels = scope->outer;
  return ok;
}

static label *enter_label(qn_parser *p, qn_str name, qn_pos pos) {
  label *entry = qn_str_map_get(&p->labels->names, name);
  if (entry) return entry;
  entry = QN_NEW(&p->scratch, label);
  *entry = (label){.block = qn_block_create(p->module), .name = name, .pos = pos};
  qn_str_map_set(&p->labels->names, name, entry);
  return entry;
}

qn_block *qn_label_use(qn_parser *p, qn_str name, qn_pos pos) {
  label *entry = enter_label(p, name, pos);
  if (!entry->defined) qn_array_push(&p->labels->used, entry);
  return entry->block;
}

qn_block *qn_label_define(qn_parser *p, qn_str name, qn_pos pos) {
  label *entry = enter_label(p, name, pos);
  if (entry->defined) {
    qn_fail_note(p, pos, entry->pos, qn_str_of("previously defined here"),
                 "redefinition of block '%.*s'", QN_STR_ARG(name));
    return NULL;
  }
  entry->defined = true;
  entry->pos = pos;
  return entry->block;
}
