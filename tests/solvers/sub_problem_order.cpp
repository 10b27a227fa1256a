#include "tests/solvers/sub_problem_order.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

/// Unknowns of the successor problem, ẋ, y, z in this order, in every row.
std::vector<std::vector<std::size_t>> unknowns_in(const std::vector<PlainRow>& f,
                                                  const std::vector<PlainRow>& g,
                                                  const Signature& signature) {
  std::vector<int> unknowns = plain_unknowns(signature);
  for (int i = 0; i < signature.q(); ++i) unknowns.push_back(signature.binary_row(i));
  std::map<int, std::size_t> position;
  for (std::size_t i = 0; i < unknowns.size(); ++i) position[unknowns[i]] = i;
  std::vector<std::vector<std::size_t>> result;
  for (const std::vector<PlainRow>* rows : {&f, &g})
    for (const PlainRow& row : *rows) {
      std::vector<std::size_t> found;
      for (const Monomial& term : row)
        for (const int signal : term.signals)
          if (const auto entry = position.find(signal); entry != position.end())
            found.push_back(entry->second);
      result.push_back(std::move(found));
    }
  return result;
}

}  // namespace

SubProblemOrder::SubProblemOrder(const std::vector<PlainRow>& f, const std::vector<PlainRow>& g,
                                 const Signature& signature)
    : first_binary_(plain_unknowns(signature).size()), equations_(f.size()) {
  const std::vector<std::vector<std::size_t>> rows = unknowns_in(f, g, signature);
  const std::size_t size = first_binary_ + at(signature.q());

  // Three rounds of augmenting paths; what an earlier round matched is left alone.
  constexpr std::size_t none = at(-1);
  std::vector<std::size_t> row_of(size, none);
  const auto match = [&](std::size_t first_row, std::size_t last_row, std::size_t first_unknown,
                         std::size_t last_unknown) {
    std::vector<char> taken(size, 1);
    for (std::size_t i = first_unknown; i < last_unknown; ++i) taken[i] = row_of[i] != none ? 1 : 0;
    for (std::size_t row = first_row; row < last_row; ++row) {
      if (std::find(row_of.begin(), row_of.end(), row) != row_of.end()) continue;
      std::vector<char> visited = taken;
      const std::function<bool(std::size_t)> augment = [&](std::size_t r) {
        for (const std::size_t unknown : rows[r]) {
          if (visited[unknown] != 0) continue;
          visited[unknown] = 1;
          if (row_of[unknown] == none || augment(row_of[unknown])) {
            row_of[unknown] = r;
            return true;
          }
        }
        return false;
      };
      augment(row);
    }
  };
  match(0, equations_, 0, first_binary_);
  match(0, equations_, first_binary_, size);
  match(equations_, rows.size(), first_binary_, size);

  // An unknown needs the others of its row; a free binary lies with the first row that contains it.
  std::vector<std::vector<char>> needs(size, std::vector<char>(size, 0));
  for (std::size_t i = 0; i < size; ++i) {
    needs[i][i] = 1;
    if (row_of[i] != none)
      for (const std::size_t other : rows[row_of[i]]) needs[i][other] = 1;
    if (row_of[i] != none) continue;
    for (std::size_t other = 0; other < size; ++other)
      if (row_of[other] != none &&
          std::find(rows[row_of[other]].begin(), rows[row_of[other]].end(), i) != rows[row_of[other]].end()) {
        needs[i][other] = needs[other][i] = 1;
        break;
      }
  }
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      if (needs[i][k] != 0)
        for (std::size_t j = 0; j < size; ++j)
          if (needs[k][j] != 0) needs[i][j] = 1;

  // What needs less comes first; unknowns that need each other need the same number.
  std::vector<std::size_t> order(size);
  for (std::size_t i = 0; i < size; ++i) order[i] = i;
  const auto count = [&](std::size_t i) { return std::count(needs[i].begin(), needs[i].end(), 1); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count(a) < count(b); });
  of_unknown_.assign(size, -1);
  for (const std::size_t i : order) {
    if (of_unknown_[i] >= 0) continue;
    for (std::size_t j = 0; j < size; ++j)
      if (needs[i][j] != 0 && needs[j][i] != 0) of_unknown_[j] = sub_problems_;
    ++sub_problems_;
  }
  for (const std::vector<std::size_t>& row : rows) {
    int last = 0;
    for (const std::size_t unknown : row) last = std::max(last, of_unknown_[unknown]);
    of_row_.push_back(last);
  }
}

}  // namespace mti::test
