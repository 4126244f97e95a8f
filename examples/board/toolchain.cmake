# A Cortex-M4 without a floating-point unit and without a C library.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(flags "-mthumb -mcpu=cortex-m4 -Os -ffunction-sections -fdata-sections -Wall -Wextra -Werror")
set(CMAKE_C_FLAGS_INIT ${flags})
set(CMAKE_CXX_FLAGS_INIT "${flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib -Wl,-z,noexecstack -Wl,--no-warn-rwx-segments")
set(CMAKE_C_STANDARD_LIBRARIES -lgcc)
set(CMAKE_CXX_STANDARD_LIBRARIES -lgcc)
