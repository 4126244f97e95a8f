/* Merges the reports of all parts of an evaluation into one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/eval/merge.h"

#include <stdlib.h>
#include <string.h>

typedef struct merger {
  cli *c;
  json_t *whole; /* first report, to which the others are added; NULL before it */
  bool *seen;    /* [part] whether the part was seen */
  size_t parts;
  size_t listed; /* maximum number of samples to list */
} merger;

static int64_t integer(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

/* ---- reading ---- */

static cli_exit reject(const cli *c, const char *path, const char *why) {
  return cli_fail(c, CLI_INVALID, "%s: %s", path, why);
}

static cli_exit read_report(cli *c, const char *path, json_t **out_report) {
  char *text = NULL;
  size_t size = 0;
  cli_exit code = cli_read_text(c, path, &text, &size);
  if (code != CLI_OK) return code;
  *out_report = json_loadb(text, size, 0, NULL);
  qn_free(text);
  bool good = json_is_object(json_object_get(*out_report, "model")) &&
              json_is_integer(json_object_get(*out_report, "k")) &&
              json_is_array(json_object_get(*out_report, "listed"));
  if (good) return CLI_OK;
  json_decref(*out_report);
  return reject(c, path, "this is no report of 'quern eval --json'");
}

/* ---- adding ---- */

static void add(json_t *to, const json_t *from, const char *key) {
  if (json_object_get(to, key))
    json_object_set_new(to, key, json_integer(integer(to, key) + integer(from, key)));
}

static void set_share(json_t *row, const char *share, int64_t part, int64_t whole) {
  if (json_object_get(row, share))
    json_object_set_new(row, share, json_real(whole ? (double)part / (double)whole : 0));
}

static void add_model(json_t *to, const json_t *from) {
  if (!to || !from) return;
  /* a part without samples has no counts; then the counts of the other part are the sum */
  static const char *const keys[] = {"top1", "top1_count", "topk", "topk_count"};
  for (size_t i = 0; i < CLI_COUNT(keys); i++)
    if (!json_object_get(to, keys[i]) && json_object_get(from, keys[i]))
      json_object_set_new(to, keys[i], i % 2 ? json_integer(0) : json_real(0));
  add(to, from, "samples");
  add(to, from, "top1_count");
  add(to, from, "topk_count");
  set_share(to, "top1", integer(to, "top1_count"), integer(to, "samples"));
  set_share(to, "topk", integer(to, "topk_count"), integer(to, "samples"));
}

static void add_pair(json_t *to, const json_t *from) {
  if (!to || !from) return;
  add(to, from, "samples");
  add(to, from, "differing");
  set_share(to, "share", integer(to, "samples") - integer(to, "differing"), integer(to, "samples"));
}

static void add_listed(const merger *m, const json_t *from) {
  json_t *rows = json_object_get(m->whole, "listed"), *row;
  size_t i;
  json_array_foreach(json_object_get(from, "listed"), i, row) if (json_array_size(rows) < m->listed)
      json_array_append(rows, row);
}

static void set_cost(json_t *whole) {
  const json_t *own = json_object_get(whole, "model"), *other = json_object_get(whole, "against");
  json_t *lost = json_object_get(whole, "quantization");
  if (lost)
    json_object_set_new(lost, "top1_lost",
                        json_real(json_real_value(json_object_get(other, "top1")) -
                                  json_real_value(json_object_get(own, "top1"))));
}

static void add_report(merger *m, json_t *report) {
  json_t *to = m->whole;
  add(to, report, "samples");
  add_model(json_object_get(to, "model"), json_object_get(report, "model"));
  add_model(json_object_get(to, "against"), json_object_get(report, "against"));
  add_pair(json_object_get(to, "agreement"), json_object_get(report, "agreement"));
  add_pair(json_object_get(to, "lowering"), json_object_get(report, "lowering"));
  if (!json_object_get(to, "quantization") && json_object_get(report, "quantization"))
    json_object_set(to, "quantization", json_object_get(report, "quantization"));
  add(to, report, "listed_of");
  add_listed(m, report);
  set_cost(to);
}

/* ---- all parts, each once ---- */

static bool same(const merger *m, const json_t *report, const char *key) {
  return json_equal(json_object_get(m->whole, key), json_object_get(report, key)) != 0;
}

static const char *model_of(const json_t *report, const char *which) {
  return json_string_value(json_object_get(json_object_get(report, which), "model"));
}

static bool same_models(const merger *m, const json_t *report) {
  const char *own = model_of(m->whole, "model"), *other = model_of(report, "model");
  return own && other && strcmp(own, other) == 0 &&
         (model_of(m->whole, "against") != NULL) == (model_of(report, "against") != NULL);
}

static cli_exit take(merger *m, const char *path, json_t *report) {
  const json_t *part = json_object_get(report, "part");
  int64_t number = integer(part, "number"), of = integer(part, "of");
  if (number < 1 || of < number) return reject(m->c, path, "it is no part: --part says of what");
  if (!m->whole) {
    m->parts = (size_t)of;
    m->seen = cli_need(calloc(m->parts, sizeof *m->seen));
  } else if (of != (int64_t)m->parts || !same(m, report, "k") || !same_models(m, report)) {
    return reject(m->c, path, "it is a part of another evaluation than the first");
  }
  if (m->seen[number - 1]) return reject(m->c, path, "this part is there twice");
  m->seen[number - 1] = true;
  if (m->whole)
    add_report(m, report);
  else
    m->whole = json_deep_copy(report);
  return m->whole ? CLI_OK : cli_fail(m->c, CLI_LIMIT, "out of memory");
}

static cli_exit take_file(merger *m, const char *path) {
  json_t *report;
  cli_exit code = read_report(m->c, path, &report);
  if (code != CLI_OK) return code;
  code = take(m, path, report);
  json_decref(report);
  return code;
}

static cli_exit check_all(const merger *m) {
  for (size_t i = 0; i < m->parts; i++)
    if (!m->seen[i])
      return cli_fail(m->c, CLI_INVALID, "part %zu of %zu is missing", i + 1, m->parts);
  return CLI_OK;
}

cli_exit evaluation_merge(cli *c, size_t listed, json_t **out_report) {
  const cli_options *o = &c->options;
  merger m = {.c = c, .listed = listed};
  cli_exit code = take_file(&m, o->argument);
  for (int i = 0; i < o->more_count && code == CLI_OK; i++) code = take_file(&m, o->more[i]);
  if (code == CLI_OK) code = check_all(&m);
  free(m.seen);
  if (code == CLI_OK) {
    json_object_del(m.whole, "part");
    *out_report = m.whole;
  } else {
    json_decref(m.whole);
  }
  return code;
}
