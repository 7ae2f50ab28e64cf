/** The installed WebKitGTK: its small browser on a virtual screen, driven by its WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../harness/index.mjs';
import { findProgram } from '../../harness/setup/system-packages.mjs';
import { type Engine, end, programOf } from './engine';

export async function launchWebKit(): Promise<Engine> {
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn(programOf('WebKitWebDriver'), [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: screen.display,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
    stdio: 'ignore',
  });
  const stop = async () => {
    await end(driver);
    await end(screen.process);
  };
  try {
    const { send, version } = await newSession(`http://127.0.0.1:${port}`, driver);
    return {
      version,
      open: async (url) => void (await send('POST', '/url', { url })),
      run: (source, argument = null) =>
        send('POST', '/execute/sync', {
          script: `return (${source})(arguments[0])`,
          args: [argument],
        }),
      async close() {
        await send('DELETE', '');
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Send = (method: string, path: string, body?: object) => Promise<unknown>;

/** Opens a session of WebDriver (W3C) with a browser that has a camera. */
async function newSession(address: string, driver: ChildProcess) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(address + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver: ${JSON.stringify(value)}`);
    return value;
  };
  await listening(call, driver);
  const options = { binary: miniBrowser(), args: ['--automation', '--enable-media-stream=true'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const session = (await call('POST', '/session', { capabilities })) as {
    sessionId: string;
    capabilities: { browserVersion: string };
  };
  const send: Send = (method, path, body) => call(method, `/session/${session.sessionId}${path}`, body);
  return { send, version: `WebKitGTK ${session.capabilities.browserVersion}` };
}

/** The driver reports nothing when it listens, so its status is asked until it responds or the process ends. */
async function listening(call: Send, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const isReady = await call('GET', '/status').then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await new Promise(setImmediate);
  }
  throw new Error(`WebKitWebDriver ended with code ${driver.exitCode}.`);
}

/** A virtual screen, which chooses its number by itself. */
async function startScreen(): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  const child = spawn(
    programOf('Xvfb'),
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const lines = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with code ${code}.`);
  });
  const [number] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => {});
  return { process: child, display: `:${number}` };
}

/** Debian installs the browser with the library, in a folder that depends on processor and version. */
function miniBrowser(): string {
  for (const libraries of readdirSync('/usr/lib', { withFileTypes: true })) {
    if (!libraries.isDirectory() || !libraries.name.endsWith('-linux-gnu')) continue;
    const folder = join('/usr/lib', libraries.name);
    for (const name of readdirSync(folder)) {
      const file = /^webkit(?:2gtk|gtk)-/.test(name) && findProgram('MiniBrowser', join(folder, name));
      if (file) return file;
    }
  }
  throw new Error('There is no MiniBrowser of WebKitGTK below /usr/lib.');
}
