#include "solvers/search/assignment_search.hpp"

#include <algorithm>
#include <array>

#include "mti/common/at.hpp"
#include "mti/common/sort_distinct.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/search/assignment_order.hpp"

namespace mti {
namespace {

/// Up to this number of binaries all assignments are enumerated without looking at rows.
constexpr std::size_t few = 4;

/// All sets of flips of `few` binaries in order. Those of fewer binaries are in the same order.
constexpr std::array<unsigned, 1U << few> ordered_sets() {
  std::array<unsigned, 1U << few> sets{};
  for (unsigned i = 0; i < sets.size(); ++i) sets[i] = i;
  std::ranges::sort(sets, precedes);
  return sets;
}

constexpr auto sets_of_few = ordered_sets();

using Values = std::vector<signed char>;

}  // namespace

/// Parts of A, each with the assignments that its tree has given so far, and wholes made of them.
class AssignmentSearch::Parts {
 public:
  Parts(ConstraintProblem problem, SearchEffort& effort, bool solve_equations)
      : problem_(std::move(problem)), parts_(problem_), effort_(effort), solve_equations_(solve_equations) {
    for (ConnectedParts::Part& part : parts_.parts()) {
      streams_.emplace_back();
      streams_.back().part = std::move(part);
    }
    stream_of_.resize(at(problem_.binaries));
    number_streams();
  }

  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() = default;

  void exclude(const Exclusion& exclusion) {
    std::vector<std::size_t> touched;
    for (const auto& [binary, value] : exclusion) touched.push_back(stream_of_[at(binary)]);
    sort_distinct(touched);
    if (touched.size() > 1 && exclusion.size() == at(problem_.deciders)) {
      whole_.push_back(exclusion);  // a single whole: no reason to search its parts together
      return;
    }
    if (touched.size() > 1) unite(touched);
    Stream& stream = streams_[touched.front()];
    stream.exclusions.push_back(exclusion);
    if (stream.tree) {
      const Exclusion local = in_part(stream.part, exclusion);
      stream.tree->exclude(local);
      std::erase_if(stream.found, [&](const Values& z) { return agrees(z, local); });
    }
    wholes_.clear();
  }

  BranchAndBound::Status next(Values& z) {
    if (wholes_.empty()) {
      Whole first{0, 0, std::vector<std::size_t>(streams_.size(), 0), Values(at(problem_.binaries))};
      for (std::size_t s = 0; s < streams_.size(); ++s)
        if (const auto status = choose(first, s, 0); status != BranchAndBound::Status::found) return status;
      push(std::move(first));
    }
    while (!wholes_.empty()) {
      check_budget();
      const Whole& best = wholes_.front();
      if (std::ranges::none_of(whole_, [&](const Exclusion& e) { return agrees(best.z, e); })) {
        z = best.z;
        return BranchAndBound::Status::found;
      }
      if (const auto status = replace_best(); status != BranchAndBound::Status::found) return status;
    }
    return BranchAndBound::Status::none;
  }

 private:
  struct Stream {
    ConnectedParts::Part part;
    std::unique_ptr<BranchAndBound> tree = {};
    std::vector<Exclusion> exclusions = {};  ///< by binaries of A
    std::vector<Values> found = {};          ///< in order, without those excluded since
  };
  /// One found assignment of each stream. Those behind are made by taking a later one of a stream from
  /// `last` on, so that each whole is made once.
  struct Whole {
    int flips;
    std::size_t last;
    std::vector<std::size_t> chosen;
    Values z;
  };

  [[nodiscard]] auto later() const {
    return [this](const Whole& a, const Whole& b) {
      if (a.flips != b.flips) return a.flips > b.flips;
      const auto end = a.z.begin() + problem_.deciders;
      const auto i = std::mismatch(a.z.begin(), end, b.z.begin()).first;
      return i != end && *i == problem_.before[at(i - a.z.begin())];
    };
  }

  static bool agrees(const Values& z, const Exclusion& exclusion) {
    return std::ranges::all_of(exclusion, [&](const auto& e) { return z[at(e.first)] == e.second; });
  }

  static Exclusion in_part(const ConnectedParts::Part& part, const Exclusion& exclusion) {
    Exclusion local;
    for (const auto& [binary, value] : exclusion) {
      const auto place = std::ranges::lower_bound(part.binaries, binary) - part.binaries.begin();
      local.emplace_back(static_cast<int>(place), value);
    }
    return local;
  }

  void number_streams() {
    for (std::size_t s = 0; s < streams_.size(); ++s)
      for (const int binary : streams_[s].part.binaries) stream_of_[at(binary)] = s;
  }

  /// Makes one stream of several; it is the first of them then.
  void unite(std::vector<std::size_t>& touched) {
    Stream& first = streams_[touched.front()];
    for (const std::size_t s : std::span(touched).subspan(1)) {
      first.part = join(std::move(first.part), streams_[s].part);
      first.exclusions.insert(first.exclusions.end(), streams_[s].exclusions.begin(),
                              streams_[s].exclusions.end());
    }
    first.tree.reset();
    first.found.clear();
    for (std::size_t i = touched.size(); i > 1; --i)
      streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(touched[i - 1]));
    number_streams();
  }

