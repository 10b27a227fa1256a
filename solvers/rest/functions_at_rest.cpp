#include "solvers/rest/functions_at_rest.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/idle_definitions.hpp"
#include "solvers/admissibility/admissibility.hpp"

namespace mti {
namespace {

/// φ is 0 at the end of its domain.
bool may_rest(const ElementaryFunction& phi) {
  using Kind = ElementaryFunction::Kind;
  return phi.kind == Kind::sqrt || phi.kind == Kind::cbrt || (phi.kind == Kind::power && phi.exponent > 0.0);
}

bool is_at_end(const Model& model, int function, const Accuracy& accuracy, std::span<const double> v) {
  const int argument = model.function_texts[at(function)].argument;
  const double a = v[at(argument)];
  return std::abs(model.functions[at(function)].phi.margin(a)) <= accuracy.of(argument, a);
}

/// The signal, what stands in its definition, and in the definitions of that.
std::vector<int> signals_behind(int signal, const std::vector<Definition>& definitions,
                                const ModeSystem& system) {
  std::vector<int> behind = {signal};
  for (std::size_t next = 0; next < behind.size(); ++next) {
    const auto definition = std::ranges::find(definitions, behind[next], &Definition::signal);
    if (definition == definitions.end()) continue;
    for (const RowMap::Term& term : system.f.terms(definition->equation))
      for (const RowMap::Factor& factor : system.f.factors(term.column))
        if (std::ranges::find(behind, factor.signal) == behind.end()) behind.push_back(factor.signal);
  }
  return behind;
}

/// What rounding makes of a signal, by the sizes of what stands in its definition, and in the definitions of that.
double rounding_of(int signal, const Model& model, const ModeSystem& system, std::span<const double> v) {
  constexpr double roundings = 16.0;
  const std::vector<Definition> all = definitions(model);
  double largest = 0.0;
  for (const int behind : signals_behind(signal, all, system))
    if (const auto definition = std::ranges::find(all, behind, &Definition::signal); definition != all.end())
      largest = std::max(largest, system.f.magnitude(definition->equation, v));
  return roundings * machine_epsilon * largest;
}

/// States and signals in the rows on whose zeros the mode slides, by row of S.
std::set<int> signals_on_surfaces(const Signature& signature, const std::vector<Definition>& definitions,
                                  const ModeCache& cache, const ModeSystem& system) {
  const RowMap& g = cache.rows().g;
  std::set<int> found;
  for (const Slide& slide : system.mode.slides)
    for (const RowMap::Term& term : g.terms(slide.constraint))
      for (const RowMap::Factor& factor : g.factors(term.column))
        for (const int behind : signals_behind(factor.signal, definitions, system))
          if (behind < signature.binary_row(0)) found.insert(behind);
  return found;
}

/// Those that are 0 at the end of their domain, and are needed.
std::vector<int> functions_that_may_rest(const Model& model, const ModeSystem& system) {
  std::vector<int> functions;
  for (int i = 0; i < static_cast<int>(model.functions.size()); ++i)
    if (may_rest(model.functions[at(i)].phi) && !system.does_without(model.function_texts[at(i)].result))
      functions.push_back(i);
  return functions;
}

std::vector<int> functions_at_end(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                  const Instant& here, const Mode& mode) {
  std::vector<int> functions = functions_that_may_rest(model, *cache.get(mode));
  std::erase_if(functions, [&](int i) { return !is_at_end(model, i, accuracy, here.v); });
  return functions;
}

Mode with_resting(Mode mode, const std::vector<int>& functions) {
  mode.resting.insert(mode.resting.end(), functions.begin(), functions.end());
  std::ranges::sort(mode.resting);
  return mode;
}

/// What moves may do so because of others that do: all but those that move are looked at again.
std::shared_ptr<Motion> with_those_at_rest(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                           const Instant& here, const Mode& mode, Rest how,
                                           std::vector<int> candidates) {
  while (!candidates.empty()) {
    std::shared_ptr<Motion> motion =
        motion_in(model, cache.get(with_resting(mode, candidates)), accuracy, here);
    if (!motion->solved()) return nullptr;
    const auto moved = std::erase_if(candidates, [&](int i) {
      const int argument = model.function_texts[at(i)].argument;
      const double epsilon = accuracy.of(argument, motion->v()[at(argument)]);
      const double whole_run = accuracy.resolution / accuracy.rtol;
      const Ball slope = motion->signal(argument, 1);
      if (!is_at_end(model, i, accuracy, motion->v())) return true;
      if (std::abs(slope.value) <= epsilon / whole_run) return false;
      if (how == Rest::stays) return true;
      // a = a₁ τ + a₂ τ² is −a₁²/(4 a₂) at its least.
      const Ball curvature = motion->signal(argument, 2);
      return !(curvature.value > curvature.error &&
               0.25 * slope.value * slope.value <= epsilon * curvature.value);
    });
    if (moved == 0) return motion;
  }
  return nullptr;
}

}  // namespace

bool has_functions_that_may_rest(const Model& model) {
  return std::ranges::any_of(model.functions,
                             [](const FunctionColumn& function) { return may_rest(function.phi); });
}

std::shared_ptr<Motion> motion_at_rest(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                       const Instant& here, const Mode& mode, Rest how) {
  return with_those_at_rest(model, cache, accuracy, here, mode, how,
                            functions_at_end(model, cache, accuracy, here, mode));
}

Mode with_those_on_surfaces_at_rest(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                    const Instant& here, const Mode& mode) {
  if (!has_functions_that_may_rest(model)) return mode;
  std::vector<int> functions = functions_at_end(model, cache, accuracy, here, mode);
  if (functions.empty()) return mode;
  const auto system = cache.get(mode);
  const std::vector<Definition> all = definitions(model);
  const std::set<int> on_surfaces = signals_on_surfaces(model.signature, all, cache, *system);
  std::erase_if(functions, [&](int i) {
    const auto behind = signals_behind(model.function_texts[at(i)].argument, all, *system);
    return std::ranges::none_of(behind, [&](int signal) { return on_surfaces.contains(signal); });
  });
  const auto motion = with_those_at_rest(model, cache, accuracy, here, mode, Rest::stays, functions);
  return motion ? motion->system().mode : mode;
}

Mode with_ends_held(const Model& model, ModeCache& cache, const Accuracy& accuracy, const Instant& here,
                    const Mode& mode) {
  if (!has_functions_that_may_rest(model)) return mode;
  return with_resting(mode, functions_at_end(model, cache, accuracy, here, mode));
}

std::shared_ptr<Motion> motion_that_begins_at_rest(const Model& model, ModeCache& cache,
                                                   const Accuracy& accuracy, const Instant& here,
                                                   const Mode& mode, Rest how) {
  return with_those_at_rest(model, cache, accuracy, here, mode, how,
                            functions_that_may_rest(model, *cache.get(mode)));
}

bool may_come_to_rest(const Model& model, const ModeSystem& system, const Accuracy& accuracy,
                      std::span<const double> v) {
  return std::ranges::any_of(functions_that_may_rest(model, system), [&](int i) {
    const int result = model.function_texts[at(i)].result;
    const double value = v[at(result)];
    if (!is_at_end(model, i, accuracy, v)) return false;
    const int argument = model.function_texts[at(i)].argument;
    return std::abs(value) <= accuracy.of(result, value) ||
           std::abs(v[at(argument)]) <= rounding_of(argument, model, system, v);
  });
}

bool leaves_end_at_once(const Model& model, Motion& motion, double t) {
  constexpr double roundings = 1e4;
  return std::ranges::any_of(functions_that_may_rest(model, motion.system()), [&](int i) {
    const int argument = model.function_texts[at(i)].argument;
    const double margin = model.functions[at(i)].phi.margin(motion.v()[at(argument)]);
    const Ball slope = motion.signal(argument, 1);
    return slope.value > slope.error && margin <= roundings * machine_epsilon * std::abs(t) * slope.value;
  });
}

std::vector<int> still_at_rest(const Model& model, const Mode& mode, const Accuracy& accuracy,
                               std::span<const double> v) {
  std::vector<int> resting = mode.resting;
  std::erase_if(resting, [&](int i) { return !is_at_end(model, i, accuracy, v); });
  return resting;
}

std::optional<double> end_of_rest(const Model& model, const Mode& mode, const Accuracy& accuracy,
                                  double begin, double end,
                                  const std::function<std::span<const double>(double t)>& v) {
  const auto all_rest = [&](double t) {
    return still_at_rest(model, mode, accuracy, v(t)).size() == mode.resting.size();
  };
  if (mode.resting.empty() || all_rest(end)) return std::nullopt;
  for (;;) {
    const double middle = 0.5 * (begin + end);
    if (middle <= begin || middle >= end) return end;
    (all_rest(middle) ? begin : end) = middle;
  }
}

}  // namespace mti
