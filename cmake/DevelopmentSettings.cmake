# What applies only when mti is built for itself, not as a part of another project.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
                    -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual)

# GCC 12 sees overlapping copies in "text" + std::string, and copies out of their bounds, that are none
# (gcc.gnu.org, bug 105651), and where it inlines more, members of std::variant without a value (bug 105562); with the sanitiser
# of threads those of std::optional.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict -Wno-array-bounds
                      "$<$<CONFIG:Release>:-Wno-stringop-overflow;-Wno-maybe-uninitialized>")
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

# GCC looks for memory that it can use again from 128 MB on, a precompiled header included, which is a tenth of its
# time where it has 500 MB (kB here).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=500000")
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
