import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { licenseRemedyWords } from '../../license/license-remedies.words.ts';
import type { LicenseTrouble } from '../../license/remedy.ts';
import { ownWordsOf } from '../../license/vendor-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { BackButton } from './back-button.tsx';

export interface ContactViewProps {
  readonly trouble: LicenseTrouble;
  readonly detail: string;
  readonly status: LicenseStatus | null;
  readonly onBack: () => void;
}

/** The information that a vendor needs to help, ready to send. */
export const ContactView = ({ trouble, detail, status, onBack }: ContactViewProps) => {
  const words = useWords(licenseRemedyWords);
  const act = useDesktopAction();
  const [said, setSaid] = useState<string | null>(null);
  const own = status?.code === trouble ? ownWordsOf(trouble, detail) : null;
  const lines = [
    `${words.details.reason}: ${trouble}${own ? ` (${own})` : ''}`,
    ...(status?.licenseId ? [`${words.details.license}: ${status.licenseId}`] : []),
    ...(status?.hwid ? [`${words.details.hwid}: ${status.hwid}`] : []),
  ];
  const text = lines.join('\n');
  const open = () =>
    act.run(async () => {
      const { isOpened } = await callDesktop('license.open', { page: 'customer-area' });
      setSaid(isOpened ? words.areaOpened : words.areaNotOpened);
    });
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{words.contactTitle}</Title>
      <Text>{words.contactText}</Text>
      <Code block>{text}</Code>
      <div>
        <CopyButton value={text} label={words.copyDetails} />
      </div>
      <div role="status">{said && <Text>{said}</Text>}</div>
      {act.error !== null && <ActionFailed error={act.error} />}
      <WizardActions>
        <Button onClick={open} loading={act.isActing}>
          {words.openArea}
        </Button>
        <BackButton onBack={onBack} />
      </WizardActions>
    </Stack>
  );
};
