#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "io/json/value.hpp"
#include "io/model/read_model.hpp"
#include "mti/components/composition.hpp"

namespace mti {

/// The model of a plan: a file, or one that stands in the plan.
class PlanModel {
 public:
  /// `value`: the name of a file, relative to `directory`, or a model. Faults of a model in the plan have pointers below "/model";
  /// one that cannot be read is `model-unreadable`.
  PlanModel(const json::Value& value, const std::filesystem::path& directory, Reach reach, InputFiles& inputs,
            std::vector<Fault>& faults);

  /// With these values, or nothing and what is wrong in `faults`; names that cannot be set at `pointer`.
  [[nodiscard]] std::optional<Source> source(const Overrides& values, const std::string& pointer,
                                             std::vector<Fault>& faults) const;
  /// What a source with other values is to go through before it is built (FitExperiment::settled); empty: nothing.
  [[nodiscard]] std::function<Source(const Source&)> settling() const;
  /// Enters faults of the model: of a file with its name, of one that stands in the plan with its place there.
  void add_faults(const std::vector<Fault>& of_model, std::vector<Fault>& faults) const;

 private:
  std::string file_;  ///< empty: the model stands in the plan
  std::variant<std::monostate, ReadModel, Composition> model_;
};

}  // namespace mti
