/**
 * Preloaded into the inference tier (`--require`): a worker thread that starts while the file of REHEARSAL_NO_SUCCESSOR
 * exists dies at once, as when no memory is left for its models.
 */
const { existsSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (!isMainThread && existsSync(process.env.REHEARSAL_NO_SUCCESSOR ?? ''))
  throw new Error('rehearsed failure of a start');
