#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/reach.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/model.hpp"
#include "mti/source/overrides.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// Reads the text of a model file, format "mti-model", version 1 (docs/model-format.md).
///
/// Paths of csv inputs and of components' models are relative to `directory`. A model made of components is
/// put together as one source (mti/components/flatten.hpp). Names, expressions and sizes are not looked at
/// here but when the model is built (mti/build/build.hpp). Errors: InvalidModel with *every* fault that could be
/// found, each with its JSON pointer; docs/errors.md lists the ids.
[[nodiscard]] Source read_source(std::string_view json_text, const std::filesystem::path& directory = {},
                                 Reach reach = Reach::anywhere, InputFiles* inputs = nullptr);

/// The same from a file; "-" is standard input, a name that ends in .mat a MAT file (io/mat/exchange.hpp), one in .mo or
/// .bmo a flat Modelica model (docs/modelica.md), of whose faults the pointers are lines and columns, one in .xml or .sbml
/// a file of SBML (io/kinetics/read_sbml.hpp). All files that are read, csv inputs and components' models among them, are
/// noted in `inputs`, here and below, if that is given.
[[nodiscard]] Source read_source_file(const std::filesystem::path& path, Reach reach = Reach::anywhere,
                                      InputFiles* inputs = nullptr);

/// Reads and builds a model, as read_source_file() does. The parameters of a MAT file have no effect on its
/// matrices, so that they are none of the model. Faults of the text and of its meaning in one InvalidModel.
[[nodiscard]] Model read_model(const std::filesystem::path& path, const Overrides& overrides = {},
                               Reach reach = Reach::anywhere, InputFiles* inputs = nullptr);

struct ModelReading;

/// A model as it was read: what is made of it later looks at no file again, which may be another by then. Copies share
/// what was read; threads may too.
class ReadModel {
 public:
  /// Reads as read_source_file() and read_source() do; faults are told when a model is built.
  [[nodiscard]] static ReadModel of_file(const std::filesystem::path& path, Reach reach = Reach::anywhere,
                                         InputFiles* inputs = nullptr);
  [[nodiscard]] static ReadModel of_text(std::string_view json_text,
                                         const std::filesystem::path& directory = {},
                                         Reach reach = Reach::anywhere);

  /// As read_model() does.
  [[nodiscard]] Model model(const Overrides& overrides = {}) const;
  /// As read_model_with_derivatives() does.
  [[nodiscard]] DifferentiatedModel with_derivatives(const std::vector<std::string>& names,
                                                     const Overrides& overrides = {}) const;
  /// One source, with the values of `overrides`, of which the same model is built. Errors: those of model().
  [[nodiscard]] Source source(const Overrides& overrides = {}) const;
  /// Conditions of parameters that decided what was read of a model in Modelica: with values that change one of them
  /// model() throws. Of models in other formats there are none.
  [[nodiscard]] std::vector<std::string> premises() const;
  /// Start values in source() depend on values that have been set (with_settled_start): with others they are others.
  [[nodiscard]] bool settles_start() const;

 private:
  explicit ReadModel(std::shared_ptr<const ModelReading> reading);

  std::shared_ptr<const ModelReading> reading_;
};

/// A model as written and as built from it.
struct SourceAndModel {
  Source source;
  Model model;
};
[[nodiscard]] SourceAndModel read_source_and_model(const std::filesystem::path& path,
                                                   Reach reach = Reach::anywhere,
                                                   InputFiles* inputs = nullptr);

/// The same from a text.
[[nodiscard]] Model read_model_text(std::string_view json_text, const std::filesystem::path& directory = {},
                                    const Overrides& overrides = {}, Reach reach = Reach::anywhere);

/// Reads and builds a model with derivatives with respect to `names` (mti/derivatives/parameter_derivative.hpp), at the values
/// that `overrides` give. Errors: those of read_model(), and InvalidOption where there is no derivative.
[[nodiscard]] DifferentiatedModel read_model_with_derivatives(const std::filesystem::path& path,
                                                              const std::vector<std::string>& names,
                                                              const Overrides& overrides = {},
                                                              Reach reach = Reach::anywhere,
                                                              InputFiles* inputs = nullptr);

/// The same from a text.
[[nodiscard]] DifferentiatedModel read_model_text_with_derivatives(
    std::string_view json_text, const std::vector<std::string>& names,
    const std::filesystem::path& directory = {}, const Overrides& overrides = {},
    Reach reach = Reach::anywhere);

}  // namespace mti
