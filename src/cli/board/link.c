/* Links the code of a model with the program of the board, and runs it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/board/board.h"

enum { MAX_ARGUMENTS = 48 };
static const double link_seconds = 120, run_seconds = 600;

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about, (void)kind, (void)place;
  return remove(path);
}

void cli_workshop_close(cli_workshop *shop) {
  enum { OPEN_FOLDERS = 8 };
  if (shop->folder) nftw(shop->folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
  free(shop->folder);
  free(shop->compiler);
  free(shop->emulator);
  *shop = (cli_workshop){0};
}

static cli_exit missing(cli *c, const cli_board *board, const char *program, const char *package) {
  return cli_fail(c, CLI_UNSUPPORTED,
                  "board %s needs the program %s, which PATH does not lead to; Debian and Ubuntu "
                  "have it in the package %s",
                  board->name, program, package);
}

cli_exit cli_workshop_open(cli *c, const cli_board *board, cli_workshop *out_shop) {
  cli_workshop shop = {.board = board};
  for (size_t i = 0; board->compilers[i] && !shop.compiler; i++)
    shop.compiler = cli_find_program(board->compilers[i]);
  shop.emulator = cli_find_program(board->emulator);
  *out_shop = shop;
  if (!shop.compiler) return missing(c, board, board->compilers[0], board->compiler_package);
  if (!shop.emulator) return missing(c, board, board->emulator, board->emulator_package);
  const char *parent = getenv("TMPDIR");
  char *folder = cli_text("%s/quern-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    cli_exit code = cli_fail(c, CLI_INVALID, "%s: %s", folder, strerror(errno));
    free(folder);
    return code;
  }
  out_shop->folder = folder;
  return CLI_OK;
}

char *cli_workshop_path(const cli_workshop *shop, const char *name) {
  return cli_text("%s/%s", shop->folder, name);
}

static cli_exit put(cli *c, const cli_workshop *shop, const char *name, const void *data,
                    size_t size) {
  char *path = cli_workshop_path(shop, name);
  cli_exit code = cli_write_file(c, path, data, size);
  free(path);
  return code;
}

static cli_exit put_sources(cli *c, const cli_workshop *shop) {
  static const char models[] = "#include \"abi.h\"\n"
                               "extern const qn_abi_model model_model;\n"
                               "const qn_abi_model *const models[] = {&model_model};\n"
                               "const uint32_t model_count = 1;\n";
  cli_exit code = put(c, shop, "models.c", models, sizeof models - 1);
  for (size_t i = 0; i < cli_board_file_count && code == CLI_OK; i++) {
    const cli_board_file *file = &cli_board_files[i];
    bool is_memory = strcmp(file->name, shop->board->memory) == 0;
    code = put(c, shop, is_memory ? "memory.ld" : file->name, file->bytes, file->size);
  }
  return code;
}

/* ---- programs ---- */

typedef struct command {
  const char *words[MAX_ARGUMENTS + 1];
  size_t count;
} command;

static void add(command *line, const char *const *words) {
  for (; *words && line->count < MAX_ARGUMENTS; words++) line->words[line->count++] = *words;
}

/* Shows what a program wrote to a log. Returns whether it wrote anything. */
static bool show(cli *c, const cli_workshop *shop, const char *log) {
  char *path = cli_workshop_path(shop, log), *text = NULL;
  size_t size = 0;
  bool any = cli_read_file(c, path, &text, &size) == CLI_OK && size > 0;
  if (any) fprintf(stderr, "%s%s", text, text[size - 1] == '\n' ? "" : "\n");
  qn_free(text);
  free(path);
  return any;
}

/* What the compiler reports is shown, warnings too. */
static cli_exit compile(cli *c, const cli_workshop *shop, const command *line) {
  int code = 0;
  cli_exit result =
      cli_run_program(c, line->words, shop->folder, "compiler.log", link_seconds, &code);
  if (result != CLI_OK) return result;
  show(c, shop, "compiler.log");
  return code == 0 ? CLI_OK
                   : cli_fail(c, CLI_UNSUPPORTED,
                              "%s makes no program for board %s; if a region overflows, the model "
                              "is too large for the board",
                              shop->compiler, shop->board->name);
}

