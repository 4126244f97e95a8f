# Models as libraries of a project, compiled ahead of time by the program quern::tool.
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# quern_compile(NAME MODEL [CPU cpu] [TARGET triple] [NUMERICS profile] [SECTION name] [OPTIMIZE size|speed|balanced]
#   [OPTIONS option...])
#
# Adds the static library NAME, which consists of the object of MODEL. A target that links it can include NAME.h. NAME is also
# the prefix of the exported names, so it must be an identifier of C. MODEL is relative to the current source directory;
# the library is built again when the file changes.
#
# CPU, TARGET, NUMERICS, SECTION and OPTIMIZE are the options of 'quern compile' (see 'quern help compile'), OPTIONS are others. Without
# TARGET, code is for the machine that CMake builds for, if that is Linux; any other system has to be named.
function(quern_compile NAME MODEL)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "CPU;TARGET;NUMERICS;SECTION;OPTIMIZE" "OPTIONS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "quern_compile: unknown arguments: ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(given_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "quern_compile: a value is missing after: ${given_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "quern_compile: '${NAME}' becomes the prefix of names in C, and so must be an identifier")
  endif()
  get_filename_component(model "${MODEL}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(CMAKE_CROSSCOMPILING AND NOT given_TARGET)
    if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
      message(FATAL_ERROR "quern_compile: TARGET is missing: say which machine runs '${NAME}', such as "
        "TARGET thumbv7em-none-eabi ('quern help target' has examples)")
    endif()
    set(given_TARGET ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  endif()
  set(options)
  foreach(option CPU TARGET NUMERICS SECTION OPTIMIZE)
    if(given_${option})
      string(TOLOWER --${option} name)
      list(APPEND options ${name} ${given_${option}})
    endif()
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.quern)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${NAME}.o ${folder}/${NAME}.h
    COMMAND quern::tool compile ${model} -o ${folder}/${NAME}.o --header ${folder}/${NAME}.h ${options} ${given_OPTIONS}
    DEPENDS quern::tool ${model} COMMENT "Compiling ${NAME}" VERBATIM)
  set_source_files_properties(${folder}/${NAME}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(${NAME} STATIC ${folder}/${NAME}.o ${folder}/${NAME}.h)
  set_target_properties(${NAME} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${NAME} INTERFACE ${folder})
endfunction()
