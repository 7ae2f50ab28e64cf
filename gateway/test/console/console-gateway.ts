/** A gateway with a console on a real Redis, whose mails the tests read. */
import pino from 'pino';
import { adminServices } from '../../src/admin/services';
import type { ConsoleServices } from '../../src/console/call';
import type { Mail } from '../../src/services/identity/mail';
import { HttpInferenceClient, type InferenceClient } from '../../src/services/inference/inference-client';
import type { Job } from '../../src/start/background-jobs';
import { type ConsoleConfig, type ConsoleParts, createConsole } from '../../src/start/console';
import { keySecret } from '../services';
import { noFaces, tierThatDetects } from '../stand-in';
import { type Parts, TestGateway } from '../test-gateway';
import { Authenticator } from './authenticator';
import { ConsoleBrowser, consoleOrigin } from './browser';

export const password = 'correct-horse battery 42 staple';

const config: ConsoleConfig = {
  KEY_SECRET: keySecret,
  VERIFY_URL: 'http://127.0.0.1:8000/verify',
  SMTP_URL: '',
  MAIL_FROM: '',
  SELF_SERVICE_PLANS: 'off',
  INVOICE_SELLER: '',
  STRIPE_SECRET_KEY: '',
  STRIPE_WEBHOOK_SECRET: '',
  STRIPE_PRICES: '',
  CONSOLE_SECOND_FACTOR: 'optional',
  CONSOLE_PASSWORD_LIST: '',
};

/** Parts of the gateway take the place of the usual ones. */
export interface ConsoleOptions extends Omit<Parts, 'console'> {
  /** The inference tier. Default: no image shows a face. */
  readonly detect?: InferenceClient['detect'];
  readonly config?: Partial<ConsoleConfig>;
  readonly stripe?: ConsoleParts['stripe'];
  /** Whether mails stay in the mailbox, as without a mail server. Otherwise, the test gets them at once. */
  readonly keepsMails?: boolean;
}

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
    /** The console's periodic jobs, which run only when a test calls them. */
    readonly jobs: readonly Job[],
    readonly services: ConsoleServices,
  ) {}

  get erasure() {
    return this.services.erasure;
  }

  /** @param now the console's clock */
  static async start(
    now?: () => number,
    {
      config: changes = {},
      stripe,
      keepsMails = false,
      detect = async () => noFaces as never,
      ...others
    }: ConsoleOptions = {},
  ): Promise<ConsoleGateway> {
    const mails: Mail[] = [];
    let jobs: readonly Job[] = [];
    let services: ConsoleServices | undefined;
    const gateway = await TestGateway.start({
      inference: tierThatDetects(detect),
      ...others,
      console: (redis) => {
        // Nobody listens there: none of the calls is to come as far as an image.
        const admin = adminServices(redis, new HttpInferenceClient('http://127.0.0.1:1'), keySecret);
        const mailer = { send: (mail: Mail) => void mails.push(mail) };
        const logger = pino({ level: 'silent' });
        const parts = {
          admin,
          logger,
          ...(!keepsMails && { mailer }),
          ...(now && { now }),
          ...(stripe && { stripe }),
        };
        const made = createConsole(redis, { ...config, ...changes }, parts);
        jobs = made.jobs;
        services = made.console;
        return made.console;
      },
    });
    return new ConsoleGateway(gateway, mails, jobs, services as ConsoleServices);
  }

  stop = () => this.gateway.stop();

  /** Runs a job once, even if its lease is taken. */
  async run(name: string): Promise<void> {
    const job = this.jobs.find((job) => job.name === name);
    for (const lease of await this.gateway.redis.keys('presenza:*lease')) await this.gateway.redis.del(lease);
    await job?.run(job.everyMs);
  }

  browser = (origin?: string, address?: string) => new ConsoleBrowser(this.gateway, origin, address);

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
    const invited = this.browser();
    await invited.data('POST', '/join', { ticket: this.ticket(email), password });
    const { userId } = await invited.data('GET', '/profile');
    return { browser: invited, email, userId, accountId };
  }
}
