/* The reader of rules on any bytes, as a rule file and as C++, with and without extensions: no
 * crash, a sane status, and what has no error is laid out as text that reads back without an error
 * and stays as it is when it is laid out again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rules/print/print.h"
#include "rules/rules.h"
#include "tests/fuzz/fuzz.h"

typedef struct reading {
  qn_arena arena;
  qn_diag_engine diag;
  qn_text seen;
  qn_rule_set set;
  const qn_rule_file *file;
  qn_status status;
} reading;

static void begin(reading *r, qn_str text, const char *path, bool strict) {
  const qn_rule_options options = {.strict = strict, .lint = true};
  *r = (reading){0};
  qn_arena_init(&r->arena);
  qn_diag_init(&r->diag, &r->arena);
  r->diag.handler = fuzz_render;
  r->diag.user = &r->seen;
  qn_rule_set_init(&r->set, &r->diag, &options);
  r->status = qn_rule_set_add(&r->set, qn_str_of(path), text, &r->file);
  fuzz_require(r->status == QN_OK || r->status == QN_INVALID || r->status == QN_LIMIT);
  fuzz_require((r->status == QN_OK) == (r->diag.errors == 0));
}

static void end(reading *r) {
  qn_rule_set_deinit(&r->set);
  qn_diag_deinit(&r->diag);
  qn_arena_deinit(&r->arena);
  qn_text_deinit(&r->seen);
}

static void require_stable_layout(const reading *r, const char *path, bool strict) {
  qn_text once = {0}, twice = {0};
  reading again;
  qn_rule_format_file(r->file, &once);
  begin(&again, qn_text_view(&once), path, strict);
  fuzz_require(again.status == QN_OK && again.set.rules.count == r->set.rules.count);
  qn_rule_format_file(again.file, &twice);
  fuzz_require(qn_str_equal(qn_text_view(&once), qn_text_view(&twice)));
  end(&again);
  qn_text_deinit(&once);
  qn_text_deinit(&twice);
}

static void read_as(qn_str text, const char *path, bool strict) {
  reading r;
  begin(&r, text, path, strict);
  if (r.status == QN_OK) require_stable_layout(&r, path, strict);
  uint32_t before = r.diag.errors;
  qn_status status = qn_rule_set_check(&r.set);
  fuzz_require((status == QN_OK) == (r.diag.errors == before));
  for (size_t i = 0; i < r.set.rules.count; i++) qn_rule_expand(&r.arena, r.set.rules.data[i]);
  end(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qn_str text = {size ? (const char *)data : "", size};
  read_as(text, "fuzz.rr", false);
  read_as(text, "fuzz.rr", true);
  read_as(text, "fuzz.cc", false);
  return 0;
}
