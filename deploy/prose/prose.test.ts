/** The language rules refuse what they should, and no plain English. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface Phrase {
  readonly find: string;
  readonly say: string;
  readonly refuses: readonly string[];
  readonly accepts: readonly string[];
}

/** Jest runs tests as CommonJS and cannot load these ES modules: a Node process calls them. */
function evaluate<T>(code: string, input: unknown = null): T {
  const script = `import { text } from 'node:stream/consumers';
    const rules = await import('./rules.mjs');
    const texts = await import('./texts.mjs');
    const input = JSON.parse(await text(process.stdin));
    console.log(JSON.stringify(${code}));`;
  const options = { cwd: __dirname, input: JSON.stringify(input) };
  return JSON.parse(String(execFileSync(process.execPath, ['--input-type=module', '-e', script], options)));
}

const { phrases, sentences } = evaluate<Record<'phrases' | 'sentences', Phrase[]>>('rules.RULES');
const rules = [...phrases, ...sentences];

describe('phrases.yaml', () => {
  const faultsOf = (examples: readonly string[]) =>
    evaluate<{ message: string }[][]>(
      "input.map((one) => rules.judge(texts.maskCode(one), 'sentences'))",
      examples,
    );
  const refused = rules.flatMap(({ refuses, say }) => refuses.map((sentence) => ({ sentence, say })));
  const accepted = rules.flatMap(({ accepts }) => accepts);
  const faults = faultsOf([...refused.map(({ sentence }) => sentence), ...accepted]);

  test('every rule has an example of what it refuses and of what it accepts', () => {
    expect(rules.length).toBeGreaterThan(15);
    for (const { refuses, accepts } of rules) {
      expect(refuses.length).toBeGreaterThan(0);
      expect(accepts.length).toBeGreaterThan(0);
    }
  });

  test.each(refused.map((one, nth) => ({ ...one, nth })))('refuses "$sentence"', ({ nth, say }) => {
    expect(faults[nth]).toContainEqual(expect.objectContaining({ message: expect.stringContaining(say) }));
  });

  test.each(accepted.map((sentence, nth) => ({ sentence, nth })))('accepts "$sentence"', ({ nth }) => {
    expect(faults[refused.length + nth]).toEqual([]);
  });
});

describe('the words of a file', () => {
  const read = (file: string, extension: string) =>
    evaluate<{ start: number; value: string }[]>('texts.readTexts(...input)', [file, extension]);

  test('comments on consecutive lines are one text, without their markers', () => {
    const file = 'const a = 1;\n// The gateway\n// retries `GET`.\nconst b = 2; // Once.\n';
    const texts = read(file, '.ts').map(({ value }) => value.trim().replace(/\s+/g, ' '));
    expect(texts).toEqual(['The gateway retries XXXXX.', 'Once.']);
  });

  test('test titles and messages are texts, keys and paths are none', () => {
    const file = "test('the gateway retries once', () => open('./a/b', \"x y\"));";
    expect(read(file, '.ts').map(({ value }) => value.trim())).toEqual(['the gateway retries once']);
  });

  test.each([
    ['.json', '{ "a key of four words": "the gateway retries once" }', 'the gateway retries once'],
    ['.yaml', 'summary: the gateway retries once\nport: 80', 'the gateway retries once'],
    ['.css', 'a { color: red } /* the gateway retries once */', 'the gateway retries once'],
    ['.lua', 'local a = 1 -- the gateway retries once', 'the gateway retries once'],
  ])('%s', (extension, file, text) => {
    const [found, ...others] = read(file, extension);
    expect(others).toEqual([]);
    expect(found!.value.trim()).toBe(text);
    expect(file.slice(found!.start).trimStart()).toContain(text);
  });
});

describe('npm run check:prose', () => {
  const refused: [name: string, text: string, fault: string][] = [
    ['a.ts', 'export const isAnswered = 1;\n', 'Answered'],
    ['b.ts', 'export const sharedPictureBytes = 1;\n', 'Picture'],
    ['c.ts', '// The colour of the box.\n', 'colour'],
    ['d.md', '# Keys\n\nWhat is used is counted once.\n', 'begin with the actor'],
    ['e.md', 'The tier retries\nwhile *Redis* is away.\n', 'unavailable'],
    ['f.mdx', '<Note>\n\nWho does not read is cut off.\n\n</Note>\n', 'begin with the actor'],
    ['g.json', '{ "title": "A key that works", "text": "Redis is away for a second." }\n', 'unavailable'],
  ];
  const accepted: [name: string, text: string][] = [
    ['h.md', '# What it costs\n\n| What | Cost |\n|---|---|\n| `key` | 1 |\n'],
    ['i.ts', '/** The gateway retries once, then responds with 503. */\nexport const attempts = 2;\n'],
    ['j.json', '{ "question": "Who is it for?", "label": "What you get for it" }\n'],
  ];

  // In the repository, since the rules apply to what Git would track.
  const folder = mkdtempSync(join(__dirname, 'fixture-'));
  let lines: string[];
  beforeAll(() => {
    for (const [name, text] of [...refused, ...accepted]) writeFileSync(join(folder, name), text);
    const { stdout, status } = spawnSync(process.execPath, ['deploy/prose/check.mjs', folder], { cwd: root });
    expect(status).toBe(1);
    lines = String(stdout).split('\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const faultsOf = (name: string) => lines.filter((line) => line.includes(`/${name}:`));

  test.each(refused)('refuses a fault in %s', (name, _, fault) => {
    expect(faultsOf(name)).toEqual([expect.stringMatching(new RegExp(`:\\d+:\\d+ - .*${fault}`))]);
  });

  test.each(accepted)('accepts plain English in %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });
});
