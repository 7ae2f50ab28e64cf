// `npm run audit`: asks the registry for known vulnerabilities of the deployed packages, and subtracts the exceptions in
// audit-allow.json.
//
// The exit code is 0 if no vulnerability of severity high or critical is left, 1 if one is, and 2 if the registry does
// not return a report. An exception names an advisory, the reason why it does not affect Presenza, and the day of the
// next review: { "id", "reason", "expires": "YYYY-MM-DD" }.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseArguments } from '../../gateway/harness/cli/arguments.mjs';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { runMain } from '../../gateway/harness/cli/stop.mjs';

const SEVERE = ['high', 'critical'];
/** An exception needs a review after half a year at the latest. */
const LONGEST_DAYS = 183;

/**
 * @typedef {{ id: string, reason: string, expires: string }} Allowed id: the advisory's, such as GHSA-xxxx-xxxx-xxxx
 * @typedef {{ outcome: 'clean' | 'vulnerable' | 'unknown', lines: string[] }} Judgment
 */

/**
 * @param {string} output of `npm audit --json`
 * @param {readonly Allowed[]} allowed
 * @param {Date} today
 * @returns {Judgment}
 */
export function judgeAudit(output, allowed, today) {
  const report = parse(output);
  if (report?.auditReportVersion !== 2) {
    const why = report?.message ?? 'the response has another format';
    return {
      outcome: 'unknown',
      lines: [
        `The registry did not return a report (${why}), so it is unknown whether packages have vulnerabilities.`,
      ],
    };
  }
  const day = today.toISOString().slice(0, 10);
  const latest = new Date(today.getTime() + LONGEST_DAYS * 86_400_000).toISOString().slice(0, 10);
  const advisories = advisoriesOf(report);
  const severe = [...advisories.values()].filter(({ severity }) => SEVERE.includes(severity));
  const lines = severe.flatMap(({ id, name, severity, title, url }) => {
    const entry = allowed.find((exception) => exception.id === id);
    if (!entry) return [`${severity}: ${name}: ${title} (${url})`];
    if (entry.expires < day)
      return [`${severity}: ${name}: ${title} (${url}): its exception ended on ${entry.expires}`];
    return [];
  });
  for (const { id, reason, expires } of allowed) {
    if (!reason || !/^\d{4}-\d\d-\d\d$/.test(expires ?? '') || expires > latest)
      lines.push(`The exception for ${id} needs a reason and a day within ${LONGEST_DAYS} days.`);
    else if (!severe.some((advisory) => advisory.id === id))
      lines.push(`The exception for ${id} is no longer needed.`);
  }
  return { outcome: lines.length > 0 ? 'vulnerable' : 'clean', lines };
}

/**
 * @param {{ vulnerabilities: Record<string, { via: (string | { name: string, severity: string, title: string, url: string })[] }> }} report
 *   a `via` that is a string names another entry of the same report
 */
function advisoriesOf({ vulnerabilities }) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((cause) => typeof cause !== 'string'),
  );
  return new Map(
    advisories.map(({ name, severity, title, url }) => {
      const id = url.slice(url.lastIndexOf('/') + 1);
      return [id, { id, name, severity, title, url }];
    }),
  );
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function npmAudit() {
  const args = ['audit', '--omit=dev', '--json', '--audit=true'];
  const cli = process.env.npm_execpath;
  const inNpm = cli && basename(cli) === 'npm-cli.js';
  const { stdout } = inNpm
    ? spawnSync(process.execPath, [cli, ...args], { cwd: ROOT, encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  return stdout ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runMain(async () => {
    refuseArguments('npm run audit');
    const allowed = JSON.parse(readFileSync(new URL('audit-allow.json', import.meta.url), 'utf8'));
    const { outcome, lines } = judgeAudit(npmAudit(), allowed, new Date());
    for (const line of lines) console.error(line);
    if (outcome === 'clean')
      console.log('The deployed packages have no known vulnerabilities of severity high or critical.');
    return { clean: 0, vulnerable: 1, unknown: 2 }[outcome];
  });
}
