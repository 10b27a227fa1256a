#pragma once

#include <netcdf.h>

#include <cstdint>

namespace mti::netcdf {

#define MTI_NETCDF_FUNCTIONS(use)                                                                           \
  use(nc_create) use(nc_close) use(nc_sync) use(nc_enddef) use(nc_strerror) use(nc_def_dim) use(nc_def_var) \
      use(nc_def_var_chunking) use(nc_set_var_chunk_cache) use(nc_def_var_deflate) use(nc_def_var_fill)     \
          use(nc_put_att_text) use(nc_put_att_schar) use(nc_put_vara_double) use(nc_put_vara_int)           \
              use(nc_put_vara_schar)

/// The functions of the C library of NetCDF that are used here.
struct Library {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what is declared stands in none
#define MTI_NETCDF_MEMBER(name) decltype(&::name) name;
  MTI_NETCDF_FUNCTIONS(MTI_NETCDF_MEMBER)
#undef MTI_NETCDF_MEMBER
  /// Of HDF5: whom it tells of errors in the calling thread, beside what it returns. Null where there is none.
  int (*H5Eset_auto2)(std::int64_t stack, void* function, void* data);
};

/// libnetcdf, which is loaded with the first of its files: it brings HDF5 with it.
/// Errors: UnusableFile, id `file-unreadable` (the library is not there).
[[nodiscard]] const Library& library();
/// The same, which prints nothing in this thread: what fails is told by those who asked for it.
[[nodiscard]] const Library& quiet_library();

}  // namespace mti::netcdf
