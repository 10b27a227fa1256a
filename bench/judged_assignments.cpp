#include "bench/judged_assignments.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"

namespace mti::bench {

JudgedAssignments::JudgedAssignments(const Model& model, double tolerance)
    : model_(model), accuracy_(model, tolerance, tolerance), cache_(model) {
  instant_.v.assign(at(model.signature.size()), 0.0);
  instant_.guess = instant_.v;
  std::vector<InputPiece> pieces;
  for (const Input& input : model.inputs) pieces.push_back(input.piece(0.0));
  instant_.pieces = std::move(pieces);
}

Admissibility JudgedAssignments::judged(std::span<const char> z) {
  Mode mode;
  mode.z.assign(z.begin(), z.end());
  return check_admissibility(model_, cache_.get(mode), accuracy_, instant_);
}

std::vector<int> JudgedAssignments::reason(const IndexedRowMap& map, int row) const {
  const Signature& signature = model_.signature;
  const IndexedRowMap& f = cache_.rows().f;
  std::vector<char> equation_seen(at(f.rows()), 0), signal_seen(at(signature.size()), 0);
  std::vector<int> binaries, equations;
  const auto visit = [&](const IndexedRowMap& holding, int held) {
    for (const RowMap::Term& term : holding.terms(held))
      for (const RowMap::Factor& factor : holding.factors(term.column)) {
        int signal = factor.signal;
        if (signal >= signature.state_row(0) && signal < signature.input_row(0))
          signal -= signature.n();  // a state moves by its derivative
        if (std::exchange(signal_seen[at(signal)], 1) != 0) continue;
        const int binary = signal - signature.binary_row(0);
        if (binary >= 0 && binary < signature.q()) binaries.push_back(binary);
        const bool unknown = signal < signature.n() || (signal >= signature.algebraic_row(0) && binary < 0);
        if (!unknown) continue;
        for (const int equation : f.with(signal))
          if (std::exchange(equation_seen[at(equation)], 1) == 0) equations.push_back(equation);
      }
  };
  visit(map, row);
  // NOLINTNEXTLINE(modernize-loop-convert): grows while it is gone through
  for (std::size_t next = 0; next < equations.size(); ++next) visit(f, equations[next]);
  std::ranges::sort(binaries);
  return binaries;
}

JudgedAssignments::Outcome JudgedAssignments::search(std::vector<int> A, std::span<const char> before,
                                                     const AssignmentLimits& limits, std::size_t most) {
  const Signature& signature = model_.signature;
  const KnownValue known = [&](int signal) -> Ball {
    const bool unknown = signal < signature.state_row(0) ||
                         (signal >= signature.algebraic_row(0) && signal < signature.binary_row(0));
    if (unknown) return {0.0, std::numeric_limits<double>::infinity()};
    if (const int binary = signal - signature.binary_row(0); binary >= 0)
      return {static_cast<double>(before[at(binary)]), 0.0};
    double value = instant_.v[at(signal)];
    if (signal >= signature.input_row(0))
      value = instant_.pieces[at(signal - signature.input_row(0))].value(0.0);
    return {value, accuracy_.of(signal, value)};
  };
  AssignmentSearch search(cache_.rows(), known, A, before, limits);
  Outcome outcome{};
  while (outcome.flips.size() < most) {
    const AssignmentSearch::Result result = search.next();
    outcome.status = result.status;
    if (result.status != AssignmentSearch::Result::Status::found) break;
    ++outcome.yielded;
    std::vector<char> z(before.begin(), before.end());
    for (const int binary : result.flipped) z[at(binary)] ^= 1;
    const Admissibility verdict = judged(z);
    if (verdict.admissible()) outcome.flips.push_back(result.flipped);
    const bool of_rows = !(verdict.failure.equations.empty() && verdict.constraints.empty()) &&
                         verdict.rejection != Rejection::restart_refused &&
                         verdict.rejection != Rejection::not_unique;
    if (!of_rows) {
      search.exclude(z, A);
      continue;
    }
    const auto exclude = [&](const IndexedRowMap& map, const std::vector<int>& rows) {
      for (const int row : rows) {
        std::vector<int> binaries = reason(map, row);
        std::erase_if(binaries, [&](int binary) { return !std::ranges::binary_search(A, binary); });
        search.exclude(z, binaries);
      }
    };
    exclude(cache_.rows().f, verdict.failure.equations);
    exclude(cache_.rows().g, verdict.constraints);
  }
  outcome.nodes = search.nodes();
  outcome.linear_programmes = search.linear_programmes();
  return outcome;
}

}  // namespace mti::bench
