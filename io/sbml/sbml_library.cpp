#include "io/sbml/sbml_library.hpp"

#include "io/files/loaded_library.hpp"

namespace mti::sbml {
namespace {

Library load_library() {
  const LoadedLibrary library("files of SBML need the library libsbml", {MTI_SBML_NAME, MTI_SBML_FILE});
  Library made = {};
#define MTI_SBML_FIND(name) library.find(#name, made.name);
  MTI_SBML_FUNCTIONS(MTI_SBML_FIND)
#undef MTI_SBML_FIND
  return made;
}

}  // namespace

const Library& library() {
  static const Library loaded = load_library();
  return loaded;
}

}  // namespace mti::sbml
