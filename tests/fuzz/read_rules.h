/* Shared by the fuzz targets of rules: reads a text, formats it, reads the result, and expands its
 * macros.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FUZZ_READ_RULES_H
#define QN_TESTS_FUZZ_READ_RULES_H

#include "rules/print/print.h"
#include "rules/rules.h"
#include "tests/fuzz/fuzz.h"

typedef struct fuzz_reading {
  qn_arena arena;
  qn_diag_engine diag;
  qn_text seen;
  qn_rule_set set;
  const qn_rule_file *file;
  qn_status status;
} fuzz_reading;

static inline void fuzz_rules_begin(fuzz_reading *r, qn_str text, const char *path, bool strict) {
  const qn_rule_options options = {.strict = strict, .lint = true};
  *r = (fuzz_reading){0};
  qn_arena_init(&r->arena);
  qn_diag_init(&r->diag, &r->arena);
  r->diag.handler = fuzz_render;
  r->diag.user = &r->seen;
  qn_rule_set_init(&r->set, &r->diag, &options);
  r->status = qn_rule_set_add(&r->set, qn_str_of(path), text, &r->file);
  fuzz_require(r->status == QN_OK || r->status == QN_INVALID || r->status == QN_LIMIT);
  fuzz_require((r->status == QN_OK) == (r->diag.errors == 0));
}

static inline void fuzz_rules_end(fuzz_reading *r) {
  qn_rule_set_deinit(&r->set);
  qn_diag_deinit(&r->diag);
  qn_arena_deinit(&r->arena);
  qn_text_deinit(&r->seen);
}

static inline void fuzz_rules_stable(const fuzz_reading *r, const char *path, bool strict) {
  qn_text once = {0}, twice = {0};
  fuzz_reading again;
  qn_rule_format_file(r->file, &once);
  fuzz_rules_begin(&again, qn_text_view(&once), path, strict);
  fuzz_require(again.status == QN_OK && again.set.rules.count == r->set.rules.count);
  qn_rule_format_file(again.file, &twice);
  fuzz_require(qn_str_equal(qn_text_view(&once), qn_text_view(&twice)));
  fuzz_rules_end(&again);
  qn_text_deinit(&once);
  qn_text_deinit(&twice);
}

static inline void fuzz_read_rules(qn_str text, const char *path, bool strict) {
  fuzz_reading r;
  fuzz_rules_begin(&r, text, path, strict);
  if (r.status == QN_OK) fuzz_rules_stable(&r, path, strict);
  uint32_t before = r.diag.errors;
  qn_status status = qn_rule_set_check(&r.set);
  fuzz_require((status == QN_OK) == (r.diag.errors == before));
  for (size_t i = 0; i < r.set.rules.count; i++) qn_rule_expand(&r.arena, r.set.rules.data[i]);
  fuzz_rules_end(&r);
}

#endif
