/** The console's API as a router: its own cookie and nothing that a key of the public API opens. */
import { type Request, type RequestHandler, Router } from 'express';
import { inputOf, maxBytesOf, plainBodyBytes } from '../admin/http-input';
import { checkerOf } from '../admin/input';
import type { Operation } from '../admin/operation';
import { type Asked, perform } from '../admin/perform';
import { registry } from '../admin/registry';
import { isTextStream, writeLines } from '../admin/text-stream';
import { Lanes } from '../async/lanes';
import { bounds } from '../bounds';
import { ConsoleError } from '../errors';
import { admit, claimVisitorShare } from '../middleware/admit';
import { readBody } from '../middleware/body';
import { methodNotAllowed, notFound, showOperatorErrors } from '../middleware/errors';
import { operation as nameOperation } from '../middleware/observe';
import { audited } from '../services/audit/audited';
import type { SignedIn } from '../services/identity/sign-ins';
import { hasSecondFactor } from '../services/identity/users';
import { Admission } from '../services/limits/admission';
import type { Role } from '../services/rights/roles';
import type { Access, Call, ConsoleServices, Result } from './call';
import { ConsoleCookie } from './cookie';
import { grants, recentGrants } from './grants';
import { groupedCalls } from './groups';
import { consoleOpenapi } from './openapi';
import { onlyFrom } from './origin';
import { peopleCalls } from './people';
import { type PlaygroundServices, playground, playgroundPath, playgroundRoles } from './playground';
import { stripeRoute } from './stripe';

export interface ConsoleRouterServices {
  readonly console: ConsoleServices;
  /** Capacity of the API, which the console's calls with large bodies use, too. */
  readonly admission: Admission;
  readonly analyses: PlaygroundServices;
}

/** How long the reader of a streamed response may pause. */
const unreadMs = 60_000;

/** All calls of the console. */
export const consoleCalls: readonly Call[] = [
  ...peopleCalls,
  ...groupedCalls,
  ...registry.flatMap((operation) => {
    const access = grants[operation.id];
    const recent = recentGrants.has(operation.id);
    return access ? [{ ...callOf(operation, access, 'user'), recent }] : [];
  }),
  ...registry.map((operation) => {
    const { id, http } = operation;
    const there = { id: `operator ${id}`, http: [http[0], `/operator${http[1]}`] as const };
    // Operators change and read the data of other people, which a browser left open must not do for long.
    return { ...callOf(operation, 'operator', 'operator'), ...there, recent: true };
  }),
];

/** An operators' operation as a call. @param actor its kind in the audit log */
function callOf(operation: Operation, access: Access, actor: 'user' | 'operator'): Call {
  const { id, summary, http, input, images, isSearch } = operation;
  return {
    id,
    summary,
    http,
    input,
    access,
    ...(images !== undefined && { images }),
    ...(isSearch && { isSearch }),
    // `perform` records it.
    changes: false,
    run: async ({ admin }, given, { requestId, images, role }, signedIn) => {
      const userId = signedIn?.user.id;
      const asked: Asked = {
        requestId,
        images,
        actor: `${actor}:${userId}`,
        party: role ?? 'operator',
        memberId: actor === 'user' ? userId : undefined,
      };
      return { data: await perform(operation, admin, given as Record<string, unknown>, asked) };
    },
  };
}

export function consoleRouter({ console, admission, analyses }: ConsoleRouterServices): Router {
  const router = Router();
  router.use(showOperatorErrors('sentence'));
  // Each may take up to half a second of the gateway's only thread.
  const searches = new Lanes(Number.POSITIVE_INFINITY, bounds.consoleSearches);
  // Anybody may make some of the calls, so none of them takes capacity from the API.
  const visitors = new Admission({
    maxRequests: bounds.consoleRequests,
    maxBodyBytes: bounds.consoleRequests * plainBodyBytes,
    share: bounds.consoleShare,
  });
  const { origin } = console.identity;
  const cookie = ConsoleCookie.ofSignIn(origin);
  const device = ConsoleCookie.ofDevice(origin);
  stripeRoute(router, console.billing, visitors);
  router.use(onlyFrom(origin));
  const description = consoleOpenapi(consoleCalls);
  router.get('/openapi.json', nameOperation('console openapi'), admit(visitors, 0), (_req, res) => {
    res.json(description);
  });
  for (const path of new Set(consoleCalls.map(({ http }) => http[1]))) {
    const calls = consoleCalls.filter(({ http }) => http[1] === path);
    const route = router.route(path);
    for (const call of calls) {
      const method = call.http[0].toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      route[method](
        nameOperation(`console ${call.id}`),
        admit(call.images === undefined ? visitors : admission, maxBytesOf(call)),
        signInOf(call, console, cookie),
        claimVisitorShare(maxBytesOf(call)),
        bodyOf(call),
        handlerOf(call, console, { cookie, device, searches }),
      );
    }
    route.all(methodNotAllowed(calls.map(({ http: [method] }) => method)));
  }
  const member = signInOf({ access: playgroundRoles }, console, cookie);
  router.use(playgroundPath, playground(analyses, console.keys, member));
  router.use(notFound());
  return router;
}

