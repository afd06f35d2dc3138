// SPDX-License-Identifier: Apache-2.0
//
// Who may die when is as in keeper_linux.cc. The note is `HOLDFAST_KEEPER=life,owner,ready,gate`:
// the values of four inherited handles. Through the gate come first the order, one line, and then,
// from confirm(), one byte; its end without that byte says that the caller is gone.
//
//   KIND TOKEN RENEW_NS LEDGER\n
#include "lock/grant/keeper.h"

#include <array>
#include <charconv>
#include <span>

#include "base/budget.h"
#include "base/path_text.h"
#include "lock/grant/by_token.h"
#include "lock/grant/identity.h"
#include "lock/ledger/layout.h"
#include "lock/ledger/seat.h"
#include "os/file/file.h"
#include "os/process/background.h"
#include "os/process/pidfd.h"
#include "os/spawn/env.h"
#include "os/spawn/inherited.h"
#include "os/spawn/program.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::lock {
namespace {

constexpr const char* kNote = "HOLDFAST_KEEPER";
constexpr std::string_view kReady = "ready";
constexpr std::string_view kConfirmed = "c";
constexpr std::string_view kNamed = "named";
constexpr std::string_view kFile = "file";
constexpr Duration kBytePatience = std::chrono::seconds(2);
constexpr std::size_t kMaxOrder = std::size_t{1} << 17U;
constexpr std::chrono::milliseconds kReadyPatience = std::chrono::seconds(30);

Error no_keeper(const std::string& label, std::string why) {
  return {.code = ErrorCode::kOsRefused,
          .op = "start a keeper for",
          .subject = label,
          .cause = "no-keeper",
          .detail = std::move(why)};
}

std::optional<std::uint64_t> take_number(std::string_view& text, char behind) {
  std::uint64_t value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (behind == '\0') return text.empty() ? std::optional(value) : std::nullopt;
  if (text.empty() || text.front() != behind) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

struct Order {
  ChainEntry::Kind kind = ChainEntry::Kind::kNamed;
  Id128 token;
  std::optional<Duration> renew_every{};
  std::string ledger;
};

std::string to_line(const Order& order) {
  const bool named = order.kind == ChainEntry::Kind::kNamed;
  return std::string(named ? kNamed : kFile) + " " + to_hex(order.token) + " " +
         std::to_string(order.renew_every.value_or(Duration::zero()).count()) + " " + order.ledger +
         "\n";
}

std::optional<Order> parse_order(std::string_view line) {
  Order order;
  const std::string_view kind = take_word(line);
  if (kind != kNamed && kind != kFile) return std::nullopt;
  order.kind = kind == kNamed ? ChainEntry::Kind::kNamed : ChainEntry::Kind::kFile;
  const auto token = parse_id128(take_word(line));
  const auto every = take_number(line, ' ');
  if (!token || !every || !is_absolute_path(line)) return std::nullopt;
  order.token = *token;
  if (*every != 0) order.renew_every = Duration(static_cast<std::int64_t>(*every));
  order.ledger = line;
  return order;
}

std::string note_of(std::span<const os::NativeHandle> handles) {
  std::string values;
  for (const os::NativeHandle handle : handles) {
    if (!values.empty()) values += ',';
    values += std::to_string(handle);
  }
  return std::string(kNote) + '=' + values;
}

// In the keeper.
class Watch {
 public:
  Watch(Place place, Order order, os::Handle owner, const Clock& clock, EventSink* events)
      : place_(std::move(place)),
        order_(std::move(order)),
        owner_(std::move(owner)),
        clock_(clock),
        events_(events) {
    if (order_.renew_every) renew_at_ = clock_.mono() + *order_.renew_every;
  }

  // The byte that goes with life (seat.h), which the caller gives back when it leaves: who waits
  // for it waits for us from then on, and on a sidecar it is what keeps users of msvcrt.locking
  // out. Between the two somebody else may get it: one of ours gives it back at once, since life is
  // denied; another tool is a limit of the sidecar on Windows.
  void take_byte() {
    auto ledger = Ledger::open(place_);
    if (!ledger || !*ledger) return;
    ledger_.emplace(std::move(**ledger));
    const auto now = ledger_->read();
    if (!now) return;
    os::BlockOn byte{.kind = os::BlockOn::Kind::kByte,
                     .handle = ledger_->file().native(),
                     .offset = life_byte(now->record.epoch),
                     .share = share_of(now->record.mode)};
    if (place_.sidecar) {
      auto opened = open_sidecar(place_, Make::kYes);
      if (!opened || !*opened) return;
      sidecar_.emplace(std::move((*opened)->file));
      byte.kind = os::BlockOn::Kind::kFlock;
      byte.handle = sidecar_->native();
    }
    const auto got = os::blocked_wait(byte, nullptr, 0, nullptr, clock_.mono() + kBytePatience);
    static_cast<void>(got);  // without it, others look again and again
  }

  // Until there is nothing left to hold.
  void run() {
    take_byte();
    for (;;) {
      const os::SharedWord* word = nullptr;
      std::uint32_t seen = 0;
      if (ledger_) {
        const auto mapped = ledger_->moved();
        const auto value = mapped ? (*mapped)->load() : Result<std::uint32_t>(0);
        if (mapped && value) {
          word = *mapped;
          seen = *value;
        }
      }
      if (is_lost(check_by_token(place_, order_.token, clock_))) return;
      const auto ended = os::has_ended(owner_);
      if (ended && *ended) return release();
      if (renew_at_ && clock_.mono() >= *renew_at_) {
        const auto renewed =
            renew_by_token(place_, order_.token, Lock::Beat::kAlive, std::nullopt, clock_);
        if (is_lost(renewed)) return;
        renew_at_ = clock_.mono() + *order_.renew_every;
      }
      const os::BlockOn end{.kind = os::BlockOn::Kind::kReadable, .handle = owner_.get()};
      const auto woken = os::blocked_wait(end, word, seen, nullptr, renew_at_);
      static_cast<void>(woken);  // whatever it was, the next round sees it
    }
  }

  // Life goes with this process, right behind it.
  void release() {
    const auto released = release_by_token(place_, order_.token, clock_, events_);
    static_cast<void>(released);  // then the record names an owner that is dead
  }

 private:
  // Not being able to tell is no reason to let go.
  static bool is_lost(const Result<TokenResult>& result) {
    return result &&
           (result->answer == TokenAnswer::kNotHolder || result->answer == TokenAnswer::kNoLock);
  }

  Place place_;
  Order order_;
  os::Handle owner_;
  const Clock& clock_;
  EventSink* events_;
  std::optional<MonoTime> renew_at_;
  std::optional<Ledger> ledger_;
  std::optional<os::File> sidecar_;
};

Result<std::string> read_line(const os::Handle& gate) {
  std::string line;
  std::array<char, 1> byte{};
  while (line.size() < kMaxOrder) {
    if (HF_TRY(os::read_pipe(gate, byte)) == 0) break;
    if (byte[0] == '\n') return line;
    line += byte[0];
  }
  return fail(no_keeper("a lock", "the order did not come"));
}

Result<> answer(os::Handle ready, std::string_view text) {
  return os::File(std::move(ready), "the pipe of the keeper").write_all(text);
}

Result<> keep(const os::Handle& gate, os::Handle ready, os::Handle owner, const Clock& clock,
              EventSink* events) {
  forget_budget();  // the lock outlives the command that got it
  auto set_up = [&]() -> Result<Watch> {
    HF_TRY(os::enter_background("hf-keeper"));
    const std::string line = HF_TRY(read_line(gate));
    auto order = parse_order(line);
    if (!order) return fail(no_keeper("a lock", "the order cannot be read"));
    Place place = HF_TRY(place_of_ledger(order->kind, order->ledger));
    return Watch(std::move(place), std::move(*order), std::move(owner), clock, events);
  };
  auto watch = set_up();
  if (!watch) return answer(std::move(ready), to_sentence(watch.error()));
  HF_TRY(answer(std::move(ready), kReady));
  std::array<char, 1> byte{};
  const auto confirmed = os::read_pipe(gate, byte);
  if (confirmed && *confirmed == 1) {
    watch->run();
  } else {
    watch->release();
  }
  return {};
}

Result<> wait_until_ready(const std::string& label, os::Handle ready) {
  std::string text;
  std::array<char, 512> piece{};
  while (text != kReady) {
    if (!HF_TRY(os::wait_readable({&ready}, kReadyPatience))) {
      return fail(no_keeper(label, "it does not answer; " + text));
    }
    const std::size_t got = HF_TRY(os::read_pipe(ready, piece));
    if (got == 0) break;
    text.append(piece.data(), got);
  }
  if (text == kReady) return {};
  return fail(no_keeper(label, text.empty() ? "it ended at once" : text));
}

Result<> name_in_record(LocalLock& lock, const proc::Identity& owner, os::Pid keeper) {
  // It is our own child, whose handle we have, so the number means it.
  const auto identity = HF_TRY(proc::identity_of(keeper));
  if (!identity) return fail(no_keeper(lock.label(), "it ended at once"));
  if (HF_TRY(lock.hand_over(to_record(owner), to_record(*identity))) == Owned::kYes) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = "hand over",
               .subject = lock.label(),
               .cause = "lost",
               .detail = "it was taken from this process right after the grant"});
}

}  // namespace

