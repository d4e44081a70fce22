#include "support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace autokernel {

static llvm::Error failed(const std::string &path, const char *what,
                          std::error_code ec) {
  return llvm::createStringError(ec, "%s: %s: %s", path.c_str(), what,
                                 ec.message().c_str());
}

llvm::Expected<std::string> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failed(path, "can't be read", buffer.getError());
  return (*buffer)->getBuffer().str();
}

llvm::Error writeFileAtomically(const std::string &path,
                                llvm::StringRef contents) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code ec = llvm::sys::fs::create_directories(folder))
      return failed(folder.str(), "the folder can't be made", ec);
  auto temporary =
      llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%", 0644);
  if (!temporary)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(), "%s: can't be written: %s",
        path.c_str(), llvm::toString(temporary.takeError()).c_str());
  llvm::raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  out << contents;
  out.flush();
  if (std::error_code ec = out.error()) {
    out.clear_error();
    llvm::consumeError(temporary->discard());
    return failed(path, "can't be written", ec);
  }
  if (llvm::Error e = temporary->keep(path))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: can't be written: %s", path.c_str(),
                                   llvm::toString(std::move(e)).c_str());
  return llvm::Error::success();
}

llvm::Error writeIfDifferent(const std::string &path,
                             llvm::StringRef contents) {
  auto old = llvm::MemoryBuffer::getFile(path, false, false);
  if (old && (*old)->getBuffer() == contents)
    return llvm::Error::success();
  return writeFileAtomically(path, contents);
}

std::string digestOf(llvm::StringRef text) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  uint8_t bytes[16];
  for (unsigned i = 0; i < 8; ++i) {
    bytes[i] = uint8_t(hash.high64 >> (56 - 8 * i));
    bytes[8 + i] = uint8_t(hash.low64 >> (56 - 8 * i));
  }
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

llvm::Expected<TemporaryFolder>
TemporaryFolder::make(const std::string &prefix) {
  llvm::SmallString<128> path;
  if (std::error_code ec = llvm::sys::fs::createUniqueDirectory(prefix, path))
    return failed(prefix, "a temporary folder can't be made", ec);
  return TemporaryFolder(path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

std::string TemporaryFolder::file(llvm::StringRef name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

} // namespace autokernel
