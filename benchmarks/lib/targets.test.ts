import { readFileSync } from 'node:fs';
import { evaluate } from './testing';

/** What the site claims, in milliseconds, by the label of the claim. */
function claims(): [label: string, milliseconds: number][] {
  const file = `${__dirname}/../../web/content/claims.json`;
  const all = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const found: [string, number][] = [];
  const visit = (node: unknown): void => {
    if (!node || typeof node !== 'object') return;
    const { target, unit } = node as { target?: number; unit?: string };
    if (target && (unit === 's' || unit === 'ms'))
      found.push([JSON.stringify(node).toLowerCase(), unit === 's' ? 1000 * target : target]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(all);
  return found;
}

it.each([
  ['detect', 'detect, p95'],
  ['compare', 'compare (two selfies), p95'],
  ['moderate', 'moderate, p95'],
])('%s: the target is what the site claims', (operation, figure) => {
  const targets = evaluate<Record<string, number>>(
    "import { p95TargetsMs } from './lib/targets.mjs';",
    'p95TargetsMs',
  );
  const claimed = claims().filter(([text]) => text.includes(figure));
  expect(claimed.length).toBeGreaterThan(0);
  for (const [, milliseconds] of claimed) expect(targets[operation]).toBe(milliseconds);
});

it('verdict: the target is what the site claims', () => {
  const target = evaluate("import { verdictTargetMs } from './lib/targets.mjs';", 'verdictTargetMs');
  const claimed = claims().filter(([text]) => text.includes('longest wait for the outcome'));
  expect(claimed.map(([, milliseconds]) => milliseconds)).toEqual([target]);
});
