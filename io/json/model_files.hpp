#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mti/components/composition.hpp"
#include "mti/fault.hpp"

namespace mti::json {

/// Reads the model files that components name, each once.
class ModelFiles {
 public:
  /// `root`: the file that is being read, empty if it is none.
  explicit ModelFiles(const std::filesystem::path& root);

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
  std::vector<std::filesystem::path> open_;  ///< each is read because the one before names it
  int depth_ = 0;
};

}  // namespace mti::json
