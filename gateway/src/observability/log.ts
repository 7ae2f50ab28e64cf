import pino, { type Logger } from 'pino';

/**
 * Logs JSON lines to standard output. Those of one turn of the event loop go out together at its end: to write each by
 * itself costs more than to make it. What is left when the process exits, by an error as well, goes out then.
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
