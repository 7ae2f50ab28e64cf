/** A person's phone: it makes the calls of one session as the hosted page does, in real time. */
import { setTimeout as delay } from 'node:timers/promises';
import { jpegOf } from './people/image';
import type { Subject } from './people/subject';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked against the contract's schemas
  readonly body: any;
}

export interface Capture {
  readonly attemptId: string;
  /** To each frame that was taken, in their order. */
  readonly answers: readonly Answer[];
  readonly done: boolean;
}

export interface CaptureOptions {
  /** Between two frames. Default: as the attempt says. */
  readonly intervalMs?: number;
  /** Frames after which it gives up. Default 150. */
  readonly most?: number;
}

const deviceId = 'device-of-the-tests';

export class Phone {
  constructor(
    /** Of a gateway; the next calls may go to another. */
    public url: string,
    private readonly sessionId: string,
    private readonly accessToken: string,
    private readonly device: string = deviceId,
  ) {}

  start = () => this.post('/start', {});
  begin = () =>
    this.post('/attempts', {
      consent: true,
      device: {
        id: this.device,
        camera: { label: 'Integrated Camera', width: 640, height: 480, frameRate: 5 },
      },
    });
  cancel = () => this.post('/cancel', {});
  leave = () => this.post('/leave', {});
  complete = (attemptId: string) => this.post(`/attempts/${attemptId}/complete`, {});

  frame(attemptId: string, nonce: string, image: Buffer): Promise<Answer> {
    return this.send(`/attempts/${attemptId}/frames`, image, {
      'content-type': 'image/jpeg',
      'x-frame-nonce': nonce,
    });
  }

  /**
   * Films a subject until all steps are done. Frames go out on time, whatever the answers to those before are. One that
   * others overtook may be refused, and its nonce is lost.
   * @throws Error for any other refusal
   */
  async capture(subject: Subject, { intervalMs, most = 150 }: CaptureOptions = {}): Promise<Capture> {
    const begun = await this.begin();
    if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
    const { attemptId, nonces, step, frameIntervalMs } = begun.body.data;
    const beginMs = performance.now();
    const elapsed = () => performance.now() - beginMs;
    const answers: Promise<Answer | undefined>[] = [];
    const underWay = new Set<Promise<unknown>>();
    /** By the order in which they were sent. */
    const refusals = new Map<number, Answer>();
    let newestTaken = -1;
    let asked = step.index;
    let done = false;
    subject.instruct(step.movement, 0);
    for (let sent = 0; sent < most && !done; sent++) {
      await delay(Math.max(0, (sent + 1) * (intervalMs ?? frameIntervalMs) - elapsed()));
      while (nonces.length === 0) {
        if (underWay.size === 0) throw new Error('All nonces are lost.');
        await Promise.race(underWay);
      }
      const image = await jpegOf(await subject.frameAt(elapsed()));
      const answer = this.frame(attemptId, nonces.shift(), image).then((one) => {
        underWay.delete(answer);
        const { data, error } = one.body;
        if (error?.reason === 'frame') {
          refusals.set(sent, one);
          return undefined;
        }
        if (!data) throw new Error(JSON.stringify(one.body));
        newestTaken = Math.max(newestTaken, sent);
        nonces.push(data.nonce);
        if (data.step.index > asked) {
          asked = data.step.index;
          subject.instruct(data.step.movement, elapsed());
        }
        done ||= data.done;
        return one;
      });
      underWay.add(answer);
      answers.push(answer);
    }
    const taken = (await Promise.all(answers)).filter((one) => one !== undefined);
    for (const [order, { body }] of refusals) {
      if (order > newestTaken) throw new Error(JSON.stringify(body));
    }
    return { attemptId, answers: taken, done };
  }

  private post = (path: string, body: object) =>
    this.send(path, JSON.stringify(body), { 'content-type': 'application/json' });

  private async send(path: string, body: Buffer | string, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.url}/liveness/${this.sessionId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.accessToken}`, ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}
