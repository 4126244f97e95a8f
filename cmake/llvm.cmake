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
# What is linked of it: the shared library, or the archives of the parts that codegen uses. Those are
# sections per function, of which the linker keeps what is reached; folding equal ones needs lld.
set(llvm_which --libs)
if(QN_LLVM_STATIC)
  set(llvm_which --link-static --libs orcjit passes x86 aarch64 riscv arm)
endif()
execute_process(COMMAND ${QN_LLVM_CONFIG} ${llvm_which} OUTPUT_VARIABLE llvm_libs
  OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(llvm_ldflags)
separate_arguments(llvm_libs)
if(QN_LLVM_STATIC)
  if(NOT QN_LLD)
    message(FATAL_ERROR "QN_LLVM_STATIC needs lld: scripts/setup release")
  endif()
  add_link_options(${QN_USE_LLD} -Wl,--icf=all -Wl,--gc-sections -Wl,--as-needed -shared-libgcc)
  list(APPEND llvm_libs -l:libz.a -l:libzstd.a -l:libxml2.a -l:libstdc++.a -ldl)
endif()
add_library(qn_LLVM INTERFACE)
target_include_directories(qn_LLVM SYSTEM INTERFACE ${llvm_include})
target_link_libraries(qn_LLVM INTERFACE ${llvm_ldflags} ${llvm_libs})
