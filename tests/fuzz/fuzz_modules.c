/* Generated modules, computed by all engines. The bytes are the decisions of the generator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/differ/differ.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const differ_options options = {.jit_every = 400};
  static differ_counts counts; /* selects the cases that are compiled: the first is */
  fuzz_require(differ_module(qn_choices_of_bytes(data, size), &options, &counts));
  return 0;
}
