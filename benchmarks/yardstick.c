/* Measures this core during a comparison: a chain of dependent additions gives the clock frequency,
 * and a loop of dot products the peak rate of 8-bit multiply-accumulates. compare.py loads it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <stdint.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Cycles per second, from a chain of additions that each wait for the one before. */
double yardstick_hertz(void) {
  enum { ROUNDS = 2000, CHAIN = 100 };
  const uint64_t one = 1;
  uint64_t x = 1;
  double start = now();
  for (int i = 0; i < ROUNDS; i++)
    for (int k = 0; k < CHAIN / 4; k++)
      __asm__ volatile("add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
                       : "+r"(x)
                       : "r"(one)); /* of x, it would be one more link of the chain */
  return ROUNDS * (double)CHAIN / (now() - start);
}

enum { ROUNDS = 4000, CHAINS = 12 };

__attribute__((target("avx512f,avx512bw,avx512vnni"))) static double peak_avx512vnni(void) {
  __m512i acc[CHAINS], a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
#pragma GCC unroll 16
  for (int k = 0; k < CHAINS; k++) acc[k] = _mm512_set1_epi32(k);
  double start = now();
  for (int i = 0; i < ROUNDS; i++) {
#pragma GCC unroll 16 /* accumulators in registers */
    for (int k = 0; k < CHAINS; k++) acc[k] = _mm512_dpbusd_epi32(acc[k], a, b);
    __asm__ volatile("" : "+x"(a), "+x"(b));
  }
  double seconds = now() - start;
#pragma GCC unroll 16
  for (int k = 1; k < CHAINS; k++) acc[0] = _mm512_add_epi32(acc[0], acc[k]);
  __asm__ volatile("" ::"x"(acc[0]));
  return ROUNDS * (double)CHAINS * 64 / seconds;
}

__attribute__((target("avx2"))) static double peak_avx2(void) {
  __m256i acc[CHAINS], a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(5),
                       ones = _mm256_set1_epi16(1);
#pragma GCC unroll 16
  for (int k = 0; k < CHAINS; k++) acc[k] = _mm256_set1_epi32(k);
  double start = now();
  for (int i = 0; i < ROUNDS; i++) {
#pragma GCC unroll 16
    for (int k = 0; k < CHAINS; k++) {
      __m256i pairs = _mm256_maddubs_epi16(a, b);
      __asm__ volatile("" : "+x"(pairs)); /* or the product would be hoisted */
      acc[k] = _mm256_add_epi32(acc[k], _mm256_madd_epi16(pairs, ones));
    }
  }
  double seconds = now() - start;
#pragma GCC unroll 16
  for (int k = 1; k < CHAINS; k++) acc[0] = _mm256_add_epi32(acc[0], acc[k]);
  __asm__ volatile("" ::"x"(acc[0]));
  return ROUNDS * (double)CHAINS * 32 / seconds;
}

/* Multiply-accumulates per second of one core with its best exact 8-bit instruction; 0 unknown. */
double yardstick_peak(void) {
  if (__builtin_cpu_supports("avx512vnni")) return peak_avx512vnni();
  if (__builtin_cpu_supports("avx2")) return peak_avx2();
  return 0;
}
