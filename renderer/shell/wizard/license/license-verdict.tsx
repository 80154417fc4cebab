import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { LicenseFault, LicenseStatus } from '#contracts/license/license-state.ts';
import { askAccess } from '../../../kit/access/access-state.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Facts } from '../../../kit/design/facts.tsx';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../../license/license-remedies.words.ts';
import { type Remedy, remedyOf } from '../../../license/remedy.ts';
import { ownWordsOf } from '../../../license/vendor-words.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { useDesktopAction } from '../../../operations/use-desktop-action.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';

interface LicenseVerdictProps {
  readonly trouble: LicenseFault;
  /** In the portal's or the program's own words. */
  readonly detail: string;
  /** Null until the desktop has answered. */
  readonly status: LicenseStatus | null;
  /** For a remedy that leads to another view. */
  readonly onFollow: (remedy: Remedy) => void;
  readonly onKey: () => void;
  readonly onTransfer: () => void;
}

/** Both clocks, side by side, if one of them is wrong. */
const Clocks = ({ clock }: { readonly clock: LicenseStatus['clock'] }) => {
  const words = useWords(licenseRemedyWords);
  const format = useFormat();
  return (
    <Stack component="section" gap="xs">
      <Title order={2}>{words.clockTitle}</Title>
      <Text>{words.clockText}</Text>
      <Facts
        facts={[
          { label: words.clockLocal, value: format.exact(clock.local) },
          { label: words.clockKnown, value: clock.known ? format.exact(clock.known) : words.unknown },
        ]}
      />
    </Stack>
  );
};

/** Why the license is invalid, and the button that helps. */
export const LicenseVerdict = (props: LicenseVerdictProps) => {
  const { trouble, detail, status, onFollow, onKey, onTransfer } = props;
  const words = useWords(wizardWords);
  const remedyWords = useWords(licenseRemedyWords);
  const format = useFormat();
  const language = useLanguage();
  const check = useDesktopAction();
  const [said, setSaid] = useState<string | null>(null);
  const { meaning, remedy: advice } = problemTexts(trouble, language);
  const remedy = remedyOf(trouble);
  const vendor = trouble === 'SUSPENDED' || trouble === 'REVOKED' ? ownWordsOf(trouble, detail) : null;
  const ended = trouble === 'EXPIRED' ? status?.endsAt : null;

  const ask = () => check.run(() => callDesktop('license.check', undefined).then(askAccess));
  const act = () => {
    if (remedy === 'try-again') return ask();
    if (remedy !== 'renew' && remedy !== 'check-clock') return onFollow(remedy);
    const isClock = remedy === 'check-clock';
    return check.run(async () => {
      const { isOpened } = await callDesktop('license.open', { page: isClock ? 'clock' : 'customer-area' });
      if (!isClock) setSaid(isOpened ? remedyWords.areaOpened : remedyWords.areaNotOpened);
      else setSaid(isOpened ? remedyWords.clockOpened : null);
      // The clock may be right by now, and the person looking at it wants to know.
      if (isClock && !isOpened) await callDesktop('license.check', undefined).then(askAccess);
    });
  };

  return (
    <>
      <Text>{meaning}</Text>
      {vendor && (
        <Text component="blockquote" m={0}>
          <strong>{remedyWords.vendorSays}:</strong> <bdi>{vendor}</bdi>
        </Text>
      )}
      {ended && <Text>{words.ended(format.exact(ended))}</Text>}
      <Text c="dimmed">{remedy === 'transfer' ? remedyWords.transferText : advice}</Text>
      {remedy === 'check-clock' && status && <Clocks clock={status.clock} />}
      <div role="status">{said && <Text>{said}</Text>}</div>
      {check.error !== null && <ActionFailed error={check.error} />}
      <WizardActions>
        <Button onClick={act} loading={check.isActing}>
          {remedy === 'wait' ? remedyWords.checkAgain : remedyWords.acts[remedy]}
        </Button>
        {remedy !== 'try-again' && (
          <Button variant="default" onClick={ask} disabled={check.isActing}>
            {remedyWords.checkAgain}
          </Button>
        )}
        {remedy !== 'enter-key' && (
          <Button variant="subtle" onClick={onKey}>
            {words.toKey}
          </Button>
        )}
        {remedy === 'enter-key' && (
          <Button variant="subtle" onClick={onTransfer}>
            {words.toTransfer}
          </Button>
        )}
      </WizardActions>
    </>
  );
};
