#include "mti/model/boolean.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mti/build/boolean_text.hpp"
#include "mti/build/build.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace boolean_test {

/// A model with three binaries a, b, c and one binary input d.
Source with_invariant(const std::string& text) {
  Source source = test::decay_source();
  source.binaries = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  source.inputs = {{.name = "d", .form = Number(0.0), .binary = true}};
  source.invariants = {text};
  return source;
}

/// Values of the formula for all 16 assignments; bit i of an assignment is the value of names[i].
std::vector<bool> truth_table(const std::string& text) {
  const Model model = build(with_invariant(text));
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  std::vector<bool> table;
  for (unsigned assignment = 0; assignment < 16U; ++assignment)
    table.push_back(model.invariants.at(0).evaluate([&](int row) {
      for (unsigned i = 0; i < 4U; ++i)
        if (model.signature.find(names[i]) == row) return (assignment >> i & 1U) != 0U;
      ADD_FAILURE() << "row " << row << " is none of the variables";
      return false;
    }));
  return table;
}

template <typename Formula>
std::vector<bool> expected(Formula formula) {
  std::vector<bool> table;
  for (unsigned n = 0; n < 16U; ++n)
    table.push_back(formula((n & 1U) != 0U, (n & 2U) != 0U, (n & 4U) != 0U, (n & 8U) != 0U));
  return table;
}

TEST(Boolean, HasTheTruthTablesOfItsOperators) {
  EXPECT_EQ(truth_table("a"), expected([](bool a, bool, bool, bool) { return a; }));
  EXPECT_EQ(truth_table("not (a and b)"), expected([](bool a, bool b, bool, bool) { return !(a && b); }));
  EXPECT_EQ(truth_table("not a and b"), expected([](bool a, bool b, bool, bool) { return !a && b; }));
  EXPECT_EQ(truth_table("a or b and c"),
            expected([](bool a, bool b, bool c, bool) { return a || (b && c); }));
  EXPECT_EQ(truth_table("(a or b) and c"),
            expected([](bool a, bool b, bool c, bool) { return (a || b) && c; }));
  EXPECT_EQ(truth_table("not not a or false"), expected([](bool a, bool, bool, bool) { return a; }));
  EXPECT_EQ(truth_table("true and not d"), expected([](bool, bool, bool, bool d) { return !d; }));
  EXPECT_EQ(truth_table("a and b or c and d"),
            expected([](bool a, bool b, bool c, bool d) { return (a && b) || (c && d); }));
}

TEST(Boolean, KeepsItsText) { EXPECT_EQ(build(with_invariant("not  a")).invariants.at(0).text, "not  a"); }

TEST(Boolean, ReadsNamesThatBeginLikeKeywords) {
  Source source = with_invariant("not nota or order.and_");
  source.binaries = {{"nota", 0.0}, {"order.and_", 0.0}};
  const Model model = build(source);
  EXPECT_TRUE(model.invariants.at(0).evaluate([](int) { return false; }));
  EXPECT_FALSE(model.invariants.at(0).evaluate([&](int row) { return row == model.signature.find("nota"); }));
}

TEST(Boolean, PointsAtWhatIsWrong) {
  std::string message;
  EXPECT_EQ(test::faults_of(with_invariant("a and e"), &message),
            (std::vector<std::pair<std::string, std::string>>{{"unknown-name", "/invariants/0"}}));
  EXPECT_NE(message.find("column 7: unknown name e"), std::string::npos) << message;
  EXPECT_EQ(test::faults_of(with_invariant("a and x")).at(0).first, "not-a-binary");
  EXPECT_EQ(test::faults_of(with_invariant("a b"), &message).at(0).first, "syntax-error");
  EXPECT_NE(message.find("column 3: expected 'and', 'or' or the end of the text, found 'b'"),
            std::string::npos)
      << message;
  EXPECT_EQ(test::faults_of(with_invariant("a and")).at(0).first, "syntax-error");
}

TEST(ParseFormula, ReadsWhatAnInvariantIs) {
  for (const char* text : {"a", "not (a and b) or  d", "true and not c", "false"})
    EXPECT_EQ(parse_formula(build(with_invariant("a or not a")), text),
              build(with_invariant(text)).invariants.at(0));
}

/// (id, message) of every fault; none if the formula is one.
std::vector<std::pair<std::string, std::string>> formula_faults(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> result;
  try {
    static_cast<void>(parse_formula(build(with_invariant("a or not a")), text));
  } catch (const InvalidOption& invalid) {
    for (const Fault& fault : invalid.faults()) {
      EXPECT_EQ(fault.pointer, "");
      result.emplace_back(fault.id, fault.message);
    }
  }
  return result;
}

TEST(ParseFormula, SaysEverythingThatIsWrong) {
  using Found = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(formula_faults("a and d"), Found{});
  EXPECT_EQ(
      formula_faults("a1 and x"),
      (Found{{"unknown-name", "column 1: unknown name a1, did you mean a?"},
             {"not-a-binary",
              "column 8: only binaries and binary inputs can stand in a formula; x is declared as state"}}));
  for (const char* text : {"", "a and", "a b", "(a"}) {
    const Found found = formula_faults(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].first, "syntax-error") << text;
  }
}

}  // namespace boolean_test
}  // namespace mti
