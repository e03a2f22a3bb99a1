// SPDX-License-Identifier: Apache-2.0
#include "build/executor.h"

#include <chrono>

#include "build/wgsl_runner.h"
#include "worker/encode.h"

namespace kiln::build {
namespace {

/// Makes the pool at the first action: a build that has everything starts no worker.
class LazyPool final : public ActionRunner {
 public:
  LazyPool(const worker::ToolchainSet& set, const worker::PoolOptions& options) : set_(set), options_(options) {}

  void Submit(worker::Action action, std::function<void(worker::ActionResult)> done) override {
    if (!pool_) pool_ = std::make_unique<worker::Pool>(options_);
    pool_->Submit(set_, action, std::move(done));
  }
  void Cancel() override {
    if (pool_) pool_->Cancel();
  }
  size_t workers_started() const override { return pool_ ? pool_->stats().workers_started : 0; }
  uint64_t peak_worker_bytes() const override { return pool_ ? pool_->stats().peak_worker_bytes : 0; }

 private:
  worker::ToolchainSet set_;
  worker::PoolOptions options_;
  std::unique_ptr<worker::Pool> pool_;
};

}  // namespace

std::unique_ptr<ActionRunner> PoolRunner(const worker::ToolchainSet& set, const worker::PoolOptions& options) {
  return WithWgsl(std::make_unique<LazyPool>(set, options));
}

store::Entry EntryOf(const worker::ActionResult& result) {
  store::Entry entry;
  for (const worker::Blob& blob : result.outputs) {
    store::Output output;
    output.name = blob.name;
    output.digest = Sha256Of(blob.bytes);
    output.size = blob.bytes.size();
    output.bytes = blob.bytes;
    entry.outputs.push_back(std::move(output));
  }
  entry.diagnostics = result.diagnostics;
  return entry;
}

worker::ActionResult ResultOf(store::Entry entry) {
  worker::ActionResult result;
  for (store::Output& output : entry.outputs) {
    result.outputs.push_back({std::move(output.name), std::move(output.bytes).value_or("")});
  }
  result.diagnostics = std::move(entry.diagnostics);
  return result;
}

Executor::Executor(store::Store& store, ActionRunner& runner, std::string toolchain_digest, size_t max_in_flight)
    : store_(store), runner_(runner), toolchain_digest_(std::move(toolchain_digest)), max_in_flight_(max_in_flight) {}

Executor::~Executor() {
  if (in_flight_ != 0) Cancel();
}

void Executor::Request(std::string operation, std::vector<std::pair<std::string, std::string>> options,
                       std::string input_name, std::shared_ptr<const std::string> input, const Digest& input_digest,
                       Then then) {
  const Digest key =
      Sha256Of(worker::CanonicalAction(toolchain_digest_, operation, options, {{input_name, input_digest.Hex()}}, {}));
  const auto asked = asked_.find(key);
  if (asked != asked_.end()) {
    asked->second.push_back(std::move(then));
    return;
  }
  if (auto kept = store_.Find(key)) {
    ++actions_cached_;
    then(ResultOf(std::move(*kept)), true);
    return;
  }
  asked_[key].push_back(std::move(then));
  Make make = [operation = std::move(operation), options = std::move(options), input_name = std::move(input_name),
               input = std::move(input)] {
    worker::Action action;
    action.operation = operation;
    action.options = options;
    action.inputs.push_back({input_name, *input});
    return action;
  };
  urgent_.emplace_back(std::move(make), [this, key](const worker::ActionResult& result, bool) {
    if (result.ok()) store_.Keep(key, EntryOf(result));
    // Taken out first: a continuation may ask for more.
    const std::vector<Then> waiting = std::move(asked_[key]);
    asked_.erase(key);
    for (const Then& each : waiting) each(result, false);
  });
  Pump();
}

void Executor::Submit(Make make, Then then) {
  later_.emplace_back(std::move(make), std::move(then));
  Pump();
}

void Executor::Pump() {
  while (!is_cancelled_ && in_flight_ < max_in_flight_ && !(urgent_.empty() && later_.empty())) {
    std::deque<Pending>& queue = urgent_.empty() ? later_ : urgent_;
    Pending next = std::move(queue.front());
    queue.pop_front();
    ++in_flight_;
    ++actions_run_;
    runner_.Submit(next.first(), [mailbox = mailbox_, then = std::move(next.second)](worker::ActionResult result) {
      const std::lock_guard lock(mailbox->mutex);
      mailbox->answers.push_back({std::move(result), then});
      mailbox->arrived.notify_one();
    });
  }
}

bool Executor::Wait(int milliseconds) {
  std::deque<Answer> answers;
  {
    std::unique_lock lock(mailbox_->mutex);
    mailbox_->arrived.wait_for(lock, std::chrono::milliseconds(milliseconds),
                               [&] { return !mailbox_->answers.empty(); });
    answers.swap(mailbox_->answers);
  }
  for (const Answer& answer : answers) {
    --in_flight_;
    if (!is_cancelled_) answer.then(answer.result, false);
  }
  Pump();
  return !answers.empty();
}

void Executor::Cancel() {
  is_cancelled_ = true;
  urgent_.clear();
  later_.clear();
  runner_.Cancel();
}

}  // namespace kiln::build
