/**
 * What one connection may leave unanswered and unread. Requests that a client sends ahead of their answers (RFC 9112,
 * 9.3.2) are all begun as soon as they are read, thousands at once where they are small: this keeps them few, and ends
 * those whose client is gone or takes nothing.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client sends ahead of its answers that waits for them as well. */
export const mostUnanswered = 16;

interface Line {
  /** Without a whole answer, in the order of their requests. */
  readonly open: Set<ServerResponse>;
  /** Whose answer waited to be taken when it was looked last, and since when. */
  waiting?: ServerResponse | undefined;
  since: number;
}

export class Pipelines {
  private readonly lines = new Map<Socket, Line>();

  /** @param onFlood called when a connection is cut that has more than `mostUnanswered` requests open. */
  constructor(
    private readonly app: RequestListener,
    private readonly onFlood: () => void,
  ) {}

  /**
   * Hands a request on, whose response tells of its connection's end in any case. Node tells it only to the response
   * whose turn it is: those behind it would stay open for ever, and with them what is held until they close.
   */
  readonly listener: RequestListener = (req, res) => {
    const { socket } = req;
    // What else was read at once is still parsed.
    if (socket.destroyed) return;
    const { open } = this.lines.get(socket) ?? this.watch(socket);
    if (open.size >= mostUnanswered) {
      socket.destroy();
      this.onFlood();
      return;
    }
    open.add(res);
    res.once('close', () => open.delete(res));
    this.app(req, res);
  };

  /**
   * Cuts off clients that have not taken an answer whose turn it was, though it was there at a look so long ago. To be
   * called again and again: a timer for every answer would cost each of them.
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
      // The one that has the socket is told by Node.
      for (const res of line.open) if (!res.socket) res.destroy().emit('close');
    });
    return line;
  }
}
