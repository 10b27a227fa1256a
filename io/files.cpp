#include "io/files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "mti/fault.hpp"

namespace mti {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& why) {
  throw InvalidModel("file-unreadable", "", "cannot read " + path.string() + ": " + why);
}

[[noreturn]] void unwritable(const std::filesystem::path& path, const std::string& why) {
  throw InvalidModel("file-unwritable", "", "cannot write " + path.string() + ": " + why);
}

std::string read_all(std::FILE* file, const std::filesystem::path& path) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  if (std::ferror(file)) unreadable(path, reason(errno));
  return text;
}

void write_all(const std::filesystem::path& path, std::string_view text) {
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) unwritable(path, reason(errno));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // the text is one block already
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) unwritable(path, reason(errno));
  if (std::fclose(file.release()) != 0) unwritable(path, reason(errno));
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  if (error) unwritable(directory, error.message());
}

std::filesystem::path temporary_path(const std::filesystem::path& directory, const std::string& name) {
  return directory / ("." + name + "." + std::to_string(::getpid()));
}

/// Temporary files that are removed unless they were renamed.
struct Temporaries {
  std::vector<std::filesystem::path> paths;
  ~Temporaries() {
    std::error_code ignored;
    for (const auto& path : paths) std::filesystem::remove(path, ignored);
  }
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  if (path == "-") return read_all(stdin, "standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) unreadable(path, reason(EISDIR));
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) unreadable(path, reason(errno));
  return read_all(file.get(), path);
}

void prepare_directory(const std::filesystem::path& directory) {
  make_directory(directory);
  Temporaries temporaries;
  temporaries.paths.push_back(temporary_path(directory, "trial"));
  write_all(temporaries.paths.back(), "");
}

void write_files(const std::filesystem::path& directory, const std::vector<NamedText>& files) {
  make_directory(directory);
  Temporaries temporaries;
  for (const NamedText& file : files) {
    temporaries.paths.push_back(temporary_path(directory, file.name));
    write_all(temporaries.paths.back(), file.text);
  }
  std::error_code error;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::filesystem::rename(temporaries.paths[i], directory / files[i].name, error);
    if (error) unwritable(directory / files[i].name, error.message());
  }
}

void write_through(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path& temporary)>& write) {
  make_directory(path.parent_path());
  Temporaries temporaries;
  temporaries.paths.push_back(temporary_path(path.parent_path(), path.filename().string()));
  write_all(temporaries.paths.front(), "");  // says why where nothing can be written
  write(temporaries.paths.front());
  std::error_code error;
  std::filesystem::rename(temporaries.paths.front(), path, error);
  if (error) unwritable(path, error.message());
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
  if (is_device) return write_all(path, text);  // such as /dev/stdout: never to be replaced by a file
  write_files(path.parent_path(), {{path.filename().string(), text}});
}

}  // namespace mti
