/* Checks that the passes named in options exist.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"
#include "pass/explain.h"

/* Each name of a list must be a pass. */
qn_status qn_check_pass_names(qn_context *context, const char *what, const char *list) {
  qn_status status = QN_OK;
  for (const char *at = list; at && *at;) {
    qn_str name = {at, strcspn(at, ",")};
    if (!qn_str_is(name, "all") && !qn_registry_find(&context->registry, name)) {
      const char *near = qn_registry_near(&context->registry, name);
      const qn_loc *loc =
          qn_loc_file(&context->ir.diag, qn_str_of(what), 1, (uint32_t)(at - list) + 1);
      status = qn_error(&context->ir.diag, loc, QN_INVALID, "there is no pass '%.*s'%s%s%s",
                        QN_STR_ARG(name), near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
    }
    at += name.size + (at[name.size] == ',');
  }
  return status;
}

qn_status qn_check_explain(qn_context *context, const char *explain) {
  if (!explain || !explain[0]) return QN_OK;
  const qn_loc *loc = qn_loc_file(&context->ir.diag, qn_str_of("<explain>"), 1, 1);
  if (qn_explained_node(explain).size == 0)
    return qn_error(&context->ir.diag, loc, QN_INVALID,
                    "what to explain is PASS@NODE, a pass and an op, not '%s'", explain);
  qn_str pass = qn_explained_pass(explain);
  const qn_pass *found = qn_registry_find(&context->registry, pass);
  if (found && !found->pipeline && qn_str_is(pass, found->name)) return QN_OK;
  return qn_error(&context->ir.diag, loc, QN_INVALID, "there is no pass '%.*s' that could explain",
                  QN_STR_ARG(pass));
}
