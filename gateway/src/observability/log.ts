import pino, { type Logger } from 'pino';

/**
 * Logs JSON lines to standard output. It writes the lines of one event loop turn together, because a write of its own
 * costs more than making a line. The rest is written when the process exits, even after an error.
 */
export function createLogger(level: string): Logger {
  const out = pino.destination({ dest: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    out.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  const write = (line: string) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
  return pino({ level, base: null }, { write });
}
