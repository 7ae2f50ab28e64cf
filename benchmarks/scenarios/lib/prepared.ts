/**
 * Requests that the driver made ready, sent as they are. To read a picture, to write it as JSON and to parse the whole
 * answer costs k6 more than all else it does, on the very machine whose capacity is measured: what a script asks that
 * is there to load the service is therefore on disk before it starts, and of an answer only what tells right from
 * wrong is looked at.
 */
import http from 'k6/http';
import { begin, record } from './record.ts';
import { keyOfUser, settings } from './settings.ts';

/** Where the answer has the number that the request's picture decides. */
const countIn = {
  detect: 'data.faceCount',
  compare: 'data.matchedFaces.#',
  moderate: 'data.detectedElements.#',
};

type Operation = keyof typeof countIn;

const operations = Object.entries(settings.mix) as [Operation, number][];

/** One of each operation: hundreds of users with all of them would hold hundreds of megabytes. */
const own = Object.fromEntries(
  operations.map(([operation]) => {
    const all = settings.prepared[operation];
    // k6 opens for its users what its start, which is user 0, has opened, and nothing else.
    const bodies = all.map(({ file }, i) =>
      __VU === 0 || __VU % all.length === i ? open(file, 'b') : undefined,
    );
    const mine = __VU % all.length;
    return [operation, { body: bodies[mine] as ArrayBuffer, count: all[mine].count }];
  }),
);

const params = {
  headers: {
    authorization: `Bearer ${keyOfUser()}`,
    'content-type': 'application/json',
    accept: 'application/json',
  },
  timeout: '60s',
  redirects: 0,
  responseType: 'text' as const,
};

/** One operation, drawn as the settings' mix has them, by one of the accounts, over which the users are shared out. */
export function askAny(): void {
  const operation = drawn();
  const { body, count } = own[operation];
  begin(operation);
  const response = http.post(`${settings.gatewayUrl}/${operation}`, body, params);
  const { blocked, duration } = response.timings;
  const seconds = response.headers['Retry-After'];
  record({
    operation,
    tookMs: blocked + duration,
    // What is no JSON has no count: undefined is another result, as well.
    ...(response.status === 200
      ? { right: response.json(countIn[operation]) === count }
      : { code: codeOf(response) }),
    ...(seconds && { retryAfterSeconds: Number(seconds) }),
  });
}

/** Of the answer's envelope; k6's own number where there was none. */
function codeOf({ status, error_code, body }: ReturnType<typeof http.post>): string {
  if (status === 0) return `K6_${error_code}`;
  return /"code":"(\w+)"/.exec(String(body))?.[1] ?? `HTTP_${status}`;
}

function drawn(): Operation {
  let left = Math.random() * operations.reduce((sum, [, part]) => sum + part, 0);
  const found = operations.find(([, part]) => {
    left -= part;
    return left < 0;
  });
  return (found ?? operations[0])[0];
}
