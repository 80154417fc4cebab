import { useEffect, useState } from 'react';
import type { TransferRefusal } from '#contracts/desktop/desktop-transfer.ts';
import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import type { CustomerLicense } from '#contracts/portal/customers.ts';
import { useSecondsLeft } from '../../../identity/use-countdown.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { waitSecondsOf } from '../../../license/remedy.ts';
import { type DesktopAction, useDesktopAction } from '../../../operations/use-desktop-action.ts';

type TransferStep =
  | { readonly at: 'email' }
  | { readonly at: 'code'; readonly email: string }
  | { readonly at: 'licenses'; readonly rows: readonly CustomerLicense[] }
  | { readonly at: 'key-code'; readonly licenseId: string };

export interface Transfer extends DesktopAction {
  readonly step: TransferStep;
  readonly refusal: TransferRefusal | null;
  /** The key was released, but the activation failed: it may be retried without a code. */
  readonly failure: ActivationFailure | null;
  readonly secondsLeft: number;
  requestCode(email: string): Promise<void>;
  signIn(code: string): Promise<void>;
  begin(licenseId: string): Promise<void>;
  cancel(licenseId: string): Promise<void>;
  activate(code: string | null): Promise<void>;
  showLicenses(): Promise<void>;
  startOver(): Promise<void>;
}

/** The steps of moving a license to this machine; the desktop remembers the current one. */
export const useTransfer = (onActivated: () => void): Transfer => {
  const act = useDesktopAction();
  const [step, setStep] = useState<TransferStep>({ at: 'email' });
  const [refusal, setRefusal] = useState<TransferRefusal | null>(null);
  const [failure, setFailure] = useState<ActivationFailure | null>(null);
  const secondsLeft = useSecondsLeft(
    refusal?.retryAfterSeconds ?? waitSecondsOf(failure),
    refusal ?? failure,
  );

  /** Continues with an answer, or shows the refusal; an expired session leads back to the beginning. */
  const attempt = <Done extends { readonly outcome: 'done' }>(
    ask: () => Promise<Done | TransferRefusal>,
    goOn: (answer: Done) => void,
  ) =>
    act.run(async () => {
      setRefusal(null);
      setFailure(null);
      const answer = await ask();
      if (answer.outcome === 'done') return goOn(answer as Done);
      setRefusal(answer as TransferRefusal);
      if ((answer as TransferRefusal).code === 'UNAUTHENTICATED') setStep({ at: 'email' });
    });
  const showRows = ({ rows }: { readonly rows: readonly CustomerLicense[] }) =>
    setStep({ at: 'licenses', rows });
  const showLicenses = () => attempt(() => callDesktop('transfer.licenses', undefined), showRows);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is new
  useEffect(() => {
    callDesktop('transfer.standing', undefined).then(
      ({ email, isSignedIn, chosen }) => {
        if (chosen !== null) setStep({ at: 'key-code', licenseId: chosen });
        else if (isSignedIn) void showLicenses();
        else if (email !== null) setStep({ at: 'code', email });
      },
      () => undefined,
    );
  }, []);

  return {
    ...act,
    step,
    refusal,
    failure,
    secondsLeft,
    requestCode: (email) =>
      attempt(
        () => callDesktop('transfer.requestCode', { email }),
        () => setStep({ at: 'code', email }),
      ),
    signIn: (code) => attempt(() => callDesktop('transfer.signIn', { code }), showRows),
    begin: (licenseId) =>
      attempt(
        () => callDesktop('transfer.begin', { licenseId }),
        () => setStep({ at: 'key-code', licenseId }),
      ),
    cancel: (licenseId) => attempt(() => callDesktop('transfer.cancel', { licenseId }), showRows),
    activate: (code) =>
      attempt(
        () => callDesktop('transfer.activate', { code }),
        ({ report }) => (report.outcome === 'activated' ? onActivated() : setFailure(report)),
      ),
    showLicenses,
    startOver: () =>
      act.run(async () => {
        setRefusal(null);
        setFailure(null);
        setStep({ at: 'email' });
        await callDesktop('transfer.leave', undefined);
      }),
  };
};
