/**
 * Every piece of code that verifies a webhook also checks its time: a valid signature alone is no protection against a
 * recorded request. The tests of each sample send it one; this one finds samples that no test knows.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from '../code-blocks';

const root = join(__dirname, '../../..');
const contract = join(root, 'gateway/contract');
const content = join(root, 'web/content');

const below = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path) && !/node_modules|\/build\/|(?:^|\/)dist\//.test(path))
    .map((path) => join(folder, path));

const code = /\.(?:mjs|cjs|js|ts|py|go|java|kt|swift|dart|php)$/;
const files = ['receivers', 'apps', 'clients', 'client']
  .flatMap((folder) => below(join(contract, folder), code))
  .filter((path) => !/test|\.check\./i.test(path.slice(contract.length)))
  .map((path) => ({ name: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }));
const blocks = below(content, /\.mdx$/).flatMap((path) =>
  codeBlocksOf(path).map(({ code: text }, i) => ({
    name: `${path.slice(root.length + 1)} block ${i + 1}`,
    text,
  })),
);

/** Computes the digest of a webhook. */
const verifies = ({ text }: { text: string }) => /hmac/i.test(text) && /sha-?256/i.test(text);
const samples = [...files, ...blocks].filter(verifies);

test('all seven receivers, four apps, four libraries and the pages are among the samples', () => {
  const names = samples.map(({ name }) => name).join('\n');
  expect(names.match(/contract\/receivers\//g)).toHaveLength(7);
  expect(names.match(/contract\/apps\/web\/(?:node|python|go|php)\//g)).toHaveLength(4);
  for (const name of ['client/webhooks.ts', 'go/webhook.go', 'Webhooks.java', 'presenza/webhooks.py'])
    expect(names).toContain(name);
  expect(names.match(/web\/content\//g)?.length).toBeGreaterThanOrEqual(2);
});

test.each(samples)('$name compares the time with its clock', ({ text }) => {
  expect(text).toMatch(/tolerance/i);
  expect(text).toMatch(
    /Date\.now|time\.time\(|now\(\)|time\(\)|timeIntervalSince1970|time\.Since|Instant\.now|\bnow\b|clock\.instant/,
  );
});
