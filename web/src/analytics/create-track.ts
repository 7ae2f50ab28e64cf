/**
 * Sends events: a name, the page's path, the time, and a few short properties. An event does not identify the visitor:
 * it has no identifier, query or referrer. Nothing is sent without consent, or by a build without an endpoint.
 */
export interface Analytics {
  /** The address for events; null if the build has none. */
  endpoint(): string | null;
  hasConsent(): boolean;
  /** Path of the current page without query and fragment. */
  page(): string;
  /** Milliseconds since 1970. */
  now(): number;
  send(url: string, body: string): void;
}

export type Track = (event: string, properties?: Readonly<Record<string, string>>) => void;

/** Bounds of an event; the excess is cut off. */
const MAX_PROPERTIES = 8;
const MAX_NAME_LENGTH = 40;
const MAX_VALUE_LENGTH = 200;

export function createTrack({ endpoint, hasConsent, page, now, send }: Analytics): Track {
  return (event, properties = {}) => {
    const url = endpoint();
    if (!url || !hasConsent()) return;
    const bounded = Object.entries(properties)
      .slice(0, MAX_PROPERTIES)
      .map(([name, value]) => [name.slice(0, MAX_NAME_LENGTH), value.slice(0, MAX_VALUE_LENGTH)]);
    const body = {
      event: event.slice(0, MAX_NAME_LENGTH),
      page: page().slice(0, MAX_VALUE_LENGTH),
      time: new Date(now()).toISOString(),
      properties: Object.fromEntries(bounded),
    };
    send(url, JSON.stringify(body));
  };
}
