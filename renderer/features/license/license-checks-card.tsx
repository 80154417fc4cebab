import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type LicenseStatus, licenseStateHttp } from '#contracts/license-state.ts';
import { useCan } from '../../access/access-state.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { StateLabel, type Tone } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { readKey, useChange } from '../../wire/queries.ts';
import { licenseWords } from './license.words.ts';

type Outcome = NonNullable<LicenseStatus['lastCheck']>['outcome'];
const tones: Readonly<Record<Outcome, Tone>> = { confirmed: 'ok', refused: 'bad', unreachable: 'warn' };

/** Asks the portal at once, and tells what it said. */
const CheckNow = () => {
  const words = useWords(licenseWords);
  const client = useQueryClient();
  const check = useChange(licenseStateHttp.check, []);
  const { data } = check;
  useEffect(() => {
    if (data) client.setQueryData(readKey(licenseStateHttp.status, {}), data);
  }, [client, data]);
  const outcome = data?.lastCheck?.outcome;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate({})}>
          {words.checkNow}
        </Button>
        <div role="status">
          {check.isPending && <StateLabel tone="busy">{words.checking}</StateLabel>}
          {data && !check.isPending && (
            <StateLabel tone={outcome ? tones[outcome] : 'idle'}>
              {words.checked[outcome ?? 'never']}
            </StateLabel>
          )}
        </div>
      </Group>
      {check.error && <Trouble error={check.error} />}
    </Stack>
  );
};

/** When the portal was asked and will be, and until when its answer holds. */
export const LicenseChecksCard = ({ status }: { readonly status: LicenseStatus }) => {
  const words = useWords(licenseWords);
  const format = useFormat();
  const can = useCan();
  const { lastCheck, notSaved, nextCheckAt, issuedAt, expiresAt, graceEndsAt } = status;
  const exactly = (at: string | null) =>
    at ? (
      <>
        {format.exact(at)}
        <Text size="sm" c="dimmed">
          <TimeAgo at={at} />
        </Text>
      </>
    ) : (
      words.unknown
    );
  return (
    <Card title={words.checkingTitle}>
      <Facts
        facts={[
          {
            label: words.lastCheck,
            value: lastCheck ? (
              <Group gap="xs">
                <StateLabel tone={tones[lastCheck.outcome]}>{words.outcomes[lastCheck.outcome]}</StateLabel>
                <Text size="sm" c="dimmed" component="span">
                  <TimeAgo at={lastCheck.at} />
                </Text>
              </Group>
            ) : (
              words.never
            ),
          },
          ...(notSaved === undefined
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
              ]),
          { label: words.nextCheck, value: nextCheckAt ? <TimeAgo at={nextCheckAt} /> : words.unknown },
          { label: words.issued, value: exactly(issuedAt) },
          { label: words.expires, value: exactly(expiresAt) },
          { label: words.graceUntil, value: exactly(graceEndsAt) },
        ]}
      />
      {can('stack.write') && <CheckNow />}
    </Card>
  );
};
