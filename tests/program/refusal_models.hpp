#pragma once

#include <nlohmann/json.hpp>

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace mti::test {

/// A model whose run has to end at `time` with an outcome that says why, and what mends it.
struct RefusedModel {
  std::string name;
  std::string kind;  ///< the class of the fault: "singular mode", …
  double time = 1.0;
  std::set<std::string> outcomes;
  std::vector<std::string> named;  ///< equations and signals that the message has to name
  nlohmann::json model, repaired;
};

/// What Google Test prints of one.
inline void PrintTo(const RefusedModel& refused, std::ostream* out) { *out << refused.name; }

[[nodiscard]] std::vector<RefusedModel> singular_modes();
[[nodiscard]] std::vector<RefusedModel> contradictory_constraints();
[[nodiscard]] std::vector<RefusedModel> undetermined_restarts_and_laws();
[[nodiscard]] std::vector<RefusedModel> jumping_coefficients();
[[nodiscard]] std::vector<RefusedModel> orders_above_one();
[[nodiscard]] std::vector<RefusedModel> contradictory_laws();
[[nodiscard]] std::vector<RefusedModel> all_refused_models();

/// The model from its members without format, version, inputs and experiment: with the binary input `p` that
/// becomes 1 at t = 1, and stop 2. `repair` is a JSON patch (RFC 6902).
[[nodiscard]] RefusedModel refused(std::string name, std::string kind, double time,
                                   std::set<std::string> outcomes, std::vector<std::string> named,
                                   const char* members, const char* repair);

}  // namespace mti::test
