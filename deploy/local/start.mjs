// `npm start`: sets up what is missing, starts Redis, inference, gateway and site on this machine, hands out a
// development key, and stops everything in order on Ctrl-C.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { developmentKey, developmentKeyFileIn } from './lib/development-key.mjs';
import { watchSignals } from './lib/interruption.mjs';
import { awaitGuard, GUARD, STOP_ORDER, stopLeftovers } from './lib/leftovers.mjs';
import { bringUp, planTiers } from './lib/local-tiers.mjs';
import { tryLock } from './lib/lock.mjs';
import { logLines } from './lib/log-lines.mjs';
import { checkNode } from './lib/node-version.mjs';
import { ROOT } from './lib/paths.mjs';
import { requireFreePorts } from './lib/ports.mjs';
import { duration } from './lib/progress.mjs';
import { RuntimeFile, runtimeFileIn } from './lib/runtime-file.mjs';
import { adminTokenFileIn, adminTokenIn, keySecretIn } from './lib/secrets.mjs';
import { describeVariables, readSettings } from './lib/settings.mjs';
import { runMain, Stop } from './lib/stop.mjs';
import { summary } from './lib/summary.mjs';
import { Tiers } from './lib/tiers.mjs';
import { setup } from './setup.mjs';

const HELP = `npm start    starts Presenza on this machine: Redis, inference, gateway and site

Variables (defaults in brackets):
${describeVariables()}
`;

/** @typedef {Readonly<import('./lib/settings.mjs').Settings>} Settings */

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
  const interruption = watchSignals();
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  takeDataFolder(settings);
  await clearLeftovers(settings);
  await requireFreePorts(portsNeeded(settings));
  await setup({ settings, abort: interruption.abort });
  return serve(settings, interruption);
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

/** @param {Settings} settings */
async function clearLeftovers({ dataDir }) {
  const file = runtimeFileIn(dataDir);
  await awaitGuard(file);
  const stopped = await stopLeftovers(file);
  if (stopped.length > 0)
    console.log(`start  stopped what an earlier start left running: ${stopped.join(', ')}`);
}

/** @param {Settings} settings */
function portsNeeded({ ports, redisUrl }) {
  const entries = /** @type {[import('./lib/settings.mjs').PortName, number][]} */ (Object.entries(ports));
  return entries.filter(([name]) => name !== 'redis' || !redisUrl);
}

/**
 * @param {Settings} settings
 * @param {import('./lib/interruption.mjs').Interruption} interruption
 */
async function serve(settings, { abort, requested, insisted }) {
  const { dataDir } = settings;
  const plan = planTiers(settings, {
    keySecret: settings.keySecret ?? keySecretIn(dataDir),
    adminToken: settings.adminToken ?? adminTokenIn(dataDir),
  });
  const runtime = new RuntimeFile(runtimeFileIn(settings.dataDir), plan.redisUrl);
  const guard = startGuard(settings.dataDir);
  runtime.add(GUARD, guard.pid);

  const writeLine = logLines(process.stdout, process.env);
  const tiers = new Tiers(writeLine);
  let killed = false;
  requested.then(() => console.log('\nstop  draining and stopping; Ctrl-C again ends everything at once'));
  insisted.then(() => {
    killed = true;
    tiers.kill();
  });
  try {
    await Promise.race([announce(), tiers.death, requested]);
    await Promise.race([tiers.death, requested]);
  } finally {
    await tiers.stop(STOP_ORDER);
    runtime.remove();
    await guard.end();
    console.log('stop  everything has stopped');
  }
  return killed ? 130 : 0;

  async function announce() {
    await bringUp(plan, { start: (name, tier) => runtime.add(name, tiers.start(name, tier)), abort });
    const key = await developmentKey({
      dataDir: settings.dataDir,
      gatewayUrl: plan.urls.gateway,
      env: { REDIS_URL: plan.redisUrl, KEY_SECRET: plan.keySecret },
    });
    const keyFile = nameOf(developmentKeyFileIn(settings.dataDir));
    const adminTokenFile = settings.adminToken ? undefined : nameOf(adminTokenFileIn(dataDir));
    process.stdout.write(summary({ urls: plan.urls, key, keyFile, adminTokenFile }));
    console.log(`\nready  after ${duration(process.uptime() * 1000)}; Ctrl-C stops everything`);
  }
}

/** @param {string} dataDir */
function startGuard(dataDir) {
  const script = fileURLToPath(new URL('guard.mjs', import.meta.url));
  // A session of its own, so that what kills this script's process group leaves the guard to do its work.
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

/** @param {string} path @returns {string} relative to the repository where it lies inside */
function nameOf(path) {
  const inside = relative(ROOT, path);
  return inside.startsWith('..') ? path : inside;
}
