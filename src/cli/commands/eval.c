/* quern eval: measures the accuracy of a classifier, and lists samples on which two classifiers
 * differ.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/document.h"
#include "cli/eval/merge.h"

enum { TOP = 5, LISTED = 10, MOST_PARTS = 1 << 20 };

/* Evaluates the same model with the interpreter at the model stage. */
static cli_exit ask_interpreter(cli *c, const samples *all, const answer *before,
                                answer **out_answers) {
  cli_options whole = c->options;
  c->options.engine = "interpreter";
  c->options.stage = NULL;
  c->options.cpu = NULL;
  cli_exit code = answers_make(c, whole.argument, all, before, out_answers);
  c->options = whole;
  return code;
}

static cli_exit show(cli *c, json_t *report) {
  if (c->options.json) return cli_print_document(c, report, JSON_INDENT(1));
  if (!report) return cli_fail(c, CLI_LIMIT, "out of memory");
  evaluation_print(report);
  json_decref(report);
  return CLI_OK;
}

static cli_exit print(cli *c, const samples *all, const labels *names, answer *const answers[3]) {
  const cli_options *o = &c->options;
  evaluation e = {.model = o->argument,
                  .against = o->against,
                  .all = all,
                  .names = names,
                  .answers = answers[0],
                  .of_against = answers[1],
                  .of_interpreter = answers[2],
                  .part = all->part,
                  .parts = all->parts,
                  .top = o->top ? (size_t)o->top : TOP,
                  .listed = o->list ? (size_t)o->list : LISTED};
  return show(c, evaluation_report(&e));
}

/* Evaluates all samples. Samples that can't be read are reported as errors and left out of the
 * report, which is still printed. */
static cli_exit evaluate(cli *c, const samples *all, const labels *names) {
  answer *answers[3] = {NULL, NULL, NULL};
  cli_exit code = answers_make(c, c->options.argument, all, NULL, &answers[0]), other = CLI_OK;
  if (answers[0] && c->options.against)
    other = answers_make(c, c->options.against, all, answers[0], &answers[1]);
  if (answers[0] && c->options.report && other <= CLI_INVALID)
    other = ask_interpreter(c, all, answers[0], &answers[2]);
  bool complete =
      answers[0] && (!c->options.against || answers[1]) && (!c->options.report || answers[2]);
  if (complete) {
    cli_exit printed = print(c, all, names, answers);
    if (printed > code) code = printed;
  }
  for (size_t i = 0; i < CLI_COUNT(answers); i++) free(answers[i]);
  return code > other ? code : other;
}

/* Selects the part of --part K/N; K counts from 1. */
static cli_exit take_part(const cli *c, samples *all) {
  int64_t number, of;
  const char *at;
  if (!c->options.part) return CLI_OK;
  if (!cli_read_integer(c->options.part, &at, &number) || *at != '/' ||
      !cli_read_integer(at + 1, &at, &of) || *at || number < 1 || of < number || of > MOST_PARTS)
    return cli_fail(c, CLI_USAGE, "--part takes K/N, part K from 1 to N, not '%s'",
                    c->options.part);
  samples_keep_part(all, (size_t)number, (size_t)of);
  return CLI_OK;
}

static cli_exit merge(cli *c) {
  json_t *report;
  if (c->options.images || c->options.part || c->options.against)
    return cli_fail(c, CLI_USAGE, "--merge takes reports and runs nothing");
  size_t listed = c->options.list ? (size_t)c->options.list : LISTED;
  cli_exit code = evaluation_merge(c, listed, &report);
  return code == CLI_OK ? show(c, report) : code;
}

static cli_exit eval(cli *c) {
  const cli_options *o = &c->options;
  if (o->merge) return merge(c);
  if (o->more_count > 0) return cli_fail(c, CLI_USAGE, "unexpected argument '%s'", o->more[0]);
  labels names = {0};
  samples all = {0};
  if (!o->images) return cli_fail(c, CLI_USAGE, "--images is missing");
  cli_exit code = o->labels ? labels_read(c, o->labels, &names) : CLI_OK;
  if (code == CLI_OK) code = samples_read(c, o->images, o->truth, &names, &all);
  if (code == CLI_OK) code = take_part(c, &all);
  if (code == CLI_OK && !all.known && !o->against)
    code = cli_fail(c, CLI_USAGE,
                    "what the images show is not known: name the folders in %s as the classes, "
                    "or give --truth, or --against to compare with a second model",
                    o->images);
  if (code == CLI_OK) code = evaluate(c, &all, &names);
  samples_free(&all);
  labels_free(&names);
  return code;
}

static const char *const options[] = {
    "images", "truth", "labels",   "against", "top",  "list", "report", "engine",
    "stage",  "cpu",   "features", "threads", "json", "part", "merge",  NULL};
static const char *const frequent[] = {"images", "labels",   "truth",   "against", "top", "list",
                                       "report", "numerics", "threads", "json",    NULL};

const cli_command cli_eval = {
    .name = "eval",
    .argument = "MODEL",
    .more = "[FILE...]",
    .summary = "measure the accuracy of a classifier, or the differences between two",
    .groups = CLI_LOADING | CLI_KEEPING,
    .options = options,
    .frequent = frequent,
    .details = "The model has one input; its first output has one score per class. Images are "
               "scaled as by\n"
               "'run --image'. The default number of threads is the number of CPUs; results do not "
               "depend on\n"
               "it. The list shows the samples on which two models decide differently, or those "
               "that are wrong.\n"
               "The margin is the score of the answer minus the next best score.\n"
               "With --merge the arguments are the --json reports of all parts.\n"
               "With --any-size, code is compiled for up to --batch samples, and each call has one "
               "sample.\n"
               "\n"
               "  quern eval model.tflite --images flowers/ --labels names.txt\n"
               "  quern eval model.tflite --images photos/ --truth truth.csv --against "
               "float.tflite --report\n",
    .run = eval,
};
