/* Options of the delegate: texts, by name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plugin.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 20, LEAST_OPERATORS = 3 };

static bool read_count(const char *text, long most, int *out) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 0 || value > most) return false;
  *out = (int)value;
  return true;
}

/* Numbers, by blanks or commas. */
static bool read_skipped(options *o, const char *text) {
  for (const char *at = text; *at;) {
    char *end;
    long node = strtol(at, &end, 10);
    if (end == at || node < 0 || node >= MOST_NODES || (*end && *end != ' ' && *end != ','))
      return false;
    if (node >= (long)o->skipped_count) {
      bool *more = realloc(o->skipped, (size_t)node + 1);
      if (!more) return false;
      memset(more + o->skipped_count, 0, (size_t)node + 1 - o->skipped_count);
      o->skipped = more;
      o->skipped_count = (uint32_t)node + 1;
    }
    o->skipped[node] = true;
    at = end + strspn(end, " ,");
  }
  return true;
}

bool options_skip(const options *o, int node) {
  return node >= 0 && (uint32_t)node < o->skipped_count && o->skipped[node];
}

static bool keep(char **place, const char *text) {
  free(*place);
  *place = strdup(text);
  return *place != NULL;
}

static bool read_flag(const char *text, bool *out) {
  int value;
  bool good = read_count(text, 1, &value);
  if (good) *out = value != 0;
  return good;
}

/* 1: taken, 0: not with this value, -1: there is no such option. */
static int set(options *o, const char *key, const char *value) {
  if (strcmp(key, "model") == 0) return keep(&o->model, value);
  if (strcmp(key, "numerics") == 0) return keep(&o->numerics, value);
  if (strcmp(key, "cpu") == 0) return keep(&o->cpu, value);
  if (strcmp(key, "cache") == 0) return keep(&o->cache, value);
  if (strcmp(key, "skip") == 0) return read_skipped(o, value);
  if (strcmp(key, "threads") == 0) return read_count(value, 4096, &o->threads);
  if (strcmp(key, "min_operators") == 0) return read_count(value, MOST_NODES, &o->min_operators);
  if (strcmp(key, "explain") == 0) return read_flag(value, &o->explain);
  if (strcmp(key, "verbose") == 0) return read_flag(value, &o->verbose);
  return -1;
}

/* As the tool: QUERN_CACHE, XDG_CACHE_HOME, ~/.cache; "off": nowhere. */
static void find_cache(options *o) {
  const char *given = o->cache ? o->cache : getenv("QUERN_CACHE");
  const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *folder = NULL;
  int size = 0;
  if (given && *given)
    size = strcmp(given, "off") == 0 ? 0 : asprintf(&folder, "%s", given);
  else if (caches && caches[0] == '/')
    size = asprintf(&folder, "%s/quern", caches);
  else if (home && *home)
    size = asprintf(&folder, "%s/.cache/quern", home);
  free(o->cache);
  o->cache = size > 0 ? folder : NULL;
}

options *options_create(char **keys, char **values, size_t count, void (*report)(const char *)) {
  options *o = calloc(1, sizeof *o);
  if (!o) return NULL;
  o->min_operators = LEAST_OPERATORS;
  for (size_t i = 0; i < count; i++) {
    int taken = set(o, keys[i], values[i]);
    if (taken > 0) continue;
    char text[256];
    snprintf(text, sizeof text,
             taken < 0
                 ? "quern: there is no option '%s': model, numerics, cpu, cache, skip, threads, "
                   "min_operators, explain, verbose"
                 : "quern: option '%s' can't be '%s'",
             keys[i], values[i]);
    if (report) report(text);
    options_destroy(o);
    return NULL;
  }
  find_cache(o);
  return o;
}

void options_destroy(options *o) {
  if (!o) return;
  free(o->model);
  free(o->numerics);
  free(o->cpu);
  free(o->cache);
  free(o->skipped);
  free(o);
}

void say(void *user, int severity, const char *message) {
  const options *o = user;
  if (o->verbose && severity <= QN_MESSAGE_WARNING) fprintf(stderr, "quern: %s\n", message);
}