static bool ends_with(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n >= m && strcmp(text + n - m, suffix) == 0;
}

/* Flags of the core; `cpu` replaces the board's own CPU, NULL: it does not. */
static void add_core(command *line, const cli_workshop *shop, const char *triple,
                     const char *cpu_flag) {
  add(line, (const char *const[]){shop->compiler, NULL});
  add(line, shop->board->flags);
  if (strcmp(shop->board->architecture, "thumb") != 0) return;
  if (cpu_flag) add(line, (const char *const[]){cpu_flag, NULL});
  bool in_registers = ends_with(triple, "hf"); /* floats among arguments */
  add(line, (const char *const[]){in_registers ? "-mfloat-abi=hard" : "-mfloat-abi=softfp", NULL});
}

static cli_exit compile_c(cli *c, const cli_workshop *shop, const qn_compile_options *options) {
  static const char *const rest[] = {
      "-isystem", ".",  "-std=c99", "-pedantic", "-ffreestanding", "-fbuiltin", "-Wall", "-Wextra",
      "-O2",      "-c", "model.c",  "-o",        "model.o",        NULL};
  command line = {0};
  char *cpu = cli_text("-mcpu=%s", options->cpu);
  add_core(&line, shop, options->triple, cpu);
  add(&line, rest);
  cli_exit code = compile(c, shop, &line);
  free(cpu);
  return code;
}

cli_exit cli_board_link(cli *c, const cli_workshop *shop, qn_form form,
                        const qn_compile_options *options, qn_bytes code) {
  static const char *const rest[] = {
      "-std=c17",  "-O1",       "-Wall",    "-ffreestanding", "-ffunction-sections",
      "-nostdlib", "-L.",       "-T",       "board.ld",       "-Wl,--gc-sections,-z,noexecstack",
      "board.c",   "replay.c",  "models.c", "model.o",        "-lgcc",
      "-o",        "model.elf", NULL};
  cli_exit result = put_sources(c, shop);
  if (result == CLI_OK)
    result = put(c, shop, form == QN_FORM_C ? "model.c" : "model.o", code.data, code.size);
  if (result == CLI_OK && form == QN_FORM_C) result = compile_c(c, shop, options);
  if (result != CLI_OK) return result;
  command line = {0};
  add_core(&line, shop, options->triple, NULL);
  add(&line, (const char *const[]){"-Wl,--no-warn-rwx-segments", NULL});
  if (options->io_in_arena) add(&line, (const char *const[]){"-DIO_IN_ARENA", NULL});
  add(&line, rest);
  return compile(c, shop, &line);
}

cli_exit cli_board_run(cli *c, const cli_workshop *shop) {
  static const char *const rest[] = {"-nographic",
                                     "-monitor",
                                     "none",
                                     "-serial",
                                     "none",
                                     "-semihosting-config",
                                     "enable=on,target=native",
                                     "-kernel",
                                     "model.elf",
                                     NULL};
  command line = {0};
  int code = 0;
  add(&line, (const char *const[]){shop->emulator, "-M", shop->board->machine, NULL});
  add(&line, shop->board->bios);
  add(&line, rest);
  double seconds = c->options.max_time ? strtod(c->options.max_time, NULL) : run_seconds;
  cli_exit result = cli_run_program(c, line.words, shop->folder, "emulator.log", seconds, &code);
  if (result != CLI_OK || code == 0) return result;
  if (code < 0)
    return cli_fail(c, CLI_LIMIT, "board %s: the program did not end within %g s",
                    shop->board->name, seconds);
  bool told = show(c, shop, "emulator.log");
  return cli_fail(c, CLI_MISMATCH, "board %s: the program ends by %s", shop->board->name,
                  told ? "an error"
                       : "a fault: the core of the board may lack instructions of --cpu");
}
