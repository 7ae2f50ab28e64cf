import { useConsole } from '../state/context';
import { Remedy } from './message';

interface SecondFactorNeededProps {
  /** Called after a sign-in with it. */
  onConfirm(): void;
}

/** In place of data that need a passkey or a second factor: how to get there. */
export const SecondFactorNeeded = ({ onConfirm }: SecondFactorNeededProps) => (
  <div role="alert">
    <p>{useConsole().texts.shell.secondFactor.text}</p>
    <p>
      <Remedy code="SECOND_FACTOR_NEEDED" onConfirm={onConfirm} />
    </p>
  </div>
);
