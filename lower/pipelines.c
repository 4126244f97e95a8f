/* The compiler's own pipeline, by name: what `compile`, `run`, `bench` and `verify` do to a model,
 * and `opt --compile` to any module. Its parts have names too, so that a pipeline can start at the
 * stage of a given module, and the passes on graphs can be disabled by their name.
 *
 *   compile = model-to-integer, integer-to-loops
 *
 * The order has three reasons. Graphs are simplified while their ops are still those of the model.
 * Tensors become unsigned before zero points are folded into constants, because these depend on the
 * signedness. The properties of padding and zero points that schedules require are in the records
 * of passes, so that lower-to-loops establishes them also when it is run alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/lower.h"

const qn_pass qn_pass_prepare_integer = {
    .name = "prepare-integer",
    .summary = "prepare the integer stage for scheduling: fold clamps, make padding explicit, fold "
               "zero points, remove unread channels, join rows of few channels, fuse elementwise "
               "ops",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .pipeline = "tabulate-bytes,fold-clamps,use-unsigned,materialize-padding,"
                "fold-zero-points,remove-unread-channels,rows-to-depth,fuse-elementwise,"
                "simplify-integer",
};

const qn_pass qn_pass_model_to_integer = {
    .name = "model-to-integer",
    .summary = "lower from the model stage to the integer stage",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .pipeline = QN_PASSES_BEFORE_BANDS "," QN_PASSES_FROM_BANDS,
};

const qn_pass qn_pass_integer_to_loops = {
    .name = "integer-to-loops",
    .summary = "lower from the integer stage to the loops stage",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .pipeline = "prepare-integer,fold-constants,lower-to-loops,canonicalize,cse",
};

const qn_pass qn_pass_compile = {
    .name = "compile",
    .summary = "lower from the model stage to scheduled loops, as the compiler does",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .pipeline = "model-to-integer,integer-to-loops",
};

const qn_pass *const qn_lower_passes[] = {
#define PASS(stem) &qn_pass_##stem,
#include "lower/passes.def"
#undef PASS
    NULL,
};
