export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
}

/** Bounds what is in flight, so that overload is refused at once and never grows memory. */
export class Admission {
  private requests = 0;
  private bodyBytes = 0;

  constructor(private readonly limits: AdmissionLimits) {}

  /** What is in now. */
  get inFlight(): { readonly requests: number; readonly bodyBytes: number } {
    return { requests: this.requests, bodyBytes: this.bodyBytes };
  }

  /** @returns what to call, once, when the request has left; undefined when there is no room for it. */
  enter(bodyBytes: number): (() => void) | undefined {
    const { maxRequests, maxBodyBytes } = this.limits;
    if (this.requests >= maxRequests || this.bodyBytes + bodyBytes > maxBodyBytes) return undefined;
    this.requests++;
    this.bodyBytes += bodyBytes;
    return () => {
      this.requests--;
      this.bodyBytes -= bodyBytes;
    };
  }
}
