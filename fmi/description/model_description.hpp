#pragma once

#include <string>
#include <vector>

#include "fmi/variables/variable.hpp"
#include "mti/model/model.hpp"

namespace mti::fmi {

enum class FmiVersion : int { two = 2, three = 3 };

struct Description {
  FmiVersion version = FmiVersion::three;
  std::string model_name = {};                        ///< as people read it
  std::string model_identifier = {};                  ///< name of the library: a C identifier
  std::string token = {};                             ///< instantiation_token()
  bool co_simulation = true, model_exchange = false;  ///< what it is for
};

/// modelDescription.xml, valid by the schemas of FMI 3.0 and 2.0.
[[nodiscard]] std::string model_description(const Model& model, const std::vector<Variable>& variables,
                                            const Description& description);

/// A C identifier that looks like `name`: other characters become underscores.
[[nodiscard]] std::string identifier_of(const std::string& name);

/// Where the library of an FMU stands in it: "binaries/x86_64-linux/NAME.so", for FMI 2.0 "binaries/linux64/NAME.so".
[[nodiscard]] std::string library_path(const Description& description);

}  // namespace mti::fmi
