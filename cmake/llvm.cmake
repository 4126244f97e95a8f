# LLVM through its C API, 22 by preference, 19 also works. Found by llvm-config, not by LLVM's cmake
# package, which wants every optional dependency of LLVM to be installed.
# SPDX-License-Identifier: Apache-2.0
set(versions 22 19)
if(QN_LLVM_VERSION)
  set(versions ${QN_LLVM_VERSION})
endif()
if(NOT "${QN_LLVM_VERSION}" STREQUAL "${QN_LLVM_VERSION_FOUND}") # another one is asked for by now
  unset(QN_LLVM_CONFIG CACHE)
endif()
set(QN_LLVM_VERSION_FOUND "${QN_LLVM_VERSION}" CACHE INTERNAL "QN_LLVM_VERSION of the last run")
foreach(version ${versions})
  find_program(QN_LLVM_CONFIG llvm-config-${version})
endforeach()
if(NOT QN_LLVM_CONFIG)
  list(JOIN versions " or llvm-config-" wanted)
  message(FATAL_ERROR "llvm-config-${wanted} not found: scripts/setup installs LLVM 22")
endif()
execute_process(COMMAND ${QN_LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_include
  OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${QN_LLVM_CONFIG} --ldflags OUTPUT_VARIABLE llvm_ldflags
  OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${QN_LLVM_CONFIG} --libs OUTPUT_VARIABLE llvm_libs
  OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(llvm_ldflags)
separate_arguments(llvm_libs)
add_library(qn_LLVM INTERFACE)
target_include_directories(qn_LLVM SYSTEM INTERFACE ${llvm_include})
target_link_libraries(qn_LLVM INTERFACE ${llvm_ldflags} ${llvm_libs})
