/* What the scenarios use, and one run of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <stdio.h>

#include "tests/faults/scenario.h"

const scenario *const all_scenarios[] = {user_scenarios, api_scenarios, scenarios, NULL};

bool ok(run *r, qn_status status) {
  if (status == QN_OK) return true;
  r->status = status;
  return false;
}

void digest(run *r, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) r->digest = (r->digest ^ bytes[i]) * 0x100000001b3u;
}

void digest_text(run *r, char *text, size_t size) {
  digest(r, text, size);
  qn_free(text);
}

void use_cpus(int count) {
  static cpu_set_t all;
  cpu_set_t some;
  if (CPU_COUNT(&all) == 0) (void)sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&some);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) < count; cpu++)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &some);
  (void)sched_setaffinity(0, sizeof some, &some);
}

static void remember(void *user, int severity, const char *message) {
  run *r = user;
  if (severity == QN_MESSAGE_ERROR) {
    r->errors++;
    snprintf(r->message, sizeof r->message, "%s", message);
  }
}

void execute(run *r) {
  r->digest = 0xcbf29ce484222325u;
  r->status = QN_OK;
  r->errors = 0;
  r->message[0] = '\0';
  qn_context_set_handler(r->context, remember, r);
  r->scenario->run(r);
}
