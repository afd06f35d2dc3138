// SPDX-License-Identifier: Apache-2.0
#include "cli/gc/gc_options.h"

#include "base/exit_code.h"
#include "base/printable.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Json lines_json(const std::vector<gc::Line>& lines) {
  Json list = Json::array();
  for (const gc::Line& line : lines) {
    list.push_back({{"name", bytes_to_json(line.name)}, {"reason", line.reason}});
  }
  return list;
}

Json gc_answer_report_json(const gc::Report& report, const gc::Adopted* adopted, GcDone done) {
  Json json{{"plan_id", to_hex(report.plan_id)}, {"applied", done == GcDone::kSwept}};
  json["removed"] = lines_json(report.removed);
  json["kept"] = lines_json(report.kept);
  json["failed"] = lines_json(report.failed);
  json["unknown"] = lines_json(report.unknown);
  Json skipped = Json::array();
  for (const gc::Skipped& one : report.skipped) {
    skipped.push_back({{"authority", bytes_to_json(one.authority)},
                       {"reason", one.reason},
                       {"detail", bytes_to_json(one.detail)}});
  }
  json["skipped"] = std::move(skipped);
  Json braked = Json::array();
  for (const gc::Braked& one : report.braked) {
    braked.push_back({{"authority", bytes_to_json(one.authority)},
                      {"reason", one.reason},
                      {"gone", one.gone},
                      {"known", one.known}});
  }
  json["braked"] = std::move(braked);
  json["purged"] = report.purged;
  json["retired"] = report.retired;
  json["lapsed"] = report.lapsed;
  json["interrupted"] = report.interrupted;
  Json names = Json::array();
  if (adopted != nullptr) {
    for (const std::string& name : adopted->names) names.push_back(bytes_to_json(name));
  }
  json["adopted"] = std::move(names);
  return json;
}

std::string lines_text(std::string_view word, const std::vector<gc::Line>& lines) {
  std::string text;
  for (const gc::Line& line : lines) {
    text += std::string(word) + " " + printable(line.name) + ": " + line.reason + "\n";
  }
  return text;
}

std::string summary(const gc::Report& report, GcDone done) {
  const auto part = [](std::size_t count, std::string_view word) {
    return std::to_string(count) + " " + std::string(word);
  };
  std::string text =
      part(report.removed.size(), done == GcDone::kPlanned ? "to remove" : "removed");
  text += ", " + part(report.kept.size(), "kept") + ", " + part(report.failed.size(), "failed") +
          ", " + part(report.unknown.size(), "unknown");
  if (report.purged != 0) text += "; " + part(report.purged, "purged from the trash");
  if (report.retired != 0) text += "; " + part(report.retired, "idle locks forgotten");
  if (report.lapsed != 0) text += "; " + part(report.lapsed, "lapsed steps forgotten");
  return text + "\n";
}

void warn(Context& context, const gc::Report& report) {
  for (const std::string& warning : report.warnings) context.warn(warning);
  for (const gc::Skipped& one : report.skipped) {
    const std::string detail = one.detail.empty() ? "" : " (" + printable(one.detail) + ")";
    context.warn("skipped " + printable(one.authority) + ": " + one.reason + detail +
                 "; its workspaces are kept");
  }
  for (const gc::Braked& one : report.braked) {
    context.warn("braked: " + printable(one.authority) + " does not know " +
                 std::to_string(one.gone) + " of " + std::to_string(one.known) +
                 " workspaces; if that is true, `--allow '" + printable(one.authority) +
                 "'` removes them");
  }
  if (report.interrupted) context.warn("interrupted: what is listed was done, the rest was not");
}

}  // namespace

int answer_gc(Context& context, const gc::Report& report, const gc::Adopted* adopted, GcDone done,
              bool verbose) {
  if (context.json()) context.emit(gc_answer_report_json(report, adopted, done));
  if (!context.json()) {
    if (adopted != nullptr) {
      for (const std::string& name : adopted->names)
        context.print((done == GcDone::kPlanned ? "would adopt " : "adopted ") + printable(name) +
                      "\n");
    }
    context.print(
        lines_text(done == GcDone::kPlanned ? "would remove" : "removed", report.removed));
    context.print(lines_text("failed", report.failed));
    context.print(lines_text("unknown", report.unknown));
    if (verbose || done == GcDone::kPlanned) context.print(lines_text("kept", report.kept));
    context.print(summary(report, done));
    if (done == GcDone::kPlanned) {
      context.print("plan " + to_hex(report.plan_id) + "\n");
      context.note("`holdfast gc --apply " + to_hex(report.plan_id) + "` does it, for an hour");
    }
  }
  warn(context, report);
  if (report.interrupted) return to_int(ExitCode::kBusy);
  if (!report.skipped.empty()) return to_int(ExitCode::kCannotTell);
  return to_int(report.braked.empty() ? ExitCode::kDone : ExitCode::kRefused);
}

}  // namespace holdfast::cli
