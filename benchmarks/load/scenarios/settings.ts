/**
 * The driver (load/k6.mjs) passes settings to a script in a JSON file, named by SETTINGS_FILE. The file holds API keys of
 * the run's own accounts, so only its owner may read it, and no list of processes shows them.
 */

/** A request that is ready to be sent, with the number that a right response contains; without it every 200 is right. */
export interface Prepared {
  readonly path: string;
  /** The body. */
  readonly file: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Place of the number in the response, in k6's selector syntax. */
  readonly selector?: string | undefined;
  readonly count?: number | undefined;
  /** Name of the image, where the report distinguishes images. */
  readonly image?: string | undefined;
}

interface Load {
  readonly name: string;
  readonly seconds: number;
  readonly startSeconds?: number;
  /** Name of the account that sends it. Default: all accounts. */
  readonly account?: string;
  /** Weights of the operations. */
  readonly mix: Readonly<Record<string, number>>;
}

/** Open model: requests start when they are due, evenly spaced, so that a slow service cannot slow down its load. */
export interface Arrivals extends Load {
  readonly perSecond: number;
}

/** Closed model: each client sends its next request as soon as it has a response. */
export interface Clients extends Load {
  readonly clients: number;
  /** Requests of each client; default: as many as fit into the seconds. */
  readonly requests?: number;
}

export interface Settings {
  readonly url: string;
  /** API keys by name of their account; virtual users take them in turn. */
  readonly apiKeys: Readonly<Record<string, string>>;
  readonly scenarios: readonly (Arrivals | Clients)[];
  readonly prepared: Readonly<Record<string, readonly Prepared[]>>;
  /** Whether the confidence of the first face is the time of a stand-in for the inference tier, in seconds. */
  readonly minusInference: boolean;
}

export const settings: Settings = JSON.parse(open(__ENV.SETTINGS_FILE ?? 'SETTINGS_FILE is not set'));
