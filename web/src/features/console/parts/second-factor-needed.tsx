import { useConsole } from '../state/context';
import { Remedy } from './message';

/** In place of data that need a passkey or a second factor: how to get there. */
export const SecondFactorNeeded = () => (
  <div role="alert">
    <p>{useConsole().texts.shell.secondFactor.text}</p>
    <p>
      <Remedy code="SECOND_FACTOR_NEEDED" />
    </p>
  </div>
);
