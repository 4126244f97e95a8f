/* The boards that the tool knows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/board/board.h"

#define ARM                                                                                        \
  .compilers = {"arm-none-eabi-gcc"}, .compiler_package = "gcc-arm-none-eabi",                     \
  .emulator = "qemu-system-arm", .emulator_package = "qemu-system-arm"

static const cli_board boards[] = {
    {"an385", "mps2-an385", "thumb", "thumbv7m-none-eabi", "cortex-m3", "mps2.ld", ARM,
     .flags = {"-mthumb", "-mcpu=cortex-m3"}},
    {"an386", "mps2-an386", "thumb", "thumbv7em-none-eabi", "cortex-m4", "mps2.ld", ARM,
     .flags = {"-mthumb", "-mcpu=cortex-m4"}},
    {"an500", "mps2-an500", "thumb", "thumbv7em-none-eabihf", "cortex-m7", "mps2.ld", ARM,
     .flags = {"-mthumb", "-mcpu=cortex-m7"}},
    {"an547", "mps3-an547", "thumb", "thumbv8.1m.main-none-eabihf", "cortex-m55", "an547.ld", ARM,
     .flags = {"-mthumb", "-mcpu=cortex-m55"}},
    {"virt", "virt", "riscv32", "riscv32-unknown-elf", "rv32imc", "virt.ld",
     .compilers = {"riscv64-unknown-elf-gcc", "riscv32-unknown-elf-gcc", "riscv-none-elf-gcc"},
     .compiler_package = "gcc-riscv64-unknown-elf", .emulator = "qemu-system-riscv32",
     .emulator_package = "qemu-system-misc",
     .flags = {"-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"}, .bios = {"-bios", "none"}},
};

cli_exit cli_board_find(cli *c, const char *name, const cli_board **out_board) {
  const char *names[CLI_COUNT(boards) + 1] = {NULL};
  for (size_t i = 0; i < CLI_COUNT(boards); i++) {
    names[i] = boards[i].name;
    if (strcmp(name, boards[i].name) != 0 && strcmp(name, boards[i].machine) != 0) continue;
    *out_board = &boards[i];
    return CLI_OK;
  }
  char meant[CLI_SUGGESTION];
  cli_suggest(meant, "", name, names);
  return cli_fail(c, CLI_USAGE, "--board is an385, an386, an500, an547 or virt, not '%s'%s", name,
                  meant);
}
