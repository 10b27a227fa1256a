#include "io/analysis/write_diagnosis.hpp"

#include "io/analysis/fault_places.hpp"
#include "io/json/writer.hpp"

namespace mti {
namespace {

using json::in_line;
using json::write_names;
using json::Writer;

void begin(Writer& out, bool valid) {
  out.begin_object().member("format", "mti-check").member("version", 1).member("valid", valid);
}

/// "text", "file", "pointer", "line", "column".
void write_place(Writer& out, const Fault& fault, FaultPlaces& places) {
  out.member("text", fault.message).member("file", places.file_of(fault)).member("pointer", fault.pointer);
  if (const auto place = places.place_of(fault)) {
    out.member("line", static_cast<long>(place->line)).member("column", static_cast<long>(place->column));
  } else {
    out.key("line").null().key("column").null();
  }
}

/// The place of what a remark is about; null where it has none in the file, as what is about the whole model.
void write_remark_place(Writer& out, const Remark& remark, FaultPlaces& places) {
  const std::string pointer = places.pointer_of(remark);
  if (!pointer.empty()) return write_place(out, {remark.id, pointer, remark.message}, places);
  out.member("text", remark.message).member("file", places.file_of({})).member("pointer", "");
  out.key("line").null().key("column").null();
}

void write_remarks(Writer& out, std::string_view key, const Diagnosis& diagnosis, bool errors,
                   FaultPlaces* places) {
  out.key(key).begin_array();
  for (const Remark& remark : diagnosis.remarks) {
    if (remark.is_error != errors) continue;
    out.begin_object().member("id", remark.id).member("message", remark.message);
    if (remark.modes.empty()) {
      out.key("modes").null().key("where").null();
    } else {
      out.member("modes", remark.modes).member("where", remark.where);
    }
    write_names(out, "equations", remark.equations);
    write_names(out, "signals", remark.signals);
    if (places != nullptr) write_remark_place(out, remark, *places);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string diagnosis_json(const Model& model, const Diagnosis& diagnosis, FaultPlaces* places) {
  const Signature& signature = model.signature;
  Writer out;
  begin(out, diagnosis.errors() == 0);
  out.member("model", model.name);
  out.key("sizes").begin_object(in_line);
  out.member("states", signature.n()).member("inputs", signature.m()).member("algebraic", signature.p());
  out.member("binaries", signature.q()).member("equations", model.equations());
  out.member("constraints", model.constraints()).end_object();
  out.key("modes");
  if (diagnosis.modes)
    out.begin_object(in_line)
        .member("all", diagnosis.modes->all)
        .member("considered", diagnosis.modes->considered)
        .member("solvable", diagnosis.modes->solvable)
        .end_object();
  else
    out.null();
  write_remarks(out, "errors", diagnosis, true, places);
  write_remarks(out, "warnings", diagnosis, false, places);
  out.end_object();
  return std::move(out).finish();
}

std::string faults_json(const std::vector<Fault>& faults, FaultPlaces* places) {
  Writer out;
  begin(out, false);
  for (const char* key : {"model", "sizes", "modes"}) out.key(key).null();
  out.key("errors").begin_array();
  for (const Fault& fault : faults) {
    out.begin_object(in_line).member("id", fault.id).member("message", fault.message);
    if (places != nullptr)
      write_place(out, fault, *places);
    else
      out.member("text", fault.message).member("file", fault.file).member("pointer", fault.pointer);
    out.end_object();
  }
  out.end_array().key("warnings").begin_array().end_array().end_object();
  return std::move(out).finish();
}

}  // namespace mti
