#include "solvers/trajectory/absences.hpp"

#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Rows of x and y that are absent, ascending; without those made for powers.
std::vector<int> absent_rows(const ModeSystem& system, const Signature& signature) {
  const AbsentSignals& absent = system.plan->absent;
  std::vector<int> rows;
  for (const int slope : absent.slopes) rows.push_back(slope + signature.n());
  for (const int row : absent.algebraic)
    if (!signature.algebraic()[at(row - signature.algebraic_row(0))].auxiliary) rows.push_back(row);
  return rows;
}

}  // namespace

std::vector<int> open_signals(const ModeSystem& system, const Signature& signature) {
  std::vector<int> rows = system.undetermined;
  for (const int row : system.plan->under_determined)
    if (row >= signature.algebraic_row(0) && row < signature.binary_row(0)) rows.push_back(row);
  return rows;
}

void Absences::enter(const ModeSystem& system, const Signature& signature, Event& event,
                     Trajectory& trajectory) {
  const std::vector<int> rows = absent_rows(system, signature);
  std::vector<Absence> still;
  auto before = open_.begin();
  const auto ends_before = [&](int row) {
    for (; before != open_.end() && before->row < row; ++before) {
      event.returned.push_back(before->row);
      trajectory.absences.push_back({before->row, before->from, event.time});
    }
  };
  for (const int row : rows) {
    ends_before(row);
    if (before != open_.end() && before->row == row) {
      still.push_back(*before++);
    } else {
      event.left.push_back(row);
      still.push_back({row, event.time, event.time});
    }
  }
  ends_before(signature.size());
  open_ = std::move(still);
}

void Absences::finish(double time, Trajectory& trajectory) {
  for (const Absence& absence : open_) trajectory.absences.push_back({absence.row, absence.from, time});
  open_.clear();
}

}  // namespace mti
