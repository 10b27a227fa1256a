#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvers/simulation/simulate.hpp"

namespace mti::test {

/// MathML of a formula in the usual notation: + - * / ^, names, numbers, calls by the names of MathML (`gt(a, b)`,
/// `piecewise(a, C, b)`); `time`, `avogadro`, `pi`, `exponentiale`, `true`, `false`, `delay(a, b)`, `rateOf(a)` are the
/// symbols of SBML, and any other call is one of a function definition. Of blanks alone nothing: no `math`.
[[nodiscard]] std::string math(const std::string& formula);

/// A file of SBML, list by list. Without a compartment a species is in `C`.
class SbmlModel {
 public:
  explicit SbmlModel(int level = 3, int version = 2) : level_(level), version_(version) {}

  SbmlModel& compartment(const std::string& id, const std::string& attributes = "size='1'",
                         bool constant = true);
  SbmlModel& species(const std::string& id, const std::string& attributes, bool only_substance = false,
                     const std::string& compartment = "C");
  SbmlModel& parameter(const std::string& id, const std::string& value, bool constant = true);
  SbmlModel& function(const std::string& id, const std::vector<std::string>& arguments,
                      const std::string& body);
  SbmlModel& initial(const std::string& id, const std::string& formula);
  SbmlModel& assignment(const std::string& id, const std::string& formula);
  SbmlModel& rate(const std::string& id, const std::string& formula);
  SbmlModel& algebraic(const std::string& formula);
  /// Sides as "S1 + 2 S2", or as elements where they begin with "<".
  SbmlModel& reaction(const std::string& id, const std::string& from, const std::string& to,
                      const std::string& law,
                      const std::vector<std::pair<std::string, std::string>>& local = {});
  /// Of level 3 version 1.
  SbmlModel& fast_reaction(const std::string& id, const std::string& from, const std::string& to,
                           const std::string& law);
  struct EventForm {
    std::string delay = {}, priority = {};
    bool initial_value = true, persistent = true, values_of_trigger_time = true;
  };
  SbmlModel& event(const std::string& id, const std::string& trigger,
                   const std::vector<std::pair<std::string, std::string>>& assignments,
                   const EventForm& form);
  SbmlModel& event(const std::string& id, const std::string& trigger,
                   const std::vector<std::pair<std::string, std::string>>& assignments) {
    return event(id, trigger, assignments, EventForm());
  }
  SbmlModel& constraint(const std::string& formula);
  /// Attributes of the model, such as conversionFactor='f'.
  SbmlModel& attributes(const std::string& text) {
    attributes_ = text;
    return *this;
  }

  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string side(const std::string& name, const std::string& side) const;

  int level_, version_;
  std::string attributes_, functions_, compartments_, species_, parameters_, initial_, rules_, constraints_,
      reactions_, events_;
};

/// A run of a file of SBML that has kept every signal as a function of time.
class SbmlRun {
 public:
  SbmlRun(const std::string& text, double stop, double rtol = 1e-9);
  SbmlRun(const SbmlModel& model, double stop, double rtol = 1e-9) : SbmlRun(model.text(), stop, rtol) {}

  /// A signal behind what happens at that time.
  [[nodiscard]] double operator()(const std::string& name, double time) const;
  [[nodiscard]] const Outcome& outcome() const { return trajectory_.outcome; }
  [[nodiscard]] const Trajectory& trajectory() const { return trajectory_; }

 private:
  Trajectory trajectory_;
};

/// What is refused: "id pointer" of each fault, or nothing.
[[nodiscard]] std::vector<std::string> refusals_of(const std::string& text);

}  // namespace mti::test
