# mti_library(TARGET EXPORT_NAME name HEADERS header...): what the libraries of all layers have in common.
#
# Gives the target its name for users (mti::<name>), its public headers and their place in an installation:
# <includedir>/mti holds mti/, solvers/ and io/, so that installed headers are included as in the sources.
function(mti_library target)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "EXPORT_NAME" "HEADERS")
  add_library(mti::${library_EXPORT_NAME} ALIAS ${target})
  target_sources(
    ${target}
    PUBLIC FILE_SET HEADERS
           BASE_DIRS ${PROJECT_SOURCE_DIR}
           FILES ${library_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # What nearly every source reads: a third of the time of a build.
  target_precompile_headers(${target} PRIVATE <Eigen/SparseCore> <algorithm> <functional> <memory> <optional>
                            <string> <unordered_map> <variant> <vector>)
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${library_EXPORT_NAME}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               INSTALL_RPATH $<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN>)
  install(
    TARGETS ${target}
    EXPORT mti
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mti)
endfunction()
