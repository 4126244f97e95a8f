/* Systems of target triples that several architectures support, and their object formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

#define ELF "linux", "freebsd", "none-elf", "unknown-elf"
const char *const qn_cg_elf[] = {ELF, NULL};
const char *const qn_cg_hosted[] = {ELF, "macos", "darwin", "windows-gnu", NULL};

qn_cg_format qn_cg_format_of(const char *triple) {
  if (strstr(triple, "-macos") || strstr(triple, "-darwin")) return QN_FORMAT_MACHO;
  return strstr(triple, "-windows-") ? QN_FORMAT_COFF : QN_FORMAT_ELF;
}
