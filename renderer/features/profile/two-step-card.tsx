import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { accountHttp, type Me } from '#contracts/account.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { askAccess } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { notifyDone } from '../../design/notify.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { useReturnFocus } from '../../design/use-return-focus.ts';
import { useWords } from '../../language/use-words.ts';
import { call } from '../../wire/call.ts';
import { AskPassword } from './ask-password.tsx';
import { EnrolTwoStep } from './enrol-two-step.tsx';
import { profileWords } from './profile.words.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type Step =
  | { readonly is: 'enrol' | 'renew' | 'disable' }
  | { readonly is: 'scan'; readonly enrolment: EndpointResponse<typeof accountHttp.enrolTotp> }
  | { readonly is: 'codes'; readonly codes: readonly string[] };

const fewCodes = 3;

/** One dialog after another: after the last one closes, the focus returns to the element that had it before the first. */
const Asked = ({ children }: { readonly children: ReactNode }) => {
  useReturnFocus();
  return children;
};

export interface TwoStepCardProps {
  readonly account: NonNullable<Me['account']>;
}

/** Two-step sign-in: off, being set up, or on with its recovery codes. */
export const TwoStepCard = ({ account: { totp, recoveryCodesLeft } }: TwoStepCardProps) => {
  const { twoStep: words } = useWords(profileWords);
  const [step, setStep] = useState<Step | null>(null);
  const isOn = totp === 'on';
  const end = () => {
    setStep(null);
    void askAccess();
  };
  const asks = {
    enrol: async (password: string) =>
      setStep({ is: 'scan', enrolment: await call(accountHttp.enrolTotp, { body: { password } }) }),
    renew: async (password: string) => {
      const { recoveryCodes } = await call(accountHttp.renewRecoveryCodes, { body: { password } });
      setStep({ is: 'codes', codes: recoveryCodes });
    },
    disable: async (password: string) => {
      await call(accountHttp.disableTotp, { body: { password } });
      notifyDone(words.isOff);
      end();
    },
  };
  const texts = {
    enrol: { title: words.title, act: words.turnOn },
    renew: { title: words.renew, text: words.renewText, act: words.renew },
    disable: { title: words.turnOff, text: words.turnOffText, act: words.turnOff, isDestructive: true },
  };

  return (
    <Card
      title={words.title}
      actions={
        <StateLabel tone={isOn ? 'ok' : totp === 'pending' ? 'busy' : 'warn'}>{words[totp]}</StateLabel>
      }
    >
      <Text c="dimmed">{isOn ? words.onText : words.offText}</Text>
      {isOn && (
        <StateLabel tone={recoveryCodesLeft < fewCodes ? 'warn' : 'idle'}>
          {words.codesLeft(recoveryCodesLeft)}
        </StateLabel>
      )}
      {isOn && recoveryCodesLeft < fewCodes && <Text>{words.fewCodes}</Text>}
      <Group gap="xs">
        {isOn ? (
          <>
            <Button variant="default" onClick={() => setStep({ is: 'renew' })}>
              {words.renew}
            </Button>
            <Button variant="default" onClick={() => setStep({ is: 'disable' })}>
              {words.turnOff}
            </Button>
          </>
        ) : (
          <Button onClick={() => setStep({ is: 'enrol' })}>{words.turnOn}</Button>
        )}
      </Group>
      {step && (
        <Asked>
          {step.is === 'scan' && (
            <EnrolTwoStep
              enrolment={step.enrolment}
              onCodes={(codes) => setStep({ is: 'codes', codes })}
              onClose={end}
            />
          )}
          {step.is === 'codes' && <RecoveryCodes codes={step.codes} onClose={end} />}
          {step.is !== 'scan' && step.is !== 'codes' && (
            <AskPassword
              key={step.is}
              {...texts[step.is]}
              onPassword={asks[step.is]}
              onClose={() => setStep(null)}
            />
          )}
        </Asked>
      )}
    </Card>
  );
};
