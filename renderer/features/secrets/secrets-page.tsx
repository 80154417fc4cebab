import { Button, SimpleGrid } from '@mantine/core';
import { useEffect, useState } from 'react';
import { secretsHttp } from '#contracts/secrets.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { call } from '../../wire/call.ts';
import { queryClient, readKey, useRead } from '../../wire/queries.ts';
import { FaultsCard } from './faults-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { ReencryptionCard } from './reencryption-card.tsx';
import { RotationCard } from './rotation-card.tsx';
import { secretsWords } from './secrets.words.ts';

const key = readKey(secretsHttp.status, {});
const whileRunningMs = 1000;
const otherwiseMs = 30_000;

export const Page = () => {
  const words = useWords(secretsWords);
  const isWriter = useCan()('secrets.write');
  const [isAsking, setIsAsking] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const read = useRead(secretsHttp.status, {}, { everyMs: isRunning ? whileRunningMs : otherwiseMs });
  const run = read.data?.reencryption ?? null;
  useEffect(() => setIsRunning(run !== null && run.state !== 'done'), [run]);

  const begin = async () => {
    const status = await call(secretsHttp.reencrypt, {});
    // A read that started earlier would bring back the old run.
    await queryClient.cancelQueries({ queryKey: key });
    queryClient.setQueryData(key, status);
  };
  const actions = isWriter && (
    <Button onClick={() => setIsAsking(true)} disabled={isRunning}>
      {words.reencrypt}
    </Button>
  );
  return (
    <Frame title={words.title} description={words.description} actions={actions}>
      <AsyncContent read={read}>
        {(status) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <KeysCard status={status} />
              <ReencryptionCard run={status.reencryption} />
            </SimpleGrid>
            {status.faults.length > 0 && <FaultsCard status={status} />}
            <RotationCard />
          </>
        )}
      </AsyncContent>
      {isAsking && (
        <ConfirmAction
          title={words.reencryptQuestion}
          act={words.reencrypt}
          isDestructive={false}
          onAction={begin}
          onClose={() => setIsAsking(false)}
        >
          {words.reencryptText}
        </ConfirmAction>
      )}
    </Frame>
  );
};
