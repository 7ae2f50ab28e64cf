/** Runs one session with a subject in front of the camera of a real browser, or in its place. */
import type { Subject } from '../people/subject';
import type { Manner, Visit, Visitor } from './visitor';
import type { World } from './world';

export interface Presented extends Visit {
  readonly status: string;
  /** The verdicts of its attempts, as operators see them. */
  readonly reasons: readonly string[];
}

export interface Presentation {
  readonly name: string;
  readonly subject: () => Promise<Subject>;
}

/** @param request the body of `POST /liveness`, by default empty */
export async function present(
  { world, visitor }: { world: World; visitor: Visitor },
  subject: Subject,
  manner?: Manner,
  request?: object,
): Promise<Presented> {
  const { sessionId, verificationUrl } = await world.createSession(request);
  const visit = await visitor.verify(verificationUrl, subject, manner);
  const { body } = await world.call('GET', `/liveness/${sessionId}`);
  const { attempts } = await world.explain(sessionId);
  return { ...visit, status: body.data.status, reasons: attempts.flatMap(reasonsOf) };
}

const reasonsOf = ({ verdict }: { verdict: { reasons: string[] } }) => verdict.reasons;
