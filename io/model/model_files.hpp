#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "mti/common/fault.hpp"
#include "mti/components/composition.hpp"

namespace mti::json {

/// Reads the model files that components name, each once, and says which files may be read.
class ModelFiles {
 public:
  /// `root`: the file that is being read, empty if it is none; `directory`: its folder. What is opened is noted in
  /// `inputs`, if that is given.
  ModelFiles(const std::filesystem::path& root, const std::filesystem::path& directory, Reach reach,
             InputFiles* inputs = nullptr);

  /// Whether a file lies below the folder of the model, links followed. Of other files nothing is quoted in
  /// messages: who reads these need not be allowed to read them.
  [[nodiscard]] bool is_own(const std::filesystem::path& path) const;
  /// False, with a fault at `pointer` (id `outside-folder`), for a file that is not to be read.
  [[nodiscard]] bool may_read(const std::filesystem::path& path, const std::string& pointer,
                              std::vector<Fault>& faults) const;

  /// A file is going to be read beside the models: a table.
  void open(const std::filesystem::path& path) { note(inputs_, path); }

  struct Loaded {
    std::shared_ptr<const Composition> model;  ///< null where it could not be read at all
    bool is_complete = true;                   ///< as SourceReader::is_complete()
  };
  /// The model of a file. What is wrong in it is appended to `faults` at the first reading, with its file;
  /// where it cannot be opened or contains itself (ids `model-unreadable`, `component-cycle`), at `pointer`.
  Loaded load(const std::filesystem::path& path, const std::string& pointer, std::vector<Fault>& faults);

  /// One use of a model in another, while it is read. Readers call themselves for every one.
  class Level {
   public:
    explicit Level(ModelFiles& files) : files_(files) { ++files_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --files_.depth_; }
    [[nodiscard]] bool is_too_deep() const { return files_.depth_ > deepest; }

   private:
    ModelFiles& files_;
  };
  static constexpr int deepest = 200;

 private:
  std::map<std::filesystem::path, Loaded> loaded_;
  std::filesystem::path folder_;
  Reach reach_;
  InputFiles* inputs_;
  std::vector<std::filesystem::path> open_;  ///< each is read because the one before names it
  int depth_ = 0;
};

}  // namespace mti::json
