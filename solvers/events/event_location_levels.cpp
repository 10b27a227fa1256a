// From which level a row counts as crossed: zero, or more where it began on its boundary.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/rounding.hpp"
#include "solvers/events/event_location.hpp"

namespace mti {

/// What the rows are where the segment began is known as well as in the step: nothing has to relax before they count.
void EventLocation::begin_with_all_digits() {
  constexpr double several_roundings = 16.0 * machine_epsilon;
  grace_ = std::max(several_roundings * std::abs(here_.t), std::numeric_limits<double>::min());
  grace_ends_ = here_.t + grace_;
  interpolate(here_.t, here_);
  update_levels(here_);
}

/// A row was allowed to begin above its tolerance because nothing more was known about it. By now it has fallen, or
/// is falling, so that it is down within some more of that time. Otherwise it has been crossed. Where errors of fast states
/// decay more is known every time.
void EventLocation::end_grace() {
  if (by_polynomials_) interpolate(here_.t, here_);
  // Slopes of BDF tell no more than the direction.
  const double soon = integrator_.errors_decay() ? 4.0 * grace_ : std::numeric_limits<double>::infinity();
  bool on_the_way = false;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double limit = excused_[row] != 0 ? tolerance(row) : 0.0, g = here_.g[kernel_row_[row]];
    if (excused_[row] == 0 || level_[row] <= limit) continue;
    if (g > limit && here_.slope[kernel_row_[row]] * soon < limit - g)
      on_the_way = true;
    else
      level_[row] = limit;
  }
  grace_ *= 2.0;
  const bool more_comes =
      integrator_.errors_decay() && std::ranges::any_of(level_, [](double level) { return level > 0.0; });
  grace_ends_ = on_the_way || more_comes ? grace_ends_ + grace_ : std::numeric_limits<double>::infinity();
}

/// A row that started on its boundary counts from zero again once it is clearly inside. Where it started may
/// say little about that: a fast signal begins wherever ε of a state has put it.
void EventLocation::update_levels(const Sample& sample) {
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (level_[row] > 0.0 && sample.g[kernel_row_[row]] < -std::min(level_[row], tolerance(row))) {
      level_[row] = 0.0;
      outside_since_[row] = std::numeric_limits<double>::infinity();
    }
}

bool EventLocation::accept(int constraint, Ball value, Ball slope) {
  // Levels grow by at least this factor, so that a row is examined a bounded number of times.
  constexpr double least_growth = 1.1, most_growth = 2.0;
  bool outside_for_long = false;
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (rows_[row] == constraint) {
      const double reached = std::max(level_[row], here_.g[kernel_row_[row]]), limit = tolerance(row);
      const double generous = most_growth * std::max(reached, limit);
      const double settled = std::max({least_growth * reached, limit, std::min(generous, value.error)});
      constexpr double beyond_rounding = 16.0;
      level_[row] = slope.value < 0.0 ? std::min(settled, beyond_rounding * reached) : settled;
      if (by_polynomials_) level_[row] = std::max(level_[row], above_rounding(row));
      constexpr double same_place = 64.0 * machine_epsilon;
      const bool again = std::abs(here_.t - looks_[row].t) <= same_place * std::abs(here_.t);
      looks_[row] = {here_.t, again ? looks_[row].number + 1 : 1};
      if (looks_[row].number > most_looks) {
        interpolate(step_end_, next_);  // behind which what is zero with all that it is made of is not
        level_[row] = std::max({level_[row], limit, tolerance(row)});
        interpolate(here_.t, here_);
      }
      const bool first =
          outside_since_[row] == std::numeric_limits<double>::infinity() && level_[row] > limit;
      if (first) {
        // Whether it goes on rising or not, it is looked at again when its excuse is over.
        outside_since_[row] = here_.t;
        grace_ends_ = std::min(grace_ends_, here_.t + 1.001 * longest_excuse * accuracy_.resolution);
      }
      const bool excuse_is_over = here_.t - outside_since_[row] > longest_excuse * accuracy_.resolution;
      excused_[row] = (level_[row] > limit || integrator_.errors_decay()) && !excuse_is_over ? 1 : 0;
      outside_for_long = level_[row] > limit && excuse_is_over && slope.value >= 0.0;
    }
  return outside_for_long;
}

}  // namespace mti
