/** The installed Firefox ESR, driven by the WebDriver BiDi (W3C) that it speaks itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';
import { temporaryFolder } from '../../harness/index.mjs';
import { type Engine, end, programOf } from './engine';

/** Firefox would otherwise look for updates, studies and lists of sites at its start. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

export async function launchFirefox(): Promise<Engine> {
  const profile = temporaryFolder();
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const firefox = spawn(programOf('firefox-esr'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const { send, close } = await connect(`${await addressOf(firefox)}/session`);
    const { capabilities } = await send('session.new', { capabilities: {} });
    const { context } = await send('browsingContext.create', { type: 'tab' });
    return {
      version: `Firefox ESR ${capabilities.browserVersion}`,
      open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      async run(source, argument = null) {
        const { result, exceptionDetails } = await send('script.callFunction', {
          functionDeclaration: `async (text) => JSON.stringify((await (${source})(JSON.parse(text))) ?? null)`,
          arguments: [{ type: 'string', value: JSON.stringify(argument) }],
          target: { context },
          awaitPromise: true,
        });
        if (exceptionDetails) throw new Error(`Firefox: ${exceptionDetails.text}`);
        return JSON.parse(result.value);
      },
      async close() {
        close();
        await end(firefox);
      },
    };
  } catch (error) {
    await end(firefox);
    throw error;
  }
}

/** Firefox reports the address once it listens. */
async function addressOf({ stderr, exitCode }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stderr as NodeJS.ReadableStream })) {
    const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error(`firefox-esr ended with code ${exitCode}.`);
}

// biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own
type Send = (method: string, params: object) => Promise<any>;

async function connect(address: string): Promise<{ readonly send: Send; readonly close: () => void }> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, Deferred>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data));
    const call = waiting.get(id);
    waiting.delete(id);
    if (type === 'error') call?.reject(new Error(`Firefox: ${error}: ${message}`));
    else call?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection.'));
  });
  await once(socket, 'open');
  return {
    send(method, params) {
      const id = ++lastId;
      const call = deferred();
      waiting.set(id, call);
      socket.send(JSON.stringify({ id, method, params }));
      return call.promise;
    },
    close: () => socket.close(),
  };
}

interface Deferred {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => {};
  let reject: Deferred['reject'] = () => {};
  const promise = new Promise((fulfill, fail) => {
    resolve = fulfill;
    reject = fail;
  });
  return { promise, resolve, reject };
}
