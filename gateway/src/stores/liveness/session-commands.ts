/** The scripts of sessions as commands of the client. */
import type { Result } from 'ioredis';
import type { RedisClient } from '../redis';
import { changeScript, createScript, eraseScript, keyCount } from './session-scripts';

type Argument = string | number | Buffer;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sessionCreate(
      ...args: Argument[]
    ): Result<
      [outcome: 'created' | 'repeated' | 'full' | 'overBytes' | 'unreserved', answer: string[] | string],
      Context
    >;
    sessionChange(...args: Argument[]): Result<[changed: 0 | 1, record: string[]] | null, Context>;
    sessionErase(...args: Argument[]): Result<[erased: 0 | 1, status: string] | null, Context>;
  }
}

export function defineSessionCommands(redis: RedisClient): void {
  const scripts = { sessionCreate: createScript, sessionChange: changeScript, sessionErase: eraseScript };
  for (const [name, lua] of Object.entries(scripts)) {
    redis.defineCommand(name, { lua, numberOfKeys: keyCount });
  }
}
