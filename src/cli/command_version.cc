// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "cli/command.h"
#include "cli/session.h"
#include "cli/toolchains.h"

namespace kiln::cli {

namespace {

class VersionCommand final : public Command {
 public:
  void AddOptions(OptionTable& table) override {
    table.Flag("--json", &is_json_, "print as JSON, with the toolchain sets and their compilers' versions");
  }
  Exit Run(Session& session) override {
    if (!is_json_) {
      session.Out("kiln " KILN_VERSION "\n");
      return Exit::kFine;
    }
    std::string out;
    json::Writer writer(out, json::Layout::kIndented);
    writer.BeginObject().Member("name", "kiln").Member("version", KILN_VERSION);
    writer.Key("toolchainSets").BeginArray();
    for (const worker::ToolchainSet& set : FindToolchains(session).sets) {
      writer.BeginObject().Member("name", set.name()).Member("digest", set.digest);
      writer.Member("adapterRevision", set.identity.adapter_revision);
      writer.Key("toolchains").BeginArray();
      for (const worker::Toolchain& toolchain : set.identity.toolchains) {
        writer.BeginObject().Member("name", toolchain.name).Member("version", toolchain.version).EndObject();
      }
      writer.EndArray().EndObject();
    }
    writer.EndArray().EndObject();
    session.Out(out + "\n");
    return Exit::kFine;
  }

 private:
  bool is_json_ = false;
};

}  // namespace

extern const CommandInfo kVersionCommand{"version", "print the version; --json adds every compiler's", "",
                                         [] { return std::unique_ptr<Command>(new VersionCommand); }};

}  // namespace kiln::cli
