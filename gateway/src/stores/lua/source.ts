/**
 * Assembles a Lua script for Redis from a file in `gateway/lua`. The comment at the top of the file names the script's
 * keys and arguments, and the assembled script receives them as local variables:
 *
 *     -- @include metering/prelude       runs before the script; its keys and arguments come first
 *     -- @keys session, attempt          KEYS, in order
 *     -- @args id, limit:number, ...rest ARGV, in order; `...rest` is the table of all that follow
 *     -- @constants MOST                 values from TypeScript
 *     -- @memory growing                 see `memory`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The same folder from `src` and from `dist`, so that the build copies no files. */
export const luaFolder = join(__dirname, '..', '..', '..', 'lua');

/** Constants that TypeScript gives a script. */
export type Constants = Readonly<Record<string, number>>;

interface Argument {
  readonly name: string;
  readonly number: boolean;
}

/** One file of `gateway/lua`. */
export interface LuaFile {
  readonly includes: readonly string[];
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  /** Name of the table that receives the remaining arguments. */
  readonly rest: string | undefined;
  readonly constants: readonly string[];
  /**
   * How Redis treats the script when it has no memory left. It refuses `growing` scripts as a whole, and runs `freeing`
   * scripts, because they release more than they take. Redis aborts any other script at its first write, even if that
   * leaves the data half-changed.
   */
  readonly memory: string | undefined;
  readonly body: string;
}

/** An assembled script. */
export interface LuaSource {
  readonly text: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly hasRest: boolean;
}

const identifier = /^[A-Za-z_]\w*$/;
const firstLines: Readonly<Record<string, string>> = {
  growing: '#!lua\n',
  freeing: '#!lua flags=allow-oom\n',
};

/** @param name path within `gateway/lua`, without the extension. */
export function readLua(name: string): LuaFile {
  const text = readFileSync(join(luaFolder, `${name}.lua`), 'utf8');
  const header = /^(?:--.*\n)*/.exec(text)?.[0] ?? '';
  const tagged = (tag: string) =>
    [...header.matchAll(new RegExp(`^-- @${tag} (.*)$`, 'gm'))].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim()),
    );
  const args = tagged('args');
  const file = {
    includes: tagged('include'),
    keys: tagged('keys'),
    args: args
      .filter((arg) => !arg.startsWith('...'))
      .map((arg) => ({ name: arg.replace(/:number$/, ''), number: arg.endsWith(':number') })),
    rest: args.find((arg) => arg.startsWith('...'))?.slice(3),
    constants: tagged('constants'),
    memory: tagged('memory')[0],
    body: text.slice(header.length),
  };
  const names = [...file.keys, ...file.args.map((arg) => arg.name), ...(file.rest ? [file.rest] : [])];
  const wrong = [...names, ...file.constants].find((one) => !identifier.test(one));
  if (wrong !== undefined) throw new Error(`${name}.lua: "${wrong}" is not a name`);
  return file;
}

/** @throws Error if the file names a constant that is not given */
export function assemble(name: string, constants: Constants = {}): LuaSource {
  const files = [...withIncludes(name).values()];
  const keys = files.flatMap((file) => file.keys);
  const args = files.flatMap((file) => file.args);
  const rest = files.at(-1)?.rest;
  const memory = files.at(-1)?.memory;
  const lines = [
    ...(keys.length > 0 ? [`local ${keys.join(', ')} = unpack(KEYS)`] : []),
    ...args.map((arg, i) => {
      const value = `ARGV[${i + 1}]`;
      return `local ${arg.name} = ${arg.number ? `tonumber(${value})` : value}`;
    }),
    ...(rest === undefined ? [] : [`local ${rest} = { unpack(ARGV, ${args.length + 1}) }`]),
    ...files
      .flatMap((file) => file.constants)
      .map((constant) => `local ${constant} = ${literal(name, constant, constants[constant])}`),
    ...files.map(({ body }) => body),
  ];
  return {
    text: (memory === undefined ? '' : (firstLines[memory] as string)) + lines.join('\n'),
    keys,
    args: args.map((arg) => arg.name),
    hasRest: rest !== undefined,
  };
}

/** A file after the files that it includes, each once, by name. */
function withIncludes(name: string, found = new Map<string, LuaFile>()): Map<string, LuaFile> {
  if (found.has(name)) return found;
  const file = readLua(name);
  for (const included of file.includes) withIncludes(included, found);
  return found.set(name, file);
}

function literal(script: string, constant: string, value: number | undefined): string {
  if (value === undefined) throw new Error(`${script}.lua needs a value for ${constant}`);
  return String(value);
}
