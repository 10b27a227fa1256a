#include "solvers/admissibility/explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "solvers/mode/mode_outputs.hpp"

namespace mti {
namespace {

/// Dg and D²g stand beside g though g alone may decide.
constexpr int least_orders = 2;
constexpr std::size_t most_rows = 100;
constexpr double unknown_weight = 0.5;

ExplainedRow numbers_of(Motion& motion, int row, const Model& model, const Instant& instant) {
  const ModeSystem& system = motion.system();
  ExplainedRow explained{constraint_name(model, system.mode, row), {}, -1};
  const int orders = orders_of_decision(model, system);
  for (int k = 0; k <= std::max(orders, model.is_discrete() ? 0 : least_orders); ++k) {
    Ball coefficient = motion.constraint(row, k);
    if (instant.time_uncertainty > 0.0 && !model.is_discrete())
      coefficient.error +=
          std::min((k + 1) * std::abs(motion.constraint(row, k + 1).value),
                   // NOLINTNEXTLINE(bugprone-narrowing-conversions): from double to double
                   k == 0 ? motion.rate_of_beginning(row) : std::numeric_limits<double>::infinity()) *
          instant.time_uncertainty;
    explained.numbers.push_back({factorial(k) * coefficient.value, factorial(k) * coefficient.error});
    if (explained.deciding < 0 && std::abs(coefficient.value) > coefficient.error) explained.deciding = k;
    if (explained.deciding >= 0 && k >= least_orders) break;
  }
  return explained;
}

ExplainedSurface surface_of(const Slide& slide, const Model& model, const Mode& mode) {
  ExplainedSurface surface{constraint_name(model, mode, slide.constraint), {}, {}};
  for (std::size_t i = 0; i < slide.binaries.size(); ++i) {
    const std::string& name = model.signature.binaries()[at(slide.binaries[i])].name;
    surface.below.emplace_back(name, slide.below[i]);
    surface.above.emplace_back(name, slide.above[i]);
  }
  return surface;
}

}  // namespace

ExplainedCandidate explain(const Admissibility& verdict, const Model& model, const Instant& instant,
                           const Mode& before) {
  const ModeSystem& system = *verdict.system;
  const Mode& mode = system.mode;
  ExplainedCandidate candidate;
  candidate.accepted = verdict.admissible();
  candidate.why = describe(verdict, model);
  for (int i = 0; i < model.signature.q(); ++i) {
    const auto binary = at(i);
    const auto row = at(model.signature.binary_row(i));
    const Slide *slid = slide_of(before, i), *slides = slide_of(mode, i);
    const std::string& name = model.signature.binaries()[binary].name;
    if (slides != nullptr && (slid == nullptr || *slid != *slides))
      candidate.changed.emplace_back(name, verdict.motion ? verdict.motion->v()[row] : unknown_weight);
    else if (slides == nullptr && (slid != nullptr || before.z[binary] != mode.z[binary]))
      candidate.changed.emplace_back(name, mode.z[binary]);
  }
  for (const Slide& slide : mode.slides)
    if (std::ranges::find(before.slides, slide) == before.slides.end())
      candidate.surfaces.push_back(surface_of(slide, model, mode));
  std::vector<int> rows = candidate.accepted ? verdict.near : verdict.constraints;
  if (rows.size() > most_rows) rows.resize(most_rows);
  for (const int row : rows) {
    const bool constant =
        at(row) < system.constraint_form.size() && system.constraint_form[at(row)] == RowForm::constant;
    if (constant)
      candidate.rows.push_back({constraint_name(model, mode, row), {{system.g.terms(row)[0].Phi, 0.0}}, 0});
    else if (verdict.motion)
      candidate.rows.push_back(numbers_of(*verdict.motion, row, model, instant));
  }
  return candidate;
}

}  // namespace mti
