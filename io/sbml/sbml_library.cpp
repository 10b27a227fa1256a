#include "io/sbml/sbml_library.hpp"

#include <dlfcn.h>

#include <string>

#include "mti/common/fault.hpp"

namespace mti::sbml {
namespace {

std::string last_loader_error() {
  const char* const text = ::dlerror();
  return text == nullptr ? "" : text;
}

[[noreturn]] void fail_to_load(const std::string& why) {
  throw UnusableFile("file-unreadable", "", "files of SBML need the library libsbml: " + why);
}

Library load_library() {
  // By its name wherever the system finds it, then where it was when this was compiled. It stays to the end of the
  // process.
  void* handle = nullptr;
  std::string why;
  for (const char* name : {MTI_SBML_NAME, MTI_SBML_FILE}) {
    if (handle == nullptr) handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr && why.empty()) why = last_loader_error();
  }
  if (handle == nullptr) fail_to_load(why);
  Library made = {};
#define MTI_SBML_FIND(name)                                                  \
  made.name = reinterpret_cast<decltype(made.name)>(::dlsym(handle, #name)); \
  if (made.name == nullptr) fail_to_load(last_loader_error());
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
