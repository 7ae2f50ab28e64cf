/**
 * A gateway that leaks. Its alert waits for hours, divided, so it leaks while the other faults are played. It has a
 * Prometheus of its own, because the other one has to see that no gateway is left when the only one is killed.
 */
import { fileURLToPath } from 'node:url';
import { freePorts, Part, startGateway, startRedis } from '../../../gateway/harness/index.mjs';
import { startPrometheus } from './prometheus.mjs';

/** @typedef {Awaited<ReturnType<typeof startLeakingGateway>>} LeakingGateway */

const leaking = fileURLToPath(new URL('leaking.cjs', import.meta.url));
/** PresenzaMemoryGrowing is for processes that ran 8 hours ago, and waits for another hour. */
const HOURS = 9;
const HOST = '127.0.0.1';

/**
 * @param {number} factor that divides all durations of the rules
 * @returns {import('./play.mjs').Fault<LeakingGateway>}
 */
export const leak = (factor) => ({
  name: 'gateway leaks 300 KiB a second from its start',
  alerts: ['PresenzaMemoryGrowing'],
  lastsS: (HOURS * 3_600) / factor,
  begin: () => {},
  end: ({ gateway }) => gateway.restart(),
});

/** @param {number} factor @param {string} inferenceUrl */
export async function startLeakingGateway(factor, inferenceUrl) {
  const [port, metricsPort] = await freePorts(2);
  const redis = await startRedis();
  const gateway = new Part('leaking gateway', () =>
    startGateway({
      REDIS_URL: redis.url,
      INFERENCE_URL: inferenceUrl,
      GATEWAY_PORT: String(port),
      GATEWAY_METRICS_PORT: String(metricsPort),
      NODE_OPTIONS: `--require=${leaking}`,
    }),
  );
  const stop = async () => {
    await gateway.stop();
    await redis.stop();
  };
  try {
    await gateway.start();
    const watch = await startPrometheus([{ job: 'gateway', address: `${HOST}:${metricsPort}` }], factor);
    return {
      gateway,
      watch,
      async stop() {
        await watch.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
