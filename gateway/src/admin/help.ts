import { choose, optionOf } from './command-line';
import type { Operation, Property } from './operation';

const prefix = 'npm run admin --';

/** The list of commands, or the help of one command. @throws UsageError if the command does not exist */
export function helpText(command: readonly string[], operations: readonly Operation[]): string {
  const group = operations.filter((operation) => operation.id.split(' ')[0] === command[0]);
  if (command.length === 0) return listOf(operations);
  if (command.length === 1 && group.length > 0) return listOf(group);
  return pageOf(choose(command.join(' '), operations));
}

function listOf(operations: readonly Operation[]): string {
  return [
    'Commands of the operator:',
    '',
    ...columns(operations.map(({ id, summary }) => [id, summary])),
    '',
    `${prefix} help accounts create    says all about one`,
    `${prefix} webhooks listen --help  is about a receiver on this machine, which prints what arrives`,
    '--json                            prints JSON, for scripts',
  ].join('\n');
}

function pageOf({ id, summary, http, input, images }: Operation): string {
  const { properties, required } = input;
  const options = Object.entries(properties).map(([name, property]) => {
    const given = `--${optionOf(name)} ${placeholder(name, property)}`;
    return { given, needed: required.includes(name), about: aboutOf(property) };
  });
  const usage = options.map(({ given, needed }) => (needed ? given : `[${given}]`));
  return [
    `${summary}.`,
    '',
    `  ${[prefix, id, ...usage, ...(images ? ['FILE ...'] : []), '[--json]'].join(' ')}`,
    ...(options.length > 0 ? ['', ...columns(options.map(({ given, about }) => [given, about]))] : []),
    '',
    `Over HTTP: ${http.join(' ')}${images ? `, with ${images} as a list of data URIs` : ''}`,
  ].join('\n');
}

function placeholder(name: string, { type, enum: values }: Property): string {
  if (Array.isArray(values)) return values.join('|');
  if (type === 'boolean') return 'true|false';
  if ([type].flat().includes('array')) return 'ONE,TWO';
  if (Array.isArray(type)) return 'JSON';
  return type === 'string' && /^(account|key|webhook|session)$/.test(name) ? 'ID' : name.toUpperCase();
}

function aboutOf({ description, default: fallback }: Property): string {
  if (fallback === undefined) return description;
  return `${description} (${Array.isArray(fallback) ? 'all' : fallback})`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
