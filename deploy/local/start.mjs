// `npm start`: installs and builds missing parts, starts Redis, inference, gateway and site on this machine, prints a
// development key, and stops everything in order on Ctrl-C.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchSignals } from '../../gateway/harness/cli/interruption.mjs';
import { tryLock } from '../../gateway/harness/cli/lock.mjs';
import { checkNode } from '../../gateway/harness/cli/node-version.mjs';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { duration, progress } from '../../gateway/harness/cli/progress.mjs';
import { describeVariables, readSettings } from '../../gateway/harness/cli/settings.mjs';
import { explained, Interrupted, runMain, Stop } from '../../gateway/harness/cli/stop.mjs';
import { Terminal } from '../../gateway/harness/cli/terminal.mjs';
import { setup } from '../../gateway/harness/setup/setup.mjs';
import { developmentKey, developmentKeyFileIn } from './start/development-key.mjs';
import { requireFreePorts } from './start/free-ports.mjs';
import { awaitGuard, GUARD, STOP_ORDER, stopLeftovers } from './start/leftovers.mjs';
import { bringUpApi, bringUpSite, planTiers, startsRedisKeys } from './start/local-tiers.mjs';
import { logLines } from './start/log-lines.mjs';
import { RuntimeFile, runtimeFileIn } from './start/runtime-file.mjs';
import { adminTokenFileIn, adminTokenIn, keySecretIn } from './start/secrets.mjs';
import { detectSample, summary } from './start/summary.mjs';
import { Tiers } from './start/tiers.mjs';

const HELP = `npm start    starts Presenza on this machine: Redis, inference, gateway and site

Variables (defaults in brackets):
${describeVariables()}
`;

/** @typedef {Readonly<import('../../gateway/harness/cli/settings.mjs').Settings>} Settings */

runMain(async () => {
  checkNode();
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length > 0)
    throw new Stop(`npm start takes no arguments (${args.join(' ')}); see npm start -- --help.`);

  const settings = readSettings(process.env);
  const terminal = new Terminal();
  const interruption = watchSignals();
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  takeDataFolder(settings);
  await clearLeftovers(settings, terminal);
  await requireFreePorts(portsNeeded(settings));
  await setup({ settings, terminal, abort: interruption.abort, site: false, extent: 'api' });
  return serve(settings, terminal, interruption);
});

/** Two starts on one data folder would share one Redis folder and one key. @param {Settings} settings */
function takeDataFolder({ dataDir }) {
  const attempt = tryLock(join(dataDir, 'start.lock'));
  if ('holder' in attempt) {
    throw new Stop(
      `Presenza already runs on ${nameOf(dataDir)} (process ${attempt.holder.pid}): stop it, or set PRESENZA_DATA and the ports to start another.`,
    );
  }
}

/** @param {Settings} settings @param {Terminal} terminal */
async function clearLeftovers({ dataDir }, terminal) {
  const file = runtimeFileIn(dataDir);
  await awaitGuard(file);
  const stopped = await stopLeftovers(file);
  if (stopped.length > 0)
    terminal.line(`start  stopped leftovers of an earlier start: ${stopped.join(', ')}`);
}

/** @param {Settings} settings */
function portsNeeded(settings) {
  const { ports, redisUrl } = settings;
  const entries = /** @type {[import('../../gateway/harness/cli/settings.mjs').PortName, number][]} */ (
    Object.entries(ports)
  );
  /** @type {Partial<Record<string, boolean>>} */
  const isNeeded = { redis: !redisUrl, redisKeys: startsRedisKeys(settings) };
  return entries.filter(([name]) => isNeeded[name] !== false);
}

/**
 * @param {Settings} settings
 * @param {Terminal} terminal
 * @param {import('../../gateway/harness/cli/interruption.mjs').Interruption} interruption
 */
