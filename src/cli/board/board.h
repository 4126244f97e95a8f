/* Runs the code of a model on an emulated board: a cross compiler links it with a program of ours
 * (device/ and examples/board), and an emulator runs that program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_BOARD_H
#define QN_CLI_BOARD_H

#include "cli/cli.h"

typedef struct cli_board {
  const char *name, *machine; /* an386, and what the emulator calls it */
  const char *architecture;   /* how triples of its core begin */
  const char *triple, *cpu;   /* the defaults of --target and --cpu */
  const char *memory;         /* its memories: a file of device/ */
  const char *compilers[4];   /* names of the cross compiler, ended by NULL */
  const char *compiler_package, *emulator, *emulator_package; /* packages of Debian */
  const char *flags[6]; /* of the compiler, for the core of the board; ended by NULL */
  const char *bios[3];  /* further arguments of the emulator, ended by NULL */
} cli_board;

/* The board of --board; an unknown name is CLI_USAGE. */
cli_exit cli_board_find(cli *c, const char *name, const cli_board **out_board);

/* A folder for files of one run, and the programs that work in it. */
typedef struct cli_workshop {
  const cli_board *board;
  char *folder, *compiler, *emulator;
} cli_workshop;

/* CLI_UNSUPPORTED if the compiler or the emulator is not installed; the message says which package
 * has it. */
cli_exit cli_workshop_open(cli *c, const cli_board *board, cli_workshop *out_shop);
/* Removes the folder with everything in it. */
void cli_workshop_close(cli_workshop *shop);
/* FOLDER/NAME; the caller frees it. */
char *cli_workshop_path(const cli_workshop *shop, const char *name);

/* Links the code of the model: an object, or C that is compiled first. */
cli_exit cli_board_link(cli *c, const cli_workshop *shop, qn_form form,
                        const qn_compile_options *options, qn_bytes code);
/* Runs the linked program, which reads the file "cases" of the folder and writes "answers". If it
 * fails, the code is CLI_MISMATCH, because the code of the model does not run. */
cli_exit cli_board_run(cli *c, const cli_workshop *shop);

/* ---- process.c ---- */

/* The path of a program in the absolute directories of PATH; NULL if there is none. The caller
 * frees it. */
char *cli_find_program(const char *name);
/* Runs a program in a folder, with both outputs in the file LOG of this folder. Stores its exit
 * code; -1 if a signal ended it, which is also what happens after `seconds`. */
cli_exit cli_run_program(cli *c, const char *const *arguments, const char *folder, const char *log,
                         double seconds, int *out_code);

/* ---- generated from the files of device/, examples/board and runtime/abi.h ---- */

typedef struct cli_board_file {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} cli_board_file;
extern const cli_board_file cli_board_files[];
extern const size_t cli_board_file_count;

#endif
