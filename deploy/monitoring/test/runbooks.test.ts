/** Whoever is woken by an alert finds a section about it, and no section is about an alert that is gone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts } from './files';

const CONTENT = join(__dirname, '../../../web/content/docs');
const page = readFileSync(join(CONTENT, 'operations/runbooks.mdx'), 'utf8');
const sections = page.split(/^### /m).slice(1);
const nameOf = (section: string) => section.slice(0, section.indexOf('\n'));

test('there is a section for each alert, and for nothing else', () => {
  expect(sections.map(nameOf).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test.each(sections.map((section) => [nameOf(section), section] as const))(
  '%s is complete',
  (name, section) => {
    const severity = alerts.find(({ alert }) => alert === name)?.labels?.severity;
    const [, said = ''] = /\n\*\*(\w+)\.\*\* /.exec(section) ?? [];
    expect(said.toLowerCase()).toBe(severity);
    for (const part of ['True?', 'First:', 'Not:', 'Escalate']) expect(section).toContain(`- **${part}**`);
    expect(section).toMatch(/\*\*(Likely|Where)/);
  },
);

test('sections lead to sections that there are', () => {
  const anchors = sections.map((section) => nameOf(section).toLowerCase());
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(0);
  for (const anchor of links) expect(anchors).toContain(anchor);
});
