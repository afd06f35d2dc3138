// SPDX-License-Identifier: Apache-2.0
#include "format/session/profile.h"
#include "base/path_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using ProfileWords = std::vector<std::string>;

std::optional<std::string> profile_variable(const std::string& name) {
  if (name == "HOME") return "/home/me";
  if (name == "SIZE") return "3G";
  return std::nullopt;
}

Result<Profile> profile_read(std::string_view text, std::string_view session = "s") {
  const ProfileFile file = HF_TRY(ProfileFile::parse(text, "p.toml"));
  return file.read(session, {.directory = "/base", .variables = profile_variable});
}

// One session with a command and more keys.
Result<Profile> profile_with(std::string_view keys) {
  return profile_read("[session.s]\ncommand = ['agent']\n" + std::string(keys));
}

std::string profile_refusal(const Result<Profile>& profile) {
  if (profile) return "none";
  EXPECT_FALSE(profile.error().detail.empty());
  return profile.error().subject + " " + profile.error().cause;
}

// "--option value" of each, in their order.
std::string typed(const std::vector<ProfileOption>& options) {
  std::string text;
  for (const ProfileOption& one : options) {
    text += (text.empty() ? "--" : " --") + one.option;
    if (!one.value.empty()) text += " " + one.value;
  }
  return text;
}

std::string run_of(std::string_view keys) {
  const auto profile = profile_with(keys);
  return profile ? typed(profile->run) : profile_refusal(profile);
}

TEST(Profile, CommandIsWordsOrALine) {
  const auto words = profile_read("[session.s]\ncommand = ['a', '~/b c', '${X}']\n");
  ASSERT_TRUE(words);
  EXPECT_EQ(words->command, (ProfileWords{"a", "~/b c", "${X}"}));
  EXPECT_FALSE(words->is_line);
  const auto line = profile_read("[session.s]\ncommand = 'a | b'\n");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, shell_words("a | b"));
  EXPECT_TRUE(line->is_line);
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\n")), "p.toml:1:1 toml-missing");
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\ncommand = []\n")), "p.toml:2:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\ncommand = ''\n")), "p.toml:2:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\ncommand = 7\n")), "p.toml:2:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\ncommand = \"a\\u0000b\"\n")),
            "p.toml:2:1 toml-type");
}

TEST(Profile, KeysStandForTheOptionsOfRun) {
  EXPECT_EQ(run_of("env = { A = '1', B = '${HOME}/x', C = '~' }"),
            "--env A=1 --env B=/home/me/x --env C=/home/me");
  EXPECT_EQ(run_of("chdir = 'work'\nstdin = '/t'"), "--chdir /base/work --stdin /t");
  EXPECT_EQ(run_of("chdir = '~/w'"), "--chdir /home/me/w");
  EXPECT_EQ(run_of("lock = 'a'\nlock_wait = 0"), "--lock a --wait 0");
  EXPECT_EQ(run_of("lock = ['b', 'a']"), "--lock b --lock a");
  EXPECT_EQ(run_of("lock = ['./x', '../x', '/x', 'y/x']"),
            "--lock /base/./x --lock /base/../x --lock /x --lock y/x");
  EXPECT_EQ(run_of("timeout = '1h'\nidle_timeout = '0.5s'\ngrace = 0"),
            "--timeout 1h --idle-timeout 0.5s --grace 0");
  EXPECT_EQ(run_of("kill_signal = 'INT'\nverify = 'make test'\nverify_timeout = 90"),
            "--kill-signal INT --verify make test --verify-timeout 90");
  EXPECT_EQ(run_of("on_end = 'echo'\npty = true\nwait_descendants = true"),
            "--on-end echo --pty --wait-descendants");
  EXPECT_EQ(run_of("on_failure = 'a'\non_success = 'b'\nonce_per_streak = true"),
            "--on-failure a --on-success b --once-per-streak");
  EXPECT_EQ(run_of("pty = false\nlog = true\nwait_descendants = false"), "");
  EXPECT_EQ(run_of("log = false\nlog_max = '1M'"), "--no-log --log-max 1M");
  EXPECT_EQ(run_of("limits = { memory = '2G', pids = 5, cpu = 1.5, nofile = 64 }"),
            "--memory 2G --pids 5 --cpu 1.5 --nofile 64");
  EXPECT_EQ(run_of("limits = { cpu = '150%', best_effort = true }\n"),
            "--cpu 150% --limits-best-effort");
}

