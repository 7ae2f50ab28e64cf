import { reportExceptions } from './report-exceptions';

type Event = Parameters<Parameters<typeof reportExceptions>[1]>;

function watch() {
  const target = new EventTarget();
  const events: Event[] = [];
  reportExceptions(target, (...event) => events.push(event));
  const raise = (type: string, fields: object) =>
    target.dispatchEvent(Object.assign(new Event(type), fields));
  return { events, raise };
}

test('an error report has kind and location, but neither message nor query', () => {
  const { events, raise } = watch();
  raise('error', {
    error: new TypeError('ada@example.com is not a function'),
    filename: 'https://site.example/app-1.js?token=secret',
    lineno: 3,
    colno: 14,
  });
  expect(events).toEqual([['exception', { kind: 'TypeError', at: '/app-1.js:3:14' }]]);
});

test('an unhandled rejection is reported, whatever its reason', () => {
  const { events, raise } = watch();
  raise('unhandledrejection', { reason: new RangeError('too far') });
  raise('unhandledrejection', { reason: 'a text' });
  expect(events).toEqual([
    ['exception', { kind: 'RangeError', at: 'promise' }],
    ['exception', { kind: 'string', at: 'promise' }],
  ]);
});

test('a missing image is not reported', () => {
  const { events, raise } = watch();
  raise('error', {});
  expect(events).toEqual([]);
});

test('a page reports at most ten errors', () => {
  const { events, raise } = watch();
  for (let i = 0; i < 50; i++) raise('unhandledrejection', { reason: new Error() });
  expect(events).toHaveLength(10);
});
