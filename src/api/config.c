/* Parses the configuration of a pipeline, "KEY=VALUE,...". Keys are those of the lowerings and
 * those that users registered.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/call.h"
#include "api/executable.h"
#include "api/passes/user_pass.h"

/* Keys of the lowerings; keys of users are numbered after them. */
enum { CPU, FEATURES, KEEP_TENSORS, OWN_KEYS };
static const qn_option_spec own_keys[OWN_KEYS] = {
    [CPU] = {"cpu", QN_OPTION_STRING, "native", "feature level or CPU that is scheduled for"},
    [FEATURES] = {"features", QN_OPTION_STRING, "", "+feature;-feature on top of the CPU"},
    [KEEP_TENSORS] = {"keep-tensors", QN_OPTION_BOOL, "false",
                      "every tensor of the model keeps a buffer of its own"},
};

static uint32_t key_count(const qn_context *context) {
  return OWN_KEYS + (uint32_t)context->config_keys.count;
}

static const qn_option_spec *key_at(const qn_context *context, uint32_t i) {
  return i < OWN_KEYS ? &own_keys[i] : context->config_keys.data[i - OWN_KEYS];
}

/* The index of a key; key_count if there is no such key. */
static uint32_t find_key(const qn_context *context, qn_str key) {
  uint32_t i = 0;
  while (i < key_count(context) && !qn_str_is(key, key_at(context, i)->name)) i++;
  return i;
}

static qn_status no_such_key(qn_context *context, qn_str key, const qn_loc *loc) {
  qn_text known = {0};
  for (uint32_t i = 0; i < key_count(context); i++)
    qn_text_format(&known, "%s%s",
                   i == 0                        ? ""
                   : i + 1 == key_count(context) ? " or "
                                                 : ", ",
                   key_at(context, i)->name);
  qn_status status =
      qn_error(&context->ir.diag, loc, QN_INVALID, "there is no configuration key '%.*s': %s",
               QN_STR_ARG(key), known.data);
  qn_text_deinit(&known);
  return status;
}

/* Sets one value; reports an error if the key or value is invalid. */
static qn_status set(qn_context *context, qn_arena *arena, qn_str key, qn_str value,
                     const qn_loc *loc, const char **values) {
  uint32_t i = find_key(context, key);
  if (i == key_count(context)) return no_such_key(context, key, loc);
  const qn_option_spec *spec = key_at(context, i);
  if (values[i])
    return qn_error(&context->ir.diag, loc, QN_INVALID, "'%s' is given twice", spec->name);
  const char *wanted = qn_option_reject(spec, value, arena);
  if (wanted)
    return qn_error(&context->ir.diag, loc, QN_INVALID, "'%s' takes %s, not '%.*s'", spec->name,
                    wanted, QN_STR_ARG(value));
  values[i] = qn_arena_str(arena, value).data;
  return QN_OK;
}

static qn_status read_values(qn_context *context, qn_arena *arena, const char *text,
                             const char **values) {
  qn_status status = QN_OK;
  for (const char *at = text; at && *at;) {
    size_t size = strcspn(at, ","), name = strcspn(at, "=,");
    qn_str value = name < size ? (qn_str){at + name + 1, size - name - 1} : qn_str_of("true");
    const qn_loc *loc =
        qn_loc_file(&context->ir.diag, qn_str_of("<config>"), 1, (uint32_t)(at - text) + 1);
    qn_status one = set(context, arena, (qn_str){at, name}, value, loc, values);
    if (one != QN_OK) status = one;
    at += size + (at[size] == ',');
  }
  return status;
}

qn_status qn_run_config_parse(qn_context *context, const char *text, qn_arena *arena,
                              qn_run_config *out_config) {
  const char **values = QN_NEW_ARRAY(arena, key_count(context), const char *);
  qn_status status = read_values(context, arena, text, values);
  const char *features = values[FEATURES], *keep = values[KEEP_TENSORS];
  qn_compile_options compile = QN_COMPILE_OPTIONS_INIT;
  compile.engine = QN_ENGINE_INTERPRETER; /* accepts every CPU level, independent of the host */
  compile.cpu = values[CPU];
  compile.features = features && features[0] ? features : NULL;
  qn_codegen_target target = {0};
  qn_status resolved = qn_resolve_target(context, &compile, &target);
  *out_config = (qn_run_config){
      .lower = {.target = target.level, .keep_tensors = keep && strcmp(keep, "true") == 0},
      .context = context,
      .values = values};
  return status == QN_OK ? resolved : status;
}

const char *qn_run_config_value(const qn_run_config *config, const char *key) {
  if (!config) return NULL;
  uint32_t i = find_key(config->context, qn_str_of(key));
  if (i < OWN_KEYS || i == key_count(config->context)) return NULL;
  return config->values[i] ? config->values[i]
                           : config->context->config_defaults.data[i - OWN_KEYS];
}

static qn_status register_key(qn_context *context, const qn_user_option *key) {
  qn_arena *arena = &context->ir.arena;
  qn_option_spec *spec = QN_NEW(arena, qn_option_spec);
  QN_TRY(qn_copy_user_options(context, "configuration", key, 1, spec));
  if (find_key(context, qn_str_of(spec->name)) < key_count(context))
    return qn_error(&context->ir.diag, context->ir.diag.unknown, QN_INVALID,
                    "there is a configuration key '%s' already", spec->name);
  const char *first = qn_arena_str(arena, qn_option_default(spec)).data;
  size_t count = context->config_keys.count + 1;
  /* reserves both arrays first, so that an aborted call adds to both or to none */
  qn_array_reserve(&context->config_keys, count);
  qn_array_reserve(&context->config_defaults, count);
  qn_array_push(&context->config_keys, spec);
  qn_array_push(&context->config_defaults, first);
  return QN_OK;
}

qn_status qn_config_key_register(qn_context *context, const qn_user_option *key) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, register_key(context, key));
  return status;
}
