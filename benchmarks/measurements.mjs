/** All measurements, in the order in which they run: accuracy first, the long ones last. */
import { attributes } from './accuracy/attributes.mjs';
import { categories } from './accuracy/categories.mjs';
import { detection } from './accuracy/detection.mjs';
import { lfw } from './accuracy/lfw.mjs';
import { moderation } from './accuracy/moderation.mjs';
import { knee } from './capacity/knee.mjs';
import { plan } from './capacity/plan.mjs';
import { serviceTimes } from './capacity/service-times.mjs';
import { clockJumps } from './faults/clock.mjs';
import { fullDisk } from './faults/full-disk.mjs';
import { gatewayFaults } from './faults/gateways.mjs';
import { inferenceFaults } from './faults/inference.mjs';
import { redisFaults } from './faults/redis.mjs';
import { rollingRestart } from './faults/rolling.mjs';
import { soak as serviceSoak } from './faults/soak.mjs';
import { webhookFaults } from './faults/webhooks.mjs';
import { workerFaults } from './faults/workers.mjs';
import { authTiming } from './gateway/auth-timing.mjs';
import { largeImages } from './gateway/large-images.mjs';
import { addedLatency } from './gateway/latency.mjs';
import { quota } from './gateway/quota.mjs';
import { throughput as gatewayThroughput } from './gateway/throughput.mjs';
import { sweep } from './gpu/sweep.mjs';
import { portraits } from './liveness/portraits.mjs';
import { presentations, recordings } from './liveness/presentations.mjs';
import { visits } from './liveness/visits.mjs';
import { batch } from './load/batch.mjs';
import { largeImages as largeLoad } from './load/large-images.mjs';
import { plans } from './load/plans.mjs';
import { ramp } from './load/ramp.mjs';
import { scaling } from './load/scaling.mjs';
import { smoke } from './load/smoke.mjs';
import { soak as soakLoad } from './load/soak.mjs';
import { spike } from './load/spike.mjs';
import { steady } from './load/steady.mjs';
import { throughput } from './peers/throughput.mjs';
import { meteringChaos } from './resilience/metering-chaos.mjs';
import { soak } from './resources/soak.mjs';
import { httpPath } from './speed/http-path.mjs';
import { latency } from './speed/latency.mjs';
import { start } from './speed/start.mjs';
import { lighthouse } from './web/lighthouse.mjs';
import { siteBuild } from './web/site-build.mjs';

/** @type {readonly import('./lib/types').Measurement[]} */
export const measurements = [
  start,
  latency,
  detection,
  attributes,
  moderation,
  categories,
  lfw,
  portraits,
  presentations,
  recordings,
  visits,
  httpPath,
  addedLatency,
  gatewayThroughput,
  largeImages,
  authTiming,
  quota,
  throughput,
  smoke,
  steady,
  ramp,
  scaling,
  spike,
  batch,
  plans,
  largeLoad,
  soakLoad,
  siteBuild,
  lighthouse,
  meteringChaos,
  redisFaults,
  gatewayFaults,
  inferenceFaults,
  workerFaults,
  webhookFaults,
  fullDisk,
  clockJumps,
  rollingRestart,
  serviceSoak,
  soak,
  serviceTimes,
  knee,
  plan,
  sweep,
];
