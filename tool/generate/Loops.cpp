// Trip counts, counters and headers of counted loops, as code.

#include "generate/Plan.h"
#include "generate/Text.h"

namespace autokernel {

static std::string wide(const std::string &text) {
  if (text.find_first_not_of("0123456789") == std::string::npos)
    return text;
  return "static_cast<long long>(" + text + ")";
}

std::string tripCountText(const Loop &l) {
  bool inclusive = l.comparison == "<=" || l.comparison == ">=";
  std::string span;
  if (l.firstText == "0" && !l.down)
    span = wide(l.boundText);
  else
    span = l.down ? wide(l.firstText) + " - " + wide(l.boundText)
                  : wide(l.boundText) + " - " + wide(l.firstText);
  if (inclusive)
    span += " + 1";
  if (l.stepText == "1")
    return span;
  return "(" + span + " + (" + wide(l.stepText) + " - 1)) / " +
         wide(l.stepText);
}

std::string counterText(const Loop &l, const std::string &item) {
  std::string type = l.counterType.spelling, value = item;
  if (l.stepText != "1")
    value += " * " + grouped(l.stepText);
  if (l.firstText != "0" || l.down)
    value = grouped(l.firstText) + (l.down ? " - " : " + ") + value;
  return "const " + type + " " + l.counter + " = static_cast<" + type + ">(" +
         value + ");";
}

static std::string advance(const Loop &l, const std::string &by) {
  if (by == "1")
    return (l.down ? "--" : "++") + l.counter;
  return l.counter + (l.down ? " -= " : " += ") + by;
}

static std::string header(const Loop &l, const std::string &first,
                          const std::string &advanced, bool declare) {
  std::string start =
      (declare ? l.counterType.spelling + " " : "") + l.counter + " = " + first;
  return "for (" + start + "; " + l.counter + " " + l.comparison + " " +
         l.boundText + "; " + advanced + ")";
}

std::string loopHeader(const Loop &l) {
  return header(l, l.firstText, advance(l, grouped(l.stepText)),
                !l.counterOutside);
}

std::string sharedLoopHeader(const Loop &l) {
  std::string step = l.stepText == "1" ? "" : " * " + grouped(l.stepText);
  std::string type = l.counterType.spelling;
  std::string own = "static_cast<" + type + ">(threadIdx.x)" + step;
  std::string first =
      l.firstText == "0" && !l.down
          ? own
          : grouped(l.firstText) + (l.down ? " - " : " + ") + own;
  Loop strict = l;
  if (l.comparison == "!=") // a stride would jump over the end
    strict.comparison = l.down ? ">" : "<";
  return header(strict, first,
                advance(l, "static_cast<" + type + ">(blockDim.x)" + step),
                true);
}

} // namespace autokernel