Result<Keeper> Keeper::start(LocalLock& lock, proc::Pinned owner, const KeeperOptions& options) {
  if (!owner.pidfd.valid() || lock.life() == os::HandleTraits::nothing()) {
    return fail(no_keeper(lock.label(), "its owner cannot be watched, or it has no life to keep"));
  }
  os::Pipe ready = HF_TRY(os::make_pipe());
  os::Pipe gate = HF_TRY(os::make_pipe());
  const os::Handle nothing = HF_TRY(os::open_nothing());
  const std::array handles{lock.life(), owner.pidfd.get(), ready.write_end.get(),
                           gate.read_end.get()};
  os::SpawnRequest request;
  request.argv = {HF_TRY(os::own_program_path())};
  request.argv.insert(request.argv.end(), options.again.begin(), options.again.end());
  request.environment = {note_of(handles)};
  request.inherit = {handles.begin(), handles.end()};
  request.stdin_from = os::StdinFrom::kNothing;
  request.stdout_to = os::StdoutTo::kHandle;
  request.output = nothing.get();
  request.stderr_to = os::StderrTo::kHandle;
  request.errors = nothing.get();
  request.session = os::SpawnSession::kNew;
  auto spawned = os::spawn(request);
  if (!spawned) return fail(no_keeper(lock.label(), to_sentence(spawned.error())));
  os::OwnChild child{.pid = spawned->child().pid, .pidfd = {}};
  auto pinned = HF_TRY(os::open_pidfd(child.pid));
  if (!pinned) return fail(no_keeper(lock.label(), "it ended at once"));
  child.pidfd = std::move(*pinned);
  Keeper keeper(std::move(child), std::move(gate.write_end));
  HF_TRY(spawned->release());
  ready.write_end.reset();
  gate.read_end.reset();
  const Order order{.kind = lock.place().kind,
                    .token = lock.grant()->token,
                    .renew_every = options.renew_every,
                    .ledger = lock.ledger_path()};
  const auto sent = os::write_some(keeper.gate_, to_line(order));
  static_cast<void>(sent);  // it is gone: the end of the other pipe says so
  HF_TRY(wait_until_ready(lock.label(), std::move(ready.read_end)));
  HF_TRY(name_in_record(lock, owner.identity, keeper.pid()));
  return keeper;
}

