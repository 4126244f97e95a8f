/* Computes how much noise a tensor would have without one of its possible faults.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/loss.h"

#include <math.h>
#include <stdlib.h>

#include "cli/memory.h"
#include "cli/tensors/tensors.h"

const char *const loss_cause_names[] = {
    [LOSS_ZERO_POINT] = "zero_point", [LOSS_CLIPPING] = "clipping",
    [LOSS_SCALE] = "scale",           [LOSS_BIAS] = "bias",
    [LOSS_ROUNDING] = "rounding",     [LOSS_OTHER] = "other",
    [LOSS_INPUTS] = "inputs"};

/* A quantization: stored value q in [low, high] represents scale * (q - zero). */
typedef struct grid {
  double scale, zero, low, high;
} grid;

typedef struct work {
  const qn_tensor_info *real, *stored;
  const void *real_data, *stored_data;
  size_t count, channels;
  grid is, ideal;
  /* sums of x x, y y, x y over all elements; x: float, y: quantized */
  double signal, power, product;
  double error, noise; /* sums of e and e e with e = y - x */
  /* noise of unclipped values when rounded to the tensor's grid */
  double rounding;
  /* ideal_rounding: noise of the same values on the ideal grid; ideal_noise: of all values */
  double ideal_rounding, ideal_noise;
  /* Noise of clipped values: as they are, and on an unlimited grid of the same scale. */
  double clipped_noise, unclipped_noise;
  double stored_noise; /* noise of all floats when rounded to the tensor's grid */
  size_t clipped;
  double least, most; /* minimum and maximum of the floats */
} work;

static grid grid_of(const qn_tensor_info *info) {
  grid g = {.scale = info->scale, .zero = (double)info->zero_point};
  double bits = info->dtype == QN_DTYPE_I16 ? 16 : 8, half = exp2(bits - 1);
  g.low = info->dtype == QN_DTYPE_U8 ? 0 : -half;
  g.high = info->dtype == QN_DTYPE_U8 ? 2 * half - 1 : half - 1;
  return g;
}

static double store(const grid *g, double x) {
  double q = round(x / g->scale) + g->zero;
  return isnan(q) ? g->zero : fmin(fmax(q, g->low), g->high);
}

static double value_of(const grid *g, double q) { return g->scale * (q - g->zero); }

static double square(double x) { return x * x; }

bool loss_is_of(const qn_tensor_info *real, const qn_tensor_info *stored) {
  bool narrow =
      stored->dtype == QN_DTYPE_I8 || stored->dtype == QN_DTYPE_U8 || stored->dtype == QN_DTYPE_I16;
  return real->dtype == QN_DTYPE_F32 && narrow && stored->scale > 0;
}

static double x_at(const work *w, size_t i) { return cli_tensor_real(w->real, w->real_data, i); }
static double y_at(const work *w, size_t i) {
  return cli_tensor_real(w->stored, w->stored_data, i);
}

static void add_sums(work *w) {
  for (size_t i = 0; i < w->count; i++) {
    double x = x_at(w, i), y = y_at(w, i);
    w->signal += x * x;
    w->power += y * y;
    w->product += x * y;
    w->error += y - x;
    w->noise += square(y - x);
    w->least = fmin(w->least, x);
    w->most = fmax(w->most, x);
  }
}

/* The ideal grid: as many steps over the range of the floats, with 0 as a stored value. */
static void make_ideal(work *w) {
  w->ideal = w->is;
  double width = w->most - w->least;
  if (width > 0) w->ideal.scale = width / (w->is.high - w->is.low);
  w->ideal.zero = round(w->ideal.low - w->least / w->ideal.scale);
}

static void add_noises(work *w) {
  const grid *g = &w->is;
  double least = value_of(g, g->low - 0.5), most = value_of(g, g->high + 0.5);
  for (size_t i = 0; i < w->count; i++) {
    double x = x_at(w, i), q = cli_tensor_stored(w->stored, w->stored_data, i);
    double ideal = square(value_of(&w->ideal, store(&w->ideal, x)) - x);
    double stored = square(value_of(g, store(g, x)) - x);
    w->ideal_noise += ideal;
    w->stored_noise += stored;
    if ((q == g->low && x < least) || (q == g->high && x > most)) {
      w->clipped++;
      w->clipped_noise += square(value_of(g, q) - x);
      w->unclipped_noise += square(g->scale * round(x / g->scale) - x);
    } else {
      w->ideal_rounding += ideal;
      w->rounding += stored;
    }
  }
}

