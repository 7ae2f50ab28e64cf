// Help for the tests of this folder. Jest runs tests as CommonJS and cannot load these ES modules, so a test hands
// its snippet to a Node process of its own: the same Node that will run the scripts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node in this folder and waits for its end. */
export async function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const child = spawn(process.execPath, args, {
    cwd: __dirname,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  [outcome.code] = await once(child, 'close');
  return outcome;
}

/**
 * Runs a snippet as an ES module of this folder. It answers through `print(value)`; an error it throws rejects.
 * @returns what was printed, in order
 */
export async function evaluate(snippet: string, env: NodeJS.ProcessEnv = {}): Promise<unknown[]> {
  const code = `const print = (value) => console.log(JSON.stringify(value ?? null));\n${snippet}`;
  const outcome = await runNode(['--input-type=module', '-e', code], env);
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return outcome.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The sentence with which a snippet stops. */
export async function sentenceOf(snippet: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [imports, body] = [snippet.match(/^import .*$/gm) ?? [], snippet.replace(/^import .*$/gm, '')];
  const [sentence] = await evaluate(
    `${imports.join('\n')}
     import { Stop } from './cli/stop.mjs';
     try { ${body} } catch (error) { if (!(error instanceof Stop)) throw error; print(error.message); }`,
    env,
  );
  return String(sentence);
}

/** Calls `use` with a new folder that is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server on a port of the system's choice. */
export async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP server');
  return { server, port: address.port };
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen()));
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return servers.map(({ port }) => port);
}
