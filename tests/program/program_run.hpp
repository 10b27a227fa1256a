#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/temporary_directory.hpp"

namespace mti::test {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + number of the signal that ended it
  std::string out, err;
};

/// The program `mti` while it runs, in a given working directory.
class RunningProgram {
 public:
  /// `launcher`: what starts the program, with arguments of its own, if not this process.
  RunningProgram(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                 const std::string& standard_input = {}, const std::vector<std::string>& launcher = {});
  void send(int signal) const;
  [[nodiscard]] pid_t process() const { return process_; }
  /// Waits until the process has a handler of its own for a signal; false if it has none after ten seconds.
  [[nodiscard]] bool comes_to_catch(int signal) const;
  [[nodiscard]] ProgramResult wait();

 private:
  TemporaryDirectory files_;
  pid_t process_ = -1;
};

/// Runs `mti ARGUMENTS…` to its end.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& directory,
                                        const std::string& standard_input = {});

/// Returns once it holds, or after a minute.
void wait_until(const std::function<bool()>& holds);

/// Lines of a text without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// The three-tank model of the examples, as text.
[[nodiscard]] std::string three_tank();

}  // namespace mti::test
