/** A TCP proxy that simulates the outage of a server, which costs less than a restart of the server. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface OutageProxy {
  readonly url: string;
  /** Resets all connections and refuses new ones, as the death of the server would. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
}

/** @param target URL of a server on this machine */
export async function openOutageProxy(target: string): Promise<OutageProxy> {
  const { port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(targetPort), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    async restore() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
