/**
 * A customer's journey from the session to the signed event, in a real browser with a rendered camera. The machine
 * that
 * runs everything else also renders the camera: under load its images are late, and the visitor retries when the page
 * offers it. benchmarks/accuracy measures how many pass at the first attempt.
 *
 * Slow: it needs both processors for the rendered camera, so it runs alone, after all other tests.
 */
import { example, expectLike, expectShown } from '../examples/replay';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';

const patience = 5;

let world: World;
let visitor: Visitor;
let people: Person[];

beforeAll(async () => {
  // One after another: if the service does not start, the browser that is open gets closed.
  people = await loadPeople();
  visitor = await Visitor.arrive();
  // Longer than in production, because a machine under load films slowly.
  world = await startWorld({ LIVENESS_ATTEMPT_SECONDS: '300' });
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

test('passes a bona fide stand-in and delivers the events of the examples', async () => {
  const { metadata } = example('liveness-request');
  const { sessionId, verificationUrl } = await world.createSession({ metadata });
  const visit = await visitor.verify(verificationUrl, await sitter(people[0] as Person), { patience });
  expect(visit.message).toBe('ended.completed');
  // A turn that repeats the last one adds a look straight ahead.
  expect(visit.asked.length).toBeGreaterThanOrEqual(4);
  const { id: startedId, ...started } = await world.event(sessionId, 'session.started');
  const { id: completedId, ...completed } = await world.event(sessionId, 'session.completed');
  expect(startedId).not.toBe(completedId);
  expectLike('webhook-event--session-started', started);
  expectShown('webhook-event--session-completed', completed);
  expect(completed).toMatchObject({ result: { isLive: true }, metadata });
  const { body } = await world.call('GET', `/liveness/${sessionId}`);
  expect(body.data).toMatchObject({ status: 'completed', result: completed.result, metadata });
  const { body: usage } = await world.call('GET', '/usage');
  expect(usage.data.productGroups).toMatchObject({ livenessDetection: { used: 1 } });
});
