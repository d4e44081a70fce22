#include "Commands.h"

#include "AgentPipeline.h"
#include "Output.h"
#include "Pipeline.h"
#include "compile/Nvcc.h"
#include "model/Refusals.h"
#include "support/Files.h"
#include "support/Messages.h"
#include "verify/Sandbox.h"
#include "verify/Verify.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

namespace {

using UnitVisitor = std::function<llvm::Error(const UnitResult &)>;

llvm::Error forEachUnit(const Options &options, const UnitVisitor &visit) {
  for (const std::string &file : options.files) {
    auto unit = analyseFile(options, file);
    if (!unit)
      return unit.takeError();
    if (llvm::Error e = visit(*unit))
      return e;
  }
  return llvm::Error::success();
}

bool wanted(const Options &options, const AnalysedRegion &region) {
  return options.region.empty() || options.region == region.region.id;
}

using StatusVisitor =
    std::function<llvm::Error(RegionStatus &, const KernelStore &)>;

/// Every wanted region with its state in the store; misuses are shown.
llvm::Error forEachRegion(const Options &options, Output &out,
                          const StatusVisitor &visit) {
  return forEachUnit(options, [&](const UnitResult &unit) -> llvm::Error {
    KernelStore store(kernelFolder(options, unit.command.file));
    for (const Refusal &misuse : unit.misuses) {
      out.misuse(misuse);
      out.fail();
    }
    for (const AnalysedRegion &region : unit.regions) {
      if (!wanted(options, region))
        continue;
      auto status = statusOf(options, region, store);
      if (!status)
        return status.takeError();
      if (llvm::Error e = visit(*status, store))
        return e;
    }
    return llvm::Error::success();
  });
}

/// Kernels of the given sources whose region is gone.
void showOrphans(const Options &options, const UnitResult &unit, Output &out) {
  KernelStore store(kernelFolder(options, unit.command.file));
  for (const std::string &id : store.ids()) {
    auto stored = store.load(id);
    if (!stored) {
      llvm::consumeError(stored.takeError());
      continue;
    }
    llvm::StringRef name = llvm::sys::path::filename(unit.command.file);
    if (!*stored ||
        llvm::sys::path::filename((*stored)->contract.place.file) != name)
      continue;
    bool alive = false;
    for (const AnalysedRegion &region : unit.regions)
      alive |= region.region.id == id;
    if (alive)
      continue;
    RegionStatus status;
    status.region.id = id;
    status.region.place = {unit.command.file, 0, 0};
    status.state = StoreState::Orphan;
    status.reason = "no region of this name is left; delete its files";
    out.status(status);
  }
}

llvm::Error usage(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 message.c_str());
}

} // namespace

llvm::Expected<int> scanCommand(const Options &options) {
  Output out(options);
  llvm::Error error = forEachUnit(options, [&](const UnitResult &unit) {
    for (const Refusal &misuse : unit.misuses) {
      out.misuse(misuse);
      out.fail();
    }
    for (const AnalysedRegion &region : unit.regions) {
      if (!wanted(options, region))
        continue;
      if (region.model) {
        out.taken(*region.model);
        continue;
      }
      out.refused(*region.refusal, region.region.id);
      out.fail();
    }
    return llvm::Error::success();
  });
  if (error)
    return error;
  return out.finish();
}

static llvm::Expected<int> showPrompts(const Options &options) {
  Output out(options);
  llvm::Error error = forEachRegion(
      options, out, [&](RegionStatus &status, const KernelStore &) {
        return showPrompt(options, status, llvm::outs());
      });
  if (error)
    return error;
  return 0;
}

/// By the template, or by whoever is asked; refused regions stay so.
static llvm::Error produce(const Options &options, RegionStatus &status,
                           const KernelStore &store, Output &out) {
  if (status.refusal)
    return llvm::Error::success();
  if (!isAgent(options))
    return status.state == StoreState::Fresh
               ? llvm::Error::success()
               : produceKernel(options, status, store);
  return produceByAgent(
      options, status, store,
      [&](const std::string &id, unsigned number, double seconds,
          const std::string &what) { out.attempt(id, number, seconds, what); });
}

