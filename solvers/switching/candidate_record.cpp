#include "solvers/switching/candidate_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/admissibility/explain.hpp"

namespace mti {
namespace {

/// No assignment is as far; what was not refused is farther.
constexpr std::size_t farthest = std::numeric_limits<std::size_t>::max() - 1;
constexpr std::size_t most_rejected_kept = 64, most_unresolved_kept = 16;
/// Relative to the summands; what is no more may be zero.
constexpr double rounding_left = 1e-14;

/// ∂g/∂v of a row, without zeros.
std::map<int, double> gradient_of(const RowMap& g, int row, std::span<const double> v) {
  std::map<int, double> gradient;
  g.gradient(row, v, [&](int signal, double slope) { gradient[signal] += slope; });
  std::erase_if(gradient, [](const auto& entry) { return entry.second == 0.0; });
  return gradient;
}

}  // namespace

void CandidateRecord::trigger(const std::vector<int>& constraints, const Mode& mode) {
  for (const int row : constraints) {
    // −θ ≤ 0 and θ − 1 ≤ 0 are both named after the constraint whose zero is their surface.
    const int constraint = constraint_index(problem_.model, mode, row);
    if (std::ranges::find(result_.triggered, constraint) == result_.triggered.end())
      result_.triggered.push_back(constraint);
  }
}

void CandidateRecord::add(const Mode& mode, std::size_t distance, const Admissibility& verdict) {
  ++result_.tried;
  jumps_foreseen_ = jumps_foreseen_ && (!verdict.motion || foresees_jumps_of(*verdict.motion));
  if (!verdict.admissible()) {
    if (verdict.only_impulses_pass) keep_jump(mode, distance, verdict);
    reject(verdict);
    if (verdict.failure.kind == SolveFailure::Kind::off_position) off_position_ = true;
    if (verdict.rejection == Rejection::restart_refused) refused_at_ = std::min(refused_at_, distance);
  } else if (verdict.doubt != Doubt::none && (distance > 0 || mode.slides.size() < before_.slides.size())) {
    if (verdict.doubt == Doubt::open && (open_.empty() || open_.front().distance == distance))
      open_.push_back({mode, distance, verdict});
    else if (verdict.doubt == Doubt::let_pass && !let_pass_)
      let_pass_ = Candidate{mode, distance, verdict};
  } else if (found()) {
    add_tie(mode, verdict);
  } else {
    distance_ = distance;
    accept(mode, verdict);
  }
}

void CandidateRecord::add(SlidingMotion sliding) {
  result_.tried += sliding.tried;
  for (Admissibility& verdict : sliding.rejected) {
    const bool as_near = !sliding.found || verdict.system->mode.slides.size() <= sliding.mode.slides.size();
    if (verdict.rejection == Rejection::restart_refused && as_near)
      refused_at_ = std::min(refused_at_, farthest);
    if (const Mode& mode = verdict.system->mode; verdict.only_impulses_pass)
      keep_jump(mode, mode.slides.size() + changed_in(mode).size(), verdict);
    reject(std::move(verdict));
  }
  if (!sliding.given_up.empty()) give_up(std::move(sliding.given_up));
  if (!sliding.found) return;
  // What slides is sought where no assignment follows: a refused one of any distance might have come first.
  distance_ = farthest;
  accept(sliding.mode, sliding.verdict);
}

void CandidateRecord::keep_jump(const Mode& mode, std::size_t distance, const Admissibility& verdict) {
  if (!jump_ || distance < jump_->distance) jump_ = Candidate{mode, distance, verdict};
}

void CandidateRecord::add_tie(const Mode& mode, const Admissibility& verdict) {
  look_for_needless_jump(mode, *verdict.motion);
  result_.ties.push_back(changed_in(mode));
  result_.tied_modes.push_back({mode, mode.slides.empty() ? std::vector<double>() : verdict.motion->v()});
}

void CandidateRecord::take_doubtful() {
  if (decided() || !has_doubtful()) return;
  const Candidate& first = open_.empty() ? *let_pass_ : open_.front();
  distance_ = first.distance;
  accept(first.mode, first.verdict);
  for (std::size_t i = 1; i < open_.size(); ++i) add_tie(open_[i].mode, open_[i].verdict);
}

void CandidateRecord::take_step(const Mode& mode) {
  result_.status = Successor::Status::step;
  result_.mode = mode;
  result_.flipped = changed_in(mode);
  if (explains_) explain_step(mode);
}

void CandidateRecord::stop_at(std::string limit) {
  result_.status = Successor::Status::limit;
  result_.limit = std::move(limit);
}

void CandidateRecord::resume() {
  result_.status = Successor::Status::dead_end;
  result_.limit.clear();
}

Successor CandidateRecord::conclude() {
  // Positions jump by impulses of order 2 or more, which are not computed where a mode is not linear: that nothing
  // else follows does not prove that nothing follows.
  // Impulses that pass come first: a floor that is far away does not catch a body that another one hits.
  if (result_.status == Successor::Status::dead_end && off_position_ && !jump_)
    result_.status = Successor::Status::refused;
  // A refused candidate that is no farther than the one found might be the successor: which of them is, is open.
  // Where nothing was found, every distance is near enough.
  if (refused_at_ <= (found() ? distance_ : farthest)) result_.status = Successor::Status::refused;
  // A row is judged by its highest power of δ: the impulse of a diode passes, and what it leaves may be for another mode.
  if (result_.status == Successor::Status::dead_end && jump_) {
    accept(jump_->mode, jump_->verdict);
    result_.status = Successor::Status::jump;
  }
  return std::move(result_);
}

bool CandidateRecord::foresees_jumps_of(const Motion& motion) const {
  return std::ranges::all_of(motion.restart().impulsive_parts(), [&](const ImpulsivePart& impulse) {
    return impulse.row >= problem_.model.signature.n() || problem_.dependencies.jumps().may_jump(impulse.row);
  });
}

/// States that a motion begins elsewhere than they were.
std::vector<int> CandidateRecord::moved_by(const Motion& motion) const {
  constexpr double clearly = 4.0;
  const Signature& signature = problem_.model.signature;
  std::vector<int> moved;
  for (int i = 0; i < signature.n(); ++i) {
    const int row = signature.state_row(i);
    const double before = problem_.instant.v[at(row)], after = motion.v()[at(row)];
    const double allowed = std::max(problem_.accuracy.of(row, before), problem_.accuracy.of(row, after));
    if (std::abs(after - before) > clearly * allowed) moved.push_back(row);
  }
  return moved;
}

/// Where one of two admissible changes leaves all states where they are, and the one declared first does not, the model most likely
/// means the former: a thyristor that carries a current is not turned off by the end of another one's.
void CandidateRecord::look_for_needless_jump(const Mode& mode, const Motion& motion) {
  if (!result_.needless_jump.empty() || !result_.motion) return;
  const std::vector<int> moved = moved_by(*result_.motion);
  if (moved.empty() || !moved_by(motion).empty()) return;
  const Signature& signature = problem_.model.signature;
  std::string jumping, flipped;
  for (const int row : moved) jumping += (jumping.empty() ? "" : ", ") + signature.row_name(row);
  for (const int binary : changed_in(mode)) {
    if (!flipped.empty()) flipped += ", ";
    flipped += signature.binaries()[at(binary)].name + (mode.z[at(binary)] != 0 ? " = 1" : " = 0");
  }
  result_.needless_jump = "of two changes that are admissible the one declared first is taken, which lets " +
                          jumping + " jump; with " + flipped +
                          " in its place no state would (docs/events.md, \"ties\")";
}

std::vector<int> CandidateRecord::changed_in(const Mode& mode) const {
  std::vector<int> changed;
  for (int i = 0; i < problem_.model.signature.q(); ++i)
    if (mode.z[at(i)] != before_.z[at(i)]) changed.push_back(i);
  return changed;
}

void CandidateRecord::explain_verdict(const Admissibility& verdict) {
  if (explains_ && explained_.insert(verdict.system->mode).second)
    result_.explained.push_back(explain(verdict, problem_.model, problem_.instant, before_));
}

void CandidateRecord::explain_step(const Mode& mode) {
  ExplainedCandidate candidate;
  for (const int binary : changed_in(mode))
    candidate.changed.emplace_back(problem_.model.signature.binaries()[at(binary)].name, mode.z[at(binary)]);
  candidate.accepted = true;
  candidate.why = "a step of memory: pre(z) := z before the problem is posed again";
  result_.explained.push_back(std::move(candidate));
}

void CandidateRecord::accept(const Mode& mode, const Admissibility& verdict) {
  result_.status = Successor::Status::found;
  result_.flipped = changed_in(mode);
  result_.mode = mode;
  result_.mode.resting = verdict.system->mode.resting;
  result_.system = verdict.system;
  result_.motion = verdict.motion;
}

void CandidateRecord::reject(Admissibility verdict) {
  if (verdict.admissible()) {  // a slide that was in doubt
    verdict.rejection = Rejection::forbidden;
    verdict.reason = "one of its sides stays on the surface by itself";
  }
  look_for_narrow_hysteresis(verdict);
  verdict.motion.reset();
  if (result_.rejected.size() < most_rejected_kept) result_.rejected.push_back({std::move(verdict)});
}

/// At smaller tolerances the rows of a narrow hysteresis might decide otherwise.
void CandidateRecord::look_for_narrow_hysteresis(const Admissibility& verdict) {
  if (verdict.rejection != Rejection::constraint_rising || !verdict.motion || result_.narrow) return;
  const std::shared_ptr<const ModeSystem>& system = verdict.system;
  const std::span<const double> v = verdict.motion->v();
  for (const int row : verdict.constraints) {
    const Ball g = verdict.motion->constraint(row, 0);
    if (std::abs(g.value) > g.error) continue;
    const Unresolved found{system, row, g.error};
    for (const Unresolved& other : unresolved_)
      if ((result_.narrow = between(other, found, v))) return;
    if (unresolved_.size() < most_unresolved_kept) unresolved_.push_back(found);
  }
}

/// ∇g_a = −β ∇g_b, and h = −g_a − β g_b is more than rounding leaves of it. Where h < 0, no mode is left between the
/// thresholds at any tolerance; h = 0 is one threshold.
std::optional<NarrowHysteresis> CandidateRecord::between(const Unresolved& a, const Unresolved& b,
                                                         std::span<const double> v) const {
  const std::map<int, double> of_a = gradient_of(a.system->g, a.row, v);
  const std::map<int, double> of_b = gradient_of(b.system->g, b.row, v);
  double square = 0.0, product = 0.0, size = 0.0;
  for (const auto& [signal, slope] : of_b) {
    square += slope * slope;
    if (const auto other = of_a.find(signal); other != of_a.end()) product += slope * other->second;
  }
  for (const auto& [signal, slope] : of_a) size = std::max(size, std::abs(slope));
  const double beta = -product / square;
  if (!(beta > 0.0) || of_a.size() != of_b.size()) return std::nullopt;
  for (const auto& [signal, slope] : of_b) {
    const auto other = of_a.find(signal);
    if (other == of_a.end() || std::abs(other->second + beta * slope) > rounding_left * size)
      return std::nullopt;
  }
  const double width = -a.system->g.value(a.row, v) - beta * b.system->g.value(b.row, v);
  const double error = a.error + beta * b.error;
  const double magnitude = a.system->g.magnitude(a.row, v) + beta * b.system->g.magnitude(b.row, v);
  if (width <= rounding_left * magnitude || width > error) return std::nullopt;
  return NarrowHysteresis{constraint_name(problem_.model, a.system->mode, a.row),
                          constraint_name(problem_.model, b.system->mode, b.row), width, error};
}

}  // namespace mti
