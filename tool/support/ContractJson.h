// Contracts and evidence as JSON, the form in which they touch disk.
//
// Reading checks every field; a broken file gives an error that names the
// field, never a half-filled value. Index expressions are written in postfix
// form: "n3" parameter 3, "i0" counter of loop 0, "d2" a value of array 2.
// Surface: toJson(), contractFromJson(), evidenceFromJson(), codeText().
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"
#include <nlohmann/json.hpp>

namespace autokernel {

using Json = nlohmann::ordered_json;

std::string codeText(const std::vector<Instr> &code);
llvm::Expected<std::vector<Instr>> parseCode(const std::string &text);

Json toJson(const Contract &contract);
llvm::Expected<Contract> contractFromJson(const Json &json);

Json toJson(const Evidence &evidence);
llvm::Expected<Evidence> evidenceFromJson(const Json &json);
Json toJson(const Attempt &attempt);
llvm::Expected<Attempt> attemptFromJson(const Json &json);
Json toJson(const Failure &failure);

const char *verdictName(Verdict verdict);
std::optional<Verdict> verdictFromName(const std::string &name);
const char *orderName(Order order);

/// Parses text; `where` names it in the error.
llvm::Expected<Json> parseJson(const std::string &text,
                               const std::string &where);

} // namespace autokernel
