/* Systems of target triples that several architectures support, and their object formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "codegen/machine/machine.h"

#define ELF "linux", "freebsd", "none-elf", "unknown-elf"
const char *const qn_cg_elf[] = {ELF, NULL};
const char *const qn_cg_hosted[] = {ELF, "macos", "darwin", "windows-gnu", NULL};

const char *qn_cg_system_of(const char *triple) {
  for (int part = 0; part < 2; part++) {
    triple += strcspn(triple, "-");
    triple += *triple == '-';
  }
  return triple;
}

qn_cg_format qn_cg_format_of(const char *triple) {
  const qn_str system = qn_str_of(qn_cg_system_of(triple));
  if (qn_str_starts(system, "macos") || qn_str_starts(system, "darwin")) return QN_FORMAT_MACHO;
  return qn_str_starts(system, "windows") ? QN_FORMAT_COFF : QN_FORMAT_ELF;
}

bool qn_cg_system_is_usual(const char *triple) {
  /* LLVM takes the end of a triple for the file format, also without a dash. */
  static const char *const other[] = {"x32",  "ilp32", "macho", "coff",
                                      "goff", "wasm",  "spirv", "dxcontainer"};
  const char *system = qn_cg_system_of(triple);
  for (size_t i = 0; i < QN_COUNT(other); i++)
    if (strstr(system, other[i])) return false;
  return qn_cg_format_of(triple) == QN_FORMAT_ELF || !strstr(system, "elf");
}
