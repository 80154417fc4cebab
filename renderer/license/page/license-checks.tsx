import { Group, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { licenseWords } from './license.words.ts';

type Outcome = NonNullable<LicenseStatus['lastCheck']>['outcome'];
export const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  confirmed: 'ok',
  refused: 'bad',
  unreachable: 'warn',
};

/** When the portal was asked and will be asked next, and how long its answer is valid. */
export const LicenseChecks = ({ status }: { readonly status: LicenseStatus }) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const id = useId();
  const { lastCheck, notSaved, nextCheckAt, expiresAt, graceEndsAt } = status;
  const at = (moment: string | null) =>
    moment ? (
      <time dateTime={moment} title={format.exact(moment)}>
        {format.date(moment)}, {format.minute(moment)}
      </time>
    ) : (
      words.unknown
    );
  const last = lastCheck ? (
    <Group gap="xs">
      <TimeAgo at={lastCheck.at} />
      <StateLabel tone={outcomeTones[lastCheck.outcome]}>{words.outcomes[lastCheck.outcome]}</StateLabel>
      {lastCheck.outcome === 'unreachable' && desktopBridge() && (
        <PanelLink to="/computer/network">{words.testConnections}</PanelLink>
      )}
    </Group>
  ) : (
    words.never
  );
  const facts: readonly Fact[] = [
    { label: words.lastCheck, value: last },
    { label: words.nextCheck, value: nextCheckAt ? <TimeAgo at={nextCheckAt} /> : words.unknown },
    { label: words.expires, value: at(expiresAt) },
    { label: words.graceUntil, value: at(graceEndsAt) },
  ];
  const unsaved: readonly Fact[] =
    notSaved === undefined
      ? []
      : [
          {
            label: words.notSaved,
            value: (
              <>
                <StateLabel tone="bad">{words.notSavedText}</StateLabel>
                <Text size="sm">{notSaved}</Text>
              </>
            ),
          },
        ];
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Title order={2} id={id}>
        {words.checkingTitle}
      </Title>
      <Facts facts={[...facts, ...unsaved]} />
    </Stack>
  );
};