llvm::Expected<int> generateCommand(const Options &options) {
  if (options.showPrompt)
    return showPrompts(options);
  Output out(options);
  unsigned written = 0, loops = 0;
  std::string folder;
  llvm::Error error = forEachRegion(
      options, out,
      [&](RegionStatus &status, const KernelStore &store) -> llvm::Error {
        folder = store.path();
        if (agentWasStopped())
          return llvm::Error::success();
        if (llvm::Error e = produce(options, status, store, out))
          return e;
        written += status.isNew;
        if (status.state != StoreState::Fresh) {
          ++loops;
          out.fail();
        }
        out.status(status);
        return llvm::Error::success();
      });
  if (error)
    return error;
  if (agentWasStopped())
    return 130;
  if (written || loops)
    out.line(std::to_string(written) + " kernels written to " +
             displayPath(folder) +
             (written ? ": review and commit them. " : ". ") +
             std::to_string(loops) + " loops stay on the CPU.");
  return out.finish();
}

static llvm::Expected<int> verifyCandidate(const Options &options) {
  if (options.region.empty())
    return usage("--candidate needs --region=ID, the region it is for");
  auto source = readFile(options.candidate);
  if (!source)
    return source.takeError();
  Output out(options);
  bool found = false;
  llvm::Error error = forEachRegion(
      options, out,
      [&](RegionStatus &status, const KernelStore &) -> llvm::Error {
        found = true;
        if (status.refusal) {
          out.fail();
          out.status(status);
          return llvm::Error::success();
        }
        auto evidence =
            judgeCandidate(options, *status.model, *source, options.candidate);
        if (!evidence)
          return evidence.takeError();
        status.kernel.reset();
        status.attempt = std::move(*evidence);
        status.attemptOrigin = displayPath(options.candidate);
        status.reason.clear();
        bool good = status.attempt->verdict == Verdict::Verified;
        status.state = good ? StoreState::Fresh : StoreState::Unverified;
        if (!good)
          out.fail();
        out.status(status);
        return llvm::Error::success();
      });
  if (error)
    return error;
  if (!found)
    return usage("there is no region '" + options.region + "' in " +
                 options.files[0] + "; autokernel scan lists them");
  return out.finish();
}

llvm::Expected<int> verifyCommand(const Options &options) {
  if (options.mutate)
    return mutateCommand(options);
  if (!options.candidate.empty())
    return verifyCandidate(options);
  Output out(options);
  llvm::Error error = forEachRegion(
      options, out,
      [&](RegionStatus &status, const KernelStore &store) -> llvm::Error {
        if (status.kernel && status.state != StoreState::Stale)
          if (llvm::Error e = reverifyKernel(options, status, store))
            return e;
        bool good = status.state == StoreState::Fresh && status.attempt &&
                    status.attempt->verdict == Verdict::Verified;
        if (!good)
          out.fail();
        out.status(status);
        return llvm::Error::success();
      });
  if (error)
    return error;
  return out.finish();
}

llvm::Expected<int> checkCommand(const Options &options) {
  Output out(options);
  llvm::Error error = forEachRegion(
      options, out,
      [&](RegionStatus &status, const KernelStore &) -> llvm::Error {
        if (status.state != StoreState::Fresh)
          out.fail();
        out.status(status);
        return llvm::Error::success();
      });
  if (!error)
    error = forEachUnit(options, [&](const UnitResult &unit) {
      showOrphans(options, unit, out);
      return llvm::Error::success();
    });
  if (error)
    return error;
  return out.finish();
}

// --- explain
// --------------------------------------------------------------------

static void explainRefusal(const RefusalEntry &entry) {
  llvm::outs() << entry.id << ": " << entry.sentence
               << ".\nMore, with examples: docs/refusals.md, section "
               << entry.anchor << ".\n";
}

