#include "solvers/stepping/past_inputs.hpp"

#include <string>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/model/input_at.hpp"
#include "solvers/stepping/held_inputs.hpp"

namespace mti {

void PastInputs::add(int i, const Model& model, double time, std::size_t rows) {
  const std::string& name = model.signature.inputs()[at(i)].name;
  for (std::size_t k = 0; k < past_.size(); ++k)
    if (k == at(i) || pulses_of(model.inputs[k], name) != nullptr)
      past_[k].push_back({time, rows, model.inputs[k]});
}

Model PastInputs::model_of(Model model, const Trajectory& rows) const {
  model.inputs = first_;
  if (rows.size() == 0) return model;
  Model result = model;
  for (std::size_t i = 0; i < past_.size(); ++i)
    if (!past_[i].empty()) result.inputs[i] = Input(table_of(static_cast<int>(i), model, rows));
  return result;
}

/// A jump where it was set between two samples of discrete time counts from the sample that is solved next. `model` has one
/// input after the other, as it was set.
TableInput PastInputs::table_of(int i, Model model, const Trajectory& trajectory) const {
  const bool is_discrete = model.is_discrete();
  TableInput table;
  if (is_discrete || model.signature.inputs()[at(i)].binary) table.interpolation = Interpolation::previous;
  std::size_t next = 0;
  const std::vector<Part>& past = past_[at(i)];
  const auto add = [&](double t, int side) {
    table.time.push_back(t);
    table.value.push_back(input_at(model, i, t, side));
  };
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    const double t = trajectory.time(row);
    if (row > 0 && t == trajectory.time(row - 1)) continue;
    const auto take = [&](bool up_to_t) {
      for (; next < past.size() && (is_discrete ? past[next].rows <= row
                                                : past[next].from < t || (up_to_t && past[next].from == t));
           ++next)
        model.inputs[at(i)] = past[next].input;
    };
    take(false);
    if (!is_discrete) add(t, -1);
    take(true);
    add(t, 0);
  }
  return table;
}

}  // namespace mti
