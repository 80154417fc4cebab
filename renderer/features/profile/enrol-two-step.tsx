import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { accountHttp } from '#contracts/account.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { designWords } from '../../design/design.words.ts';
import { Trouble } from '../../design/trouble.tsx';
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

/** The secret for the authenticator, and its first code as the proof that it has it. */
export const EnrolTwoStep = ({ enrolment: { secret, uri }, onCodes, onClose }: EnrolTwoStepProps) => {
  const { twoStep: words } = useWords(profileWords);
  const general = useWords(designWords);
  const confirm = useChange(accountHttp.confirmTotp, []);
  const { modules, path } = qrPath(uri);
  const send = (code: string) =>
    confirm.mutate({ body: { code } }, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return (
    <Modal opened onClose={onClose} title={words.title} closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirm.isPending) send(String(new FormData(event.currentTarget).get('code') ?? '').trim());
        }}
      >
        <Stack>
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
          {confirm.error && <Trouble error={confirm.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {words.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
