#include "io/json/model_files.hpp"

#include <algorithm>
#include <system_error>

#include "io/exchange.hpp"
#include "io/files.hpp"
#include "io/json/source_reader.hpp"
#include "io/json/value.hpp"

namespace mti::json {
namespace {

namespace fs = std::filesystem;

fs::path identity_of(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

/// A link stands in a directory of its own, which the paths in it are relative to: it is read by itself.
fs::path place_of(const fs::path& path) { return identity_of(path.parent_path()) / path.filename(); }

}  // namespace

ModelFiles::ModelFiles(const fs::path& root) {
  if (!root.empty() && root != "-") open_.push_back(identity_of(root));
}

ModelFiles::Loaded ModelFiles::load(const fs::path& path, const std::string& pointer,
                                    std::vector<Fault>& faults) {
  const fs::path identity = identity_of(path), place = place_of(path);
  if (const auto found = loaded_.find(place); found != loaded_.end()) return found->second;
  if (const auto begin = std::ranges::find(open_, identity); begin != open_.end()) {
    std::string circle;
    for (auto file = begin; file != open_.end(); ++file) circle += file->filename().string() + " -> ";
    faults.push_back({"component-cycle", pointer,
                      "a model cannot be a component of itself: " + circle + identity.filename().string()});
    return {nullptr, false};
  }
  std::error_code error;
  // A pipe or device could keep the reader waiting for ever.
  if (!fs::is_regular_file(path, error)) {
    faults.push_back(
        {"model-unreadable", pointer,
         "cannot read " + path.string() + ": " + (error ? error.message() : "not a regular file")});
    return loaded_[place] = {nullptr, false};
  }
  open_.push_back(identity);
  Loaded loaded{nullptr, false};
  std::vector<Fault> own;
  try {
    if (is_mat_file(path)) {
      Composition composition;
      composition.own = read_mat_source(path);
      composition.own.parameters.clear();  // the matrices hold their values: another would change nothing
      composition.file = path.string();
      open_.pop_back();
      return loaded_[place] = {std::make_shared<const Composition>(std::move(composition)), true};
    }
    Document document = parse(read_file(path));
    own = std::move(document.faults);
    SourceReader reader(path.parent_path(), *this, own, path.string());
    Composition composition = reader.read(document.root);
    loaded = {std::make_shared<const Composition>(std::move(composition)), reader.is_complete()};
  } catch (const InvalidModel& invalid) {
    own.insert(own.end(), invalid.faults().begin(), invalid.faults().end());
  }
  for (Fault& fault : own)
    if (fault.file.empty()) fault.file = path.string();
  faults.insert(faults.end(), own.begin(), own.end());
  open_.pop_back();
  loaded_[place] = loaded;
  return loaded;
}

}  // namespace mti::json
