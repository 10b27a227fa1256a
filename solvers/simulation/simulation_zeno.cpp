#include <algorithm>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/blocks/larger_errors.hpp"
#include "solvers/simulation/simulation.hpp"

namespace mti {
namespace {

std::string zeno_text(const ZenoDetector::Limit& limit) {
  return "switching times accumulate at t = " + number(limit.time) + " (ratio of successive intervals " +
         number(limit.ratio) + ")";
}

}  // namespace

/// The constraints of the last two turns of the pattern: a turn of intervals may be half of one of surfaces.
std::vector<int> Simulation::accumulating_constraints(std::size_t period) const {
  std::vector<int> rows;
  const std::size_t events = trajectory_.events.size();
  for (std::size_t k = 1; k <= std::min(2 * period, events); ++k) {
    const std::vector<int>& met = trajectory_.events[events - k].constraints;
    rows.insert(rows.end(), met.begin(), met.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void Simulation::note_accumulation(const ZenoDetector::Limit& limit, bool followed) {
  Accumulation found{here_.t, limit.ratio, limit.uncertainty, followed,
                     accumulating_constraints(limit.period)};
  keep([&] { trajectory_.accumulations.push_back(std::move(found)); });
}

/// The switches are lost in the errors, and what is left until they accumulate is skipped: the successor
/// problem is posed at the limit itself, on the surfaces that were met again and again, without the laws of
/// reached constraints. What the limit is uncertain by counts as zero there.
void Simulation::pass_limit(const ZenoDetector::Limit& limit) {
  const double time = std::max(limit.time, here_.t);
  if (time >= std::min(t_stop_, t_breakpoint_)) return;  // something else comes before it
  const std::vector<int> surfaces = accumulating_constraints(limit.period);
  Approach::Point point = approach_.at_limit(time, limit.period);
  std::vector<double> weights = point.uncertainty;
  for (int i = 0; i < signature_.n(); ++i) {
    const auto place = at(i);
    weights[place] += accuracy_.of(signature_.state_row(i), point.x[place]);
  }
  std::vector<double> v = here_.v;
  std::copy(point.x.begin(), point.x.end(), v.begin() + signature_.state_row(0));
  for (int i = 0; i < signature_.m(); ++i)
    if (!signature_.inputs()[at(i)].binary) v[at(signature_.input_row(i))] = here_.pieces[at(i)].value(time);
  put_on_surfaces(system_->g, surfaces, signature_, weights, v);
  // Output times on the way: the states are no farther from the line to the limit than they are uncertain
  // there.
  std::vector<double> between = here_.v;
  for (double t = outputs_.next(); outputs_.precedes(time); t = outputs_.next()) {
    const double part = (t - here_.t) / (time - here_.t);
    for (int i = signature_.state_row(0); i < signature_.algebraic_row(0); ++i) {
      const auto place = at(i);
      between[place] = here_.v[place] + part * (v[place] - here_.v[place]);
    }
    record_row(t, 0, mode_, between);
    outputs_.advance();
  }
  const double uncertain = (time - here_.t) + limit.uncertainty;
  here_.t = time;
  here_.time_uncertainty += uncertain;
  here_.v = std::move(v);
  here_.accumulates = true;
  const LargerErrors larger(accuracy_, signature_.state_row(0), point.uncertainty);
  const Successor successor = search_.find(here_, mode_);
  if (successor.status != Successor::Status::found && successor.status != Successor::Status::step) {
    note_accumulation(limit, false);
    finish(OutcomeKind::zeno,
           zeno_text(limit) + in_mode(signature_, here_.v) +
               ", and no motion goes on from there: " + diagnosis(successor, mode_, model_));
    return;
  }
  zeno_ = {};
  note_accumulation(limit, true);
  enter_mode(EventKind::zeno);
  gathered_ = mode_.slides;
}

/// Nothing follows, close to a limit.
void Simulation::end_at_limit(const ZenoDetector::Limit& limit, const std::string& why) {
  if (limit.time < std::min(t_stop_, t_breakpoint_)) here_.t = std::max(here_.t, limit.time);
  note_accumulation(limit, false);
  finish(OutcomeKind::zeno, zeno_text(limit) + why);
}

}  // namespace mti
