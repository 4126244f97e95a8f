/* Every call of the library that can fail for want of something, failed in turn. A scenario is run
 * in a context while call n fails; then it must have come back with QN_LIMIT or QN_IO and a
 * message, or have succeeded with the right result; the same context must do it again without a
 * fault, with the result of a run that never saw one; and when all is destroyed nothing may be
 * left.
 *
 *   library FOLDER [sample|all [SCENARIO]]    sample: the first call of each site and some others
 *   library FOLDER samples                    writes models there, and nothing else
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/scenario.h"
#include "tests/faults/shim.h"

/* They come with the shared object. */
#pragma weak fault_arm
#pragma weak fault_disarm
#pragma weak fault_read
#pragma weak fault_new_sites
#pragma weak fault_has_failed

enum { MAX_NUMBERS = 1 << 14 };

typedef struct attempt {
  long n;         /* the call that fails; 0: none */
  long from;      /* and all from here on; 0: none */
  bool reference; /* the first: what it gives is right */
  long site;      /* done only if that has not failed meanwhile; 0: in any case */
} attempt;

typedef struct sweep {
  bool all;
  const char *folder;
  long runs, wrong;
  uint64_t expected;             /* digest of the scenario */
  fault_site first[MAX_NUMBERS]; /* sites that are new in the last run */
} sweep;

static void complain(sweep *s, const run *r, const attempt *a, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s, call %ld", r->scenario->name, a->n);
  if (a->from) fprintf(stderr, " and all from %ld on", a->from);
  fprintf(stderr, ": ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, " (last message: %s)\n", r->message);
  s->wrong++;
}

/* ---- one run ---- */

/* What a run that a fault has reached must still be. */
static void check(sweep *s, run *r, const attempt *a) {
  if (r->status != QN_OK && r->status != QN_LIMIT && r->status != QN_IO)
    complain(s, r, a, "status '%s'", qn_status_name(r->status));
  if (r->status != QN_OK && r->errors == 0 && !r->scenario->silent)
    complain(s, r, a, "'%s' without a message", qn_status_name(r->status));
  if (r->status == QN_OK && r->digest != s->expected) complain(s, r, a, "another result");
  if (r->status == QN_OK) return;
  execute(r); /* the context is still good */
  if (r->status != QN_OK || r->digest != s->expected)
    complain(s, r, a, "the context is spoilt: '%s'", qn_status_name(r->status));
}

static void check_left(sweep *s, const run *r, const attempt *a, const fault_state *before) {
  fault_state after;
  fault_read(&after);
  if (after.blocks != before->blocks || after.files != before->files ||
      after.mappings != before->mappings)
    complain(s, r, a, "%ld blocks, %ld files, %ld mappings are left", after.blocks - before->blocks,
             after.files - before->files, after.mappings - before->mappings);
}

/* All runs come from here, so that a site has the same frames around it in each. */
static __attribute__((noinline)) fault_state try(sweep *s, const scenario *what, const attempt *a) {
  run r = {.scenario = what, .folder = s->folder};
  fault_state before, during;
  fault_read(&before);
  fault_arm(a->n, a->from);
  r.context = qn_context_create();
  if (r.context) execute(&r);
  fault_read(&during);
  during.first_count = fault_new_sites(s->first, MAX_NUMBERS);
  fault_disarm();
  if (a->reference) s->expected = r.digest;
  if (a->reference && r.status != QN_OK) complain(s, &r, a, "fails without a fault");
  if (r.context) check(s, &r, a);
  qn_context_destroy(r.context);
  if (!a->reference) check_left(s, &r, a, &before); /* libc and LLVM keep things for ever */
  return during;
}

/* ---- all runs ---- */

typedef struct plan {
  attempt *rows;
  size_t count;
} plan;

static void add(plan *p, attempt a) {
  if (p->count % 1024 == 0) p->rows = realloc(p->rows, (p->count + 1024) * sizeof *p->rows);
  p->rows[p->count++] = a;
}

/* The first call of each site that has never failed, then calls at even steps; each alone and with
 * all after it. */
static void make_plan(const sweep *s, const scenario *what, const fault_state *counted, plan *p) {
  bool few = what->slow && !s->all;
  for (long i = 0; i < counted->first_count && !few; i++) {
    add(p, (attempt){.n = s->first[i].number, .from = s->first[i].number});
    add(p, (attempt){.n = s->first[i].number});
  }
  long step = s->all ? 1 + counted->calls / what->most : counted->calls / (few ? 24 : 8) + 1;
  for (long n = 1; n <= counted->calls; n += step) add(p, (attempt){.n = n, .from = n % 7 ? 0 : n});
}

/* Sites that only a failure leads to: they fail after it. */
static void add_second(const sweep *s, const fault_state *seen, long n, plan *p) {
  for (long i = 0; i < seen->first_count; i++)
    if (s->first[i].number > n)
      add(p, (attempt){.n = n, .from = s->first[i].number, .site = s->first[i].index});
}

static void sweep_scenario(sweep *s, const scenario *what) {
  plan p = {0};
  add(&p, (attempt){.reference = true});
  add(&p, (attempt){0});
  fault_state counted = {0};
  long runs = 0;
  for (size_t i = 0; i < p.count; i++) {
    if (p.rows[i].site && fault_has_failed(p.rows[i].site)) continue;
    runs++;
    fault_state seen = try(s, what, &p.rows[i]);
    if (i == 1) make_plan(s, what, &seen, &p);
    if (i == 1) counted = seen;
    if (i > 1 && p.rows[i].from == 0 && (s->all || !what->slow))
      add_second(s, &seen, p.rows[i].n, &p);
  }
  printf("%-12s %6ld calls, %5ld new sites, %6ld runs\n", what->name, counted.calls,
         counted.first_count, runs);
  fflush(stdout);
  s->runs += runs;
  free(p.rows);
}

static void sweep_one(sweep *s, const scenario *what, const char *only, fault_state *end) {
  if (only && strcmp(what->name, only) != 0) return;
  sweep_scenario(s, what);
  if (s->all || !what->slow) fault_read(end);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[2], "samples") == 0) {
    write_samples(argv[1]);
    return 0;
  }
  if (argc < 2 || !fault_arm) {
    fprintf(stderr, "usage: LD_PRELOAD=shim.so %s FOLDER [all]\n", argv[0]);
    return 2;
  }
  static sweep s;
  s.all = argc > 2 && strcmp(argv[2], "all") == 0;
  s.folder = argv[1];
  const char *only = argc > 3 ? argv[3] : NULL;
  write_samples(argv[1]);
  use_cpus(1);
  fault_state end = {0};
  for (int slow = 0; slow < 2; slow++) /* slow ones last: their sites don't count */
    for (const scenario *const *list = all_scenarios; *list; list++)
      for (const scenario *each = *list; each->name; each++)
        if (each->slow == slow) sweep_one(&s, each, only, &end);
  printf("%ld of %ld sites failed, %.1f %%; %ld runs, %ld findings\n", end.failed, end.sites,
         100.0 * (double)end.failed / (double)(end.sites ? end.sites : 1), s.runs, s.wrong);
  bool enough = only || end.failed * 100 >= end.sites * 95;
  if (!enough) fprintf(stderr, "fewer than 95 %% of the sites were made to fail\n");
  return s.wrong == 0 && enough ? 0 : 1;
}