/* ---- noise with one cause removed ---- */

static double without_clipping(const work *w) {
  return w->noise - w->clipped_noise + w->unclipped_noise;
}

/* Noise without an error of the zero point: all values are shifted by whole steps. If the range
 * would hold all values around another middle, also without the clipping; the smaller of both. */
static double without_zero_point(const work *w) {
  double n = (double)w->count, by = w->is.scale * round(w->error / n / w->is.scale);
  double shifted = w->noise - 2 * by * w->error + n * by * by;
  bool fits = w->most - w->least <= w->is.scale * (w->is.high - w->is.low + 1);
  return fits && w->clipped > 0 ? fmin(shifted, without_clipping(w)) : shifted;
}

/* Noise without an error of the scale: the smaller of the noise after multiplication by the best
 * factor, and the noise with steps that are no larger than the range of the floats requires. */
static double without_scale(const work *w) {
  double fitted = w->power > 0 ? w->signal - square(w->product) / w->power : w->noise;
  double finer = w->noise - fmax(w->rounding - w->ideal_rounding, 0);
  return fmax(fmin(fitted, finer), 0);
}

/* Noise without a constant error per channel. NAN if there are less than two values per channel,
 * because then constants would explain any noise. */
static double without_bias(const work *w) {
  if (w->channels == 0 || w->count < 2 * w->channels) return NAN;
  double *sums = cli_need(calloc(w->channels, sizeof *sums)), left = w->noise;
  double each = (double)(w->count / w->channels);
  for (size_t i = 0; i < w->count; i++) sums[i % w->channels] += y_at(w, i) - x_at(w, i);
  for (size_t c = 0; c < w->channels; c++) left -= square(sums[c]) / each;
  free(sums);
  return fmax(left, 0) * each / (each - 1);
}

/* ---- the cause that is reported ---- */

static double ratio(double signal, double noise) {
  if (isnan(noise)) return NAN;
  return noise <= 0 ? INFINITY : signal > 0 ? 10 * log10(signal / noise) : NAN;
}

/* The cause. Its removal must improve the SNR by half of the distance to the ideal SNR in dB, at
 * least 1 dB; 6 dB, i.e. three quarters of the noise, always suffice. Among causes within 1 dB of
 * the best, the first is reported. If there is none: rounding if the SNR is near the ideal, else
 * other. */
static loss_cause cause_of(const loss_report *l) {
  static const double least = 1, alike = 1, near_ideal = 3, most = 6; /* dB */
  double best = l->snr_db, wanted = fmin(fmax((l->ideal_db - l->snr_db) / 2, least), most);
  for (int i = 0; i < LOSS_CAUSES; i++) best = fmax(best, l->without[i]); /* fmax ignores NAN */
  /* the negation is true for NAN, i.e. without a signal */
  if (!(best >= l->snr_db + wanted) || isinf(l->snr_db))
    return l->snr_db >= l->ideal_db - near_ideal ? LOSS_ROUNDING : LOSS_OTHER;
  int cause = 0;
  while (!(l->without[cause] >= best - alike)) cause++;
  return (loss_cause)cause;
}

loss_report loss_of(const qn_tensor_info *real, const void *real_data, const qn_tensor_info *stored,
                    const void *stored_data) {
  work w = {.real = real,
            .stored = stored,
            .real_data = real_data,
            .stored_data = stored_data,
            .count = cli_tensor_elements(stored),
            .is = grid_of(stored)};
  w.channels = stored->rank > 0 ? (size_t)stored->dims[stored->rank - 1] : 1;
  loss_report l = {.cause = LOSS_ROUNDING};
  if (w.count == 0) return l;
  add_sums(&w);
  make_ideal(&w);
  add_noises(&w);
  l.snr_db = ratio(w.signal, w.noise);
  l.stored_db = ratio(w.signal, w.stored_noise);
  l.ideal_db = ratio(w.signal, w.ideal_noise);
  l.without[LOSS_ZERO_POINT] = ratio(w.signal, without_zero_point(&w));
  l.without[LOSS_CLIPPING] = ratio(w.signal, without_clipping(&w));
  l.without[LOSS_SCALE] = ratio(w.signal, without_scale(&w));
  l.without[LOSS_BIAS] = ratio(w.signal, without_bias(&w));
  l.clipped = (double)w.clipped / (double)w.count;
  l.away = w.error / (double)w.count / w.is.scale;
  l.factor = w.signal > 0 ? w.product / w.signal : NAN;
  l.cause = cause_of(&l);
  return l;
}