async function serve(settings, terminal, { abort: interrupted, requested, insisted }) {
  const { dataDir } = settings;
  const plan = planTiers(settings, {
    keySecret: settings.keySecret ?? keySecretIn(dataDir),
    adminToken: settings.adminToken ?? adminTokenIn(dataDir),
  });
  const runtime = new RuntimeFile(runtimeFileIn(dataDir), plan.redisUrl, plan.sessionKeysUrl);
  const guard = startGuard(dataDir);
  runtime.add(GUARD, guard.pid);

  const colored = terminal.isInteractive && settings.colors;
  const tiers = new Tiers(logLines(terminal, { format: settings.logFormat, colored }));
  const ending = new AbortController();
  const abort = AbortSignal.any([interrupted, ending.signal]);
  /** @type {import('./start/local-tiers.mjs').Means} */
  const means = {
    start: (name, tier) => runtime.add(name, tiers.start(name, tier)),
    say: (line) => terminal.line(line),
    abort,
  };
  let killed = false;
  requested.then(() =>
    terminal.line('\nstop  draining and stopping; press Ctrl-C again to kill everything now'),
  );
  insisted.then(() => {
    killed = true;
    tiers.kill();
  });
  const started = serveApi().then(serveSite);
  try {
    await Promise.race([started, tiers.death, requested]);
    await Promise.race([tiers.death, requested]);
  } finally {
    ending.abort(new Interrupted('the end of another tier'));
    await Promise.all([tiers.stop(STOP_ORDER), started.catch(() => {})]);
    runtime.remove();
    await guard.end();
    terminal.line('stop  everything has stopped');
  }
  return killed ? 130 : 0;

  async function serveApi() {
    const env = {
      REDIS_URL: plan.redisUrl,
      REDIS_SESSION_KEYS_URL: plan.sessionKeysUrl,
      KEY_SECRET: plan.keySecret,
    };
    let key = '';
    await progress('start', terminal)('the API', async () => {
      key = await bringUpApi(plan, means, () =>
        developmentKey({ dataDir, gatewayUrl: plan.urls.gateway, env }),
      );
    });
    const keyFile = developmentKeyFileIn(dataDir);
    const adminTokenFile = settings.adminToken ? undefined : nameOf(adminTokenFileIn(dataDir));
    const secrets = terminal.isInteractive ? { key, adminToken: plan.adminToken } : {};
    const { consoleUrl, hasMailbox } = settings;
    const shown = { urls: plan.urls, keyFile, adminTokenFile, consoleUrl, hasMailbox, nameOf };
    terminal.line(summary({ ...shown, ...secrets }));
    const detection = await detectSample({ gatewayUrl: plan.urls.gateway, key });
    terminal.line(`ready  API after ${sinceStart()}: ${detection}; Ctrl-C stops everything`);
  }

  /** The API keeps running without the site: a failure of the build or of the site's server is reported. */
  async function serveSite() {
    try {
      await setup({ settings, terminal, abort });
    } catch (thrown) {
      const error = explained(thrown);
      if (!(error instanceof Stop)) throw error;
      terminal.line(
        `\n${error.details}\n\n${error.message}\nThe site could not be built. The API keeps running.`,
      );
      return;
    }
    if (await bringUpSite(plan, means)) {
      terminal.line(`ready  site after ${sinceStart()}: ${plan.urls.site}`);
    }
  }
}

const sinceStart = () => duration(process.uptime() * 1000);

/** @param {string} dataDir */
function startGuard(dataDir) {
  const script = fileURLToPath(new URL('start/guard.mjs', import.meta.url));
  // A separate session, so that a signal to this script's process group does not reach the guard.
  const child = spawn(process.execPath, [script, runtimeFileIn(dataDir)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  if (child.pid === undefined) throw new Stop(`${process.execPath} cannot be run.`);
  const exited = once(child, 'exit');
  return {
    pid: child.pid,
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** @param {string} path @returns {string} relative to the repository if it is inside */
function nameOf(path) {
  const inside = relative(ROOT, path);
  return inside.startsWith('..') ? path : inside;
}
