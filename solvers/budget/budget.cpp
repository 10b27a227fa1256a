#include "solvers/budget/budget.hpp"

#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

thread_local const Budget* watched = nullptr;

}  // namespace

double Budget::seconds() const {
  return used_ + (runs_ ? std::chrono::duration<double>(Clock::now() - begun_).count() : 0.0);
}

void Budget::pause() {
  used_ = seconds();
  runs_ = false;
}

void Budget::go_on() {
  used_ = seconds();
  begun_ = Clock::now();
  runs_ = true;
}

BudgetWatch::BudgetWatch(const Budget& budget) : before_(watched) { watched = &budget; }

BudgetWatch::~BudgetWatch() { watched = before_; }

bool budget_is_over() { return watched != nullptr && watched->is_over(); }

void check_budget() {
  if (budget_is_over()) throw BudgetEnded{};
}

}  // namespace mti
