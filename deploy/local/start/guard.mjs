// Runs beside the start script and outlives it. Its stdin is a pipe from that script, which ends when the script
// does, however it was killed: whatever is then still written down as running is stopped.

import { stopLeftovers } from './leftovers.mjs';

const [runtimeFile = ''] = process.argv.slice(2);

process.stdin.resume().on('end', () => stopLeftovers(runtimeFile));
