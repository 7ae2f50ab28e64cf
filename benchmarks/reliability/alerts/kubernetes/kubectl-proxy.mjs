/** The API server of the cluster that kubectl points at, as plain HTTP on a free port of this machine. */
import { startProcess } from '../../../../gateway/harness/index.mjs';

/** @returns {Promise<{ address: string, stop: () => Promise<unknown> }>} the address is `host:port` */
export async function startKubectlProxy() {
  const proxy = await startProcess('kubectl', ['proxy', '--port=0'], { ready: 'Starting to serve' });
  const [address = ''] = /127\.0\.0\.1:\d+/.exec(proxy.readyLine) ?? [];
  return { address, stop: () => proxy.stop() };
}
