/** Runs the real server on a free port, over the site that `npm run build` left in web/public. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = join(__dirname, '..', 'serve.mjs');

export interface Finished {
  code: number | null;
  stderr: string;
}

export interface Site {
  url: string;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** @param args a folder, if it is not web/public */
export async function startSite(env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Site> {
  const server = spawnServer({ WEB_PORT: '0', ...env }, args);
  const finished = finish(server);
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  const first = await Promise.race([once(lines, 'line'), finished]);
  if (!Array.isArray(first)) throw new Error(`The server did not start: ${first.stderr}`);
  return {
    url: JSON.parse(first[0]).url,
    stop(signal = 'SIGTERM') {
      server.kill(signal);
      return finished;
    },
  };
}

/** For starts that are meant to fail. */
export const runServer = (env: NodeJS.ProcessEnv, args: string[] = []): Promise<Finished> =>
  finish(spawnServer(env, args));

function spawnServer(env: NodeJS.ProcessEnv, args: string[] = []) {
  return spawn(process.execPath, [SERVER, ...args], { env: { ...process.env, ...env } });
}

async function finish(server: ChildProcess): Promise<Finished> {
  let stderr = '';
  server.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(server, 'close');
  return { code, stderr };
}