TEST(Profile, WrongTypesAndValuesAreRefusedWhereTheyStand) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"env = 'A=1'", "p.toml:3:1 toml-type"},
      {"env = { A = 1 }", "p.toml:3:9 toml-type"},
      {"env = { 'A=B' = '1' }", "p.toml:3:9 bad-value"},
      {"env = { A = '${NONE}' }", "p.toml:3:9 unset-variable"},
      {"chdir = 1", "p.toml:3:1 toml-type"},
      {"chdir = ''", "p.toml:3:1 bad-value"},
      {"stdin = '${NONE}/x'", "p.toml:3:1 unset-variable"},
      {"lock = 1", "p.toml:3:1 toml-type"},
      {"lock = ['a', 1]", "p.toml:3:1 toml-type"},
      {"lock = ''", "p.toml:3:1 bad-value"},
      {"timeout = 'soon'", "p.toml:3:1 bad-value"},
      {"timeout = 0", "p.toml:3:1 bad-value"},
      {"timeout = -1", "p.toml:3:1 bad-value"},
      {"timeout = 1.5", "p.toml:3:1 toml-type"},
      {"idle_timeout = '0s'", "p.toml:3:1 bad-value"},
      {"kill_signal = 15", "p.toml:3:1 toml-type"},
      {"verify = ['make']", "p.toml:3:1 toml-type"},
      {"pty = 'yes'", "p.toml:3:1 toml-type"},
      {"log_max = 'big'", "p.toml:3:1 bad-value"},
      {"limits = 5", "p.toml:3:1 toml-type"},
      {"limits = { pids = 0 }", "p.toml:3:12 bad-value"},
      {"limits = { memory = true }", "p.toml:3:12 toml-type"},
      {"pty = true\nstdin = 'f'", "p.toml:4:1 bad-profile"},
  };
  for (const auto& [keys, says] : kWrong)
    EXPECT_EQ(profile_refusal(profile_with(keys)), says) << keys;
}

TEST(Profile, UnknownKeysAreRefusedWithTheNearest) {
  const std::pair<const char*, const char*> kMisspelt[] = {
      {"time_out = 1", "`timeout`"},
      {"limits = { memorx = '1G' }", "`memory`"},
      {"[[session.s.refresh]]\npath='a'\nform='b'", "`from`"},
      {"gc = { probes = 'x' }", "`probe`"},
      {"[[session.s.ensure]]\npath='a'\ntype='dir'\nmod='0700'", ""},
  };
  for (const auto& [keys, near] : kMisspelt) {
    const auto profile = profile_with(keys);
    ASSERT_FALSE(profile) << keys;
    EXPECT_NE(profile.error().detail.find(near), std::string::npos) << profile.error().detail;
  }
  EXPECT_EQ(profile_refusal(profile_read("[seszion.s]\ncommand = 'x'\n")),
            "p.toml:1:2 toml-unknown-key");
  EXPECT_EQ(profile_refusal(profile_read("[journal]\n[session.s]\ncommand = 'x'\n")),
            "p.toml:1:2 toml-unknown-key");
  EXPECT_EQ(profile_refusal(profile_read("[session.s]\ncomand = 'x'\n")),
            "p.toml:2:1 toml-unknown-key");
}

TEST(Profile, EnsureIsAManifestOrItsEntries) {
  EXPECT_EQ(profile_with("ensure = 'paths.toml'")->manifest, "/base/paths.toml");
  const auto inline_ones =
      profile_with("[[session.s.ensure]]\npath = 'd'\ntype = 'dir'\nmode = '0700'\n");
  ASSERT_TRUE(inline_ones) << to_sentence(inline_ones.error());
  ASSERT_EQ(inline_ones->ensure.size(), 1U);
  EXPECT_EQ(inline_ones->ensure[0].path, "/base/d");
  EXPECT_EQ(profile_refusal(profile_with("ensure = true")), "p.toml:3:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_with("ensure = ['a']")), "p.toml:3:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_with("[[session.s.ensure]]\npath='d'\ntype='x'\n")),
            "p.toml:5:1 bad-type");
  const std::string twice = "[[session.s.ensure]]\npath='d'\ntype='dir'\nmode='0700'\n";
  EXPECT_EQ(profile_refusal(profile_with(twice + twice)), "p.toml:7:1 duplicate-path");
}

TEST(Profile, RefreshIsWhatWriteWouldBeTold) {
  const auto profile = profile_with(
      "[[session.s.refresh]]\npath = 'a.json'\ncommand = 'gen'\ncheck = 'json'\nmode = '0600'\n"
      "backup = 2\nallow_empty = true\ntimeout = '5s'\n"
      "[[session.s.refresh]]\npath = '/b'\nfrom = 'c'\n");
  ASSERT_TRUE(profile) << to_sentence(profile.error());
  ASSERT_EQ(profile->refresh.size(), 2U);
  EXPECT_EQ(profile->refresh[0].path, "/base/a.json");
  EXPECT_EQ(profile->refresh[0].command, shell_words("gen"));
  EXPECT_EQ(typed(profile->refresh[0].options),
            "--check json --mode 0600 --backup 2 --allow-empty --timeout 5s");
  EXPECT_EQ(profile->refresh[0].options[1].place, "p.toml:7:1");
  EXPECT_EQ(typed(profile->refresh[1].options), "--from /base/c");
  const std::string one = "[[session.s.refresh]]\n";
  EXPECT_EQ(profile_refusal(profile_with(one + "command = 'x'")), "p.toml:3:1 toml-missing");
  EXPECT_EQ(profile_refusal(profile_with(one + "path = 'x'")), "p.toml:4:1 bad-profile");
  EXPECT_EQ(profile_refusal(profile_with(one + "path = 'x'\ncommand = 'x'\nfrom = 'y'")),
            "p.toml:6:1 bad-profile");
  EXPECT_EQ(profile_refusal(profile_with(one + "path = 'x'\ncommand = ['']")),
            "p.toml:5:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_with(one + "path = 'x'\ncommand = 'x'\nbackup = -1")),
            "p.toml:6:1 bad-value");
  EXPECT_EQ(profile_refusal(profile_with("refresh = 'x'")), "p.toml:3:1 toml-type");
}

