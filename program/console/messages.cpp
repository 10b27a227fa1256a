#include "program/console/messages.hpp"

#include <cstdio>

#include "io/files/files.hpp"
#include "mti/common/wording.hpp"

namespace mti {
namespace {

/// A message in one line, whatever was quoted in it.
std::string in_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  return text;
}

}  // namespace

void print_faults(const std::string& file, const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults)
    text += in_one_line((!fault.file.empty() ? fault.file
                         : file == "-"       ? "<stdin>"
                                             : file) +
                        ":" + fault.pointer + ": " + fault.id + ": " + fault.message) +
            "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

ExitStatus finished(ExitStatus status) {
  try {
    finish_standard_output();
  } catch (const UnusableFile& unwritable) {
    const Fault& fault = unwritable.faults().front();
    const std::string text = "mti: " + fault.id + ": " + in_one_line(fault.message) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
    if (status == ExitStatus::done) return ExitStatus::not_valid;
  }
  return status;
}

}  // namespace mti
