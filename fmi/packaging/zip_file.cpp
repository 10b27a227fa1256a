#include "fmi/packaging/zip_file.hpp"

#include <minizip/zip.h>

#include <algorithm>
#include <limits>

#include "mti/common/fault.hpp"

namespace mti::fmi {

struct ZipFile::Handle {
  zipFile zip = nullptr;
  ~Handle() {
    if (zip != nullptr) zipClose(zip, nullptr);
  }
};

ZipFile::ZipFile(const std::filesystem::path& path) : path_(path), handle_(std::make_unique<Handle>()) {
  handle_->zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  if (handle_->zip == nullptr) fail();
}

ZipFile::~ZipFile() = default;

void ZipFile::add(const std::string& name, std::string_view content) {
  zip_fileinfo info = {};
  info.tmz_date.tm_year = 1980;  // the first that the format knows
  info.tmz_date.tm_mday = 1;
  constexpr int usual = 6, deflated = 8, names_in_utf8 = 1 << 11;
  constexpr std::size_t needs_more_bits = std::numeric_limits<unsigned>::max();
  if (zipOpenNewFileInZip4_64(handle_->zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflated,
                              usual, 0, -15, 8, 0, nullptr, 0, 0, names_in_utf8,
                              content.size() >= needs_more_bits ? 1 : 0) != ZIP_OK)
    fail();
  constexpr std::size_t piece = 1U << 30U;
  for (std::size_t from = 0; from < content.size(); from += piece) {
    const auto length = static_cast<unsigned>(std::min(piece, content.size() - from));
    if (zipWriteInFileInZip(handle_->zip, content.data() + from, length) != ZIP_OK) fail();
  }
  if (zipCloseFileInZip(handle_->zip) != ZIP_OK) fail();
}

void ZipFile::finish() {
  const zipFile zip = handle_->zip;
  handle_->zip = nullptr;
  if (zipClose(zip, nullptr) != ZIP_OK) fail();
}

void ZipFile::fail() const { throw UnusableFile("file-unwritable", "", "cannot write " + path_.string()); }

}  // namespace mti::fmi
