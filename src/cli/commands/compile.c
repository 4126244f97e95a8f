/* quern compile: compiles ahead of time to text, assembly, or an object file with a C header.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/document.h"
#include "cli/inspect/inspect.h"

static const struct {
  const char *name, *suffix;
  qn_form form;
} forms[] = {
    {"model", NULL, QN_FORM_MODEL},
    {"integer", NULL, QN_FORM_INTEGER},
    {"loops", ".mlir", QN_FORM_LOOPS},
    {"llvm", ".ll", QN_FORM_LLVM},
    {"asm", ".s", QN_FORM_ASM},
    {"obj", ".o", QN_FORM_OBJECT},
    {"c", ".c", QN_FORM_C},
};

static bool ends_with(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n >= m && strcmp(text + n - m, suffix) == 0;
}

/* The form of --emit; without --emit, the one that the output's file name suggests. */
static cli_exit choose_form(cli *c, qn_form *out_form) {
  const char *emit = c->options.emit, *output = c->options.output;
  for (size_t i = 0; i < CLI_COUNT(forms); i++) {
    bool by_name = !emit && forms[i].suffix && ends_with(output, forms[i].suffix);
    if (by_name || (emit && strcmp(emit, forms[i].name) == 0)) {
      *out_form = forms[i].form;
      return CLI_OK;
    }
  }
  if (emit) {
    return cli_fail(c, CLI_USAGE, "--emit is model, integer, loops, llvm, asm, obj or c, not '%s'",
                    emit);
  }
  return cli_fail(c, CLI_USAGE, "'%s' does not end in .o, .c, .s, .ll or .mlir: say --emit",
                  output);
}

/* Derives an identifier from the file name of the output or the model: "out/kws-2.o" gives kws_2.
 */
static cli_exit choose_symbol(cli *c, char **out_symbol) {
  const char *path = strcmp(c->options.output, "-") != 0 ? c->options.output : c->options.argument;
  const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
  size_t size = name ? strcspn(name, ".") : 0;
  bool letter = size > 0 && (name[0] < '0' || name[0] > '9');
  if (size == 0 || strcmp(name, "-") == 0) name = "model", size = strlen(name), letter = true;
  if (asprintf(out_symbol, "%s%.*s", letter ? "" : "model_", (int)size, name) < 0)
    return cli_fail(c, CLI_LIMIT, "out of memory");
  for (char *at = *out_symbol; *at; at++) {
    bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                 (*at >= '0' && *at <= '9') || *at == '_';
    if (!plain) *at = '_';
  }
  return CLI_OK;
}

/* Whether the output is for every CPU of the architecture: no CPU is given, and the output is code,
 * or --target or --features is given. Features are added to the baseline. */
static bool is_portable(const cli *c, qn_form form) {
  bool code =
      form == QN_FORM_OBJECT || form == QN_FORM_ASM || form == QN_FORM_LLVM || form == QN_FORM_C;
  return !c->options.cpu && (code || c->options.features || c->options.target);
}

/* C has no vector instructions, so that without a target it has the loops of no particular one. */
static const char *portable_cpu(const cli *c, qn_form form) {
  return form == QN_FORM_C && !c->options.target ? "generic" : "baseline";
}

