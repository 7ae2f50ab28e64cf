/** What clients feel of a gateway that dies or hangs, and of bad lines of their own. */

import { rehearsals } from './rehearsals.mjs';
import { pause } from './rehearse.mjs';

/** Leases of operations end 15 s after the deadline; whoever hangs for longer finds them swept when it comes back. */
const LEASE_MARGIN_MS = 15_000;

export const gatewayFaults = rehearsals({
  name: 'faults/gateways',
  answers: 'What do clients feel of one of two gateways that dies or hangs, and of bad lines to it?',
  remark:
    'Each client knows both gateways and goes to the other one after a failure. What a killed or frozen gateway had begun is answered 409 by the other until its lease ends, 15 s after the deadline. Slow lines: 100 ms each way, 200 kB/s.',
  faults: ({ gateways: [first], ways, deadlineMs }) => {
    const [way] = ways.clients;
    const all = ways.clients;
    const heal = () => Promise.all(all.map((one) => one.heal()));
    let cutting = /** @type {NodeJS.Timeout | undefined} */ (undefined);
    return [
      { name: 'one killed', begin: () => first.running.kill(), end: () => first.beginUntilUp() },
      {
        name: 'one frozen for longer than a lease',
        begin: () => first.running.freeze(),
        end: () => first.running.thaw(),
        faultMs: deadlineMs + LEASE_MARGIN_MS + 6_000,
        silent: true,
      },
      {
        name: 'one terminated without notice',
        begin: async () => {
          await first.stop();
          await pause(1_000);
        },
        end: () => first.beginUntilUp(),
      },
      {
        name: 'slow lines of clients',
        begin: () => {
          for (const one of all) one.slow({ latencyMs: 100, bytesPerSecond: 200_000 });
        },
        end: heal,
      },
      { name: 'one partitioned from clients', begin: () => way.partition(), end: heal, silent: true },
      { name: 'clients gone without a word', begin: () => way.halfOpen(), end: heal, silent: true },
      {
        name: 'lines of clients reset, each second',
        begin: () => {
          cutting = setInterval(() => {
            for (const one of all) one.cut();
          }, 1_000);
        },
        end: () => clearInterval(cutting),
      },
    ];
  },
});
