/**
 * A whole check in the engines of the browsers that people have beside Chromium: the hosted page, and the element on a page
 * of another origin, with the real service, models and a rendered stand-in in front of the camera.
 */

import claims from '../../../../web/content/claims.json';
import { type EmbeddingPage, startEmbeddingPage } from '../../../../web/test/verify/embedding-page';
import type { Engine } from '../../browsers/engine';
import { launchFirefox } from '../../browsers/firefox';
import { launchWebKit } from '../../browsers/webkit';
import { startWorld, type World } from '../browser/world';
import { loadPeople, type Person } from '../people/people';
import { sitter } from '../people/subject';
import { visit } from './visit';

const patience = 2;

/** The versions that the page of claims names. */
const claimed = claims.groups
  .flatMap(({ claims: all }) => all as { facts?: { name: string; value: string }[] }[])
  .flatMap(({ facts = [] }) => facts);

let application: EmbeddingPage;
let world: World;
let person: Person;

beforeAll(async () => {
  const people = loadPeople();
  application = await startEmbeddingPage();
  [person] = (await people) as [Person];
  // An engine without a graphics processor takes its time on a busy machine.
  world = await startWorld({
    GATEWAY_CORS_ORIGINS: application.origin,
    LIVENESS_ATTEMPT_SECONDS: '300',
    LIVENESS_SESSION_SECONDS: '3600',
  });
  application.apiUrl = world.apiUrl;
});
afterAll(() => Promise.all([world?.stop(), application?.stop()]));

describe.each([
  ['Firefox ESR', launchFirefox, 'testedFirefoxEsr', 11],
  ['WebKitGTK', launchWebKit, 'testedWebKitGtk', 13],
] as const)('%s', (name, launch, claim, seed) => {
  // Each visit has a room and movements of its own, because the account's earlier frames are refused.
  let engine: Engine;

  beforeAll(async () => {
    engine = await launch();
  });
  afterAll(() => engine?.close());

  /** The session's status and, for the report of a failed test, the verdicts of its attempts. */
  const outcomeOf = async (sessionId: string) => {
    const { body } = await world.call('GET', `/liveness/${sessionId}`);
    const { attempts } = await world.explain(sessionId);
    const reasons = attempts.map(({ verdict }: { verdict: { reasons: string[] } }) => verdict.reasons);
    return { status: body.data.status, reasons };
  };

  test('has the version that the page of claims names', () => {
    const { value } = claimed.find((fact) => fact.name === claim) ?? {};
    expect(engine.version).toMatch(new RegExp(`^${name} ${value}\\b`));
  });

  test('passes a stand-in on the hosted page', async () => {
    const { sessionId, verificationUrl } = await world.createSession();
    const subject = await sitter(person, { seed });
    const seen = await visit(engine, verificationUrl, subject, { patience });
    const outcome = { ...seen, ...(await outcomeOf(sessionId)) };
    // Whole, so that the report of a failed test has the reasons.
    expect(outcome).toEqual({ ...outcome, message: 'ended.completed', status: 'completed' });
  });

  test('passes a stand-in at the element on a page of another origin', async () => {
    const { sessionId, accessToken } = await world.createSession();
    const subject = await sitter(person, { seed: seed + 1 });
    const before = [
      "(session) => void Object.assign(document.querySelector('presenza-liveness'), session)",
      { apiUrl: world.apiUrl, accessToken },
    ] as const;
    const seen = await visit(engine, application.origin, subject, { patience, before });
    const outcome = { ...seen, ...(await outcomeOf(sessionId)) };
    // Whole, so that the report of a failed test has the reasons.
    expect(outcome).toEqual({ ...outcome, message: 'ended.completed', status: 'completed' });
  });
});
