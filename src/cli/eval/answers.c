/* Runs samples through a model. Reading and scaling an image often costs more than the invocation.
 * So threads read images concurrently, and share one executable, which one of them uses at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/eval/answers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tensors/image.h"
#include "cli/tensors/tensors.h"

typedef struct work {
  cli *c;
  const samples *all;
  /* answers of another model to the same samples, or NULL; samples that this model failed to answer
   * are skipped */
  const answer *before;
  answer *answers;
  qn_executable *executable;
  cli_tensors tensors;   /* inputs[0] is the input of the current sample */
  pthread_mutex_t mutex; /* protects all fields below, the executable and the context */
  size_t next, done;
  cli_exit worst;
} work;

/* ---- an answer ---- */

static bool comes_before(double a, size_t i, double b, size_t k) {
  return a > b || (a == b && i < k);
}

static int64_t place_of(const double *scores, size_t count, int64_t truth) {
  int64_t place = 0;
  if (truth < 0 || truth >= (int64_t)count) return -1;
  for (size_t i = 0; i < count; i++)
    place += comes_before(scores[i], i, scores[truth], (size_t)truth);
  return place;
}

static void rank(const cli_tensors *t, int64_t truth, answer *out) {
  qn_tensor_info info = qn_executable_output(t->executable, 0);
  size_t count = cli_tensor_elements(&info), best = 0, second = 0;
  double *scores = cli_need(calloc(count, sizeof *scores));
  for (size_t i = 0; i < count; i++) scores[i] = cli_tensor_real(&info, t->outputs[0], i);
  for (size_t i = 1; i < count; i++)
    if (comes_before(scores[i], i, scores[best], best)) best = i;
  second = best == 0;
  for (size_t i = 0; i < count; i++)
    if (i != best && comes_before(scores[i], i, scores[second], second)) second = i;
  out->best = (int64_t)best;
  out->margin = scores[best] - scores[second];
  out->place = place_of(scores, count, truth);
  free(scores);
}

static void digest_outputs(const cli_tensors *t, char out[DIGEST_HEX]) {
  size_t size = 0, at = 0;
  for (uint32_t i = 0; i < t->output_count; i++)
    size += qn_executable_output(t->executable, i).bytes;
  char *bytes = cli_need(malloc(size + 1));
  for (uint32_t i = 0; i < t->output_count; i++) {
    size_t part = qn_executable_output(t->executable, i).bytes;
    memcpy(bytes + at, t->outputs[i], part);
    at += part;
  }
  digest_sha256(bytes, size, out);
  free(bytes);
}

/* ---- one sample ---- */

/* Whether a limit was reached. Limits apply to the whole evaluation: the first worker that reaches
 * one reports it, and all workers stop. */
static bool is_over(const work *w) { return w->worst >= CLI_LIMIT; }

static cli_exit read_sample(work *w, const sample *s, void *input) {
  qn_tensor_info info = qn_executable_input(w->executable, 0);
  if (!s->is_array) return image_read(w->c, s->path, &info, input);
  pthread_mutex_lock(&w->mutex); /* the context reads files, and is not thread-safe */
  char *file;
  npy array;
  cli_exit code = is_over(w) ? w->worst : cli_read_npy(w->c, s->path, &info, &file, &array);
  if (code == CLI_OK) {
    memcpy(input, array.data, array.bytes);
    qn_free(file);
  }
  pthread_mutex_unlock(&w->mutex);
  return code;
}

/* Invokes the model for a sample; the caller holds the mutex. States are reset, so samples do not
 * affect each other. */
static cli_exit ask(work *w, const sample *s, const void *input, answer *out) {
  cli_tensors *t = &w->tensors;
  memcpy(t->inputs[0], input, qn_executable_input(w->executable, 0).bytes);
  qn_executable_reset(w->executable);
  cli_exit code = cli_exit_of(qn_executable_invoke(w->executable, (const void *const *)t->inputs,
                                                   (void *const *)t->outputs));
  if (code != CLI_OK) return code;
  rank(t, s->truth, out);
  if (w->c->options.report) digest_outputs(t, out->digest);
  out->made = true;
  return CLI_OK;
}

static void *run_worker(void *user) {
  work *w = user;
  void *input = cli_need(malloc(qn_executable_input(w->executable, 0).bytes + 1));
  pthread_mutex_lock(&w->mutex);
  while (w->next < w->all->count && !is_over(w)) {
    size_t i = w->next++;
    const sample *s = &w->all->items[i];
    pthread_mutex_unlock(&w->mutex);
    bool left_out = w->before && !w->before[i].made;
    cli_exit code = left_out ? CLI_OK : read_sample(w, s, input);
    pthread_mutex_lock(&w->mutex);
    if (code == CLI_OK && !left_out && !is_over(w)) code = ask(w, s, input, &w->answers[i]);
    if (code > w->worst) w->worst = code;
    cli_progress_set(w->c->progress, (int64_t)++w->done, (int64_t)w->all->count);
  }
  pthread_mutex_unlock(&w->mutex);
  free(input);
  return NULL;
}

