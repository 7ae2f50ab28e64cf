// `npm run test:cluster`: installs Presenza on the cluster that kubectl points at, breaks its parts under a steady load,
// counts what clients lost, and deletes everything again.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watchSignals } from '../../../gateway/harness/cli/interruption.mjs';
import { CHECKOUT_STATE } from '../../../gateway/harness/cli/paths.mjs';
import { runMain, Stop } from '../../../gateway/harness/cli/stop.mjs';
import { Kubectl } from '../../../gateway/harness/kubectl.mjs';
import { smallImages } from '../../../gateway/harness/small-images.mjs';
import { HELP, readOptions } from './installation/options.mjs';
import { summaryOf, tableOf } from './report/table.mjs';
import { Run } from './run.mjs';
import { chooseScenarios, scenarios } from './scenarios/index.mjs';

const RESULT = join(CHECKOUT_STATE, 'cluster-test.json');
/** Few, so that the right result of every request is known within seconds. */
const IMAGES = 3;

const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) print(HELP);
  if (options.list) for (const { name, about } of scenarios) print(`${name.padEnd(20)}  ${about}`);
  if (options.help || options.list) return 0;
  const chosen = chooseScenarios(options);
  const output = options.output ?? RESULT;
  // The result of another run must not pass for that of this one.
  rmSync(output, { force: true });

  const { abort } = watchSignals();
  const kubectl = new Kubectl(options.context, abort);
  const nodes = await nodesOf(kubectl);
  print(`${nodes.length} nodes with Kubernetes ${nodes[0]?.version}; namespace ${options.namespace}`);

  const run = new Run({ kubectl, options, abort, images: await smallImages(IMAGES), print });
  const begin = performance.now();
  try {
    await run.install();
    for (const scenario of chosen) await run.play(scenario);
  } finally {
    const seconds = (performance.now() - begin) / 1e3;
    print(`\n${tableOf(run.rows)}\n\n${summaryOf(run.rows)} in ${(seconds / 60).toFixed(1)} minutes`);
    mkdirSync(dirname(output), { recursive: true });
    const result = { at: new Date().toISOString(), seconds, nodes, rows: run.rows, pairs: run.pairs };
    writeFileSync(output, `${JSON.stringify(result, null, 2)}\n`);
    if (options.keep) print(`The namespace ${options.namespace} stays.`);
    else await run.delete();
  }
  return run.rows.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
});

/** @param {Kubectl} kubectl @returns {Promise<{ version: string, cpu: string, memory: string }[]>} */
async function nodesOf(kubectl) {
  const { items } = await kubectl.json(['get', 'nodes']).catch((error) => {
    throw new Stop(`There is no cluster: ${error.message}`);
  });
  return items.map((/** @type {any} */ { status }) => ({
    version: status.nodeInfo.kubeletVersion,
    cpu: status.allocatable.cpu,
    memory: status.allocatable.memory,
  }));
}
