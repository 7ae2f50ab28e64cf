export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
}

/** Part of the bytes in flight that one account may hold. */
const share = 1 / 4;

/** A request that is in. */
export interface Stay {
  /**
   * Says whose request it is: its bytes count toward the account's share from now on.
   * @param atLeast bytes that the share is never smaller than: the largest body of the operation.
   * @returns whether the account's share has room for them.
   */
  claim(accountId: string, atLeast: number): boolean;
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
  /** Bytes in flight of accounts that have some. */
  private readonly accounts = new Map<string, number>();
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
    let owner: { readonly accountId: string; readonly most: number } | undefined;
    let holds = 1;
    let left = false;
    const fits = (more: number) => {
      if (this.bodyBytes + more > this.limits.maxBodyBytes) return false;
      return !owner || (this.accounts.get(owner.accountId) ?? 0) + more <= owner.most;
    };
    const release = () => {
      holds--;
      if (holds > 0) return;
      this.requests--;
      this.bodyBytes -= bytes;
      if (owner) this.add(owner.accountId, -bytes);
      if (this.requests === 0) this.onEmpty();
    };
    return {
      // After the end, when a client left while its key was looked up, nothing is taken any more.
      claim: (accountId, atLeast) => {
        if (holds === 0) return true;
        const most = Math.max(this.limits.maxBodyBytes * share, atLeast);
        if ((this.accounts.get(accountId) ?? 0) + bytes > most) return false;
        owner = { accountId, most };
        this.add(accountId, bytes);
        return true;
      },
      grow: (bodyBytes) => {
        if (holds === 0) return true;
        const more = Math.max(0, bodyBytes - bytes);
        if (!fits(more)) return false;
        bytes += more;
        this.bodyBytes += more;
        if (owner) this.add(owner.accountId, more);
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

  private add(accountId: string, bytes: number): void {
    const sum = (this.accounts.get(accountId) ?? 0) + bytes;
    if (sum > 0) this.accounts.set(accountId, sum);
    else this.accounts.delete(accountId);
  }
}
