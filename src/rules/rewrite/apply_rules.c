/* apply-rules: rewrites the module by the rules of files, see docs/rules.md.
 *
 *   rules/cleanup.rr, "quantize-undone":
 *     %1 = quant.dcast %x : tensor<4x!q> to tensor<4xf32>
 *     %2 = quant.qcast %1 : tensor<4xf32> to tensor<4x!q>
 *       ->
 *     %x
 *
 * Each rule states how exact its result is. With bits=true, only rules that keep all bits are
 * applied.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: as the rules say.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/file.h"
#include "pass/manager.h"
#include "rules/rewrite/run.h"

static const qn_option_spec options[] = {
    {"files", QN_OPTION_STRING, "", "files of rules, separated by commas"},
    {"only", QN_OPTION_STRING, "", "names of the rules that are applied (all)"},
    {"bits", QN_OPTION_BOOL, "false", "only rules that promise the same bits"},
    {"settings", QN_OPTION_STRING, "", "values of the rules' options: NAME=NUMBER,..."},
    {"limit", QN_OPTION_I64, "-1", "how many applications; -1: all"},
    {"from", QN_OPTION_I64, "0", "number of the first application; 0: all"},
    {"to", QN_OPTION_I64, "0", "number of the last one"},
    {"validate", QN_OPTION_BOOL, "false",
     "compute what each application replaces and what it builds, undo what differs"},
    {"matcher", QN_OPTION_CHOICE, "tree|plain|both",
     "how matches are found: all rules by one tree, each alone, or both and compare"},
    {"report", QN_OPTION_BOOL, "false", "write what each rule did to where dumps go"},
    {"log", QN_OPTION_BOOL, "false", "write a line for each application to where dumps go"},
    {NULL, 0, NULL, NULL},
};

/* ---- reading the files ---- */

typedef QN_ARRAY(qn_file *) file_list;

static qn_status add_file(qn_pass_context *pc, qn_rule_set *set, qn_str name, file_list *files) {
  qn_diag_engine *diag = &pc->cx->diag;
  const char *path = qn_arena_str(pc->scratch, name).data, *reason;
  const qn_rule_file *read;
  qn_file *file;
  qn_status status = qn_file_open(path, &file, &reason);
  if (status != QN_OK) return qn_error(diag, qn_loc_file(diag, name, 0, 0), status, "%s", reason);
  qn_array_push(files, file);
  qn_bytes bytes = qn_file_bytes(file);
  return qn_rule_set_add(set, name,
                         (qn_str){bytes.data ? (const char *)bytes.data : "", bytes.size}, &read);
}

static qn_status add_files(qn_pass_context *pc, qn_rule_set *set, file_list *files) {
  qn_str list = qn_str_of(qn_pass_string(pc, "files")), name;
  qn_status worst = QN_OK;
  if (list.size == 0)
    return qn_error(&pc->cx->diag, pc->cx->diag.unknown, QN_INVALID,
                    "apply-rules needs files of rules: apply-rules{files=a.rr,b.rr}");
  while (qn_str_next(&list, &name)) {
    qn_status status = add_file(pc, set, name, files);
    if (status != QN_OK) worst = status;
  }
  return worst == QN_OK ? qn_rule_set_check(set) : worst;
}

/* ---- values of options ---- */

qn_status qn_rule_settings_parse(qn_ir_context *cx, const qn_rule_names *names, qn_str list,
                                 qn_arena *arena, const qn_rule_setting **out_settings) {
  qn_rule_setting *settings = QN_NEW_ARRAY(arena, list.size + 1, qn_rule_setting);
  uint32_t count = 0;
  qn_str item;
  while (list.size > 0 && qn_str_next(&list, &item)) {
    const char *text = qn_arena_str(arena, item).data, *equals = strchr(text, '=');
    char *end = NULL;
    double value = equals ? strtod(equals + 1, &end) : 0;
    const qn_rule_word *word = names->options;
    size_t size = equals ? (size_t)(equals - text) : item.size;
    while (word->name && !qn_str_equal(qn_str_of(word->name), (qn_str){text, size})) word++;
    if (!equals || !equals[1] || *end || !word->name)
      return qn_error(&cx->diag, cx->diag.unknown, QN_INVALID,
                      "'%s' is no NAME=NUMBER of an option of rules", text);
    settings[count++] = (qn_rule_setting){word->name, value};
  }
  *out_settings = settings;
  return QN_OK;
}

