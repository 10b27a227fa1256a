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
  return made;
}

}  // namespace

const Library& library() {
  static const Library loaded = load_library();
  return loaded;
}

}  // namespace mti::netcdf
