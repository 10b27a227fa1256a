# mti_use_allocator(TARGET): the executable TARGET allocates by jemalloc, where its archive is found. Events allocate
# many small blocks, which takes a fifth of the time with the allocator of the C library. It is linked into executables
# only: which allocator a process has is not for a library to say.

include(CheckCXXSourceCompiles)
include(CheckLinkerFlag)
check_linker_flag(CXX "-Wl,--export-dynamic-symbol=malloc" MTI_CAN_EXPORT_ONE_SYMBOL)

option(MTI_JEMALLOC "Link jemalloc into the program if it is found" ON)

# Sanitizers bring their own.
if(MTI_JEMALLOC AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  find_library(MTI_JEMALLOC_ARCHIVE NAMES libjemalloc_pic.a libjemalloc.a)
  mark_as_advanced(MTI_JEMALLOC_ARCHIVE)
  if(MTI_JEMALLOC_ARCHIVE)
    # One that is not position-independent, or whose functions have a prefix, does not do.
    set(CMAKE_REQUIRED_LIBRARIES ${MTI_JEMALLOC_ARCHIVE} ${CMAKE_DL_LIBS})
    set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,--undefined=malloc)
    check_cxx_source_compiles(
      "#include <cstddef>\nextern \"C\" int mallctl(const char*, void*, std::size_t*, void*, std::size_t);\nint main() { return mallctl(\"epoch\", nullptr, nullptr, nullptr, 0); }"
      MTI_JEMALLOC_LINKS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
  endif()
endif()

# Libraries that are loaded while the program runs must find all of its functions here, or one would free what another
# has allocated.
set(MTI_ALLOCATOR_FUNCTIONS malloc calloc realloc free posix_memalign aligned_alloc memalign valloc malloc_usable_size)

function(mti_use_allocator target)
  if(NOT MTI_JEMALLOC_LINKS OR NOT MTI_CAN_EXPORT_ONE_SYMBOL)
    return()
  endif()
  target_link_libraries(${target} PRIVATE ${MTI_JEMALLOC_ARCHIVE})
  foreach(name IN LISTS MTI_ALLOCATOR_FUNCTIONS)
    target_link_options(${target} PRIVATE -Wl,--undefined=${name} -Wl,--export-dynamic-symbol=${name})
  endforeach()
endfunction()
