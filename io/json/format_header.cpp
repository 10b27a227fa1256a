#include "io/json/format_header.hpp"

#include <string>

#include "mti/common/number.hpp"

namespace mti::json {

bool read_format(ObjectReader& document, std::string_view format, double version) {
  const std::size_t before = document.faults().size();
  document.require("format");
  if (const auto found = document.string("format"); found && *found != format)
    document.fault("unknown-format", document.pointer_to("format"),
                   "found " + in_quotes(*found) + ", expected " + in_quotes(format));
  document.require("version");
  if (const Value* found = document.find("version");
      found != nullptr && (found->number() == nullptr || *found->number() != version))
    document.fault(found->number() != nullptr ? "unknown-version" : "wrong-type",
                   document.pointer_to("version"),
                   "found " + describe(*found) + ", expected the number " + text::format_number(version));
  static_cast<void>(document.string("$schema"));  // for editors
  return document.faults().size() == before;
}

}  // namespace mti::json
