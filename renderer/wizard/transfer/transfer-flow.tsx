import { Button, Stack, Text, Title } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { ActivationFailed } from '../license/activation-failed.tsx';
import { wizardWords } from '../wizard.words.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { LicenseList } from './license-list.tsx';
import { TransferRefused } from './transfer-refused.tsx';
import { type Transfer, useTransfer } from './use-transfer.ts';

export interface TransferFlowProps {
  /** As typed. */
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** For a person who is looking for their license; it may turn out to be here, or to have ended. */
  readonly isSearch: boolean;
  readonly onBack: () => void;
  /** The hardware ID of this machine; null if it reports none. */
  readonly hwid: string | null;
  readonly onActivated: () => void;
}

interface StepProps extends Omit<TransferFlowProps, 'onActivated'> {
  readonly transfer: Transfer;
}

const Step = ({ transfer, hwid, email, onEmail, isSearch, onBack }: StepProps) => {
  const words = useWords(wizardWords);
  const { step, isActing, secondsLeft } = transfer;
  switch (step.at) {
    case 'email':
      return (
        <EmailForm
          typed={email}
          onTyped={onEmail}
          isSearch={isSearch}
          isActing={isActing}
          secondsLeft={secondsLeft}
          onEmail={transfer.requestCode}
          onBack={onBack}
        />
      );
    case 'code':
      return (
        <>
          <Text role="status">{words.codeSent(step.email)}</Text>
          <CodeForm
            key="sign-in"
            act={words.signIn}
            isActing={isActing}
            secondsLeft={secondsLeft}
            onCode={transfer.signIn}
            onNewCode={() => transfer.requestCode(step.email)}
            onBack={transfer.startOver}
            backLabel={words.otherEmail}
          />
        </>
      );
    case 'licenses':
      return (
        <LicenseList
          rows={step.rows}
          hwid={hwid}
          isActing={isActing || secondsLeft > 0}
          onBring={transfer.begin}
          onCancel={transfer.cancel}
          onOtherEmail={transfer.startOver}
          onBack={onBack}
        />
      );
    case 'key-code':
      return (
        <>
          <Text role="status">{words.keyCodeText}</Text>
          {transfer.failure && (
            <Button onClick={() => transfer.activate(null)} loading={isActing} disabled={secondsLeft > 0}>
              {secondsLeft > 0 ? words.wait(secondsLeft) : words.tryAgain}
            </Button>
          )}
          <CodeForm
            key="key"
            act={words.finish}
            isActing={isActing}
            secondsLeft={secondsLeft}
            onCode={transfer.activate}
            onNewCode={() => transfer.begin(step.licenseId)}
            onBack={transfer.showLicenses}
            backLabel={words.back}
          />
        </>
      );
  }
};

/** Moves a license from another machine to this one: e-mail, code, license, second code, done. */
export const TransferFlow = ({ onActivated, ...props }: TransferFlowProps) => {
  const words = useWords(wizardWords);
  const transfer = useTransfer(onActivated);
  return (
    <Stack component="section">
      <Title order={2}>{props.isSearch ? words.find : words.transfer}</Title>
      {transfer.refusal && <TransferRefused refusal={transfer.refusal} />}
      {transfer.failure && <ActivationFailed failure={transfer.failure} />}
      {transfer.error !== null && <ActionFailed error={transfer.error} />}
      <Step transfer={transfer} {...props} />
    </Stack>
  );
};
