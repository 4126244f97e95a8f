# Compiles for the machine QN_MACHINE (aarch64 or riscv64) with the Debian root that scripts/emulated makes.
# Each program that is linked becomes a script that runs it in the emulator, with its program beside it. So a test starts
# other programs of the build as it does on the machine itself, without help from the kernel.
# SPDX-License-Identifier: Apache-2.0
if(NOT QN_MACHINE)
  message(FATAL_ERROR "QN_MACHINE is not set: presets aarch64 and riscv64 do")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QN_MACHINE QN_ROOT)
set(roots $ENV{QUERN_ROOTS})
if(NOT roots)
  get_filename_component(roots ${CMAKE_CURRENT_LIST_DIR}/../../build/roots ABSOLUTE)
endif()
set(QN_ROOT ${roots}/${QN_MACHINE} CACHE PATH "root of the emulated machine")
if(NOT EXISTS ${QN_ROOT}/tools/llvm-config)
  message(FATAL_ERROR "no root in ${QN_ROOT}: scripts/emulated makes it")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${QN_MACHINE})
set(CMAKE_SYSROOT ${QN_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE ${QN_MACHINE}-linux-gnu)
set(CMAKE_C_COMPILER ${QN_MACHINE}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${QN_MACHINE}-linux-gnu-g++)
foreach(kind EXE SHARED MODULE)
  # Where lld is; and the root's own C library, which may be newer than that of the cross compiler.
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${QN_ROOT}/tools/ -B${QN_ROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${QN_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${QN_ROOT}/usr/lib/${QN_MACHINE}-linux-gnu/pkgconfig:${QN_ROOT}/usr/share/pkgconfig)
file(GLOB Python_INCLUDE_DIR ${QN_ROOT}/usr/include/python3.*) # else the interpreter says where its own are
set(QN_LLVM_CONFIG ${QN_ROOT}/tools/llvm-config)

find_program(QN_EMULATOR qemu-${QN_MACHINE} REQUIRED)
get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)
if(trying OR QN_WHEEL) # CMake reads the program to learn about the machine; a package is not for this one
  return()
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR env) # such a script starts the emulator itself
foreach(language C CXX)
  set(CMAKE_${language}_LINK_EXECUTABLE
    "<CMAKE_${language}_COMPILER> <FLAGS> <CMAKE_${language}_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>"
    "${CMAKE_CURRENT_LIST_DIR}/wrap ${QN_EMULATOR} ${QN_ROOT} <TARGET>")
endforeach()
