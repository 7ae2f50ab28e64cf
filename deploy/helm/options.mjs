// The values of the chart, each with the places that it sets. Its default is what kustomize builds there. Schema,
// values.yaml and templates follow from this list.

/**
 * @typedef {object} Option
 * @property {string} about a sentence or two, for values.yaml and the schema
 * @property {readonly string[]} [at] places `Kind/name:path`, where * stands for any text, and items of a list are found by
 *   their `name` or index
 * @property {RegExp} [of] only where the present value matches
 * @property {string} [add] key that is added to the map at these places if the value is set
 * @property {string} [text] what stands at these places; default: the value itself
 * @property {unknown} [default] default: what kustomize builds at the first of these places
 * @property {Record<string, unknown>} [schema] default: the type of the default
 */

const count = { type: 'integer', minimum: 1 };
const quantity = { type: ['string', 'integer'], pattern: '^[0-9.]+[a-zA-Z]{0,2}$' };
const name = { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' };
const quantities = { type: 'object', additionalProperties: quantity };
const resources = {
  type: 'object',
  additionalProperties: false,
  properties: { requests: quantities, limits: quantities },
};
const strings = { type: 'object', additionalProperties: { type: 'string' } };
const url = { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/ ]+$' };
const anything = { type: 'object' };
const list = { type: 'array', items: { type: 'object' } };

const gateway = 'StatefulSet/gateway:spec.template.spec';
const inference = 'Deployment/inference:spec.template.spec';
const web = 'Deployment/web:spec.template.spec';
const storage = 'spec.volumeClaimTemplates.0.spec.resources.requests.storage';
const anyRedis = ['StatefulSet/redis', 'StatefulSet/redis-cluster'];
const scalers = {
  gateway: 'HorizontalPodAutoscaler/gateway:spec',
  adapter: 'HorizontalPodAutoscaler/inference:spec',
  keda: 'ScaledObject/inference:spec',
};

/** @param {string} tier @returns {Record<string, Option>} */
const image = (tier) => ({
  [`${tier}.image.repository`]: {
    about: 'Image, with the address of your registry.',
    default: `presenza/${tier}`,
    at: [`*.containers.${tier}.image`],
    of: new RegExp(`^presenza/${tier}:`),
    text: `{{ printf "%s:%s" .Values.${tier}.image.repository (.Values.${tier}.image.tag | default .Chart.AppVersion) | quote }}`,
  },
  [`${tier}.image.tag`]: {
    about: 'Its tag, also with a digest: 1.0.0@sha256:... Default: the version of the chart.',
    default: '',
  },
});

/** @param {string} tier @param {string} pod @returns {Record<string, Option>} */
const placement = (tier, pod) => ({
  [`${tier}.nodeSelector`]: {
    about: 'Labels of the nodes that it may run on.',
    at: [pod],
    add: 'nodeSelector',
    default: {},
    schema: strings,
  },
  [`${tier}.tolerations`]: {
    about: 'Taints of nodes that it tolerates.',
    at: [pod],
    add: 'tolerations',
    default: [],
    schema: list,
  },
});

/** The lowest number of replicas. A schema cannot compare two values. @param {string} tier */
const notAboveMaximum = (tier) => {
  const key = `${tier}.autoscaling`;
  const [low, high] = ['min', 'max'].map((bound) => `(int .Values.${key}.${bound}Replicas)`);
  const refusal = `{{ fail "${key}.minReplicas is larger than ${key}.maxReplicas" }}`;
  return `{{ if gt ${low} ${high} }}${refusal}{{ end }}{{ ${low} }}`;
};

/** Tiers whose variables are values, with their containers. */
export const tiers = Object.entries({ gateway, inference, web }).map(([tier, pod]) => ({
  tier,
  key: `${tier}.env`,
  at: `${pod}.containers.${tier}.env`,
}));

const env = 'Variables of the container. Null removes one.';

/** @type {Readonly<Record<string, Option>>} */
export const options = {
  apiUrl: {
    about: 'Public address of the API. With ingress.enabled, its host is that of the Ingress.',
    at: [`${web}.containers.web.env.API_URL.value`],
    schema: url,
  },
  siteUrl: {
    about: 'Public address of the site. Both hosts must share a registered domain.',
    at: [`${gateway}.containers.gateway.env.SITE_URL.value`],
    schema: url,
  },
  labels: {
    about: 'Labels of every object, such as the one by which your Prometheus selects monitors.',
    at: ['*:metadata.labels'],
    add: '*',
    default: {},
    schema: strings,
  },
  imagePullSecrets: {
    about: 'Secrets of your registry: [{ name: registry }].',
    at: ['*:*template.spec'],
    add: 'imagePullSecrets',
    default: [],
    schema: list,
  },
  storageClass: {
    about: 'StorageClass of all volumes. Default: the one of the cluster.',
    at: ['StatefulSet/*:spec.volumeClaimTemplates.0.spec'],
    add: 'storageClassName',
    default: '',
  },

  ...image('gateway'),
  'gateway.replicas': {
    about: 'Number of gateways, without autoscaling.',
    at: ['StatefulSet/gateway:spec.replicas'],
    schema: count,
  },
  'gateway.trustProxy': {
    about:
      'Proxies whose X-Forwarded-For is trusted, by addresses and networks with commas between them or by their number. Default: 1 with ingress.enabled, none without.',
    at: [`${gateway}.containers.gateway.env.GATEWAY_TRUST_PROXY.value`],
    text: '{{ .Values.gateway.trustProxy | default (ternary "1" "" .Values.ingress.enabled) | quote }}',
    default: '',
    schema: { type: ['string', 'integer'], minimum: 1 },
  },
  'gateway.env': { about: env, default: {} },
  'gateway.resources': {
    about: 'Requests and limits.',
    at: [`${gateway}.containers.gateway.resources`],
    schema: resources,
  },
  'gateway.storage': {
    about: 'Size of each journal’s volume.',
    at: [`StatefulSet/gateway:${storage}`],
    schema: quantity,
  },
  ...placement('gateway', gateway),
  'gateway.autoscaling.enabled': {
    about: 'Scales by requests and CPU. Needs metrics-server and prometheus-adapter.',
    default: false,
  },
  'gateway.autoscaling.minReplicas': {
    about: 'Lowest number.',
    at: [`${scalers.gateway}.minReplicas`],
    text: notAboveMaximum('gateway'),
    schema: count,
  },
  'gateway.autoscaling.maxReplicas': {
    about: 'Highest number, at most four times the lowest.',
    at: [`${scalers.gateway}.maxReplicas`],
    schema: count,
  },

  ...image('inference'),
  'inference.replicas': {
    about: 'Number of pods, without autoscaling.',
    at: ['Deployment/inference:spec.replicas'],
    schema: count,
  },
  'inference.env': { about: env, default: {} },
  'inference.resources': {
    about: 'Requests and limits.',
    at: [`${inference}.containers.inference.resources`],
    schema: resources,
  },
  'inference.strategy': {
    about: 'How an update replaces pods.',
    at: ['Deployment/inference:spec.strategy'],
    schema: anything,
  },
  'inference.progressDeadlineSeconds': {
    about: 'Seconds until an update without progress is reported. Default: 600, of Kubernetes.',
    at: ['Deployment/inference:spec'],
    add: 'progressDeadlineSeconds',
    default: 0,
    schema: { type: 'integer', minimum: 0 },
  },
  'inference.startupProbe': {
    about: 'Time to start.',
    at: [`${inference}.containers.inference.startupProbe`],
    schema: anything,
  },
  ...placement('inference', inference),
  'inference.autoscaling.scaler': {
    about: 'none; keda, which asks Prometheus; or adapter, which needs prometheus-adapter.',
    default: 'none',
    schema: { enum: ['none', 'keda', 'adapter'] },
  },
  'inference.autoscaling.minReplicas': {
    about: 'Lowest number.',
    at: [`${scalers.keda}.minReplicaCount`, `${scalers.adapter}.minReplicas`],
    text: notAboveMaximum('inference'),
    schema: count,
  },
  'inference.autoscaling.maxReplicas': {
    about: 'Highest number; on GPUs, their number.',
    at: [`${scalers.keda}.maxReplicaCount`, `${scalers.adapter}.maxReplicas`],
    schema: count,
  },
  'inference.autoscaling.queue': {
    about: 'Images that may wait per pod.',
    at: [
      `${scalers.keda}.triggers.queue.metadata.threshold`,
      `${scalers.adapter}.metrics.0.external.target.averageValue`,
    ],
    default: 16,
    text: '{{ .Values.inference.autoscaling.queue | quote }}',
    schema: count,
  },
  'inference.autoscaling.prometheus': {
    about: 'Prometheus, for KEDA. Default: prometheus-operated in monitoring.namespace.',
    at: [`${scalers.keda}.triggers.*.metadata.serverAddress`],
    default: '',
    text: '{{ .Values.inference.autoscaling.prometheus | default (printf "http://prometheus-operated.%s.svc:9090" .Values.monitoring.namespace) | quote }}',
    schema: { ...url, pattern: `${url.pattern}|^$` },
  },

  ...image('web'),
  'web.replicas': {
    about: 'Number of pods.',
    at: ['Deployment/web:spec.replicas'],
    schema: count,
  },
  'web.env': { about: env, default: {} },
  'web.resources': {
    about: 'Requests and limits.',
    at: [`${web}.containers.web.resources`],
    schema: resources,
  },
  ...placement('web', web),

  'redis.mode': {
    about:
      'single; cluster, six nodes in place of one; or external, a Redis of yours whose address is in the Secret. No upgrade moves data from one to another.',
    default: 'single',
    schema: { enum: ['single', 'cluster', 'external'] },
  },
  'redis.image': {
    about: 'Image of every Redis.',
    at: ['*.image'],
    of: /^redis:/,
  },
  'redis.maxmemory': {
    about: 'Memory for data, less than half of the limit below.',
    at: anyRedis.map((set) => `${set}:*.redis.env.REDIS_MAXMEMORY.value`),
  },
  'redis.resources': {
    about: 'Requests and limits of each Redis.',
    at: anyRedis.map((set) => `${set}:spec.template.spec.containers.redis.resources`),
    schema: resources,
  },
  'redis.storage': {
    about: 'Size of each volume, four times maxmemory.',
    at: anyRedis.map((set) => `${set}:${storage}`),
    schema: quantity,
  },
  'redis.external.cidr': {
    about: 'Network of a Redis of yours, as narrow as possible.',
    at: ['NetworkPolicy/gateway-redis:spec.egress.0.to.0.ipBlock.cidr'],
  },
  'redis.external.port': {
    about: 'Its port.',
    at: ['NetworkPolicy/gateway-redis:spec.egress.0.ports.0.port'],
    schema: { type: 'integer', minimum: 1, maximum: 65535 },
  },
  'redisKeys.maxmemory': {
    about: 'Memory of the Redis with the keys of liveness sessions, a third of the limit below.',
    at: ['StatefulSet/redis-keys:*.keys.env.REDIS_MAXMEMORY.value'],
  },
  'redisKeys.resources': {
    about: 'Requests and limits.',
    at: ['StatefulSet/redis-keys:*.containers.keys.resources'],
    schema: resources,
  },
  'redisKeys.storage': {
    about: 'Size of its volume.',
    at: [`StatefulSet/redis-keys:${storage}`],
    schema: quantity,
  },
  'redisExporter.enabled': {
    about: 'Metrics of each Redis. Needs the Prometheus Operator.',
    default: false,
  },
  'redisExporter.image': {
    about: 'Image of the exporter.',
    at: ['*.image'],
    of: /^oliver006\/redis_exporter:/,
  },

  'ingress.enabled': {
    about: 'Two host names with TLS, those of apiUrl and siteUrl.',
    default: false,
  },
  'ingress.className': {
    about: 'Class of the Ingress controller.',
    at: ['Ingress/*:spec.ingressClassName'],
    schema: name,
  },
  'ingress.namespace': {
    about: 'Namespace of the Ingress controller, from which alone the network policies let requests in.',
    at: ['*.kubernetes.io/metadata.name'],
    of: /^ingress-nginx$/,
    schema: name,
  },
  'ingress.api.annotations': {
    about:
      'Annotations of the API’s Ingress, for two controllers and cert-manager. Others need the same limits. Null removes one.',
    at: ['Ingress/api:metadata.annotations'],
    schema: strings,
  },
  'ingress.api.secretName': {
    about: 'Secret of its certificate.',
    at: ['Ingress/api:spec.tls.0.secretName'],
    schema: name,
  },
  'ingress.site.annotations': {
    about: 'Annotations of the site’s Ingress.',
    at: ['Ingress/site:metadata.annotations'],
    schema: strings,
  },
  'ingress.site.secretName': {
    about: 'Secret of its certificate.',
    at: ['Ingress/site:spec.tls.0.secretName'],
    schema: name,
  },
  'monitoring.enabled': {
    about: 'Monitors for both tiers. Needs the Prometheus Operator.',
    default: false,
  },
  'monitoring.namespace': {
    about: 'Namespace of Prometheus, from which alone the network policies let it in.',
    at: ['*.kubernetes.io/metadata.name'],
    of: /^monitoring$/,
    schema: name,
  },
  'mail.enabled': {
    about: 'A mail server for the console, whose address is in the Secret.',
    default: false,
  },
  'mail.from': {
    about: 'Sender of the mails.',
    at: [`${gateway}.containers.gateway.env.MAIL_FROM.value`],
  },
  'stripe.enabled': { about: 'Payments of plans through Stripe.', default: false },
  'stripe.prices': {
    about: 'Stripe’s prices of the plans.',
    at: [`${gateway}.containers.gateway.env.STRIPE_PRICES.value`],
  },
  ...Object.fromEntries(
    Object.entries({
      presenza: 'Secret with KEY_SECRET and ADMIN_TOKEN.',
      redis: 'Secret with the password of every Redis, and the url of an external one.',
      mail: 'Secret with the url of the mail server.',
      stripe: 'Secret with secret-key and webhook-secret.',
    }).map(([secret, about]) => [
      `secrets.${secret}`,
      { about, at: ['*.secretKeyRef.name'], of: new RegExp(`^${secret}$`), schema: name },
    ]),
  ),
};

/**
 * Places whose text follows from other values.
 * @type {readonly { at: readonly string[], text: string }[]}
 */
export const derived = [
  { at: ['*:metadata.namespace'], text: '{{ .Release.Namespace }}' },
  {
    // With autoscaling, the largest number that may run.
    at: [`${gateway}.containers.gateway.env.GATEWAY_REPLICAS.value`],
    text: '{{ ternary .Values.gateway.autoscaling.maxReplicas .Values.gateway.replicas .Values.gateway.autoscaling.enabled | quote }}',
  },
  {
    at: [`${gateway}.containers.gateway.env.VERIFY_URL.value`],
    text: '{{ printf "%s/verify" .Values.siteUrl | quote }}',
  },
  ...Object.entries({ api: 'apiUrl', site: 'siteUrl' }).map(([ingress, value]) => ({
    at: [`Ingress/${ingress}:spec.rules.0.host`, `Ingress/${ingress}:spec.tls.0.hosts.0`],
    text: `{{ (urlParse .Values.${value}).hostname | quote }}`,
  })),
];
