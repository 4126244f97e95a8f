# The linker's digest of what it linked names the build: compiled code that is kept belongs to one (src/api/cache).
add_link_options(-Wl,--build-id=sha1)
# What makes a mistake in our code harder to use: SECURITY.md says what for, and check.hardening reads the
# binaries. Sanitized builds have checks of their own, which these would get in the way of.
# SPDX-License-Identifier: Apache-2.0
include(CheckPIESupported)
check_pie_supported()
if(QN_SANITIZE)
  return()
endif()
target_compile_options(qn_flags INTERFACE -fstack-protector-strong -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(qn_flags INTERFACE -fcf-protection=full)
endif()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug") # it needs the optimizer
  target_compile_options(qn_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()
# All symbols are bound at the start, and what the loader has written is read-only from then on.
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
