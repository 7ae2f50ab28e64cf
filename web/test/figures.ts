/** Runs gatsby/figures.mjs in Node for a modified contract. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import events from '@presenza/contract/events.json';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import accessories from '@presenza/contract/schemas/accessory-type.json';
import emotions from '@presenza/contract/schemas/emotion-type.json';
import landmarks from '@presenza/contract/schemas/landmark-type.json';
import livenessPolicy from '@presenza/contract/schemas/liveness-policy.json';

const CONTRACT = {
  brand,
  limits,
  plans,
  events: events.map(({ id }) => ({ eventType: id })),
  livenessPolicy,
  landmarks,
  emotions,
  accessories,
};
const SCRIPT = `
  import { figuresOf, fillFigures } from ${JSON.stringify(join(__dirname, '../gatsby/figures.mjs'))};
  import { readAllFacts } from ${JSON.stringify(join(__dirname, '../gatsby/facts.mjs'))};
  import { readFileSync } from 'node:fs';
  const { texts, contract } = JSON.parse(readFileSync(0, 'utf8'));
  const figures = { ...(await readAllFacts()), ...figuresOf(contract) };
  process.stdout.write(JSON.stringify(texts.map((text) => fillFigures(text, figures))));
`;

/** @throws Error for a text with an unknown figure */
export function fill(texts: readonly string[], changes: Partial<typeof CONTRACT> = {}): string[] {
  const input = JSON.stringify({ texts, contract: { ...CONTRACT, ...changes } });
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return JSON.parse(output.toString());
}
