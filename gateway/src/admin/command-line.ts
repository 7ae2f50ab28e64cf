/** Parses the command line into an operation and its input. */
import { parseArgs } from 'node:util';
import { checkerOf, meaningOf } from './input';
import type { Input, Operation } from './operation';
import { nearest } from './suggest';

/** A mistake in the command line, described in a sentence. */
export class UsageError extends Error {}

/** An option that the operation needs, with its values if there are few. */
export interface MissingOption {
  readonly name: string;
  readonly choices?: readonly string[];
}

/** The command line lacks options. */
export class MissingOptions extends UsageError {
  constructor(
    id: string,
    readonly options: readonly MissingOption[],
  ) {
    super(`"${id}" needs ${options.map(({ name }) => `--${name}`).join(' and ')}`);
  }
}

export type Command =
  | { readonly help: readonly string[] }
  | {
      readonly operation: Operation;
      readonly input: Input;
      readonly files: readonly string[];
      readonly json: boolean;
    };

/** `expiresAt` is typed `--expires-at`. */
export const optionOf = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @throws UsageError; ApiError if a value does not match the schema */
export function parseCommand(args: readonly string[], operations: readonly Operation[]): Command {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h') return { help: [] };
  if (first === 'help') return { help: rest };
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const command = end < 0 ? args : args.slice(0, end);
  const isGroup = command.length === 1 && operations.some(({ id }) => id.startsWith(`${first} `));
  if (isGroup && args.length === 1) return { help: [first] };
  if (args.includes('--help') || args.includes('-h')) return { help: command.slice(0, 2) };
  const operation = choose(command.slice(0, 2).join(' '), operations);
  return { operation, ...parseOptions(operation, args.slice(2)) };
}

/** @throws UsageError, with a suggestion if there is a similar name */
export function choose(id: string, operations: readonly Operation[]): Operation {
  const match = operations.find((operation) => operation.id === id);
  if (match) return match;
  const meant = nearest(
    id,
    operations.map((operation) => operation.id),
  );
  const hint = meant ? ` Did you mean "${meant}"?` : ' "help" lists all there are.';
  throw new UsageError(`There is no command "${id}".${hint}`);
}

interface Typed {
  readonly input: Input;
  readonly files: readonly string[];
  readonly json: boolean;
}

function parseOptions(operation: Operation, args: readonly string[]): Typed {
  const { id, input: schema, images } = operation;
  const names = new Map(Object.keys(schema.properties).map((name) => [optionOf(name), name]));
  const { values, positionals } = tokensOf(id, args, names);
  // An operation with one option that must be given takes it without its name.
  const [sole, ...further] = schema.required.map(optionOf);
  if (sole !== undefined && further.length === 0 && !images && positionals.length > 0 && !values.has(sole)) {
    values.set(sole, positionals.shift() as string);
  }
  const [extra] = positionals;
  if (extra !== undefined && !images) throw new UsageError(`"${id}" takes no "${extra}"`);
  const input = Object.fromEntries(
    [...values].map(([option, text]) => {
      const name = names.get(option) as string;
      return [name, meaningOf(text, schema, name)];
    }),
  );
  const missing = schema.required.filter((name) => !Object.hasOwn(input, name));
  if (missing.length > 0) {
    const options = missing.map((property) => {
      const { enum: choices } = schema.properties[property] as { readonly enum?: readonly string[] };
      return { name: optionOf(property), ...(choices && { choices }) };
    });
    throw new MissingOptions(id, options);
  }
  return { input: checkerOf(schema)(input), files: positionals, json: args.includes('--json') };
}

/** Options with their texts, and positional arguments. */
function tokensOf(id: string, args: readonly string[], names: ReadonlyMap<string, string>) {
  const text = { type: 'string' } as const;
  const options = Object.fromEntries([...names.keys()].map((option) => [option, text]));
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { ...options, json: { type: 'boolean' } },
  });
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option' || token.rawName === '--json') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!names.has(name)) throw unknownOption(id, rawName, [...names.keys(), 'json']);
    if (value === undefined || (!inlineValue && value.startsWith('-'))) {
      throw new UsageError(`${rawName} needs a value; one that begins with a dash is typed ${rawName}=-...`);
    }
    if (values.has(name)) throw new UsageError(`${rawName} is given twice`);
    values.set(name, value);
  }
  return { values, positionals };
}

function unknownOption(id: string, option: string, known: readonly string[]): UsageError {
  const meant = nearest(
    option,
    known.map((name) => `--${name}`),
  );
  return new UsageError(`"${id}" has no option ${option}.${meant ? ` Did you mean ${meant}?` : ''}`);
}
