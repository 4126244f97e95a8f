# lld, where it is installed. It links the tests, some 250 programs, in a fifth of the time of GNU ld, and folds equal functions of
# LLVM (llvm.cmake).
# SPDX-License-Identifier: Apache-2.0
find_program(QN_LLD NAMES ld.lld-22 ld.lld)
if(QN_LLD)
  # Compilers look for ld.lld, and Debian's lld-22 has ld.lld-22 only.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/linker)
  file(CREATE_LINK ${QN_LLD} ${CMAKE_BINARY_DIR}/linker/ld.lld SYMBOLIC)
  set(QN_USE_LLD -B${CMAKE_BINARY_DIR}/linker/ -fuse-ld=lld)
endif()
