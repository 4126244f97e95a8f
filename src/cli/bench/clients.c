/* Measures several concurrent callers, as in a server. Each has a clone of the executable, a
 * context and buffers of its own. A single client is measured first in the same way.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"

/* A barrier: all clients wait until the last one has arrived, or until the measurement is cancelled
 * because a thread could not be started. */
typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint32_t waiting;
  bool open, cancelled;
} gate;

typedef struct client {
  pthread_t thread;
  qn_context *context;
  qn_executable *clone;
  cli_tensors tensors; /* inputs are copies of those of the first run */
  gate *gate;
  size_t wanted; /* number of runs; 0: as many as fit the time limit */
  qn_status status;
  double *seconds; /* [count] time of each run */
  size_t count;
  double begun, ended;
} client;

/* Waits at the gate. Returns false if the measurement was cancelled. */
static bool pass(gate *g) {
  pthread_mutex_lock(&g->lock);
  g->waiting++;
  pthread_cond_broadcast(&g->changed);
  while (!g->open && !g->cancelled) pthread_cond_wait(&g->changed, &g->lock);
  bool go = g->open;
  pthread_mutex_unlock(&g->lock);
  return go;
}
/* Waits for `count` clients and releases them; if `cancelled`, tells them to stop without
 * waiting. */
static void open_gate(gate *g, uint32_t count, bool cancelled) {
  pthread_mutex_lock(&g->lock);
  while (!cancelled && g->waiting < count) pthread_cond_wait(&g->changed, &g->lock);
  g->open = !cancelled;
  g->cancelled = cancelled;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
}

static void *run(void *argument) {
  client *k = argument;
  const void *const *inputs = (const void *const *)k->tensors.inputs;
  void *const *outputs = (void *const *)k->tensors.outputs;
  k->status = qn_executable_invoke(k->clone, inputs, outputs); /* warm-up */
  if (qn_executable_state_count(k->clone)) qn_executable_reset(k->clone);
  if (!pass(k->gate)) return NULL;
  k->begun = k->ended = cli_now();
  while (k->status == QN_OK && !bench_is_enough(k->wanted, k->count, k->ended - k->begun)) {
    double before = k->ended;
    k->status = qn_executable_invoke(k->clone, inputs, outputs);
    k->ended = cli_now();
    k->seconds[k->count++] = k->ended - before;
  }
  return NULL;
}

static void close_client(client *k) {
  qn_executable_destroy(k->clone);
  cli_tensors_destroy(&k->tensors);
  qn_context_destroy(k->context);
  free(k->seconds);
}

static cli_exit open_client(cli *c, const qn_executable *source, const cli_tensors *t, client *k) {
  k->context = qn_context_create();
  k->seconds = calloc(bench_capacity(k->wanted), sizeof *k->seconds);
  if (!k->context || !k->seconds) return cli_fail(c, CLI_LIMIT, "out of memory for a client");
  qn_status status = qn_executable_clone(source, k->context, &k->clone);
  if (status == QN_UNSUPPORTED)
    return cli_fail(c, CLI_UNSUPPORTED, "--clients needs compiled code: leave out --engine");
  if (status == QN_OK && c->options.threads)
    status = qn_executable_set_threads(k->clone, (uint32_t)c->options.threads);
  if (status != QN_OK) return cli_fail(c, cli_exit_of(status), "a client can't be made");
  cli_exit code = cli_tensors_create(c, k->clone, &k->tensors);
  for (uint32_t i = 0; i < t->input_count && code == CLI_OK; i++)
    memcpy(k->tensors.inputs[i], t->inputs[i], qn_executable_input(k->clone, i).bytes);
  return code;
}

/* Runs all clients. Returns false if a thread could not be started; then no client has measured. */
static bool run_all(client *clients, uint32_t count) {
  gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  uint32_t begun = 0;
  for (; begun < count; begun++) {
    clients[begun].gate = &g;
    if (pthread_create(&clients[begun].thread, NULL, run, &clients[begun]) != 0) break;
  }
  open_gate(&g, count, begun < count);
  for (uint32_t i = 0; i < begun; i++) pthread_join(clients[i].thread, NULL);
  pthread_cond_destroy(&g.changed);
  pthread_mutex_destroy(&g.lock);
  return begun == count;
}

static bool equals(const client *k, const cli_tensors *expected) {
  for (uint32_t i = 0; i < expected->output_count; i++)
    if (memcmp(k->tensors.outputs[i], expected->outputs[i],
               qn_executable_output(k->clone, i).bytes) != 0)
      return false;
  return true;
}

/* Checks status and results of all clients. Results of models with states are not compared, because
 * each run changes the states. */
static cli_exit check(cli *c, const client *clients, uint32_t count, const cli_tensors *expected) {
  for (uint32_t i = 0; i < count; i++) {
    if (clients[i].status != QN_OK) return cli_exit_of(clients[i].status);
    if (qn_executable_state_count(clients[i].clone) == 0 && !equals(&clients[i], expected))
      return cli_fail(c, CLI_MISMATCH, "client %u has other results than the first run", i);
  }
  return CLI_OK;
}

static cli_exit summarize(cli *c, const client *clients, uint32_t count, bench_clients *out) {
  size_t runs = 0;
  double begun = clients[0].begun, ended = clients[0].ended;
  for (uint32_t i = 0; i < count; i++) {
    runs += clients[i].count;
    if (clients[i].begun < begun) begun = clients[i].begun;
    if (clients[i].ended > ended) ended = clients[i].ended;
  }
  double *seconds = calloc(runs + 1, sizeof *seconds);
  if (!seconds) return cli_fail(c, CLI_LIMIT, "out of memory for the times of clients");
  size_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    memcpy(seconds + used, clients[i].seconds, clients[i].count * sizeof *seconds);
    used += clients[i].count;
  }
  *out = (bench_clients){.count = count,
                         .runs_per_second = ended > begun ? (double)runs / (ended - begun) : 0,
                         .time = bench_timing_of(seconds, runs, count)};
  free(seconds);
  return CLI_OK;
}

static cli_exit measure(cli *c, const qn_executable *source, const cli_tensors *t, uint32_t count,
                        bench_clients *out) {
  client *clients = calloc(count, sizeof *clients);
  if (!clients) return cli_fail(c, CLI_LIMIT, "out of memory for %u clients", count);
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < count && code == CLI_OK; i++) {
    clients[i].wanted = (size_t)c->options.runs;
    code = open_client(c, source, t, &clients[i]);
  }
  if (code == CLI_OK && !run_all(clients, count))
    code = cli_fail(c, CLI_LIMIT, "%u threads can't be started", count);
  if (code == CLI_OK) code = check(c, clients, count, t);
  if (code == CLI_OK) code = summarize(c, clients, count, out);
  for (uint32_t i = 0; i < count; i++) close_client(&clients[i]);
  free(clients);
  return code;
}

cli_exit bench_measure_clients(cli *c, bench_run *run, const cli_tensors *tensors) {
  bench_clients one = {0};
  c->progress = cli_progress_begin("measuring clients", c->options.verbose);
  cli_exit code = measure(c, run->executable, tensors, 1, &one);
  if (code == CLI_OK)
    code = measure(c, run->executable, tensors, (uint32_t)c->options.clients, &run->clients);
  if (code == CLI_OK) run->clients.scaling = run->clients.runs_per_second / one.runs_per_second;
  cli_progress_end(c->progress);
  c->progress = NULL;
  return code;
}
