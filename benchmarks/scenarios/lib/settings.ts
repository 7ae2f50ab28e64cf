/**
 * What the driver (benchmarks/load) hands to a script: a JSON file named by SETTINGS_FILE. It holds API keys of the
 * run's own accounts, so it is a file that only its owner may read, and no variable that a list of processes would show.
 */
export interface Step {
  /** Name of the k6 scenario: the tag that the driver tells steps apart by. */
  readonly name: string;
  /** Requests offered per second, evenly spaced, begun on time whatever the answers do. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Seconds after the start of the script. */
  readonly startSeconds: number;
}

export interface Settings {
  readonly gatewayUrl: string;
  /** API keys by name of their account. */
  readonly apiKeys: Readonly<Record<string, string>>;
  /** File of pictures, written by the driver. */
  readonly picturesFile: string;
  /** Bodies, a file each, with the count that the right answer has (benchmarks/load/prepared.mjs). */
  readonly prepared: Readonly<
    Record<'detect' | 'compare' | 'moderate', readonly { readonly file: string; readonly count: number }[]>
  >;
  readonly steps: readonly Step[];
  /** Parts of each operation in what is asked. */
  readonly mix: Readonly<Partial<Record<'detect' | 'compare' | 'moderate', number>>>;
  /** Clients of scripts that ask again as soon as they have an answer. */
  readonly clients: number;
  readonly seconds: number;
  /** Operations in one batch. */
  readonly batchSize: number;
}

export const settings: Settings = JSON.parse(open(__ENV.SETTINGS_FILE ?? 'SETTINGS_FILE is not set'));

/**
 * The API key of this virtual user. Users are shared out over all accounts: one account alone may hold no more than half
 * of what a gateway takes, and its refusals would hide those of the whole.
 */
export function keyOfUser(): string {
  const keys = Object.values(settings.apiKeys);
  return keys[__VU % keys.length];
}
