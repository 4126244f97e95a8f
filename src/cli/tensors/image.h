/* Images as inputs of a model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_IMAGE_H
#define QN_CLI_IMAGE_H

#include "cli/cli.h"

/* Whether an image can be an input: CLI_USAGE, with a message, if it can't. */
cli_exit image_check(const cli *c, const qn_tensor_info *info);

/* Reads an image, scales it to the input's shape [1, height, width, 1 or 3], and converts each byte
 * p by the input's quantization: p / 255 is mapped to the usual range ([-1, 1], [0, 1] or [0, 255])
 * that is nearest to the range of the input, and then rounded to the nearest stored value. float32
 * inputs get [-1, 1]. */
cli_exit image_read(cli *c, const char *path, const qn_tensor_info *info, void *out_data);

#endif
