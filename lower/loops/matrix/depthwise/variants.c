/* The variants of a depthwise convolution: product form, column-wise or tap-wise, one or two pixels
 * at once, pixels of few channels merged or not. Each is either unsupported, with a reason, or has
 * estimated cycles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/depthwise/depthwise.h"
#include "lower/loops/matrix/gemm.h"
#include "pass/explain.h"

typedef qn_depthwise_variant variant;

enum { MAX_MERGED = 16 /* pixels */ };

/* ---- forms ---- */

static const qn_dot *exact_dot(const qn_target *target) {
  const qn_dot *dot = target->dot;
  bool fits = qn_dot_is_exact(dot) && dot->depth == QN_DEPTHWISE_GROUP;
  return fits && !qn_dot_is_scalar(dot) ? dot : NULL; /* scalars are not interleaved */
}

static const char *no_dots(const qn_depthwise *d) {
  if (!d->dot) return "the target has none that are exact";
  if (d->weights->constant) return NULL;
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(d->op, 1)->type));
  bool bytes = !is_unsigned && d->weights->plan->weight_zero_point == 0;
  return bytes ? NULL : "weights that are not constant are no bytes";
}

static const qn_dot *saturating_dot(const qn_target *target) {
  return target->dot->saturates ? target->dot : NULL;
}

static const char *no_nibbles(const qn_depthwise *d) {
  if (!d->dot) return "the target has no byte products that saturate";
  return qn_depthwise_no_nibbles(d->weights);
}

static const qn_dot *grouped_dot(const qn_target *target) { return target->groups; }

static const char *no_groups(const qn_depthwise *d) {
  if (!d->dot) return "the target has none by channel";
  return qn_depthwise_no_groups(d->weights);
}

static const qn_dot *single_dot(const qn_target *target) {
  if (qn_dot_is_scalar(target->dot))
    return target->dot->splits ? &qn_dot_scalar_singles : &qn_dot_singles;
  return target->dot->single ? target->dot : NULL;
}

static const char *no_singles(const qn_depthwise *d) {
  if (!d->dot) return "no products take single bytes";
  return qn_depthwise_no_singles(d->weights);
}

static const qn_dot *dot_of_pairs(const qn_target *target) {
  (void)target;
  return &qn_dot_pairs;
}

static const char *no_pairs(const qn_depthwise *d) {
  QN_ASSERT(d->dot->bytes == 2);
  return NULL;
}

#define PRODUCTS .parts = 1, .pack = qn_depthwise_pack_products, .multiply = qn_depthwise_products
/* In report order and, at equal cost, in order of preference. */
static const qn_depthwise_form forms[] = {
    {PRODUCTS, .name = "byte dot products", .dot = exact_dot, .problem = no_dots, .group = 4,
     .vectors = 4, .columns = true, .splits = true, .registers = 8, .interleave = 8, .add = 1},
    {.name = "byte products with two nibbles",
     .dot = saturating_dot,
     .problem = no_nibbles,
     .group = 2,
     .vectors = 4,
     .parts = 2,
     .registers = 6,
     .interleave = 2,
     .add = 2,
     .finish = 3,
     .pack = qn_depthwise_pack_nibbles,
     .multiply = qn_depthwise_nibbles},
    {.name = "byte products in groups",
     .dot = grouped_dot,
     .problem = no_groups,
     .group = 1,
     .vectors = 4,
     .splits = true,
     .parts = 1,
     .registers = 7,
     .add = 0.5,
     .widen = 1,
     .order = qn_depthwise_order_groups,
     .pack = qn_depthwise_pack_groups,
     .multiply = qn_depthwise_groups},
    {.name = "single bytes",
     .dot = single_dot,
     .problem = no_singles,
     .group = 1,
     .vectors = 1,
     .splits = true,
     .parts = 1,
     .registers = 2,
     .load = 1,
     .add = 0.5,
     .pack = qn_depthwise_pack_products,
     .multiply = qn_depthwise_singles},
    {PRODUCTS, .name = "16-bit products", .dot = dot_of_pairs, .problem = no_pairs, .group = 2,
     .vectors = 2, .registers = 4, .load = 1, .interleave = 2, .add = 2},
};
#undef PRODUCTS

/* Output rows whose taps are within four rows of x; 0 if none. */
static uint32_t rows_at_once(const qn_conv_shape *s) {
  int64_t spare = QN_DEPTHWISE_GROUP - s->kernel_height;
  if (spare < 0 || s->dilation_y != 1 || s->kernel_width > QN_DEPTHWISE_COLUMNS) return 0;
  int64_t rows = spare / s->stride_y + 1;
  return (uint32_t)(rows < s->out_height ? rows : s->out_height);
}

