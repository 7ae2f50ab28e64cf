/** People who sign in to the console. Their accounts and roles are in `members.ts`. */
import { randomBase62 } from '../../crypto/base62';

export interface Passkey {
  /** Base64url, chosen by the authenticator. */
  readonly id: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports?: readonly string[];
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly usedAt?: number;
}

/** The second factor (RFC 6238). */
export interface OneTimePasswords {
  /** Base32. */
  readonly secret: string;
  /** The time step of the last accepted code, which is not accepted again. */
  readonly lastStep: number;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryCodes: readonly string[];
}

export interface User {
  readonly id: string;
  /** The address in the form of `emailOf`. */
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Raised to end all sign-ins of the user. */
  readonly epoch: number;
  /** Argon2id, in the PHC string format. A user without one has a passkey. */
  readonly password?: string;
  readonly passkeys: readonly Passkey[];
  readonly oneTimePasswords?: OneTimePasswords;
}

/** Every method throws ApiError SERVICE_UNAVAILABLE if the store is unavailable. */
export interface UserStore {
  /** @returns false if the id or the address belongs to somebody already; nobody is overwritten */
  add(user: User): Promise<boolean>;
  find(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /**
   * Replaces a user by the result of `change`, atomically. `change` may run more than once.
   * @returns the new user; `taken` if the new address belongs to somebody else; undefined if there is no such user
   */
  update(id: string, change: (user: User) => User): Promise<User | 'taken' | undefined>;
  remove(id: string): Promise<void>;
}

/** Whether the person can sign in by more than a password. */
export const hasSecondFactor = ({ passkeys, oneTimePasswords }: User): boolean =>
  passkeys.length > 0 || oneTimePasswords !== undefined;

const idLength = 20;

export const newUserId = (): string => `usr_${randomBase62(idLength)}`;

export const maxPasskeys = 10;
