#include "io/files/journal_file.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {

struct JournalFile::Handle {
  std::filesystem::path path;
  std::FILE* file = nullptr;

  [[noreturn]] void refuse(const std::string& why) const {
    throw UnusableFile("file-unwritable", "", "cannot write " + path.string() + ": " + why);
  }
  [[noreturn]] void refuse(int error) const { refuse(std::generic_category().message(error)); }
};

JournalFile::JournalFile(std::filesystem::path path) : handle_(std::make_unique<Handle>()) {
  handle_->path = std::move(path);
  std::error_code error;
  if (const auto folder = handle_->path.parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, error);
  if (error) handle_->refuse(error.message());
  handle_->file = std::fopen(handle_->path.c_str(), "abe");
  if (handle_->file == nullptr) handle_->refuse(errno);
  const int descriptor = fileno(handle_->file);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {  // some file systems have no locks
    std::fclose(handle_->file);
    handle_->refuse("another process is writing to it");
  }
}

JournalFile::~JournalFile() { std::fclose(handle_->file); }

void JournalFile::cut(std::int64_t size) {
  if (ftruncate(fileno(handle_->file), size) != 0) handle_->refuse(errno);
}

void JournalFile::append(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fileno(handle_->file), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) handle_->refuse(errno);
    text.remove_prefix(at(written));
  }
}

}  // namespace mti
