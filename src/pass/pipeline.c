/* The tree of a pipeline: builds and prints it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pipeline.h"

#include <string.h>

#include "base/heap.h"

qn_pipeline *qn_pipeline_create(const qn_loc *loc) {
  qn_pipeline *pipeline = qn_heap_new(sizeof *pipeline);
  qn_arena_init(&pipeline->arena);
  pipeline->root = QN_NEW(&pipeline->arena, qn_pipeline_node);
  *pipeline->root = (qn_pipeline_node){.anchor = QN_OP_MODULE, .implicit = true, .loc = loc};
  return pipeline;
}

void qn_pipeline_destroy(qn_pipeline *pipeline) {
  if (!pipeline) return;
  qn_arena_deinit(&pipeline->arena);
  qn_heap_free(pipeline);
}

qn_pipeline_node *qn_pipeline_append(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                     qn_pipeline_node node) {
  qn_pipeline_node *copy = QN_NEW(&pipeline->arena, qn_pipeline_node);
  *copy = node;
  copy->parent = parent;
  if (parent->last)
    parent->last->next = copy;
  else
    parent->first = copy;
  parent->last = copy;
  return copy;
}

bool qn_pass_runs_on(const qn_pass *pass, qn_op_kind anchor) {
  static const qn_op_kind kinds[] = {[QN_ON_MODULE] = QN_OP_MODULE, [QN_ON_FUNC] = QN_OP_FUNC};
  return pass->anchor == QN_ON_ANY || kinds[pass->anchor] == anchor;
}

/* The pipeline to append a pass to. Consecutive function passes share one pipeline on func.func. */
static qn_pipeline_node *implicit_parent(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                         const qn_pass *pass, const qn_loc *loc) {
  if (qn_pass_runs_on(pass, parent->anchor)) return parent;
  if (parent->last && !parent->last->pass && parent->last->implicit) return parent->last;
  return qn_pipeline_append(pipeline, parent,
                            (qn_pipeline_node){.anchor = QN_OP_FUNC, .implicit = true, .loc = loc});
}

qn_pipeline_node *qn_pipeline_append_pass(qn_pipeline *pipeline, qn_pipeline_node *parent,
                                          const qn_pass *pass, const qn_loc *loc) {
  parent = implicit_parent(pipeline, parent, pass, loc);
  return qn_pipeline_append(
      pipeline, parent,
      (qn_pipeline_node){
          .pass = pass, .values = qn_pass_default_values(pass, &pipeline->arena), .loc = loc});
}

qn_pipeline_node *qn_pipeline_next(const qn_pipeline_node *node) {
  if (node->first) return node->first;
  while (node && !node->next) node = node->parent;
  return node ? node->next : NULL;
}

void qn_pipeline_number(qn_pipeline *pipeline) {
  pipeline->pass_count = 0;
  for (qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node))
    if (node->pass) node->index = pipeline->pass_count++;
}

/* Checks a value for all passes with that option: QN_INVALID if one does not accept it. */
static qn_status check_value(qn_pipeline *pipeline, const char *option, const char *value) {
  for (qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node)) {
    uint32_t count = node->pass ? qn_pass_option_count(node->pass) : 0;
    for (uint32_t i = 0; i < count; i++) {
      const qn_option_spec *spec = &node->pass->options[i];
      if (strcmp(spec->name, option) != 0) continue;
      const char *wanted = qn_option_reject(spec, qn_str_of(value), &pipeline->arena);
      if (wanted)
        return qn_error(&pipeline->cx->diag, node->loc, QN_INVALID,
                        "option '%s' of pass '%s' takes %s, not '%s'", option, node->pass->name,
                        wanted, value);
    }
  }
  return QN_OK;
}

qn_status qn_pipeline_apply_option(qn_pipeline *pipeline, const char *option, const char *value) {
  QN_TRY(check_value(pipeline, option, value));
  const char *copy = qn_arena_str(&pipeline->arena, qn_str_of(value)).data;
  for (qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node)) {
    uint32_t count = node->pass ? qn_pass_option_count(node->pass) : 0;
    const char **values = QN_NEW_ARRAY(&pipeline->arena, count + 1, const char *);
    for (uint32_t i = 0; i < count; i++)
      values[i] = strcmp(node->pass->options[i].name, option) == 0 ? copy : node->values[i];
    if (count) node->values = values;
  }
  return QN_OK;
}

/* ---- printing ---- */

static void print_value(qn_str value, qn_text *out) {
  bool plain = value.size > 0 && value.data[0] != '"' && value.data[0] != '\'';
  for (size_t i = 0; i < value.size; i++)
    plain &= value.data[i] > ' ' && value.data[i] != '{' && value.data[i] != '}';
  const char *quote = memchr(value.data, '"', value.size) ? "'" : "\"";
  qn_text_format(out, "%s%.*s%s", plain ? "" : quote, QN_STR_ARG(value), plain ? "" : quote);
}

static void print_options(const qn_pipeline_node *node, qn_text *out) {
  bool any = false;
  for (uint32_t i = 0; i < qn_pass_option_count(node->pass); i++) {
    qn_str value = qn_str_of(node->values[i]);
    if (qn_str_equal(value, qn_option_default(&node->pass->options[i]))) continue;
    qn_text_format(out, "%s%s=", any ? " " : "{", node->pass->options[i].name);
    print_value(value, out);
    any = true;
  }
  if (any) qn_text_putc(out, '}');
}

static void print_node(const qn_pipeline_node *node, qn_text *out) {
  if (node->pass) {
    qn_text_puts(out, node->pass->name);
    print_options(node, out);
    return;
  }
  bool any = node->anchor == QN_OP_UNREGISTERED;
  qn_text_format(out, "%s(", any ? "any" : qn_op_infos[node->anchor].name);
  for (const qn_pipeline_node *child = node->first; child; child = child->next) {
    print_node(child, out);
    if (child->next) qn_text_putc(out, ',');
  }
  qn_text_putc(out, ')');
}

void qn_pipeline_print_text(const qn_pipeline *pipeline, qn_text *out) {
  print_node(pipeline->root, out);
}
