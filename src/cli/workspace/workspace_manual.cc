// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/commands.h"

namespace holdfast::cli {

std::vector<Block> workspace_manual() {
  return {
      heading("From beginning to end"),
      paragraph("A harness that starts its own containers or processes keeps their directories "
                "here, so that `holdfast gc` can tell what is dead from what did not answer."),
      code("holdfast workspace new fix-160 --authority podman:fix-160 --from ./template"),
      code("D=$(holdfast workspace get fix-160 dir)"),
      code("podman run -d --name fix-160 -v \"$D\":/work …"),
      code("holdfast workspace detach fix-160   # the script has done its part"),
      code("holdfast workspace attach fix-160 -- podman exec -it fix-160 agent"),
      code("holdfast workspace set fix-160 --resume-id \"$ID\""),
      code("holdfast workspace resume fix-160 -- ./go-on"),
      code("holdfast workspace end fix-160 --reason merged"),
      code("holdfast gc"),
      heading("What a person may say"),
      paragraph(
          "`workspace forget` drops the record of a directory that was adopted by mistake and "
          "keeps the directory. `workspace end --assume-gone --reason TEXT` ends a workspace "
          "whose engine will never answer again. Both are refused where somebody is seen, "
          "and go on record first."),
      heading("Who is there"),
      paragraph("One owner at a time, and guests beside it. An attachment is bound to a process by "
                "its identity, and a number that was given to another process is not it. It ends "
                "with the process, or with `workspace detach`. `--owner none` binds it to nobody."),
      heading("Who vouches"),
      paragraph("Attachments say who works in a workspace; the authority says whether it exists at "
                "all, also while nobody is attached. Which daemon, how it was reached, as which "
                "user and on which machine goes on record with it: an answer from any other is no "
                "answer."),
      term("process:PID",
           "a process; its identity is taken now, and the number never stands alone"),
      term("podman:NAME, docker:NAME", "a container, running or not, by name or id"),
      term("systemd:UNIT, systemd:user:UNIT",
           "a unit of the system's manager, or of the user's own"),
      term("tmux:SESSION", "a session of the caller's tmux server"),
      term("command:ID", "whatever `holdfast gc --probe` lists; POOL/ITEM for `--probe POOL=CMD`"),
      heading("Files"),
      term("harness.json", "the record (0600), replaced whole"),
      term("harness.lock", "locked by whoever changes or removes the workspace; never written"),
  };
}

}  // namespace holdfast::cli