TEST(Profile, LayersNeedTheirWordInTheCommandExactlyOnce) {
  const auto read_both = [](std::string_view command, std::string_view more = "layers = 'l.toml'") {
    return profile_read("[session.s]\ncommand = " + std::string(command) + "\n" +
                        std::string(more) + "\n");
  };
  const auto profile =
      read_both("['a', '{layers}', 'b']", "layers = 'l'\nlayers_format = 'compose'");
  ASSERT_TRUE(profile) << to_sentence(profile.error());
  EXPECT_EQ(profile->layers, "/base/l");
  EXPECT_TRUE(profile->layers_compose);
  EXPECT_FALSE(
      read_both("['a', '{layers}']", "layers = 'l'\nlayers_format = 'plain'")->layers_compose);
  for (const char* command :
       {"'a {layers}'", "['a']", "['{layers}']", "['a', '{layers}', '{layers}']"})
    EXPECT_EQ(profile_refusal(read_both(command)), "p.toml:2:1 bad-profile") << command;
  EXPECT_EQ(profile_refusal(read_both("['a', '{layers}']", "")), "p.toml:2:1 bad-profile");
  EXPECT_EQ(profile_refusal(profile_with("layers_format = 'plain'")), "p.toml:3:1 bad-profile");
  EXPECT_EQ(profile_refusal(profile_with("layers_format = 'nul'")), "p.toml:3:1 bad-value");
}

TEST(Profile, GcIsTrueOrItsOptions) {
  EXPECT_TRUE(profile_with("gc = true")->gc);
  EXPECT_FALSE(profile_with("gc = false")->gc);
  EXPECT_EQ(typed(profile_with("gc = { probe = ['a', 'p=b'], grace = '5m', rescue = 'r', keep = 3, "
                               "max_age = '1d', trash_for = 0 }")
                      ->gc->options),
            "--probe a --probe p=b --grace 5m --rescue r --keep 3 --max-age 1d --trash-for 0");
  EXPECT_EQ(profile_refusal(profile_with("gc = 'yes'")), "p.toml:3:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_with("gc = { keep = -1 }")), "p.toml:3:8 bad-value");
}

TEST(Profile, SeveralSessionsEachByItself) {
  const char* const text =
      "[session.one]\ncommand = 'x'\n[session.two]\ncommand = 'y'\nchdir = '${NONE}'\n"
      "[session.'a/b']\ncommand = 'z'\n";
  const auto file = ProfileFile::parse(text, "p.toml");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->names(), (ProfileWords{"one", "two", "a/b"}));
  EXPECT_TRUE(profile_read(text, "one"));
  EXPECT_EQ(profile_read(text, "a/b")->name, "a/b");
  EXPECT_EQ(profile_refusal(profile_read(text, "two")), "p.toml:5:1 unset-variable");
  const auto none = profile_read(text, "on");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_NE(none.error().detail.find("`one`"), std::string::npos);
}

TEST(Profile, AFileWithoutSessionsIsRefused) {
  EXPECT_EQ(profile_refusal(profile_read("")), "p.toml:1:1 toml-missing");
  EXPECT_EQ(profile_refusal(profile_read("[session]\n")), "p.toml:1:2 toml-missing");
  EXPECT_EQ(profile_refusal(profile_read("session = 1\n")), "p.toml:1:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_read("[session]\ns = 1\n")), "p.toml:2:1 toml-type");
  EXPECT_EQ(profile_refusal(profile_read("[session.'']\ncommand = 'x'\n")), "p.toml:1:10 bad-name");
}

TEST(Profile, CutAtEveryByteItIsReadOrRefusedWithAPlace) {
  const std::string text =
      "[session.s]\ncommand = ['a', '{layers}']\nlayers = 'l'\nenv = { A = '~' }\n"
      "limits = { pids = 5 }\n[[session.s.refresh]]\npath = 'p'\nfrom = 'q'\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto profile = profile_read(std::string_view(text).substr(0, length));
    if (profile) continue;
    if (profile.error().code == ErrorCode::kNotFound) continue;
    EXPECT_EQ(profile.error().code, ErrorCode::kConfig) << length;
    EXPECT_TRUE(profile.error().subject.starts_with("p.toml:")) << length;
  }
  EXPECT_TRUE(profile_read(text));
}

}  // namespace
}  // namespace holdfast
