// One call of a region, from the mode to the outcome.
#include "Cost.h"
#include "Kept.h"
#include "Settings.h"
#include "Shadow.h"
#include "Staging.h"
#include "Trace.h"
#include "UsableDevice.h"

#include <cstdio>
#include <cstdlib>

namespace autokernel::runtime {
namespace {

struct Call {
  Region &region;
  const Argument *arguments;
  Mode mode;
  bool shadow;
  Plan plan;
};

[[noreturn]] void giveUp(const RegionInfo &info, const char *what,
                         const char *which, const char *why) {
  std::fprintf(stderr, "autokernel: %s (%s:%u): %s%s%s%s; %s\n", info.name,
               info.file, info.line, what, *which ? " (" : "", which,
               *which ? ")" : "", why);
  std::abort();
}

Outcome runLoop(Call &call, Span &span, Reason reason) {
  call.region.state.reason = reason.what;
  call.region.state.reasonFor = reason.which;
  span.outcome(reason.what, reason.which);
  if (call.mode == Mode::Force)
    giveUp(call.region.info, reason.what, reason.which,
           "AUTOKERNEL=force allows no loop");
  return RunLoop;
}

/// A device that fails once isn't asked again for this region.
void disable(Call &call, const char *phase, Status status) {
  const RegionInfo &info = call.region.info;
  if (!call.region.state.disabled.exchange(true))
    std::fprintf(stderr,
                 "autokernel: %s (%s:%u): %s failed: %s; the loop runs from "
                 "now on\n",
                 info.name, info.file, info.line, phase,
                 device().describe(status));
}

Outcome fail(Call &call, Span &span, Staging &staging, const char *phase,
             Status status, bool copyOutBegan = false) {
  staging.distrust();
  disable(call, phase, status);
  device().takeError();
  if (!staging.inputsIntact(copyOutBegan))
    giveUp(call.region.info, phase, "",
           "its failure left data half written that the loop needs");
  return runLoop(call, span, {"the device failed"});
}

/// Copies the kernel's results into memory of their own.
Status keepResults(Call &call, Staging &staging) {
  Kept kept;
  kept.region = &call.region;
  kept.depth = call.plan.depth;
  char *targets[MaxParams] = {};
  for (unsigned i = 0; i < staging.count(); ++i) {
    const Place &p = staging.place(i);
    if (!p.written)
      continue;
    KeptResult r;
    r.param = p.param;
    r.loop = p.host;
    r.firstElement = call.plan.ranges[p.param].lo;
    r.kernel.resize(p.bytes);
    targets[i] = r.kernel.data(); // stays when the vector moves
    kept.results.push_back(std::move(r));
  }
  Status s = staging.copyOut(targets);
  if (!s)
    keep(std::move(kept));
  return s;
}

Status timedCopyIn(Call &call, Staging &staging) {
  Span span("copy in", call.region.info.name);
  Status s = staging.copyIn();
  // In a trace the copies' time must not count as the kernel's.
  return s || !tracing() ? s : staging.wait();
}

Status timedCopyOut(Call &call, Staging &staging, bool compare) {
  Span span("copy out", call.region.info.name);
  return compare ? keepResults(call, staging) : staging.copyOut();
}

Outcome runKernel(Call &call, Span &span, Staging &staging, bool compare) {
  if (Status s = timedCopyIn(call, staging))
    return fail(call, span, staging, "copying to the device", s);
  {
    Span kernel("kernel", call.region.info.name);
    if (Status s = staging.launch())
      return fail(call, span, staging, "the launch", s);
    if (Status s = staging.wait())
      return fail(call, span, staging, "the kernel", s);
  }
  if (Status s = timedCopyOut(call, staging, compare))
    return fail(call, span, staging, "copying from the device", s, !compare);
  staging.finish();
  ++call.region.state.launches;
  span.outcome(compare ? "kernel and loop" : "kernel");
  return compare ? RunLoopAndCompare : Done;
}

Reason timedGuards(Call &call) {
  Span span("guards", call.region.info.name);
  return checkGuards(call.region.info, call.arguments, call.plan);
}

Outcome onDevice(Call &call, Span &span) {
  Staging staging(call.region.info, call.arguments, call.plan);
  if (Reason r = staging.locate(/*asHostArrays=*/call.shadow))
    return runLoop(call, span, r);
  bool compare = call.shadow && !staging.hasDeviceOnly();
  if (compare)
    staging.keepOriginals();
  span.bytes(staging.traffic());
  if (call.mode == Mode::Auto && !call.shadow && !staging.hasDeviceOnly() &&
      !pays(call.region.info, call.plan.work, staging.traffic(),
            staging.staleOnHost()))
    return runLoop(call, span, {"too little work to pay for the copies"});
  if (Reason r = staging.takeSnapshots())
    return runLoop(call, span, r);
  if (!staging.allocate()) {
    staging.distrust(); // gives the memory back at once
    return runLoop(call, span, {"not enough device memory"});
  }
  if (compare)
    nameDevice(device().name(staging.owner()));
  return runKernel(call, span, staging, compare);
}

bool writesArrays(const RegionInfo &info) {
  for (unsigned i = 0; i < info.paramCount; ++i)
    if (info.params[i].isArray && info.params[i].role != Role::In)
      return true;
  return false;
}

Outcome choose(Call &call, Span &span) {
  const RegionInfo &info = call.region.info;
  if (call.shadow && anyKept())
    loopComesNext(writesArrays(info)); // kernel and loop start from the host's
  bool always = call.shadow || call.mode == Mode::Force || anyKept();
  if (!always && !worthALook(info, estimateWork(info, call.arguments)))
    return runLoop(call, span, {"too little work"});
  if (!deviceUsable())
    return runLoop(call, span, {"no usable device"});
  if (Reason r = timedGuards(call))
    return runLoop(call, span, r);
  if (call.plan.nothingToDo) {
    span.outcome("nothing to do");
    return RunLoop;
  }
  return onDevice(call, span);
}

/// In the first N calls of AUTOKERNEL_SHADOW, or always in mode shadow.
bool isShadowed(const Settings &s, uint64_t earlierCalls) {
  if (s.shadowFirst)
    return earlierCalls < s.shadowFirst;
  return s.mode == Mode::Shadow;
}

/// A program that compares its first calls wants no wrong kernel later.
bool isDistrusted(const Region &region) {
  return settings().shadowFirst && region.state.mismatches != 0;
}

int decide(Region &region, const Argument *arguments) {
  const Settings &s = settings();
  if (s.mode == Mode::Off)
    return RunLoop;
  bool mustNotFail = s.mode == Mode::Force;
  bool mayStayQuiet = s.mode == Mode::Auto && !s.shadowFirst && !tracing();
  if (mayStayQuiet && deviceKnownAbsent())
    return RunLoop;
  if (region.state.disabled && !mustNotFail)
    return RunLoop;
  uint64_t earlier = region.state.calls.fetch_add(1);
  bool shadow = isShadowed(s, earlier);
  Mode mode = s.mode == Mode::Shadow ? Mode::Auto : s.mode;
  if (s.mode == Mode::Shadow || s.shadowFirst)
    reportAtExit(region);
  Span span("dispatch", region.info.name);
  Call call{region, arguments, mode, shadow, {}};
  if (!shadow && isDistrusted(region))
    return runLoop(call, span,
                   {"it differed from the loop in its first calls"});
  return choose(call, span);
}

} // namespace

int dispatch(Region &region, const Argument *arguments) {
  int outcome = decide(region, arguments);
  if (outcome == RunLoop && anyKept())
    loopComesNext(writesArrays(region.info));
  return outcome;
}

} // namespace autokernel::runtime