static void explainRegion(const RegionStatus &s) {
  auto &os = llvm::outs();
  os << s.region.id << ", " << displayPath(s.region.place.file) << ":"
     << s.region.place.line << ": " << stateName(s.state)
     << (s.reason.empty() ? "" : ", " + s.reason) << "\n";
  if (s.refusal) {
    os << refusalText(*s.refusal, "");
    return;
  }
  const Contract &c = s.model->contract;
  os << "class " << c.regionClass << ", fingerprint " << c.fingerprint << "\n";
  for (const Loop &l : c.loops) {
    os << "  loop " << l.counter << ": " << orderName(l.order) << ", " << l.why;
    for (const Reduction &r : l.reductions)
      os << "; reduces " << r.variable << " by " << r.op;
    for (const std::string &a : l.atomics)
      os << "; iterations share " << a;
    for (const Selection &s : l.selections) {
      os << (s.key.empty() ? "; the last iteration that assigns decides"
                           : "; the best " + s.key + " (" + s.op + ") decides");
      for (const Reduction &v : s.variables)
        os << (&v == &s.variables[0] ? " " : ", ") << v.variable;
    }
    for (const Reduction &r : l.scans)
      os << "; running total of " << r.variable << " by " << r.op;
    for (const std::string &a : l.ordered)
      os << "; the last store to each element of " << a << " counts";
    os << "\n";
  }
  for (const RangeGuard &g : c.guards)
    os << "  guard: 0 <= " << codeText(g.value.code) << " < "
       << codeText(g.below.code) << " (" << g.why << ")\n";
  if (!s.kernel)
    return;
  os << "kernel by " << s.kernel->origin << "\n";
  for (const Attempt &a : s.kernel->attempts)
    os << "  attempt " << a.number << ": " << a.origin << ": "
       << verdictName(a.verdict) << (a.reason.empty() ? "" : ": " + a.reason)
       << "\n";
  for (const Evidence &e : s.kernel->evidence) {
    os << "  " << verdictText(e) << "; gates:";
    for (const std::string &gate : e.gates)
      os << " " << gate;
    os << "\n";
    for (const ResourceSummary &r : e.resources)
      os << "    " << r.kernel << " on " << r.architecture << ": "
         << r.registers << " registers, " << r.sharedBytes << " bytes shared, "
         << r.spillBytes << " bytes spilled\n";
  }
}

llvm::Expected<int> explainCommand(const Options &options) {
  if (options.files.empty()) {
    for (const RefusalEntry &entry : allRefusals())
      llvm::outs() << entry.id << ": " << entry.sentence << "\n";
    return 0;
  }
  if (const RefusalEntry *entry = findRefusal(options.files[0])) {
    explainRefusal(*entry);
    return 0;
  }
  if (!llvm::StringRef(options.files[0]).contains('.'))
    return usage("'" + options.files[0] +
                 "' is no refusal and no source file; autokernel explain "
                 "lists the refusals");
  Output out(options);
  llvm::Error error = forEachRegion(
      options, out,
      [&](RegionStatus &status, const KernelStore &) -> llvm::Error {
        explainRegion(status);
        return llvm::Error::success();
      });
  if (error)
    return error;
  return 0;
}

// --- doctor
// ---------------------------------------------------------------------

llvm::Expected<int> doctorCommand(const Options &options) {
  (void)options;
  int code = 0;
  auto row = [&](const std::string &what, llvm::Expected<std::string> found,
                 bool needed) {
    if (found) {
      llvm::outs() << what << ": " << *found << "\n";
      return;
    }
    llvm::outs() << what << ": missing; " << llvm::toString(found.takeError())
                 << "\n";
    if (needed)
      code = 1;
  };
  llvm::outs() << "autokernel " << toolVersion() << "\n";
  row("oracle", findHelper("autokernel-oracle"), true);
  row("runner", findHelper("autokernel-runner"), true);
  row("nvcc", findNvcc(), false);
  SandboxLayers layers = probeSandbox();
  row("sandbox", layersText(layers), false);
  if (llvm::Error e = requireConfinement(layers))
    row("confinement", std::move(e), true);
  return code;
}

llvm::Expected<int> runCommand(const Options &options) {
  using Command = llvm::Expected<int> (*)(const Options &);
  static const std::pair<const char *, Command> commands[] = {
      {"scan", scanCommand},       {"generate", generateCommand},
      {"verify", verifyCommand},   {"check", checkCommand},
      {"report", reportCommand},   {"explain", explainCommand},
      {"rewrite", rewriteCommand}, {"bundle", bundleCommand},
      {"ingest", ingestCommand},   {"doctor", doctorCommand},
      {"mcp", mcpCommand},         {"completion", completionCommand},
      {"man", manCommand}};
  for (const auto &[name, command] : commands)
    if (options.command == name)
      return command(options);
  llvm_unreachable("options name an existing command");
}

} // namespace autokernel
