/**
 * Reads the configuration of the gateway from the environment once, validates and freezes it. config.schema.json
 * describes each variable, for this code and for the documentation.
 */
import Ajv from 'ajv';
import { isRange } from '../formats/addresses';
import { isOrigin, originsOfSite } from '../formats/origins';
import { isWebUri } from '../formats/web-url';
import schema from './config.schema.json';

export interface Config {
  readonly NODE_ENV: 'production' | 'development' | 'test';
  readonly GATEWAY_HOST: string;
  readonly GATEWAY_PORT: number;
  readonly GATEWAY_METRICS_PORT: number;
  readonly GATEWAY_METRICS_HOST: string;
  readonly GATEWAY_ADMIN_PORT: number;
  readonly GATEWAY_ADMIN_HOST: string;
  readonly GATEWAY_HOST_NAMES: string;
  readonly ADMIN_TOKEN: string;
  readonly REDIS_URL: string;
  readonly REDIS_CLUSTER: boolean;
  readonly REDIS_SESSION_KEYS_URL?: string;
  readonly INFERENCE_URL: string;
  readonly KEY_SECRET: string;
  readonly GATEWAY_MAX_REQUESTS: number;
  readonly GATEWAY_MAX_CONNECTIONS: number;
  readonly GATEWAY_MAX_BODY_BYTES_IN_FLIGHT: number;
  readonly GATEWAY_DEADLINE_MS: number;
  readonly GATEWAY_DRAIN_MS?: number;
  readonly GATEWAY_JOURNAL: string;
  readonly GATEWAY_REPLICAS: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER?: string;
  readonly OTEL_TRACES_SAMPLER_ARG?: number;
  readonly GATEWAY_TRUST_PROXY: string;
  readonly VERIFY_URL: string;
  readonly CONSOLE: 'on' | 'off';
  readonly CONSOLE_URL?: string;
  readonly CONSOLE_PASSWORD_LIST: string;
  readonly CONSOLE_SECOND_FACTOR: 'optional' | 'required';
  readonly SMTP_URL: string;
  readonly MAIL_FROM: string;
  readonly SELF_SERVICE_PLANS: 'on' | 'off';
  readonly INVOICE_SELLER: string;
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
  readonly STRIPE_PRICES: string;
  readonly SITE_URL?: string;
  readonly REQUEST_LOG_URL: string;
  readonly REQUEST_LOG_ENTRIES: number;
  readonly GATEWAY_CORS_ORIGINS: string;
  readonly LIVENESS_SESSION_SECONDS: number;
  readonly LIVENESS_ATTEMPTS: number;
  readonly LIVENESS_ATTEMPT_SECONDS: number;
  readonly LIVENESS_FAILURES: number;
  readonly LIVENESS_FAILURE_SECONDS: number;
  readonly LIVENESS_LOCKOUT_SECONDS: number;
  readonly WEBHOOK_ALLOWED_ADDRESSES: string;
  readonly WEBHOOK_DISABLE_AFTER_SECONDS: number;
  readonly WEBHOOK_TAKEOVER_SECONDS: number;
  readonly LOG_LEVEL: string;
}

/** The validated variables. Compiles only if the schema and the interface name the same ones. */
type Checked = Pick<Config, keyof typeof schema.properties>;

const hopCount = /^[1-9]\d?$/;
const entriesOf = (text: string) => text.split(',').map((entry) => entry.trim());

/** GATEWAY_TRUST_PROXY as Express takes it. */
export function trustedProxies(text: string): number | readonly string[] {
  if (text === '') return [];
  return hopCount.test(text) ? Number(text) : entriesOf(text);
}

/** The placeholder stands after the host: clients may choose the id of a request, and must not choose the host. */
const requestLogTemplate = /^https?:\/\/[^/?#{}]+[/?#][^{}]*\{requestId\}[^{}]*$/;

/** Schemes and hosts of origins are case-insensitive, and browsers send them in lower case. */
const originsOf = (text: string) => entriesOf(text.toLowerCase());

/** Schemes of URLs are case-insensitive (RFC 3986, 3.1). The patterns below and the rest of the tier know lower case. */
const lowerCaseScheme = (text: string) => text.replace(/^[a-z]+:\/\//i, (scheme) => scheme.toLowerCase());

const isRequestLogUrl = (text: string) =>
  requestLogTemplate.test(text) && isWebUri(text.replace('{requestId}', 'id'));

/** Origins whose pages may make the calls about a session. */
export const sessionOrigins = ({
  VERIFY_URL,
  GATEWAY_CORS_ORIGINS,
}: Pick<Config, 'VERIFY_URL' | 'GATEWAY_CORS_ORIGINS'>): readonly string[] => [
  ...originsOfSite(new URL(VERIFY_URL).origin),
  ...(GATEWAY_CORS_ORIGINS === '' ? [] : originsOf(GATEWAY_CORS_ORIGINS)),
];

/** Address of the console's pages, without a slash at the end. */
export const consoleUrl = ({ CONSOLE_URL, VERIFY_URL }: Pick<Config, 'CONSOLE_URL' | 'VERIFY_URL'>): string =>
  (CONSOLE_URL || `${new URL(VERIFY_URL).origin}/console`).replace(/\/+$/, '');

/** The addresses that errors link to. Without `SITE_URL`, the documentation is on the site of the console. */
export const errorLinks = (config: Config) => ({
  siteUrl: (config.SITE_URL ?? new URL(consoleUrl(config)).origin).replace(/\/+$/, ''),
  requestLogUrl: requestLogUrl(config),
});

/** Where errors say that their request is found: the operator's log viewer, or the console with the log of the account. */
export function requestLogUrl(config: Config): string | undefined {
  const { REQUEST_LOG_URL, REQUEST_LOG_ENTRIES, CONSOLE } = config;
  if (REQUEST_LOG_URL !== '') return REQUEST_LOG_URL;
  if (CONSOLE === 'off' || REQUEST_LOG_ENTRIES === 0) return undefined;
  return `${consoleUrl(config)}/requests?requestId={requestId}`;
}

/** Addresses that webhooks may be sent to. */
export const webhookAddresses = ({ WEBHOOK_ALLOWED_ADDRESSES }: Config) => ({
  allowed: WEBHOOK_ALLOWED_ADDRESSES === '' ? [] : entriesOf(WEBHOOK_ALLOWED_ADDRESSES),
});

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' })
  .addFormat('url', (text) => URL.canParse(text))
  .addFormat('optionalUrl', (text) => text === '' || URL.canParse(text))
  .addFormat('ranges', (text) => text === '' || entriesOf(text).every(isRange))
  .addFormat('proxies', (text) => text === '' || hopCount.test(text) || entriesOf(text).every(isRange))
  .addFormat('requestLogUrl', (text) => text === '' || isRequestLogUrl(text))
  .addFormat('origins', (text) => text === '' || originsOf(text).every(isOrigin))
  .compile<Checked>(schema);

/** @throws Error with a sentence that names the variable, but never its value: it may be a secret. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: unknown = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text && lowerCaseScheme(text)]),
  );
  if (!validate(values)) {
    const [fault] = validate.errors ?? [];
    const name = fault?.params.missingProperty ?? fault?.instancePath.slice(1);
    const problem = fault?.keyword === 'required' ? 'must be set' : fault?.message;
    throw new Error(`The environment variable ${name} ${problem}`);
  }
  if (values.SMTP_URL !== '' && values.MAIL_FROM === '') {
    throw new Error('The environment variable MAIL_FROM must be set, because SMTP_URL is');
  }
  return Object.freeze(values);
}
