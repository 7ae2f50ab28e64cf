// `npm test` builds the site beside the tests of other workspaces. Tests of the site wait here until the build is
// complete: a failed build ends the whole run.
const { existsSync } = require('node:fs');
const { setTimeout: delay } = require('node:timers/promises');
const { TestEnvironment } = require('jest-environment-node');

const POLL_MS = 250;

module.exports = class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    const { SITE_PENDING } = process.env; // a file that exists until the build is complete
    while (SITE_PENDING && existsSync(SITE_PENDING)) await delay(POLL_MS);
  }
};
