// SPDX-License-Identifier: Apache-2.0
// Paths as bytes with '/' between names; everything here is lexical and never asks the disk, so a link can make two
// different paths one file (Disk::RealPath knows). The empty path is ".".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::path {

bool IsAbsolute(std::string_view path);

/// `base` + '/' + `path`; `path` alone where it is absolute or `base` is empty. Not normalised.
std::string Join(std::string_view base, std::string_view path);

/// Without ".", doubled or trailing slashes, and with ".." resolved against the names before it. A relative path keeps
/// its leading ".."; an absolute one drops them; the path to itself is ".".
std::string Normalise(std::string_view path);

/// The normalised absolute form of `path` as seen from the absolute folder `base`.
std::string Absolute(std::string_view base, std::string_view path);

/// How to reach `path` from the folder `from`; both absolute or both relative to one place. "." where they are equal.
std::string Relative(std::string_view from, std::string_view path);

/// Whether the normalised `path` is `folder` or lies under it.
bool IsInside(std::string_view path, std::string_view folder);

/// All before the last name: "a/b" of "a/b/c.glsl", "." of "c.glsl", "/" of "/a".
std::string_view Parent(std::string_view path);
/// The last name: "c.glsl".
std::string_view FileName(std::string_view path);
/// From the last '.' of the last name, with it: ".glsl"; empty for "name" and ".hidden".
std::string_view Extension(std::string_view path);
/// The last name without Extension.
std::string_view Stem(std::string_view path);

/// The names between the slashes, without empty ones.
std::vector<std::string_view> Names(std::string_view path);
std::vector<std::string_view> Names(std::string&& path) = delete;  // the names would outlive it

/// Why `path` cannot name a file on the systems we publish to ("a name of 300 bytes; 255 is the limit"); nullopt where
/// it can. Newlines and non-ASCII names are fine.
std::optional<std::string> WhyUnusable(std::string_view path);

}  // namespace kiln::path
