// Components of deploy/kubernetes that the chart can switch on. Each is a value; what a component changes is found by
// comparing builds.

/**
 * @typedef {object} Feature
 * @property {string} component
 * @property {string} when Helm's condition
 */

const mode = (/** @type {string} */ name) => `(eq .Values.redis.mode "${name}")`;
const scaler = (/** @type {string} */ name) => `(eq .Values.inference.autoscaling.scaler "${name}")`;

/** @type {readonly Feature[]} */
export const features = [
  { component: 'redis-cluster', when: mode('cluster') },
  { component: 'redis-external', when: mode('external') },
  { component: 'ingress', when: '.Values.ingress.enabled' },
  { component: 'mail', when: '.Values.mail.enabled' },
  { component: 'stripe', when: '.Values.stripe.enabled' },
  { component: 'monitoring', when: '.Values.monitoring.enabled' },
  { component: 'autoscaling-gateway', when: '.Values.gateway.autoscaling.enabled' },
  { component: 'autoscaling-inference', when: scaler('keda') },
  { component: 'autoscaling-inference-adapter', when: scaler('adapter') },
  { component: 'redis-exporter', when: '.Values.redisExporter.enabled' },
];

/** Pairs of components, of which the second also changes objects that the first adds. */
export const layers = [['redis-cluster', 'redis-exporter']];
