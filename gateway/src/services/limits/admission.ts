import { bounds } from '../../bounds';

export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
}

/** Part of the capacity that one account may hold, in bytes and in requests. */
const { accountShare } = bounds;

/** The owner of a request and its in-flight limits. */
export interface Owner {
  readonly accountId: string;
  /** The largest body of the operation: the account's share is never smaller. */
  readonly atLeastBytes: number;
  /** Concurrency of the account's plan. */
  readonly maxRequests: number;
}

interface Holding {
  readonly requests: number;
  readonly bytes: number;
}
const nothing: Holding = { requests: 0, bytes: 0 };

/** Capacity that one request holds. */
export interface Permit {
  /** Counts the permit toward an account's share from now on. @returns whether the share has room. */
  claim(owner: Owner): boolean;
  /** Raises the bytes that the permit holds to those of the body. @returns whether there is room. */
  grow(bodyBytes: number): boolean;
  /** Keeps the permit after `release`, for work that must end. @returns a function that gives it up, called once. */
  hold(): () => void;
  /** Gives the permit back once nothing holds it. Only the first call counts. */
  release(): void;
}

/** Limits the requests and bytes in flight, so that the gateway rejects overload at once and memory stays bounded. */
export class Admission {
  private requests = 0;
  private bodyBytes = 0;
  /** Capacity by account, while the account holds permits. */
  private readonly accounts = new Map<string, Holding>();
  private onEmpty: () => void = () => {};

  constructor(private readonly limits: AdmissionLimits) {}

  /** The capacity that all permits hold now. */
  get inFlight(): { readonly requests: number; readonly bodyBytes: number } {
    return { requests: this.requests, bodyBytes: this.bodyBytes };
  }

  /** Resolves once no permit is held. */
  empty(): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.onEmpty = resolve;
    });
  }

  /** @returns undefined when there is no room for the request. */
  enter(bodyBytes: number): Permit | undefined {
    const { maxRequests, maxBodyBytes } = this.limits;
    if (this.requests >= maxRequests || this.bodyBytes + bodyBytes > maxBodyBytes) return undefined;
    this.requests++;
    this.bodyBytes += bodyBytes;
    return this.permit(bodyBytes);
  }

  private permit(announced: number): Permit {
    let bytes = announced;
    let owner: { readonly accountId: string; readonly mostBytes: number } | undefined;
    let holds = 1;
    let released = false;
    const fits = (more: number) => {
      if (this.bodyBytes + more > this.limits.maxBodyBytes) return false;
      return !owner || this.holdingOf(owner.accountId).bytes + more <= owner.mostBytes;
    };
    const giveUp = () => {
      holds--;
      if (holds > 0) return;
      this.requests--;
      this.bodyBytes -= bytes;
      if (owner) this.add(owner.accountId, { requests: -1, bytes: -bytes });
      if (this.requests === 0) this.onEmpty();
    };
    return {
      // A client can disconnect while its key is looked up. Its permit is already released then.
      claim: ({ accountId, atLeastBytes, maxRequests }) => {
        if (holds === 0) return true;
        const mostBytes = Math.max(this.limits.maxBodyBytes * accountShare, atLeastBytes);
        const mostRequests = Math.max(1, Math.min(this.limits.maxRequests * accountShare, maxRequests));
        const held = this.holdingOf(accountId);
        if (held.bytes + bytes > mostBytes || held.requests >= mostRequests) return false;
        owner = { accountId, mostBytes };
        this.add(accountId, { requests: 1, bytes });
        return true;
      },
      grow: (bodyBytes) => {
        if (holds === 0) return true;
        const more = Math.max(0, bodyBytes - bytes);
        if (!fits(more)) return false;
        bytes += more;
        this.bodyBytes += more;
        if (owner) this.add(owner.accountId, { requests: 0, bytes: more });
        return true;
      },
      hold: () => {
        if (holds === 0) return () => {};
        holds++;
        return giveUp;
      },
      release: () => {
        if (released) return;
        released = true;
        giveUp();
      },
    };
  }

  private holdingOf(accountId: string): Holding {
    return this.accounts.get(accountId) ?? nothing;
  }

  private add(accountId: string, more: Holding): void {
    const held = this.holdingOf(accountId);
    const sum = { requests: held.requests + more.requests, bytes: held.bytes + more.bytes };
    if (sum.requests > 0) this.accounts.set(accountId, sum);
    else this.accounts.delete(accountId);
  }
}
