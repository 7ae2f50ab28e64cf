/**
 * Runs the decision function of each sample on every outcome, in its own language if the toolchain is installed.
 * receivers.slow.test.ts and guides.slow.test.ts run the samples that have a server.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isVerified } from '../../contract/client/is-verified';
import { schemas } from '../contract';
import { outcomes } from './outcomes';

const receivers = join(__dirname, '..', '..', 'contract', 'receivers');
const read = (name: string) => readFileSync(join(receivers, name), 'utf8');
const expected = Object.fromEntries(outcomes.map(({ name, isVerified }) => [name, isVerified]));
const folder = mkdtempSync(join(tmpdir(), 'presenza-decisions-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(outcomes)('the outcome "$name" is valid by the contract', ({ event }) => {
  expect(schemas.validate('webhook-event.json', event)).toBe(true);
});

test('the client decides every outcome', () => {
  const decided = outcomes.map(({ name, event, withReference }) => [
    name,
    isVerified(event, { withReference }),
  ]);
  expect(Object.fromEntries(decided)).toEqual(expected);
});

/** Runs a program. @returns its output */
function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}
/** Parses the output of a program with a line for each outcome. */
function decisionsOf(command: string, args: readonly string[]): Record<string, boolean> {
  const lines = run(command, args).trim().split('\n');
  return Object.fromEntries(outcomes.map(({ name }, i) => [name, lines[i] === 'true']));
}
const isInstalled = (tool: string) => spawnSync(tool, ['--version']).error === undefined;
const ifInstalled = (tool: string) => (isInstalled(tool) ? test : test.skip);

/** Events as Java and Kotlin literals. */
const literal = (prefix: string, create: string, { event }: (typeof outcomes)[number]) => {
  const part = (name: string, value: unknown) =>
    value === undefined ? 'null' : `${create}${prefix}${name}(${value})`;
  const parts = [part('Result', event.result?.isLive), part('Match', event.match?.isMatch)];
  return `${create}${prefix}Event("${event.eventType}", "${event.sessionId}", ${parts.join(', ')})`;
};

ifInstalled('javac')('Java', () => {
  const calls = outcomes.map((outcome) => {
    const call = `Receiver.isVerified(${literal('Receiver.', 'new ', outcome)}, ${outcome.withReference})`;
    return `System.out.println(${call});`;
  });
  const main = `public class Outcomes { public static void main(String[] args) { ${calls.join('\n')} } }`;
  writeFileSync(join(folder, 'Outcomes.java'), main);
  run('javac', ['-d', folder, join(receivers, 'Receiver.java'), 'Outcomes.java']);
  expect(decisionsOf('java', ['-cp', folder, 'Outcomes'])).toEqual(expected);
});

ifInstalled('kotlinc')('Kotlin', () => {
  const calls = outcomes.map(
    (outcome) => `println(isVerified(${literal('', '', outcome)}, ${outcome.withReference}))`,
  );
  writeFileSync(
    join(folder, 'Outcomes.kt'),
    `object Outcomes { @JvmStatic fun main(args: Array<String>) { ${calls.join('\n')} } }`,
  );
  const jar = join(folder, 'outcomes.jar');
  run('kotlinc', [join(receivers, 'Receiver.kt'), 'Outcomes.kt', '-include-runtime', '-d', jar]);
  expect(decisionsOf('java', ['-cp', jar, 'Outcomes'])).toEqual(expected);
});

/**
 * Few machines have these toolchains. The decision is one expression whose operators mean the same in JavaScript and
 * bind in the same order, so JavaScript evaluates it; any other operator fails the test.
 */
test.each([
  [
    'Kotlin',
    'Receiver.kt',
    /fun isVerified\(event: Event, withReference: Boolean\): Boolean =\n([^\n]+)\n\n/,
  ],
  [
    'Swift',
    'Receiver.swift',
    /func isVerified\(_ event: Event, withReference: Bool\) -> Bool {\n([^\n]+)\n}\n/,
  ],
  [
    'Dart',
    'receiver.dart',
    /bool isVerified\(Map<String, dynamic> event, bool withReference\) =>\n([^;]+);\n/,
  ],
])('the %s sample decides every outcome, evaluated as JavaScript', (_language, file, pattern) => {
  const expression = pattern.exec(read(file))?.[1] ?? '';
  const tokens = expression.match(/\?\.|\?\[|==|&&|\|\||[!()[\].]|'\w+'|\w+|[^\s]/g) ?? [];
  const known =
    /^(\?\.|\?\[|==|&&|\|\||[!()[\].]|'\w+'|event|withReference|result|isLive|match|isMatch|true|null|nil)$/;
  expect(tokens.filter((token) => !known.test(token))).toEqual([]);
  const script = tokens.map((token) => ({ '?[': '?.[', nil: 'null' })[token] ?? token).join(' ');
  const decide = new Function('event', 'withReference', `return ${script};`);
  const decided = outcomes.map(({ name, event, withReference }) => [name, decide(event, withReference)]);
  expect(Object.fromEntries(decided)).toEqual(expected);
});
