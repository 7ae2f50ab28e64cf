/** The verification element on a page of another origin, in a real browser with a rendered camera. */
import { type EmbeddingPage, giveSession, startEmbeddingPage } from '../../../web/test/verify/embedding-page';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';

let application: EmbeddingPage;
let world: World;
let visitor: Visitor;
let people: Person[];

beforeAll(async () => {
  application = await startEmbeddingPage();
  const configuration = { GATEWAY_CORS_ORIGINS: application.origin };
  people = await loadPeople();
  visitor = await Visitor.arrive();
  world = await startWorld(configuration);
  application.apiUrl = world.apiUrl;
});
afterAll(async () => {
  await visitor?.leave();
  await Promise.all([world?.stop(), application?.stop()]);
});

test('passes a bona fide stand-in on a page whose policy allows only the API', async () => {
  const { sessionId, accessToken } = await world.createSession();
  const visit = await visitor.verify(application.origin, await sitter(people[0] as Person), {
    patience: 5,
    before: (page) => giveSession(page, { apiUrl: world.apiUrl, accessToken }),
  });
  expect(visit.message).toBe('ended.completed');
  const { body } = await world.call('GET', `/liveness/${sessionId}`);
  expect(body.data).toMatchObject({ status: 'completed', result: { isLive: true } });
});
