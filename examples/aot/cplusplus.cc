/* The same from C++: types and dimensions come from the header, and are checked when compiling.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "../digits/seven.h"
#include "digits.h"

using Input = std::array<DIGITS_INPUT_0_TYPE, DIGITS_INPUT_0_BYTES>;
using Output = std::array<DIGITS_OUTPUT_0_TYPE, DIGITS_OUTPUT_0_BYTES>;
static_assert(DIGITS_INPUT_0_RANK == 4 && DIGITS_INPUT_0_DIM_1 == 8 && DIGITS_INPUT_0_DIM_2 == 8,
              "images of 8 by 8");
static_assert(sizeof(seven) / sizeof(seven[0]) == DIGITS_INPUT_0_BYTES, "an image per call");

int main() {
  alignas(DIGITS_ARENA_ALIGN) static unsigned char arena[DIGITS_ARENA_BYTES];
  Input in;
  Output out;
  if (!digits_supported()) return 1;
  std::transform(std::begin(seven), std::end(seven), in.begin(), [](double x) {
    return DIGITS_INPUT_0_TYPE(std::lrint(x / 16.0 / DIGITS_INPUT_0_SCALE) +
                               DIGITS_INPUT_0_ZERO_POINT);
  });
  if (digits_run(in.data(), out.data(), arena) != 0) return 1;
  std::printf("%td in C++\n", std::max_element(out.begin(), out.end()) - out.begin());
}
