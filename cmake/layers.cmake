# qn_layer(NAME DIRS folder... DEPS layer...): one static library per layer, from every .c file of
# its folders. Who may include whom is checked by tests/checks.
# SPDX-License-Identifier: Apache-2.0
function(qn_sources out)
  set(sources)
  foreach(dir ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${dir}/*.c)
    list(APPEND sources ${found})
  endforeach()
  list(SORT sources)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

function(qn_layer name)
  cmake_parse_arguments(L "" "" "DIRS;DEPS" ${ARGN})
  qn_sources(sources ${L_DIRS})
  if(NOT sources)
    add_library(qn_${name} INTERFACE)
    target_link_libraries(qn_${name} INTERFACE m)
    return()
  endif()
  add_library(qn_${name} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY QN_LAYERS qn_${name})
  target_link_libraries(qn_${name} PRIVATE qn_flags)
  foreach(dep ${L_DEPS})
    target_link_libraries(qn_${name} PUBLIC qn_${dep})
  endforeach()
  target_link_libraries(qn_${name} PUBLIC m)
endfunction()

function(qn_tool name)
  cmake_parse_arguments(L "" "" "DIRS;DEPS" ${ARGN})
  qn_sources(sources ${L_DIRS})
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE qn_flags)
  foreach(dep ${L_DEPS})
    target_link_libraries(${name} PRIVATE qn_${dep})
  endforeach()
endfunction()

# libNAME.so with the public API only: everything else is hidden. Its symbols carry the version that
# the name of the file does.
function(qn_shared name)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shared.c CONTENT "/* all of it comes from the libraries */\n")
  string(TOUPPER ${name} node)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shared.map
    CONTENT "${node}_${QN_SOVERSION} { global: qn_*; local: *; };\n")
  add_library(${name}_shared SHARED ${CMAKE_BINARY_DIR}/shared.c)
  set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME shared
    VERSION ${PROJECT_VERSION} SOVERSION ${QN_SOVERSION}
    LINK_DEPENDS ${CMAKE_BINARY_DIR}/shared.map)
  target_link_options(${name}_shared PRIVATE -Wl,--version-script=${CMAKE_BINARY_DIR}/shared.map)
  if(QN_LLVM_STATIC)
    target_sources(${name}_shared PRIVATE ${PROJECT_SOURCE_DIR}/cmake/portable/arc4random.c)
  endif()
  target_link_libraries(${name}_shared PRIVATE
    -Wl,--whole-archive qn_api qn_base -Wl,--no-whole-archive) # where public functions are
  if(QN_SANITIZE) # clang puts the sanitizer's runtime into programs, not into libraries
    target_link_options(${name}_shared INTERFACE -fsanitize=${QN_SANITIZE})
  endif()
endfunction()

# libNAME.a of all layers so far, as one object in which everything but the public API is local, as
# it is hidden in libNAME.so: a program that links it keeps every other name for itself.
function(qn_static name)
  get_property(layers GLOBAL PROPERTY QN_LAYERS)
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  set(object ${CMAKE_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r -o ${object} --whole-archive $<TARGET_FILE:qn_api> $<TARGET_FILE:qn_base>
      --no-whole-archive --start-group ${archives} --end-group
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    DEPENDS ${layers} VERBATIM)
  add_library(${name}_static STATIC ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME static
    LINKER_LANGUAGE C)
endfunction()
