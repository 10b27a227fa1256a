#include "io/files/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "io/files/temporary_name.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& why) {
  throw UnusableFile("file-unreadable", "", "cannot read " + path.string() + ": " + why);
}

[[noreturn]] void unwritable(const std::filesystem::path& path, const std::string& why) {
  throw UnusableFile("file-unwritable", "", "cannot write " + path.string() + ": " + why);
}

std::string read_all(std::FILE* file, const std::filesystem::path& path) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  if (std::ferror(file)) unreadable(path, reason(errno));
  return text;
}

/// Messages name `shown`, of which the file at `path` is to take the place.
File open_to_write(const std::filesystem::path& path, const std::filesystem::path& shown) {
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) unwritable(shown, reason(errno));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // the text comes in blocks already
  return file;
}

void append_to(std::FILE* file, const std::filesystem::path& path, std::string_view text) {
  if (text.empty()) return;  // its data() may be null, which fwrite does not take
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) unwritable(path, reason(errno));
}

/// The same; where not all of it fits, no part of a line stays.
void append_lines(std::FILE* file, const std::filesystem::path& path, std::string_view text) {
  if (text.empty()) return;
  const long begin = std::ftell(file);
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file);
  if (written == text.size()) return;
  const int error = errno;
  const std::size_t lines = text.substr(0, written).rfind('\n') + 1;  // npos + 1 is 0
  if (begin < 0 || ftruncate(fileno(file), begin + static_cast<long>(lines)) != 0)
    unwritable(path, reason(error) + "; its last line is not whole");
  unwritable(path, reason(error));
}

/// Has what was written go to the disk meanwhile: a file system may wait for all of it where the file takes the place of
/// another one, 0.3 s for 500 MB. A hint: where it cannot be followed nothing is lost.
void begin_to_store(std::FILE* file) {
#ifdef __linux__
  ::sync_file_range(fileno(file), 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  static_cast<void>(file);
#endif
}

void close(File file, const std::filesystem::path& path) {
  if (file && std::fclose(file.release()) != 0) unwritable(path, reason(errno));
}

void write_all(const std::filesystem::path& path, std::string_view text, const std::filesystem::path& shown) {
  File file = open_to_write(path, shown);
  append_to(file.get(), shown, text);
  close(std::move(file), shown);
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  if (error) unwritable(directory, error.message());
}

constexpr const char* kTrial = "trial";

/// Temporary files that are removed unless they were renamed.
struct Temporaries {
  std::vector<std::filesystem::path> paths;

  Temporaries() = default;
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;
  ~Temporaries() {
    std::error_code ignored;
    for (const auto& path : paths) std::filesystem::remove(path, ignored);
  }
};

/// Removes files of a directory.
void remove_from(const std::filesystem::path& directory, std::span<const std::string> names) {
  std::error_code error;
  for (const std::string& name : names) {
    std::filesystem::remove(directory / name, error);
    if (error) unwritable(directory / name, error.message());
  }
}

void rename_to(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) unwritable(path, error.message());
}

/// Does something with an empty temporary file beside the place of `path`, which is removed if it is still there then.
void write_beside(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& work) {
  make_directory(path.parent_path());
  const std::string name = path.filename().string();
  remove_leftovers(path.parent_path(), std::span(&name, 1));
  Temporaries temporaries;
  temporaries.paths.push_back(temporary_path(path.parent_path(), name));
  write_all(temporaries.paths.front(), {}, path);  // says why where nothing can be written
  work(temporaries.paths.front());
}

