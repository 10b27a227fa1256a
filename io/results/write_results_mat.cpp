#include "io/mat/mat_file.hpp"
#include "io/results/result_columns.hpp"
#include "io/results/write_results.hpp"
#include "mti/common/at.hpp"

namespace mti {
namespace {

using mat::Cell;
using mat::StructArray;
using mat::Value;

Value changes_of(const Signature& signature, const std::vector<Change>& changes) {
  StructArray result{{"name", "before", "after"}, {}};
  for (const Change& change : changes)
    result.elements.push_back(
        {{signature.row_name(change.row)}, mat::scalar(change.before), mat::scalar(change.after)});
  return {std::move(result)};
}

Value alternatives_of(const Signature& signature, const std::vector<std::vector<Change>>& alternatives) {
  Cell result;
  for (const auto& changes : alternatives) result.push_back(changes_of(signature, changes));
  return {std::move(result)};
}

Value impulses_of(const Signature& signature, const std::vector<Impulse>& impulses) {
  StructArray result{{"name", "weight", "order"}, {}};
  for (const Impulse& impulse : impulses)
    result.elements.push_back(
        {{signature.row_name(impulse.row)}, mat::scalar(impulse.weight), mat::scalar(impulse.order)});
  return {std::move(result)};
}

Value events_of(const Model& model, const Trajectory& trajectory) {
  StructArray result{
      {"time", "kind", "constraints", "changed", "jumps", "impulses", "candidates_tried", "ties", "steps"},
      {}};
  const Signature& signature = model.signature;
  for (const Event& event : trajectory.events) {
    std::vector<std::string> constraints;
    for (const int constraint : event.constraints)
      constraints.push_back(model.constraint_names[at(constraint)]);
    result.elements.push_back({mat::scalar(event.time),
                               {to_string(event.kind)},
                               mat::texts(constraints),
                               changes_of(signature, event.changed),
                               changes_of(signature, event.jumps),
                               impulses_of(signature, event.impulses),
                               mat::scalar(static_cast<double>(event.candidates_tried)),
                               alternatives_of(signature, event.ties),
                               alternatives_of(signature, event.steps)});
  }
  return {std::move(result)};
}

}  // namespace

void write_mat_results(const Model& model, const Trajectory& trajectory, const std::filesystem::path& path,
                       const ResultSelection& selection) {
  const ResultColumns columns(model, trajectory, selection);
  const std::size_t rows = trajectory.size(), width = columns.list().size();
  std::vector<double> time, side, one_row(width);
  mat::Matrix values{static_cast<int>(rows), static_cast<int>(width), std::vector<double>(rows * width)};
  for (std::size_t row = 0; row < rows; ++row) {
    time.push_back(trajectory.time(row));
    side.push_back(trajectory.side(row));
    columns.read(trajectory, row, one_row);
    for (std::size_t column = 0; column < width; ++column)
      values.values[column * rows + row] = one_row[column];
  }
  mat::write_variables({{"format", {std::string("mti-results")}},
                        {"version", mat::scalar(1.0)},
                        {"model", {model.name}},
                        {"names", mat::texts(columns.names())},
                        {"time", mat::column(std::move(time))},
                        {"side", mat::column(std::move(side))},
                        {"values", {std::move(values)}},
                        {"events", events_of(model, trajectory)},
                        {"outcome", {to_string(trajectory.outcome.kind)}},
                        {"message", {trajectory.outcome.message}},
                        {"end_time", mat::scalar(trajectory.outcome.end_time)}},
                       path);
}

}  // namespace mti
