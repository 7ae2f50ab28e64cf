// The one requirement that the scripts cannot install.

import { Stop } from './stop.mjs';

const OLDEST = /** @type {const} */ ([20, 9]);

/**
 * @param {string} version as process.versions.node writes it
 * @param {NodeJS.Platform} platform
 * @throws {Stop} when Presenza cannot run here
 */
export function checkNode(version = process.versions.node, platform = process.platform) {
  if (platform === 'win32') {
    throw new Stop('Presenza runs on Linux and macOS: on Windows, start it inside WSL.');
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Stop(
      `Presenza needs Node ${OLDEST.join('.')} or later and this is Node ${version}: install Node 20, 22 or 24 from nodejs.org or with your version manager.`,
    );
  }
}
