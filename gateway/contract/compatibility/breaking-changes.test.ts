/** The comparison of contracts, and the contract itself compared with that of the last release. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { additions } from './additions.mjs';
import { breakingChanges, type Contract, refusedChanges, widerPatterns } from './breaking-changes.mjs';

// biome-ignore lint/suspicious/noExplicitAny: the tests change arbitrary places of a contract.
type Doc = any;

const read = (path: string): Doc => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));
const files = readdirSync(join(__dirname, '../schemas'));
const schemas = Object.fromEntries(files.map((file) => [file, read(`../schemas/${file}`)]));
const current: Doc = { ...read('../openapi.json'), versions: read('../versions.json'), schemas };
const released: Doc = read('released.json');

/** The changes that a client of the released contract would notice if this were the next one. */
function after(change: (contract: Doc) => void, before: Contract = current): string[] {
  const now = structuredClone(before);
  change(now);
  return breakingChanges(before, now);
}

test('only a new dated version breaks clients of the last release', () => {
  expect(refusedChanges(released, current)).toEqual([]);
});

test.each([
  [
    'POST /liveness request.returnUrl',
    'liveness-request.json',
    ['https://a.example', 'https://[::1]:8443/a?b#c', 'http://localhost:3000/', 'http://127.0.0.1'],
  ],
  ['POST session.started 200.redirectUrl', 'webhook-acknowledgement.json', ['https://a.example/b']],
])('the pattern of %s accepts what that of the release accepts', (place, file, samples) => {
  expect(widerPatterns).toContain(place);
  const field = place.split('.').at(-1) as string;
  for (const { schemas: files } of [released, current]) {
    const pattern = new RegExp(files[file].properties[field].pattern, 'u');
    expect(samples.filter((sample) => !pattern.test(sample))).toEqual([]);
  }
});

describe('a contract after a release with the versions of 2027', () => {
  const before = { ...current, versions: [{ date: '2027-02-01' }, { date: '2027-01-01' }] };
  const broken = structuredClone(current);
  delete broken.paths['/usage'];
  const line = 'GET /usage is removed';

  test.each([
    ['may not break clients without a new version', ['2027-02-01', '2027-01-01'], [line]],
    [
      'may not break clients with a version of an earlier date',
      ['2027-02-01', '2027-01-15', '2027-01-01'],
      [line],
    ],
    ['may break clients with a later version', ['2027-03-01', '2027-02-01', '2027-01-01'], []],
    ['may not replace a version', ['2027-03-01', '2027-01-01'], ['the version 2027-02-01 is removed']],
  ])('%s', (_name, dates, refused) => {
    const versions = dates.map((date) => ({ date }));
    expect(refusedChanges(before, { ...broken, versions })).toEqual(refused);
  });

  test('may drop a version whose end the release announced', () => {
    const [newest] = before.versions;
    const versions = [newest, { date: '2027-01-01', sunsetAt: '2027-06-01' }];
    expect(refusedChanges({ ...before, versions }, { ...current, versions: [newest] })).toEqual([]);
  });
});

test.each<[string, (contract: Doc) => void, string]>([
  ['a path', ({ paths }) => delete paths['/usage'], 'GET /usage is removed'],
  [
    'a method',
    ({ paths }) => delete paths['/liveness/{sessionId}'].delete,
    'DELETE /liveness/{sessionId} is removed',
  ],
  ['an event', ({ webhooks }) => delete webhooks['session.failed'], 'POST session.failed is removed'],
  [
    'a parameter',
    ({ paths }) => paths['/usage'].get.parameters.pop(),
    'GET /usage: the parameter month is removed',
  ],
  [
    'a required parameter',
    ({ paths }) => {
      paths['/usage'].get.parameters[0].required = true;
    },
    'GET /usage: the parameter month is required',
  ],
  [
    'a media type',
    ({ paths }) => delete paths['/detect'].post.requestBody.content['image/*'],
    'POST /detect request: the media type image/* is removed',
  ],
  [
    'credentials',
    ({ paths }) => paths['/liveness/{sessionId}'].get.security.pop(),
    'GET /liveness/{sessionId}: no longer accepts the credentials {"sessionToken":[]}',
  ],
  [
    'a smaller body',
    ({ paths }) => {
      paths['/batch'].post['x-max-body-bytes'] = 1;
    },
    'POST /batch: the largest body is smaller',
  ],
  [
    'a header',
    ({ paths }) => delete paths['/usage'].get.responses[200].headers.RateLimit,
    'GET /usage 200: the header RateLimit is removed',
  ],
  [
    'a field of a request',
    ({ schemas }) => delete schemas['compare-request.json'].properties.similarityThreshold,
    'POST /compare request.similarityThreshold is removed',
  ],
  [
    'a required field of a request',
    ({ schemas }) => schemas['compare-request.json'].required.push('similarityThreshold'),
    'POST /compare request.similarityThreshold is now required',
  ],
  [
    'a bound of a request',
    ({ schemas }) => {
      schemas['compare-request.json'].properties.similarityThreshold.minimum = 0.5;
    },
    'POST /compare request.similarityThreshold: minimum is 0.5, and was 0',
  ],
  [
    'a type of a request',
    ({ schemas }) => {
      schemas['compare-request.json'].properties.similarityThreshold.type = 'integer';
    },
    'POST /compare request.similarityThreshold: the type is integer, and was number',
  ],
  [
    'a field of a response',
    ({ schemas }) => delete schemas['detection-result.json'].properties.faceCount,
    'POST /detect 200.data.faceCount is removed',
  ],
  [
    'a field of a response that may be absent',
    ({ schemas }) => schemas['error.json'].required.pop(),
    'GET /health 400.error.message is no longer required',
  ],
  [
    'a new value of a response',
    ({ schemas }) => schemas['liveness-status.json'].enum.push('paused'),
    'GET /liveness 200.data.items[].status: may now be paused',
  ],
  [
    'a new value of an event',
    ({ schemas }) => schemas['event-type.json'].enum.push('session.paused'),
    'GET /events 200.data.items[].eventType: may now be session.paused',
  ],
  [
    'a choice of a request',
    ({ schemas }) => schemas['detect-request.json'].properties.attributes.anyOf.shift(),
    'POST /detect request.attributes: choice 1 is new or removed',
  ],
])('finds %s', (_name, change, line) => {
  expect(after(change)).toContain(line);
});

