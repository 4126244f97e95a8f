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

# libNAME.so with the public API only: everything else is hidden.
function(qn_shared name)
  file(WRITE ${CMAKE_BINARY_DIR}/shared.c "/* all of it comes from the libraries */\n")
  add_library(${name}_shared SHARED ${CMAKE_BINARY_DIR}/shared.c)
  set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR})
  target_link_libraries(${name}_shared PRIVATE
    -Wl,--whole-archive qn_api qn_base -Wl,--no-whole-archive) # where public functions are
  if(QN_SANITIZE) # clang puts the sanitizer's runtime into programs, not into libraries
    target_link_options(${name}_shared INTERFACE -fsanitize=${QN_SANITIZE})
  endif()
endfunction()
