/**
 * Assembles a Lua script for Redis from a file in `gateway/lua`. The comment at the top of the file names the script's
 * keys and arguments, and the assembled script receives them as local variables:
 *
 *     -- @include metering/units         runs before the script; its keys and arguments come first
 *     -- @keys session, ...others        KEYS, in order; `...others` is the table of all that follow
 *     -- @args id, limit:number, ...more ARGV, likewise
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

/** Names of the tables that receive the remaining keys and arguments. */
interface Others {
  readonly keys: string | undefined;
  readonly args: string | undefined;
}

/** One file of `gateway/lua`. */
export interface LuaFile {
  readonly includes: readonly string[];
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  readonly others: Others;
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
  readonly others: Others;
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
      list.split(',').map((entry) => entry.trim()),
    );
  const isOthers = (entry: string) => entry.startsWith('...');
  const [keys, args] = [tagged('keys'), tagged('args')];
  const file = {
    includes: tagged('include'),
    keys: keys.filter((key) => !isOthers(key)),
    args: args
      .filter((arg) => !isOthers(arg))
      .map((arg) => ({ name: arg.replace(/:number$/, ''), number: arg.endsWith(':number') })),
    others: { keys: keys.find(isOthers)?.slice(3), args: args.find(isOthers)?.slice(3) },
    constants: tagged('constants'),
    memory: tagged('memory')[0],
    body: text.slice(header.length),
  };
  const wrong = namesOf(file).find((name) => !identifier.test(name));
  if (wrong !== undefined) throw new Error(`${name}.lua: "${wrong}" is not a name`);
  return file;
}

/** The names that the header of a file declares. */
export function namesOf({ keys, args, others, constants }: LuaFile): string[] {
  const tables = [others.keys, others.args].filter((table) => table !== undefined);
  return [...keys, ...args.map(({ name }) => name), ...tables, ...constants];
}

/** @throws Error if the file names a constant that is not given */
export function assemble(name: string, constants: Constants = {}): LuaSource {
  const files = [...withIncludes(name).values()];
  const keys = files.flatMap((file) => file.keys);
  const args = files.flatMap((file) => file.args);
  const { others, memory } = files.at(-1) as LuaFile;
  const lines = [
    ...(keys.length > 0 ? [`local ${keys.join(', ')} = unpack(KEYS)`] : []),
    ...(others.keys === undefined ? [] : [`local ${others.keys} = { unpack(KEYS, ${keys.length + 1}) }`]),
    ...args.map((arg, i) => {
      const value = `ARGV[${i + 1}]`;
      return `local ${arg.name} = ${arg.number ? `tonumber(${value})` : value}`;
    }),
    ...(others.args === undefined ? [] : [`local ${others.args} = { unpack(ARGV, ${args.length + 1}) }`]),
    ...files
      .flatMap((file) => file.constants)
      .map((constant) => `local ${constant} = ${literal(name, constant, constants[constant])}`),
    ...files.map(({ body }) => body),
  ];
  return {
    text: (memory === undefined ? '' : (firstLines[memory] as string)) + lines.join('\n'),
    keys,
    args: args.map((arg) => arg.name),
    others,
  };
}

/** A file after the files that it includes, each once, by name. */
function withIncludes(name: string, files = new Map<string, LuaFile>()): Map<string, LuaFile> {
  if (files.has(name)) return files;
  const file = readLua(name);
  for (const included of file.includes) withIncludes(included, files);
  return files.set(name, file);
}

function literal(script: string, constant: string, value: number | undefined): string {
  if (value === undefined) throw new Error(`${script}.lua needs a value for ${constant}`);
  return String(value);
}
