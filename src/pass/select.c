/* Decides which passes of a pipeline run: by level, by the lists in the settings, and by
 * requirements of other passes that run. The decision is made once, from the last pass to the
 * first, because a pass follows the passes that it requires.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"

const char qn_skip_attr[] = "quern.skip_optimization";

bool qn_name_list_has(qn_name_list list, const char *name) {
  while (list && *list) {
    qn_str one = {list, strcspn(list, ",")};
    if (qn_str_is(one, name) || qn_str_is(one, "all")) return true;
    list += one.size + (list[one.size] == ',');
  }
  return false;
}

bool qn_node_is_listed(qn_name_list list, const qn_pipeline_node *node) {
  if (qn_name_list_has(list, node->pass->name)) return true;
  for (const qn_composite_use *use = node->within; use; use = use->around)
    if (qn_name_list_has(list, use->composite->name)) return true;
  return false;
}

static bool pass_is_within_level(const qn_run_settings *settings, const qn_pass *pass) {
  return pass->opt_level <= settings->opt_level || qn_name_list_has(settings->required, pass->name);
}

/* Whether the pass, and all named pipelines that contain it, are within the level. */
static bool is_within_level(const qn_run_settings *settings, const qn_pipeline_node *node) {
  bool within = pass_is_within_level(settings, node->pass);
  for (const qn_composite_use *use = node->within; use; use = use->around)
    within = within && pass_is_within_level(settings, use->composite);
  return within;
}

static void note_required(qn_str_map *needed_by, const qn_pass *by) {
  for (const char *const *name = by->required; name && *name; name++)
    qn_str_map_set(needed_by, qn_str_of(*name), (void *)(uintptr_t)by);
  for (const qn_property *const *need = by->needed; need && *need; need++)
    qn_str_map_set(needed_by, qn_str_of((*need)->by->name), (void *)(uintptr_t)by);
}

static qn_status select_one(qn_ir_context *cx, const qn_run_settings *settings,
                            const qn_pipeline_node *node, qn_str_map *needed_by,
                            qn_selected *out_selected) {
  const qn_pass *by = qn_str_map_get(needed_by, qn_str_of(node->pass->name));
  bool disabled = qn_node_is_listed(settings->disabled, node);
  if (by && disabled)
    return qn_error(&cx->diag, node->loc, QN_INVALID,
                    "pass '%s' is disabled, but '%s', which runs, requires it", node->pass->name,
                    by->name);
  bool wanted = !node->required && !disabled && is_within_level(settings, node);
  if (!by && !wanted) return QN_OK;
  bool named = qn_node_is_listed(settings->required, node);
  *out_selected = by || named ? QN_NEEDED : QN_SELECTED;
  note_required(needed_by, node->pass);
  for (const qn_composite_use *use = node->within; use; use = use->around)
    note_required(needed_by, use->composite);
  return QN_OK;
}

qn_status qn_select_passes(qn_ir_context *cx, const qn_pipeline *pipeline,
                           const qn_run_settings *settings, qn_arena *arena,
                           const qn_selected **out_selected) {
  uint32_t count = pipeline->pass_count;
  const qn_pipeline_node **nodes = QN_NEW_ARRAY(arena, count + 1, const qn_pipeline_node *);
  qn_selected *selected = QN_NEW_ARRAY(arena, count + 1, qn_selected);
  qn_str_map needed_by = {0};
  qn_status status = QN_OK;
  for (const qn_pipeline_node *node = pipeline->root; node; node = qn_pipeline_next(node))
    if (node->pass) nodes[node->index] = node;
  for (uint32_t i = count; i-- > 0;) {
    qn_status one = select_one(cx, settings, nodes[i], &needed_by, &selected[i]);
    if (one != QN_OK) status = one;
  }
  qn_str_map_deinit(&needed_by);
  *out_selected = selected;
  return status;
}
