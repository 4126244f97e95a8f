/* Reading the text of a pipeline:
 *   pipeline ::= op-name '(' (element (',' element)*)? ')'
 *   element  ::= pass-name ('{' option* '}')? | pipeline
 *   option   ::= name ('=' value)?            value: a word, "quoted", 'quoted' or {in braces}
 * Parsing continues after an error, so that one run reports them all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pipeline.h"

typedef struct pipeline_parser {
  qn_ir_context *cx;
  const qn_registry *registry;
  qn_str text, name;
  size_t at;
  size_t counted, line, line_start; /* lines before `counted`, and where the last one begins */
  qn_pipeline *pipeline;
  qn_map seen;                    /* passes that are in already */
  qn_map had;                     /* properties that the module has where the next pass comes */
  const qn_composite_use *within; /* the named pipeline whose text is read, or NULL */
  uint32_t composed;              /* passes read from such texts */
  qn_status status;
} pipeline_parser;

/* ---- characters and messages ---- */

static const qn_loc *loc_at(pipeline_parser *p, size_t at) {
  if (at < p->counted) p->counted = p->line = p->line_start = 0;
  for (; p->counted < at; p->counted++) {
    if (p->text.data[p->counted] != '\n') continue;
    p->line++;
    p->line_start = p->counted + 1;
  }
  return qn_loc_file(&p->cx->diag, p->name, (uint32_t)p->line + 1,
                     (uint32_t)(at - p->line_start) + 1);
}

QN_PRINTF(3, 4)
static bool fail(pipeline_parser *p, const qn_loc *loc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text text = {0};
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  p->status = qn_error(&p->cx->diag, loc, QN_INVALID, "%s", text.data);
  qn_text_deinit(&text);
  return false;
}

static char peek(pipeline_parser *p) { return p->at < p->text.size ? p->text.data[p->at] : '\0'; }

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_spaces(pipeline_parser *p) {
  while (p->at < p->text.size && is_space(p->text.data[p->at])) p->at++;
}

static bool take(pipeline_parser *p, char c) {
  skip_spaces(p);
  if (p->at == p->text.size || p->text.data[p->at] != c) return false;
  p->at++;
  return true;
}

static qn_str take_until(pipeline_parser *p, const char *stops) {
  size_t start = p->at;
  while (p->at < p->text.size && !is_space(peek(p)) && !strchr(stops, peek(p))) p->at++;
  return (qn_str){p->text.data + start, p->at - start};
}

/* The position after the bracket that closes the one at `at`; the end of the text if there is none.
 */
static size_t behind_group(qn_str text, size_t at, char open, char close) {
  size_t depth = 0;
  for (; at < text.size; at++) {
    depth += text.data[at] == open;
    depth -= text.data[at] == close;
    if (depth == 0) return at + 1;
  }
  return at;
}

/* ---- options ---- */

static const qn_option_spec *find_option(const qn_pass *pass, qn_str name, uint32_t *out_index) {
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++) {
    if (!qn_str_is(name, pass->options[i].name)) continue;
    *out_index = i;
    return &pass->options[i];
  }
  return NULL;
}

static bool no_such_option(pipeline_parser *p, const qn_pass *pass, qn_str name,
                           const qn_loc *loc) {
  qn_text known = {0};
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++)
    qn_text_format(&known, "%s%s", i ? ", " : "; it has ", pass->options[i].name);
  (void)fail(p, loc, "pass '%s' has no option '%.*s'%s", pass->name, QN_STR_ARG(name),
             known.data ? known.data : "");
  qn_text_deinit(&known);
  return false;
}

static bool take_value(pipeline_parser *p, qn_str *out_value) {
  size_t start = p->at;
  char open = peek(p);
  if (open == '{') {
    p->at = behind_group(p->text, p->at, '{', '}');
  } else if (open == '"' || open == '\'') {
    const char *end = memchr(p->text.data + start + 1, open, p->text.size - start - 1);
    p->at = end ? (size_t)(end - p->text.data) + 1 : p->text.size;
    if (!end) return fail(p, loc_at(p, start), "expected the quote to be closed");
  } else {
    *out_value = take_until(p, "}");
    return true;
  }
  *out_value = (qn_str){p->text.data + start + 1, p->at - start - 2};
  return true;
}