/// What `write` cannot write it calls by the name that it was given; messages name `path`.
void make_with(const std::function<void(const std::filesystem::path& temporary)>& write,
               const std::filesystem::path& temporary, const std::filesystem::path& path) {
  try {
    write(temporary);
  } catch (const UnusableFile& unwritable) {
    const std::string given = temporary.string();
    std::vector<Fault> faults = unwritable.faults();
    for (Fault& fault : faults)
      if (const auto place = fault.message.find(given); place != std::string::npos)
        fault.message.replace(place, given.size(), path.string());
    throw UnusableFile(std::move(faults));
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  if (path == "-") return read_all(stdin, "standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) unreadable(path, reason(EISDIR));
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) unreadable(path, reason(errno));
  return read_all(file.get(), path);
}

bool begins_with(const std::filesystem::path& path, std::string_view mark) {
  constexpr std::size_t beginning = 1024;
  std::ifstream file(path, std::ios::binary);
  std::string text(beginning, '\0');
  file.read(text.data(), beginning);
  text.resize(at(file.gcount()));
  return text.find(mark) != std::string::npos;
}

void prepare_directory(const std::filesystem::path& directory, std::span<const std::string> names) {
  make_directory(directory);
  std::vector<std::string> temporary(names.begin(), names.end());
  temporary.emplace_back(kTrial);
  remove_leftovers(directory, temporary);
  Temporaries temporaries;
  temporaries.paths.push_back(temporary_path(directory, kTrial));
  write_all(temporaries.paths.back(), {}, directory.empty() ? "." : directory);
}

void prepare_file(const std::filesystem::path& path) {
  if (path == "-") return;
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const std::filesystem::path name = path.filename();
  if (std::filesystem::is_directory(status) || name.empty() || name == "." || name == "..")
    unwritable(path, reason(EISDIR));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return;
  write_beside(path, [](const std::filesystem::path&) {});
}

struct StagedFiles::Files {
  struct Staged {
    std::string name;
    std::filesystem::path path;
    File file;                ///< null of one that a library writes
    std::size_t waiting = 0;  ///< bytes since the last begin_to_store()
  };
  std::filesystem::path directory;
  std::vector<Staged> staged;

  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() {
    std::error_code ignored;
    for (const Staged& left : staged) std::filesystem::remove(left.path, ignored);
  }
};

StagedFiles::StagedFiles(const std::filesystem::path& directory, std::span<const std::string> names)
    : files_(std::make_unique<Files>()) {
  files_->directory = directory;
  make_directory(directory);
  remove_leftovers(directory, names);
}
StagedFiles::~StagedFiles() = default;

void StagedFiles::append(const std::string& name, std::string_view text) {
  auto file = std::ranges::find(files_->staged, name, &Files::Staged::name);
  if (file == files_->staged.end()) {
    const std::filesystem::path path = temporary_path(files_->directory, name);
    files_->staged.push_back({name, path, open_to_write(path, files_->directory / name)});
    file = files_->staged.end() - 1;
  }
  append_lines(file->file.get(), files_->directory / name, text);
  constexpr std::size_t most_waiting = 1 << 25;  // written within some 0.02 s
  if ((file->waiting += text.size()) < most_waiting) return;
  begin_to_store(file->file.get());
  file->waiting = 0;
}

std::filesystem::path StagedFiles::begin(const std::string& name) {
  std::filesystem::path path = temporary_path(files_->directory, name);
  files_->staged.push_back(
      {name, path, open_to_write(path, files_->directory / name)});  // says why it cannot be written
  close(std::move(files_->staged.back().file), files_->directory / name);
  return path;
}

bool StagedFiles::show(const std::string& name, std::span<const std::string> superseded) {
  const auto file = std::ranges::find(files_->staged, name, &Files::Staged::name);
  if (file == files_->staged.end()) return false;
  Temporaries copy;
  copy.paths.push_back(temporary_path(files_->directory, name));
  std::error_code error;
  if (!std::filesystem::copy_file(file->path, copy.paths.front(), error) || error) return false;
  remove_from(files_->directory, superseded);
  rename_to(copy.paths.front(), files_->directory / name);
  return true;
}

void StagedFiles::overwrite(const std::string& name, std::size_t place, std::string_view bytes) {
  const auto file = std::ranges::find(files_->staged, name, &Files::Staged::name);
  if (file == files_->staged.end()) return;
  std::FILE* const stream = file->file.get();
  if (std::fseek(stream, static_cast<long>(place), SEEK_SET) != 0 ||
      std::fwrite(bytes.data(), 1, bytes.size(), stream) != bytes.size() ||
      std::fseek(stream, 0, SEEK_END) != 0)
    unwritable(files_->directory / name, reason(errno));
}

void StagedFiles::publish(std::span<const std::string> superseded) {
  for (Files::Staged& staged : files_->staged) close(std::move(staged.file), files_->directory / staged.name);
  remove_from(files_->directory, superseded);
  for (const Files::Staged& staged : files_->staged) rename_to(staged.path, files_->directory / staged.name);
  files_->staged.clear();
}

void StagedFiles::drop(const std::string& name) {
  const auto file = std::ranges::find(files_->staged, name, &Files::Staged::name);
  if (file == files_->staged.end()) return;
  std::error_code ignored;
  std::filesystem::remove(file->path, ignored);
  files_->staged.erase(file);
}

void write_files(const std::filesystem::path& directory, const std::vector<NamedText>& files,
                 std::span<const std::string> superseded) {
  std::vector<std::string> names(superseded.begin(), superseded.end());
  for (const NamedText& file : files) names.push_back(file.name);
  StagedFiles staged(directory, names);
  for (const NamedText& file : files) staged.append(file.name, file.text);
  staged.publish(superseded);
}

void write_through(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path& temporary)>& write) {
  write_beside(path, [&](const std::filesystem::path& temporary) {
    make_with(write, temporary, path);
    rename_to(temporary, path);
  });
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  if (path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      unwritable("standard output", reason(errno));
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool is_device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (is_device) return write_all(path, text, path);  // such as /dev/stdout: never to be replaced by a file
  write_files(path.parent_path(), {{path.filename().string(), text}});
}

void finish_standard_output() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0;
  const int error = errno;
  if (error == EPIPE) return;
  if (failed || std::ferror(stdout) != 0)
    unwritable("standard output", error != 0 ? reason(error) : "what was printed is not complete");
}

bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

}  // namespace mti
