#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace mti {

/// One thing that is wrong with a model, an option or a file.
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

/// What every refusal has in common: all faults that were found, at least one. Its types below say what was
/// refused.
class FaultError : public std::runtime_error {
 public:
  explicit FaultError(std::vector<Fault> faults);
  FaultError(std::string id, std::string pointer, std::string message);

  [[nodiscard]] const std::vector<Fault>& faults() const noexcept { return faults_; }

 private:
  std::vector<Fault> faults_;
};

/// A model that cannot be built, or that has not what is asked of it: no state space form, no consistent point
/// in a mode.
class InvalidModel : public FaultError {
 public:
  using FaultError::FaultError;
};

/// An option or argument that is not usable, by itself or for the model it is given with.
class InvalidOption : public FaultError {
 public:
  using FaultError::FaultError;
};

/// A file that cannot be read or written, or is not of its format: MAT files, folders of results.
class UnusableFile : public FaultError {
 public:
  using FaultError::FaultError;
};

/// A time that a run was to reach, and did not.
class NotReached : public FaultError {
 public:
  using FaultError::FaultError;
};

}  // namespace mti
