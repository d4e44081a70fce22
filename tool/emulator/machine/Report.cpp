//===- Report.cpp - making, merging and printing reports ------------------===//

#include "emulator/Report.h"
#include "emulator/machine/Blocks.h"
#include "emulator/machine/Session.h"
#include <nlohmann/json.hpp>

using namespace llvm;

namespace autokernel::emulator {

std::string placeOf(const Site *At) {
  if (!At || !At->file || !*At->file)
    return "an unknown place";
  return (Twine(At->file) + ":" + Twine(At->line) + ":" + Twine(At->column))
      .str();
}

Report describe(StringRef Kind, const Site *At) {
  Report R;
  R.Kind = Kind.str();
  R.Seed = TheSession.Options.Seed;
  if (At) {
    R.File = At->file ? At->file : "";
    R.Line = At->line;
    R.Column = At->column;
  }
  if (TheSession.Running)
    R.Kernel = TheSession.Running->Name;
  if (TheSession.InLaunch && TheSession.Current) {
    R.Block = blockIndex(TheSession.Current->Linear);
    R.Thread = threadIndex(TheSession.Current->Running);
  }
  return R;
}

static void locateShared(Report &R, uint64_t Offset) {
  uint64_t InArena = Offset % arenaBytes();
  const SharedRange *Best = nullptr;
  for (const SharedRange &Range : TheSession.SharedLayout)
    if (Range.Offset <= InArena)
      Best = &Range;
  uint64_t Dynamic = alignTo(TheSession.SharedEnd + 1024, 1024);
  bool IsDynamic = InArena >= Dynamic || !Best;
  R.Buffer = IsDynamic ? "dynamic shared memory" : Best->Name;
  R.Offset = int64_t(InArena) - int64_t(IsDynamic ? Dynamic : Best->Offset);
}

void locate(Report &R, uint64_t Address, uint64_t Size) {
  R.Size = unsigned(Size);
  if (!isDeviceRange(Address, 1))
    return;
  if (Address - AK_DEVICE_BASE < AK_SHARED_BYTES)
    return locateShared(R, Address - AK_DEVICE_BASE);
  const Buffer *B = bufferOf(Address);
  if (!B)
    B = nearestBuffer(Address);
  if (!B)
    return;
  R.Buffer = B->Name;
  R.Offset = int64_t(Address - B->Begin);
}

static bool isSame(const Report &A, const Report &B) {
  return A.Kind == B.Kind && A.Line == B.Line && A.Column == B.Column &&
         A.Buffer == B.Buffer && A.File == B.File &&
         A.OtherLine == B.OtherLine && A.Kernel == B.Kernel;
}

void file(Report R) {
  for (Report &Known : TheSession.Reports)
    if (isSame(Known, R)) {
      ++Known.Count;
      return;
    }
  if (TheSession.Reports.size() < TheSession.Options.MaxReports)
    TheSession.Reports.push_back(std::move(R));
}

void report(StringRef Kind, const Site *At, const Twine &Message) {
  Report R = describe(Kind, At);
  R.Message = Message.str();
  file(std::move(R));
}

static nlohmann::json toJSON(const Index3 &I) { return {I.X, I.Y, I.Z}; }

nlohmann::json toJSON(const Report &R) {
  nlohmann::json J = {{"kind", R.Kind},           {"message", R.Message},
                      {"kernel", R.Kernel},       {"file", R.File},
                      {"line", R.Line},           {"column", R.Column},
                      {"block", toJSON(R.Block)}, {"thread", toJSON(R.Thread)},
                      {"seed", R.Seed},           {"count", R.Count}};
  if (!R.Buffer.empty()) {
    J["buffer"] = R.Buffer;
    J["offset"] = R.Offset;
    J["size"] = R.Size;
  }
  if (R.HasOther)
    J["other"] = {{"file", R.OtherFile},
                  {"line", R.OtherLine},
                  {"column", R.OtherColumn},
                  {"block", toJSON(R.OtherBlock)},
                  {"thread", toJSON(R.OtherThread)}};
  return J;
}

static std::string text(const Index3 &I) {
  return ("(" + Twine(I.X) + "," + Twine(I.Y) + "," + Twine(I.Z) + ")").str();
}

std::string toString(const Report &R) {
  std::string S;
  raw_string_ostream OS(S);
  OS << R.File << ":" << R.Line << ":" << R.Column << ": " << R.Kind << ": "
     << R.Message << " [block " << text(R.Block) << " thread " << text(R.Thread)
     << "]";
  if (R.HasOther)
    OS << "; the other access: " << R.OtherFile << ":" << R.OtherLine << ":"
       << R.OtherColumn << " [block " << text(R.OtherBlock) << " thread "
       << text(R.OtherThread) << "]";
  if (R.Count > 1)
    OS << " (" << R.Count << " times)";
  return S;
}

} // namespace autokernel::emulator
