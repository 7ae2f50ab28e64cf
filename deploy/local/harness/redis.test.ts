import { evaluate, freePorts, withFolder } from '../testing';

it('starts a Redis that keeps its data in any folder, wants the password and shows it to nobody', async () => {
  await withFolder(async (folder) => {
    const [port] = await freePorts(1);
    const printed = await evaluate(`
      import { execFileSync, spawn } from 'node:child_process';
      import { once } from 'node:events';
      import { existsSync, mkdirSync } from 'node:fs';
      import { ping, redisConfig } from './harness/redis.mjs';
      import { untilReady } from './start/readiness.mjs';
      const dir = ${JSON.stringify(`${folder}/it's "a" folder`)};
      mkdirSync(dir);
      const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.end(redisConfig({ port: ${port}, dir, durable: true, config: { requirepass: 's3cret' } }));
      const url = (user) => 'redis://' + user + '127.0.0.1:${port}';
      await untilReady('redis', () => ping(url(':s3cret@')), { abort: new AbortController().signal });
      await ping(url('default:s3cret@'));
      for (const user of ['', ':wrong@']) await ping(url(user)).catch((error) => print(error.message));
      print(existsSync(dir + '/appendonlydir'));
      print(execFileSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' }).includes('s3cret'));
      child.kill('SIGTERM');
      await once(child, 'exit');
      await ping(url('')).catch((error) => print(error.code));`);
    expect(printed).toEqual([
      expect.stringMatching(/^NOAUTH/),
      expect.stringMatching(/^WRONGPASS/),
      true,
      false,
      'ECONNREFUSED',
    ]);
  });
});

it('says which Redis is too old', async () => {
  await withFolder(async (folder) => {
    const printed = await evaluate(`
      import { writeFileSync } from 'node:fs';
      import { checkRedisVersion } from './setup/system-packages.mjs';
      const program = ${JSON.stringify(folder)} + '/redis-server';
      for (const version of ['6.0.16', '7.0.15', '10.1.0']) {
        writeFileSync(program, '#!/bin/sh\\necho "Redis server v=' + version + ' sha=00000000:0 bits=64"\\n', { mode: 0o755 });
        try { checkRedisVersion(program); print('fine'); } catch (error) { print(error.message); }
      }`);
    expect(printed).toEqual([
      expect.stringMatching(/is Redis 6: install a newer one, or set REDIS_URL/),
      'fine',
      'fine',
    ]);
  });
});
