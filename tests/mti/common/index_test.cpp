#include "mti/common/index.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_map>

namespace mti {
namespace index_test {
namespace {

static_assert(sizeof(SignalRow) == sizeof(int) && std::is_trivially_copyable_v<SignalRow>);
static_assert(!std::is_convertible_v<int, SignalRow> && !std::is_convertible_v<SignalRow, int>);
static_assert(!std::is_constructible_v<SignalRow, EquationRow>);
static_assert(!std::is_invocable_v<std::equal_to<>, SignalRow, EquationRow>);

template <class List, class Subscript>
concept has_entry_at = requires(const List& list, Subscript subscript) {
  list[subscript];
};
static_assert(has_entry_at<Indexed<SignalRow, double>, SignalRow>);
static_assert(!has_entry_at<Indexed<SignalRow, double>, EquationRow>);
static_assert(!has_entry_at<Indexed<SignalRow, double>, int>);
static_assert(!has_entry_at<IndexedSpan<SignalRow, double>, EquationRow>);

TEST(Index, without_a_number_it_is_no_position_and_comes_before_all) {
  EXPECT_FALSE(SignalRow().exists());
  EXPECT_TRUE(SignalRow(0).exists());
  EXPECT_LT(SignalRow(), SignalRow(0));
  EXPECT_LT(SignalRow(0), SignalRow(1));
}

TEST(Index, a_list_gives_the_positions_of_its_entries_in_order) {
  Indexed<SignalRow, int> squares;
  for (const SignalRow row : indices<SignalRow>(4)) EXPECT_EQ(squares.append(row.value() * row.value()), row);
  int expected = 0;
  for (const SignalRow row : squares.indices()) EXPECT_EQ(row.value(), expected++);
  EXPECT_EQ(expected, squares.size());
  EXPECT_EQ(squares.list(), (std::vector<int>{0, 1, 4, 9}));
}

TEST(Index, a_plain_list_can_be_read_by_what_its_places_mean) {
  const std::vector<double> values = {0.5, 0.25};
  const IndexedSpan<EquationRow, double> of_equation(values);
  EXPECT_EQ(of_equation[EquationRow(1)], 0.25);
  EXPECT_EQ(of_equation.size(), 2);
  const std::vector<EquationRow> backwards = {EquationRow(1), EquationRow(0)};
  EXPECT_EQ(of_equation.select(backwards), (std::vector<double>{0.25, 0.5}));
}

TEST(Index, is_a_key) {
  std::unordered_map<EquationRow, int> times;
  ++times[EquationRow(7)];
  ++times[EquationRow(7)];
  EXPECT_EQ(times.at(EquationRow(7)), 2);
}

TEST(Index, lists_of_numbers_become_positions_and_back_where_that_is_written) {
  const std::vector<SignalRow> rows = positions<SignalRow>(std::vector{2, 0});
  EXPECT_EQ(rows, (std::vector{SignalRow(2), SignalRow(0)}));
  EXPECT_EQ(values(rows), (std::vector{2, 0}));
}

}  // namespace
}  // namespace index_test
}  // namespace mti