static bool parse_option(pipeline_parser *p, const qn_pass *pass, const char **values,
                         bool *given) {
  const qn_loc *loc = loc_at(p, p->at);
  qn_str name = take_until(p, "={}"), value = qn_str_of("true");
  if (name.size == 0) {
    p->at++;
    return fail(p, loc, "expected the name of an option");
  }
  bool has_value = take(p, '=');
  const qn_loc *value_loc = loc_at(p, p->at);
  if (has_value && !take_value(p, &value)) return false;
  uint32_t index = 0;
  const qn_option_spec *spec = find_option(pass, name, &index);
  if (!spec && !has_value && pass->bare) {
    value = name;
    has_value = true;
    spec = find_option(pass, qn_str_of(pass->bare), &index);
  }
  if (!spec) return no_such_option(p, pass, name, loc);
  if (given[index]) return fail(p, loc, "option '%s' is given twice", spec->name);
  given[index] = true;
  if (!has_value && spec->kind != QN_OPTION_BOOL)
    return fail(p, loc, "option '%s' needs a value", spec->name);
  const char *wanted = qn_option_reject(spec, value, &p->pipeline->arena);
  if (wanted)
    return fail(p, value_loc, "option '%s' of pass '%s' takes %s, not '%.*s'", spec->name,
                pass->name, wanted, QN_STR_ARG(value));
  values[index] = qn_arena_str(&p->pipeline->arena, value).data;
  return true;
}

/* Parses options; the '{' has been read. `values` holds the defaults before the call. */
static void parse_options(pipeline_parser *p, const qn_pass *pass, const char **values) {
  bool *given = QN_NEW_ARRAY(&p->pipeline->arena, qn_pass_option_count(pass) + 1, bool);
  size_t open = p->at - 1;
  while (!take(p, '}')) {
    if (p->at >= p->text.size) {
      (void)fail(p, loc_at(p, open), "expected '}' at the end of the options");
      return;
    }
    (void)parse_option(p, pass, values, given);
  }
}

/* ---- required passes ---- */

typedef struct chain {
  const qn_pass *pass;
  const struct chain *up;
} chain;

static bool report_cycle(pipeline_parser *p, const chain *from, const qn_pass *to,
                         const qn_loc *loc) {
  qn_text text = {0};
  qn_text_puts(&text, to->name);
  for (const chain *c = from; c; c = c->up) {
    qn_text_format(&text, " <- %s", c->pass->name);
    if (c->pass == to) break;
  }
  (void)fail(p, loc, "passes require each other: %s", text.data);
  qn_text_deinit(&text);
  return false;
}

/* Inserts a required pass so that it runs before the next pass of `parent`: in `parent`, in a new
 * pipeline on func.func, or, if the pass needs a larger op, in an enclosing pipeline. */
static qn_pipeline_node *insert_required(pipeline_parser *p, qn_pipeline_node *parent,
                                         const qn_pass *pass, const qn_loc *loc) {
  qn_pipeline_node *before = NULL;
  while (pass->anchor == QN_ON_MODULE && !qn_pass_runs_on(pass, parent->anchor) && parent->parent) {
    before = parent;
    parent = parent->parent;
  }
  if (!before) {
    qn_pipeline_node *node = qn_pipeline_append_pass(p->pipeline, parent, pass, loc);
    node->required = true;
    return node;
  }
  qn_pipeline_node *last = parent->last, *previous = NULL;
  for (qn_pipeline_node *node = parent->first; node != before; node = node->next) previous = node;
  qn_pipeline_node *node = qn_pipeline_append_pass(p->pipeline, parent, pass, loc);
  node->required = true;
  parent->last = last; /* `before` or a later node: move the new node before it */
  last->next = NULL;
  node->next = before;
  if (previous)
    previous->next = node;
  else
    parent->first = node;
  return node;
}

