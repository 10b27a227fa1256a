include(PublicHeaders)

# Most of the time of a build from nothing goes into the headers that every source reads. Sources are compiled in
# batches therefore. One object file for each source is better where a single file is worked on, and for caches of
# object files, for which precompiled headers are switched off.
if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(unity_by_default OFF)
else()
  set(unity_by_default ON)
endif()
option(MTI_UNITY_BUILD "Compile libraries and tests in batches" ${unity_by_default})

# mti_shared_headers(TARGET): what nearly every source reads, a third of the time of a build, is compiled once: for
# library mti. All that use it have its options: position independent code, which libraries are because they go into
# modules of Python and into FMUs. What one file defines is still inlined within it, and what nothing calls is left out of an
# FMU, a function at a time.
function(mti_shared_headers target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition;-ffunction-sections>)
  if(target STREQUAL mti)
    target_precompile_headers(mti PRIVATE ${PROJECT_SOURCE_DIR}/mti/common/compiled_eigen.hpp <algorithm> <functional>
                              <memory> <optional> <string> <unordered_map> <variant> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM mti)
  endif()
endfunction()

# mti_rooms(TARGET): sources are compiled in batches. A batch is a room: private names are unique within it.
function(mti_rooms target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MTI_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME room)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

# mti_library(TARGET LAYER layer EXPORT_NAME name HEADERS header...): what the libraries of all layers have in common.
#
# Gives the target its name for users (mti::<name>), its public headers and their place in an installation,
# <includedir>/mti (PublicHeaders.cmake). Within this tree headers are included as they stand in it.
function(mti_library target)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "LAYER;EXPORT_NAME" "HEADERS")
  add_library(mti::${library_EXPORT_NAME} ALIAS ${target})
  stage_public_headers(headers ${library_LAYER} ${library_HEADERS})
  target_sources(
    ${target}
    PUBLIC FILE_SET HEADERS
           BASE_DIRS ${MTI_INCLUDE_DIR}
           FILES ${headers})
  target_include_directories(${target} BEFORE PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  mti_shared_headers(${target})
  mti_rooms(${target})
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${library_EXPORT_NAME}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               INSTALL_RPATH $<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN>)
  install(
    TARGETS ${target}
    EXPORT mti
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
