/* Which nodes to take: those that Quern compiles, in runs that are worth their borders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plugin.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a node: an operator may have become several ops. */
enum { UNSEEN, COMPILES, REFUSED };

static void note(const options *o, uint8_t *state, const char *kind, int node, const char *reason) {
  if (node < 0) return;
  if (reason && o->explain) fprintf(stderr, "quern: node %d %s: %s\n", node, kind, reason);
  if (reason || state[node] == UNSEEN) state[node] = reason ? REFUSED : COMPILES;
}

static void read_report(const options *o, const char *json, int count, uint8_t *state) {
  json_t *root = json_loads(json, 0, NULL), *op;
  size_t at;
  json_array_foreach(json_object_get(root, "operators"), at, op) {
    json_t *number = json_object_get(op, "operator");
    int node = json_is_integer(number) ? (int)json_integer_value(number) : -1;
    const char *reason = json_string_value(json_object_get(op, "unsupported"));
    if (node >= count) continue;
    note(o, state, json_string_value(json_object_get(op, "op")), node,
         options_skip(o, node) ? "left out by the option 'skip'" : reason);
  }
  json_decref(root);
}

/* Runs of nodes that are too short cost more at their borders than they save. */
static void drop_short_runs(const options *o, uint8_t *state, int count) {
  int begin = 0;
  for (int i = 0; i <= count; i++) {
    if (i < count && state[i] == COMPILES) continue;
    bool whole = begin == 0 && i == count;
    for (int k = begin; k < i && !whole && i - begin < o->min_operators; k++)
      note(o, state, "", k, "fewer nodes in a row than min_operators");
    begin = i + 1;
  }
}

static lt_ints *list_of(const uint8_t *state, int count) {
  lt_ints *list = calloc(1, sizeof *list + (size_t)count * sizeof(int));
  for (int i = 0; list && i < count; i++)
    if (state[i] == COMPILES) list->data[list->size++] = i;
  if (list && list->size > 0) return list;
  free(list);
  return NULL;
}

/* Beside the file, read as a whole; NULL when it is another model than the graph. */
static char *inspect(const options *o, qn_context *context, lt_context *c, const char *path,
                     const lt_ints *plan) {
  qn_load_options load = QN_LOAD_OPTIONS_INIT;
  qn_model *model = NULL;
  char *file = NULL, *json = NULL;
  size_t size;
  load.numerics = o->numerics;
  load.keep_unsupported = 1;
  if (qn_context_read_file(context, path, &file, &size) != QN_OK) return NULL;
  qn_bytes bytes = {(const uint8_t *)file, size};
  const char *differs = NULL;
  if (qn_model_load_memory(context, bytes, path, &load, &model) == QN_OK) {
    differs = file_differs(bytes, c, plan);
    if (!differs && qn_model_inspect(model, &json, &size) != QN_OK) json = NULL;
  }
  if (differs) c->report(c, "Quern: %s is not the model that runs here: %s", path, differs);
  qn_model_destroy(model);
  qn_free(file);
  return json;
}

lt_ints *claims_find(const options *o, lt_context *c, const char *path, const lt_ints *plan) {
  qn_context *context = qn_context_create();
  if (!context) return NULL;
  qn_context_set_handler(context, say, (void *)(uintptr_t)o);
  char *json = inspect(o, context, c, path, plan);
  uint8_t *state = json ? calloc((size_t)plan->size + 1, 1) : NULL;
  lt_ints *list = NULL;
  if (state) {
    read_report(o, json, plan->size, state);
    drop_short_runs(o, state, plan->size);
    list = list_of(state, plan->size);
  }
  free(state);
  qn_free(json);
  qn_context_destroy(context);
  return list;
}
