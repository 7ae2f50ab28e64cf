/** All measurements, in the order in which they run: accuracy first, the long ones last. */
import { ages } from './accuracy/ages.mjs';
import { attributes } from './accuracy/attributes.mjs';
import { degradation } from './accuracy/degradation.mjs';
import { detection } from './accuracy/detection.mjs';
import { hardFaces } from './accuracy/hard-faces.mjs';
import { lfw } from './accuracy/lfw.mjs';
import { moderation } from './accuracy/moderation.mjs';
import { pairs } from './accuracy/pairs.mjs';
import { presentations, recordings } from './accuracy/presentations.mjs';
import { reuse } from './accuracy/reuse.mjs';
import { smear } from './accuracy/smear.mjs';
import { skinTones } from './accuracy/tones.mjs';
import { visits } from './accuracy/visits.mjs';
import { whiteBoxBrowser } from './accuracy/white-box/browser.mjs';
import { replays, whiteBox } from './accuracy/white-box/measurement.mjs';
import { knee } from './capacity/knee.mjs';
import { plan } from './capacity/plan.mjs';
import { serviceTimes } from './capacity/service-times.mjs';
import { float16 } from './gpu/float16.mjs';
import { httpPath } from './gpu/http-path.mjs';
import { nearPath } from './gpu/near-path.mjs';
import { lighthouseScores } from './load/console-lighthouse.mjs';
import { consoleTiming } from './load/console-timing.mjs';
import { crowds } from './load/crowds.mjs';
import { gatewayLatency, gatewayThroughput } from './load/gateway.mjs';
import { latency } from './load/latency.mjs';
import { ramp } from './load/ramp.mjs';
import { batch, large, smoke, steady } from './load/scenarios.mjs';
import { spike } from './load/spike.mjs';
import { start } from './load/start.mjs';
import { throughput } from './peers/throughput.mjs';
import { alertsKubernetes } from './reliability/alerts/kubernetes/measurement.mjs';
import { alerts } from './reliability/alerts/measurement.mjs';
import { billing } from './reliability/billing.mjs';
import { clockJumps } from './reliability/clock.mjs';
import { disaster } from './reliability/disaster/measurement.mjs';
import {
  gatewayFaults,
  inferenceFaults,
  redisFaults,
  rollingRestart,
  workerFaults,
} from './reliability/faults.mjs';
import { fullDisk } from './reliability/full-disk.mjs';
import { soak } from './reliability/soak.mjs';
import { webhookFaults } from './reliability/webhooks.mjs';

/** @type {readonly import('./lib/types').Measurement[]} */
export const measurements = [
  detection,
  hardFaces,
  attributes,
  ages,
  moderation,
  lfw,
  pairs,
  degradation,
  presentations,
  recordings,
  reuse,
  whiteBox,
  replays,
  whiteBoxBrowser,
  smear,
  skinTones,
  visits,
  start,
  latency,
  smoke,
  steady,
  ramp,
  spike,
  crowds,
  batch,
  large,
  gatewayLatency,
  gatewayThroughput,
  consoleTiming,
  lighthouseScores,
  throughput,
  redisFaults,
  gatewayFaults,
  inferenceFaults,
  workerFaults,
  webhookFaults,
  fullDisk,
  clockJumps,
  alerts,
  alertsKubernetes,
  rollingRestart,
  disaster,
  billing,
  soak,
  httpPath,
  serviceTimes,
  knee,
  plan,
  float16,
  nearPath,
];
