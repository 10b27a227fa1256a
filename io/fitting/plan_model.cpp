#include "io/fitting/plan_model.hpp"

#include <algorithm>

#include "io/json/object_reader.hpp"
#include "io/model/model_files.hpp"
#include "io/model/source_reader.hpp"
#include "io/modelica/read_modelica.hpp"
#include "mti/build/build.hpp"
#include "mti/components/flatten.hpp"
#include "mti/source/overrides.hpp"

namespace mti {
namespace {

Source source_of(const Composition& composition, const Overrides& values) {
  if (!composition.is_plain()) {
    static_cast<void>(build(composition, values));
    Source flat = flatten(composition, values).source;
    override_values(flat, values);
    return flat;
  }
  Source source = composition.own;
  override_values(source, values);
  static_cast<void>(build(source));
  return source;
}

}  // namespace

PlanModel::PlanModel(const json::Value& value, const std::filesystem::path& directory, Reach reach,
                     InputFiles& inputs, std::vector<Fault>& faults) {
  const std::size_t before = faults.size();
  if (value.object() != nullptr) {
    std::vector<Fault> own;
    json::ModelFiles files({}, directory, reach, &inputs);
    Composition composition = json::SourceReader(directory, files, own).read(value);
    add_faults(own, faults);
    if (faults.size() == before) model_ = std::move(composition);
    return;
  }
  if (value.string() == nullptr) {
    faults.push_back({"wrong-type", "/model",
                      "found " + json::describe(value) + ", expected the name of a file or a model"});
    return;
  }
  const std::filesystem::path path = directory / *value.string();
  if (!json::ModelFiles({}, directory, reach).may_read(path, "/model", faults)) return;
  file_ = path.string();
  try {
    model_ = ReadModel::of_file(path, reach, &inputs);
  } catch (const InvalidModel& invalid) {
    add_faults(invalid.faults(), faults);
  } catch (const UnusableFile& unreadable) {
    faults.push_back({"model-unreadable", "/model", unreadable.faults().front().message});
  }
}

std::optional<Source> PlanModel::source(const Overrides& values, const std::string& pointer,
                                        std::vector<Fault>& faults) const {
  try {
    if (const auto* file = std::get_if<ReadModel>(&model_)) return file->source(values);
    if (const auto* own = std::get_if<Composition>(&model_)) return source_of(*own, values);
  } catch (const InvalidModel& invalid) {
    add_faults(invalid.faults(), faults);
  } catch (const InvalidOption& refused) {
    for (const Fault& fault : refused.faults()) {
      Fault here{fault.id, pointer, fault.message};
      if (std::ranges::find(faults, here) == faults.end()) faults.push_back(std::move(here));
    }
  }
  return std::nullopt;
}

std::function<Source(const Source&)> PlanModel::settling() const {
  const auto* file = std::get_if<ReadModel>(&model_);
  if (file == nullptr || !file->settles_start()) return {};
  return with_settled_start;
}

void PlanModel::add_faults(const std::vector<Fault>& of_model, std::vector<Fault>& faults) const {
  for (Fault fault : of_model) {
    if (fault.file.empty() && file_.empty()) fault.pointer = "/model" + fault.pointer;
    if (fault.file.empty()) fault.file = file_;
    // Experiments have one model: what is wrong in it is found again with each.
    if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(std::move(fault));
  }
}

}  // namespace mti
