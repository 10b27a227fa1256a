#pragma once

#include <string_view>

namespace mti::sbml {

/// Elements may stand in each other so deep: the libraries that read the file call themselves for each level.
inline constexpr int deepest_element = 600;

/// Looks at the text of a file before libsbml reads it. Errors: InvalidModel,
///  * id `sbml-format`: no XML in UTF-8, or elements nested deeper than deepest_element;
///  * id `sbml-doctype`: a document type declaration, whose entities could stand for any amount of text and for other files;
///  * id `sbml-package`: an extension that changes what the model means (`required="true"`).
void check_text(std::string_view text);

}  // namespace mti::sbml
