// mutate_models [--count N] [--first K] [--keep DIR] [FOLDER...]: every model below the folders (default:
// those of the repository), in turn, with faults in it (tests/mutation/mutate.hpp), through the commands of
// the program (tests/mutation/commands.hpp). Exit status 1 if any of them crashes, runs out of time or leaves
// what it must not; each finding is printed, and the mutant kept in DIR.
//
// Commands run in child processes that take a batch of mutants each, which is a hundred times cheaper than a
// process for each command; what a child was doing when it ended stands in memory that is shared with it.

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>
#include <utility>

#include "mti/common/at.hpp"
#include "tests/mutation/commands.hpp"
#include "tests/mutation/mutate.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int batch = 25;
constexpr int ended_early = 3;  ///< exit status of a run that is cut short
/// Processor time of one command, in seconds: a run has a budget of 0.3 s, other commands none but the size
/// of the models of the repository. Sanitisers take up to twenty times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int most_seconds = 60;
#else
constexpr int most_seconds = 5;
#endif

struct Options {
  long count = 300, first = 1;
  fs::path keep;
  std::vector<fs::path> folders;
};

struct ModelFile {
  fs::path path;
  Json model;
};

/// What a child tells: where it is, and what it found.
struct Report {
  long mutant = 0;
  int command = 0;
  bool found = false;
  char text[1000] = {}, place[1000] = {};

  void tell(const std::string& what) {
    std::strncpy(text, what.c_str(), sizeof text - 1);
    found = true;
  }
  void be_at(const fs::path& folder) { std::strncpy(place, folder.c_str(), sizeof place - 1); }
};

std::vector<ModelFile> model_files(const std::vector<fs::path>& folders) {
  std::vector<ModelFile> files;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".json") continue;
      Json model = Json::parse(read_text(entry.path()), nullptr, false);
      if (model.is_object() && model.value("format", Json()) == "mti-model")
        files.push_back({entry.path(), std::move(model)});
    }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

/// A working directory for models of one folder, where the files they name are found.
class Workplace {
 public:
  explicit Workplace(fs::path root) : root_(std::move(root)) {}

  void enter(const fs::path& folder) {
    const auto [place, is_new] = folders_.try_emplace(folder, root_ / std::to_string(folders_.size()));
    if (is_new) {
      fs::create_directory(place->second);
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename() != "model.json")
          fs::create_symlink(entry.path(), place->second / entry.path().filename());
    }
    fs::current_path(place->second);
  }

 private:
  fs::path root_;
  std::map<fs::path, fs::path> folders_;
};