/* Records which properties the module has after the pass. */
static void note_properties(pipeline_parser *p, const qn_pass *pass) {
  if (pass->sets_stage || pass->user) qn_map_deinit(&p->had);
  for (const qn_property *const *lost = pass->lost; lost && *lost; lost++)
    qn_map_set(&p->had, *lost, NULL);
  for (const qn_property *const *given = pass->established; given && *given; given++)
    qn_map_set(&p->had, *given, (void *)(uintptr_t)pass);
}

/* Inserts the passes that establish the properties which the pass requires. Only passes of this
 * library require properties, and their requirements have no cycles. */
static void add_needed(pipeline_parser *p, qn_pipeline_node *parent, const qn_pass *pass,
                       const qn_loc *loc) {
  for (const qn_property *const *need = pass->needed; need && *need; need++) {
    const qn_pass *by = (*need)->by;
    if (qn_map_get(&p->had, *need)) continue;
    add_needed(p, parent, by, loc);
    insert_required(p, parent, by, loc)->gives = *need;
    note_properties(p, by);
    qn_map_set(&p->seen, by, (void *)(uintptr_t)by);
  }
}

static bool add_required(pipeline_parser *p, qn_pipeline_node *parent, const chain *of,
                         const qn_loc *loc) {
  for (const char *const *name = of->pass->required; name && *name; name++) {
    const qn_pass *pass = qn_registry_find(p->registry, qn_str_of(*name));
    if (!pass)
      return fail(p, loc, "pass '%s' requires '%s', which does not exist", of->pass->name, *name);
    if (pass->pipeline)
      return fail(p, loc, "pass '%s' requires '%s', which is a pipeline and no pass",
                  of->pass->name, *name);
    for (const chain *c = of; c; c = c->up)
      if (c->pass == pass) return report_cycle(p, of, pass, loc);
    if (qn_map_get(&p->seen, pass)) continue;
    if (!add_required(p, parent, &(chain){pass, of}, loc)) return false;
    (void)insert_required(p, parent, pass, loc);
    note_properties(p, pass);
    qn_map_set(&p->seen, pass, (void *)(uintptr_t)pass);
  }
  return true;
}

/* ---- elements ---- */

