#include "store/Store.h"

#include "support/ContractJson.h"
#include "support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace autokernel {

static constexpr const char *StoreSchema = "autokernel-kernel/1";

std::string KernelStore::kernelPath(const std::string &id) const {
  return folder + "/" + id + ".cu";
}

std::string KernelStore::jsonPath(const std::string &id) const {
  return folder + "/" + id + ".json";
}

static std::string referenceName(const Contract &c) {
  return c.id + ".reference" + (c.isC ? ".c" : ".cpp");
}

std::vector<std::string> KernelStore::ids() const {
  std::vector<std::string> out;
  std::error_code ec;
  for (llvm::sys::fs::directory_iterator it(folder, ec), end; it != end && !ec;
       it.increment(ec)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    if (name.consume_back(".json"))
      out.push_back(name.str());
  }
  llvm::sort(out);
  return out;
}

static llvm::Error damaged(const std::string &path, llvm::Error why) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "%s: %s; restore the file from version control, or delete it and "
      "generate again",
      path.c_str(), llvm::toString(std::move(why)).c_str());
}

static llvm::Error readEntry(const Json &json, StoredKernel &kernel) {
  if (!json.is_object() || json.value("schema", "") != StoreSchema ||
      !json.contains("contract") || !json.contains("evidence") ||
      !json["evidence"].is_array() || !json.contains("attempts") ||
      !json["attempts"].is_array() || !json.contains("origin") ||
      !json["origin"].is_string())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "is no kernel of schema %s", StoreSchema);
  auto contract = contractFromJson(json["contract"]);
  if (!contract)
    return contract.takeError();
  kernel.contract = std::move(*contract);
  for (const Json &item : json["evidence"]) {
    auto e = evidenceFromJson(item);
    if (!e)
      return e.takeError();
    kernel.evidence.push_back(std::move(*e));
  }
  for (const Json &item : json["attempts"]) {
    auto a = attemptFromJson(item);
    if (!a)
      return a.takeError();
    kernel.attempts.push_back(std::move(*a));
  }
  kernel.origin = json["origin"].get<std::string>();
  if (json.contains("mapping") && json["mapping"].is_string())
    kernel.mapping = json["mapping"].get<std::string>();
  return llvm::Error::success();
}

llvm::Expected<std::optional<StoredKernel>>
KernelStore::load(const std::string &id) const {
  std::string path = jsonPath(id);
  if (!llvm::sys::fs::exists(path))
    return std::nullopt;
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  auto json = parseJson(*text, path);
  if (!json)
    return json.takeError();
  StoredKernel kernel;
  if (llvm::Error e = readEntry(*json, kernel))
    return damaged(path, std::move(e));
  if (kernel.contract.id != id)
    return damaged(path, llvm::createStringError(llvm::inconvertibleErrorCode(),
                                                 "holds the kernel '%s'",
                                                 kernel.contract.id.c_str()));
  for (auto [name, target] :
       {std::pair{kernelPath(id), &kernel.source},
        std::pair{folder + "/" + referenceName(kernel.contract),
                  &kernel.reference}}) {
    auto contents = readFile(name);
    if (!contents)
      return damaged(name, contents.takeError());
    *target = std::move(*contents);
  }
  return kernel;
}

llvm::Error KernelStore::save(const StoredKernel &kernel) const {
  Json json = {{"schema", StoreSchema},
               {"origin", kernel.origin},
               {"mapping", kernel.mapping},
               {"contract", toJson(kernel.contract)},
               {"evidence", Json::array()},
               {"attempts", Json::array()}};
  for (const Evidence &e : kernel.evidence)
    json["evidence"].push_back(toJson(e));
  for (const Attempt &a : kernel.attempts)
    json["attempts"].push_back(toJson(a));
  const std::string &id = kernel.contract.id;
  if (llvm::Error e = writeIfDifferent(
          folder + "/" + referenceName(kernel.contract), kernel.reference))
    return e;
  if (llvm::Error e = writeIfDifferent(kernelPath(id), kernel.source))
    return e;
  return writeIfDifferent(jsonPath(id), json.dump(2) + "\n");
}

const char *stateName(StoreState state) {
  switch (state) {
  case StoreState::Fresh:
    return "fresh";
  case StoreState::Missing:
    return "missing";
  case StoreState::Stale:
    return "stale";
  case StoreState::Unverified:
    return "unverified";
  case StoreState::Refused:
    return "refused";
  case StoreState::Orphan:
    return "orphan";
  }
  llvm_unreachable("all states are named");
}

StateAnswer stateOf(const Contract &contract, const StoredKernel &kernel) {
  if (kernel.contract.fingerprint != contract.fingerprint)
    return {StoreState::Stale,
            "the loop has changed since the kernel was made"};
  std::string digest = codeDigest(kernel.source);
  const Evidence *verified = nullptr;
  for (const Evidence &e : kernel.evidence) {
    if (e.fingerprint != contract.fingerprint || e.kernelDigest != digest)
      continue;
    if (e.verdict == Verdict::Mismatch)
      return {StoreState::Unverified, "it was found wrong on the " + e.where};
    if (e.verdict == Verdict::Verified)
      verified = &e;
  }
  if (verified)
    return {StoreState::Fresh, ""};
  bool edited = llvm::any_of(kernel.evidence, [&](const Evidence &e) {
    return e.verdict == Verdict::Verified && e.kernelDigest != digest;
  });
  return {StoreState::Unverified,
          edited ? "the .cu was edited after it was verified"
                 : "no verification of this kernel is recorded"};
}

} // namespace autokernel
