/* quern compare: finds the tensors in which two runs of a model differ, and by how much.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/encoding.h"
#include "cli/compare/feed.h"
#include "cli/compare/sides.h"
#include "cli/document.h"
#include "cli/memory.h"

typedef struct comparison {
  cli *c;
  const char *paths[2];
  recording sides[2], alone;
  feed fed;
  cli_range *ranges; /* of random floats */
  uint32_t range_count;
  tensor_map map;
  json_t *report;
} comparison;

/* Whether any option is given for this side only. */
static bool has_own(const cli_side *side) {
  return side->engine || side->stage || side->numerics || side->cpu || side->any_size;
}

static cli_exit name_sides(comparison *k) {
  cli *c = k->c;
  k->paths[SIDE_A] = c->options.argument;
  k->paths[SIDE_B] = c->options.more_count ? c->options.more[0] : c->options.argument;
  if (c->options.more_count > 1)
    return cli_fail(c, CLI_USAGE, "unexpected argument '%s'", c->options.more[1]);
  if (!c->options.more_count && side_is_folder(k->paths[SIDE_A]))
    return cli_fail(c, CLI_USAGE, "B is missing: only a model is compared with itself");
  if (!c->options.more_count && !has_own(&c->options.sides[0]) && !has_own(&c->options.sides[1]))
    return cli_fail(
        c, CLI_USAGE,
        "B is missing: name a second model or recording, or an option of one side, such "
        "as --b-numerics tflm or --b-engine interpreter");
  for (int i = 0; i < 2; i++)
    if (strcmp(k->paths[i], "-") == 0)
      return cli_fail(c, CLI_USAGE, "a side is a file or a folder, not standard input");
  return CLI_OK;
}

/* The source of the inputs for the side that is not `other`. A quantized model gets the converted
 * inputs of a float model, because random inputs of two types would differ. For operators that run
 * `alone`, the inputs are those that the other side's tensors were computed from. */
static side_inputs inputs_of(const comparison *k, const recording *other, bool alone) {
  bool loss = k->c->options.loss;
  bool has_some = other->inputs ? alone || loss || !cli_tensors_given(k->c) : loss && other->given;
  return (side_inputs){.from = has_some ? other : NULL,
                       .peer = other->given && !other->inputs ? other : NULL};
}

/* Finds the ranges that the inputs of side B, the quantized model, can represent. Random inputs of
 * a float model are drawn from them, so that clipping of inputs does not appear as an error of an
 * operator. */
static cli_exit find_ranges(comparison *k) {
  bool models = !side_is_folder(k->paths[SIDE_A]) && !side_is_folder(k->paths[SIDE_B]);
  if (!k->c->options.loss || !models) return CLI_OK;
  return side_ranges(k->c, SIDE_B, k->paths[SIDE_B], &k->ranges, &k->range_count);
}

/* Opens a recording before a model, because the model gets the recording's inputs unless the
 * command line has inputs. */
static cli_exit open_sides(comparison *k) {
  int first =
      side_is_folder(k->paths[SIDE_A]) || !side_is_folder(k->paths[SIDE_B]) ? SIDE_A : SIDE_B;
  cli_exit code = find_ranges(k);
  for (int i = 0; i < 2 && code == CLI_OK; i++) {
    int side = i == 0 ? first : 1 - first;
    side_inputs inputs = {.ranges = k->ranges, .range_count = k->range_count};
    if (i > 0) inputs = inputs_of(k, &k->sides[first], false);
    code = side_open(k->c, (side_name)side, k->paths[side], &inputs, &k->sides[side]);
    if (code == CLI_OK && side_is_folder(k->paths[side]))
      code = feed_read_inputs(k->c, &k->sides[side]);
  }
  return code;
}

static bool same_file(comparison *k, const char *name) {
  char *data[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0};
  cli_exit code = CLI_OK;
  for (int i = 0; i < 2 && code == CLI_OK; i++) {
    char *path = cli_text("%s/%s", k->sides[i].inputs, name);
    code = cli_read_file(k->c, path, &data[i], &sizes[i]);
    free(path);
  }
  bool same = code == CLI_OK && sizes[0] == sizes[1] && memcmp(data[0], data[1], sizes[0]) == 0;
  for (int i = 0; i < 2; i++) qn_free(data[i]);
  return same;
}

/* Warns if two recordings have different inputs, or if the inputs of a recording are unknown,
 * because the comparison is meaningless then. */
static void warn_of_inputs(comparison *k) {
  for (int i = 0; i < 2; i++)
    if (k->sides[1 - i].random && side_is_folder(k->paths[i]))
      fprintf(stderr,
              "quern compare: warning: %s has no in0.npy, so the model runs on random numbers: "
              "give --input or --image\n",
              k->paths[i]);
  if (k->c->options.loss || !k->sides[SIDE_A].inputs || !k->sides[SIDE_B].inputs ||
      same_file(k, "in0.npy"))
    return;
  fprintf(stderr, "quern compare: warning: in0.npy of the two sides differs\n");
}

