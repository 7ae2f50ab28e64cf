import type { Command } from 'ioredis';
import type { DependencyObserver } from '../services/timing/dependency';
import type { RedisClient } from './redis';

/** Measures every command: its name, outcome and duration, but no keys or values. */
export function measureCommands(
  redis: RedisClient,
  dependency: 'redis' | 'sessionKeys',
  observe: DependencyObserver,
): void {
  // Single commands, scripts and pipelined commands all pass here.
  const send = redis.sendCommand.bind(redis) as (...args: unknown[]) => unknown;
  redis.sendCommand = (command: Command, ...rest: unknown[]) => {
    const begin = performance.now();
    const ended = (outcome: 'ok' | 'error') => () =>
      observe({ dependency, operation: command.name, outcome, ms: performance.now() - begin });
    const sent = send(command, ...rest);
    command.promise.then(ended('ok'), ended('error'));
    return sent;
  };
}
