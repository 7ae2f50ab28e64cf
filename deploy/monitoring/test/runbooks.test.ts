/** Each alert has a section in the runbooks, and each section has an alert. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alerts } from './files';

const CONTENT = join(__dirname, '../../../web/content/docs');
const page = readFileSync(join(CONTENT, 'operations/runbooks.mdx'), 'utf8');
const sections = page.split(/^### /m).slice(1);
const nameOf = (section: string) => section.slice(0, section.indexOf('\n'));

test('each alert has a section, and each section has an alert', () => {
  expect(sections.map(nameOf).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test.each(sections.map((section) => [nameOf(section), section] as const))(
  '%s is complete',
  (name, section) => {
    const severity = alerts.find(({ alert }) => alert === name)?.labels?.severity;
    const [, said = ''] = /\n\*\*(\w+)\.\*\* /.exec(section) ?? [];
    expect(said.toLowerCase()).toBe(severity);
    for (const part of ['Verify:', 'First:', 'Do not:', 'Escalate'])
      expect(section).toContain(`- **${part}**`);
    expect(section).toMatch(/\*\*(Likely|Where)/);
  },
);

describe('commands for operators', () => {
  const commands = [...page.matchAll(/`(?:k |kubectl )[^`]+`/g)].map(([command]) => command);

  test('show the whole log: with a label selector, kubectl shows ten lines per pod', () => {
    const logs = commands.filter((command) => / logs -l /.test(command));
    expect(logs.length).toBeGreaterThan(5);
    expect(logs.filter((command) => !/ --tail=/.test(command))).toEqual([]);
  });

  test('name the container, since a pod may have others beside it', () => {
    const execs = commands.filter((command) => / exec /.test(command));
    expect(execs.length).toBeGreaterThan(10);
    expect(execs.filter((command) => !/ exec \S+ -c (gateway|redis|keys) -- /.test(command))).toEqual([]);
  });

  test('never scale below the current number', () => {
    const limits = commands.flatMap((command) => [
      ...command.matchAll(/(?:set maxmemory |"maxReplica(?:s|Count)":)(\w+)/g),
    ]);
    expect(limits.length).toBeGreaterThan(4);
    for (const [, value] of limits) expect(value).toBe('NEW');
  });
});

test('links between sections work', () => {
  const anchors = sections.map((section) => nameOf(section).toLowerCase());
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(0);
  for (const anchor of links) expect(anchors).toContain(anchor);
});
