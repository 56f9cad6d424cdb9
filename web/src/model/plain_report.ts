/** The report as lines of text: what a browser shows that cannot run the page. */

import { formatSaving } from "../base/format";
import { plainText as words } from "../base/text_plain";
import { visible, visibleLines } from "../base/visible";
import type { Finding, Report } from "../data/report";
import { actionHeading, fittingActions, SEVERITY_WORDS } from "./diagnosis";
import { accountParts, partText } from "./time_account";

const MOST = 20;

function listed(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`  and ${lines.length - MOST} more`] : [];
  return [`${heading}:`, ...lines.slice(0, MOST).map((line) => `  - ${visible(line)}`), ...more];
}

/** Markdown is readable as it is. */
const paragraph = (heading: string, text: string): string[] =>
  text === ""
    ? []
    : [
        `${heading}:`,
        ...visibleLines(text)
          .split("\n")
          .map((line) => `  ${line}`),
      ];

function findingLines(finding: Finding, number: number): string[] {
  const saving = formatSaving(finding);
  const title = `${number}. ${SEVERITY_WORDS[finding.severity]}: ${visible(finding.title)} (${visible(finding.id)})`;
  const headed = fittingActions(finding).fitting.map((action) => [actionHeading(action), action.text] as const);
  const actions = headed.map(([heading, text]) => (heading === null ? text : `${heading}: ${text}`)).join("\n\n");
  return [
    title,
    "-".repeat(title.length),
    visible(finding.text),
    ...(saving === null ? [] : [`${words.saves}: ${saving}`]),
    ...listed(
      words.evidence,
      finding.evidence.map(({ text }) => text).filter((text) => text !== finding.text),
    ),
    ...listed(words.files, finding.files),
    ...paragraph(words.fix, actions),
    ...paragraph(words.verify, finding.verify),
    ...paragraph(words.wrong, finding.wrong_when),
    "",
  ];
}

export function plainReport(report: Report): string {
  const { verdict, job } = report;
  const parts = accountParts(report).map(partText);
  return [
    ...(job.command === null ? [] : [visible(job.command)]),
    ...report.logs.map(visible),
    "",
    visible(verdict.text),
    "",
    ...(parts.length > 0 ? [`${words.account}: ${parts.join(", ")}.`, ""] : []),
    ...listed(words.notCaptured, verdict.not_captured),
    ...(report.findings.length > 0 ? [words.findings, "=".repeat(words.findings.length), ""] : []),
    ...report.findings.flatMap((finding, at) => findingLines(finding, at + 1)),
    ...listed(
      words.passed,
      report.passed.map(({ title }) => title),
    ),
    ...listed(
      words.unknown,
      report.unknown.map(({ title, reason }) => `${title}: ${reason}`),
    ),
    `${words.notApplicable}: ${report.not_applicable.length}`,
  ].join("\n");
}
