#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/json/text_places.hpp"
#include "mti/common/fault.hpp"
#include "solvers/diagnosis/diagnosis.hpp"

namespace mti {

/// Where in the files of a model faults are, for editors.
class FaultPlaces {
 public:
  /// `file`: the model as it was named; `text`: what it holds, if it is no file that can be read again.
  explicit FaultPlaces(std::string file, std::optional<std::string> text = {});

  /// The file of the model, or that of the component where the fault is in one.
  [[nodiscard]] const std::string& file_of(const Fault& fault) const {
    return fault.file.empty() ? file_ : fault.file;
  }
  /// The first character of the value that the pointer names, or of the innermost value around it that is there. A fault
  /// within a text, or of a file that is no JSON, says the place at the beginning of its message: this one. Nothing where
  /// the file cannot be read or has no such places.
  [[nodiscard]] std::optional<json::TextPlace> place_of(const Fault& fault);

  /// The pointer to the first of a remark's equations, or else of its signals, that stands in the file of the model under
  /// that name; empty if there is none.
  [[nodiscard]] std::string pointer_of(const Remark& remark);

 private:
  using Pointers = std::map<std::string, std::string>;  ///< by name

  /// The places of a file; nothing if it cannot be read.
  std::optional<json::TextPlaces>& places_of(const std::string& file);
  [[nodiscard]] std::optional<std::string> text_of(const std::string& file) const;
  void read_names();

  std::string file_;
  std::optional<std::string> text_;
  std::map<std::string, std::optional<json::TextPlaces>> places_;
  bool names_are_read_ = false;
  Pointers equations_, signals_;
};

}  // namespace mti
