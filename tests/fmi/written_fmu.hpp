#pragma once

#include <string>
#include <utility>

#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {

/// An FMU of a model that a test has as its text.
class WrittenFmu {
 public:
  explicit WrittenFmu(const std::string& text, fmi::ExportOptions options = {},
                      const std::string& name = "model.json")
      : fmu(directory_.write(name, text), std::move(options)) {}

 private:
  TemporaryDirectory directory_;

 public:
  const UnpackedFmu fmu;
};

/// For Model Exchange as well.
class ExchangedFmu : public WrittenFmu {
 public:
  explicit ExchangedFmu(const std::string& text) : WrittenFmu(text, {.model_exchange = true}) {}
};

}  // namespace mti::test
