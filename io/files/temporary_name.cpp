#include "io/files/temporary_name.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <system_error>

namespace mti {
namespace {

std::string hexadecimal(std::size_t number) {
  std::ostringstream text;
  text << std::hex << number;
  return text.str();
}

/// Numbers of processes mean something within one namespace of a machine that has not been started again; "" where nothing
/// says which that is.
std::string place_of_processes() {
  std::string start;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, start);
  std::error_code ignored;
  const std::string space = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  return start.empty() || space.empty() ? "" : hexadecimal(std::hash<std::string>{}(start + space));
}

/// The number of the process of this place that made a temporary file of one of `names`; 0 for any other file.
pid_t maker_of(const std::string& file, std::span<const std::string> names, const std::string& place) {
  const std::size_t dot = file.rfind('.');
  if (!file.starts_with('.') || dot == 0 || dot == std::string::npos) return 0;
  if (std::ranges::find(names, file.substr(1, dot - 1)) == names.end()) return 0;
  pid_t process = 0;
  const char* const end = file.data() + file.size();
  const auto [rest, error] = std::from_chars(file.data() + dot + 1, end, process);
  const bool is_ours = std::string_view(rest, end).starts_with("-" + place + "-");
  return error == std::errc() && is_ours && process > 0 ? process : 0;
}

void remove_temporaries(const std::filesystem::path& directory, std::span<const std::string> names,
                        const std::string& place, bool (*is_removed)(pid_t process)) {
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory.empty() ? "." : directory, error), end;
       !error && file != end; file.increment(error)) {
    const pid_t process = maker_of(file->path().filename().string(), names, place);
    if (process == 0 || !is_removed(process)) continue;
    std::error_code ignored;
    std::filesystem::remove(file->path(), ignored);
  }
}

}  // namespace

std::filesystem::path temporary_path(const std::filesystem::path& directory, const std::string& name) {
  std::random_device random;
  return directory / ("." + name + "." + std::to_string(::getpid()) + "-" + place_of_processes() + "-" +
                      hexadecimal((std::size_t{random()} << 32U) | random()));
}

void remove_leftovers(const std::filesystem::path& directory, std::span<const std::string> names) {
  const std::string place = place_of_processes();
  if (place.empty()) return;  // nothing says whose number a name holds
  remove_temporaries(directory, names, place, [](pid_t process) {
    return process != ::getpid() && ::kill(process, 0) != 0 && errno == ESRCH;
  });
}

void remove_unfinished(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  remove_temporaries(path.parent_path(), std::span(&name, 1), place_of_processes(),
                     [](pid_t process) { return process == ::getpid(); });
}

}  // namespace mti
