import { createHash } from 'node:crypto';
import { assemble, type Constants, type LuaSource } from './source';

export type Value = string | number | Buffer;

/** The part of a Redis client that scripts need. */
export interface ScriptClient {
  evalsha(hash: string, keyCount: number, ...values: Value[]): Promise<unknown>;
  eval(lua: string, keyCount: number, ...values: Value[]): Promise<unknown>;
}

/** The keys and arguments that follow the named ones. */
export interface Others {
  readonly keys?: readonly string[];
  readonly args?: readonly Value[];
}

/** A script of `gateway/lua`, called with named keys and arguments. */
export class LuaScript<Key extends string, Arg extends string> {
  private readonly hash: string;

  private constructor(
    private readonly name: string,
    private readonly source: LuaSource,
  ) {
    this.hash = createHash('sha1').update(source.text).digest('hex');
  }

  /**
   * Reads a script. The type parameters repeat the names in the header of the file; a call without one of them throws.
   * @param name path within `gateway/lua`, without the extension.
   */
  static load<Key extends string, Arg extends string = never>(
    name: string,
    constants?: Constants,
  ): LuaScript<Key, Arg> {
    return new LuaScript(name, assemble(name, constants));
  }

  /** Runs the script in one round trip. The first call on a server takes a second one, which sends the script's text. */
  async run(
    redis: ScriptClient,
    keys: Readonly<Record<Key, string>>,
    args: Readonly<Record<Arg, Value>>,
    others: Others = {},
  ): Promise<unknown> {
    const named = this.named('keys', keys, others.keys);
    const values = [...named, ...this.named('args', args, others.args)];
    try {
      return await redis.evalsha(this.hash, named.length, ...values);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return await redis.eval(this.source.text, named.length, ...values);
    }
  }

  /** The values that the script names, in its order, and those that follow them. */
  private named(
    kind: keyof Others,
    given: Readonly<Record<string, Value>>,
    more: readonly Value[] = [],
  ): Value[] {
    const { name, source } = this;
    if (more.length > 0 && source.others[kind] === undefined)
      throw new Error(`${name}.lua takes no further ${kind}`);
    const values: Value[] = [];
    for (const key of source[kind]) {
      const value = given[key];
      if (value === undefined) throw new Error(`${name}.lua needs ${key}`);
      values.push(value);
    }
    values.push(...more);
    return values;
  }
}

const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');
