import { createHash } from 'node:crypto';
import { assemble, type Constants } from './source';

export type Value = string | number | Buffer;

/** The part of a Redis client that scripts need. */
export interface ScriptClient {
  evalsha(hash: string, keyCount: number, ...values: Value[]): Promise<unknown>;
  eval(lua: string, keyCount: number, ...values: Value[]): Promise<unknown>;
}

/** A script of `gateway/lua`, called with named keys and arguments. */
export class LuaScript<Key extends string, Arg extends string> {
  private readonly hash: string;

  private constructor(
    private readonly name: string,
    private readonly lua: string,
    private readonly keys: readonly Key[],
    private readonly args: readonly Arg[],
    private readonly hasRest: boolean,
  ) {
    this.hash = createHash('sha1').update(lua).digest('hex');
  }

  /**
   * Reads a script. The type parameters repeat the names in the header of the file; a call without one of them throws.
   * @param name path within `gateway/lua`, without the extension.
   */
  static load<Key extends string, Arg extends string = never>(
    name: string,
    constants?: Constants,
  ): LuaScript<Key, Arg> {
    const { text, keys, args, hasRest } = assemble(name, constants);
    return new LuaScript(name, text, keys as Key[], args as Arg[], hasRest);
  }

  /**
   * Runs the script in one round trip. The first call on a server takes a second one, which sends the script's text.
   * @param rest what follows the named arguments, if the script declares `...rest`.
   */
  async run(
    redis: ScriptClient,
    keys: Readonly<Record<Key, string>>,
    args: Readonly<Record<Arg, Value>>,
    rest: readonly Value[] = [],
  ): Promise<unknown> {
    const values = this.positional(keys, args, rest);
    const { length } = this.keys;
    try {
      return await redis.evalsha(this.hash, length, ...values);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return await redis.eval(this.lua, length, ...values);
    }
  }

  private positional(
    keys: Readonly<Record<Key, string>>,
    args: Readonly<Record<Arg, Value>>,
    rest: readonly Value[],
  ): Value[] {
    if (rest.length > 0 && !this.hasRest) throw new Error(`${this.name}.lua takes no further arguments`);
    const values: Value[] = [];
    for (const key of this.keys) values.push(this.given(key, keys[key]));
    for (const arg of this.args) values.push(this.given(arg, args[arg]));
    for (const one of rest) values.push(one);
    return values;
  }

  private given(name: string, value: Value | undefined): Value {
    if (value === undefined) throw new Error(`${this.name}.lua needs ${name}`);
    return value;
  }
}

const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');
