// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_wrap.h"

#include "base/cause.h"
#include "cli/session/run_answer.h"
#include "format/json/json.h"
#include "format/session/outcome.h"
#include "os/process/pid.h"
#include "os/spawn/env.h"
#include "proc/identity/identity.h"
#include "run/session/run_child.h"
#include "runtime/runtime.h"
#include "session/workspace/workspace_new.h"
#include "supervise/wrap.h"

namespace holdfast::cli {
namespace {

using session::kAttachedVariable;

class BindToCommand final : public supervise::CallerHooks {
 public:
  BindToCommand(const session::SessionStore& store, const std::string& name, const Id128& token)
      : store_(store), name_(name), token_(token) {}

  Result<> born(const supervise::Born& born) override {
    const auto identity = HF_TRY(proc::identity_of_child(born.command));
    if (identity) return session::rebind(store_, name_, token_, proc::to_record(*identity));
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "run the command in",
                 .subject = "'" + name_ + "'",
                 .cause = "child-gone",
                 .detail = "its process ended before it was let in; it did not run"});
  }

 private:
  const session::SessionStore& store_;
  const std::string& name_;
  const Id128& token_;
};

class AttachedCommand {
 public:
  AttachedCommand(Context& context, const session::SessionStore& sessions, const std::string& name)
      : context_(context), clock_(context.runtime().clock()), sessions_(sessions), name_(name) {}

  Result<int> attach(const session::AttachRequest& request, AttachAs as,
                     const std::vector<std::string>& command) {
    const bool resumes = as == AttachAs::kResume;
    const session::SessionStore& store = sessions_;
    session::AttachRequest wanted = request;
    wanted.command = !command.empty();
    auto attached = HF_TRY(resumes ? session::resume(store, name_, wanted, clock_)
                                   : session::attach(store, name_, wanted, clock_));
    token_ = attached.token;
    directory_ = HF_TRY(session::directory_of(store, attached.record));
    fields_ = {{"name", bytes_to_json(name_)},
               {"dir", bytes_to_json(directory_)},
               {"token", to_hex(token_)},
               {"guest", request.guest},
               {"resume_id", resumes ? bytes_to_json(*attached.record.resume_id) : Json(nullptr)},
               {"resumes", attached.record.resumes},
               {"left", nullptr},
               {"state", nullptr},
               {"exit_code", nullptr},
               {"signal", nullptr},
               {"pid", nullptr}};
    if (!command.empty()) return run(attached, request, as, command);
    context_.emit(fields_);
    context_.print((resumes ? *attached.record.resume_id : to_hex(token_)) + "\n");
    if (auto read = context_.flush(); !read) {
      leave();  // nobody has the token
      return fail(std::move(read).error());
    }
    tell_attached(attached.record, request, as);
    if (!attached.not_durable) return to_int(ExitCode::kDone);
    context_.report(*attached.not_durable);
    return to_int(ExitCode::kNotDurable);
  }

 private:
  Result<int> run(session::Attached& attached, const session::AttachRequest& request, AttachAs as,
                  const std::vector<std::string>& command) {
    supervise::WrapRequest wrap{.argv = command};
    wrap.environment = {"HOLDFAST_WORKSPACE=" + name_, "HOLDFAST_WORKSPACE_DIR=" + directory_,
                        "HOLDFAST_TOKEN=" + to_hex(token_)};
    auto chain = session::decode_below(os::env(kAttachedVariable).value_or(""));
    if (!chain) {
      attached.below.reset();
      leave();
      return not_run(chain.error());
    }
    chain->push_back(attached.entry);
    wrap.environment.push_back(std::string(kAttachedVariable) + "=" +
                               session::encode_below(*chain));
    const os::NativeHandle below = session::handle_of(attached.below);
    if (below != os::HandleTraits::nothing()) wrap.inherit.push_back(below);
    // The token is not that of a lock which this may run under.
    wrap.environment_without = {"HOLDFAST_LOCK"};
    if (as == AttachAs::kResume) {
      wrap.environment.push_back("HOLDFAST_RESUME_ID=" + *attached.record.resume_id);
    } else {
      wrap.environment_without.emplace_back("HOLDFAST_RESUME_ID");
    }
    if (context_.json()) wrap.stdout_to = os::StdoutTo::kStderr;
    tell_attached(attached.record, request, as);
    BindToCommand caller_hooks(sessions_, name_, token_);
    auto report = run::run_child(clock_, wrap, caller_hooks);
    attached.below.reset();  // the command's own copies are left, if anybody has them
    const auto left = leave();
    fields_["token"] = nullptr;
    if (left) fields_["left"] = *left;
    if (!report) return not_run(std::move(report).error());
    const supervise::Verdict verdict = supervise::judge(*report);
    if (verdict.by == supervise::By::kCommand) context_.code_is_the_commands();
    const Json ran = run_fields(*report, verdict);
    for (const char* key : {"state", "exit_code", "signal", "pid"}) fields_[key] = ran[key];
    context_.emit(fields_);
    if (const auto error = run_error(*report, verdict, command.front())) context_.report(*error);
    return verdict.code;
  }

  // As a wrapper says it: 70, 71 and 74 could be the command's own.
  int not_run(const Error& error) {
    context_.emit(fields_);
    context_.report(error);
    return to_int(code_before_start(error.code));
  }

  // How many are attached still; nullopt where it cannot be told.
  std::optional<std::size_t> leave() {
    const auto left = session::leave(sessions_, name_, token_);
    if (left && left->stays) return std::nullopt;
    if (left) {
      const std::size_t others = left->detached.left;
      tell_or_warn(context_, {.type = "workspace.detached",
                              .data = EventData().text("name", name_).count("left", others)});
      return others;
    }
    // The command may have left by itself, ended the workspace, or outlived it.
    const std::string& cause = left.error().cause;
    if (cause != cause::kNotAttached && cause != cause::kNoSuchWorkspace) {
      context_.warn(
          "the command has ended, but that could not be recorded, so the attachment goes "
          "when somebody else finds it dead: " +
          to_sentence(left.error()));
    }
    return std::nullopt;
  }

  void tell_attached(const WorkspaceRecord& record, const session::AttachRequest& request,
                     AttachAs as) {
    EventData data;
    data.text("name", name_).text("dir", directory_).flag("guest", request.guest);
    if (request.process) data.number("pid", request.process->pid);
    if (!request.what.empty()) data.text("what", request.what);
    if (as == AttachAs::kResume) data.count("resumes", record.resumes);
    tell_or_warn(context_,
                 {.type = as == AttachAs::kResume ? "workspace.resumed" : "workspace.attached",
                  .data = std::move(data)});
  }

  Context& context_;
  const Clock& clock_;
  const session::SessionStore& sessions_;
  const std::string& name_;
  Id128 token_{};
  std::string directory_;
  Json fields_;
};

}  // namespace

Result<int> attach_and_run(Context& context, const session::SessionStore& sessions,
                           const std::string& name, const session::AttachRequest& request,
                           AttachAs as, const std::vector<std::string>& command) {
  return AttachedCommand(context, sessions, name).attach(request, as, command);
}

}  // namespace holdfast::cli
