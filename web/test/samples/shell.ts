/** Runs the shell samples of a page as a reader pastes them: one after the other, in one shell and one folder. */
import { runToEnd } from '../../../gateway/harness/index.mjs';

/** Separates the output of two samples. */
const BORDER = '\u001e';

/** curl ends each response, but no download, with a line break. kubectl finds a cluster with the admin token of the tested service. */
const PREAMBLE = `set -euo pipefail
curl() { case "$*" in */downloads/*) command curl "$@" ;; *) command curl --max-time 30 --write-out '\\n' "$@" ;; esac }
kubectl() { case "$*" in *'get secret'*) printf %s "$ADMIN_TOKEN" | base64 ;; esac; }
`;

/** A line that the reader completes, such as `export API_KEY=presenza_test_...`. The environment has its value. */
const TO_COMPLETE = /^export \w+=\S*\.\.\.$/gm;

export interface Shell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The addresses in place of those in the samples, such as `{siteUrl}`. */
  readonly addresses: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the test compares responses with samples
export type Body = any;

/**
 * @param codes of a page, in its order
 * @returns the responses to each sample
 * @throws {Error} with the output if a command fails or prints anything but JSON
 */
export async function runShell(
  codes: readonly string[],
  { folder, env, addresses }: Shell,
): Promise<Body[][]> {
  const parts = codes.map((code) => `${code.replace(TO_COMPLETE, '')}\nprintf '${BORDER}'`);
  let script = PREAMBLE + parts.join('\n');
  for (const [shown, actual] of Object.entries(addresses)) script = script.replaceAll(shown, actual);
  const { code, stdout, stderr } = await runToEnd('bash', ['-c', script], { cwd: folder, env });
  if (code !== 0) throw new Error(`The samples end with ${code}: ${stdout}${stderr}`);
  return stdout
    .split(BORDER)
    .slice(0, codes.length)
    .map((output) => output.split('\n').filter(Boolean).map(parse));
}

function parse(line: string): Body {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`A sample prints ${line}`);
  }
}
