/* The groups of passes. The numbers of EARLY, MIDDLE and LATE are those of the published language;
 * the others are specific to this project.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/passes.h"

const qn_rule_pass qn_rule_passes[] = {
    {"QNN", 500, "ops of the framework become ops of the package"},
    {"GRAPH_CLEANUP", 1000, "what has no effect goes"},
    {"CLEANUP_GRAPH", 1000, ""},
    {"EARLY", 2000, "one form for what can be written in several"},
    {"MIDDLE", 3000, "fusion, encodings"},
    {"TILING", 3200, "large ops are split"},
    {"HARD_OPS", 3600, "ops become what the hardware has"},
    {"LATE", 4000, "tables and last choices"},
    {"LAYOUT_AND_PLACEMENT", 5000, "blocked layouts"},
    {"TCM_MIGRATION", 6000, "movement to fast memory"},
    {NULL, 0, NULL},
};

const qn_rule_pass *qn_rule_pass_find(qn_str name) {
  for (const qn_rule_pass *pass = qn_rule_passes; pass->name; pass++)
    if (qn_str_is(name, pass->name)) return pass;
  return NULL;
}

const qn_rule_pass *qn_rule_pass_below(int64_t number) {
  const qn_rule_pass *found = NULL;
  for (const qn_rule_pass *pass = qn_rule_passes; pass->name; pass++)
    if (pass->number <= number && (!found || pass->number > found->number)) found = pass;
  return found;
}

const qn_rule_pass *qn_rule_pass_above(int64_t number) {
  for (const qn_rule_pass *pass = qn_rule_passes; pass->name; pass++) {
    QN_ASSERT(!pass[1].name || pass->number <= pass[1].number); /* by number */
    if (pass->number > number) return pass;
  }
  return NULL;
}
