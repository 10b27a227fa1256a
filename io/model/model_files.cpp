#include "io/model/model_files.hpp"

#include <algorithm>
#include <system_error>

#include "io/files/files.hpp"
#include "io/json/value.hpp"
#include "io/kinetics/read_sbml.hpp"
#include "io/mat/exchange.hpp"
#include "io/model/source_reader.hpp"

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

bool names_the_format(const Value& root) {
  const Value::Object* object = root.object();
  return object != nullptr && std::ranges::any_of(*object, [](const Member& member) {
           return member.key == "format" && member.value.string() && *member.value.string() == "mti-model";
         });
}

}  // namespace

ModelFiles::ModelFiles(const fs::path& root, const fs::path& directory, Reach reach, InputFiles* inputs)
    : folder_(identity_of(directory.empty() ? fs::path(".") : directory)), reach_(reach), inputs_(inputs) {
  if (!root.empty() && root != "-") open_.push_back(identity_of(root));
}

bool ModelFiles::is_own(const fs::path& path) const {
  const fs::path file = identity_of(path);
  return std::mismatch(folder_.begin(), folder_.end(), file.begin(), file.end()).first == folder_.end();
}

bool ModelFiles::may_read(const fs::path& path, const std::string& pointer,
                          std::vector<Fault>& faults) const {
  if (reach_ == Reach::anywhere || is_own(path)) return true;
  faults.push_back(
      {"outside-folder", pointer,
       path.string() + " is not below the folder of the model, and only files there may be read"});
  return false;
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
  if (!may_read(path, pointer, faults)) return loaded_[place] = {nullptr, false};
  std::error_code error;
  // A pipe or device could keep the reader waiting for ever.
  if (!fs::is_regular_file(path, error)) {
    faults.push_back(
        {"model-unreadable", pointer,
         "cannot read " + path.string() + ": " + (error ? error.message() : "not a regular file")});
    return loaded_[place] = {nullptr, false};
  }
  if (is_sbml_file(path)) {
    faults.push_back({"model-unreadable", pointer,
                      "cannot read " + path.string() +
                          ": a file of SBML is no component; mti convert writes it as a model file"});
    return loaded_[place] = {nullptr, false};
  }
  open_.push_back(identity);
  note(inputs_, path);
  Loaded loaded{nullptr, false};
  std::vector<Fault> own;
  bool is_model = false;
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
    is_model = names_the_format(document.root);
    SourceReader reader(path.parent_path(), *this, own, path.string());
    Composition composition = reader.read(document.root);
    loaded = {std::make_shared<const Composition>(std::move(composition)), reader.is_complete()};
  } catch (const FaultError& invalid) {
    own.insert(own.end(), invalid.faults().begin(), invalid.faults().end());
  }
  if (!own.empty() && !is_model && !is_own(path)) {
    faults.push_back({"model-unreadable", pointer, "cannot read " + path.string() + ": it is no mti-model"});
    own.clear();
  }
  for (Fault& fault : own)
    if (fault.file.empty()) fault.file = path.string();
  faults.insert(faults.end(), own.begin(), own.end());
  open_.pop_back();
  loaded_[place] = loaded;
  return loaded;
}

}  // namespace mti::json