static bool same_input(const recorded *from, const recorded *to) {
  if (!encodings_differ(from, to)) return true;
  void *data = cli_need(malloc(to->info.bytes + 1));
  bool exact = encoding_convert(&from->info, from->data, &to->info, data) == ENCODING_EXACT;
  free(data);
  return exact;
}

/* Whether the side that runs uses the inputs from which the other side's tensors were computed. */
static bool has_inputs(const comparison *k, const recording *from, const recording *to) {
  bool has = from->given_count > 0 || cli_tensors_given(k->c) || to->given_count == 0;
  for (size_t i = 0; !k->c->options.loss && i < from->given_count && i < to->given_count; i++)
    has = has && same_input(&from->given[i], &to->given[i]);
  return has;
}

/* Runs B's operators on A's tensors. If only A is a model, runs A's operators on B's tensors. */
static cli_exit run_alone(comparison *k) {
  bool b_runs = !side_is_folder(k->paths[SIDE_B]), a_runs = !side_is_folder(k->paths[SIDE_A]);
  if (!a_runs && !b_runs)
    return cli_fail(k->c, CLI_USAGE, "--isolate runs operators: one side must be a model");
  if (k->sides[b_runs ? SIDE_A : SIDE_B].only_digests)
    return cli_fail(k->c, CLI_USAGE,
                    "--isolate feeds operators with tensors, and a golden folder has only digests");
  side_name runs = b_runs ? SIDE_B : SIDE_A;
  recording *from = &k->sides[1 - runs];
  const feed_how how = {.map = &k->map,
                        .from_a = runs == SIDE_B,
                        .nearest = k->c->options.loss,
                        .has_inputs = has_inputs(k, from, &k->sides[runs])};
  cli_exit code = feed_make(k->c, from, &k->sides[runs], &how, &k->fed);
  if (code != CLI_OK) return code;
  side_inputs inputs = inputs_of(k, from, true);
  return side_alone(k->c, runs, k->paths[runs], &k->fed, &inputs, &k->alone);
}

/* ---- the profiles' answers ---- */

/* Stores the element at the coordinate of the row. Returns false if the row has no coordinate. */
static bool find_element(const json_t *row, const recorded *tensor, side_element *out) {
  const json_t *at = json_object_get(row, "at");
  if (!json_is_array(at) || json_array_size(at) != tensor->info.rank) return false;
  *out = (side_element){tensor, 0};
  for (uint32_t d = 0; d < tensor->info.rank; d++)
    out->element = out->element * (size_t)tensor->info.dims[d] +
                   (size_t)json_integer_value(json_array_get(at, d));
  return out->element < cli_tensor_elements(&tensor->info);
}

/* The result that the side that runs has computed already; NAN if `profile` is another profile. */
static double answer_at_hand(const comparison *k, const char *profile, const side_element *of) {
  const recorded *own = recording_by_index(&k->alone, of->tensor->info.index);
  bool same = strcmp(compare_text(k->alone.head, "numerics"), profile) == 0;
  return own && own->data && same ? cli_tensor_stored(&own->info, own->data, of->element) : NAN;
}

/* Adds the result of the first differing operator under each profile, which shows whose rounding it
 * is.
 */
static void add_answers(comparison *k) {
  side_name runs = side_is_folder(k->paths[SIDE_B]) ? SIDE_A : SIDE_B;
  json_t *first = json_object_get(k->report, "first");
  recorded *tensor =
      recording_by_index(&k->sides[SIDE_A], json_integer_value(json_object_get(first, "tensor")));
  if (tensor && runs == SIDE_B) tensor = tensor_map_find(&k->map, tensor, &k->sides[SIDE_B]);
  side_element element;
  char *text;
  size_t size;
  bool known = json_object_get(first, "alone") && !json_object_get(first, "encodings");
  if (!tensor || !known || !find_element(first, tensor, &element) ||
      qn_list("profiles", &text, &size) != QN_OK)
    return;
  side_inputs inputs = inputs_of(k, &k->sides[1 - runs], true);
  json_t *profiles = json_loadb(text, size, 0, NULL), *answers = json_array(), *profile;
  qn_free(text);
  size_t i;
  json_array_foreach(profiles, i, profile) {
    const char *name = compare_text(profile, "name");
    double answer = answer_at_hand(k, name, &element);
    if (isnan(answer))
      answer = side_answer(k->c, runs, k->paths[runs], &k->fed, &inputs, name, &element);
    json_array_append_new(answers, json_pack("{s:s, s:o}", "profile", name, "value",
                                             isnan(answer) ? json_null() : json_real(answer)));
  }
  json_decref(profiles);
  json_object_set_new(k->report, "answers", answers);
}

