// Runs beside the start script and outlives it. Its stdin is a pipe from that script, which closes when the script
// ends, however it was killed. The guard then stops every process that is still recorded.

import { stopLeftovers } from './leftovers.mjs';

const [runtimeFile = ''] = process.argv.slice(2);

process.stdin.resume().on('end', () => stopLeftovers(runtimeFile));
