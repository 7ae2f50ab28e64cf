export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
}

/** Part of what may be in flight that one account may hold: of the bytes, and of the requests. */
const share = 1 / 2;

/** Whose a request is, and how much of its own may be in. */
export interface Owner {
  readonly accountId: string;
  /** Bytes that the account's share is never smaller than: the largest body of the operation. */
  readonly atLeastBytes: number;
  /** Requests that the account's plan lets run at once. */
  readonly maxRequests: number;
}

interface Holding {
  readonly requests: number;
  readonly bytes: number;
}
const nothing: Holding = { requests: 0, bytes: 0 };

/** A request that is in. */
export interface Stay {
  /** Says whose request it is: it counts toward the account's share from now on. @returns whether that has room. */
  claim(owner: Owner): boolean;
  /** The body has so many bytes by now. @returns whether there is room for those beyond the ones it had. */
  grow(bodyBytes: number): boolean;
  /** Keeps it in, whether its client leaves or not, until the answer is called, once: for work that must end. */
  hold(): () => void;
  /** Ends it once nothing holds it any more. Only the first call counts. */
  leave(): void;
}

/** Bounds what is in flight, so that overload is refused at once and never grows memory. */
export class Admission {
  private requests = 0;
  private bodyBytes = 0;
  /** Of accounts that have something in. */
  private readonly accounts = new Map<string, Holding>();
  private onEmpty: () => void = () => {};

  constructor(private readonly limits: AdmissionLimits) {}

  /** What is in now. */
  get inFlight(): { readonly requests: number; readonly bodyBytes: number } {
    return { requests: this.requests, bodyBytes: this.bodyBytes };
  }

  /** Resolves when nothing is in, once that is so. */
  empty(): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.onEmpty = resolve;
    });
  }

  /** @returns undefined when there is no room for the request. */
  enter(bodyBytes: number): Stay | undefined {
    const { maxRequests, maxBodyBytes } = this.limits;
    if (this.requests >= maxRequests || this.bodyBytes + bodyBytes > maxBodyBytes) return undefined;
    this.requests++;
    this.bodyBytes += bodyBytes;
    return this.stay(bodyBytes);
  }

  private stay(announced: number): Stay {
    let bytes = announced;
    let owner: { readonly accountId: string; readonly mostBytes: number } | undefined;
    let holds = 1;
    let left = false;
    const fits = (more: number) => {
      if (this.bodyBytes + more > this.limits.maxBodyBytes) return false;
      return !owner || this.holdingOf(owner.accountId).bytes + more <= owner.mostBytes;
    };
    const release = () => {
      holds--;
      if (holds > 0) return;
      this.requests--;
      this.bodyBytes -= bytes;
      if (owner) this.add(owner.accountId, { requests: -1, bytes: -bytes });
      if (this.requests === 0) this.onEmpty();
    };
    return {
      // After the end, when a client left while its key was looked up, nothing is taken any more.
      claim: ({ accountId, atLeastBytes, maxRequests }) => {
        if (holds === 0) return true;
        const mostBytes = Math.max(this.limits.maxBodyBytes * share, atLeastBytes);
        const mostRequests = Math.max(1, Math.min(this.limits.maxRequests * share, maxRequests));
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
        return release;
      },
      leave: () => {
        if (left) return;
        left = true;
        release();
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
