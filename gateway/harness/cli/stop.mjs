// Ends a script that cannot continue with a sentence for the user instead of a stack trace.

/** Ends the script with exit code 1. The message is a full sentence that names the remedy. */
export class Stop extends Error {
  /**
   * @param {string} sentence
   * @param {string} [details] output of a failed command, shown above the sentence
   */
  constructor(sentence, details = '') {
    super(sentence);
    this.details = details;
  }
}

/** The work was stopped before it was done, for example by Ctrl-C. */
export class Interrupted extends Error {
  /** @param {string} by a signal, or an event */
  constructor(by) {
    super(`Stopped by ${by}.`);
  }
}

/**
 * Runs a script's main function and turns its end into an exit code.
 * @param {() => Promise<number>} main returns the exit code
 */
export function runMain(main) {
  // A closed terminal or pipe (`npm start | head`) must not keep the script from stopping what it started.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  void main().catch(report).then(exit);
}

/**
 * Exits without waiting for an empty event loop, since pending probes and timers no longer have a purpose. Pipes may lag
 * behind, and the last line counts.
 * @param {number} code
 */
async function exit(code) {
  process.exitCode = code;
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit();
}

/** @param {NodeJS.WriteStream} stream @returns {Promise<void>} */
function flushed(stream) {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

const FULL = ['ENOSPC', 'EDQUOT'];
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS'];
const OF_ANOTHER_KIND = ['EEXIST', 'ENOTDIR', 'EISDIR'];

/**
 * Turns an error of the file system that a person can remedy into a sentence.
 * @param {unknown} error
 * @returns {unknown} a Stop, or the error itself
 */
export function explained(error) {
  const { code: reported = '', path, syscall } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  if (path === undefined) return error;
  // Node reports ENOENT if it cannot create a folder with its parents on a read-only file system.
  const code = reported === 'ENOENT' && syscall === 'mkdir' ? 'EROFS' : reported;
  if (FULL.includes(code)) {
    return new Stop(`The disk is full: ${path} cannot be written. Free some space and repeat the command.`);
  }
  if (FORBIDDEN.includes(code)) {
    return new Stop(`${path} cannot be used (${code}): make it accessible to this user.`);
  }
  if (OF_ANOTHER_KIND.includes(code)) {
    return new Stop(
      `${path} cannot be used (${code}), because a file is where a folder is needed, or a folder where a file is: move it away.`,
    );
  }
  return error;
}

/** @param {unknown} thrown */
function report(thrown) {
  const error = explained(thrown);
  if (error instanceof Stop) {
    process.stderr.write(`${error.details ? `\n${error.details}\n` : ''}\n${error.message}\n`);
    return 1;
  }
  if (error instanceof Interrupted) {
    process.stderr.write(`\n${error.message}\n`);
    return 130; // the exit code that shells report after Ctrl-C
  }
  // Any other error is a bug of these scripts, and a bug report needs the stack.
  process.stderr.write(`\n${error instanceof Error ? error.stack : error}\n`);
  return 1;
}
