/**
 * Limits what one connection may leave open and unread. Node starts every pipelined request (RFC 9112, 9.3.2) as soon
 * as it is read, which can be thousands of small ones at once. This class allows a few, and ends those whose client has
 * disconnected or does not read.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bounds } from '../bounds';

/** More than any client pipelines that also reads its responses. */
export const maxOpenResponses = bounds.openResponses;

interface Line {
  /** Incomplete responses, in the order of their requests. */
  readonly open: Set<ServerResponse>;
  /** The response that the client had not read at the last check, and since when. */
  waiting?: ServerResponse | undefined;
  since: number;
}

export class Pipelines {
  private readonly lines = new Map<Socket, Line>();

  /** @param onFlood called when a connection exceeds `maxOpenResponses` and is closed. */
  constructor(
    private readonly app: RequestListener,
    private readonly onFlood: () => void,
  ) {}

  /**
   * Forwards a request, and makes sure that its response emits `close` with the connection. Node notifies only the
   * first response in line; the others would stay open forever, with everything that they hold.
   */
  readonly listener: RequestListener = (req, res) => {
    const { socket } = req;
    // Node still parses what it had read before the connection was closed.
    if (socket.destroyed) return;
    const { open } = this.lines.get(socket) ?? this.watch(socket);
    if (open.size >= maxOpenResponses) {
      socket.destroy();
      this.onFlood();
      return;
    }
    open.add(res);
    res.once('close', () => open.delete(res));
    this.app(req, res);
  };

  /**
   * Disconnects clients that have not read a finished response for this long. Called periodically, because a timer for
   * every response would cost more.
   */
  cutUnread(patienceMs: number, now = performance.now()): void {
    for (const [socket, line] of this.lines) {
      const [first] = line.open;
      const made = first?.writableEnded ? first : undefined;
      if (!made || made !== line.waiting) {
        line.waiting = made;
        line.since = now;
      } else if (now - line.since >= patienceMs) socket.destroy();
    }
  }

  private watch(socket: Socket): Line {
    const line: Line = { open: new Set(), since: 0 };
    this.lines.set(socket, line);
    socket.once('close', () => {
      this.lines.delete(socket);
      // Node notifies the response that has the socket.
      for (const res of line.open) if (!res.socket) res.destroy().emit('close');
    });
    return line;
  }
}
