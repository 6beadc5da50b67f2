#include "harness/command_line/verb_prose.hpp"

namespace rackproof::command_line {
namespace {

manual::Prose check_prose() {
  manual::Prose prose;
  prose.about = {
      "Identifies and validates each file: suites, platform tables, bench descriptions, "
      "comparisons, cause tables, inventories, schemas, record streams and reports. Errors are "
      "given by file, line and field, and include implausible figures of a table. For a report, it "
      "checks that the verdicts follow from the evidence, and that suite and tables are the "
      "installed ones, by their digests. The last line is the verdict of the report: a valid "
      "report may be of a rejected machine."};
  prose.examples = {{"A suite, a report and a folder of tables",
                     "rackproof check my-suite.json rack7/report.json my-tables/"}};
  prose.exits = {
      {"0", "all files are valid; with --exit-code: and each report is of an accepted run"},
      {"2", "a file is not valid"},
      {"3", "with --exit-code: a report is of a rejected run"},
      {"4", "with --exit-code: one is of an incomplete run"}};
  prose.see = {"rackproof-verify(1)"};
  return prose;
}

manual::Prose assemble_prose() {
  manual::Prose prose;
  prose.about = {
      "Makes the report of a run from its journals. A run does that itself; use this verb if its "
      "ranks and launcher were all killed. Repeating it gives the same report."};
  prose.examples = {{"After a crash", "rackproof assemble rack7"}};
  prose.exits = verdict_exits();
  prose.files = {{"DIR/report.json", "the report, or report.json.zst"}};
  prose.see = {"rackproof-run(1)", "rackproof-show(1)"};
  return prose;
}

manual::Prose judge_prose() {
  manual::Prose prose;
  prose.about = {
      "Judges the numbers of a report again without measuring, by its own table or another, and "
      "prints the summary. The report itself is not changed."};
  prose.examples = {{"By a stricter table", "rackproof judge rack7 --platform strict.json"},
                    {"And keep the result",
                     "rackproof judge rack7 --platform strict.json -o strict/report.json"}};
  prose.exits = verdict_exits();
  prose.see = {"rackproof-show(1)", "rackproof-learn(1)"};
  return prose;
}

manual::Prose show_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints the summary of a report: the verdict and its reason, cells that need attention, "
      "findings, counts, and what passed."};
  prose.examples = {{"Every cell", "rackproof show rack7 --all"},
                    {"The verdict as exit code, after a launcher that has its own",
                     "rackproof show rack7 --exit-code"}};
  prose.exits = {{"0", "printed; with --exit-code: accepted"},
                 {"3", "with --exit-code: rejected"},
                 {"4", "with --exit-code: incomplete"}};
  prose.environment = {
      {"NO_COLOR", "if set and not empty, output is not coloured unless --color says so"}};
  prose.see = {"rackproof-explain(1)", "rackproof-render(1)"};
  return prose;
}

