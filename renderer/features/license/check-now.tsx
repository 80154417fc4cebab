import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { licenseStateHttp } from '#contracts/license-state.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { Trouble } from '../../design/trouble.tsx';
import { useWords } from '../../language/use-words.ts';
import { readKey, useChange } from '../../wire/queries.ts';
import { licenseWords } from './license.words.ts';
import { outcomeTones } from './license-checks.tsx';

/** Asks the portal immediately, and shows its answer. */
export const CheckNow = () => {
  const words = useWords(licenseWords);
  const client = useQueryClient();
  const check = useChange(licenseStateHttp.check, []);
  const { data } = check;
  useEffect(() => {
    if (data) client.setQueryData(readKey(licenseStateHttp.status, {}), data);
  }, [client, data]);
  const outcome = data?.lastCheck?.outcome;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate({})}>
        {words.checkNow}
      </Button>
      <div role="status">
        {check.isPending && <StateLabel tone="busy">{words.checking}</StateLabel>}
        {data && !check.isPending && (
          <StateLabel tone={outcome ? outcomeTones[outcome] : 'idle'}>
            {words.checked[outcome ?? 'never']}
          </StateLabel>
        )}
      </div>
      {check.error && <Trouble error={check.error} />}
    </Stack>
  );
};