static variant begin(const qn_depthwise *d, const qn_target *target, const qn_depthwise_form *form,
                     bool by_columns) {
  variant w = {.form = form, .by_columns = by_columns, .out_rows = 1, .merged = 1, .pixels = 1};
  w.group = form->group, w.vectors = form->vectors;
  qn_depthwise with = *d;
  with.dot = form->dot(target);
  w.problem = form->problem(&with);
  if (!by_columns || w.problem) return w;
  w.out_rows = rows_at_once(&d->shape);
  if (w.out_rows == 0) w.problem = "the kernel is too large, or its rows are dilated";
  return w;
}

qn_depthwise_variants qn_depthwise_begin(const qn_depthwise *d, const qn_target *target) {
  qn_depthwise_variants begun = {.count = 0};
  for (size_t i = 0; i < QN_COUNT(forms); i++) {
    if (forms[i].columns) begun.of[begun.count++] = begin(d, target, &forms[i], true);
    begun.of[begun.count++] = begin(d, target, &forms[i], false);
  }
  QN_ASSERT(begun.count <= QN_DEPTHWISE_WAYS);
  return begun;
}

/* ---- pixels ---- */

int64_t qn_depthwise_advance(const qn_conv_shape *s, int64_t merged) {
  if (s->dilation_x != 1) return s->kernel_width;
  return merged == 1 ? s->stride_x : merged;
}

int64_t qn_depthwise_carried(const qn_conv_shape *s, int64_t merged) {
  int64_t carried = s->kernel_width - qn_depthwise_advance(s, merged);
  return carried < 0 || carried > 2 ? 0 : carried;
}

static int64_t widest(const qn_target *target, const variant *w) {
  return target->vector_bytes * w->vectors / 4;
}

int64_t qn_depthwise_width(const qn_target *target, const variant *w, int64_t channels,
                           int64_t done) {
  enum { LANE_BYTES = 16 /* interleaving works within 128 bits */ };
  QN_ASSERT(done >= 0 && done < channels);
  int64_t least = LANE_BYTES * w->vectors / 4, width = least;
  while (width < channels - done && width < widest(target, w)) width *= 2;
  return width > channels && width > least ? width / 2 : width;
}

/* The number of blocks of all channels, in units of blocks of full vectors. A block of narrower
 * vectors counts less, because 512-bit
 * instructions occupy one port more, or take two cycles. */
static double blocks_of(const qn_depthwise *d, const qn_target *target, const variant *w) {
  enum { NARROW_BYTES = 32 };
  const double narrow = 0.6;
  int64_t channels = d->shape.channels * w->merged;
  double count = 0;
  for (int64_t done = 0, width; done < channels; done += width) {
    width = qn_depthwise_width(target, w, channels, done);
    bool is_narrow = width < widest(target, w) && target->vector_bytes > NARROW_BYTES;
    count += is_narrow ? narrow : 1;
  }
  return count;
}

/* The smallest number of merged pixels that fills whole blocks, if the width of a row is a multiple
 * of it; 1: no merging. */
static int64_t merged_pixels(const qn_depthwise *d, const qn_target *target) {
  const qn_conv_shape *s = &d->shape;
  bool merges =
      d->weights->constant && s->stride_x == 1; /* runtime weights would have to be repeated */
  for (int64_t n = 1; merges && n <= MAX_MERGED && n <= s->out_width; n++)
    if (s->out_width % n == 0 && n * s->channels % widest(target, &d->variant) == 0) return n;
  return 1;
}

/* Whether registers suffice for two pixels: column-wise for accumulators and weights in addition to
 * the columns, tap-wise for weights and taps in addition to accumulators and inputs. */
static bool has_room(const qn_depthwise *d, const qn_target *target, const variant *w) {
  enum { SPARE_BY_COLUMNS = 12, SPARE = 3 };
  const qn_conv_shape *s = &d->shape;
  int64_t columns = s->kernel_width + qn_depthwise_advance(s, w->merged);
  int64_t needed = w->by_columns ? columns * w->vectors + SPARE_BY_COLUMNS
                                 : w->pixels * w->form->registers + SPARE;
  return needed <= (int64_t)target->vector_registers;
}

/* ---- cycles ---- */

/* Vector instructions and loads of one step of a variant. */
typedef struct work {
  double operations, loads;
} work;

static work work_of(const qn_depthwise *d, const qn_target *target, const variant *w,
                    int64_t pixels) {
  enum { PARAMETERS = 3 /* epilogue parameters per vector of accumulators */ };
  const double lanes = target->dot->splits ? 4 : 1; /* interleaved one by one */
  const qn_conv_shape *s = &d->shape;
  int64_t products = d->product_count, taps, interleaved;
  if (w->by_columns) {
    interleaved = pixels * (s->kernel_width - qn_depthwise_carried(s, w->merged));
    taps = interleaved * (s->kernel_height + (w->out_rows - 1) * s->stride_y);
  } else {
    interleaved = pixels * products;
    taps = pixels * s->kernel_height * s->kernel_width;
  }
  bool flips = qn_depthwise_offset(d) != 0;
  double sums = (double)pixels * w->vectors;
  work all = {.loads = (double)taps + (double)w->vectors * (double)(products + PARAMETERS)};
  all.operations = (double)taps * (w->form->load + flips) +
                   (double)interleaved * w->form->interleave * lanes +
                   sums * ((double)products * w->form->add + w->out_rows * w->form->finish +
                           d->group_count * w->form->widen);
  return all;
}

