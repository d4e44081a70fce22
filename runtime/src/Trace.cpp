#include "Trace.h"
#include "Settings.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <unistd.h>

namespace autokernel::runtime {
namespace {

/// A program that runs for days must not drown in its trace.
constexpr size_t MostEvents = 1'000'000;

struct Event {
  const char *name, *region, *result, *about;
  int64_t begin, length; // ns
  uint64_t bytes;
  unsigned thread;
};

struct Events {
  std::mutex lock;
  std::vector<Event> list;
  size_t dropped = 0;
};

Events &events() {
  static auto *e = new Events; // outlives every thread
  return *e;
}

int64_t now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch())
      .count();
}

unsigned threadNumber() {
  static std::atomic<unsigned> next{1};
  thread_local unsigned mine = next++;
  return mine;
}

void quote(std::string &out, const char *text) {
  out += '"';
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    char buffer[8];
    if (c == '"' || c == '\\')
      out += '\\', out += char(c);
    else if (c < 0x20) {
      std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
      out += buffer;
    } else
      out += char(c);
  }
  out += '"';
}

void writeMicroseconds(std::string &out, int64_t ns) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%lld.%03lld",
                static_cast<long long>(ns / 1000),
                static_cast<long long>(ns % 1000));
  out += buffer;
}

void writeEvent(std::string &out, const Event &e) {
  out += "{\"name\":";
  quote(out, e.name);
  out += ",\"cat\":\"autokernel\",\"ph\":\"X\",\"ts\":";
  writeMicroseconds(out, e.begin);
  out += ",\"dur\":";
  writeMicroseconds(out, e.length);
  out += ",\"pid\":" + std::to_string(getpid()) +
         ",\"tid\":" + std::to_string(e.thread) + ",\"args\":{\"region\":";
  quote(out, e.region);
  if (e.bytes)
    out += ",\"bytes\":" + std::to_string(e.bytes);
  if (e.result) {
    out += ",\"outcome\":";
    quote(out, e.result);
  }
  if (*e.about) {
    out += ",\"parameter\":";
    quote(out, e.about);
  }
  out += "}}";
}

void writeFile() {
  const std::string &path = settings().trace;
  std::string text = traceText();
  std::FILE *f = std::fopen(path.c_str(), "w");
  bool ok = f && std::fwrite(text.data(), 1, text.size(), f) == text.size();
  if (f && std::fclose(f))
    ok = false;
  if (!ok)
    std::fprintf(stderr, "autokernel: can't write the trace to %s\n",
                 path.c_str());
}

void writeAtExit() {
  static std::once_flag once;
  std::call_once(once, [] { std::atexit(writeFile); });
}

} // namespace

bool tracing() { return !settings().trace.empty(); }

Span::Span(const char *name, const char *region) : name(name), region(region) {
  if (tracing())
    begin = now();
}

Span::~Span() {
  if (!begin)
    return;
  writeAtExit();
  Events &all = events();
  Event e = {name,  region,        result, about,
             begin, now() - begin, size,   threadNumber()};
  std::lock_guard<std::mutex> hold(all.lock);
  if (all.list.size() < MostEvents)
    all.list.push_back(e);
  else
    ++all.dropped;
}

std::string traceText() {
  Events &all = events();
  std::lock_guard<std::mutex> hold(all.lock);
  std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":" +
                    std::to_string(all.dropped) + "},\"traceEvents\":[";
  for (size_t i = 0; i < all.list.size(); ++i) {
    out += i ? ",\n" : "\n";
    writeEvent(out, all.list[i]);
  }
  return out + "\n]}\n";
}

void clearTrace() {
  Events &all = events();
  std::lock_guard<std::mutex> hold(all.lock);
  all.list.clear();
  all.dropped = 0;
}

} // namespace autokernel::runtime
