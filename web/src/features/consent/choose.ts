import { browserConsent } from './browser-consent';

export const choose = browserConsent.save;
export const chooseAll = () => choose({ analytics: true, marketing: true });
export const chooseNecessary = () => choose({ analytics: false, marketing: false });
