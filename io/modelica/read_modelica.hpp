#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/model/signature.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Whether a file is a text in Modelica, by its name: .mo or .bmo.
[[nodiscard]] bool is_modelica_file(const std::filesystem::path& path);

/// What parameters decided while a model was read: with other values, which --set may give, it would be another source.
struct ModelicaPremise {
  std::string condition;  ///< of parameters, 0 or 1
  bool value = true;
  Fault fault;  ///< what is wrong if it has another value
};

/// A flat Modelica model (docs/modelica.md) as a source, as far as it could be read.
struct ModelicaReading {
  Source source;
  std::vector<Fault> faults;                                     ///< pointers are "line:column"
  std::vector<std::pair<std::string, std::string>> places = {};  ///< "/equations/3" is at "12:5"
  std::vector<ModelicaPremise> premises = {};
};
[[nodiscard]] ModelicaReading read_modelica(std::string_view text);

/// Faults of building with line and column in the place of JSON pointers.
[[nodiscard]] std::vector<Fault> at_places(std::vector<Fault> faults, const ModelicaReading& reading);

/// The faults of premises that do not hold for the parameters of this source.
[[nodiscard]] std::vector<Fault> broken_premises(const ModelicaReading& reading, const Source& source);

/// Start values of binaries and algebraic signals as they are at a consistent start, where there are laws: what is true from
/// the start on does not become true there, so that a when-equation is not active, and what a law takes as a left limit at a
/// sample at the start is that of the model. Where there is no consistent start, the source as it is.
[[nodiscard]] Source with_settled_start(const Source& source);

}  // namespace mti
