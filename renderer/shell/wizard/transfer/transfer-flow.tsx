import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { TransferRefusal } from '#contracts/desktop/desktop-transfer.ts';
import { problemCodes } from '#contracts/kernel/problems.ts';
import { customerEmailSchema } from '#contracts/portal/customers.ts';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../../license/license-remedies.words.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import { FailureAlert } from '../../../operations/computer/desktop-actions/failure-alert.tsx';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { ActivationFailed } from '../license/activation-failed.tsx';
import { BackButton } from '../license/back-button.tsx';
import { LicenseList } from './license-list.tsx';
import { type Transfer, useTransfer } from './use-transfer.ts';

const useTexts = ({ code, nextFreeAt }: TransferRefusal): { title: string; texts: readonly string[] } => {
  const words = useWords(wizardWords);
  const format = useFormat();
  const language = useLanguage();
  const { refusals, failures } = words;
  if (code === null) return { title: refusals.away, texts: [failures.unreachableText] };
  if (nextFreeAt !== null)
    return { title: refusals.tooSoon, texts: [refusals.tooSoonText(format.date(nextFreeAt))] };
  if (code === 'WRONG_CREDENTIALS') return { title: refusals.code, texts: [refusals.codeText] };
  if (code === 'RATE_LIMITED') return { title: failures.rateLimited, texts: [failures.rateLimitedText] };
  const known = problemCodes.find((candidate) => candidate === code);
  if (!known) return { title: words.failed, texts: [] };
  const { title, meaning, remedy } = problemTexts(known, language);
  // These refer to the panel's own sign-in.
  return { title, texts: code === 'UNAUTHENTICATED' ? [] : [meaning, remedy] };
};

/** Why the portal refused, and what helps. */
const TransferRefused = ({ refusal }: { readonly refusal: TransferRefusal }) => {
  const { title, texts } = useTexts(refusal);
  return (
    <FailureAlert title={title} detail={refusal.nextFreeAt === null ? refusal.detail : null}>
      {texts.map((text) => (
        <Text key={text}>{text}</Text>
      ))}
    </FailureAlert>
  );
};

/** Asks for the address to mail the code to. */
const EmailForm = (props: {
  readonly typed: string;
  readonly onTyped: (email: string) => void;
  /** The customer is looking for a license rather than moving one. */
  readonly isSearch: boolean;
  readonly isActing: boolean;
  readonly secondsLeft: number;
  readonly onEmail: (email: string) => void;
  readonly onBack: () => void;
}) => {
  const { typed, onTyped, isSearch, isActing, secondsLeft, onEmail, onBack } = props;
  const words = useWords(wizardWords);
  const { findText } = useWords(licenseRemedyWords);
  const email = customerEmailSchema.safeParse(typed.trim());
  const isBlocked = secondsLeft > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (email.success && !isBlocked) onEmail(email.data);
      }}
    >
      <Stack>
        <Text c="dimmed">{isSearch ? findText : words.transferText}</Text>
        <TextInput
          className={classes.short}
          type="email"
          label={words.email}
          value={typed}
          onChange={({ currentTarget }) => onTyped(currentTarget.value)}
          autoComplete="email"
          maxLength={254}
          required
          withAsterisk={false}
          autoFocus
        />
        <WizardActions>
          <Button type="submit" loading={isActing} disabled={!email.success || isBlocked}>
            {isBlocked ? words.wait(secondsLeft) : words.sendCode}
          </Button>
          <BackButton onBack={onBack} />
        </WizardActions>
      </Stack>
    </form>
  );
};

/** Asks for a mailed code. */
const CodeForm = (props: {
  readonly act: string;
  readonly isActing: boolean;
  readonly secondsLeft: number;
  readonly onCode: (code: string) => void;
  readonly onNewCode: () => void;
  readonly onBack: () => void;
  readonly backLabel: string;
}) => {
  const { act, isActing, secondsLeft, onCode, onNewCode, onBack, backLabel } = props;
  const words = useWords(wizardWords);
  const [code, setCode] = useState('');
  const isBlocked = secondsLeft > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked && code.trim() !== '') onCode(code.trim());
      }}
    >
      <Stack>
        <TextInput
          className={classes.short}
          label={words.code}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          required
          withAsterisk={false}
          autoFocus
        />
        <WizardActions>
          <Button type="submit" loading={isActing} disabled={isBlocked}>
            {isBlocked ? words.wait(secondsLeft) : act}
          </Button>
          <Button variant="default" onClick={onNewCode} disabled={isActing || isBlocked}>
            {words.newCode}
          </Button>
          <Button variant="subtle" onClick={onBack}>
            {backLabel}
          </Button>
        </WizardActions>
      </Stack>
    </form>
  );
};

interface TransferFlowProps {
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

const Step = (
  props: Omit<TransferFlowProps, 'onActivated'> & {
    readonly transfer: Transfer;
  },
) => {
  const { transfer, hwid, email, onEmail, isSearch, onBack } = props;
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
