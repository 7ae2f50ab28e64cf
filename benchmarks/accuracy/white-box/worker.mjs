/** A process that simulates attempts, because rendering and gradients take all of a thread. Its parent sends the jobs. */
import { openAttacker } from './attacker.mjs';

const [tierUrl = '', effort = ''] = process.argv.slice(2);
const attacker = await openAttacker(tierUrl, JSON.parse(effort));

process.on('message', async (/** @type {{ kind: string, seed: number }} */ { kind, seed }) => {
  process.send?.({ row: await attacker.simulate(kind, seed) });
});
process.on('disconnect', () => attacker.close());
process.send?.({ people: attacker.people });
