#include "io/netcdf/netcdf_library.hpp"

#include "io/files/loaded_library.hpp"

namespace mti::netcdf {
namespace {

Library load_library() {
  const LoadedLibrary library("files of NetCDF need the library libnetcdf",
                              {MTI_NETCDF_NAME, MTI_NETCDF_FILE});
  Library made = {};
#define MTI_NETCDF_FIND(name) library.find(#name, made.name);
  MTI_NETCDF_FUNCTIONS(MTI_NETCDF_FIND)
#undef MTI_NETCDF_FIND
  library.find_if_there("H5Eset_auto2", made.H5Eset_auto2);
  return made;
}

}  // namespace

const Library& library() {
  static const Library loaded = load_library();
  return loaded;
}

const Library& quiet_library() {
  constexpr std::int64_t default_stack = 0;
  const Library& known = library();
  if (known.H5Eset_auto2 != nullptr) known.H5Eset_auto2(default_stack, nullptr, nullptr);
  return known;
}

}  // namespace mti::netcdf
