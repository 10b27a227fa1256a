#include "mti/common/fault.hpp"

#include <utility>

namespace mti {
namespace {

std::string summary(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    if (!text.empty()) text += '\n';
    if (!fault.file.empty()) text += fault.file + ":";
    text += fault.pointer + ": " + fault.id + ": " + fault.message;
  }
  return text;
}

}  // namespace

FaultError::FaultError(std::vector<Fault> faults)
    : std::runtime_error(summary(faults)), faults_(std::move(faults)) {}

FaultError::FaultError(std::string id, std::string pointer, std::string message)
    : FaultError(std::vector<Fault>{{std::move(id), std::move(pointer), std::move(message)}}) {}

}  // namespace mti
