/* What rules may name in this build.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rules.h"

static const qn_rule_word ops[] = {
#define OP(name, summary) {name, summary},
#include "rules/vocabulary.def"
#undef OP
    {NULL, NULL},
};

static const qn_rule_external externals[] = {
    {"fits_budget", QN_RULE_CONSTRAINT, "oi"},
    {"same_axis", QN_RULE_CONSTRAINT, "oi"},
    {"const_is_uniform", QN_RULE_CONSTRAINT, "o"},
    {"add_pads", QN_RULE_SHAPEFN, "oo"},
    {"build_lut", QN_RULE_SHAPEFN, "oo"},
    {"simple_split_start", QN_RULE_SPLIT_SHAPEFN, "o"},
    {"simple_split_size", QN_RULE_SPLIT_SHAPEFN, "o"},
    {"simpledim_split_start", QN_RULE_SPLIT_SHAPEFN, "oi"},
    {"simpledim_split_size", QN_RULE_SPLIT_SHAPEFN, "oi"},
    {"conv_split_start_valid", QN_RULE_SPLIT_SHAPEFN, "ooo"},
    {"conv_split_size_valid", QN_RULE_SPLIT_SHAPEFN, "ooo"},
    {"fold_quantize_const", QN_RULE_REPLACE, ""},
    {"fold_batchnorm", QN_RULE_REPLACE, ""},
    {NULL, QN_RULE_CONSTRAINT, NULL},
};

static const qn_rule_word options[] = {
    {"signed_kernels", "convolutions have signed activations"},
    {"relaxed_precision", "results may have half precision"},
    {"fc_tile", "outputs of a fully connected layer that are computed at a time; 0: all"},
    {NULL, NULL},
};

static const qn_rule_word layouts[] = {
    {"Flat", "elements one after the other: chunks of 1"},
    {"Blocked32", "32 channels beside each other: chunks of 32 in the last dimension"},
    {NULL, NULL},
};

const qn_rule_names qn_rule_default_names = {
    .ops = ops, .options = options, .layouts = layouts, .externals = externals};

const char *const qn_rule_dtypes[] = {"QUInt8", "QInt8",   "QUInt16",  "QInt16",  "QInt32",
                                      "Int32",  "Float16", "Float32",  "Float",   "UInt8",
                                      "Int8",   "UInt16",  "Int16",    "UInt32",  "Int64",
                                      "UInt64", "Bool",    "BFloat16", "Float64", NULL};
