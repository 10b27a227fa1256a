#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace mti {

/// One thing that is wrong with a model or a file.
///
/// `id` is stable across versions (docs/errors.md lists every id with an example), `pointer` is a JSON
/// pointer (RFC 6901) into the model document, `message` says what was found and what was expected. `file` is
/// the file of a component; empty: the document itself.
struct Fault {
  std::string id;
  std::string pointer;
  std::string message;
  std::string file = {};

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Thrown where a model cannot be built: carries every fault that was found, at least one.
class InvalidModel : public std::runtime_error {
 public:
  explicit InvalidModel(std::vector<Fault> faults);
  InvalidModel(std::string id, std::string pointer, std::string message);

  [[nodiscard]] const std::vector<Fault>& faults() const noexcept { return faults_; }

 private:
  std::vector<Fault> faults_;
};

}  // namespace mti
