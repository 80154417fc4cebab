import { Code, Group, Text, TextInput } from '@mantine/core';
import { accountHttp } from '#contracts/account.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';
import { qrPath } from './qr-path.ts';

export interface EnrolTwoStepProps {
  readonly enrolment: EndpointResponse<typeof accountHttp.enrolTotp>;
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** The secret for the authenticator, and the first code as proof that it works. */
export const EnrolTwoStep = ({ enrolment: { secret, uri }, onCodes, onClose }: EnrolTwoStepProps) => {
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
