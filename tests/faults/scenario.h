/* What is run while calls fail.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FAULTS_SCENARIO_H
#define QN_TESTS_FAULTS_SCENARIO_H

#include <quern/quern.h>
#include <stdbool.h>

typedef struct scenario scenario;

typedef struct run {
  const scenario *scenario;
  qn_context *context;
  const char *folder; /* for files */
  qn_status status;   /* of the first call that failed; QN_OK: none did */
  uint64_t digest;    /* of all results */
  unsigned errors;
  char message[512]; /* the last */
} run;

struct scenario {
  const char *name;
  void (*run)(run *r);
  long most;   /* runs of a full sweep */
  bool silent; /* no context is there to be told */
  bool slow;   /* a sample takes a few calls at even steps, and its sites don't count */
};
extern const scenario scenarios[], user_scenarios[],
    api_scenarios[]; /* ended by one without a name */
extern const scenario *const all_scenarios[];

/* Runs the scenario in r->context and fills in what comes after the folder. */
void execute(run *r);

/* Notes a status that is not QN_OK; whether it is. */
bool ok(run *r, qn_status status);
/* How many CPUs the process may use: with one, as at first, calls come in the same order each time.
 */
void use_cpus(int count);
/* Writes the models that the scenarios load. */
void write_samples(const char *folder);
void digest(run *r, const void *data, size_t size);
/* The same, and frees it. */
void digest_text(run *r, char *text, size_t size);

#endif
