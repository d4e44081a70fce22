#include "verify/Exchange.h"

#include "support/Files.h"

#include <cstring>

namespace autokernel {

namespace {

class Out {
public:
  template <class T> void number(T v) {
    bytes.append(reinterpret_cast<const char *>(&v), sizeof v);
  }
  template <class T> void list(const std::vector<T> &v) {
    number<uint64_t>(v.size());
    bytes.append(reinterpret_cast<const char *>(v.data()),
                 v.size() * sizeof(T));
  }
  void text(const std::string &s) {
    number<uint64_t>(s.size());
    bytes += s;
  }
  llvm::Error write(std::FILE *file) {
    uint64_t size = bytes.size();
    bool ok = std::fwrite(&size, sizeof size, 1, file) == 1 &&
              std::fwrite(bytes.data(), 1, size, file) == size &&
              std::fflush(file) == 0;
    if (ok)
      return llvm::Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "a result can't be written: %s",
                                   std::strerror(errno));
  }

private:
  std::string bytes;
};

/// Reads what Out wrote; every length is checked against what is there.
class In {
public:
  explicit In(llvm::StringRef bytes) : bytes(bytes) {}
  bool ok = true;

  template <class T> T number() {
    T v{};
    if (bytes.size() < sizeof v) {
      ok = false;
      return v;
    }
    std::memcpy(&v, bytes.data(), sizeof v);
    bytes = bytes.drop_front(sizeof v);
    return v;
  }
  template <class T> std::vector<T> list() {
    uint64_t n = number<uint64_t>();
    if (!ok || n > bytes.size() / sizeof(T)) {
      ok = false;
      return {};
    }
    std::vector<T> v(n);
    if (n)
      std::memcpy(v.data(), bytes.data(), n * sizeof(T));
    bytes = bytes.drop_front(n * sizeof(T));
    return v;
  }
  std::string text() {
    std::vector<char> v = list<char>();
    return std::string(v.begin(), v.end());
  }

private:
  llvm::StringRef bytes;
};

template <class Record, class Read>
llvm::Expected<std::vector<Record>> readAll(const std::string &path,
                                            Read readOne) {
  auto contents = readFile(path);
  if (!contents)
    return contents.takeError();
  std::vector<Record> records;
  llvm::StringRef rest(*contents);
  while (rest.size() >= sizeof(uint64_t)) {
    uint64_t size;
    std::memcpy(&size, rest.data(), sizeof size);
    rest = rest.drop_front(sizeof size);
    if (size > rest.size())
      break; // the process died while it wrote this one
    In in(rest.take_front(size));
    rest = rest.drop_front(size);
    Record record = readOne(in);
    if (!in.ok)
      break;
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace

llvm::Error writeRecord(std::FILE *file, const OracleRecord &r) {
  Out out;
  out.number(r.number);
  out.text(r.problem);
  out.number(r.iterations);
  out.number<uint32_t>(r.outputs.size());
  for (const OracleOutput &o : r.outputs) {
    out.number(o.param);
    out.list(o.before);
    out.list(o.loop);
    out.list(o.twin);
    out.list(o.magnitude);
    out.list(o.error);
    out.list(o.known);
    out.number(o.first);
  }
  return out.write(file);
}

llvm::Error writeRecord(std::FILE *file, const RunnerRecord &r) {
  Out out;
  out.number(r.number);
  out.number(r.schedule);
  out.number(r.contract);
  out.text(r.reports);
  out.text(r.failure);
  out.number<uint32_t>(r.outputs.size());
  for (const RunnerOutput &o : r.outputs) {
    out.number(o.param);
    out.list(o.bytes);
  }
  return out.write(file);
}

llvm::Expected<std::vector<OracleRecord>> readOracle(const std::string &path) {
  return readAll<OracleRecord>(path, [](In &in) {
    OracleRecord r;
    r.number = in.number<uint32_t>();
    r.problem = in.text();
    r.iterations = in.number<double>();
    uint32_t n = in.number<uint32_t>();
    for (uint32_t i = 0; i < n && in.ok; ++i) {
      OracleOutput o;
      o.param = in.number<uint32_t>();
      o.before = in.list<uint8_t>();
      o.loop = in.list<uint8_t>();
      o.twin = in.list<long double>();
      o.magnitude = in.list<double>();
      o.error = in.list<double>();
      o.known = in.list<uint8_t>();
      o.first = in.number<int64_t>();
      r.outputs.push_back(std::move(o));
    }
    return r;
  });
}

llvm::Expected<std::vector<RunnerRecord>> readRunner(const std::string &path) {
  return readAll<RunnerRecord>(path, [](In &in) {
    RunnerRecord r;
    r.number = in.number<uint32_t>();
    r.schedule = in.number<uint32_t>();
    r.contract = in.number<uint32_t>();
    r.reports = in.text();
    r.failure = in.text();
    uint32_t n = in.number<uint32_t>();
    for (uint32_t i = 0; i < n && in.ok; ++i) {
      RunnerOutput o;
      o.param = in.number<uint32_t>();
      o.bytes = in.list<uint8_t>();
      r.outputs.push_back(std::move(o));
    }
    return r;
  });
}

} // namespace autokernel
