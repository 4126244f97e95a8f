/* The configuration of a pipeline: "KEY=VALUE,..." of a table of keys.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"

typedef struct config_values {
  const char *cpu, *features, *keep_tensors;
} config_values;

static const struct {
  qn_option_spec spec;
  size_t offset;
} keys[] = {
    {{"cpu", QN_OPTION_STRING, "native", "feature level or CPU that is scheduled for"},
     offsetof(config_values, cpu)},
    {{"features", QN_OPTION_STRING, "", "+feature;-feature on top of the CPU"},
     offsetof(config_values, features)},
    {{"keep-tensors", QN_OPTION_BOOL, "false",
      "every tensor of the model keeps a buffer of its own"},
     offsetof(config_values, keep_tensors)},
};

/* Sets one value, or says why not. */
static qn_status set(qn_context *context, qn_arena *arena, qn_str key, qn_str value,
                     const qn_loc *loc, config_values *out) {
  for (size_t i = 0; i < QN_COUNT(keys); i++) {
    if (!qn_str_is(key, keys[i].spec.name)) continue;
    const char **field = (const char **)(void *)((char *)out + keys[i].offset);
    if (*field)
      return qn_error(&context->ir.diag, loc, QN_INVALID, "'%s' is given twice", keys[i].spec.name);
    const char *wanted = qn_option_reject(&keys[i].spec, value, arena);
    if (wanted)
      return qn_error(&context->ir.diag, loc, QN_INVALID, "'%s' takes %s, not '%.*s'",
                      keys[i].spec.name, wanted, QN_STR_ARG(value));
    *field = qn_arena_str(arena, value).data;
    return QN_OK;
  }
  return qn_error(&context->ir.diag, loc, QN_INVALID,
                  "there is no configuration key '%.*s': cpu, features or keep-tensors",
                  QN_STR_ARG(key));
}

static qn_status read_values(qn_context *context, qn_arena *arena, const char *text,
                             config_values *out) {
  qn_status status = QN_OK;
  for (const char *at = text; at && *at;) {
    size_t size = strcspn(at, ","), name = strcspn(at, "=,");
    qn_str value = name < size ? (qn_str){at + name + 1, size - name - 1} : qn_str_of("true");
    const qn_loc *loc =
        qn_loc_file(&context->ir.diag, qn_str_of("<config>"), 1, (uint32_t)(at - text) + 1);
    qn_status one = set(context, arena, (qn_str){at, name}, value, loc, out);
    if (one != QN_OK) status = one;
    at += size + (at[size] == ',');
  }
  return status;
}

qn_status qn_lower_config_parse(qn_context *context, const char *text,
                                qn_lower_config *out_config) {
  qn_arena arena;
  config_values values = {0};
  qn_arena_init(&arena);
  qn_status status = read_values(context, &arena, text, &values);
  qn_compile_options compile = QN_COMPILE_OPTIONS_INIT;
  compile.engine = QN_ENGINE_INTERPRETER; /* any level, whatever the machine */
  compile.cpu = values.cpu;
  compile.features = values.features && values.features[0] ? values.features : NULL;
  qn_codegen_target target = {0};
  qn_status resolved = qn_resolve_target(context, &compile, &target);
  if (status == QN_OK) status = resolved;
  *out_config = (qn_lower_config){.target = target.level,
                                  .keep_tensors = values.keep_tensors &&
                                                  strcmp(values.keep_tensors, "true") == 0};
  qn_arena_deinit(&arena);
  return status;
}
