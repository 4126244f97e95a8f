/* The overview, the manual page and the shell completions, which describe all commands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/formats.h"

static const struct {
  cli_exit code;
  const char *meaning;
} exits[] = {{CLI_OK, "ok"},
             {CLI_MISMATCH, "results differ"},
             {CLI_USAGE, "usage"},
             {CLI_INVALID, "invalid input, or a file that can't be read or written"},
             {CLI_UNSUPPORTED, "unsupported"},
             {CLI_LIMIT, "limit reached"},
             {CLI_INTERNAL, "internal error"}};

/* The options of a command. The caller frees the result. */
static cli_option *options_of(const cli_command *command, size_t *out_count) {
  *out_count = cli_options_of(command, NULL);
  cli_option *list = cli_need(calloc(*out_count + 1, sizeof *list));
  cli_options_of(command, list);
  return list;
}

void cli_print_overview(const cli_command *const *commands, FILE *to) {
  fputs(
      "usage: quern COMMAND [options]\n\nQuern compiles quantized models, exactly.\n\ncommands:\n",
      to);
  for (size_t i = 0; commands[i]; i++)
    fprintf(to, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
  fputs("\n'quern help COMMAND' describes a command; 'quern --version' prints the version.\n\n"
        "exit codes:\n",
        to);
  for (size_t i = 0; i < CLI_COUNT(exits); i++)
    fprintf(to, "  %d  %s\n", (int)exits[i].code, exits[i].meaning);
}

/* ---- the manual page ---- */

/* Writes text with the requests and escapes of roff quoted. */
static void put_roff(const char *text, FILE *to) {
  bool begins = true;
  for (; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", to);
    begins = *text == '\n';
    if (*text == '\\')
      fputs("\\e", to);
    else if (*text == '-')
      fputs("\\-", to);
    else
      fputc(*text, to);
  }
}

static void put_option(const cli_option *option, FILE *to) {
  fputs(".TP\n\\fB", to);
  if (option->letter) fprintf(to, "\\-%c\\fR, \\fB", option->letter);
  fputs("\\-\\-", to);
  put_roff(option->name, to);
  fputs("\\fR", to);
  if (option->metavar) {
    fputs(option->value_optional ? "[=\\fI" : " \\fI", to);
    put_roff(option->metavar, to);
    fputs(option->value_optional ? "\\fR]" : "\\fR", to);
  }
  fputc('\n', to);
  put_roff(option->help, to);
  const char *also;
  for (size_t i = 0; (also = cli_synonym(option->name, i)); i++) {
    fputs(i ? ", \\-\\-" : "; also \\-\\-", to);
    put_roff(also, to);
  }
  fputc('\n', to);
}

/* Writes "a|b|c" with blanks around the bars, at which roff can break the line. */
static void put_choice(const char *text, FILE *to) {
  for (size_t size; *text; text += size) {
    char part[64];
    size = strcspn(text, "|");
    if (size >= sizeof part) size = sizeof part - 1;
    memcpy(part, text, size);
    part[size] = '\0';
    put_roff(part, to);
    if (text[size] != '|') continue;
    fputs(" | ", to);
    size++;
  }
}

static void put_command(const cli_command *command, FILE *to) {
  bool optional = command->argument_optional;
  fprintf(to, ".SS quern %s %s", command->name, optional ? "[" : "");
  put_choice(command->argument ? command->argument : "", to);
  fprintf(to, "%s %s\n", optional ? "]" : "", command->more ? command->more : "");
  put_roff(command->summary, to);
  fputc('\n', to);
  size_t count;
  cli_option *list = options_of(command, &count);
  for (size_t i = 0; i < count; i++) put_option(&list[i], to);
  free(list);
  if (command->takes_passes)
    fputs(".PP\nEach pass is an option, too; \\fBquern list passes\\fR describes them.\n", to);
  if (!command->details) return;
  fputs(".PP\n.nf\n", to);
  put_roff(command->details, to);
  fputs(".fi\n", to);
}

void cli_print_manual(const cli_command *const *commands, FILE *to) {
  fprintf(to,
          ".TH QUERN 1 \"\" \"quern %s\"\n.SH NAME\n"
          "quern \\- compiles quantized models, exactly\n"
          ".SH SYNOPSIS\n.B quern\n.I COMMAND\n[options]\n.SH COMMANDS\n",
          qn_version());
  for (size_t i = 0; commands[i]; i++) put_command(commands[i], to);
  fputs(".SH EXIT STATUS\n", to);
  for (size_t i = 0; i < CLI_COUNT(exits); i++) {
    fprintf(to, ".TP\n%d\n", (int)exits[i].code);
    put_roff(exits[i].meaning, to);
    fputc('\n', to);
  }
}

/* ---- completions ---- */

/* Writes a word quoted for the shell. */
static void put_quoted(const char *text, FILE *to) {
  fputc('\'', to);
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", to);
    else
      fputc(*text, to);
  fputc('\'', to);
}

/* Options whose values the library lists: the list of qn_list, and the key of its rows that has the
 * value, a word or a list of words. */
static const struct {
  const char *option, *list, *key;
} catalogued[] = {
    {"cpu", "targets", "name"},         {"cpu", "targets", "cpus"},
    {"a-cpu", "targets", "name"},       {"a-cpu", "targets", "cpus"},
    {"b-cpu", "targets", "name"},       {"b-cpu", "targets", "cpus"},
    {"numerics", "profiles", "name"},   {"a-numerics", "profiles", "name"},
    {"b-numerics", "profiles", "name"}, {"target", "targets", "triples"},
};

typedef struct words {
  json_t *seen; /* set of the words so far */
  FILE *to;
  size_t count;
} words;

static void put_word(words *w, const char *word) {
  if (!word || json_object_get(w->seen, word)) return;
  json_object_set_new(w->seen, word, json_true());
  w->count++;
  if (w->to) fprintf(w->to, "%s ", word);
}

static void put_catalogue(words *w, size_t which) {
  char *text;
  size_t size, i, k;
  if (qn_list(catalogued[which].list, &text, &size) != QN_OK) return;
  json_t *rows = json_loadb(text, size, 0, NULL), *row, *item;
  qn_free(text);
  json_array_foreach(rows, i, row) {
    const json_t *value = json_object_get(row, catalogued[which].key);
    put_word(w, json_string_value(value));
    json_array_foreach((json_t *)(uintptr_t)value, k, item) put_word(w, json_string_value(item));
  }
  json_decref(rows);
}

/* Writes the words that complete the value of an option, each followed by a blank. Returns their
 * number. Options whose values the library lists accept other values, too. */
static size_t put_words(const cli_option *option, FILE *to_or_null) {
  static const char *const cpus[] = {"native", "baseline"}; /* in addition to the library's list */
  words w = {json_object(), to_or_null, 0};
  bool takes_cpu = option->metavar && strcmp(option->metavar, "CPU") == 0;
  for (size_t i = 0; takes_cpu && i < CLI_COUNT(cpus); i++) put_word(&w, cpus[i]);
  for (const char *const *word = option->words; word && *word; word++) put_word(&w, *word);
  for (size_t i = 0; i < CLI_COUNT(catalogued); i++)
    if (strcmp(catalogued[i].option, option->name) == 0) put_catalogue(&w, i);
  json_decref(w.seen);
  return w.count;
}

/* Writes the word. If it starts with "FORMAT", writes a word for each file format instead. */
static void put_list(const char *word, size_t size, FILE *to) {
  static const char placeholder[] = "FORMAT";
  const size_t length = sizeof placeholder - 1;
  if (strncmp(word, placeholder, length) != 0) {
    fwrite(word, 1, size, to);
    return;
  }
  json_t *formats = cli_formats(), *row;
  size_t i;
  json_array_foreach(formats, i, row)
      fprintf(to, "%s%s%.*s", i ? " " : "", json_string_value(json_object_get(row, "name")),
              (int)(size - length), word + length);
  json_decref(formats);
}

/* Writes the completion of the argument: "ops|dialects" lists the words themselves, "MODEL" is a
 * file. */
static void put_argument(const cli_command *command, FILE *to) {
  const char *text = command->argument ? command->argument : "";
  if (!strchr(text, '|')) return;
  fputs("        ", to);
  for (size_t size; *text; text += size) {
    size = strcspn(text, "|");
    put_list(text, size, to);
    if (text[size] != '|') break;
    fputc(' ', to);
    size++;
  }
}

void cli_print_bash(const cli_command *const *commands, FILE *to) {
  fputs(
      "# bash completion for quern, printed by 'quern help --completion bash'\n_quern() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '--help --version",
      to);
  for (size_t i = 0; commands[i]; i++) fprintf(to, " %s", commands[i]->name);
  fputs("' -- \"$word\"))\n    return\n  fi\n  [ \"$before\" != '=' ] || "
        "before=${COMP_WORDS[COMP_CWORD-2]}\n  case ${COMP_WORDS[1]} in\n",
        to);
  for (size_t i = 0; commands[i]; i++) {
    size_t count;
    cli_option *list = options_of(commands[i], &count);
    fprintf(to, "  %s)\n    options='", commands[i]->name);
    for (size_t k = 0; k < count; k++) {
      fprintf(to, "%s--%s", k ? " " : "", list[k].name);
      if (list[k].letter) fprintf(to, " -%c", list[k].letter);
    }
    fputs("'\n    words='", to);
    put_argument(commands[i], to);
    fputs("' ;;\n", to);
    free(list);
  }
  fputs("  esac\n  [ \"${COMP_WORDS[1]}\" != help ] || words='", to);
  for (size_t i = 0; commands[i]; i++) fprintf(to, "%s ", commands[i]->name);
  fputs("'\n  case ${COMP_WORDS[1]}:$before in\n", to);
  for (size_t i = 0; commands[i]; i++) {
    size_t count;
    cli_option *list = options_of(commands[i], &count);
    for (size_t k = 0; k < count; k++) {
      if (put_words(&list[k], NULL) == 0) continue;
      fprintf(to, "  %s:--%s) options= words='", commands[i]->name, list[k].name);
      put_words(&list[k], to);
      fputs("' ;;\n", to);
    }
    free(list);
  }
  fputs("  esac\n  [ \"$word\" != '=' ] || word=\n"
        "  case $word in -*) words=$options ;; esac\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
        "complete -o default -F _quern quern\n",
        to);
}

static void put_zsh_option(const cli_option *option, FILE *to) {
  char text[768];
  fputs("      ", to);
  size_t used = (size_t)snprintf(text, sizeof text, "--%s%s[", option->name,
                                 option->value_optional ? "=-"
                                 : option->metavar      ? "="
                                                        : "");
  for (const char *at = option->help; *at && used + 3 < sizeof text; at++) {
    if (strchr("[]\\:", *at)) text[used++] = '\\';
    text[used++] = *at;
  }
  text[used] = '\0';
  put_quoted(text, to);
  if (!option->metavar) {
    fputs("']'", to);
  } else if (put_words(option, NULL) > 0) {
    fprintf(to, "']%s:value:(", option->value_optional ? ":" : "");
    put_words(option, to);
    fputs(")'", to);
  } else {
    fprintf(to, "']%s:value:_files'", option->value_optional ? ":" : "");
  }
  fputs(" \\\n", to);
}

void cli_print_zsh(const cli_command *const *commands, FILE *to) {
  fputs("#compdef quern\n# zsh completion for quern, printed by 'quern help --completion zsh'\n"
        "local -a commands=(\n",
        to);
  for (size_t i = 0; commands[i]; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s:%s", commands[i]->name, commands[i]->summary);
    fputs("  ", to);
    put_quoted(text, to);
    fputc('\n', to);
  }
  fputs(")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\n"
        "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n",
        to);
  for (size_t i = 0; commands[i]; i++) {
    size_t count;
    cli_option *list = options_of(commands[i], &count);
    fprintf(to, "  %s)\n    _arguments \\\n", commands[i]->name);
    for (size_t k = 0; k < count; k++) put_zsh_option(&list[k], to);
    fputs("      '*:argument:_files' ;;\n", to);
    free(list);
  }
  fputs("esac\n", to);
}
