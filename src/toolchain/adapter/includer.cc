// SPDX-License-Identifier: Apache-2.0
#include "toolchain/adapter/includer.h"

#include "toolchain/options.h"
#include "toolchain/source_text.h"

namespace kiln::toolchain {
namespace {

constexpr size_t kMaxDepth = 128;
// A few files that include each other many times each can ask for any number of includes.
constexpr size_t kMaxIncludes = 16 * 1024;

// Bytes of an include that is read as nothing. glslang takes no notice of an empty one.
constexpr std::string_view kNothing = "\n";

}  // namespace

// What the result's userData points to.
struct ImportIncluder::Entered {
  std::string message;
  bool is_entered = false;
};

std::string SafeName(std::string_view name) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') {
      safe += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      safe += c;
    }
  }
  return safe;
}

ImportIncluder::ImportIncluder(const worker::Action& action, const std::string& root, std::vector<NamedText>& texts)
    : action_(action), texts_(texts), stack_{root} {
  for (const worker::Import& import : action.imports) {
    imports_[{import.from, import.spelled, import.is_angled}] = &import;
  }
  // The compiler keeps the names it was given: rows must not move.
  texts_.reserve(action.inputs.size() + 1);
}

ImportIncluder::~ImportIncluder() = default;

ImportIncluder::IncludeResult* ImportIncluder::includeLocal(const char* spelled, const char*, size_t) {
  IncludeResult* result = Include(spelled, false);
  local_failed_ = result->headerName.empty();
  if (local_failed_) local_failure_.assign(result->headerData, result->headerLength);
  return result;
}

ImportIncluder::IncludeResult* ImportIncluder::includeSystem(const char* spelled, const char*, size_t) {
  // glslang tries a quoted name here once more; capture has already decided what a quoted name means.
  if (local_failed_) {
    local_failed_ = false;
    return Fail(local_failure_);
  }
  return Include(spelled, true);
}

void ImportIncluder::releaseInclude(IncludeResult* result) {
  if (result == nullptr) return;
  const std::unique_ptr<Entered> entered(static_cast<Entered*>(result->userData));
  if (entered->is_entered && stack_.size() > 1) {
    stack_.pop_back();
    entered_.pop_back();
  }
  delete result;
}

ImportIncluder::IncludeResult* ImportIncluder::Include(std::string_view spelled, bool is_angled) {
  if (++count_ > kMaxIncludes) return Fail("more than 16384 includes in one compilation");
  const auto found = imports_.find({stack_.back(), spelled, is_angled});
  const bool is_known = found != imports_.end();
  if (stack_.size() > kMaxDepth) {
    return is_known ? FailTooDeep(*found->second) : Fail("includes nest deeper than 128");
  }
  const worker::Import import =
      is_known ? *found->second : worker::Import{stack_.back(), std::string(spelled), is_angled, ""};
  if (seen_.insert(import).second) {
    consulted.push_back(import);
    if (!is_known) unresolved.push_back(import);
  }
  if (!is_known) return Give({"unresolved", "", ""}, kNothing, false);
  if (import.to.empty()) return Fail("no such file");
  const NamedText* text = TextOf(import.to);
  if (text == nullptr) return Fail("the captured module '" + import.to + "' was not sent");
  if (once_.count(import.to) != 0) return Give(*text, kNothing, false);
  if (HasPragmaOnce(text->text)) once_.insert(import.to);
  if (text->text.empty()) return Give(*text, kNothing, false);
  stack_.push_back(import.to);
  entered_.push_back(found->second);
  return Give(*text, text->text, true);
}

// More levels than there may be modules along a chain: some module is on the stack twice, and what lies between goes in
// a circle.
ImportIncluder::IncludeResult* ImportIncluder::FailTooDeep(const worker::Import& last) {
  std::vector<const worker::Import*> ways = entered_;
  ways.push_back(&last);
  for (size_t end = ways.size(); cycle.empty() && end-- > 0;) {
    for (size_t begin = end + 1; begin-- > 0;) {
      if (stack_[begin] != ways[end]->to) continue;
      for (size_t i = begin; i <= end; ++i) cycle.push_back(*ways[i]);
      break;
    }
  }
  return Fail("includes nest deeper than 128");
}

ImportIncluder::IncludeResult* ImportIncluder::Fail(std::string message) {
  auto* entered = new Entered{std::move(message), false};
  return new IncludeResult("", entered->message.data(), entered->message.size(), entered);
}

ImportIncluder::IncludeResult* ImportIncluder::Give(const NamedText& text, std::string_view bytes, bool is_entered) {
  return new IncludeResult(text.shown, bytes.data(), bytes.size(), new Entered{"", is_entered});
}

const NamedText* ImportIncluder::TextOf(const std::string& module) {
  for (const NamedText& text : texts_) {
    if (text.module == module) return &text;
  }
  const std::string* bytes = FindInput(action_, module);
  if (bytes == nullptr) return nullptr;
  texts_.push_back({SafeName(module), module, WithoutMark(*bytes)});
  return &texts_.back();
}

}  // namespace kiln::toolchain
