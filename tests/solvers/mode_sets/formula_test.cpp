#include "solvers/mode_sets/formula.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/solvers/mode_sets/random_mode_set.hpp"

namespace mti {
namespace formula_test {

/// A formula as it is read: sums of products of operands, which are variables or sums, perhaps negated.
struct Operand {
  bool negated = false;
  int variable = -1;
  std::vector<std::vector<Operand>> sum;  ///< where it is no variable
};
using Sum = std::vector<std::vector<Operand>>;

std::string name(int variable) { return std::string(1, static_cast<char>('a' + variable)); }

/// Reads `not` before `and` before `or`, and parentheses, as the model format does.
class Reader {
 public:
  explicit Reader(const std::string& text) {
    std::string spaced;
    for (const char c : text) {
      spaced += c == '(' || c == ')' ? std::string{' ', c, ' '} : std::string{c};
    }
    std::istringstream stream(spaced);
    for (std::string word; stream >> word;) words_.push_back(word);
  }

  Sum whole() {
    Sum read = sum();
    if (next_ != words_.size()) throw std::runtime_error("text after the end");
    return read;
  }

 private:
  Sum sum() {
    Sum read;
    do read.push_back(product());
    while (skip("or"));
    return read;
  }
  std::vector<Operand> product() {
    std::vector<Operand> read;
    do read.push_back(operand());
    while (skip("and"));
    return read;
  }
  Operand operand() {
    Operand read;
    while (skip("not")) read.negated = !read.negated;
    if (skip("(")) {
      read.sum = sum();
      if (!skip(")")) throw std::runtime_error("no closing parenthesis");
      return read;
    }
    const std::string& word = words_.at(next_++);
    if (word.size() != 1 || word[0] < 'a' || word[0] > 'j') throw std::runtime_error("no name: " + word);
    read.variable = word[0] - 'a';
    return read;
  }
  bool skip(const std::string& word) {
    if (next_ == words_.size() || words_[next_] != word) return false;
    ++next_;
    return true;
  }

  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

/// The truth table, and with `left_out` that of the formula without one product or operand.
ModeTable table_of(const Sum& sum, const void* left_out = nullptr) {
  ModeTable any;
  for (const auto& product : sum) {
    if (&product == left_out) continue;
    ModeTable every = ~ModeTable();
    for (const Operand& operand : product) {
      if (&operand == left_out) continue;
      const ModeTable table =
          operand.variable >= 0 ? table_where(operand.variable) : table_of(operand.sum, left_out);
      every &= operand.negated ? ~table : table;
    }
    any |= every;
  }
  return any;
}

/// All products and operands.
void collect(const Sum& sum, std::vector<const void*>& parts) {
  for (const auto& product : sum) {
    parts.push_back(&product);
    for (const Operand& operand : product) {
      parts.push_back(&operand);
      collect(operand.sum, parts);
    }
  }
}

/// Parts that can be left out without changing the formula inside `care`.
int redundant_parts(const Sum& sum, const ModeTable& care) {
  const ModeTable table = table_of(sum);
  std::vector<const void*> parts;
  collect(sum, parts);
  return static_cast<int>(std::ranges::count_if(
      parts, [&](const void* part) { return ((table_of(sum, part) ^ table) & care).none(); }));
}

ModeSet v(int variable) { return ModeSet::where(variable); }

std::string plain(const ModeSet& set) { return formula(set, ModeSet::all(), name); }

/// Checks text against truth tables; whether it is a product with a sum among its factors.
bool check(const Pair& set, const Pair& care) {
  const std::string text = formula(set.set, care.set, name);
  if ((~set.table & care.table).none() || (set.table & care.table).none()) {
    EXPECT_EQ(text, (set.table & care.table).none() ? "false" : "true");
    return false;
  }
  const Sum sum = Reader(text).whole();
  EXPECT_EQ(table_of(sum) & care.table, set.table & care.table) << text;
  EXPECT_EQ(redundant_parts(sum, care.table), 0) << text;
  EXPECT_EQ(formula(set.set, care.set, name), text);
  return sum.size() == 1 && sum[0].size() > 1 &&
         std::ranges::any_of(sum[0], [](const Operand& operand) { return !operand.sum.empty(); });
}

TEST(Formula, ReaderSeesWhatIsRedundant) {
  const ModeTable everywhere = ~ModeTable();
  EXPECT_EQ(redundant_parts(Reader("a and b or not a").whole(), everywhere), 1);  // the second a
  EXPECT_EQ(redundant_parts(Reader("a or a and b").whole(), everywhere), 2);      // the product, its b
  EXPECT_EQ(redundant_parts(Reader("not (a and b)").whole(), everywhere), 0);
  EXPECT_EQ(redundant_parts(Reader("not (a and b)").whole(), table_where(0)), 1);  // a
  EXPECT_EQ(table_of(Reader("not a and b or c").whole()),
            (~table_where(0) & table_where(1)) | table_where(2));
}

TEST(Formula, WritesExamples) {
  EXPECT_EQ(plain(ModeSet::all()), "true");
  EXPECT_EQ(plain(ModeSet::none()), "false");
  EXPECT_EQ(plain(v(3)), "d");
  EXPECT_EQ(plain(!v(3)), "not d");
  EXPECT_EQ(plain((v(0) - v(1)) | v(2)), "a and not b or c");
  EXPECT_EQ(plain(!(v(0) & v(1))), "not (a and b)");
  EXPECT_EQ(plain((v(0) | v(1)) & (v(2) | v(3))), "(a or b) and (c or d)");
  EXPECT_EQ(plain((v(0) | v(2)) & (v(1) | v(3))), "(a or c) and (b or d)");
  EXPECT_EQ(plain(v(1) & (v(0) | v(2))), "(a or c) and b");
  EXPECT_EQ(plain((!(v(0) & v(1))) & (!(v(2) & v(3)))), "not (a and b or c and d)");
  EXPECT_EQ(plain((v(0) - v(1)) | (v(1) - v(0))), "a and not b or not a and b");
  EXPECT_EQ(plain(!((v(0) & v(1)) | (v(0) & v(2)) | (v(1) & v(2)))).substr(0, 5), "not (");
}

TEST(Formula, LeavesAloneWhatDoesNotMatter) {
  const ModeSet care = !(v(0) & v(1));
  EXPECT_EQ(formula(care, care, name), "true");
  EXPECT_EQ(formula(v(0) & v(1), care, name), "false");
  EXPECT_EQ(formula(v(0) - v(1), care, name), "a");
  EXPECT_EQ(formula((v(0) - v(1)) | (v(1) - v(0)), care, name), "a or b");
  EXPECT_EQ(formula(v(0), ModeSet::none(), name), "true");
}

TEST(Formula, IsRightAndIrredundant) {
  std::mt19937 random(1);
  const Pair all = {ModeSet::all(), ~ModeTable()};
  for (int trial = 0; trial < 1500; ++trial) {
    const int variables = 2 + trial % 7;
    const Pair set = random_pair(random, variables, 3 + trial % 3);
    check(set, all);
    const Pair care = random_pair(random, variables, 2 + trial % 3);
    if (!care.set.empty()) check(set, care);
  }
}

TEST(Formula, WritesProductsOfIndependentSets) {
  std::mt19937 random(2);
  int products = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    // Two sets of three variables each, mixed; the care set may couple them.
    std::array<int, 6> order = {0, 1, 2, 3, 4, 5};
    std::ranges::shuffle(order, random);
    Pair set = {ModeSet::all(), ~ModeTable()};
    for (int half = 0; half < 2; ++half) {
      Pair sum;
      for (int k = 0; k < 3; ++k) {
        const int variable = order[at(3 * half + k)];
        const bool negated = random() % 3 == 0;
        const ModeTable table = table_where(variable);
        sum.set |= negated ? !v(variable) : v(variable);
        sum.table |= negated ? ~table : table;
      }
      set = {set.set & sum.set, set.table & sum.table};
    }
    const Pair care =
        trial % 3 == 0 ? Pair{ModeSet::all(), ~ModeTable()} : random_pair(random, 6, 2 + trial % 3);
    if (!care.set.empty()) products += check(set, care) ? 1 : 0;
  }
  EXPECT_GT(products, 500);
}

TEST(Formula, IsTheShorterOfSumAndNegatedSum) {
  // At least two of five: 10 products of 2; its complement, at most one: 5 products of 4.
  const auto at_least = [](int wanted) {
    std::vector<ModeSet> reached(at(wanted) + 1);
    reached[0] = ModeSet::all();
    for (int variable = 0; variable < 5; ++variable) {
      for (auto k = at(wanted); k > 0; --k) reached[k] |= reached[k - 1] & v(variable);
    }
    return reached.back();
  };
  const auto products = [](const Sum& sum) { return sum.size() == 1 ? sum[0][0].sum.size() : sum.size(); };
  EXPECT_EQ(products(Reader(plain(at_least(2))).whole()), 10U);
  EXPECT_FALSE(plain(at_least(2)).starts_with("not ("));
  // At most one of five: its complement has the 10 products of 2.
  EXPECT_TRUE(plain(!at_least(2)).starts_with("not ("));
  EXPECT_EQ(products(Reader(plain(!at_least(2))).whole()), 10U);
}

TEST(Formula, NamesTheSizeOfWhatIsTooLong) {
  ModeSet parity;
  for (int k = 0; k < 16; ++k) parity = (parity - v(k)) | (v(k) - parity);  // 2^15 products, 31 nodes
  EXPECT_EQ(plain(parity), "<diagram of 31 nodes>");
  EXPECT_EQ(formula(v(0) | v(1) | v(2), ModeSet::all(), name, 1), "not (not a and not b and not c)");
  EXPECT_EQ(formula((v(0) - v(1)) | (v(1) - v(0)), ModeSet::all(), name, 1), "<diagram of 3 nodes>");
}

TEST(Formula, IsWrittenForManyVariables) {
  const VariableName number = [](int variable) { return "x" + std::to_string(variable); };
  ModeSet product = ModeSet::all();
  for (int k = 999; k >= 0; --k) product &= !(v(2 * k) & v(2 * k + 1));
  EXPECT_EQ(formula(product, ModeSet::all(), number), "<diagram of 2000 nodes>");
  EXPECT_TRUE(formula(product, ModeSet::all(), number, 1000).starts_with("not (x0 and x1 or x2 and x3 or "));
  // Inside a large set that does not touch it, and beside what does.
  EXPECT_EQ(formula(v(6) & v(8) & product, product, number), "x6 and x8");
  EXPECT_EQ(formula((v(6) | v(7)) & (v(8) | v(9)), product, number), "(x6 or x7) and (x8 or x9)");
}

}  // namespace formula_test
}  // namespace mti
