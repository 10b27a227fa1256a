#include "program/guard/launcher.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "program/console/messages.hpp"

namespace mti {

int launched_processes() {
  const auto number = [](const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? 0 : std::atoi(text);
  };
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const int processes = number(name); processes > 0) return processes;
  return std::getenv("PMIX_RANK") != nullptr ? number("SLURM_STEP_NUM_TASKS") : 1;
}

bool belongs_to_team(const Arguments& arguments) {
  const auto* study = std::get_if<StudyArguments>(&arguments);
  return study != nullptr && !study->options.shard && launched_processes() > 1;
}

ExitStatus join_team(int argc, char** argv) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / "mti-study-mpi";
  std::string name = program.string();
  std::vector<char*> words = {name.data()};
  for (int word = 2; word < argc; ++word) words.push_back(argv[word]);  // after mti study
  words.push_back(nullptr);
  ::execv(name.c_str(), words.data());
  print_faults("study",
               {{"no-mpi", "",
                 "this is one of " + std::to_string(launched_processes()) +
                     " processes that an MPI launcher has started, but there is no program " + name +
                     ": build mti with MPI (libopenmpi-dev), or give each process its part by --shard k/N"}});
  return ExitStatus::not_valid;
}

}  // namespace mti
