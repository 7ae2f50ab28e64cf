// Detects an occupied port before anything starts, and names it with the variable that changes it.

import { connect, createServer } from 'node:net';
import { portVariable } from '../../../gateway/harness/cli/settings.mjs';
import { Stop } from '../../../gateway/harness/cli/stop.mjs';
import { HOST } from '../../../gateway/harness/ports.mjs';

/** @typedef {import('../../../gateway/harness/cli/settings.mjs').PortName} PortName */

/**
 * @param {[PortName, number][]} ports
 * @throws {Stop} naming the first port that cannot be had
 */
export async function requireFreePorts(ports) {
  for (const [name, port] of ports) {
    const variable = portVariable(name);
    // macOS lets a specific address be bound beside another program's wildcard address, so this also tries to connect.
    const code = (await accepts(port)) ? 'EADDRINUSE' : await bindingError(port);
    if (code === 'EADDRINUSE') {
      throw new Stop(
        `Port ${port} (${variable}) is already in use; stop what listens there or set ${variable} to another.`,
      );
    }
    if (code)
      throw new Stop(`Port ${port} (${variable}) cannot be used (${code}); set ${variable} to another.`);
  }
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    const settle = (/** @type {boolean} */ accepted) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** @param {number} port @returns {Promise<string | undefined>} */
function bindingError(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
