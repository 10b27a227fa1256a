#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

namespace mti::python {

/// A function of Python that is told of the progress of some work, in the threads of that work. What it raises ends the
/// work, which keeps what it has.
class ToldProgress {
 public:
  /// `progress` is None if nobody wants to know.
  explicit ToldProgress(pybind11::object progress) : progress_(std::move(progress)) {}

  [[nodiscard]] bool is_wanted() const { return !progress_.is_none(); }
  template <class... Values>
  void operator()(const Values&... values) {
    const pybind11::gil_scoped_acquire locked;
    if (raised_) return;
    try {
      progress_(values...);
    } catch (pybind11::error_already_set& raised) {
      raised_.emplace(std::move(raised));
      stop_.request_stop();
    }
  }

  /// What the work is stopped by, and for as long as the result lives by `other` as well.
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  [[nodiscard]] std::stop_callback<std::function<void()>> ends_with(const std::stop_token& other) {
    return std::stop_callback<std::function<void()>>(other, [this] { stop_.request_stop(); });
  }

  /// What the function has raised. With the lock held.
  [[nodiscard]] std::optional<pybind11::error_already_set> raised() { return std::move(raised_); }

 private:
  pybind11::object progress_;
  std::stop_source stop_;
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace mti::python
