// autokernel bundle and ingest: verification where there is a GPU but no LLVM.

#include "Commands.h"
#include "Output.h"
#include "support/Files.h"
#include "support/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace autokernel {

/// A candidate that no store has: rules are checked here, the rest there.
static llvm::Error bundleCandidate(const Options &options, RegionStatus status,
                                   Output &out) {
  auto source = readFile(options.candidate);
  if (!source)
    return source.takeError();
  auto broken = takeCandidate(status, *source, options.candidate);
  if (!broken)
    return broken.takeError();
  if (*broken) {
    status.attempt.emplace();
    status.attempt->verdict = Verdict::Rejected;
    status.attempt->failure = std::move(*broken);
    status.attemptOrigin = displayPath(options.candidate);
    status.state = StoreState::Unverified;
    out.status(status);
    out.fail();
    return llvm::Error::success();
  }
  std::string name = llvm::sys::path::stem(options.candidate).str();
  std::string program = options.output + "/" + name;
  if (llvm::Error e = bundleKernel(options, status, program))
    return e;
  out.line(status.region.id + ", " + displayPath(options.candidate) + ": " +
           displayPath(program));
  return llvm::Error::success();
}

/// One program a region, or the one of a candidate, in the folder --output.
llvm::Expected<int> bundleCommand(const Options &options) {
  if (options.output.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "autokernel bundle needs --output=FOLDER for its programs");
  if (!options.candidate.empty() && options.region.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "--candidate needs --region=ID, the region it is for");
  if (std::error_code ec = llvm::sys::fs::create_directories(options.output))
    return llvm::createStringError(ec, "%s: the folder can't be made: %s",
                                   options.output.c_str(),
                                   ec.message().c_str());
  Output out(options);
  for (const std::string &file : options.files) {
    auto unit = analyseFile(options, file);
    if (!unit)
      return unit.takeError();
    KernelStore store(kernelFolder(options, unit->command.file));
    for (const AnalysedRegion &region : unit->regions) {
      if (!options.region.empty() && options.region != region.region.id)
        continue;
      auto status = statusOf(options, region, store);
      if (!status)
        return status.takeError();
      if (!options.candidate.empty() && !status->refusal) {
        if (llvm::Error e = bundleCandidate(options, *status, out))
          return e;
        continue;
      }
      if (status->state != StoreState::Fresh) {
        out.status(*status);
        out.fail();
        continue;
      }
      std::string program = options.output + "/" + region.region.id;
      if (llvm::Error e = bundleKernel(options, *status, program))
        return e;
      out.line(region.region.id + ": " + displayPath(program));
    }
  }
  return out.finish();
}

/// Adds what a bundle printed to the store.
static llvm::Error ingestFile(const std::string &file, const KernelStore &store,
                              Output &out) {
  auto text = readFile(file);
  if (!text)
    return text.takeError();
  auto json = parseJson(*text, file);
  if (!json)
    return json.takeError();
  if (!json->is_object() ||
      json->value("schema", "") != "autokernel-results/1" ||
      !json->contains("id") || !(*json)["id"].is_string() ||
      !json->contains("evidence"))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: is not the result of a bundle",
                                   file.c_str());
  auto evidence = evidenceFromJson((*json)["evidence"]);
  if (!evidence)
    return evidence.takeError();
  std::string id = (*json)["id"].get<std::string>();
  auto stored = store.load(id);
  if (!stored)
    return stored.takeError();
  if (!*stored || (*stored)->contract.fingerprint != evidence->fingerprint ||
      codeDigest((*stored)->source) != evidence->kernelDigest)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: is about another version of the kernel '%s' than the one in %s; "
        "bundle it again",
        file.c_str(), id.c_str(), store.path().c_str());
  StoredKernel kernel = std::move(**stored);
  llvm::erase_if(kernel.evidence,
                 [](const Evidence &e) { return e.where == "gpu"; });
  kernel.evidence.push_back(*evidence);
  out.line(id + ": " + verdictText(*evidence) + ", " + evidence->device);
  if (evidence->verdict != Verdict::Verified) {
    out.line("    " + failureText(*evidence));
    out.fail();
  }
  kernel.source =
      withHeader(kernel.source, kernelHeader(kernel.contract, kernel.origin,
                                             kernel.mapping, kernel.evidence));
  return store.save(kernel);
}

llvm::Expected<int> ingestCommand(const Options &options) {
  if (options.kernelDir.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "autokernel ingest needs --kernel-dir");
  Output out(options);
  KernelStore store(options.kernelDir);
  for (const std::string &file : options.files)
    if (llvm::Error e = ingestFile(file, store, out))
      return e;
  return out.finish();
}

} // namespace autokernel
