/* Tests rules on generated graphs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"
#include "api/rules/rules.h"
#include "rules/trial/sample.h"

static json_t *json_of(qn_str text) { return json_stringn(text.data ? text.data : "", text.size); }

static json_t *row_of(qn_json *pool, const qn_rule *rule, const qn_rule_trial *trial) {
  static const char *const words[] = {"PASS", "FAIL", "UNSUPPORTED"};
  json_t *row = qn_json_keep(
      pool, json_pack("{s:s, s:s, s:I, s:I, s:I}", "exact", qn_rule_exactness_names[rule->exact],
                      "verdict", words[trial->verdict], "graphs", (json_int_t)trial->samples,
                      "fired", (json_int_t)trial->fired, "near", (json_int_t)trial->near));
  qn_json_set(row, "name", json_of(rule->name));
  qn_json_set(row, "why", json_of(qn_text_view(&trial->why)));
  qn_json_set(row, "module", json_of(qn_text_view(&trial->module)));
  return row;
}

static qn_status test(const qn_rules *rules, const char *only, char **out_json, size_t *out_size) {
  QN_TRY(qn_rules_check_there(rules));
  qn_json *pool = qn_json_create();
  json_t *rows = qn_json_keep(pool, json_array());
  qn_str list = qn_str_of(only);
  for (size_t i = 0; i < rules->set.rules.count; i++) {
    const qn_rule *rule = rules->set.rules.data[i];
    qn_rule_trial trial;
    if (only && !qn_str_lists(list, rule->name)) continue;
    qn_rule_trial_run(&rules->context->ir, &rules->set, rule, &trial);
    qn_json_append(rows, json_incref(row_of(pool, rule, &trial)));
    qn_text_deinit(&trial.why);
    qn_text_deinit(&trial.module);
  }
  qn_status status = qn_json_give(rows, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

qn_status qn_rules_test(const qn_rules *rules, const char *only, char **out_json,
                        size_t *out_size) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, NULL, test(rules, only, out_json, out_size));
  return status;
}
