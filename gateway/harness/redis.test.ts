import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from './folders.mjs';
import { ping, redisCommand, startRedis } from './redis.mjs';

it('starts a Redis that keeps its data in any folder, requires the password and does not expose it', async () => {
  await withFolder(async (parent) => {
    const folder = join(parent, `it's "a" folder`);
    mkdirSync(folder);
    const redis = await startRedis({ folder, durable: true, config: { requirepass: 's3cret' } });
    const url = (user: string) => `redis://${user}127.0.0.1:${redis.port}`;
    await ping(url(':s3cret@'));
    expect(await redisCommand(url('default:s3cret@'), ['CONFIG', 'SET', 'appendfsync', 'no'])).toBe('OK');
    expect(await redisCommand(url(':s3cret@'), ['INCR', 'count'])).toBe('1');
    expect(await redisCommand(url(':s3cret@'), ['INFO', 'persistence'])).toContain('aof_enabled:1');
    await expect(ping(url(''))).rejects.toThrow(/^NOAUTH/);
    await expect(ping(url(':wrong@'))).rejects.toThrow(/^WRONGPASS/);
    expect(existsSync(join(folder, 'appendonlydir'))).toBe(true);
    const list = execFileSync('ps', ['-o', 'args=', '-p', String(redis.pid)], { encoding: 'utf8' });
    expect(list).not.toContain('s3cret');
    await redis.stop();
    await expect(ping(url(''))).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const again = await startRedis({ folder, durable: true });
    expect(await redisCommand(again.url, ['GET', 'count'])).toBe('1');
    await again.stop();
  });
});
