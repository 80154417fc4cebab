import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { updatesWords } from './updates.words.ts';

/** The previous version, as long as it is kept. */
export const Rollback = ({
  version,
  onGoBack,
}: {
  readonly version: string;
  readonly onGoBack: () => Promise<void>;
}) => {
  const words = useWords(updatesWords);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{words.wayBackKept(version)}</Text>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {words.goBack(version)}
      </Button>
      {isAsking && (
        <ConfirmAction
          title={words.goBackTitle(version)}
          act={words.goBack(version)}
          onAction={onGoBack}
          onClose={() => setIsAsking(false)}
        >
          <Text>{words.goBackText}</Text>
        </ConfirmAction>
      )}
    </Stack>
  );
};
