#include "tests/program/program_run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/places.hpp"

namespace mti::test {
namespace {

void redirect(const std::filesystem::path& path, int flags, int descriptor) {
  const int file = ::open(path.c_str(), flags, 0600);
  ::dup2(file, descriptor);
  ::close(file);
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory, const std::string& standard_input,
                               const std::vector<std::string>& launcher) {
  const auto input = files_.write("in", standard_input);
  std::vector<std::string> words = launcher;
  words.push_back(program_file().string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  process_ = ::fork();
  if (process_ != 0) return;
  redirect(input, O_RDONLY, STDIN_FILENO);
  redirect(files_.path() / "out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(files_.path() / "err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  if (::chdir(directory.c_str()) == 0) ::execvp(pointers.front(), pointers.data());
  ::_exit(127);
}

void RunningProgram::send(int signal) const { ::kill(process_, signal); }

bool RunningProgram::comes_to_catch(int signal) const {
  constexpr int most_looks = 1000;
  const std::string status = "/proc/" + std::to_string(process_) + "/status";
  for (int look = 0; look < most_looks; ++look) {
    std::ifstream file(status);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("SigCgt:") && (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0)
        return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

ProgramResult RunningProgram::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(files_.path() / "out"),
          read_text(files_.path() / "err")};
}

ProgramResult run_program(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                          const std::string& standard_input) {
  return RunningProgram(arguments, directory, standard_input).wait();
}

void wait_until(const std::function<bool()>& holds) {
  const auto begun = std::chrono::steady_clock::now();
  while (!holds() && std::chrono::steady_clock::now() - begun < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string three_tank() { return read_text(source_dir() / "examples/three_tank/model.json"); }

}  // namespace mti::test
