/** A proxy in front of a server that stops one request on its way there, or its response on the way back. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The direction to stop: `there` for the request, which the server never sees, `back` for the response. */
export type Way = 'there' | 'back';

export interface Tripwire {
  readonly port: number;
  /**
   * Resolves once the next request with this text is stopped. Its connection then passes nothing more; the
   * others continue.
   */
  stop(text: string, way: Way): Promise<void>;
  close(): Promise<void>;
}

/** @param port of the server, on this machine */
export async function openTripwire(port: number): Promise<Tripwire> {
  let trap: { readonly text: string; readonly way: Way; readonly sprung: () => void } | undefined;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let asked = false;
    let stopped = false;
    const spring = () => {
      stopped = true;
      trap?.sprung();
      trap = undefined;
    };
    near.on('data', (chunk) => {
      if (stopped) return;
      asked ||= trap !== undefined && chunk.includes(trap.text);
      if (asked && trap?.way === 'there') spring();
      else far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (stopped) return;
      // A Redis that was started anew asks for the script first.
      const replied = asked && !chunk.includes('NOSCRIPT');
      if (replied && trap) return spring();
      asked = false;
      near.write(chunk);
    });
    for (const [source, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(source);
      // A client that is killed resets its connections.
      source.on('error', () => {});
      source.on('close', () => {
        open.delete(source);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: (text, way) =>
      new Promise((sprung) => {
        trap = { text, way, sprung };
      }),
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
