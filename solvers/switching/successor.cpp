#include "solvers/switching/successor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/common/wording.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/rest/functions_at_rest.hpp"
#include "solvers/switching/successor_search.hpp"

namespace mti {
namespace {

/// So many of the binaries that a candidate changes stand in a message.
constexpr std::size_t most_named = 6;

}  // namespace

SuccessorSearch::SuccessorSearch(const Model& model, ModeCache& cache, const Accuracy& accuracy,
                                 const SearchOptions& options)
    : model_(model),
      cache_(cache),
      accuracy_(accuracy),
      dependencies_(cache.rows()),
      causal_steps_(model, cache.rows(), dependencies_, cache.outputs()),
      options_(options) {
  memory().begin(model.constraints(), model.signature.q());
}

Successor SuccessorSearch::find(const Instant& instant, const Mode& before, bool causal) const {
  if (instant.accumulates) {
    // That switches accumulate stands for pressing sides only where nothing else follows.
    Instant strict = instant;
    strict.accumulates = false;
    Successor successor = find(strict, before, causal);
    if (successor.status != Successor::Status::dead_end) return successor;
  }
  const SwitchingProblem problem = problem_at(instant);
  SearchOptions options = options_;
  options.causal = options.causal && causal;
  return SuccessorRun(problem, causal_steps_, options, before, memory()).find();
}

Successor SuccessorSearch::slide_over(const Instant& instant, const Mode& before,
                                      std::span<const int> binaries) const {
  if (!options_.sliding) return {};
  const SwitchingProblem problem = problem_at(instant);
  return SuccessorRun(problem, causal_steps_, options_, before, memory()).slide_over(binaries);
}

Admissibility SuccessorSearch::check_unchanged(const Instant& instant, const Mode& before) const {
  const SwitchingProblem problem = problem_at(instant);
  Mode mode = before;
  settle_outputs(problem.outputs(), mode);
  return check_mode(problem, mode);
}

Admissibility SuccessorSearch::check_at_ends(const Instant& instant, const Mode& before) const {
  const Mode held = with_ends_held(model_, cache_, accuracy_, instant, before);
  const auto is_smooth = [&](int function) {
    const ElementaryFunction& phi = model_.functions[at(function)].phi;
    return phi.kind == ElementaryFunction::Kind::power && phi.exponent > 1.0;
  };
  return check_unchanged(instant, std::ranges::all_of(held.resting, is_smooth) ? held : before);
}

/// Which way a comparison leads is asked with all others 0, and with all others 1.
std::shared_ptr<const std::vector<WaitedFor>> SuccessorSearch::rows_waited_for() const {
  if (!has_risen_laws(model_)) return nullptr;
  const auto with = [&](char others, int binary, char value) {
    const auto all = [others](int size) { return std::vector<char>(at(size), others); };
    Mode mode{all(model_.signature.q()), all(model_.signature.r()), all(model_.signature.m())};
    mode.z[at(binary)] = value;
    settle_outputs(cache_.outputs(), mode);
    return mode.z;
  };
  std::vector<WaitedFor> rows(at(model_.constraints()));
  for (const Comparison& comparison : comparisons())
    for (const char others : {char{0}, char{1}}) {
      const std::vector<char> off = with(others, comparison.binary, 0),
                              on = with(others, comparison.binary, 1);
      const auto rises = [&](const std::vector<char>& from, const std::vector<char>& to) {
        return !risen_laws(model_, from, to).names.empty();
      };
      WaitedFor &while_off = rows[at(comparison.while_off)], &while_on = rows[at(comparison.while_on)];
      if (rises(off, on)) while_off.becomes_true = while_on.becomes_false = true;
      if (rises(on, off)) while_on.becomes_true = while_off.becomes_false = true;
    }
  return std::make_shared<const std::vector<WaitedFor>>(std::move(rows));
}

SwitchingProblem SuccessorSearch::problem_at(const Instant& instant) const {
  return {model_, cache_, accuracy_, dependencies_, instant};
}

std::string diagnosis(const Successor& successor, const Mode& before, const Model& model) {
  std::string text;
  for (const RejectedCandidate& candidate : successor.rejected) {
    const Mode& mode = candidate.verdict.system->mode;
    std::vector<std::string> parts;
    const auto list = [&](std::string part) { parts.push_back(std::move(part)); };
    const auto given_up = [&](int binary) {
      return slide_of(before, binary) != nullptr && slide_of(mode, binary) == nullptr;
    };
    for (std::size_t i = 0; i < mode.z.size(); ++i)
      if (mode.z[i] != before.z[i] || given_up(static_cast<int>(i)))
        list(model.signature.binaries()[i].name + " = " + std::to_string(static_cast<int>(mode.z[i])));
    for (const Slide& slide : mode.slides)
      for (const int binary : slide.binaries) list(model.signature.binaries()[at(binary)].name + " sliding");
    text += (text.empty() ? "" : "; ") +
            (parts.empty() ? std::string("unchanged") : name_list(parts, most_named)) + ": " +
            describe(candidate.verdict, model);
  }
  const long left = successor.tried - static_cast<long>(successor.rejected.size());
  if (left > 0) text += "; and " + std::to_string(left) + " more candidates";
  if (successor.excluded_among > 0)
    text += "; every other assignment of the " + std::to_string(successor.excluded_among) +
            " binaries concerned is excluded by these or by bounds on the rows they occur in";
  if (!successor.given_up.empty()) text += "; " + successor.given_up;
  if (const std::optional<NarrowHysteresis>& narrow = successor.narrow)
    text += "; " + narrow->first + " and " + narrow->second + " are thresholds that lie " +
            mti::text::format_number(narrow->width, 3) + " apart, within their error bounds" +
            (std::isfinite(narrow->error) ? " of " + mti::text::format_number(narrow->error, 3) : "") +
            ": a hysteresis as narrow as that needs smaller tolerances";
  return text;
}

}  // namespace mti
