import { Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { accountHttp, type Me } from '#contracts/identity/account.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { askAccess, useMe } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { HiddenUsername } from './hidden-username.tsx';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';
import { qrPath } from './qr-path.ts';

const save = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
};

/** Shown only once, so it closes only when the person confirms having saved them. */
const RecoveryCodes = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) => {
  const { twoStep: words } = useWords(profileWords);
  const general = useWords(designWords);
  const { name } = useMe();
  const clipboard = useClipboard({ timeout: 1500 });
  const [areKept, setAreKept] = useState(false);
  const text = `${words.fileHead(name)}\r\n\r\n${codes.join('\r\n')}\r\n`;
  const CopyIcon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.codes}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{words.codesText}</Text>
        <ul className={classes.codes} aria-label={words.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<CopyIcon size={16} aria-hidden />}
            onClick={() => clipboard.copy(codes.join('\n'))}
          >
            {clipboard.copied ? words.copied : words.copyCodes}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => save(words.fileName, text)}
          >
            {words.download}
          </Button>
        </Group>
        {clipboard.error && <Text role="status">{general.cannotCopy}</Text>}
        <Checkbox
          label={words.kept}
          checked={areKept}
          onChange={({ currentTarget }) => setAreKept(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!areKept} onClick={onClose}>
            {words.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

interface EnrolTwoStepProps {
  readonly enrolment: EndpointResponse<typeof accountHttp.enrolTotp>;
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** The secret for the authenticator, and the first code as proof that it works. */
const EnrolTwoStep = ({ enrolment: { secret, uri }, onCodes, onClose }: EnrolTwoStepProps) => {
  const { twoStep: words } = useWords(profileWords);
  const confirm = useChange(accountHttp.confirmTotp, []);
  const { modules, path } = qrPath(uri);
  const send = (code: string) =>
    confirm.mutate({ body: { code } }, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return (
    <FormDialog
      title={words.title}
      act={words.confirm}
      isActing={confirm.isPending}
      error={confirm.error}
      onSubmit={(typed) => send(String(typed.get('code') ?? '').trim())}
      onClose={onClose}
    >
      <Text>{words.scan}</Text>
      <svg className={classes.qr} viewBox={`0 0 ${modules} ${modules}`} role="img" aria-label={words.qr}>
        <path d={path} shapeRendering="crispEdges" />
      </svg>
      <div>
        <Text>{words.cannotScan}</Text>
        <Group gap="xs" wrap="nowrap">
          <Code>{secret}</Code>
          <CopyButton value={secret} label={words.copySecret} />
        </Group>
      </div>
      <TextInput
        name="code"
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={50}
        required
        data-autofocus
      />
    </FormDialog>
  );
};

/** Asks for the password before an action that an unattended browser must not allow. */
const AskPassword = (props: {
  readonly title: string;
  /** What will happen. */
  readonly text?: string;
  readonly act: string;
  readonly isDestructive?: boolean;
  /** Resolves when it is done; if it fails, the dialog stays and says why. */
  readonly onPassword: (password: string) => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { title, text, act, isDestructive = false, onPassword, onClose } = props;
  const { twoStep: words, password } = useWords(profileWords);
  const { name } = useMe();
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (typed: string) => {
    setIsSending(true);
    setError(null);
    await onPassword(typed)
      .catch(setError)
      .finally(() => setIsSending(false));
  };
  return (
    <FormDialog
      title={title}
      act={act}
      isActing={isSending}
      isDestructive={isDestructive}
      error={error}
      onSubmit={(typed) => void send(String(typed.get('password') ?? ''))}
      onClose={onClose}
      closeOnClickOutside
    >
      {text !== undefined && <Text>{text}</Text>}
      <Text c="dimmed">{words.passwordFirst}</Text>
      <HiddenUsername name={name} />
      <PasswordField name="password" label={password.current} autoComplete="current-password" isFirst />
    </FormDialog>
  );
};

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

/** Two-step sign-in: off, being set up, or on with its recovery codes. */
export const TwoStepCard = ({
  account: { totp, recoveryCodesLeft },
}: {
  readonly account: NonNullable<Me['account']>;
}) => {
  const { twoStep: words } = useWords(profileWords);
  const [step, setStep] = useState<Step | null>(null);
  const isOn = totp === 'on';
  const end = () => {
    setStep(null);
    void askAccess();
  };
  const asks = {
    enrol: async (password: string) =>
      setStep({ is: 'scan', enrolment: await sendChange(accountHttp.enrolTotp, { body: { password } }) }),
    renew: async (password: string) => {
      const { recoveryCodes } = await sendChange(accountHttp.renewRecoveryCodes, { body: { password } });
      setStep({ is: 'codes', codes: recoveryCodes });
    },
    disable: async (password: string) => {
      await sendChange(accountHttp.disableTotp, { body: { password } });
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
