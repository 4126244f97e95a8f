/* Conversion of real multipliers to mantissa and shift, and the computation of each operator's
 * multipliers. Which steps are rounded to float32 is normative, because it decides the last bit of
 * the mantissa. A cast to float marks such a step. The file is compiled without contraction, so
 * products and quotients are rounded exactly where they are written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/multiplier.h"

enum {
  ADD_LEFT_SHIFT = 20,
  ADD_LEFT_SHIFT_16 = 15,
  ADD_ONCE_BITS = 21, /* bits of the larger term's factor */
  SOFTMAX_INTEGER_BITS = 5
};

qn_multiplier qn_multiplier_of(double real) {
  if (!(real > 0) || isinf(real)) return (qn_multiplier){0, 0};
  int exponent;
  int64_t mantissa = (int64_t)round(ldexp(frexp(real, &exponent), 31));
  if (mantissa == INT64_C(1) << 31) {
    mantissa >>= 1;
    exponent++;
  }
  if (exponent < -31) return (qn_multiplier){0, 0};
  if (exponent > 31) return (qn_multiplier){INT32_MAX, 31};
  return (qn_multiplier){(int32_t)mantissa, exponent};
}

double qn_multiplier_real(qn_multiplier multiplier) {
  return ldexp((double)multiplier.mantissa, multiplier.shift - 31);
}

/* A multiplier with a shift above `most` (at least 7) is at least 2^7. So an accumulator beyond the
 * limit of 2^9 gives a result of at least 2^16 in magnitude, whether it is clamped to the limit or
 * not, and that saturates a 16-bit result with any zero point. A multiplier with shift 17 is at
 * least 2^16, so every accumulator except 0 saturates the result; therefore larger shifts are
 * replaced by 17. */
qn_limited qn_multiplier_limited(qn_multiplier multiplier, int32_t most) {
  enum { LIMIT = 1 << 9, ENOUGH = 17 };
  if (multiplier.shift <= most) return (qn_limited){multiplier, INT64_MAX};
  if (multiplier.shift > ENOUGH) multiplier.shift = ENOUGH;
  return (qn_limited){multiplier, LIMIT};
}

double qn_real_conv(double input, double weight, double output, bool is_unsigned) {
  double product = input * weight;
  return (is_unsigned ? (double)(float)product : product) / output;
}

double qn_real_linear(const qn_profile *profile, double input, double weight, double output,
                      bool per_axis) {
  double product = input * weight;
  bool narrow = profile->linear_product == QN_IN_F32 && !per_axis;
  return (narrow ? (double)(float)product : product) / output;
}

double qn_real_mul(const qn_profile *profile, double a, double b, double output) {
  return profile->mul_ratio == QN_IN_F64 ? a * b / output : qn_real_single(a, b, output);
}

double qn_real_single(double a, double b, double output) {
  float product = (float)a * (float)b;
  return (double)(product / (float)output);
}

double qn_real_requantize(double input, double output) { return input / output; }

double qn_real_relu(double input, double output) { return (double)((float)input / (float)output); }

/* Parameters of QN_ADD_THRICE for which only the last step rounds: the terms are integers of at
 * most 21 bits, and the last mantissa is a power of two. */
static qn_add_multipliers add_once(double a, double b, double output) {
  float real_a = (float)a / (float)output, real_b = (float)b / (float)output;
  int shift = ADD_ONCE_BITS - 1 - ilogbf(fmaxf(real_a, real_b));
  double whole_a = nearbyint(ldexp((double)real_a, shift));
  double whole_b = nearbyint(ldexp((double)real_b, shift));
  return (qn_add_multipliers){ADD_ONCE_BITS,
                              qn_multiplier_of(ldexp(whole_a, -ADD_ONCE_BITS)),
                              qn_multiplier_of(ldexp(whole_b, -ADD_ONCE_BITS)),
                              {INT32_C(1) << (31 - shift), 0}};
}

bool qn_multipliers_add_exist(const qn_profile *profile, uint32_t width, double a, double b,
                              double output) {
  if (profile->adds == QN_ADD_THRICE || width != 8) return true;
  float real_a = (float)a / (float)output, real_b = (float)b / (float)output;
  return fminf(real_a, real_b) >= 0x1p-10F && fmaxf(real_a, real_b) < 0x1p8F;
}

qn_add_multipliers qn_multipliers_add(const qn_profile *profile, uint32_t width, double a, double b,
                                      double output, bool subtract) {
  if (profile->adds == QN_ADD_ONCE && width == 8) return add_once(a, b, output);
  int left_shift = width == 8 ? ADD_LEFT_SHIFT : ADD_LEFT_SHIFT_16;
  double twice = 2 * fmax(a, b), scaled = ldexp(output, left_shift);
  double real_a = a / twice, real_b = b / twice, real_output = twice / scaled;
  if (profile->sub_ratio == QN_IN_F32 && subtract) {
    real_a = (double)((float)a / (float)twice);
    real_b = (double)((float)b / (float)twice);
    real_output = (double)((float)twice / (float)scaled);
  }
  return (qn_add_multipliers){left_shift, qn_multiplier_of(real_a), qn_multiplier_of(real_b),
                              qn_multiplier_of(real_output)};
}

qn_multiplier qn_multiplier_of_8_bits(float ratio) {
  return (qn_multiplier){(int32_t)nearbyintf(ratio * 256) * (1 << 15), 8};
}

/* Each operation is rounded to float32; none is fused. */
qn_single qn_single_mean(const qn_affine8 *input, const qn_affine8 *output, int64_t count) {
  float ratio = (float)input->scale / (float)output->scale, share = 1.0F / (float)count;
  float factor = ratio * share, zeros = (float)count * (float)input->zero_point;
  float moved = zeros * factor;
  return (qn_single){factor, (float)output->zero_point - moved};
}

qn_multiplier qn_multiplier_mean_offset(const qn_affine8 *input, const qn_affine8 *output,
                                        int64_t count, int32_t *out_offset) {
  float product = (float)input->zero_point * (float)input->scale;
  float zeros = product / (float)output->scale;
  float nearest = fminf(fmaxf(zeros > 0 ? zeros + 0.5F : zeros - 0.5F, -0x1p30F), 0x1p30F);
  *out_offset = (int32_t)output->zero_point - (int32_t)nearest;
  float divisor = (float)count * (float)output->scale;
  return qn_multiplier_of((double)((float)input->scale / divisor));
}

qn_multiplier qn_multiplier_mean(double input, double output, int64_t count) {
  qn_multiplier m = qn_multiplier_of(qn_real_requantize(input, output));
  int32_t shift = 63 - __builtin_clzll((uint64_t)count);
  if (shift > 32) shift = 32;
  if (shift > 31 + m.shift) shift = 31 + m.shift;
  m.mantissa = (int32_t)(((int64_t)m.mantissa << shift) / count);
  m.shift -= shift;
  return m;
}

qn_softmax_params qn_softmax_params_of(double beta, double input) {
  double real = fmin(ldexp(beta * input, 31 - SOFTMAX_INTEGER_BITS), (double)INT32_MAX);
  qn_multiplier m = qn_multiplier_of(real);
  double radius = ldexp((1 << SOFTMAX_INTEGER_BITS) - 1, 31 - SOFTMAX_INTEGER_BITS - m.shift);
  return (qn_softmax_params){m, qn_sat32(-(int64_t)fmin(floor(radius), (double)INT32_MAX))};
}
