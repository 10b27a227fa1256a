#include "solvers/trajectory/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "mti/common/at.hpp"

namespace mti {

std::string to_string(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::reached_stop:
      return "reached_stop";
    case OutcomeKind::left_domain:
      return "left_domain";
    case OutcomeKind::dead_end:
      return "dead_end";
    case OutcomeKind::zeno:
      return "zeno";
    case OutcomeKind::no_consistent_start:
      return "no_consistent_start";
    case OutcomeKind::refused_restart:
      return "refused_restart";
    case OutcomeKind::refused_law:
      return "refused_law";
    case OutcomeKind::cycle:
      return "cycle";
    case OutcomeKind::solver_failure:
      return "solver_failure";
    case OutcomeKind::candidate_limit:
      return "candidate_limit";
    case OutcomeKind::event_limit:
      return "event_limit";
    case OutcomeKind::time_budget:
      return "time_budget";
    case OutcomeKind::interrupted:
      return "interrupted";
    case OutcomeKind::out_of_memory:
      return "out_of_memory";
  }
  return "unknown";
}

std::string to_string(EventKind kind) {
  switch (kind) {
    case EventKind::initial:
      return "initial";
    case EventKind::switch_mode:
      return "switch";
    case EventKind::law:
      return "law";
    case EventKind::slide_begin:
      return "slide_begin";
    case EventKind::slide_end:
      return "slide_end";
    case EventKind::zeno:
      return "zeno";
    case EventKind::input:
      return "input";
  }
  return "unknown";
}

namespace {

/// Room for `more` entries, as push_back would make it, at first for some more; where memory has become scarce, in smaller parts.
template <class T>
void make_room(std::vector<T>& entries, std::size_t more) {
  constexpr std::size_t at_first = 64;
  if (entries.capacity() - entries.size() >= more) return;
  try {
    entries.reserve(
        std::max(2 * entries.capacity(), entries.size() + (entries.empty() ? at_first : 1) * more));
  } catch (const std::bad_alloc&) {
    entries.reserve(entries.size() + std::max(entries.size() / 16, more));
  }
}

long count_non_finite(std::span<const double> values) {
  return static_cast<long>(std::ranges::count_if(values, [](double value) { return !std::isfinite(value); }));
}

}  // namespace

void Trajectory::append(double time, int side, std::span<const double> v,
                        std::span<const double> derivatives) {
  make_room(time_, 1);
  make_room(side_, 1);
  make_room(values_, names_.size());
  make_room(inputs_, inputs());
  make_room(sensitivities.values_, sensitivities.width());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (derivatives.size() == sensitivities.width())
    for (const double value : derivatives) sensitivities.values_.push_back(value + 0.0);
  else
    sensitivities.values_.resize(sensitivities.values_.size() + sensitivities.width(), unknown);
  // −0 + 0 = 0: the sign of a zero says nothing about a time or a signal.
  time_.push_back(time + 0.0);
  side_.push_back(static_cast<std::int8_t>(side));
  for (const int row : rows_of_S_) values_.push_back(v[mti::at(row)] + 0.0);
  for (const int row : input_rows_) inputs_.push_back(v[mti::at(row)] + 0.0);
  non_finite_ += count_non_finite(row(size() - 1));
}

void Trajectory::append(const Trajectory& part) {
  make_room(time_, part.time_.size());
  make_room(side_, part.side_.size());
  make_room(values_, part.values_.size());
  make_room(inputs_, part.inputs_.size());
  events.insert(events.end(), part.events.begin(), part.events.end());
  time_.insert(time_.end(), part.time_.begin(), part.time_.end());
  side_.insert(side_.end(), part.side_.begin(), part.side_.end());
  values_.insert(values_.end(), part.values_.begin(), part.values_.end());
  inputs_.insert(inputs_.end(), part.inputs_.begin(), part.inputs_.end());
  non_finite_ += part.non_finite_;
}

void Trajectory::remove_last() {
  non_finite_ -= count_non_finite(row(size() - 1));
  time_.pop_back();
  side_.pop_back();
  values_.resize(values_.size() - names_.size());
  inputs_.resize(inputs_.size() - inputs());
  sensitivities.values_.resize(sensitivities.values_.size() - sensitivities.width());
}

void Trajectory::let_go() {
  rows_let_go_ += size();
  events_let_go_ += events.size();
  time_.clear();
  side_.clear();
  values_.clear();
  inputs_.clear();
  sensitivities.values_.clear();
  events.clear();
}

std::size_t SensitivityTable::column(const std::string& signal, const std::string& parameter) const {
  const auto s = std::ranges::find(signals_, signal);
  const auto p = std::ranges::find(parameters_, parameter);
  if (s == signals_.end() || p == parameters_.end())
    throw std::out_of_range("no derivative of '" + signal + "' by '" + parameter + "'");
  return mti::at(s - signals_.begin()) * parameters_.size() + mti::at(p - parameters_.begin());
}

void Trajectory::refuse(std::size_t row, std::size_t column) const {
  throw std::out_of_range("row " + std::to_string(row) + ", column " + std::to_string(column) +
                          " of a trajectory with " + std::to_string(size()) + " rows and " +
                          std::to_string(columns()) + " columns");
}

std::vector<double> Trajectory::at(double t, Side side) const {
  std::vector<double> values;
  for (std::size_t c = 0; c < columns(); ++c) values.push_back(at(t, c, side));
  if (values.empty()) static_cast<void>(at(t, 0, side));  // says why there is nothing
  return values;
}

std::size_t Trajectory::column(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::out_of_range("no signal '" + name + "' in the trajectory");
  return mti::at(found - names_.begin());
}

}  // namespace mti
