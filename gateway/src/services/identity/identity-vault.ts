import { Vault } from '../../crypto/vault';

/** Seals people, tickets and mails. @param secret KEY_SECRET */
export const identityVault = (secret: string): Vault => new Vault(secret, 'console');
