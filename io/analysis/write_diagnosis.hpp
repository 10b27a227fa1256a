#pragma once

#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"
#include "solvers/diagnosis/diagnosis.hpp"

namespace mti {

/// A diagnosis as a JSON object, "mti-check" version 1 (docs/errors.md, "mti check --json").
[[nodiscard]] std::string diagnosis_json(const Model& model, const Diagnosis& diagnosis);

/// The same of a file that holds no model: its faults are the errors.
[[nodiscard]] std::string faults_json(const std::vector<Fault>& faults);

}  // namespace mti
