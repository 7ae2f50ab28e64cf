/** Starts the gateway from its environment and drains it on SIGTERM and SIGINT. */

import { readConfig } from './config';
import { explain } from './errors/explain';
import { createLogger } from './observability/log';
import { startGateway } from './start/gateway';

async function main(): Promise<void> {
  // This comes first: the kernel withholds signals from process 1 of a container until it handles them.
  const signalled = firstSignal();
  const config = readConfig(process.env);
  const logger = createLogger(config.LOG_LEVEL);
  const gateway = await Promise.race([startGateway(config, logger), signalled]);
  if (typeof gateway === 'string') {
    logger.info({ signal: gateway }, 'stopped before it was ready');
    process.exit(0);
  }
  logger.info({ url: `http://${config.GATEWAY_HOST}:${config.GATEWAY_PORT}` }, 'gateway ready');
  logger.info({ signal: await signalled }, 'draining');
  await gateway.drain();
  logger.info('stopped');
}

/** Handles both signals for good, so that a second one does not interrupt the drain. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

main().catch((error: Error) => {
  console.error(explain(error));
  // Otherwise, open connections would keep the process alive.
  process.exit(1);
});