/** Before the body, which may be large, is read. */
function signInOf(
  { access, recent = access === 'recent' }: Pick<Call, 'access' | 'recent'>,
  services: ConsoleServices,
  cookie: ConsoleCookie,
): RequestHandler {
  return async (req, res, next) => {
    const signedIn = await signedInOf(access, services, cookie.read(req));
    // Set the cookie even if the call fails: the old secret no longer works.
    if (signedIn?.cookie !== undefined) cookie.write(res, signedIn.cookie);
    res.locals.role = await roleIn(access, services, signedIn, req);
    const isChange = req.method !== 'GET' && req.method !== 'HEAD';
    const isWeak = signedIn && hasSecondFactor(signedIn.user) && !signedIn.signIn.isTwoFactor;
    // A stolen password alone must not change the accounts of a person who protects them with more.
    const isProtected = recent || (isChange && typeof access !== 'string');
    if (isProtected && isWeak) throw new ConsoleError('SECOND_FACTOR_NEEDED');
    const isStale = signedIn && !services.identity.signIns.isRecent(signedIn.signIn);
    if (recent && isStale) throw new ConsoleError('RECENT_SIGN_IN_NEEDED');
    if (signedIn) {
      const { limits } = services.identity;
      const { id } = signedIn.user;
      await (isChange ? limits.countChange(id) : limits.countRead(id));
      res.locals.signedIn = signedIn;
    }
    next();
  };
}

function bodyOf(call: Call): RequestHandler {
  if (call.http[0] !== 'GET') return readBody({ maxBytes: maxBytesOf(call), forms: 'json', optional: true });
  return (req, _res, next) => {
    req.body = {};
    next();
  };
}

interface HandlerParts {
  readonly cookie: ConsoleCookie;
  readonly device: ConsoleCookie;
  /** Searches by user id. */
  readonly searches: Lanes;
}

function handlerOf(
  call: Call,
  services: ConsoleServices,
  { cookie, device: deviceCookie, searches }: HandlerParts,
): RequestHandler {
  const check = checkerOf(call.input);
  return async (req, res) => {
    const { requestId, signedIn, role } = res.locals;
    const { images, ...given } = inputOf(call, req);
    const caller = {
      requestId,
      role,
      images,
      address: req.ip ?? '',
      device: deviceCookie.read(req),
      userAgent: req.headers['user-agent'],
    };
    const input = check(given.input);
    const respond = async () => {
      await call.admit?.(services, input);
      const {
        data,
        cookie: value,
        device,
      } = await recorded(call, services, input, signedIn, () => call.run(services, input, caller, signedIn));
      if (value !== undefined) {
        res.removeHeader('Set-Cookie');
        cookie.write(res, value);
      }
      if (device !== undefined) deviceCookie.write(res, device);
      if (isTextStream(data)) {
        res.attachment(data.fileName).set('Content-Type', data.mediaType);
        res.setTimeout(unreadMs, () => res.destroy());
        await writeLines(data, res).catch((error) => {
          // The error is no file.
          if (!res.headersSent)
            for (const name of ['Content-Disposition', 'Content-Type']) res.removeHeader(name);
          throw error;
        });
        res.end();
        return;
      }
      res.json({ success: true, data, requestId });
    };
    if (!signedIn || !call.isSearch?.(input)) return respond();
    const { id } = signedIn.user;
    await services.identity.limits.countSearch(id);
    // The client may have disconnected while the search waited.
    await searches.run(id, async () => (res.closed ? undefined : respond()));
  };
}

/** @throws ConsoleError SIGNED_OUT */
async function signedInOf(
  access: Access,
  { identity: { signIns } }: ConsoleServices,
  value: string | undefined,
): Promise<SignedIn | undefined> {
  if (access === 'anyone') return undefined;
  if (access === 'maybe') return value === undefined ? undefined : signIns.find(value).catch(noneIfSignedOut);
  return signIns.find(value);
}

function noneIfSignedOut(error: unknown): undefined {
  if (!(error instanceof ConsoleError)) throw error;
}

/**
 * Members without the role learn that it does not suffice. For others, the account does not exist, nor do the operators'
 * calls for people who are not operators.
 * @returns the role in the account of the path
 * @throws ConsoleError NOT_FOUND, NOT_ALLOWED, SECOND_FACTOR_NEEDED
 */
async function roleIn(
  access: Access,
  { identity: { members }, admin: { operators }, settings }: ConsoleServices,
  signedIn: SignedIn | undefined,
  { params }: Request,
): Promise<Role | undefined> {
  if (access === 'operator') {
    if (!signedIn || !(await operators.has(signedIn.user))) throw new ConsoleError('NOT_FOUND');
    if (!signedIn.signIn.isTwoFactor) throw new ConsoleError('SECOND_FACTOR_NEEDED');
  }
  if (typeof access === 'string') return undefined;
  const role = signedIn && (await members.roleOf(String(params.account), signedIn.user.id));
  if (!role) throw new ConsoleError('NOT_FOUND');
  if (!access.includes(role)) throw new ConsoleError('NOT_ALLOWED');
  const isEnough = settings.secondFactor === 'optional' || signedIn.signIn.isTwoFactor;
  if (!isEnough) throw new ConsoleError('SECOND_FACTOR_NEEDED');
  return role;
}

const actorOf = (signedIn: SignedIn | undefined) => (signedIn ? `user:${signedIn.user.id}` : 'user:new');

/** Runs a call, with entries in the audit log if it changes something. */
function recorded(
  { id, changes, input: { properties } }: Call,
  { admin: { audit } }: ConsoleServices,
  given: Readonly<Record<string, unknown>>,
  signedIn: SignedIn | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!changes) return run();
  const { account, ...rest } = given;
  const values = Object.entries(rest).filter(([name]) => !properties[name]?.writeOnly);
  // A call may create the account.
  const entryOf = (result?: Result) => {
    const accountId = account ?? (result?.data as { accountId?: string } | undefined)?.accountId;
    return {
      actor: actorOf(signedIn),
      operation: id,
      ...(accountId !== undefined && { accountId: String(accountId) }),
      ...(values.length > 0 && { changes: Object.fromEntries(values) }),
    };
  };
  return audited(audit, entryOf, run);
}
