// Checks commit subjects: `node .ci/release/commits.mjs BASE..HEAD` in CI, `--message FILE` as a hook of Git.
// Subjects have no types such as `feat:`, because no program reads them: release notes come from CHANGELOG.md. A type
// would take up to ten of the 72 characters from the message. commitlint (101 packages, 63 MB) would replace the checks of
// length, case and punctuation, but it has no rule for the imperative.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LONGEST = 72;

/** Verbs that end like another form: "Need", "Bring", "Pass". */
const VERBS =
  /^(?:Embed|Exceed|Feed|Need|Proceed|Seed|Shed|Speed|Bring|Ring|Swing|String|\w+ss|Focus|Bias|Canvas)$/;

/**
 * @param {string} subject first line of a commit message
 * @returns {string | undefined} what is wrong, as a sentence
 */
export function judgeSubject(subject) {
  const [first = ''] = subject.split(/[ ,]/);
  if (subject.length > LONGEST) return `It has ${subject.length} characters, of ${LONGEST} at most.`;
  if (/^(?:\S+ ){0,2}\S+: /.test(subject)) return 'It begins with a type or an area: begin with the verb.';
  if (!/^[A-Z]/.test(subject)) return 'It begins with a lowercase letter.';
  if (/[.!…]$/.test(subject)) return 'It ends with punctuation.';
  if (
    /^(?:An?|The|This|That|These|Some|No|All|Each|What|How|When|For|In|On|To|It|We|I|Now|New|WIP)$/i.test(
      first,
    )
  )
    return 'It begins with no verb: use the imperative, such as "Add" or "Fix".';
  if (/(?:ed|ing|[^s]s)$/.test(first) && !VERBS.test(first))
    return `"${first}" is not imperative: use the form that completes "This commit will ...".`;
  return undefined;
}

/** @param {string} range such as main..HEAD @returns {string[]} subjects of its commits, without merges */
function readSubjects(range) {
  // For a new branch, GitHub sends a base of zeros: only the newest commit is checked.
  const commits = /^0+\.\./.test(range) ? ['--max-count=1', range.replace(/^0+\.\./, '')] : [range];
  const log = execFileSync('git', ['log', '--no-merges', '--format=%s', ...commits], { encoding: 'utf8' });
  return log.split('\n').filter(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [argument = 'main..HEAD', file = ''] = process.argv.slice(2);
  const subjects =
    argument === '--message'
      ? readFileSync(file, 'utf8')
          .split('\n', 1)
          // Git generates these subjects.
          .filter((subject) => !/^(?:Merge|Revert|fixup!|squash!|amend!) /.test(subject))
      : readSubjects(argument);
  for (const subject of subjects) {
    const fault = judgeSubject(subject);
    if (fault === undefined) continue;
    console.error(`"${subject}": ${fault}`);
    process.exitCode = 1;
  }
  console.log(`${subjects.length} commit subjects checked`);
}
