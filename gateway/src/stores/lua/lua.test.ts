/**
 * Lints the scripts in `gateway/lua`: syntax, globals, and names that a header declares but the script never uses. luaparse
 * knows the scopes of Lua, which Redis checks only when a line runs, and a grammar of tree-sitter does not check at all.
 */
import { readdirSync } from 'node:fs';
import { parse } from 'luaparse';
import { LuaScript } from './script';
import { assemble, type Constants, luaFolder, namesOf, readLua } from './source';

const names = readdirSync(luaFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.lua'))
  .map((file) => file.slice(0, -'.lua'.length));
const files = new Map(names.map((name) => [name, readLua(name)]));
const included = new Set([...files.values()].flatMap(({ includes }) => includes));

/** The globals of Redis that our scripts use. */
const globals = new Set(
  'redis KEYS ARGV cjson math string table ipairs pairs pcall tonumber unpack'.split(' '),
);

const constantsOf = (name: string): Constants => {
  const { constants, includes } = files.get(name) as ReturnType<typeof readLua>;
  return Object.assign({}, ...includes.map(constantsOf), ...constants.map((name) => ({ [name]: 1 })));
};
const parsed = (lua: string) =>
  parse(lua.replace(/^#!.*\n/, ''), { luaVersion: '5.1', scope: true, comments: false });

/** Identifiers in a piece of Lua. */
function identifiersIn(lua: string): Set<string> {
  const names = new Set<string>();
  parse(lua, {
    luaVersion: '5.1',
    onCreateNode: (node) => {
      if (node.type === 'Identifier') names.add(node.name);
    },
  });
  return names;
}

test('there are scripts', () => expect(names.length).toBeGreaterThan(0));

describe.each(names)('%s.lua', (name) => {
  const file = files.get(name) as ReturnType<typeof readLua>;

  test('is valid Lua 5.1 and uses no globals but those of Redis', () => {
    const { globals: used } = parsed(assemble(name, constantsOf(name)).text) as unknown as {
      globals: { name: string }[];
    };
    expect(used.map(({ name }) => name).filter((name) => !globals.has(name))).toEqual([]);
  });

  test('takes its keys and arguments by name', () => {
    for (const positional of ['KEYS', 'ARGV']) expect(identifiersIn(file.body)).not.toContain(positional);
  });

  test('uses every key, argument and constant that it declares', () => {
    const users = [file, ...[...files.values()].filter(({ includes }) => includes.includes(name))];
    const used = new Set(users.flatMap(({ body }) => [...identifiersIn(body)]));
    expect(namesOf(file).filter((name) => !used.has(name))).toEqual([]);
  });

  if (!included.has(name)) {
    test('declares no name twice', () => {
      const { keys, args } = assemble(name, constantsOf(name));
      expect(new Set([...keys, ...args]).size).toBe(keys.length + args.length);
    });
  }
});

test('a call without an argument throws an error that names it', async () => {
  const script = LuaScript.load<'lease', never>('leases/take');
  await expect(script.run({} as never, { lease: 'a' }, {} as never)).rejects.toThrow(
    'leases/take.lua needs ms',
  );
});

test('a call with arguments that the script does not declare throws', async () => {
  const script = LuaScript.load<'lease', 'ms'>('leases/take');
  await expect(script.run({} as never, { lease: 'a' }, { ms: 1 }, { args: ['b'] })).rejects.toThrow(
    'leases/take.lua takes no further args',
  );
});
