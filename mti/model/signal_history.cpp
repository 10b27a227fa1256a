#include "mti/model/signal_history.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/barycentric.hpp"

namespace mti {
namespace {

/// Times closer than this part of them are one to the integrator.
constexpr double same_time = 1e-13;

}  // namespace

void SignalHistory::begin(double s, double value) {
  stretches_.clear();
  kinks_.clear();
  stretches_.push_back({s, s, {value}});
  start_ = end_ = s;
  add_kink(s, 0);
}

void SignalHistory::add(double begin, double end, std::span<const double> values) {
  // What ends where this begins, but for rounding, ends there: it is what lies to the left.
  if (!stretches_.empty() && begin - stretches_.back().end <= same_time * std::abs(begin))
    stretches_.back().end = begin;
  stretches_.push_back({begin, end, {values.begin(), values.end()}});
  end_ = end;
}

void SignalHistory::add_kink(double s, int order) {
  if (order > smoothest) return;
  if (!kinks_.empty() && kinks_.back().time == s)
    kinks_.back().order = std::min(kinks_.back().order, order);
  else
    kinks_.push_back({s, order});
}

void SignalHistory::forget_before(double s) {
  while (stretches_.size() > 1 && stretches_.front().end < s) stretches_.pop_front();
  while (kinks_.size() > 1 && kinks_.front().time < s) kinks_.pop_front();
}

const SignalHistory::Kink* SignalHistory::kink_at(double s, double scale) const {
  const double reach = same_time * std::max(std::abs(s), std::abs(scale));
  const auto found = std::ranges::lower_bound(kinks_, s - reach, {}, &Kink::time);
  return found != kinks_.end() && found->time <= s + reach ? &*found : nullptr;
}

double SignalHistory::next_kink(double s, double scale) const {
  const double reach = same_time * std::max(std::abs(s), std::abs(scale));
  const auto found = std::ranges::upper_bound(kinks_, s + reach, {}, &Kink::time);
  return found == kinks_.end() ? std::numeric_limits<double>::infinity() : found->time;
}

double SignalHistory::snapped(double s, double scale) const {
  const Kink* const kink = kink_at(s, scale);
  return kink != nullptr ? kink->time : s;
}

int SignalHistory::order_at(double s, double scale) const {
  const Kink* const kink = kink_at(s, scale);
  return kink != nullptr ? kink->order : smoothest + 1;
}

/// From the right that which begins at s, but for rounding, or before last, from the left that which ends at s or later first.
const SignalHistory::Stretch& SignalHistory::stretch_at(double s, bool from_right) const {
  if (from_right) {
    const auto after =
        std::ranges::upper_bound(stretches_, s + same_time * (std::abs(s) + delay_), {}, &Stretch::begin);
    return after == stretches_.begin() ? stretches_.front() : *(after - 1);
  }
  const auto found = std::ranges::lower_bound(stretches_, s, {}, &Stretch::end);
  return found == stretches_.end() ? stretches_.back() : *found;
}

double SignalHistory::derivative(double s, int k, bool from_right) const {
  const bool is_before = from_right ? s < start_ : s <= start_;
  if (is_before || stretches_.empty()) return k == 0 ? before_ : 0.0;
  const Stretch& stretch = stretch_at(s, from_right);
  std::vector<double> slopes;
  std::span<const double> values = stretch.values;
  for (int i = 0; i < k; ++i) {
    slopes = slopes_at_nodes(stretch.begin, stretch.end, values);
    values = slopes;
  }
  const double here = std::clamp(s, stretch.begin, stretch.end);
  const double own = interpolated(here, stretch.begin, stretch.end, values);
  const double length = stretch.end - stretch.begin;
  if (k == 0 || k > 2 || !(length > 0.0)) return own;
  const double at_begin = slope_beyond(stretch, false), at_end = slope_beyond(stretch, true);
  return own + (k == 2 ? (at_end - at_begin) / length
                       : at_begin + (at_end - at_begin) * ((here - stretch.begin) / length));
}

/// By how much the slope that two stretches agree on where they meet, that of the longer one above all, exceeds the own one.
double SignalHistory::slope_beyond(const Stretch& stretch, bool at_end) const {
  const double s = at_end ? stretch.end : stretch.begin;
  const Stretch& other = stretch_at(s, at_end);
  if (&other == &stretch || order_at(s, s) <= 1 || !(other.end > other.begin)) return 0.0;
  const auto slope = [s](const Stretch& of) {
    return interpolated(s, of.begin, of.end, slopes_at_nodes(of.begin, of.end, of.values));
  };
  const double length = stretch.end - stretch.begin, beyond = other.end - other.begin;
  return (slope(other) - slope(stretch)) * (beyond / (length + beyond));
}

}  // namespace mti
