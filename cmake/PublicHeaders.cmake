# stage_public_headers(OUTPUT_VARIABLE layer header...): the headers that users include, below ${MTI_INCLUDE_DIR}.
#
# Users write #include <mti/mti.hpp> for everything, or <mti/LAYER/ROOM/HEADER.hpp>, mti/ being left out of layer mti:
# solvers/simulation/simulate.hpp becomes mti/solvers/simulation/simulate.hpp. The staged copies include each other
# by these names, so nothing of this tree has to be on a user's path but one folder, and no other header of this
# tree can be reached from an installation.
set(MTI_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)

function(stage_public_headers output layer)
  set(staged)
  foreach(header IN LISTS ARGN)
    set(source ${PROJECT_SOURCE_DIR}/${layer}/${header})
    if(layer STREQUAL mti)
      set(target ${MTI_INCLUDE_DIR}/mti/${header})
    else()
      set(target ${MTI_INCLUDE_DIR}/mti/${layer}/${header})
    endif()
    file(READ ${source} text)
    string(REGEX REPLACE "#include \"(solvers|io)/" "#include \"mti/\\1/" text "${text}")
    file(CONFIGURE OUTPUT ${target} CONTENT "${text}" @ONLY NEWLINE_STYLE LF)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    list(APPEND staged ${target})
  endforeach()
  set(${output} ${staged} PARENT_SCOPE)
endfunction()
