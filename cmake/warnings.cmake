# One warning set for all of our code; warnings are errors with gcc 12 and clang.
# SPDX-License-Identifier: Apache-2.0
add_library(qn_flags INTERFACE)
target_include_directories(qn_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(qn_flags INTERFACE _GNU_SOURCE)
set(QN_WARNINGS
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wundef -Wwrite-strings -Wvla -Wno-overlength-strings)
target_compile_options(qn_flags INTERFACE
  # -ffp-contract=off: the interpreter and the proofs must round where the source says.
  # -fno-strict-aliasing: tensors and vectors are byte buffers that are read as their element type.
  # No machine paths in objects, so that ccache and rebuilds elsewhere give the same bytes.
  $<$<COMPILE_LANGUAGE:C>:${QN_WARNINGS} -ffp-contract=off -fno-strict-aliasing>
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(QN_SANITIZE)
  target_compile_options(qn_flags INTERFACE
    -fsanitize=${QN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(qn_flags INTERFACE -fsanitize=${QN_SANITIZE})
endif()
find_program(QN_CCACHE ccache)
if(QN_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${QN_CCACHE})
endif()