manual::Prose redact_prose() {
  manual::Prose prose;
  prose.about = {
      "Copies a report, replacing the names of hosts, parts, addresses and users, always by the "
      "same substitute. The copy is judged like the original. The map leads back to the names: "
      "keep it private."};
  prose.examples = {{"A copy to publish", "rackproof redact rack7 -o rack7-public.json"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-sign(1)"};
  return prose;
}

manual::Prose sign_prose() {
  manual::Prose prose;
  prose.about = {
      "Signs a report, and a statement about it, with an Ed25519 key of OpenSSH. The signatures "
      "are stored beside the report, one per role. Only a report that passes rackproof check is "
      "signed."};
  prose.examples = {
      {"Sign as the vendor",
       "rackproof sign rack7 --key ~/.ssh/id_ed25519 --role vendor --signer jane@example.com"}};
  prose.exits = {{"0", "signed"}};
  prose.environment = {
      {"SSH_AUTH_SOCK", "the agent that ssh-keygen uses if --key is a public key"}};
  prose.files = {{"report.json.ROLE.sig", "signature over the report"},
                 {"report.json.ROLE.statement", "who signs what, in which role, when"},
                 {"report.json.ROLE.statement.sig", "signature over the statement"}};
  prose.see = {"rackproof-verify(1)", "ssh-keygen(1)"};
  return prose;
}

manual::Prose verify_prose() {
  manual::Prose prose;
  prose.about = {
      "Lists on one screen what is proved about a report, what fails, and what cannot be checked "
      "here: format, verdicts, signatures, journals, and whether suite, tables and programs are "
      "the installed ones."};
  prose.examples = {{"With agreed keys", "rackproof verify rack7 --signers allowed_signers"},
                    {"As the gate of an acceptance: exit with 0 only if valid, signed and accepted",
                     "rackproof verify rack7 --signers allowed_signers --require-role "
                     "vendor,customer --exit-code"}};
  prose.exits = {{"0", "nothing fails, and a known signer has signed (or --unsigned was given)"},
                 {"3", "with --exit-code: nothing fails, and the run was rejected"},
                 {"4", "with --exit-code: nothing fails, and the run is incomplete"},
                 {"6", "something differs from what was signed, or no known signer has signed"}};
  prose.see = {"rackproof-sign(1)", "rackproof-check(1)", "ssh-keygen(1)"};
  return prose;
}

manual::Prose render_prose() {
  manual::Prose prose;
  prose.about = {
      "Converts a report: an HTML page for people, other formats for programs. A file is "
      "written beside its place and renamed, so that no reader sees half of it."};
  prose.examples = {{"A self-contained page", "rackproof render --format html rack7 -o rack7.html"},
                    {"For a CI server", "rackproof render --format junit rack7 -o rack7.xml"},
                    {"For the textfile collector of node_exporter, which has a user of its own",
                     "rackproof render --format openmetrics rack7 --mode 0644 "
                     "-o /var/lib/prometheus/node-exporter/rack7.prom"},
                    {"Alerts, as POST /api/v2/alerts of Alertmanager takes them",
                     "rackproof render --format alertmanager rack7 -o rack7.alerts.json"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-show(1)"};
  return prose;
}

manual::Prose compare_prose() {
  manual::Prose prose;
  prose.about = {
      "Says what got worse or better between two reports or two groups of reports, and which facts "
      "of the machines changed at the same time. Run-to-run variation does not count as a change."};
  prose.examples = {{"Before and after", "rackproof compare before/ after/"},
                    {"Several runs on each side, as a gate",
                     "rackproof compare --a before-*/ --b after-*/ --fail-on worse"}};
  prose.exits = {
      {"0", "compared; with --fail-on: nothing got worse"},
      {"3", "with --fail-on: something got worse"},
      {"4", "nothing to compare; with --fail-on also: a number is missing on the second side"}};
  prose.see = {"rackproof-trend(1)"};
  return prose;
}

manual::Prose trend_prose() {
  manual::Prose prose;
  prose.about = {
      "Reads the reports of many runs and finds level shifts, and which facts changed at the same "
      "time. A series needs at least ten runs."};
  prose.examples = {{"Nightly runs, as a gate", "rackproof trend nights/ --fail-on regression"},
                    {"A page with each series", "rackproof trend nights/ --page trend.html"}};
  prose.exits = {{"0", "done; with --fail-on: no series ends with a change for the worse"},
                 {"3", "with --fail-on: a series does"},
                 {"4", "with --fail-on: there is no series, one stopped, or a report was skipped"}};
  prose.files = {{".rackproof-trend.sqlite", "cache of parsed reports, in the first folder"}};
  prose.see = {"rackproof-compare(1)"};
  return prose;
}

manual::Prose fleet_prose() {
  manual::Prose prose;
  prose.about = {
      "Keeps what many reports say of each host, GPU and network adapter in a ledger, by UUID and "
      "serial number, whichever host a part was in. The reports are the truth: a ledger can be "
      "deleted at any time, and is rebuilt from them.",
      "add reads reports; one that is in the ledger already, by its digest, is not added again. "
      "show prints where a part was, its verdict in each run, its failures, its latest values and "
      "its waivers. worst ranks the parts that failed, due lists hosts without an accepted run of "
      "all steps within --older-than, failures counts failures by metric and reason.",
      "page makes one HTML file of all racks: the newest verdict of each rack and suite and those "
      "before it, what fails now, what changed since the run before, open waivers, and parts that "
      "failed, went away or moved. Verdicts lead to their reports, relative to the file."};
  prose.examples = {
      {"Every report below a folder", "rackproof fleet add nights/"},
      {"The history of one GPU", "rackproof fleet show 'node07 GPU 3'"},
      {"The ten worst parts of this quarter", "rackproof fleet worst --since 13w --top 10"},
      {"Hosts that need a run, as a gate", "rackproof fleet due --older-than 30d --exit-code"},
      {"A page about all racks", "rackproof fleet page -o fleet.html"},
      {"A ledger from nothing", "rackproof fleet add --rebuild nights/ acceptance/"}};
  prose.exits = {{"0", "done; with due --exit-code: no host is due"},
                 {"4", "with due --exit-code: a host is due"}};
  prose.environment = {
      {"NO_COLOR", "if set and not empty, output is not coloured unless --color says so"}};
  prose.files = {{"$XDG_STATE_HOME/rackproof/fleet.sqlite",
                  "the ledger; in ~/.local/state if the variable is not set"}};
  prose.see = {"rackproof-show(1)", "rackproof-trend(1)"};
  return prose;
}

manual::Prose plan_prose() {
  manual::Prose prose;
  prose.about = {
      "For a maintenance window that is too short for a whole suite: chooses the steps that are "
      "expected to find most faults in the time, and says what they miss. Rates of faults are "
      "published ones, or the ledger's; the chances that a bench finds a fault are assumed, in "
      "three steps, and the answer is given for all three.",
      "With --out the steps are written as a suite. A run of it that is accepted says that it is "
      "of what was planned, and the report lists what is expected to be missed."};
  prose.examples = {
      {"Twenty minutes on a rack",
       "rackproof plan --hosts 18 --gpus 4 --minutes 20 --suite acceptance -o short.json"},
      {"With the durations of last week's runs", "rackproof plan nights/ --minutes 20"},
      {"With all steps of a kind in it", "rackproof plan --minutes 20 --with 'pairs-*'"}};
  prose.exits = {{"0", "planned"}};
  prose.files = {{"$XDG_STATE_HOME/rackproof/fleet.sqlite",
                  "the ledger; in ~/.local/state if the variable is not set"}};
  prose.see = {"rackproof-run(1)", "rackproof-fleet(1)"};
  return prose;
}

manual::Prose learn_prose() {
  manual::Prose prose;
  prose.about = {
      "Makes a platform table from accepted reports of one machine type: typical values and their "
      "spread. With --history it writes the values of each device and node instead, for rackproof "
      "run --history."};
  prose.examples = {
      {"A table of this site's racks", "rackproof learn night-* --id rack7 --out rack7.json"},
      {"A history", "rackproof learn night-* --history rack7.history"}};
  prose.exits = {{"0", "written"}};
  prose.see = {"rackproof-judge(1)", "rackproof-check(1)"};
  return prose;
}

manual::Prose diagnose_prose() {
  manual::Prose prose;
  prose.about = {
      "Finds the nodes whose measurements differ from the others', in any table of measurements: "
      "one JSON object per line, with the name of the node and numbers."};
  prose.examples = {{"From measurements of another program",
                     "rackproof diagnose rows.jsonl --less-is-better '*latency*' -o found.json"}};
  prose.exits = {{"0", "no node stands out"},
                 {"3", "a node stands out"},
                 {"4", "too little data for an answer"}};
  prose.see = {"rackproof-inventory(1)"};
  return prose;
}

}  // namespace

const ProseOf& prose_of_reports() {
  static const ProseOf all = {
      {"check", check_prose},       {"assemble", assemble_prose}, {"judge", judge_prose},
      {"show", show_prose},         {"redact", redact_prose},     {"sign", sign_prose},
      {"verify", verify_prose},     {"render", render_prose},     {"compare", compare_prose},
      {"trend", trend_prose},       {"learn", learn_prose},       {"fleet", fleet_prose},
      {"diagnose", diagnose_prose}, {"plan", plan_prose},
  };
  return all;
}

}  // namespace rackproof::command_line
