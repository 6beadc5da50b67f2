#include "harness/cli/verb_prose.hpp"

namespace rackproof::cli {
namespace {

manual::Prose check_prose() {
  manual::Prose prose;
  prose.about = {
      "Says what each file is and whether it is good: suites, platform tables, lists of metrics, "
      "comparisons, tables of causes, inventories, schemas, streams of records and reports. A "
      "mistake is "
      "told by file, line and field, implausible figures of a table included; of a report, whether "
      "its "
      "verdicts follow from its evidence, and its suite and tables are the installed ones whose "
      "digests it has. The last line says the verdict of a report: a good report may be of a "
      "rejected "
      "machine."};
  prose.examples = {{"A suite, a report and a folder of tables",
                     "rackproof check my-suite.json rack7/report.json my-tables/"}};
  prose.exits = {
      {"0", "everything is good; with --exit-code: and each report is of an accepted run"},
      {"2", "something is not"},
      {"3", "with --exit-code: a report is of a rejected run"},
      {"4", "with --exit-code: one is of an incomplete run"}};
  prose.see = {"rackproof-verify(1)"};
  return prose;
}

manual::Prose assemble_prose() {
  manual::Prose prose;
  prose.about = {
      "Makes the report of a run out of its journals. A run does that by itself; this is for a run "
      "whose "
      "ranks and launcher were all killed. The report is the same, however often it is made."};
  prose.examples = {{"After a crash", "rackproof assemble rack7"}};
  prose.exits = verdict_exits();
  prose.files = {{"DIR/report.json", "the report"}};
  prose.see = {"rackproof-run(1)", "rackproof-show(1)"};
  return prose;
}

manual::Prose judge_prose() {
  manual::Prose prose;
  prose.about = {
      "Judges the numbers of a report again without measuring, by its own table or by another, and "
      "prints "
      "the summary. The report itself is left as it is."};
  prose.examples = {{"By a stricter table", "rackproof judge rack7 --platform strict.json"},
                    {"And keep what comes of it",
                     "rackproof judge rack7 --platform strict.json -o strict/report.json"}};
  prose.exits = verdict_exits();
  prose.see = {"rackproof-show(1)", "rackproof-learn(1)"};
  return prose;
}

manual::Prose show_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints the summary of a report: the verdict and its reason, the counts of cells, each cell "
      "that "
      "needs attention, findings, and what passed."};
  prose.examples = {{"Every cell", "rackproof show rack7 --all"},
                    {"The verdict as an exit code, after a launcher that has codes of its own",
                     "rackproof show rack7 --exit-code"}};
  prose.exits = {{"0", "printed; with --exit-code: accepted"},
                 {"3", "with --exit-code: rejected"},
                 {"4", "with --exit-code: incomplete"}};
  prose.environment = {
      {"NO_COLOR", "when it is set and not empty, nothing is coloured unless --color asks for it"}};
  prose.see = {"rackproof-explain(1)", "rackproof-render(1)"};
  return prose;
}

