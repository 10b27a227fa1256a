#pragma once

#include <string>
#include <vector>

#include "tests/program/simulation_run.hpp"

/// What a run did at an instant: the limits of its signals from both sides, jumps and impulses.
namespace mti::test {

/// Local errors of as many steps may add up; in units of rtol (1 + |value|) where atol = rtol.
constexpr double steps_that_add_up = 50.0;
[[nodiscard]] inline double error_bound(double rtol, double size = 0.0) {
  return steps_that_add_up * rtol * (1.0 + std::abs(size));
}

/// A restart is algebra at the run's own left limit.
constexpr double restart_accuracy = 1e-9, conservation_accuracy = 1e-12;

/// rtol = atol of the runs.
constexpr double accuracies[] = {1e-6, 1e-8, 1e-10};

using Names = std::vector<std::string>;

/// One entry of events.json with its two rows of trajectory.csv.
class Instant {
 public:
  Instant(const SimulationRun& run, const nlohmann::json& event);

  [[nodiscard]] double time() const { return event_.at("time").get<double>(); }
  [[nodiscard]] std::string kind() const { return event_.at("kind").get<std::string>(); }
  /// Limits of a signal; of a state that jumped, what the event says.
  [[nodiscard]] double before(const std::string& name) const;
  [[nodiscard]] double after(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> jumped() const;
  [[nodiscard]] std::vector<std::string> impulsive() const;
  /// Of the impulse; 0 for a signal without one.
  [[nodiscard]] double weight(const std::string& name) const;
  [[nodiscard]] double order(const std::string& name) const;
  /// The new value of a binary that changed; throws if it did not.
  [[nodiscard]] int changed_to(const std::string& name) const;
  [[nodiscard]] const nlohmann::json& event() const { return event_; }

 private:
  const SimulationRun* run_;
  nlohmann::json event_;
  SimulationRun::Row before_, after_;
};

/// The events of a run in their order.
[[nodiscard]] std::vector<Instant> instants(const SimulationRun& run);

/// A model file of tests/cases.
[[nodiscard]] nlohmann::json case_model(const std::string& name);

/// What tests/cases/reference holds of it.
[[nodiscard]] nlohmann::json reference_of(const std::string& name);

/// Runs to its stop time without a word, or fails.
[[nodiscard]] SimulationRun completed(const nlohmann::json& model, double rtol);

/// What a refused run leaves: exit status 3 and the outcome; its message must hold all of `names`.
void expect_refused(const SimulationRun& run, const std::string& outcome,
                    const std::vector<std::string>& names);

void set_start(nlohmann::json& model, const std::string& signal, double value);
void set_equation(nlohmann::json& model, const std::string& name, const std::string& text);
/// The table of an input; `time` ascending.
void set_table(nlohmann::json& model, const std::string& input, const std::vector<double>& time,
               const std::vector<double>& value);

}  // namespace mti::test
