#include "solvers/motion/domain_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {

namespace {

/// Unlike a logarithm, which is infinite there.
bool has_value_at_end(const ElementaryFunction& phi) {
  using Kind = ElementaryFunction::Kind;
  if (phi.kind == Kind::power) return phi.exponent > 0.0;
  return phi.kind != Kind::log && phi.kind != Kind::atanh && phi.kind != Kind::tan;
}

}  // namespace

std::string describe(const DomainEnd& end, const std::string& in_mode) {
  if (end.is_singular)
    return "at t = " + number(end.t) + in_mode + " the equations no longer determine " + end.text +
           ": their Jacobian is singular there, and " + end.text + " grows without bound";
  return "at t = " + number(end.t) + in_mode + " the motion reaches the end of the domain of " + end.text;
}

double PassedPoles::Watched::of(std::span<const double> v) const {
  return is_angle ? std::cos(v[at(signal)]) : v[at(signal)];
}

PassedPoles::PassedPoles(const Model& model, const Accuracy& accuracy) : accuracy_(accuracy) {
  using Kind = ElementaryFunction::Kind;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const ElementaryFunction& phi = model.functions[i].phi;
    const bool is_inverse = phi.kind == Kind::power && phi.exponent < 0.0;
    if (is_inverse || phi.kind == Kind::tan)
      watched_.push_back({model.function_texts[i].argument, model.function_texts[i].result,
                          phi.kind == Kind::tan, false, model.function_texts[i].text});
  }
  for (const Divisor& divisor : model.divisors)
    watched_.push_back({divisor.signal, divisor.quotient, false, true, "the divisor " + divisor.text});
}

std::vector<double> PassedPoles::significant(const FrozenMode& mode, std::span<const double> v) const {
  std::vector<double> values;
  for (const Watched& each : watched_) {
    const double b = each.of(v);
    const bool counts = std::abs(b) > accuracy_.of(each.signal, v[at(each.signal)]);
    values.push_back(counts && !mode.does_without(each.result) ? b : 0.0);
  }
  return values;
}

void PassedPoles::jump(std::span<const double> left, std::span<const double> right) {
  if (before_.empty()) return;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const double b = watched_[i].of(right), a = right[at(watched_[i].signal)];
    if (std::abs(b - watched_[i].of(left)) <= accuracy_.of(watched_[i].signal, a)) continue;
    before_[i] = std::abs(b) > accuracy_.of(watched_[i].signal, a) ? b : 0.0;
  }
}

std::optional<DomainEnd> PassedPoles::at_event(double t, double resolution, const BesideEvent& before,
                                               const BesideEvent& after) const {
  constexpr double resolutions = 10.0, several = 100.0;
  for (const Watched& each : watched_) {
    if (each.result < 0) continue;
    const auto error = [&](const BesideEvent& side) {
      return accuracy_.of(each.signal, side.v[at(each.signal)]);
    };
    const auto meets = [&](const BesideEvent& side) {
      if (side.mode.does_without(each.result)) return false;
      const double b = std::abs(each.of(side.v));
      if (!(b <= error(side))) return false;
      const std::optional<double> slope = side.slope(each.signal);
      return !slope || b <= resolutions * resolution * std::abs(*slope);
    };
    const bool left = meets(before), right = meets(after);
    const auto is_pole = [&](const BesideEvent& side) {
      const double part = side.v[at(each.result)] * each.of(side.v);
      return !(std::abs(part) <= several * error(side));
    };
    if ((left && right && each.is_divisor) || (left && is_pole(before)) || (right && is_pole(after)))
      return DomainEnd{t, each.text, false};
  }
  return std::nullopt;
}

std::optional<DomainEnd> PassedPoles::in_step(double begin, double end, const FrozenMode& mode,
                                              const std::function<std::span<const double>(double t)>& v) {
  if (watched_.empty()) return std::nullopt;
  const std::vector<double> after = significant(mode, v(end));
  if (before_.empty()) before_ = significant(mode, v(begin));
  std::optional<DomainEnd> first;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (mode.does_without(watched_[i].result)) before_[i] = 0.0;
    const double b = before_[i];
    if (after[i] != 0.0) before_[i] = after[i];
    if (!(b * after[i] < 0.0)) continue;
    double left = begin, right = end;
    if (watched_[i].of(v(begin)) * b <= 0.0) right = begin;
    for (;;) {
      const double middle = 0.5 * (left + right);
      if (middle <= left || middle >= right) break;
      (watched_[i].of(v(middle)) * b > 0.0 ? left : right) = middle;
    }
    if (!first || right < first->t) first = DomainEnd{right, watched_[i].text, false};
  }
  return first;
}