manual::Prose redact_prose() {
  manual::Prose prose;
  prose.about = {
      "Copies a report without the names of hosts, parts, addresses and users: others stand in "
      "their "
      "place, the same for the same name. The copy is judged like the original. The map of the "
      "names "
      "leads back and is not to be given away."};
  prose.examples = {{"A copy for the public", "rackproof redact rack7 -o rack7-public.json"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-sign(1)"};
  return prose;
}

manual::Prose sign_prose() {
  manual::Prose prose;
  prose.about = {
      "Signs a report with an Ed25519 key of OpenSSH, and a statement about it. The signatures lie "
      "beside "
      "the report, one for each role. Only a report that rackproof check finds good is signed."};
  prose.examples = {
      {"Sign as the vendor",
       "rackproof sign rack7 --key ~/.ssh/id_ed25519 --role vendor --signer jane@example.com"}};
  prose.exits = {{"0", "signed"}};
  prose.environment = {
      {"SSH_AUTH_SOCK", "the agent that ssh-keygen asks when --key is a public key"}};
  prose.files = {{"report.json.ROLE.sig", "signature over the report"},
                 {"report.json.ROLE.statement", "who signs what, as what, when"},
                 {"report.json.ROLE.statement.sig", "signature over the statement"}};
  prose.see = {"rackproof-verify(1)", "ssh-keygen(1)"};
  return prose;
}

manual::Prose verify_prose() {
  manual::Prose prose;
  prose.about = {
      "Says in one screen what is proved about a report, what fails, and what cannot be looked at "
      "here: "
      "its form, its verdicts, signatures, journals, and whether suite, tables and programs are "
      "those "
      "that are installed here."};
  prose.examples = {
      {"By the keys that were agreed on", "rackproof verify rack7 --signers allowed_signers"},
      {"The gate of an acceptance: sound, signed and accepted, or an exit code that is not 0",
       "rackproof verify rack7 --signers allowed_signers --exit-code"}};
  prose.exits = {
      {"0", "nothing fails, and somebody who is known has signed, unless --unsigned was given"},
      {"3", "with --exit-code: nothing fails, and the run was rejected"},
      {"4", "with --exit-code: nothing fails, and the run is incomplete"},
      {"6", "something is not what was signed, or nobody who is known has signed"}};
  prose.see = {"rackproof-sign(1)", "rackproof-check(1)", "ssh-keygen(1)"};
  return prose;
}

manual::Prose render_prose() {
  manual::Prose prose;
  prose.about = {"Gives a report another form: a page for people, or what other programs read."};
  prose.examples = {
      {"A page that needs no network", "rackproof render --format html rack7 -o rack7.html"},
      {"What a CI server reads", "rackproof render --format junit rack7 -o rack7.xml"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-show(1)"};
  return prose;
}

manual::Prose compare_prose() {
  manual::Prose prose;
  prose.about = {
      "Says what got worse or better from one report to another, or from one group of reports to "
      "another, "
      "and which facts of the machines changed with it. What goes up and down from run to run "
      "counts as "
      "no change."};
  prose.examples = {{"Before and after", "rackproof compare before/ after/"},
                    {"Several runs on each side, as a gate",
                     "rackproof compare --a before-*/ --b after-*/ --fail-on worse"}};
  prose.exits = {
      {"0", "compared; with --fail-on: nothing got worse"},
      {"3", "with --fail-on: something got worse"},
      {"4", "there is nothing to compare; with --fail-on also: something has no number any more"}};
  prose.see = {"rackproof-trend(1)"};
  return prose;
}

manual::Prose trend_prose() {
  manual::Prose prose;
  prose.about = {
      "Reads the reports of many runs and says where a number changed its level, and which facts "
      "changed "
      "with it. A series needs ten runs for an answer."};
  prose.examples = {{"Nightly runs, as a gate", "rackproof trend nights/ --fail-on regression"}};
  prose.exits = {{"0", "read; with --fail-on: no series ended on a change for the worse"},
                 {"3", "with --fail-on: a series did"},
                 {"4",
                  "with --fail-on: there is no series, one has no number any more, or a report was "
                  "left out"}};
  prose.files = {
      {".rackproof-trend.sqlite", "what was read, in the first folder, for the next time"}};
  prose.see = {"rackproof-compare(1)"};
  return prose;
}

manual::Prose learn_prose() {
  manual::Prose prose;
  prose.about = {
      "Makes a platform table out of accepted reports of one kind of machine: what they gave, and "
      "how far "
      "apart. With --history it writes instead what each device and node gave, for rackproof run "
      "--history "
      "to compare with."};
  prose.examples = {{"A table of this site's racks",
                     "rackproof learn night-*/report.json --id rack7 --out rack7.json"},
                    {"A history", "rackproof learn night-*/report.json --history rack7.history"}};
  prose.exits = {{"0", "written"}};
  prose.see = {"rackproof-judge(1)", "rackproof-check(1)"};
  return prose;
}

manual::Prose diagnose_prose() {
  manual::Prose prose;
  prose.about = {
      "Finds the nodes whose measurements are unlike the others', in any table of measurements: "
      "one JSON "
      "object a line, with the node's name and numbers."};
  prose.examples = {{"From another program's measurements",
                     "rackproof diagnose rows.jsonl --less-is-better '*latency*' -o found.json"}};
  prose.exits = {{"0", "no node stands out"},
                 {"3", "a node does"},
                 {"4", "something is missing, so that nothing can be said of it"}};
  prose.see = {"rackproof-inventory(1)"};
  return prose;
}

}  // namespace

const ProseOf& prose_of_reports() {
  static const ProseOf all = {
      {"check", check_prose},   {"assemble", assemble_prose}, {"judge", judge_prose},
      {"show", show_prose},     {"redact", redact_prose},     {"sign", sign_prose},
      {"verify", verify_prose}, {"render", render_prose},     {"compare", compare_prose},
      {"trend", trend_prose},   {"learn", learn_prose},       {"diagnose", diagnose_prose},
  };
  return all;
}

}  // namespace rackproof::cli
