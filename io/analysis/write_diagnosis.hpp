#pragma once

#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/model.hpp"
#include "solvers/diagnosis/diagnosis.hpp"

namespace mti {

class FaultPlaces;

/// A diagnosis as a JSON object, "mti-check" version 1 (docs/errors.md, "mti check --json"); with the places of remarks in
/// the file of the model, if that is given.
[[nodiscard]] std::string diagnosis_json(const Model& model, const Diagnosis& diagnosis,
                                         FaultPlaces* places = nullptr);

/// The same of a file that holds no model: its faults are the errors.
[[nodiscard]] std::string faults_json(const std::vector<Fault>& faults, FaultPlaces* places = nullptr);

}  // namespace mti
