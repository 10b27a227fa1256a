#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/temporary_directory.hpp"

namespace mti::test {

/// Opens a page in headless Chromium and returns its document as it is after all scripts have run.
/// Throws std::runtime_error where there is no Chromium: the set-up of the project installs it.
[[nodiscard]] std::string document_in_browser(const std::string& html);

/// The JSON in the element <script type="application/json" id="..."> of a document.
[[nodiscard]] nlohmann::json json_element(const std::string& document, const std::string& id);

/// What the page shows (io/report/page/readback.js).
[[nodiscard]] nlohmann::json read_back(const std::string& html);

/// What an expression gives after `steps`, statements run one after the other in the page, each once the
/// drawing caused by the one before it is done.
[[nodiscard]] nlohmann::json after_steps(std::string html, const std::vector<std::string>& steps,
                                         const std::string& expression);

/// Everything in a page that could make a browser ask another place for something.
[[nodiscard]] std::vector<std::string> external_references(const std::string& html);

}  // namespace mti::test
