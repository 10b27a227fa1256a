#include "solvers/identification/identified_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// A binary input that tells a mode column's value from others: 1 where the column has the value.
struct ModeInput {
  std::string name;
  std::size_t column;
  int value;
};

std::vector<ModeInput> inputs_of_modes(const IdentificationData& data) {
  std::vector<ModeInput> result;
  for (std::size_t c = 0; c < data.mode_columns.size(); ++c) {
    std::set<int> values;
    for (const SampledExperiment& experiment : data.experiments)
      for (const std::vector<int>& mode : experiment.modes) values.insert(mode[c]);
    const bool is_binary = *values.begin() >= 0 && *values.rbegin() <= 1;
    if (is_binary)
      result.push_back({data.mode_columns[c], c, 1});
    else
      for (const int value : values)
        result.push_back(
            {data.mode_columns[c] + "_is_" + (value < 0 ? "minus_" : "") + std::to_string(std::abs(value)), c,
             value});
  }
  return result;
}

TableSource table_of(const std::vector<double>& time, const std::vector<double>& values, bool held) {
  TableSource table;
  table.interpolation = held ? Interpolation::previous : Interpolation::linear;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (held && k > 0 && values[k] == values[k - 1]) continue;
    table.time.emplace_back(time[k]);
    table.value.emplace_back(values[k]);
  }
  return table;
}

InputSource input_of(const std::string& name, const std::vector<double>& time,
                     const std::vector<double>& values, bool held) {
  InputSource input{.name = name};
  if (std::ranges::count(values, values.front()) == std::ssize(values))
    input.form = Number{values.front()};
  else
    input.form = table_of(time, values, held);
  return input;
}

void add(TripletSource& triplets, Eigen::Index i, Eigen::Index k, double v) {
  if (v == 0.0) return;
  triplets.i.push_back(static_cast<int>(i));
  triplets.k.push_back(static_cast<int>(k));
  triplets.v.push_back(v);
}

/// The one that the model runs again: the first that lasts.
const SampledExperiment& shown(const IdentificationData& data) {
  const auto lasts = [](const SampledExperiment& one) {
    return !one.time.empty() && one.time.back() > one.time.front();
  };
  const auto found = std::ranges::find_if(data.experiments, lasts);
  return found != data.experiments.end() ? *found : data.experiments.front();
}

/// The size of a signal over all samples.
double nominal_of(const IdentificationData& data, Eigen::Index state) {
  double size = 0.0;
  for (const SampledExperiment& experiment : data.experiments)
    if (experiment.states.rows() > 0)
      size = std::max(size, experiment.states.col(state).cwiseAbs().maxCoeff());
  return size > 0.0 ? size : 1.0;
}

}  // namespace

std::vector<std::string> mode_inputs(const IdentificationData& data) {
  std::vector<std::string> names;
  for (const ModeInput& input : inputs_of_modes(data)) names.push_back(input.name);
  return names;
}

Source identified_model(const IdentificationData& data, const Identification& found, bool discrete) {
  const SampledExperiment& first = shown(data);
  Source source;
  source.name = "identified";
  if (discrete) source.sample_time = Number{found.sample_time};
  for (std::size_t j = 0; j < data.states.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    source.states.push_back({.name = data.states[j],
                             .start = first.states(0, column),
                             .unit = {},
                             .nominal = nominal_of(data, column)});
  }
  // The model samples at start + k·T, and times of data are rounded: an entry behind its sample would be read one sample late.
  std::vector<double> time = first.time;
  if (discrete)
    for (std::size_t k = 0; k < time.size(); ++k)
      time[k] = first.time.front() + static_cast<double>(k) * found.sample_time;
  for (std::size_t i = 0; i < data.inputs.size(); ++i) {
    const auto column = first.inputs.col(static_cast<Eigen::Index>(i));
    source.inputs.push_back(input_of(data.inputs[i], time, {column.begin(), column.end()}, discrete));
  }
  const std::vector<ModeInput> binaries = inputs_of_modes(data);
  for (const ModeInput& binary : binaries) {
    std::vector<double> values;
    for (const std::vector<int>& mode : first.modes)
      values.push_back(mode[binary.column] == binary.value ? 1.0 : 0.0);
    source.inputs.push_back(input_of(binary.name, time, values, true));
    source.inputs.back().binary = true;
  }
  // Rows of S: next(x) or ẋ, x, u and binaries; f_j = F_j − ẋ_j, so that each ẋ_j is one more column. A column of a mode
  // has the factor z for a binary that is 1 there, S = 1, and 1 − z for one that is 0, S = −1/2 with Φ doubled.
  MatricesSource form;
  Eigen::Index k = 0;
  const auto n = static_cast<Eigen::Index>(data.states.size());
  const auto signals = n + static_cast<Eigen::Index>(data.inputs.size());
  for (const IdentifiedFunction& function : found.functions)
    for (Eigen::Index c = 0; c < function.S.cols(); ++c, ++k) {
      for (Eigen::Index i = 0; i < function.S.rows(); ++i) add(form.S, n + i, k, function.S(i, c));
      double scale = 1.0;
      for (std::size_t b = 0; b < binaries.size(); ++b) {
        const bool is_one = function.mode[binaries[b].column] == binaries[b].value;
        add(form.S, n + signals + static_cast<Eigen::Index>(b), k, is_one ? 1.0 : -0.5);
        if (!is_one) scale *= 2.0;
      }
      for (Eigen::Index j = 0; j < function.Phi.rows(); ++j)
        add(form.Phi_eq, j, k, scale * function.Phi(j, c));
    }
  for (Eigen::Index j = 0; j < n; ++j, ++k) {
    add(form.S, j, k, 1.0);
    add(form.Phi_eq, j, k, -1.0);
  }
  form.S.rows = static_cast<int>(n + signals + std::ssize(binaries));
  form.Phi_eq.rows = static_cast<int>(n);
  form.S.cols = form.Phi_eq.cols = form.Phi_ineq.cols = static_cast<int>(k);
  source.matrices = std::move(form);
  source.experiment.start = first.time.front();
  source.experiment.stop = first.time.back();
  const double length = first.time.back() - first.time.front();
  if (discrete && found.sample_time > 0.0)
    source.experiment.output_interval = found.sample_time;
  else if (length > 0.0)
    source.experiment.output_interval = length / static_cast<double>(first.time.size() - 1);
  else  // of single samples, with measured targets
    source.experiment.stop = first.time.front() + 1.0;
  return source;
}

}  // namespace mti