static bool unknown_pass(pipeline_parser *p, qn_str name, const qn_loc *loc) {
  const char *near = qn_registry_near(p->registry, name);
  return fail(p, loc, "'%.*s' does not refer to a registered pass%s%s%s", QN_STR_ARG(name),
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool check_anchor(pipeline_parser *p, const qn_pipeline_node *parent, const qn_pass *pass,
                         const qn_loc *loc) {
  if (parent->implicit || qn_pass_runs_on(pass, parent->anchor)) return true;
  const char *only = pass->anchor == QN_ON_FUNC ? "func.func" : "builtin.module";
  const char *on = parent->anchor == QN_OP_UNREGISTERED ? "any" : qn_op_infos[parent->anchor].name;
  return fail(p, loc, "can't run pass '%s', restricted to '%s', in a pipeline on '%s'%s%s%s",
              pass->name, only, on, pass->anchor == QN_ON_FUNC ? "; nest it: func.func(" : "",
              pass->anchor == QN_ON_FUNC ? pass->name : "", pass->anchor == QN_ON_FUNC ? ")" : "");
}

static void expand(pipeline_parser *p, qn_pipeline_node *parent, const qn_pass *composite,
                   uint32_t depth);

/* Checks the number of expanded passes, because nested named pipelines may expand to very many
 * passes. */
static bool count_composed(pipeline_parser *p, const qn_loc *loc) {
  if (p->composed++ < QN_PIPELINE_MAX_COMPOSED) return true;
  p->status =
      qn_error(&p->cx->diag, loc, QN_LIMIT, "the named pipelines expand to more than %d passes",
               QN_PIPELINE_MAX_COMPOSED);
  p->at = p->text.size;
  return false;
}

static void parse_pass(pipeline_parser *p, qn_pipeline_node *parent, qn_str name, const qn_loc *loc,
                       uint32_t depth) {
  const qn_pass *pass = qn_registry_find(p->registry, name);
  bool ok = pass ? check_anchor(p, parent, pass, loc) : unknown_pass(p, name, loc);
  if (ok) ok = add_required(p, parent, &(chain){pass, NULL}, loc);
  if (!ok) {
    skip_spaces(p);
    if (peek(p) == '{') p->at = behind_group(p->text, p->at, '{', '}');
    return;
  }
  if ((p->within || pass->pipeline) && !count_composed(p, loc)) return;
  if (pass->pipeline) {
    skip_spaces(p);
    bool options = peek(p) == '{';
    if (options) {
      (void)fail(p, loc, "'%s' is the name of a pipeline and takes no options", pass->name);
      p->at = behind_group(p->text, p->at, '{', '}');
    } else {
      expand(p, parent, pass, depth);
    }
    return;
  }
  add_needed(p, parent, pass, loc);
  note_properties(p, pass);
  qn_pipeline_node *node = qn_pipeline_append_pass(p->pipeline, parent, pass, loc);
  node->within = p->within;
  qn_map_set(&p->seen, pass, (void *)(uintptr_t)pass);
  /* The copy made for this node: no other one has it yet. */
  if (take(p, '{')) parse_options(p, pass, (const char **)(uintptr_t)node->values);
}

static bool find_anchor(pipeline_parser *p, qn_str name, const qn_loc *loc, qn_op_kind *out_kind) {
  *out_kind = QN_OP_UNREGISTERED;
  if (qn_str_is(name, "any")) return true;
  *out_kind = qn_op_kind_of(name);
  if (*out_kind == QN_OP_UNREGISTERED)
    return fail(p, loc, "'%.*s' is not an op that a pipeline can run on", QN_STR_ARG(name));
  if (!(qn_op_infos[*out_kind].traits & QN_ISOLATED))
    return fail(p, loc, "can't run a pipeline on '%.*s': its regions use values from outside",
                QN_STR_ARG(name));
  return true;
}

static void parse_list(pipeline_parser *p, qn_pipeline_node *parent, uint32_t depth);

/* Parses a nested pipeline; the '(' has been read. */
static void parse_nested(pipeline_parser *p, qn_pipeline_node *parent, qn_str name,
                         const qn_loc *loc, uint32_t depth) {
  qn_op_kind kind;
  size_t open = p->at - 1;
  bool ok = find_anchor(p, name, loc, &kind);
  if (ok && depth >= QN_PIPELINE_MAX_DEPTH) {
    p->status = qn_error(&p->cx->diag, loc, QN_LIMIT, "pipelines are nested deeper than %d",
                         QN_PIPELINE_MAX_DEPTH);
    ok = false;
  }
  if (!ok) {
    p->at = behind_group(p->text, open, '(', ')');
    return;
  }
  qn_pipeline_node *node =
      qn_pipeline_append(p->pipeline, parent, (qn_pipeline_node){.anchor = kind, .loc = loc});
  skip_spaces(p);
  if (peek(p) != ')') parse_list(p, node, depth);
  if (!take(p, ')')) (void)fail(p, loc_at(p, open), "expected ')' at the end of the pipeline");
}

/* Skips to the next ',' or ')', past text that can't be parsed. */
static void recover(pipeline_parser *p) {
  while (p->at < p->text.size && !strchr(",)", peek(p))) p->at++;
}

static void parse_element(pipeline_parser *p, qn_pipeline_node *parent, uint32_t depth) {
  skip_spaces(p);
  const qn_loc *loc = loc_at(p, p->at);
  qn_str name = take_until(p, "(){},");
  if (name.size == 0) {
    (void)fail(p, loc, "expected the name of a pass");
    recover(p);
  } else if (take(p, '(')) {
    parse_nested(p, parent, name, loc, depth + 1);
  } else {
    parse_pass(p, parent, name, loc, depth);
  }
}

static void parse_list(pipeline_parser *p, qn_pipeline_node *parent, uint32_t depth) {
  for (;;) {
    parse_element(p, parent, depth);
    skip_spaces(p);
    if (p->at < p->text.size && !strchr(",)", peek(p))) {
      (void)fail(p, loc_at(p, p->at), "expected ',' between passes");
      recover(p);
    }
    if (!take(p, ',')) return;
  }
}

/* Whether the text is one pipeline on builtin.module or any, rather than a list. */
static bool is_anchored(pipeline_parser *p, qn_op_kind *out_kind) {
  skip_spaces(p);
  size_t start = p->at;
  qn_str name = take_until(p, "(){},");
  bool module = qn_str_is(name, "builtin.module"), any = qn_str_is(name, "any");
  skip_spaces(p);
  size_t open = p->at;
  p->at = start;
  if (!(module || any) || open == p->text.size || p->text.data[open] != '(') return false;
  size_t end = behind_group(p->text, open, '(', ')');
  while (end < p->text.size && is_space(p->text.data[end])) end++;
  if (end < p->text.size && p->text.data[end] == ',') return false;
  *out_kind = module ? QN_OP_MODULE : QN_OP_UNREGISTERED;
  p->at = open + 1;
  return true;
}

/* Parses the text of a named pipeline in place of its name. */
static void expand(pipeline_parser *p, qn_pipeline_node *parent, const qn_pass *composite,
                   uint32_t depth) {
  const pipeline_parser outer = *p;
  qn_composite_use *use = QN_NEW(&p->pipeline->arena, qn_composite_use);
  *use = (qn_composite_use){composite, outer.within};
  p->text = qn_str_of(composite->pipeline);
  p->name = qn_str_of(composite->name);
  p->at = p->counted = p->line = p->line_start = 0;
  p->within = use;
  qn_op_kind kind;
  (void)is_anchored(p, &kind); /* the text around the list is in the location already */
  skip_spaces(p);
  if (p->at < p->text.size && peek(p) != ')') parse_list(p, parent, depth);
  p->text = outer.text;
  p->name = outer.name;
  p->at = p->composed > QN_PIPELINE_MAX_COMPOSED ? outer.text.size : outer.at;
  p->counted = outer.counted;
  p->line = outer.line;
  p->line_start = outer.line_start;
  p->within = outer.within;
}

static void parse_root(pipeline_parser *p) {
  qn_pipeline_node *root = p->pipeline->root;
  qn_op_kind kind;
  if (!is_anchored(p, &kind)) {
    if (p->at < p->text.size) parse_list(p, root, 0);
  } else {
    size_t open = p->at - 1;
    root->anchor = kind;
    root->implicit = false;
    skip_spaces(p);
    if (peek(p) != ')') parse_list(p, root, 0);
    if (!take(p, ')')) (void)fail(p, loc_at(p, open), "expected ')' at the end of the pipeline");
  }
  skip_spaces(p);
  if (p->at < p->text.size)
    (void)fail(p, loc_at(p, p->at),
               "unexpected text after the pipeline; is there one ')' too many?");
}

qn_status qn_pipeline_parse_text(qn_ir_context *cx, const qn_registry *registry, qn_str text,
                                 qn_str name, qn_pipeline **out_pipeline) {
  pipeline_parser p = {.cx = cx, .registry = registry, .text = text, .name = name};
  p.pipeline = qn_pipeline_create(qn_loc_file(&cx->diag, name, 1, 1));
  p.pipeline->cx = cx;
  p.pipeline->registry = registry;
  parse_root(&p);
  qn_map_deinit(&p.seen);
  qn_map_deinit(&p.had);
  qn_pipeline_number(p.pipeline);
  *out_pipeline = p.status == QN_OK ? p.pipeline : NULL;
  if (p.status != QN_OK) qn_pipeline_destroy(p.pipeline);
  return p.status;
}