Keeper::~Keeper() {
  if (gate_.valid()) end();
}

// The gate is open meanwhile: a keeper that saw its end would release the lock.
void Keeper::end() const {
  const auto killed = os::signal_pidfd(child_.pidfd, os::kSignalKill);
  const auto ended = os::wait_readable({&child_.pidfd}, kReadyPatience);
  static_cast<void>(killed);  // gone already
  static_cast<void>(ended);
}

Result<> Keeper::confirm(LocalLock& lock) {
  os::File gate(os::Handle(gate_.release()), "the gate of the keeper");
  if (!gate.write_all(kConfirmed)) {
    end();
    return fail(no_keeper(lock.label(), "it ended before the lock was handed over"));
  }
  lock.leave();
  return {};
}

Result<bool> keep_if_asked(const Clock& clock, EventSink* events) {
  const auto note = os::env(kNote);
  if (!note) return false;
  HF_TRY(os::take_env_away(kNote));
  std::string_view text = *note;
  const auto life = take_number(text, ',');
  const auto owner = take_number(text, ',');
  const auto ready = take_number(text, ',');
  const auto gate = take_number(text, '\0');
  const auto bad = [&] {
    return fail({.code = ErrorCode::kRefused,
                 .op = "keep a lock by",
                 .subject = kNote,
                 .cause = "bad-note",
                 .detail = "this variable is holdfast's own; nothing was locked"});
  };
  if (!life || !owner || !ready || !gate) return bad();
  auto ready_end = os::adopt_handed_over(*ready);
  auto gate_end = os::adopt_handed_over(*gate);
  if (!ready_end || !gate_end) return bad();
  // Life is held by being open; it is closed by the end of this process and by nothing before.
  os::Handle owner_handle(static_cast<os::NativeHandle>(*owner));
  if (!os::has_ended(owner_handle)) {
    static_cast<void>(owner_handle.release());
    return bad();
  }
  HF_TRY(keep(*gate_end, std::move(*ready_end), std::move(owner_handle), clock, events));
  return true;
}

}  // namespace holdfast::lock