  /// Puts assignment i of stream s into the whole.
  BranchAndBound::Status choose(Whole& whole, std::size_t s, std::size_t i) {
    Stream& stream = streams_[s];
    if (!stream.tree) {
      stream.tree = std::make_unique<BranchAndBound>(parts_.extract(stream.part), solve_equations_);
      for (const Exclusion& exclusion : stream.exclusions)
        stream.tree->exclude(in_part(stream.part, exclusion));
    }
    while (stream.found.size() <= i) {
      BranchAndBound::Answer answer = stream.tree->next(effort_);
      if (answer.status != BranchAndBound::Status::found) return answer.status;
      stream.found.push_back(std::move(answer.z));
    }
    whole.chosen[s] = i;
    for (std::size_t k = 0; k < stream.part.binaries.size(); ++k)
      whole.z[at(stream.part.binaries[k])] = stream.found[i][k];
    return BranchAndBound::Status::found;
  }

  /// The best whole gives way to those that follow it in one stream.
  BranchAndBound::Status replace_best() {
    const Whole best = wholes_.front();
    std::vector<Whole> next;
    for (std::size_t s = best.last; s < streams_.size(); ++s) {
      Whole whole = best;
      whole.last = s;
      const auto status = choose(whole, s, best.chosen[s] + 1);
      if (status == BranchAndBound::Status::limit) return status;  // the best stays: nothing is lost
      if (status == BranchAndBound::Status::found) next.push_back(std::move(whole));
    }
    std::ranges::pop_heap(wholes_, later());
    wholes_.pop_back();
    for (Whole& whole : next) push(std::move(whole));
    return BranchAndBound::Status::found;
  }

  void push(Whole whole) {
    whole.flips = 0;
    for (std::size_t i = 0; i < at(problem_.deciders); ++i)
      whole.flips += static_cast<int>(whole.z[i] != problem_.before[i]);
    wholes_.push_back(std::move(whole));
    std::ranges::push_heap(wholes_, later());
  }

  ConstraintProblem problem_;
  ConnectedParts parts_;
  SearchEffort& effort_;
  bool solve_equations_;
  std::vector<Stream> streams_;
  std::vector<std::size_t> stream_of_;  ///< by binary of A
  std::vector<Exclusion> whole_;        ///< of all binaries of A, across streams
  std::vector<Whole> wholes_;           ///< a heap
};

AssignmentSearch::AssignmentSearch(const SignalRows& rows, KnownValue known, std::vector<int> A,
                                   std::span<const char> before, const AssignmentLimits& limits,
                                   std::vector<int> outputs)
    : rows_(&rows),
      known_(std::move(known)),
      A_(std::move(A)),
      outputs_(std::move(outputs)),
      limits_(limits) {
  for (const int binary : A_) before_.push_back(before[at(binary)]);
  for (const int binary : outputs_) before_.push_back(before[at(binary)]);
  effort_.most_nodes = limits.most_nodes;
  effort_.linear_relaxation = limits.linear_relaxation;
}

AssignmentSearch::~AssignmentSearch() = default;

AssignmentSearch::Result AssignmentSearch::next_of_few() const {
  for (const unsigned set : sets_of_few) {
    if (set >> A_.size() != 0 || (few_excluded_ >> set & 1U) != 0) continue;
    Result result{Result::Status::found};
    for (std::size_t i = 0; i < A_.size(); ++i)
      if ((set >> i & 1U) != 0) result.flipped.push_back(A_[i]);
    return result;
  }
  return {Result::Status::none};
}

AssignmentSearch::Result AssignmentSearch::next() {
  if (A_.size() <= few) return next_of_few();
  if (nothing_left_) return {Result::Status::none};
  if (!parts_) {
    std::vector<int> binaries = A_;
    binaries.insert(binaries.end(), outputs_.begin(), outputs_.end());
    parts_ = std::make_unique<Parts>(
        gather(*rows_, known_, binaries, before_, limits_.local, static_cast<int>(A_.size())), effort_,
        limits_.solve_equations);
    for (const Exclusion& exclusion : waiting_) parts_->exclude(exclusion);
    waiting_.clear();
  }
  Values z;
  switch (parts_->next(z)) {
    case BranchAndBound::Status::none:
      nothing_left_ = true;
      return {Result::Status::none};
    case BranchAndBound::Status::limit:
      return {Result::Status::limit};
    case BranchAndBound::Status::found:
      break;
  }
  Result result{Result::Status::found};
  for (std::size_t i = 0; i < A_.size(); ++i)
    if (z[i] != before_[i]) result.flipped.push_back(A_[i]);
  return result;
}

void AssignmentSearch::exclude(std::span<const char> z, std::span<const int> binaries) {
  Exclusion exclusion;
  for (const int binary : binaries) {
    auto place = std::ranges::lower_bound(A_, binary) - A_.begin();
    if (place == std::ssize(A_) || A_[at(place)] != binary)
      place = std::ssize(A_) + (std::ranges::lower_bound(outputs_, binary) - outputs_.begin());
    exclusion.emplace_back(static_cast<int>(place), static_cast<signed char>(z[at(binary)]));
  }
  if (A_.size() <= few) {
    unsigned on = 0, flipped = 0;
    for (const auto& [place, value] : exclusion) {
      on |= 1U << place;
      flipped |= static_cast<unsigned>(value != before_[at(place)]) << place;
    }
    for (unsigned set = 0; set < 1U << A_.size(); ++set)
      if ((set & on) == flipped) few_excluded_ |= 1U << set;
    return;
  }
  if (exclusion.empty())
    nothing_left_ = true;
  else if (parts_)
    parts_->exclude(exclusion);
  else
    waiting_.push_back(std::move(exclusion));
}

}  // namespace mti