/* ---- all samples ---- */

static bool has_images(const samples *all) {
  size_t i = 0;
  while (i < all->count && all->items[i].is_array) i++;
  return i < all->count;
}

static cli_exit check_model(cli *c, const char *model, const qn_executable *executable,
                            const samples *all) {
  if (qn_executable_input_count(executable) != 1)
    return cli_fail(c, CLI_USAGE, "%s has %u inputs; a sample is one", model,
                    qn_executable_input_count(executable));
  qn_tensor_info input = qn_executable_input(executable, 0);
  cli_exit code = has_images(all) ? image_check(c, &input) : CLI_OK;
  if (code != CLI_OK) return code;
  if (qn_executable_output_count(executable) == 0)
    return cli_fail(c, CLI_USAGE, "%s has no output", model);
  qn_tensor_info info = qn_executable_output(executable, 0);
  if (cli_tensor_elements(&info) < 2)
    return cli_fail(c, CLI_USAGE,
                    "%s: output '%s' has %zu elements: these are no scores of classes", model,
                    info.name, cli_tensor_elements(&info));
  return CLI_OK;
}

static cli_exit check_classes(cli *c, const work *w) {
  qn_tensor_info info = qn_executable_output(w->executable, 0);
  size_t classes = cli_tensor_elements(&info);
  for (size_t i = 0; i < w->all->count; i++) {
    const sample *s = &w->all->items[i];
    if (s->truth >= (int64_t)classes)
      return cli_fail(c, CLI_INVALID, "%s is of class %lld, but the model has %zu", s->name,
                      (long long)s->truth, classes);
  }
  return CLI_OK;
}

/* Number of CPUs that this process may use. */
static size_t cpu_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static void run_workers(work *w, size_t count) {
  pthread_t threads[64];
  size_t started = 0;
  if (count > CLI_COUNT(threads)) count = CLI_COUNT(threads);
  /* threads that can't be started are not an error, because this thread works, too */
  while (started + 1 < count && pthread_create(&threads[started], NULL, run_worker, w) == 0)
    started++;
  run_worker(w);
  for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

/* With --any-size, sets the batch size to 1: each sample is one batch element. */
static cli_exit set_sizes(const cli *c, qn_executable *executable) {
  uint32_t count = c->options.any_size ? qn_executable_size_count(executable) : 0;
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < count && code == CLI_OK; i++)
    code = cli_exit_of(qn_executable_set_size(executable, i, 1));
  return code;
}

static size_t count_made(const work *w) {
  size_t made = 0;
  for (size_t i = 0; i < w->all->count; i++) made += w->answers[i].made;
  return made;
}

static cli_exit run(cli *c, const char *model, work *w) {
  cli_exit code = set_sizes(c, w->executable);
  if (code == CLI_OK) code = check_model(c, model, w->executable, w->all);
  if (code == CLI_OK) code = check_classes(c, w);
  if (code == CLI_OK) code = cli_tensors_create(c, w->executable, &w->tensors);
  if (code != CLI_OK) return code;
  w->answers = cli_need(calloc(w->all->count, sizeof *w->answers));
  pthread_mutex_init(&w->mutex, NULL);
  c->progress = cli_progress_begin("evaluating", c->options.verbose);
  run_workers(w, c->options.threads ? (size_t)c->options.threads : cpu_count());
  cli_progress_end(c->progress);
  c->progress = NULL;
  pthread_mutex_destroy(&w->mutex);
  cli_tensors_destroy(&w->tensors);
  if (is_over(w))
    return cli_fail(c, w->worst, "%s: %zu of %zu samples were run, so there is no accuracy", model,
                    count_made(w), w->all->count);
  return w->worst;
}

cli_exit answers_make(cli *c, const char *model, const samples *all, const answer *before,
                      answer **out_answers) {
  *out_answers = NULL;
  work w = {.c = c, .all = all, .before = before};
  cli_options whole = c->options;
  c->options.argument = model;
  c->options.threads = 1; /* threads per invocation */
  qn_model *loaded;
  cli_exit code = cli_load(c, &loaded);
  if (code == CLI_OK) {
    code = cli_compile(c, loaded, false, &w.executable);
    qn_model_destroy(loaded);
  }
  c->options = whole;
  if (code != CLI_OK) return code;
  code = run(c, model, &w);
  qn_executable_destroy(w.executable);
  if (is_over(&w)) {
    free(w.answers);
    w.answers = NULL;
  }
  *out_answers = w.answers;
  return code;
}