/* ---- the report ---- */

static void write_counts(const qn_rule_state *s, qn_text *out) {
  const qn_rule_counts *c = &s->counts;
  qn_text_format(out, "%.*s: %llu matched, %llu held, %llu applied, %llu undone",
                 QN_STR_ARG(s->rule->name), (unsigned long long)c->matched,
                 (unsigned long long)c->held, (unsigned long long)c->applied,
                 (unsigned long long)c->undone);
  if (c->dear > 0) qn_text_format(out, ", %llu not cheaper", (unsigned long long)c->dear);
  qn_text_putc(out, '\n');
}

static void write_report(qn_pass_context *pc, const qn_rule_run *run) {
  qn_text text = {0};
  for (size_t i = 0; i < run->states.count; i++) {
    const qn_rule_state *s = &run->states.data[i];
    if (s->missing)
      qn_text_format(&text, "%.*s: can't fire, this build has no op \"%s\"\n",
                     QN_STR_ARG(s->rule->name), s->missing);
    else if (s->counts.matched > 0)
      write_counts(s, &text);
    if (s->unevaluated.size > 0)
      qn_text_format(&text, "  not evaluated at %.*s: %.*s\n", QN_STR_ARG(s->unevaluated_at),
                     QN_STR_ARG(s->unevaluated));
    if (s->code)
      qn_text_format(&text, "  undone at %.*s: %s: %.*s\n", QN_STR_ARG(s->where), s->code,
                     QN_STR_ARG(s->why));
  }
  qn_run_write(pc->settings, &text);
  qn_text_deinit(&text);
}

static qn_rule_matcher matcher_of(const char *word) {
  static const char *const words[] = {
      [QN_RULE_BY_TREE] = "tree", [QN_RULE_BY_ONE] = "plain", [QN_RULE_BY_BOTH] = "both"};
  qn_rule_matcher matcher = QN_RULE_BY_TREE;
  while (strcmp(words[matcher], word) != 0) matcher++;
  return matcher;
}

static qn_status apply(qn_pass_context *pc, const qn_rule_set *set) {
  qn_text log = {0};
  qn_rule_run run;
  qn_rule_run_options o = QN_RULE_RUN_OPTIONS_INIT;
  o.only = qn_str_of(qn_pass_string(pc, "only"));
  o.only_bits = qn_pass_bool(pc, "bits");
  o.limit = qn_pass_i64(pc, "limit");
  o.first = qn_pass_i64(pc, "from");
  o.last = qn_pass_i64(pc, "to");
  o.validate = qn_pass_bool(pc, "validate");
  o.matcher = matcher_of(qn_pass_string(pc, "matcher"));
  o.log = qn_pass_bool(pc, "log") ? &log : NULL;
  o.registry = pc->registry;
  QN_TRY(qn_rule_settings_parse(pc->cx, set->options.names,
                                qn_str_of(qn_pass_string(pc, "settings")), pc->scratch,
                                &o.settings));
  qn_rule_run_init(&run, pc->module, set, &o);
  qn_status status = qn_rule_run_all(&run);
  pc->changed = run.changed;
  if (qn_pass_bool(pc, "report")) write_report(pc, &run);
  if (log.size > 0) qn_run_write(pc->settings, &log);
  qn_text_deinit(&log);
  qn_rule_run_deinit(&run);
  return status;
}

static qn_status run(qn_pass_context *pc) {
  qn_rule_set set;
  file_list files = {0};
  qn_rule_set_init(&set, &pc->cx->diag, &(qn_rule_options){0});
  qn_status status = add_files(pc, &set, &files);
  if (status == QN_OK) status = apply(pc, &set);
  qn_rule_set_deinit(&set);
  for (size_t i = 0; i < files.count; i++) qn_file_release(files.data[i]);
  qn_array_free(&files);
  return status;
}

const qn_pass qn_pass_apply_rules = {
    .name = "apply-rules",
    .summary = "rewrite by files of rules",
    .anchor = QN_ON_MODULE,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .bare = "files",
    .run = run,
};
