// Tries connections from inside pods.

/**
 * @typedef {import('../../../../gateway/harness/kubectl.mjs').Kubectl} Kubectl
 * @typedef {{ host: string, port: string }} Target port: such as TCP/9100; for UDP/53, the host is a name to look up
 * @typedef {{ namespace: string, pod: string, container: string, hasNode: boolean }} Prober
 */

/** A policy drops packets, so a closed connection is one that does not open in time. */
const WAIT_S = 3;

const NODE_PROGRAM = `
const { connect } = require('node:net');
const { lookup } = require('node:dns');
const open = ({ host, port }) => new Promise((resolve) => {
  setTimeout(resolve, ${WAIT_S * 1e3}, false);
  if (port.startsWith('UDP')) return lookup(host, (error) => resolve(!error));
  const socket = connect({ host, port: Number(port.slice(4)) });
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
});
Promise.all(JSON.parse(process.argv[1]).map(open)).then((seen) => {
  console.log(JSON.stringify(seen));
  process.exit();
});`;

/** Redis's image has no Node.js. Arguments: host and port of each target. */
const SHELL_PROGRAM = `
i=0
while [ $# -gt 0 ]; do
  case $2 in
    UDP/*) (timeout ${WAIT_S} getent hosts "$1" >/dev/null && echo "$i") & ;;
    *) (timeout ${WAIT_S} bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "\${2#TCP/}" 2>/dev/null && echo "$i") & ;;
  esac
  i=$((i + 1))
  shift 2
done
wait
exit 0`;

/**
 * @param {Kubectl} kubectl
 * @param {Prober} from
 * @param {readonly Target[]} targets
 * @returns {Promise<boolean[]>} which of them are open
 */
export async function probe(kubectl, { namespace, pod, container, hasNode }, targets) {
  const inside = ['--namespace', namespace, 'exec', pod, '--container', container, '--'];
  if (hasNode) {
    const program = ['node', '--eval', NODE_PROGRAM, JSON.stringify(targets)];
    return JSON.parse(await kubectl.run([...inside, ...program]));
  }
  const args = targets.flatMap(({ host, port }) => [host, port]);
  const lines = await kubectl.run([...inside, 'sh', '-c', SHELL_PROGRAM, 'probe', ...args]);
  const open = new Set(lines.split('\n'));
  return targets.map((_, i) => open.has(String(i)));
}
