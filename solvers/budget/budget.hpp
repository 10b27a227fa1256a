#pragma once

#include <chrono>
#include <limits>
#include <stop_token>
#include <utility>

namespace mti {

/// What long work may take: `seconds` by the wall clock from its construction on, without what passes between pause()
/// and go_on(), and no longer than until a stop is requested.
class Budget {
 public:
  Budget(double seconds, std::stop_token stop) : limit_(seconds), stop_(std::move(stop)) {}

  [[nodiscard]] bool stop_requested() const noexcept { return stop_.stop_requested(); }
  /// Without a limit the clock, which is what a look costs, is not read.
  [[nodiscard]] bool time_is_over() const {
    return limit_ < std::numeric_limits<double>::infinity() && seconds() > limit_;
  }
  [[nodiscard]] bool is_over() const { return stop_requested() || time_is_over(); }
  [[nodiscard]] double seconds() const;  ///< used so far

  void pause();
  void go_on();

 private:
  using Clock = std::chrono::steady_clock;
  double limit_;
  std::stop_token stop_;
  Clock::time_point begun_ = Clock::now();
  double used_ = 0.0;  ///< before then
  bool runs_ = true;
};

/// While it lives, check_budget() (solvers/budget/check_budget.hpp) on this thread is about `budget`.
class BudgetWatch {
 public:
  explicit BudgetWatch(const Budget& budget);
  ~BudgetWatch();
  BudgetWatch(const BudgetWatch&) = delete;
  BudgetWatch& operator=(const BudgetWatch&) = delete;

 private:
  const Budget* before_;
};

}  // namespace mti