void limit_processor_time() {
  const itimerval limit{{0, 0}, {most_seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Ends at the first finding, or when the batch is done.
void run_batch(const std::vector<ModelFile>& files, Workplace workplace, long last, Report& report) {
  const auto& commands = program_commands();
  for (; report.mutant <= last; ++report.mutant, report.command = 0) {
    const ModelFile& file = files[at(report.mutant) % files.size()];
    workplace.enter(file.path.parent_path());
    report.be_at(fs::current_path());
    std::ofstream("model.json") << mutated(file.model, static_cast<std::uint32_t>(report.mutant)).dump(1);
    for (; report.command < static_cast<int>(commands.size()); ++report.command) {
      const ProgramCommand& command = commands[at(report.command)];
      limit_processor_time();
      const std::string fault = fault_of(command, run_in_this_process(command));
      clean_up();
      if (!fault.empty()) return report.tell(fault);
    }
    fs::remove("model.json");
  }
}

/// A child process: exit() runs what is left to do in the process, the leak checker of AddressSanitizer too.
[[noreturn]] void be_child(const std::vector<ModelFile>& files, const fs::path& place, long last,
                           Report& report) {
  try {
    run_batch(files, Workplace(place), last, report);
  } catch (const std::exception& error) {
    report.tell(std::string("an exception leaves the program: ") + error.what());
  }
  std::exit(0);
}

std::string ending(int status) {
  if (WIFEXITED(status)) return "the process ended with status " + std::to_string(WEXITSTATUS(status));
  return WTERMSIG(status) == SIGPROF ? "out of time" : std::string("signal: ") + strsignal(WTERMSIG(status));
}

/// A run may end the process with the exit status of one that is cut short; what it leaves is whole then, too.
bool is_ended_run(int status, const Report& report) {
  return WIFEXITED(status) && WEXITSTATUS(status) == ended_early &&
         report.command < static_cast<int>(program_commands().size()) &&
         program_commands()[at(report.command)].name == "simulate";
}

class Campaign {
 public:
  explicit Campaign(const Options& options) : options_(options), files_(model_files(options.folders)) {
    if (files_.empty()) throw std::runtime_error("no model in the folders");
    void* shared = ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
    report_ = new (shared) Report;
  }
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;
  ~Campaign() { ::munmap(report_, sizeof(Report)); }

  [[nodiscard]] int run() {
    const long end = options_.first + options_.count;
    int command = 0;  // of the next mutant, where a run has ended the process
    for (long next = options_.first; next < end;) {
      const long last = std::min(end - 1, next + batch - 1);
      *report_ = {};
      report_->mutant = next;
      report_->command = std::exchange(command, 0);
      const TemporaryDirectory place;
      const pid_t child = ::fork();
      if (child == 0) be_child(files_, place.path(), last, *report_);
      int status = 0;
      ::waitpid(child, &status, 0);
      if (is_ended_run(status, *report_)) {
        const std::string fault = fault_of_ended_run();
        if (!fault.empty()) tell(fault);
        next = report_->mutant;
        command = report_->command + 1;
        continue;
      }
      const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
      if (failed || report_->found) tell(failed ? ending(status) : report_->text);
      next = report_->mutant + 1;
    }
    std::printf("%ld mutants of %zu models, %zu commands each: %ld findings\n", options_.count, files_.size(),
                program_commands().size(), findings_);
    return findings_ == 0 ? 0 : 1;
  }

 private:
  [[nodiscard]] std::string fault_of_ended_run() const {
    const fs::path here = fs::current_path();
    fs::current_path(report_->place);
    std::string fault = fault_of(program_commands()[at(report_->command)], ended_early);
    fs::current_path(here);
    return fault;
  }

  void tell(const std::string& what) {
    ++findings_;
    const bool after = report_->command >= static_cast<int>(program_commands().size()) ||
                       report_->mutant >= options_.first + options_.count;
    const std::string command = after ? "after the batch" : program_commands()[at(report_->command)].name;
    const ModelFile& file = files_[at(report_->mutant) % files_.size()];
    std::printf("mutant %ld of %s, %s: %s\n", report_->mutant, file.path.c_str(), command.c_str(),
                what.c_str());
    std::fflush(stdout);
    if (options_.keep.empty()) return;
    const std::string name = "mutant_" + std::to_string(report_->mutant) + "_" + command;
    std::ofstream(options_.keep / (name + ".json"))
        << mutated(file.model, static_cast<std::uint32_t>(report_->mutant)).dump(1) << "\n";
    std::ofstream(options_.keep / (name + ".txt"))
        << command << " of a mutant of " << file.path << ": " << what << "\n";
  }

  const Options& options_;
  std::vector<ModelFile> files_;
  Report* report_ = nullptr;
  long findings_ = 0;
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (++i >= argc) throw std::runtime_error("no value after " + word);
      return std::string(argv[i]);
    };
    if (word == "--count")
      options.count = std::stol(value());
    else if (word == "--first")
      options.first = std::stol(value());
    else if (word == "--keep")
      options.keep = fs::absolute(value());
    else
      options.folders.push_back(fs::absolute(word));
  }
  if (options.folders.empty())
    options.folders = {source_dir() / "tests/cases", source_dir() / "tests/io/broken",
                       source_dir() / "examples"};
  return options;
}

}  // namespace
}  // namespace mti::test

int main(int argc, char** argv) {
  try {
    const mti::test::Options options = mti::test::options_of(argc, argv);
    return mti::test::Campaign(options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mutate_models: %s\n", error.what());
    return 2;
  }
}
