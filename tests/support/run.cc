// SPDX-License-Identifier: Apache-2.0
#include "support/run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kiln::test {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void Child(const std::vector<std::string>& argv, const RunOptions& options, int in, int out, int err) {
  setpgid(0, 0);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  for (const std::string& entry : options.environment) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      unsetenv(entry.c_str());
    } else {
      setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
  }
  if (!options.out_file.empty()) out = open(options.out_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  signal(SIGPIPE, SIG_DFL);
  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(127);
}

void MakePipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
}

}  // namespace

RunResult RunProgram(const std::vector<std::string>& argv, const RunOptions& options) {
  int in[2], out[2], err[2];
  MakePipe(in);
  MakePipe(out);
  MakePipe(err);
  signal(SIGPIPE, SIG_IGN);
  const pid_t pid = fork();
  if (pid == 0) Child(argv, options, in[0], out[1], err[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  if (options.is_out_closed) {
    close(out[0]);
    out[0] = -1;
  }

  RunResult result;
  std::string_view input = options.input;
  bool is_in_open = true;
  bool is_signalled = options.signal == 0;
  const auto start = std::chrono::steady_clock::now();
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  while (out[0] >= 0 || err[0] >= 0) {
    if (is_in_open && input.empty()) {
      close(in[1]);
      is_in_open = false;
    }
    pollfd fds[3] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}, {is_in_open ? in[1] : -1, POLLOUT, 0}};
    poll(fds, 3, 20);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    if (!is_signalled && elapsed >= options.signal_after) {
      kill(pid, options.signal);
      is_signalled = true;
    }
    if (elapsed > options.timeout) {
      kill(-pid, SIGKILL);
      result.is_timed_out = true;
    }
    for (int i = 0; i < 2; ++i) {
      if (fds[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t count = read(fds[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        (i == 0 ? result.out : result.err).append(buffer, static_cast<size_t>(count));
      } else if (count == 0) {
        int& fd = i == 0 ? out[0] : err[0];
        close(fd);
        fd = -1;
      }
    }
    if (fds[2].revents != 0) {
      const ssize_t count = write(in[1], input.data(), input.size());
      if (count > 0) {
        input.remove_prefix(static_cast<size_t>(count));
      } else if (errno != EAGAIN) {
        input = {};
      }
    }
  }
  if (is_in_open) close(in[1]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

bool HasProgram(const std::string& name) {
  return RunProgram({"sh", "-c", "command -v \"$1\" >/dev/null", "sh", name}).exit == 0;
}

TempFolder::TempFolder() : TempFolder(fs::temp_directory_path().string()) {}

TempFolder::TempFolder(const std::string& parent) {
  std::string pattern = parent + "/kiln-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = fs::canonical(pattern).string();
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void WriteFile(const std::string& path, std::string_view text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool Exists(const std::string& path) { return fs::exists(fs::symlink_status(path)); }

std::vector<std::string> FilesUnder(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string TreeDigest(const std::string& folder) {
  std::string text;
  for (const std::string& file : FilesUnder(folder)) {
    const std::string bytes = ReadFile(folder + "/" + file);
    text += file + " " + std::to_string(bytes.size()) + " " + std::to_string(std::hash<std::string>()(bytes)) + "\n";
  }
  return text;
}

std::string KilnTool() { return KILN_TOOL; }

RunResult Project::Kiln(std::vector<std::string> arguments, RunOptions options) const {
  arguments.insert(arguments.begin(), KilnTool());
  if (options.folder.empty()) options.folder = folder();
  options.environment.insert(options.environment.begin(), "KILN_CACHE_DIR=" + cache());
  for (const char* name : {"MAKEFLAGS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"}) {
    options.environment.insert(options.environment.begin(), name);
  }
  return RunProgram(arguments, options);
}

}  // namespace kiln::test
