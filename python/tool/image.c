/* In the wheel the tool reads no images: a decoder of untrusted files belongs to a system that
 * keeps it up to date, and Python has others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/image.h"

cli_exit image_check(const cli *c, const qn_tensor_info *info) {
  (void)info;
  return cli_fail(c, CLI_UNSUPPORTED,
                  "the tool of the Python package reads no images: give arrays, --input @FILE.npy");
}

cli_exit image_read(cli *c, const char *path, const qn_tensor_info *info, void *out_data) {
  (void)path, (void)out_data;
  return image_check(c, info);
}
