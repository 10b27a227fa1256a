#include "io/netcdf/netcdf_file.hpp"

#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/netcdf/netcdf_library.hpp"
#include "mti/common/fault.hpp"

namespace mti::netcdf {
namespace {

/// As the library's own list of open files, it is of the process.
std::atomic<bool> unfinished{false};

}  // namespace

bool has_unfinished_files() noexcept { return unfinished; }

File::File(std::filesystem::path path, std::filesystem::path shown)
    : path_(std::move(path)), shown_(shown.empty() ? path_ : std::move(shown)) {
  check(quiet_library().nc_create(path_.c_str(), NC_NETCDF4 | NC_CLOBBER, &handle_));
}

/// The library crashes at the end of the process where it could not write what it holds, as on a full disk: what is there makes
/// room for it.
File::~File() {
  if (handle_ < 0) return;
  std::error_code ignored;
  std::filesystem::resize_file(path_, 0, ignored);
  if (quiet_library().nc_close(handle_) != NC_NOERR) unfinished = true;
}

void File::check(int status) const {
  if (status != NC_NOERR)
    throw UnusableFile("file-unwritable", "",
                       "cannot write " + shown_.string() + ": " + library().nc_strerror(status));
}

int File::add_dimension(const std::string& name) {
  int dimension = -1;
  check(quiet_library().nc_def_dim(handle_, name.c_str(), NC_UNLIMITED, &dimension));
  return dimension;
}

int File::add(const std::string& name, int type, int dimension, std::size_t chunk) {
  constexpr int shuffled = 1, deflated = 1, fastest = 1;
  constexpr std::size_t chunks_kept = 2, slots = 11;
  constexpr float written_ones_go_first = 1.0F;
  int variable = -1;
  check(quiet_library().nc_def_var(handle_, name.c_str(), type, 1, &dimension, &variable));
  check(quiet_library().nc_def_var_chunking(handle_, variable, NC_CHUNKED, &chunk));
  // Numbers come in their order: what is behind is never looked at again. The library keeps 16 MB of each variable.
  check(quiet_library().nc_set_var_chunk_cache(handle_, variable, chunks_kept * chunk * sizeof(double), slots,
                                               written_ones_go_first));
  check(quiet_library().nc_def_var_deflate(handle_, variable, shuffled, deflated, fastest));
  check(quiet_library().nc_def_var_fill(handle_, variable, NC_NOFILL, nullptr));
  return variable;
}

int File::add_doubles(const std::string& name, int dimension, std::size_t chunk) {
  return add(name, NC_DOUBLE, dimension, chunk);
}
int File::add_integers(const std::string& name, int dimension, std::size_t chunk) {
  return add(name, NC_INT, dimension, chunk);
}
int File::add_bytes(const std::string& name, int dimension, std::size_t chunk) {
  return add(name, NC_BYTE, dimension, chunk);
}

void File::describe(int variable, const std::string& name, std::string_view text) {
  check(quiet_library().nc_put_att_text(handle_, variable, name.c_str(), text.size(), text.data()));
}
void File::describe(int variable, const std::string& name, std::span<const signed char> numbers) {
  check(quiet_library().nc_put_att_schar(handle_, variable, name.c_str(), NC_BYTE, numbers.size(),
                                         numbers.data()));
}
void File::describe(const std::string& name, std::string_view text) { describe(NC_GLOBAL, name, text); }

void File::end_definitions() { check(quiet_library().nc_enddef(handle_)); }

void File::write(int variable, std::size_t from, std::span<const double> values) {
  const std::size_t count = values.size();
  check(quiet_library().nc_put_vara_double(handle_, variable, &from, &count, values.data()));
}
void File::write(int variable, std::size_t from, std::span<const int> values) {
  const std::size_t count = values.size();
  check(quiet_library().nc_put_vara_int(handle_, variable, &from, &count, values.data()));
}
void File::write(int variable, std::size_t from, std::span<const signed char> values) {
  const std::size_t count = values.size();
  check(quiet_library().nc_put_vara_schar(handle_, variable, &from, &count, values.data()));
}

void File::synchronize() { check(quiet_library().nc_sync(handle_)); }

void File::close() {
  if (handle_ < 0) return;
  synchronize();  // where this fails, there is still a handle
  check(quiet_library().nc_close(std::exchange(handle_, -1)));
}

}  // namespace mti::netcdf
