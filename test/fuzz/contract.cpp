// Whatever lies in a kernel store, reading it gives a value or an error; a
// contract that was read is written and read again without a change.
#include "support/ContractJson.h"

#include <cstddef>
#include <cstdlib>

using namespace autokernel;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<Json> json = parseJson(text, "input");
  if (!json) {
    llvm::consumeError(json.takeError());
    return 0;
  }
  if (llvm::Expected<Evidence> evidence = evidenceFromJson(*json))
    toJson(*evidence);
  else
    llvm::consumeError(evidence.takeError());
  llvm::Expected<Contract> contract = contractFromJson(*json);
  if (!contract) {
    llvm::consumeError(contract.takeError());
    return 0;
  }
  Json written = toJson(*contract);
  llvm::Expected<Contract> again = contractFromJson(written);
  if (!again || toJson(*again) != written)
    std::abort();
  return 0;
}
