import { bounds } from '../../bounds';

export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
  /**
   * Part of the requests and bytes that one owner may hold of those that the others leave, up to 1. Each further owner
   * gets the same part of the rest, so that a few owners do not fill the gateway. Default: the share of accounts
   */
  readonly share?: number;
}

const { accountShare } = bounds;

/** The owner of a request and its in-flight limits. */
export interface Owner {
  /** An account, a person or an address. */
  readonly id: string;
  /** The largest body of the operation: the share is never smaller. */
  readonly atLeastBytes: number;
  /** Concurrency of an account's plan. */
  readonly maxRequests: number;
}

interface Holding {
  readonly requests: number;
  readonly bytes: number;
}
const nothing: Holding = { requests: 0, bytes: 0 };

/** Capacity that one request holds. */
export interface Permit {
  /** Counts the permit toward its owner's share from now on. @returns whether the share has room. */
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
  /** Capacity by owner, while the owner holds permits. */
  private readonly owners = new Map<string, Holding>();
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
    let owner: Owner | undefined;
    let holds = 1;
    let released = false;
    const fits = (more: number) => {
      if (this.bodyBytes + more > this.limits.maxBodyBytes) return false;
      return !owner || this.holdingOf(owner.id).bytes + more <= this.mostBytes(owner, 0);
    };
    const giveUp = () => {
      holds--;
      if (holds > 0) return;
      this.requests--;
      this.bodyBytes -= bytes;
      if (owner) this.add(owner.id, { requests: -1, bytes: -bytes });
      if (this.requests === 0) this.onEmpty();
    };
    return {
      // A client can disconnect while its key is looked up. Its permit is already released then.
      claim: (claimant) => {
        if (holds === 0) return true;
        const held = this.holdingOf(claimant.id);
        if (held.bytes + bytes > this.mostBytes(claimant, bytes)) return false;
        if (held.requests >= this.mostRequests(claimant)) return false;
        owner = claimant;
        this.add(claimant.id, { requests: 1, bytes });
        return true;
      },
      grow: (bodyBytes) => {
        if (holds === 0) return true;
        const more = Math.max(0, bodyBytes - bytes);
        if (!fits(more)) return false;
        bytes += more;
        this.bodyBytes += more;
        if (owner) this.add(owner.id, { requests: 0, bytes: more });
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

  /** @param unclaimed bytes of the permit that are not counted toward the owner yet */
  private mostBytes({ id, atLeastBytes }: Owner, unclaimed: number): number {
    const { maxBodyBytes, share = accountShare } = this.limits;
    const others = this.bodyBytes - unclaimed - this.holdingOf(id).bytes;
    return Math.max((maxBodyBytes - others) * share, atLeastBytes);
  }

  /** The most requests of an owner whose next permit is not counted yet. */
  private mostRequests({ id, maxRequests: ofPlan }: Owner): number {
    const { maxRequests, share = accountShare } = this.limits;
    const others = this.requests - 1 - this.holdingOf(id).requests;
    return Math.max(1, Math.min((maxRequests - others) * share, ofPlan));
  }

  private holdingOf(id: string): Holding {
    return this.owners.get(id) ?? nothing;
  }

  private add(id: string, more: Holding): void {
    const held = this.holdingOf(id);
    const sum = { requests: held.requests + more.requests, bytes: held.bytes + more.bytes };
    if (sum.requests > 0) this.owners.set(id, sum);
    else this.owners.delete(id);
  }
}
