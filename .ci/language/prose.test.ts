/** The language rules refuse what they should, and no plain English. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';
import { judge, RULES } from './rules.mjs';
import { maskCode, readTexts } from './texts.mjs';

const rules = [...RULES.phrases, ...RULES.sentences];

describe('phrases.yaml', () => {
  const refused = rules.flatMap(({ refuses, say }) => refuses.map((sentence) => ({ sentence, say })));
  const accepted = rules.flatMap(({ accepts }) => accepts);
  const faultsOf = (sentence: string) => judge(maskCode(sentence), 'sentences');

  test('every rule has an example of what it refuses and of what it accepts', () => {
    expect(rules.length).toBeGreaterThan(15);
    for (const { refuses, accepts } of rules) {
      expect(refuses.length).toBeGreaterThan(0);
      expect(accepts.length).toBeGreaterThan(0);
    }
  });

  test.each(refused)('refuses "$sentence"', ({ sentence, say }) => {
    const fault = expect.objectContaining({ message: expect.stringContaining(say) });
    expect(faultsOf(sentence)).toContainEqual(fault);
  });

  test.each(accepted)('accepts "%s"', (sentence) => {
    expect(faultsOf(sentence)).toEqual([]);
  });
});

describe('the words of a file', () => {
  test('comments on consecutive lines are one text, without their markers', () => {
    const file = 'const a = 1;\n// The gateway\n// retries `GET`.\nconst b = 2; // Once.\n';
    const texts = readTexts(file, '.ts').map(({ value }) => value.trim().replace(/\s+/g, ' '));
    expect(texts).toEqual(['The gateway retries XXXXX.', 'Once.']);
  });

  test('test titles and messages are texts, keys and paths are none', () => {
    const file = "test('the gateway retries once', () => open('./a/b', \"x y\"));";
    expect(readTexts(file, '.ts').map(({ value }) => value.trim())).toEqual(['the gateway retries once']);
  });

  test.each([
    ['.json', '{ "a key of four words": "the gateway retries once" }', 'the gateway retries once'],
    ['.yaml', 'summary: the gateway retries once\nport: 80', 'the gateway retries once'],
    ['.css', 'a { color: red } /* the gateway retries once */', 'the gateway retries once'],
    ['.lua', 'local a = 1 -- the gateway retries once', 'the gateway retries once'],
  ])('%s', (extension, file, text) => {
    const [first, ...others] = readTexts(file, extension);
    expect(others).toEqual([]);
    expect(first!.value.trim()).toBe(text);
    expect(file.slice(first!.start).trimStart()).toContain(text);
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

  let lines: string[];
  beforeAll(async () => {
    await withFolder(async (folder) => {
      await runToEnd('git', ['init', '--quiet', folder]);
      for (const [name, text] of [...refused, ...accepted]) writeFileSync(join(folder, name), text);
      const check = join(__dirname, 'check.mjs');
      const { code, stdout } = await runToEnd(process.execPath, [check, '--root', folder]);
      expect(code).toBe(1);
      lines = stdout.split('\n');
    });
  });

  const faultsOf = (name: string) => lines.filter((line) => line.startsWith(`${name}:`));

  test.each(refused)('refuses a fault in %s', (name, _, fault) => {
    expect(faultsOf(name)).toEqual([expect.stringMatching(new RegExp(`:\\d+:\\d+ - .*${fault}`))]);
  });

  test.each(accepted)('accepts plain English in %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });
});

test('a check with the cache of an earlier one checks its files', async () => {
  const args = [join(__dirname, 'check.mjs'), 'LICENSE', 'README.md'];
  for (const round of ['first', 'second']) {
    const { code, stderr } = await runToEnd(process.execPath, args);
    expect({ round, code, stderr }).toEqual({ round, code: 0, stderr: '' });
  }
});
