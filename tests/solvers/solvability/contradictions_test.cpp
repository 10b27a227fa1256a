// Modes that structure calls regular and numbers exclude.
#include "solvers/solvability/contradictions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/diagnosis/diagnosis.hpp"

namespace mti {
namespace contradictions_test {

/// A number that depends on a binary: `off` where it is 0, `on` where it is 1.
struct Switched {
  int binary, off, on;

  [[nodiscard]] int in(unsigned mode) const {
    return (mode >> static_cast<unsigned>(binary) & 1U) != 0 ? on : off;
  }
  [[nodiscard]] std::string text() const {
    return "(" + std::to_string(off) + " + (" + std::to_string(on - off) + ")*z" + std::to_string(binary) +
           ")";
  }
};

long count_of(const Diagnosis& diagnosis, const std::string& id) {
  return std::ranges::count(diagnosis.remarks, id, &Remark::id);
}

/// A y = b with no zero in A, so that structure matches each row with an unknown, has a solution iff the rank of (A, b) is that of
/// A (Rouché, Capelli). Numbers are small integers, that depend on three binaries.
TEST(Contradictions, AreThoseOfRanks) {
  std::mt19937 generator(20261124);
  const auto number = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(generator);
  };
  constexpr int binaries = 3;
  constexpr unsigned modes = 1U << binaries;
  int with_contradictions = 0, without = 0, none_left = 0;
  for (int round = 0; round < 60; ++round) {
    const int size = number(2, 3);
    std::vector<std::vector<Switched>> rows;
    Source source;
    source.states = {{"x", 0.0}};
    source.equations = {"der(x) = 1"};
    for (int k = 0; k < binaries; ++k) source.binaries.push_back({"z" + std::to_string(k), 0.0});
    for (int i = 0; i < size; ++i) {
      source.algebraic.push_back({"y" + std::to_string(i)});
      std::vector<Switched>& row = rows.emplace_back();
      std::string text;
      for (int j = 0; j <= size; ++j) {
        row.push_back({number(0, binaries - 1), number(1, 2), number(1, 2)});
        text += j == size ? " = " + row.back().text()
                          : (j == 0 ? "" : " + ") + row.back().text() + "*y" + std::to_string(j);
      }
      source.equations.emplace_back(text);
    }
    unsigned solvable = 0;
    for (unsigned mode = 0; mode < modes; ++mode) {
      Eigen::MatrixXd matrix(size, size + 1);
      for (int i = 0; i < size; ++i)
        for (int j = 0; j <= size; ++j) matrix(i, j) = rows[at(i)][at(j)].in(mode);
      solvable += Eigen::FullPivLU<Eigen::MatrixXd>(matrix.leftCols(size)).rank() ==
                          Eigen::FullPivLU<Eigen::MatrixXd>(matrix).rank()
                      ? 1
                      : 0;
    }
    const Diagnosis diagnosis = diagnose(build(source));
    ASSERT_TRUE(diagnosis.modes);
    EXPECT_EQ(diagnosis.modes->solvable, std::to_string(solvable)) << "round " << round;
    EXPECT_EQ(count_of(diagnosis, "contradictory-equations") > 0, solvable < modes) << "round " << round;
    for (const Remark& remark : diagnosis.remarks) {
      if (remark.id != "contradictory-equations") continue;
      EXPECT_EQ(remark.is_error, solvable == 0) << remark.message;
    }
    ++(solvable == 0 ? none_left : solvable < modes ? with_contradictions : without);
  }
  EXPECT_GT(with_contradictions, 10);
  EXPECT_GT(without, 5);
}

/// A contradiction that one binary makes is found among any number of others: 2^41 modes, half of them contradicted.
TEST(Contradictions, AreFoundAmongManyModes) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"a"}, {"b"}};
  source.equations = {"der(x) = 1", {"one", "a + b = 1"}, {"two", "a + b + (1 - bad)*b = 2"}};
  for (int k = 0; k < 40; ++k) {
    const std::string z = "z" + std::to_string(k);
    source.binaries.push_back({z, 0.0});
    source.constraints.emplace_back("(1 - 2*" + z + ")*(x - " + std::to_string(k + 1) + ") <= 0");
  }
  source.binaries.push_back({"bad", 0.0});
  source.constraints.emplace_back("(1 - 2*bad)*(x - 100) <= 0");
  const Diagnosis diagnosis = diagnose(build(source));
  ASSERT_TRUE(diagnosis.modes);
  EXPECT_EQ(diagnosis.modes->all, "2199023255552");
  EXPECT_EQ(diagnosis.modes->solvable, "1099511627776");
  ASSERT_EQ(count_of(diagnosis, "contradictory-equations"), 1);
  const auto remark =
      std::ranges::find(diagnosis.remarks, std::string("contradictory-equations"), &Remark::id);
  EXPECT_EQ(remark->where, "bad");
  EXPECT_EQ(remark->equations, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(diagnosis.errors(), 0U);
}

}  // namespace contradictions_test
}  // namespace mti
