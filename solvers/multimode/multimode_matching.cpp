#include "solvers/multimode/multimode_matching.hpp"

#include <deque>
#include <unordered_map>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// Modes in which things wait to be looked at; a thing waits once, for all its modes together.
class Queue {
 public:
  void push(int what, const ModeSet& where) {
    ModeSet& waiting = waiting_[what];
    if (waiting.empty()) order_.push_back(what);
    waiting |= where;
  }
  [[nodiscard]] bool empty() const { return order_.empty(); }
  Conditional pop() {
    const int what = order_.front();
    order_.pop_front();
    return {what, std::exchange(waiting_[what], ModeSet::none())};
  }

 private:
  std::deque<int> order_;
  std::unordered_map<int, ModeSet> waiting_;
};

std::vector<Conditional> within(const std::unordered_map<int, ModeSet>& visited, const ModeSet& modes) {
  std::vector<Conditional> result;
  for (const auto& [what, where] : visited)
    if (ModeSet rest = where & modes; !rest.empty()) result.emplace_back(what, std::move(rest));
  return result;
}

}  // namespace

void ConditionalPattern::add_row(std::vector<Entry> entries) {
  const int row = static_cast<int>(rows.size());
  for (std::size_t e = 0; e < entries.size(); ++e)
    columns[at(entries[e].column)].push_back({row, static_cast<int>(e)});
  rows.push_back(std::move(entries));
}

MultimodeMatching::MultimodeMatching(const ConditionalPattern& pattern)
    : free_(pattern.columns.size(), ModeSet::all()) {
  for (const auto& row : pattern.rows) matched_.emplace_back(row.size());
}

MultimodeMatching::Search MultimodeMatching::match(const ConditionalPattern& pattern, int root,
                                                   const ModeSet& wanted, const Considered& considered) {
  ModeSet active = wanted;
  std::unordered_map<int, ModeSet> rows, columns;
  std::unordered_map<int, std::vector<std::pair<ConditionalPattern::Place, ModeSet>>> came_from;
  Queue queue;
  rows[root] = active;
  queue.push(root, active);

  // The path that ends in `column` becomes matched where it was not, in every mode of `modes` its own path.
  const auto augment = [&](int column, const ModeSet& modes) {
    free_[at(column)] -= modes;
    std::vector<Conditional> open{{column, modes}};
    while (!open.empty()) {
      const auto [end, where] = std::move(open.back());
      open.pop_back();
      for (const auto& [place, from] : came_from[end]) {
        const ModeSet here = where & from;
        if (here.empty()) continue;
        std::vector<ModeSet>& partners = matched_[at(place.row)];
        if (place.row != root)
          for (std::size_t e = 0; e < partners.size(); ++e)
            if (ModeSet before = partners[e] & here; !before.empty()) {
              partners[e] -= before;
              open.emplace_back(pattern.rows[at(place.row)][e].column, std::move(before));
            }
        partners[at(place.entry)] |= here;
      }
    }
    active -= modes;
  };

  while (!queue.empty() && !active.empty()) {
    const auto [row, waiting] = queue.pop();
    const auto& entries = pattern.rows[at(row)];
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const ModeSet here = waiting & active;
      if (here.empty()) break;
      const int column = entries[e].column;
      ModeSet& visited = columns[column];
      ModeSet fresh = considered((here & entries[e].where) - visited);
      if (fresh.empty()) continue;
      visited |= fresh;
      came_from[column].push_back({{row, static_cast<int>(e)}, fresh});
      if (const ModeSet ends = fresh & free_[at(column)]; !ends.empty()) {
        augment(column, ends);
        fresh -= ends;
      }
      if (fresh.empty()) continue;
      for (const auto& [partner, entry] : pattern.columns[at(column)])
        if (const ModeSet next = fresh & matched_[at(partner)][at(entry)]; !next.empty()) {
          rows[partner] |= next;
          queue.push(partner, next);
        }
    }
    active = considered(active);
  }
  Search search{active, {}, {}};
  if (active.empty()) return search;
  search.rows = within(rows, active);
  search.columns = within(columns, active);
  return search;
}

MultimodeMatching::Part MultimodeMatching::reached_from_free_columns(const ConditionalPattern& pattern,
                                                                     const Considered& considered) const {
  Part part{std::vector<ModeSet>(pattern.rows.size()), std::vector<ModeSet>(pattern.columns.size())};
  Queue queue;
  for (std::size_t column = 0; column < free_.size(); ++column)
    if (const ModeSet alone = considered(free_[column]); !alone.empty()) {
      part.columns[column] = alone;
      queue.push(static_cast<int>(column), alone);
    }
  while (!queue.empty()) {
    const auto [column, waiting] = queue.pop();
    for (const auto& [row, entry] : pattern.columns[at(column)]) {
      const ModeSet fresh =
          considered((waiting & pattern.rows[at(row)][at(entry)].where) - part.rows[at(row)]);
      if (fresh.empty()) continue;
      part.rows[at(row)] |= fresh;
      for (std::size_t e = 0; e < matched_[at(row)].size(); ++e) {
        const int partner = pattern.rows[at(row)][e].column;
        const ModeSet next = (fresh & matched_[at(row)][e]) - part.columns[at(partner)];
        if (next.empty()) continue;
        part.columns[at(partner)] |= next;
        queue.push(partner, next);
      }
    }
  }
  return part;
}

}  // namespace mti
