// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <gtest/gtest.h>

#include <map>

namespace kiln {
namespace {

UserFolders Folders(const std::map<std::string, std::string>& variables) {
  return FindUserFolders([&](const char* name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    if (it == variables.end()) return std::nullopt;
    return it->second;
  });
}

TEST(Environment, OwnVariableThenXdgThenHome) {
  EXPECT_EQ(Folders({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}, {"KILN_CACHE_DIR", "/k"}}).cache, "/k");
  EXPECT_EQ(Folders({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}, {"KILN_CACHE_DIR", ""}}).cache, "/x/kiln");
  EXPECT_EQ(Folders({{"HOME", "/h"}}).config, "/h/.config/kiln");
  EXPECT_EQ(Folders({{"HOME", "/h"}, {"XDG_STATE_HOME", "/s"}}).state, "/s/kiln");
#if defined(__APPLE__)
  EXPECT_EQ(Folders({{"HOME", "/h"}}).cache, "/h/Library/Caches/kiln");
#else
  EXPECT_EQ(Folders({{"HOME", "/h"}}).cache, "/h/.cache/kiln");
#endif
}

TEST(Environment, RelativeXdgValuesAreIgnored) {
  EXPECT_EQ(Folders({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "x"}}).config, "/h/.config/kiln");
  EXPECT_EQ(Folders({{"XDG_CACHE_HOME", "x"}}).cache, "");
  EXPECT_EQ(Folders({}).state, "");
}

}  // namespace
}  // namespace kiln
