/* compute-in-bands: computes chains of windows and elementwise ops in bands of rows, so that the
 * tensors between them never exist as a whole.
 *
 *   %1 = "ml.conv"(%x, ...) : tensor<1x8x8x4>       pad [1, 1, 1, 1], windows of 3 rows
 *     ->
 *   %0 = "ml.slice_by_index"(%x)                    rows 0 to 4
 *   %1 = "ml.conv"(%0, ...) : tensor<1x4x8x4>       pad [1, 0, 1, 1]
 *   %2 = "ml.slice_by_index"(%x)                    rows 3 to 7
 *   %3 = "ml.conv"(%2, ...) : tensor<1x4x8x4>       pad [0, 1, 1, 1]
 *   %4 = "ml.concat"(%1, %3)
 *
 * The option, or the configuration of the compiler, lists chains as FIRST-LAST:BANDS, separated by
 * commas and without overlap. FIRST and LAST number the ops of the model's function, without its
 * constants. The API chooses the chains by the arena that they lead to (src/api/bands).
 *
 * Nothing changes if every tensor of the model has to exist. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lower/bands/chain.h"
#include "lower/lower.h"
#include "pass/explain.h"

/* One item of the list, found before anything is changed, because numbers change with the ops. */
typedef struct item {
  qn_chain chain;
  qn_chain_cost cost;
  int64_t bands, height;
} item;

enum { MOST_CHAINS = 64 };

/* Reads digits and the character after them; returns -1 if they are not there. */
static int64_t read_number(const char **text, char after) {
  enum { LIMIT = 1 << 24 };
  int64_t value = 0;
  const char *at = *text;
  if (*at < '0' || *at > '9') return -1;
  for (; *at >= '0' && *at <= '9' && value < LIMIT; at++) value = 10 * value + (*at - '0');
  if (*at != after) return -1;
  *text = at + (after != '\0');
  return value;
}

static bool read_item(const char **text, int64_t *first, int64_t *last, int64_t *bands) {
  *first = read_number(text, '-');
  *last = *first < 0 ? -1 : read_number(text, ':');
  if (*last < 0) return false;
  const char *at = *text;
  *bands = read_number(text, ',');
  if (*bands >= 0) return **text != '\0';
  *text = at;
  *bands = read_number(text, '\0');
  return *bands >= 0;
}

static qn_status find_items(qn_pass_context *pc, const qn_op *func, const char *text, item *items,
                            uint32_t *out_count) {
  qn_diag_engine *diag = &pc->cx->diag;
  int64_t next = 0;
  *out_count = 0;
  while (*text) {
    int64_t first, last;
    item *it = &items[*out_count];
    if (*out_count == MOST_CHAINS || !read_item(&text, &first, &last, &it->bands))
      return qn_error(diag, func->loc, QN_INVALID,
                      "chains are a list of at most %d of FIRST-LAST:BANDS, not '%s'", MOST_CHAINS,
                      text);
    if (first < next || !qn_chain_find(func, (uint32_t)first, (uint32_t)last, &it->chain))
      return qn_error(diag, func->loc, QN_INVALID,
                      "ops %lld to %lld are no chain that can be computed in bands of rows",
                      (long long)first, (long long)last);
    it->height = qn_chain_height(&it->chain, it->bands);
    if (it->height == 0 || !qn_chain_estimate(&it->chain, it->height, &it->cost))
      return qn_error(diag, func->loc, QN_INVALID,
                      "ops %lld to %lld can't be computed in %lld bands of rows", (long long)first,
                      (long long)last, (long long)it->bands);
    next = last + 1;
    ++*out_count;
  }
  return QN_OK;
}

/* A place as a person calls it: "operator 3 (ADD)" of a model file, else file and line. */
static void put_place(const qn_loc *loc, qn_text *out) {
  size_t size = loc->kind == QN_LOC_NAME ? strcspn(loc->text.data, ",") : 0;
  if (size > 0)
    qn_text_format(out, "%.*s", (int)size, loc->text.data);
  else
    qn_loc_render(loc, out);
}

/* What the remark, the report and the attribute of the module say of a chain. */
static void describe(const item *it, qn_text *out) {
  const qn_chain *chain = &it->chain;
  int64_t more = it->cost.macs - it->cost.whole_macs;
  double percent = it->cost.whole_macs ? 100 * (double)more / (double)it->cost.whole_macs : 0;
  put_place(chain->ops[0]->loc, out);
  if (chain->count > 1) {
    qn_text_format(out, " to ");
    put_place(chain->ops[chain->count - 1]->loc, out);
  }
  qn_text_format(out,
                 " in %lld bands of %lld rows, which repeat %.1f %% of the multiply-accumulates",
                 (long long)it->bands, (long long)it->height, percent);
}

/* Records the chains before they are replaced. */
static void note(qn_pass_context *pc, const item *items, uint32_t count) {
  const qn_attr **notes = QN_NEW_ARRAY(pc->scratch, count, const qn_attr *);
  for (uint32_t i = 0; i < count; i++) {
    const qn_op *last = items[i].chain.ops[items[i].chain.count - 1];
    qn_text text = {0};
    describe(&items[i], &text);
    notes[i] = qn_attr_string(pc->cx, qn_text_view(&text));
    if (qn_explains(pc, last)) qn_explain(pc, last->loc, "%s", text.data);
    qn_text_deinit(&text);
  }
  qn_op_set_attr(pc->module, pc->module->op, qn_attr_decls[QN_A_BANDS].name,
                 qn_attr_array(pc->cx, notes, count));
}

static qn_status run(qn_pass_context *pc) {
  const qn_lower_config *config = pc->config;
  const char *text = qn_pass_string(pc, "chains");
  if (!*text && config && config->bands) text = config->bands;
  qn_op *func = qn_module_main(pc->module);
  if (!*text || !func || pc->keep_tensors) return QN_OK;
  item *items = QN_NEW_ARRAY(pc->scratch, MOST_CHAINS + 1, item);
  uint32_t count;
  QN_TRY(find_items(pc, func, text, items, &count));
  note(pc, items, count);
  for (uint32_t i = 0; i < count; i++)
    qn_chain_build(pc->module, &items[i].chain, items[i].height, pc->scratch);
  pc->changed = true;
  return QN_OK;
}

static const qn_option_spec options[] = {
    {"chains", QN_OPTION_STRING, "", "what runs in bands: FIRST-LAST:BANDS,..."}, {.name = NULL}};

const qn_pass qn_pass_compute_in_bands = {
    .name = "compute-in-bands",
    .summary = "compute chains of convolutions, pools and elementwise ops in bands of rows",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .needs = "the model stage",
    .keeps = "the stage",
    .options = options,
    .run = run,
};