/* ---- all of it ---- */

static cli_exit show(comparison *k) {
  const cli_options *o = &k->c->options;
  cli_exit code = CLI_OK;
  if (o->html) {
    char *page = compare_page(k->report);
    code = page ? cli_write_file(k->c, o->html, page, strlen(page))
                : cli_fail(k->c, CLI_LIMIT, "out of memory");
    free(page);
  }
  if (o->json) {
    cli_exit printed = cli_print_document(k->c, json_incref(k->report), JSON_INDENT(1));
    if (code == CLI_OK) code = printed;
  } else {
    compare_print(k->report, o->verbose, stdout);
  }
  return code;
}

static cli_exit work(comparison *k) {
  const cli_options *o = &k->c->options;
  cli_exit code = name_sides(k);
  if (code == CLI_OK && o->map) code = tensor_map_read(k->c, o->map, &k->map);
  if (code == CLI_OK) code = open_sides(k);
  if (code == CLI_OK) warn_of_inputs(k);
  bool isolates = o->isolate || (o->loss && !side_is_folder(k->paths[SIDE_B]));
  if (code == CLI_OK && isolates) code = run_alone(k);
  const compare_how how = {.alone = isolates ? &k->alone : NULL,
                           .fed = &k->fed,
                           .a_fed = isolates && side_is_folder(k->paths[SIDE_B]),
                           .loss = o->loss,
                           .map = &k->map};
  if (code == CLI_OK)
    code = compare_recordings(k->c, &k->sides[SIDE_A], &k->sides[SIDE_B], &how, &k->report);
  if (code == CLI_OK && json_integer_value(json_object_get(k->report, "compared")) == 0)
    code = cli_fail(k->c, CLI_INVALID, "the sides have no tensor in common, by number or by name");
  if (code == CLI_OK && o->loss && json_array_size(json_object_get(k->report, "ranked")) == 0)
    code = cli_fail(k->c, CLI_INVALID,
                    "--loss ranks quantized tensors of B that A has as floats, and there are none");
  if (code == CLI_OK && isolates && !o->loss) add_answers(k);
  if (code == CLI_OK) code = show(k);
  bool differ = json_integer_value(json_object_get(k->report, "differing")) > 0;
  return code == CLI_OK && differ ? CLI_MISMATCH : code;
}

static cli_exit compare(cli *c) {
  comparison k = {.c = c};
  cli_exit code = work(&k);
  for (int i = 0; i < 2; i++) recording_free(&k.sides[i]);
  feed_free(&k.fed);
  free(k.ranges);
  recording_free(&k.alone);
  tensor_map_free(&k.map);
  json_decref(k.report);
  return code;
}

static const char *const options[] = {"engine",  "a-engine",   "b-engine",   "stage", "a-stage",
                                      "b-stage", "a-numerics", "b-numerics", "cpu",   "a-cpu",
                                      "b-cpu",   "a-any-size", "b-any-size", "input", "image",
                                      "size",    "threads",    "isolate",    "loss",  "map",
                                      "html",    "json",       NULL};
static const char *const frequent[] = {"isolate",  "loss",  "html",  "b-numerics",
                                       "b-engine", "input", "image", "map",
                                       "threads",  "json",  NULL};

const cli_command cli_compare_command = {
    .name = "compare",
    .argument = "A",
    .more = "[B]",
    .summary =
        "find the first operator where two runs of a model differ, and the size of the error",
    .groups = CLI_LOADING,
    .options = options,
    .frequent = frequent,
    .details =
        "Each side is one of: a model, which is run; a dump of 'run --dump'; a case of a golden\n"
        "directory, which has digests only; a directory of .npy files of any runtime, named\n"
        "t<NUMBER>.npy or <NAME>.npy. Without B, the model is compared with itself under an option "
        "of\n"
        "one side:\n"
        "\n"
        "  quern compare model.tflite --b-numerics tflm\n"
        "  quern compare theirs/ model.tflite --isolate --html page.html\n"
        "\n"
        "A model runs on the inputs in the other side's directory unless --input or --image is "
        "given;\n"
        "otherwise on random:1. Differences are b - a; a step is one unit of the stored integers. "
        "The\n"
        "exit code is 1 if anything differs. --verbose also lists equal tensors. With --loss, A is "
        "the\n"
        "float model (or its dump) of the quantized model B: B's tensors are ranked by what they "
        "lose.\n"
        "\n"
        "With --any-size, a model runs with the batch size of the other side's inputs, or of "
        "--size.\n"
        "--b-any-size compares code for dynamic sizes with code for the size of --batch:\n"
        "\n"
        "  quern compare model.tflite --batch 8 --b-any-size\n",
    .run = compare,
};