test.each<[string, (contract: Doc) => void]>([
  ['nothing', () => {}],
  [
    'an operation and an event',
    ({ paths, webhooks }) => {
      paths['/new'] = paths['/usage'];
      webhooks['session.new'] = webhooks['session.started'];
    },
  ],
  [
    'an optional parameter',
    ({ paths }) =>
      paths['/usage'].get.parameters.push({ name: 'day', in: 'query', schema: { type: 'string' } }),
  ],
  [
    'an optional field of a request, and a wider bound',
    ({ schemas }) => {
      const { properties } = schemas['compare-request.json'];
      properties.note = { type: 'string' };
      properties.similarityThreshold.maximum = 2;
    },
  ],
  [
    'a field of a response, and one that is now always there',
    ({ schemas }) => {
      schemas['error.json'].properties.more = { type: 'string' };
      schemas['error.json'].required.push('reason');
    },
  ],
  [
    'a status',
    ({ paths }) => Object.assign(paths['/usage'].get.responses, { 418: paths['/usage'].get.responses[500] }),
  ],
  [
    'a choice of a request',
    ({ schemas }) => schemas['detect-request.json'].properties.attributes.anyOf.push({ const: 'none' }),
  ],
  [
    'a constant as an enumeration of one value',
    ({ schemas }) => {
      schemas['liveness-attempt-request.json'].properties.consent = { type: 'boolean', enum: [true] };
    },
  ],
  [
    'texts and examples',
    ({ paths }) => {
      paths['/usage'].get.summary = 'Other words';
    },
  ],
  [
    'a schema in the place where it was referred to',
    ({ schemas }) => {
      schemas['error-response.json'].properties.error = schemas['error.json'];
    },
  ],
])('lets %s pass', (_name, change) => {
  expect(after(change)).toEqual([]);
});

test('additions are operations, parameters, fields and headers that are new', () => {
  const now = structuredClone(current);
  const { paths, webhooks, schemas: files } = now;
  paths['/new'] = { get: paths['/usage'].get };
  paths['/usage'].get.parameters.push({ name: 'day', in: 'query', schema: { type: 'string' } });
  files['compare-request.json'].properties.note = { type: 'string' };
  files['compare-request.json'].properties.similarityThreshold.maximum = 2;
  for (const path of ['/usage', '/events'])
    paths[path].get.responses[200].headers.More = { schema: { type: 'string' } };
  paths['/detect'].post.requestBody.content['image/new'] = { schema: {} };
  files['error.json'].properties.more = { type: 'string' };
  files['usage.json'].properties.more = { type: 'string' };
  webhooks['session.new'] = webhooks['session.started'];
  files['webhook-event.json'].properties.more = { type: 'string' };
  expect(additions(current, now).sort()).toEqual([
    'Errors have the field `more`.',
    'Events have the field `more`.',
    'Responses have the header `More`.',
    'The event `session.new` is new.',
    '`GET /new` is new.',
    '`GET /usage` has the parameter `day`.',
    '`GET /usage` returns the field `data.more`.',
    '`POST /compare` accepts the field `note`.',
    '`POST /detect` accepts bodies of the type `image/new`.',
  ]);
  expect(additions(now, now)).toEqual([]);
});
