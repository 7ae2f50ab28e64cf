import { createServer, type Server } from 'node:http';
import { hostNames, serverTimeouts } from '@presenza/contract/internal-port.cjs';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/app';
import { largestAdminBody } from '../admin/http-input';
import type { AdminServices } from '../admin/operation';
import { registry } from '../admin/registry';
import { bounds } from '../bounds';
import type { Config } from '../config';
import { type Services as ApiServices, createApp } from '../http/app';
import { createOperationsApp, type OperationsServices } from '../http/operations-app';
import { closeServer, createApiServer, warnOfUntrustedProxy } from '../http/server';
import type { Metrics } from '../observability/metrics';
import { Admission } from '../services/limits/admission';

export interface ServerServices {
  readonly api: ApiServices;
  readonly operations: Omit<OperationsServices, 'hostNames'>;
  readonly admin: AdminServices;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The HTTP servers of a gateway: the public API, metrics and health, and the operators' API. */
export interface Servers {
  /** @throws Error that names the port and its variable, if the port is in use */
  listen(): Promise<void>;
  /** Takes no new connections and lets requests in flight finish. @param deadlineMs when the rest is disconnected */
  close(deadlineMs: number): Promise<void>;
}

export function createServers(config: Config, services: ServerServices): Servers {
  const { logger, metrics } = services;
  const api = createApiServer(createApp(services.api), logger, metrics, {
    maxConnections: config.GATEWAY_MAX_CONNECTIONS,
    errorLinks: services.api.errorLinks,
  });
  if (config.GATEWAY_TRUST_PROXY === '') warnOfUntrustedProxy(api, logger, config.VERIFY_URL);
  const names = hostNames(config.GATEWAY_HOST_NAMES);
  const operationsApp = createOperationsApp({ ...services.operations, hostNames: names });
  const operations = createServer(serverTimeouts, operationsApp);
  const admin = createAdminServer(config, services);
  return {
    async listen() {
      await listen(api, config.GATEWAY_PORT, config.GATEWAY_HOST, 'GATEWAY_PORT');
      const { GATEWAY_METRICS_PORT, GATEWAY_METRICS_HOST } = config;
      await listen(operations, GATEWAY_METRICS_PORT, GATEWAY_METRICS_HOST, 'GATEWAY_METRICS_PORT');
      if (config.ADMIN_TOKEN === '') return;
      await listen(admin, config.GATEWAY_ADMIN_PORT, config.GATEWAY_ADMIN_HOST, 'GATEWAY_ADMIN_PORT');
    },
    async close(deadlineMs) {
      await Promise.all([api, operations, admin].map((server) => closeServer(server, deadlineMs)));
    },
  };
}

function createAdminServer(config: Config, services: ServerServices): Server {
  const { admin, logger, metrics } = services;
  const app = createAdminApp(registry, {
    admin,
    token: config.ADMIN_TOKEN,
    hostNames: hostNames(config.GATEWAY_HOST_NAMES),
    admission: new Admission({ maxRequests: bounds.adminRequests, maxBodyBytes: 2 * largestAdminBody }),
    logger,
    metrics,
    draining: services.api.draining,
  });
  return createApiServer(app, logger, metrics);
}

function listen(server: Server, port: number, host: string, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = error.code === 'EADDRINUSE';
      reject(busy ? new Error(`Port ${port} (${variable}) is already in use`) : error);
    });
    server.listen(port, host, resolve);
  });
}
