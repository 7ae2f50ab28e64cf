// Limits how many packages npm unpacks at the same time:
//
//   NODE_OPTIONS=--require=/app/deploy/docker/npm-limit.cjs npm ci
//
// npm starts with all packages at once, 1,700 for the site, and some container engines let a process open only 1,024
// files: the installation then ends with EMFILE. npm has no setting for it; `maxsockets` limits connections only.

const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');

const AT_ONCE = 32;
const program = realpathSync(process.argv[1] ?? '');

// The option of Node also reaches the programs that npm starts.
if (program.endsWith('npm-cli.js')) {
  // The module that npm unpacks with. If another npm lacks it, the build ends here.
  const pacote = createRequire(program)('pacote');
  const { extract } = pacote;
  let running = 0;
  /** @type {(() => void)[]} */
  const waiting = [];
  pacote.extract = async (/** @type {unknown[]} */ ...args) => {
    if (running < AT_ONCE) running++;
    // A package that ends hands its place to the next one.
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    try {
      return await extract(...args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
