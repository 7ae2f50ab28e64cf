import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The same listener; every response tells of its connection's end. Node tells it only to the response whose turn it is:
 * those of requests that a client sent ahead of their answers (RFC 9112, 9.3.2) would stay open for ever, and with them
 * what is held until they close, so that a few clients could take all of the room there is.
 */
export function closingAll(listener: RequestListener): RequestListener {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  return (req, res) => {
    const all = open.get(req.socket) ?? watch(req.socket);
    all.add(res);
    res.once('close', () => all.delete(res));
    listener(req, res);
  };

  function watch(socket: Socket): Set<ServerResponse> {
    const all = new Set<ServerResponse>();
    open.set(socket, all);
    socket.once('close', () => {
      // The one that has the socket is told by Node.
      for (const res of all) if (!res.socket) res.destroy().emit('close');
    });
    return all;
  }
}