std::optional<DomainEnd> domain_end(const Model& model, const std::shared_ptr<const ModeSystem>& system,
                                    const Accuracy& accuracy, const Instant& here) {
  if (model.is_multilinear() && model.divisors.empty()) return std::nullopt;
  constexpr double resolutions = 10.0;
  const double ahead = resolutions * accuracy.resolution;
  Motion motion(model, system, accuracy, here);
  const auto rate = [&](int signal) {
    const double slope = motion.solved() ? motion.signal(signal, 1).value : 0.0;
    return std::isfinite(slope) ? slope : 0.0;
  };
  std::optional<DomainEnd> next;
  const double whole_run = accuracy.resolution / accuracy.rtol;
  const auto examine = [&](int signal, auto margin_of, bool has_value, std::string text) {
    const double a = here.v[at(signal)], slope = rate(signal), margin = margin_of(a);
    // Where a is inside, its margin grows or falls as fast as a does.
    const double usual = std::sqrt(machine_epsilon) * std::max(std::abs(a), 1.0),
                 half = 0.5 * std::abs(margin);
    const double small = std::max(std::min(usual, half), 4.0 * machine_epsilon * std::abs(a));
    const bool falls = slope != 0.0 && margin_of(a + (slope < 0.0 ? -small : small)) < margin;
    const bool reached = falls && margin <= std::abs(slope) * ahead;
    if (!std::isfinite(margin) || (!reached && margin > accuracy.of(signal, a))) return;
    const double t = here.t + (slope != 0.0 ? std::min(std::max(margin, 0.0) / std::abs(slope), ahead) : 0.0);
    const bool rests = has_value && motion.solved() && std::abs(slope) * whole_run <= accuracy.of(signal, a);
    if (!next || (next->rests != rests ? next->rests : t < next->t))
      next = DomainEnd{t, std::move(text), rests};
  };
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const FunctionText& function = model.function_texts[i];
    if (system->does_without(function.result)) continue;
    const ElementaryFunction& phi = model.functions[i].phi;
    examine(
        function.argument, [&](double a) { return phi.margin(a); }, has_value_at_end(phi), function.text);
  }
  for (const Divisor& divisor : model.divisors)
    if (!system->does_without(divisor.quotient))
      examine(
          divisor.signal, [](double b) { return std::abs(b); }, false, "the divisor " + divisor.text);
  return next;
}

SolveFailure at_end_of(const FunctionText& function, const ModeSystem& system) {
  SolveFailure failure;
  failure.kind = SolveFailure::Kind::not_finite;
  failure.signals = {function.result};
  failure.equations = {function.equation};
  for (int row = 0; row < system.f.rows(); ++row)
    for (const RowMap::Term& term : system.f.terms(row))
      for (const RowMap::Factor& factor : system.f.factors(term.column))
        if (factor.signal == function.result || factor.signal == function.argument)
          failure.equations.push_back(row);
  sort_distinct(failure.equations);
  return failure;
}

bool enters(const Model& model, Motion& motion, std::size_t function) {
  const ElementaryFunction& phi = model.functions[function].phi;
  const int argument = model.function_texts[function].argument;
  const double a = motion.v()[at(argument)];
  const Ball slope = motion.signal(argument, 1);
  const double step = std::copysign(std::sqrt(machine_epsilon) * std::max(std::abs(a), 1.0), slope.value);
  return std::abs(slope.value) > slope.error && phi.margin(a + step) > std::max(phi.margin(a), 0.0);
}

AtDomainEnds at_domain_ends(const Model& model, Motion& motion) {
  AtDomainEnds found;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const auto& [equation, result, argument, text] = model.function_texts[i];
    if (motion.system().does_without(result)) continue;
    const double a = motion.v()[at(argument)];
    if (!(model.functions[i].phi.margin(a) <= motion.accuracy().of(argument, a))) continue;
    const Ball slope = motion.signal(argument, 1);
    if (slope.value == 0.0 && slope.error == 0.0) continue;  // a number in this mode
    (enters(model, motion, i) ? found.entered : found.kept).push_back(i);
  }
  return found;
}

}  // namespace mti
