// Starts, watches, breaks, loads and audits the service and its parts. The README beside this file lists what is here.

export * from './audit.mjs';
export * from './balancer.mjs';
export * from './chromium.mjs';
export * from './client.mjs';
export * from './folders.mjs';
export * from './k6.mjs';
export * from './load.mjs';
export * from './operator.mjs';
export * from './part.mjs';
export * from './ports.mjs';
export * from './process.mjs';
export * from './proxy.mjs';
export * from './redis.mjs';
export * from './service.mjs';
export * from './sign-up.mjs';
export * from './tiers.mjs';
export * from './wait.mjs';
export * from './watch.mjs';
