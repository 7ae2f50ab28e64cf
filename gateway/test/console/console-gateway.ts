/** A gateway with a console on a real Redis, whose mails the tests read. */
import pino from 'pino';
import { adminServices } from '../../src/admin/services';
import type { Erasure } from '../../src/services/accounts/erasure';
import type { Mail } from '../../src/services/identity/mail';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { type ConsoleConfig, consoleOn } from '../../src/start/console';
import { keySecret } from '../services';
import { noFaces, tierThatDetects } from '../stand-in';
import { TestGateway } from '../test-gateway';
import { Authenticator } from './authenticator';
import { ConsoleBrowser, consoleOrigin } from './browser';

export const password = 'correct-horse battery 42 staple';

const config = {
  ...{ KEY_SECRET: keySecret, VERIFY_URL: 'http://127.0.0.1:8000/verify' },
  ...{ SMTP_URL: '', MAIL_FROM: '', CONSOLE_SECOND_FACTOR: 'optional' as const, CONSOLE_PASSWORD_LIST: '' },
};

export interface Person {
  readonly browser: ConsoleBrowser;
  readonly email: string;
  readonly userId: string;
  readonly accountId: string;
}

export class ConsoleGateway {
  private constructor(
    readonly gateway: TestGateway,
    readonly mails: readonly Mail[],
    readonly erasure: Erasure,
  ) {}

  /** @param now the console's clock. @param changed in the configuration. */
  static async start(now?: () => number, changed: Partial<ConsoleConfig> = {}): Promise<ConsoleGateway> {
    const mails: Mail[] = [];
    let erasure: Erasure | undefined;
    const gateway = await TestGateway.start({
      inference: tierThatDetects(async () => noFaces as never),
      console: (redis) => {
        // Nobody listens there: none of the calls is to come as far as an image.
        const admin = adminServices(redis, new HttpInferenceClient('http://127.0.0.1:1'), keySecret);
        const mailer = { send: (mail: Mail) => void mails.push(mail) };
        const parts = { admin, mailer, logger: pino({ level: 'silent' }), ...(now && { now }) };
        const { console } = consoleOn(redis, { ...config, ...changed }, parts);
        ({ erasure } = console);
        return console;
      },
    });
    return new ConsoleGateway(gateway, mails, erasure as Erasure);
  }

  stop = () => this.gateway.stop();

  browser = (origin?: string) => new ConsoleBrowser(this.gateway, origin);

  /** The mails to an address, newest last. */
  mailsTo = (email: string) => this.mails.filter(({ to }) => to === email);

  /** The secret of the newest link that was mailed to an address. */
  ticket(email: string): string {
    const mail = this.mailsTo(email).findLast(({ text }) => text.includes('#'));
    return /#(\w{43})\n/.exec(mail?.text ?? '')?.[1] ?? '';
  }

  /** Somebody who has signed up, with an account. */
  async person(email: string): Promise<Person> {
    const browser = this.browser();
    await browser.data('POST', '/sign-up', { email });
    const { userId } = await browser.data('POST', '/sign-up/confirm', {
      ticket: this.ticket(email),
      password,
    });
    const { accounts } = await browser.data('GET', '/profile');
    return { browser, email, userId, accountId: accounts[0].accountId };
  }

  /** An operator, who signed in with a passkey and has a password too. */
  async operator(email: string): Promise<Person> {
    const person = await this.person(email);
    const { browser } = person;
    const authenticator = new Authenticator(consoleOrigin);
    const added = await browser.data('POST', '/profile/passkey-options');
    const passkey = authenticator.create(added.options);
    await browser.data('POST', '/profile/passkeys', { ticket: added.ticket, passkey });
    const { ticket, options } = await browser.data('POST', '/sign-in/passkey-options');
    await browser.data('POST', '/sign-in/passkey', { ticket, passkey: authenticator.get(options) });
    await this.gateway.services.management.operators.add(email);
    return person;
  }

  /** Another person in an account. */
  async member({ browser, accountId }: Person, email: string, role: string): Promise<Person> {
    await browser.data('POST', `/accounts/${accountId}/members`, { email, role });
    const own = this.browser();
    await own.data('POST', '/join', { ticket: this.ticket(email), password });
    const { userId } = await own.data('GET', '/profile');
    return { browser: own, email, userId, accountId };
  }
}
