#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace mti {

/// Writes the page: the template with the files it names, the title and the data in their places.
void fill_template(std::ostream& out, const std::string& title, std::string_view data);

}  // namespace mti