/* Other architectures, and AArch64 for Windows, have one level. */
static void say_portable(const char *triple) {
  static const struct {
    const char *begins, *cpus, *baseline, *faster;
  } rows[] = {{"x86_64-", "x86-64", "x86-64", "x86-64-v3"},
              {"aarch64-", "aarch64", "armv8", "armv8-dot"},
              {"arm64-", "aarch64", "armv8", "armv8-dot"},
              {"riscv64-", "riscv64", "rv64", "rv64v"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool windows = triple && strcmp(rows[i].cpus, "aarch64") == 0 && strstr(triple, "windows");
    bool same = triple ? strncmp(triple, rows[i].begins, strlen(rows[i].begins)) == 0
                       : qn_host_runs(rows[i].baseline);
    if (!same || windows) continue;
    bool native = qn_host_runs(rows[i].baseline);
    fprintf(stderr,
            "quern compile: note: compiled for every %s CPU; '--cpu %s'%s makes it faster on newer "
            "ones, see 'quern list targets'\n",
            rows[i].cpus, rows[i].faster, native ? " or '--cpu native'" : "");
    return;
  }
}

/* The output and what else is made of the model. */
typedef struct products {
  char *code, *header, *report; /* report: NULL unless of an object */
  size_t code_size, header_size, report_size;
} products;

static qn_status make(cli *c, const qn_model *model, const qn_compile_options *options,
                      qn_form form, products *p) {
  qn_status status = QN_OK;
  if (c->options.header) status = qn_emit_header(model, options, &p->header, &p->header_size);
  if (status != QN_OK) return status;
  return c->options.report && form == QN_FORM_OBJECT
             ? qn_emit_reported(model, options, &p->code, &p->code_size, &p->report,
                                &p->report_size)
             : qn_emit_form(model, options, form, &p->code, &p->code_size);
}

/* The report of `quern inspect` for the compiled code; of an object, with its sections and stack.
 */
static cli_exit print_report(cli *c, const qn_model *model, const qn_compile_options *options,
                             const products *p) {
  json_t *document = NULL;
  cli_exit code = CLI_OK;
  if (!p->report)
    code = inspect_report(c, model, options, &document);
  else if (!(document = json_loadb(p->report, p->report_size, 0, NULL)))
    code = cli_fail(c, CLI_LIMIT, "out of memory");
  if (code != CLI_OK) return code;
  if (c->options.tflm_arena) code = inspect_add_tflm(c, document);
  if (code != CLI_OK) {
    json_decref(document);
    return code;
  }
  if (c->options.json) return cli_print_document(c, document, JSON_INDENT(1));
  printf("%s: %zu bytes\n", c->options.output, p->code_size);
  inspect_print(document);
  if (c->options.memory) inspect_print_memory(document);
  if (p->report) inspect_print_object(document);
  inspect_print_tflm(document);
  json_decref(document);
  return CLI_OK;
}

/* Writes both files or neither. The object, which is as large as the model, is generated last. */
static cli_exit emit(cli *c, const qn_model *model, const qn_compile_options *options,
                     qn_form form) {
  products p = {0};
  c->progress = cli_progress_begin("compiling", c->options.verbose);
  qn_status status = make(c, model, options, form, &p);
  cli_progress_end(c->progress);
  c->progress = NULL;
  cli_exit code = cli_exit_of(status);
  const char *paths[] = {c->options.output, c->options.header};
  qn_bytes both[] = {{(const uint8_t *)p.code, p.code_size},
                     {(const uint8_t *)p.header, p.header_size}};
  if (code == CLI_OK)
    code = cli_exit_of(qn_context_write_files(c->context, p.header ? 2 : 1, paths, both));
  if (code == CLI_OK && c->options.report) code = print_report(c, model, options, &p);
  qn_free(p.code);
  qn_free(p.header);
  qn_free(p.report);
  return code;
}

/* Text on a terminal is for people, so constants are elided and types have aliases. */
static cli_exit text_options(cli *c, qn_text_options *out_text) {
  enum { SHOWN = 16 };
  cli_exit code = cli_text_options(c, out_text);
  if (code != CLI_OK || strcmp(c->options.output, "-") != 0 || !isatty(STDOUT_FILENO)) return code;
  out_text->type_aliases = 1;
  out_text->own_forms = !c->options.generic;
  if (!c->options.elide) out_text->elide_elements_above = SHOWN;
  return CLI_OK;
}

/* Reads --section: the name of one section, or PART=NAME,... *out_names owns the names. */
static cli_exit read_sections(cli *c, char **out_names, qn_compile_options *out) {
  const struct {
    const char *part;
    const char **name;
  } rows[] = {
      {"weights=", &out->section}, {"code=", &out->code_section}, {"arena=", &out->arena_section}};
  const char *given = c->options.section;
  *out_names = given ? cli_text("%s", given) : NULL;
  if (!given || !strchr(given, '=')) {
    out->section = *out_names;
    return CLI_OK;
  }
  char *rest = *out_names;
  for (char *item; (item = strsep(&rest, ","));) {
    const char **name = NULL;
    for (size_t i = 0; i < CLI_COUNT(rows); i++) {
      size_t size = strlen(rows[i].part);
      if (strncmp(item, rows[i].part, size) != 0) continue;
      name = rows[i].name;
      item += size;
      break;
    }
    if (!name || *name)
      return cli_fail(c, CLI_USAGE,
                      "--section takes a name, or weights=NAME, code=NAME and arena=NAME, each at "
                      "most once, separated by commas; not '%s'",
                      given);
    *name = item;
  }
  return CLI_OK;
}

static cli_exit compile(cli *c) {
  qn_form form = QN_FORM_OBJECT;
  if (!c->options.output) return cli_fail(c, CLI_USAGE, "-o FILE is missing");
  cli_exit code = choose_form(c, &form);
  if (code != CLI_OK) return code;
  bool is_code = form == QN_FORM_OBJECT || form == QN_FORM_ASM || form == QN_FORM_C;
  if (c->options.header && !is_code)
    return cli_fail(c, CLI_USAGE, "--header goes with an object file, C or assembly");
  if (c->options.report && strcmp(c->options.output, "-") == 0)
    return cli_fail(c, CLI_USAGE, "--report prints where -o - writes");
  if ((c->options.json || c->options.memory) && !c->options.report)
    return cli_fail(c, CLI_USAGE, "--json and --memory go with --report");
  if (c->options.tflm_arena && !c->options.report)
    return cli_fail(c, CLI_USAGE, "--tflm-arena goes with --report");
  qn_model *model;
  code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  qn_compile_options options;
  qn_text_options text;
  code = cli_compile_options(c, model, &options);
  if (code == CLI_OK) code = text_options(c, &text);
  options.text = &text;
  char *symbol = NULL;
  if (code == CLI_OK && !options.symbol) {
    code = choose_symbol(c, &symbol);
    options.symbol = symbol;
  }
  bool portable = is_portable(c, form);
  if (portable) options.cpu = portable_cpu(c, form);
  char *names = NULL;
  if (code == CLI_OK) code = read_sections(c, &names, &options);
  if (code == CLI_OK) code = cli_usage_of(qn_compile_options_check(c->context, &options));
  if (code == CLI_OK) code = emit(c, model, &options, form);
  if (code == CLI_OK && portable && form == QN_FORM_OBJECT && !options.features)
    say_portable(options.triple);
  free(symbol);
  free(names);
  qn_model_destroy(model);
  return code;
}

static const char *const options[] = {
    "output",   "emit",   "header", "section", "arena-limit", "io-in-arena",
    "optimize", "symbol", "target", "cpu",     "features",    "disable-pass",
    "explain",  "report", "json",   "memory",  "tflm-arena",  NULL};
static const char *const frequent[] = {"output",  "header",   "cpu",    "target", "emit", "symbol",
                                       "section", "numerics", "report", "batch",  NULL};

const cli_command cli_compile_command = {
    .name = "compile",
    .argument = "MODEL",
    .summary = "compile a model ahead of time",
    .groups = CLI_LOADING | CLI_REWRITING | CLI_PRINTING,
    .options = options,
    .frequent = frequent,
    .details =
        "The object needs no library. Its header declares SYMBOL_run and SYMBOL_invoke; the "
        "shapes,\n"
        "scales and zero points of inputs and outputs; and the size of the arena. The same command "
        "gives\n"
        "the same bytes. Constants contain no addresses and are never written, so they stay in "
        "flash.\n"
        "Only the descriptor SYMBOL_model has addresses; --gc-sections drops it if nothing refers "
        "to it.\n"
        "All writable memory belongs to the caller.\n"
        "\n"
        "  quern compile model.tflite -o model.o --header model.h --cpu x86-64-v3\n"
        "  quern compile model.tflite -o model.o --target aarch64-linux-gnu\n"
        "  quern compile model.tflite -o model.c --target thumbv6m-none-eabi\n"
        "  quern compile model.tflite -o - --emit loops\n"
        "\n"
        "C is C99 with the interface of the object, for toolchains that take no object of another\n"
        "compiler. It declares what its header declares, and calls no function but memcpy.\n"
        "\n"
        "--target names the machine that runs the code: its architecture, then its system, which "
        "decides\n"
        "the file format. --cpu names the oldest CPU that runs it, or its level; 'quern list "
        "targets'\n"
        "prints both. By default code runs on every CPU of the target's architecture. --cpu native "
        "is\n"
        "for this machine only.\n"
        "\n"
        "  --target aarch64-linux-android --cpu cortex-a76     ELF; also linux-gnu, linux-musl, "
        "freebsd\n"
        "  --target arm64-apple-macos --cpu apple-m1           Mach-O; also x86_64-apple-macos\n"
        "  --target x86_64-windows-gnu --cpu znver4            COFF\n"
        "  --target riscv64-unknown-elf --cpu sifive-x280      without an operating system\n"
        "  --target thumbv7em-none-eabi --cpu cortex-m4        a microcontroller\n"
        "\n"
        "--report prints what 'quern inspect' does, and of an ELF object its sections, the code "
        "per "
        "operator,\n"
        "and the stack that a call takes at most, from the frames of its functions. Callbacks of "
        "the caller\n"
        "and routines of the compiler's library, which are listed, are not counted. --memory adds "
        "the arena\n"
        "over time. --tflm-arena adds the arena that TensorFlow Lite Micro was measured to use "
        "for the\n"
        "same file.\n"
        "\n"
        "On a terminal, a printed stage has type aliases and short forms, and omits constants of "
        "more\n"
        "than 16 elements; options select the same for files.\n",
    .run = compile,
};
