/* Images as inputs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_IMAGE_H
#define QN_CLI_IMAGE_H

#include "cli/cli.h"

/* Whether an image can be an input: CLI_USAGE, with a message, if it can't. */
cli_exit image_check(const cli *c, const qn_tensor_info *info);

/* Reads an image, scales it to the input's [1, height, width, 1 or 3] and converts every byte p as
 * the input's quantization implies: p / 255 is mapped to that one of the usual ranges [-1, 1], [0,
 * 1] and [0, 255] that is nearest to what the input can represent, then to the nearest stored
 * value. float32 inputs get [-1, 1]. */
cli_exit image_read(cli *c, const char *path, const qn_tensor_info *info, void *out_data);

#endif
