// `npm test` builds the site beside the tests of other workspaces. Tests of the site wait here until the build is
// complete: a failed build ends the whole run.
const { once } = require('node:events');
const { existsSync, watch } = require('node:fs');
const { dirname } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    const { SITE_PENDING } = process.env; // a file that exists until the build is complete
    if (!SITE_PENDING) return;
    const folder = watch(dirname(SITE_PENDING));
    while (existsSync(SITE_PENDING)) await once(folder, 'change');
    folder.close();
  }
};
