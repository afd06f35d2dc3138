// SPDX-License-Identifier: Apache-2.0
#include <holdfast/holdfast.hpp>

#include <iostream>
#include <string>
#include <thread>
#include <utility>

namespace {

int failures = 0;

void check(bool so, const char* what) {
  if (so) return;
  std::cerr << "not so: " << what << "\n";
  ++failures;
}

template <typename Exception, typename Act>
void throws(const char* cause, const Act& act) {
  try {
    act();
  } catch (const Exception& error) {
    check(error.cause() == cause, error.what());
    return;
  }
  check(false, cause);
}

void locks(holdfast::Home& home) {
  holdfast::Lock first(home, "deploy");
  holdfast::Lock second(home, "deploy");
  {
    const auto held = first.hold();
    check(!second.try_acquire(), "a held lock is not given");
    throws<holdfast::Busy>("timeout", [&] { second.acquire(holdfast::Milliseconds(20)); });
    check(first.grant().fence > 0 && first.check(), "it is held");
    holdfast::Cancel cancel;
    std::thread other([&] { throws<holdfast::Busy>("cancelled", [&] { second.acquire(holdfast::kForever, &cancel); }); });
    cancel.raise();
    other.join();
  }
  check(second.try_acquire(), "it is free behind the scope");
  throws<holdfast::NotThere>("not-held", [&] { first.release(); });
  holdfast::Lock moved = std::move(second);
  moved.release();
  check(!moved.check(), "it is released");
  auto file = holdfast::Lock::of_file(home, "state.json");
  const auto held = file.hold();
  auto options = holdfast::file_options();
  options.fence = file.get();
  home.replace("state.json", "{}", options);
}

void files(holdfast::Home& home) {
  auto create = holdfast::file_options();
  create.flags = HOLDFAST_CREATE;
  home.update("counter", [](std::string_view old) { return std::string(old) + "x"; }, create);
  throws<holdfast::NotThere>("enoent", [&] { home.update("none", [](std::string_view) { return "x"; }); });
  bool thrown = false;
  try {
    home.update("counter", [](std::string_view) -> std::string { throw 7; });
  } catch (int seven) {
    thrown = seven == 7;
  }
  check(thrown, "what the function throws comes out");
  throws<holdfast::Error>("embedded-nul", [&] { home.replace(std::string("a\0b", 3), "x"); });
  home.put_block("rc.sh", "tool/a", "A=1\n", create);
  check(home.get_block("rc.sh", "tool/a") == "A=1\n", "the block is there");
  home.append_ledger("l.json", R"({"k":"a"})", 5);
  check(home.last_of_ledger("l.json", {"k=a"}).has_value(), "the entry is there");
  check(!home.last_of_ledger("l.json", {"k=b"}).has_value(), "another is not");
}

void the_rest(holdfast::Home& home) {
  const std::string me = holdfast::identify();
  check(holdfast::alive(me) == holdfast::Life::kLive, "this process lives");
  throws<holdfast::Refused>("caller", [&] { home.kill(me); });
  throws<holdfast::Error>("bare-pid", [] { holdfast::alive("1"); });
  check(home.append_journal("x.cpp") > 0, "it is on record");
  check(home.query_journal().find("x.cpp") != std::string::npos, "and is found");
  home.start_session("three", {"sh", "-c", "exit 3"});
  check(home.wait_session("three") == 3, "a session says its own code");
  throws<holdfast::NotThere>("no-such-session", [&] { home.wait_session("none"); });
  check(home.command({"locks", "--all"}).find("deploy") != std::string::npos, "a command answers");
}

}  // namespace

int main() {
  try {
    holdfast::Home home;
    locks(home);
    files(home);
    the_rest(home);
    home.flush();
  } catch (const holdfast::Error& error) {
    std::cerr << error.code() << " " << error.cause() << ": " << error.what() << "\n";
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
