#include "tests/mutation/commands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/temporary_directory.hpp"

// main() of the program, renamed for this target (tests/mutation/CMakeLists.txt).
int mti_main(int argc, char** argv);

namespace mti::test {
namespace {

namespace fs = std::filesystem;

void redirect(int descriptor, const char* file) {
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(opened, descriptor);
  ::close(opened);
}

bool is_json(const fs::path& file) { return nlohmann::json::accept(read_text(file)); }

std::string fault_of_trajectory(const fs::path& file) {
  std::istringstream lines(read_text(file));
  std::string line;
  if (!std::getline(lines, line)) return "the trajectory is empty";
  const auto commas = [&] { return std::count(line.begin(), line.end(), ','); };
  const auto expected = commas();
  double before = -HUGE_VAL;
  while (std::getline(lines, line)) {
    if (commas() != expected || lines.eof()) return "half a row in the trajectory: " + line;
    if (line.find("nan") != std::string::npos || line.find("inf") != std::string::npos)
      return "a row of the trajectory that is no number: " + line;
    const double time = std::strtod(line.c_str(), nullptr);
    if (time < before) return "time runs back: " + line;
    before = time;
  }
  return "";
}

std::string fault_of_run(int status) {
  const std::set<std::string> whole = {"events.json", "summary.json", "trajectory.csv"};
  std::set<std::string> found;
  if (fs::exists("results"))
    for (const auto& entry : fs::directory_iterator("results")) found.insert(entry.path().filename());
  if (status == 1 || status == 2) return found.empty() ? "" : "results of a run that was refused";
  const bool begun = read_text("err").find("before the run began") == std::string::npos;
  if (!begun && found.empty()) return "";
  if (found != whole) return "not all results, or others";
  for (const char* file : {"results/events.json", "results/summary.json"})
    if (!is_json(file)) return std::string(file) + " cannot be read";
  return fault_of_trajectory("results/trajectory.csv");
}

}  // namespace

const std::vector<ProgramCommand>& program_commands() {
  static const std::vector<ProgramCommand> commands = {
      {"check", {"check", "model.json"}},
      {"simulate",
       {"simulate", "model.json", "--quiet", "--no-report", "--max-seconds", "0.3", "--out", "results"}},
      {"analyze", {"analyze", "model.json", "--all-modes", "--json"}},
      {"linearize", {"linearize", "model.json", "--json"}},
      {"convert", {"convert", "model.json", "converted.json"}}};
  return commands;
}

int run_in_this_process(const ProgramCommand& command) {
  redirect(STDOUT_FILENO, "out");
  redirect(STDERR_FILENO, "err");
  std::vector<std::string> words = {"mti"};
  words.insert(words.end(), command.words.begin(), command.words.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int status = mti_main(static_cast<int>(words.size()), pointers.data());
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  return status;
}

std::string fault_of(const ProgramCommand& command, int status) {
  if (status < 0 || status > 3) return "exit status " + std::to_string(status);
  if (read_text("err").find("internal-error") != std::string::npos)
    return "internal error: " + read_text("err");
  if (status != 0 && command.name != "simulate" && read_text("err").empty()) return "fails without a word";
  std::set<std::string> allowed = {"model.json", "out", "err"};
  if (command.name == "simulate") {
    allowed.insert("results");
    if (const std::string fault = fault_of_run(status); !fault.empty()) return fault;
  }
  if (command.name == "convert") {
    allowed.insert("converted.json");
    if (fs::exists("converted.json") != (status == 0))
      return "a converted file of a conversion that failed, or none";
    if (status == 0 && !is_json("converted.json")) return "a converted file that cannot be read";
  }
  const auto& words = command.words;
  if (status == 0 && std::find(words.begin(), words.end(), "--json") != words.end() && !is_json("out"))
    return "prints what is no JSON";
  for (const auto& entry : fs::directory_iterator("."))
    if (!entry.is_symlink() && !allowed.contains(entry.path().filename()))
      return "leaves " + entry.path().filename().string();
  return "";
}

void clean_up() {
  for (const char* left : {"out", "err", "results", "converted.json"}) fs::remove_all(left);
}

}  // namespace mti::test