/* Half a cycle per vector instruction and a quarter per load, most of whose time is hidden. */
static double step_cycles(const qn_depthwise *d, const qn_target *target, const variant *w,
                          int64_t pixels) {
  const double operation = 0.5, load = 0.25;
  work step = work_of(d, target, w, pixels);
  double results = (double)pixels * w->out_rows;
  return QN_GEMM_STEP_CYCLES + operation * step.operations + load * step.loads +
         results * qn_epilogue_cycles(target, w->vectors);
}

static double all_cycles(const qn_depthwise *d, const qn_target *target, const variant *w) {
  const qn_conv_shape *s = &d->shape;
  int64_t steps = s->out_width / w->merged;
  double row = (double)(steps / w->pixels) * step_cycles(d, target, w, w->pixels);
  if (steps % w->pixels != 0) row += step_cycles(d, target, w, steps % w->pixels);
  return row * blocks_of(d, target, w) * (double)(s->batch * s->out_height) / w->out_rows;
}

/* Sets a variant like `w` with `merged` merged pixels; returns false if it is unsupported. */
static bool make_variant(const qn_depthwise *d, const qn_target *target, int64_t merged,
                         int64_t pixels, variant *out_variant) {
  *out_variant = d->variant;
  out_variant->merged = merged, out_variant->pixels = pixels;
  if (pixels > 1 && d->shape.out_width / merged < pixels) return false;
  if (pixels > 1 && !has_room(d, target, out_variant)) return false;
  out_variant->cycles = all_cycles(d, target, out_variant);
  return true;
}

const variant *qn_depthwise_list(const qn_depthwise *d, const qn_target *target,
                                 qn_depthwise_variants *io_variants) {
  enum { MOST = 2 * QN_DEPTHWISE_PIXELS };
  QN_ASSERT(io_variants->count + MOST <= QN_DEPTHWISE_WAYS);
  variant *next = &io_variants->of[io_variants->count], *least = NULL;
  if (d->variant.problem) {
    *next = d->variant;
    io_variants->count++;
    return NULL;
  }
  const int64_t merged[] = {1, merged_pixels(d, target)};
  for (size_t m = 0; m < (merged[1] > 1 ? 2 : 1); m++)
    for (int64_t pixels = 1; pixels <= QN_DEPTHWISE_PIXELS; pixels++) {
      if (!make_variant(d, target, merged[m], pixels, next)) continue;
      if (!least || next->cycles <= least->cycles) least = next;
      next++, io_variants->count++;
    }
  return least;
}

/* ---- the --explain report ---- */

static void put_form(qn_text *out, const variant *w) {
  qn_text_format(out, "%s of %s", w->by_columns ? "columns" : "taps", w->form->name);
}

static void put_variant(qn_text *out, const variant *w) {
  put_form(out, w);
  qn_text_format(out, ", %u by %lld pixels", w->out_rows, (long long)w->pixels);
  if (w->merged > 1) qn_text_format(out, " of %lld merged", (long long)w->merged);
}

static bool is_taken(const qn_depthwise *d, const variant *w) {
  return w->form == d->variant.form && w->by_columns == d->variant.by_columns &&
         w->pixels == d->variant.pixels && w->merged == d->variant.merged;
}

void qn_depthwise_explain(qn_loops *lo, const qn_depthwise *d) {
  if (!lo->pass || !qn_explains(lo->pass, d->op)) return;
  const qn_conv_shape *s = &d->shape;
  qn_text text = {0};
  qn_text_format(&text, "'%.*s' of %lld pixels, %lld channels and %lld weights each is made by ",
                 QN_STR_ARG(d->op->name), (long long)(s->batch * s->out_height * s->out_width),
                 (long long)s->channels, (long long)(s->kernel_height * s->kernel_width));
  put_variant(&text, &d->variant);
  qn_text_format(&text, ": about %.0f cycles on %s", d->variant.cycles, lo->target->name);
  for (uint32_t i = 0; i < d->variants.count; i++) {
    const variant *w = &d->variants.of[i];
    if (w->problem || is_taken(d, w)) continue;
    qn_text_puts(&text, "; by ");
    put_variant(&text, w);
    qn_text_format(&text, ", %.0f", w->cycles);
  }
  const char *said =
      NULL; /* reason of an unsupported form, reported once for all of its schedules */
  for (uint32_t i = 0; i < d->variants.count; i++) {
    const variant *w = &d->variants.of[i];
    if (!w->problem || w->problem == said) continue;
    said = w->problem;
    qn_text_puts(&text, "; no ");
    put_form(&text, w);
    qn_text_format(&text, ": %s", said);
  }
  qn_explain(lo->pass, d->op->loc, "%s", text.data);
  qn_text_deinit(&text);
}
