/* The names that rules may use in this build: functions, options and layouts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/external.h"

static const qn_rule_word ops[] = {
#define OP(name, summary, ...) {name, summary},
#include "rules/vocabulary.def"
#undef OP
    {NULL, NULL},
};

#define EXTERNAL(kind, name, operands)                                                             \
  { #name, QN_RULE_##kind, operands, qn_rule_##name, NULL }
static const qn_rule_external externals[] = {
    EXTERNAL(CONSTRAINT, fits_budget, "oi"),
    EXTERNAL(CONSTRAINT, same_axis, "oi"),
    EXTERNAL(CONSTRAINT, const_is_uniform, "o"),
    EXTERNAL(SHAPEFN, add_pads, "oo"),
    EXTERNAL(SHAPEFN, build_lut, "oo"),
    EXTERNAL(SPLIT_SHAPEFN, simple_split_start, "o"),
    EXTERNAL(SPLIT_SHAPEFN, simple_split_size, "o"),
    EXTERNAL(SPLIT_SHAPEFN, simpledim_split_start, "oi"),
    EXTERNAL(SPLIT_SHAPEFN, simpledim_split_size, "oi"),
    EXTERNAL(SPLIT_SHAPEFN, conv_split_start_valid, "ooo"),
    EXTERNAL(SPLIT_SHAPEFN, conv_split_size_valid, "ooo"),
    EXTERNAL(SPLIT_SHAPEFN, window_split_start, "oooo"),
    EXTERNAL(SPLIT_SHAPEFN, window_split_size, "oooo"),
    EXTERNAL(SPLIT_SHAPEFN, window_split_pad, "oooo"),
    EXTERNAL(REPLACE, fold_quantize_const, ""),
    EXTERNAL(REPLACE, fold_batchnorm, ""),
    {NULL, QN_RULE_CONSTRAINT, NULL, NULL, NULL},
};
#undef EXTERNAL

static const qn_rule_word options[] = {
    {"signed_kernels", "convolutions have signed activations"},
    {"relaxed_precision", "results may have half precision"},
    {"fc_tile", "outputs of a fully connected layer that are computed at a time; 0: all"},
    {NULL, NULL},
};

static const qn_rule_word layouts[] = {
    {"Flat", "elements consecutively: chunks of 1"},
    {"Blocked32", "32 channels beside each other: chunks of 32 in the last dimension"},
    {NULL, NULL},
};

const qn_rule_names qn_rule_default_names = {
    .ops = ops, .options = options, .layouts = layouts, .externals = externals};

const char *const qn_rule_dtypes[] = {"QUInt8", "QInt8",   "QUInt16",  "QInt16",  "QInt32",
                                      "Int32",  "Float16", "Float32",  "Float",   "UInt8",
                                      "Int8",   "UInt16",  "Int16",    "UInt32",  "Int64",
                                      "UInt64", "Bool",    "BFloat16", "Float64", NULL};
